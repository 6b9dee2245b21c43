#!/usr/bin/env python3
"""Figure 6a of Kroening et al. 2015 (docs/papers.md): CPU time over the size of one task, as an SVG; both axes are logarithmic.

usage: sizes.py OUT.svg 'accel=10:0.05,100:0.06' 'bmc=10:0.1,100:3.2' ...

Only the standard library is needed.
"""

import argparse
import math

import svg

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 320, 60, 48, 24, 80


def exponents(values):
    """The powers of ten around the values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("curves", nargs="+", metavar="NAME=SIZE:SECONDS,...")
    arguments = parser.parse_args()
    curves = []
    for text in arguments.curves:
        name, points = text.split("=", 1)
        curves.append((name, [tuple(map(float, point.split(":"))) for point in points.split(",")]))
    (left, right) = exponents([size for _, points in curves for size, _ in points])
    (low, high) = exponents([seconds for _, points in curves for _, seconds in points])

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(size) - left) / (right - left)

    def y(seconds):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(seconds) - low) / (high - low)

    lines = svg.opened(WIDTH, HEIGHT)
    for exponent in range(low, high + 1):
        at = y(10.0**exponent)
        lines.append(f'<path d="M{LEFT},{at:.1f} H{WIDTH - RIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**exponent:g} s</text>')
    for exponent in range(left, right + 1):
        lines.append(f'<text x="{x(10.0**exponent):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10**exponent:,}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">size of the buffer</text>')
    for i, (name, points) in enumerate(curves):
        path = [f"{x(size):.1f},{y(seconds):.1f}" for size, seconds in points]
        size, seconds = points[-1]
        lines += svg.curve(i, path, name, (f"{x(size) + 6:.1f}", f"{y(seconds) + 4:.1f}"))
    svg.write(arguments.out, lines)


if __name__ == "__main__":
    main()

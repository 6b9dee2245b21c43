#!/usr/bin/env python3
"""Figure 5 of Kroening et al. 2015 (docs/papers.md), from results of `foldback bench`: CPU time over the number of tasks solved, as an SVG.

usage: cumulative.py OUT.svg 'size 10=DIR/results.csv' 'size 1000=OTHER/results.csv' ... [--expected false]

Tasks that were decided rightly are sorted by time; a curve shows how many are solved if each may take so long. Only
the standard library is needed.
"""

import argparse
import csv
import math

import svg

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 60, 48, 24, 150


def times(path, expected):
    """CPU seconds of the tasks that were decided rightly, sorted, and how many tasks there were."""
    solved, tasks = [], 0
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if expected and not row["expected"].startswith(expected):
                continue
            tasks += 1
            if row["verdict"].startswith(row["expected"].split("(")[0]):
                solved.append(float(row["cpu_seconds"]))
    return sorted(solved), tasks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("curves", nargs="+", metavar="NAME=results.csv")
    parser.add_argument("--expected", default="", help="only tasks with this answer: true or false")
    arguments = parser.parse_args()
    curves = []
    for text in arguments.curves:
        name, path = text.split("=", 1)
        curves.append((name, *times(path, arguments.expected)))
    most = max(tasks for _, _, tasks in curves)
    lowest, highest = -2, math.ceil(math.log10(max(max(solved, default=1) for _, solved, _ in curves)))

    def place(count, seconds):
        x = LEFT + (WIDTH - LEFT - RIGHT) * count / most
        exponent = min(max(math.log10(max(seconds, 1e-9)), lowest), highest)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (exponent - lowest) / (highest - lowest)
        return f"{x:.1f},{y:.1f}"

    lines = svg.opened(WIDTH, HEIGHT)
    for exponent in range(lowest, highest + 1):
        start, end = place(0, 10**exponent), place(most, 10**exponent)
        y = start.split(",")[1]
        lines.append(f'<path d="M{start} L{end}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{float(y) + 4}" text-anchor="end">{10.0**exponent:g} s</text>')
    for count in range(0, most + 1, 20):
        x, y = place(count, 10**lowest).split(",")
        lines.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{count}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    lines.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">tasks solved</text>')
    for i, (name, solved, tasks) in enumerate(curves):
        points = [place(n + 1, seconds) for n, seconds in enumerate(solved)]
        label = f"{name}: {len(solved)} of {tasks}"
        lines += svg.curve(i, points, label, (WIDTH - RIGHT + 8, TOP + 18 * i + 10))
    svg.write(arguments.out, lines)


if __name__ == "__main__":
    main()

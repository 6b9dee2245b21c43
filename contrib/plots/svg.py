"""What the plots have in common: the picture's first and last lines, and a curve in its colour."""

COLOURS = ["#1b6ca8", "#d1495b", "#3a7d44", "#8a5a99", "#b8860b", "#555555"]


def opened(width, height):
    """The first lines of a picture."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]


def curve(number, points, label, at):
    """A line through the points, and what it stands for at a place."""
    colour = COLOURS[number % len(COLOURS)]
    x, y = at
    return [
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{x}" y="{y}" fill="{colour}">{label}</text>',
    ]


def write(path, lines):
    """Writes the picture."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "</svg>"]) + "\n")

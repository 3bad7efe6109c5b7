"""`architecture.svg`: the packages in their layers, and who imports whom.

``python docs/scripts/architecture_diagram.py`` writes it from the import statements; a test checks
that it is current. An arrow stands for all imports between two packages. Those that a longer way
implies are pale. Positions are chosen here by hand; layers below `runtime` follow in a row of their
own.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from package_graph import Package, excused, layers, packages, without_shortcuts

TARGET = Path(__file__).parents[1] / "pictures" / "architecture.svg"
WIDTH, HEIGHT, STEP, MARGIN = 176, 78, 194, 16  # of boxes; between columns; around everything
GAP = 38  # between rows
LETTERS, LINES = 28, 4  # of the text in a box
# Column of each box and the row it stands in; layers in the same row know nothing of each other.
PLACES = {
    "cli": (2.4, 0), "bench": (1.1, 1), "compare": (2.4, 1), "stability": (3.6, 1),
    "mubodyna": (3.6, 0), "capabilities": (0.9, 0), "grouping": (0.1, 1), "studio": (4.6, 0.6),
    "show": (3.2, 2), "compiler": (1.8, 2), "stages": (1.8, 3), "emit": (0.5, 3.5),
    "cache": (1.5, 4), "digests": (0.4, 4.9), "symbolic": (2, 5),
    "beams": (3.4, 5), "floating": (4.4, 5.5), "topology": (0, 6.1), "bodies": (1, 6.1),
    "joints": (2, 6.1), "forces": (3, 6.1), "outputs": (4, 6.1), "orientations": (0.2, 7.2),
    "contact_laws": (2.3, 7.2), "friction_laws": (3.4, 7.2),
    "functions": (1.2, 7.2),
    "language": (1.6, 8.3), "geometry": (3, 8.3), "analyses": (5.1, 1.5), "mechanics": (5.1, 3.2),
    "view": (4.4, 4.4), "modal": (3.9, 9.2), "forked": (3.7, 3.2), "runtime": (5.1, 6.1),
}  # fmt: skip
RIGHT = ("analyses", "mechanics", "view", "runtime")  # arrows to them leave boxes sideways
SIDES = {
    **dict.fromkeys(("runtime", "view", "mechanics", "analyses"), "#e6f2e6"), "forked": "#eeeeee",
}  # fmt: skip
LEGEND = (
    "Black arrow: imports. Pale arrow: imports too, but black arrows lead there as well. Dashed: "
    "upwards, with its reason in pyproject.toml.",
    "Blue makes modules, green runs them, grey helps all; arrows to the lowest row are left out.",
)
STYLE = """\
text { font: 10.5px 'DejaVu Sans', Verdana, sans-serif; fill: #222; }
.name { font-weight: bold; font-size: 13px; }
.box { stroke: #445; stroke-width: 1; }
.arrow { fill: none; stroke: #334; stroke-width: 1.3; marker-end: url(#tip); }
.implied { fill: none; stroke: #c9ced6; stroke-width: 1; marker-end: url(#pale); }
.excused { fill: none; stroke: #b3261e; stroke-dasharray: 5 3; marker-end: url(#red); }
"""


@dataclass(frozen=True)
class Box:
    """Where a package is drawn: its upper left corner."""

    package: Package
    x: float
    y: float


def helpers() -> list[str]:
    """Return the packages below `runtime`: arrows to them would tell nothing."""
    rows = layers()
    (last,) = (k for k, row in enumerate(rows) if "runtime" in row)
    return sorted(name for row in rows[last + 1 :] for name in row)


def boxes(found: dict[str, Package]) -> dict[str, Box]:
    """Place the packages."""
    last = max(row for _, row in PLACES.values()) + 1
    places = {**PLACES, **{name: (k, last) for k, name in enumerate(helpers())}}
    if missing := sorted(found.keys() - places.keys()):
        raise ValueError(f"give {', '.join(missing)} a place in PLACES")
    return {
        name: Box(found[name], MARGIN + column * STEP, _top(row))
        for name, (column, row) in places.items()
        if name in found
    }


def _top(row: float) -> float:
    return MARGIN + row * (HEIGHT + GAP)


def drawn(box: Box) -> Iterator[str]:
    """Yield a box with its name and what it holds."""
    fill = SIDES.get(box.package.name, "#eeeeee" if box.package.name in helpers() else "#e8eef8")
    yield (
        f'<rect class="box" x="{box.x:g}" y="{box.y:g}" width="{WIDTH}" height="{HEIGHT}" rx="5" '
        f'fill="{fill}"/>'
    )
    yield f'<text class="name" x="{box.x + 8:g}" y="{box.y + 17:g}">{box.package.name}</text>'
    lines = textwrap.wrap(box.package.text.replace("`", ""), LETTERS)
    if len(lines) > LINES:
        raise ValueError(f"shorten the first sentence of the docstring of {box.package.name}")
    for k, line in enumerate(lines):
        yield f'<text x="{box.x + 8:g}" y="{box.y + 32 + 13 * k:g}">{escape(line)}</text>'


def arrow(kind: str, start: Box, end: Box, out: float, into: float) -> str:
    """Return a curve from the lower edge of a box to the upper edge of another.

    Parameters
    ----------
    out, into : float
        Where it leaves and arrives, from 0 (left) to 1.
    """
    u, v = end.x + WIDTH * into, end.y
    if end.package.name in RIGHT and end.x >= start.x + WIDTH:
        x, y = start.x + WIDTH, start.y + HEIGHT * out
        return (
            f'<path class="{kind}" d="M {x:.1f} {y:.1f} C {(x + 2 * u) / 3:.1f} {y:.1f}, '
            f'{u:.1f} {(2 * y + v) / 3:.1f}, {u:.1f} {v:.1f}"/>'
        )
    x, y = start.x + WIDTH * out, start.y + HEIGHT
    bend = max(24.0, abs(v - y) * 0.45)
    return (
        f'<path class="{kind}" d="M {x:.1f} {y:.1f} C {x:.1f} {y + bend:.1f}, '
        f'{u:.1f} {v - bend:.1f}, {u:.1f} {v:.1f}"/>'
    )


def upwards(start: Box, end: Box) -> str:
    """Return a curve for an import that the contract excuses."""
    side = 1 if end.x + WIDTH / 2 >= start.x + WIDTH / 2 else 0
    x, y = start.x + WIDTH * (0.9 if side else 0.1), start.y
    u, v = end.x + WIDTH * (0.92 if end.x == start.x else 0.5), end.y + HEIGHT
    bend = max(20.0, abs(y - v) * 0.4)
    return (
        f'<path class="excused" d="M {x:.1f} {y:.1f} C {x:.1f} {y - bend:.1f}, '
        f'{u:.1f} {v + bend:.1f}, {u:.1f} {v:.1f}"/>'
    )


def arrows(placed: dict[str, Box]) -> list[str]:
    """Return all arrows, pale ones first: they lie below the others."""
    up, below = excused(), helpers()
    known = {
        name: frozenset(o for o in box.package.imports if o not in below and (name, o) not in up)
        for name, box in placed.items()
    }
    direct = without_shortcuts(known)
    pairs = [(a, b) for a in placed for b in placed if b in known[a]]

    def port(of: str, others: Sequence[str], other: str) -> float:
        ordered = sorted(others, key=lambda name: (placed[name].x, placed[name].y, name))
        return (ordered.index(other) + 1) / (len(ordered) + 1)

    lines = {"implied": [], "arrow": []}
    for a, b in pairs:
        out = port(a, [d for c, d in pairs if c == a], b)
        into = port(b, [c for c, d in pairs if d == b], a)
        kind = "arrow" if b in direct[a] else "implied"
        lines[kind].append(arrow(kind, placed[a], placed[b], out, into))
    red = [upwards(placed[a], placed[b]) for a, b in sorted(up)]
    return [*lines["implied"], *lines["arrow"], *red]


def svg() -> str:
    """Return the picture."""
    placed = boxes(packages())
    width = max(box.x for box in placed.values()) + WIDTH + MARGIN
    bottom = max(box.y for box in placed.values()) + HEIGHT + MARGIN
    height = bottom + 16 * len(LEGEND)
    body = [*arrows(placed), *(line for box in placed.values() for line in drawn(box))]
    body += [
        f'<text x="{MARGIN}" y="{bottom + 10 + 16 * k:g}">{x}</text>' for k, x in enumerate(LEGEND)
    ]
    tips = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M 0 1 L 7 4 L 0 7 z" fill="{colour}"/></marker>'
        for name, colour in (("tip", "#334"), ("pale", "#c9ced6"), ("red", "#b3261e"))
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n'
        f"<title>Packages of mbdgen and their imports</title>\n"
        f"<style>\n{STYLE}</style>\n<defs>{tips}</defs>\n"
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>'
    )
    return "\n".join([head, *body, "</svg>", ""])


if __name__ == "__main__":
    TARGET.write_text(svg(), encoding="utf-8")

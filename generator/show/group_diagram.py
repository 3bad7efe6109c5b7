"""Diagram of structural groups: a column per level, arrows along the order of solution."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from mbdgen.runtime.groups.group_decomposition import Decomposition

MOST = 8
"""Number of groups drawn per level; a mechanism may have hundreds."""
LETTERS = 26
WIDTH, HEIGHT, STEP_X, STEP_Y, MARGIN, TITLE = 210, 66, 290, 90, 20, 34
STYLE = """\
text { font: 12px 'DejaVu Sans', Verdana, sans-serif; fill: #222; }
.title { font-size: 14px; font-weight: bold; }
.name { font-weight: bold; }
.box { fill: #e8eef8; stroke: #445; }
.driving { fill: #e6f2e6; }
.more { fill: white; stroke: #445; stroke-dasharray: 5 3; }
.arrow { fill: none; stroke: #556; stroke-width: 1.3; marker-end: url(#tip); }
"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M 0 1 L 7 4 L 0 7 z" fill="#556"/></marker></defs>'
)


@dataclass(frozen=True)
class _Box:
    """Position of a group, or of a placeholder for several."""

    x: float
    y: float
    lines: tuple[str, ...]
    kind: str


def groups_svg(decomposition: Decomposition) -> str:
    """Return the diagram of the groups as SVG."""
    boxes, rest = _boxes(decomposition)
    every = [*boxes.values(), *rest]
    width = max((b.x for b in every), default=0.0) + WIDTH + MARGIN
    height = max((b.y for b in every), default=0.0) + HEIGHT + MARGIN
    inputs = _short(", ".join(decomposition.input_names) or "drivers only", 60)
    title = f"{decomposition.model}: structural groups (bodies, mobility), inputs: {inputs}"
    width = max(width, 2 * MARGIN + 8.5 * len(title))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">',
        f"<style>\n{STYLE}</style>",
        TIP,
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 8}">{escape(title)}</text>',
        *_arrows(decomposition, boxes),
        *(line for box in every for line in _drawn(box)),
        "</svg>",
    ]
    return "\n".join(parts)


def _boxes(decomposition: Decomposition) -> tuple[dict[int, _Box], list[_Box]]:
    """Arrange the groups level by level; surplus ones share one box."""
    boxes: dict[int, _Box] = {}
    rest: list[_Box] = []
    for level in range(1, decomposition.levels + 1):
        mine = [k for k, g in enumerate(decomposition.groups) if g.level == level]
        x = MARGIN + (level - 1) * STEP_X
        for row, k in enumerate(mine[:MOST]):
            group = decomposition.groups[k]
            size = f"{len(group.rows)} equations, {len(group.dependent)} coordinates"
            lines = (
                f"SG-{k + 1} ({len(group.bodies)}, {group.mobility})",
                _short(", ".join(group.bodies), LETTERS),
                size,
            )
            kind = "box driving" if group.mobility else "box"
            boxes[k] = _Box(x, MARGIN + TITLE + row * STEP_Y, lines, kind)
        if len(mine) > MOST:
            text = f"and {len(mine) - MOST} more at level {level}"
            rest.append(_Box(x, MARGIN + TITLE + MOST * STEP_Y, (text,), "more"))
    return boxes, rest


def _arrows(decomposition: Decomposition, boxes: dict[int, _Box]) -> Iterator[str]:
    owner = {
        int(c): k for k, g in enumerate(decomposition.groups) for c in (*g.dependent, *g.inputs)
    }
    for k, box in boxes.items():
        known = decomposition.groups[k].known
        for other in sorted({owner[int(c)] for c in known} - {k}):
            if other in boxes:
                yield _curve(boxes[other], box)


def _curve(start: _Box, end: _Box) -> str:
    """Return an arrow to the left side of a box; within a column it stays on that side."""
    column = start.x == end.x
    x, y = start.x + (0 if column else WIDTH), start.y + HEIGHT / 2
    u, v = end.x, end.y + HEIGHT / 2
    out, into = (-MARGIN, -MARGIN) if column else ((u - x) / 2, (x - u) / 2)
    return (
        f'<path class="arrow" d="M {x:g} {y:g} C {x + out:g} {y:g}, {u + into:g} {v:g}, '
        f'{u:g} {v:g}"/>'
    )


def _drawn(box: _Box) -> Iterator[str]:
    height = HEIGHT if len(box.lines) > 1 else 32
    yield (
        f'<rect class="{box.kind}" x="{box.x:g}" y="{box.y:g}" width="{WIDTH}" height="{height}" '
        'rx="5"/>'
    )
    for k, line in enumerate(box.lines):
        style = ' class="name"' if k == 0 and len(box.lines) > 1 else ""
        yield f'<text{style} x="{box.x + 10:g}" y="{box.y + 20 + 18 * k:g}">{escape(line)}</text>'


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 3].rstrip(", ") + "..."

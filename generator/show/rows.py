r"""The entries of a small mechanism as lines: one equation a row, then the matrices."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from mbdgen.show.document import Line, Section, matrix
from mbdgen.show.entries import Entries
from mbdgen.show.lines import latex, plain

WIDEST = 160  # characters of LaTeX in a row of a matrix that fits on a page


def entry_sections(found: Entries) -> list[Section]:
    """Return the equations row by row, and the entries of M, f, G and H."""
    return [
        Section("Equations of motion and constraints", tuple(_equations(found))),
        Section("Entries", tuple(_entries(found))),
    ]


def _equations(found: Entries) -> list[Line]:
    """Return ``M a = f + G^T lam`` and ``phi = 0``, and what the names in them mean."""
    a = [sympy.Symbol(f"{s.name.removesuffix('_dot')}_ddot", real=True) for s in found.v]
    lines = []
    for k, name in enumerate(found.rows):
        left = sum((e * a[j] for (i, j), e in found.M.items() if i == k), sympy.Integer(0))
        right = found.f.get(k, sympy.Integer(0))
        for (i, j), e in found.G.items():
            right = right + e * found.lam[i] if j == k else right
        lines.append(_line(name, left, right))
    lines += [_line(name, e, sympy.Integer(0)) for name, e in found.phi]
    return lines + [_line("with", s, e) for s, e in found.meaning.items()]


def _line(title: str, left: Any, right: Any) -> Line:
    return Line(title, f"{plain(left)} = {plain(right)}", f"{latex(left)} = {latex(right)}")


def _entries(found: Entries) -> list[Line]:
    names = [name for name, _ in found.phi]
    q = [s.name for s in found.q]
    lam = [s.name for s in found.lam]
    vectors = {(k, 0): e for k, e in found.f.items()}
    rows = found.rows
    return [
        Line("coordinates", f"q = ({', '.join(q)})", f"q = {_row(found.q)}^T"),
        Line("multipliers", f"lam = ({', '.join(lam)})", rf"\lambda = {_row(found.lam)}^T"),
        *_table("M", found.M, (len(rows), len(q)), lambda i, j: f"{rows[i]}, {q[j]}"),
        *_table("f", vectors, (len(rows), 1), lambda i, _: rows[i]),
        *_table("G", found.G, (len(lam), len(rows)), lambda i, j: f"{lam[i]}, {rows[j]}"),
        *_table("H", found.H, (len(names), len(q)), lambda i, j: f"{names[i]}, {q[j]}"),
    ]


def _table(
    letter: str,
    table: Mapping[tuple[int, int], Any],
    shape: tuple[int, int],
    place: Callable[[int, int], str],
) -> list[Line]:
    """Return the entries that are not zero as text, and the matrix in LaTeX where it fits."""
    if not table:
        return [Line(letter, f"{letter} = 0", f"{letter} = 0")] if all(shape) else []
    texts = [
        Line(letter, f"{letter}[{place(i, j)}] = {plain(e)}", "") for (i, j), e in table.items()
    ]
    rows = [
        [latex(table.get((i, j), sympy.Integer(0))) for j in range(shape[1])]
        for i in range(shape[0])
    ]
    if max(len("".join(row)) for row in rows) <= WIDEST:
        return [*texts, Line("", "", f"{letter} = {matrix(rows)}")]
    singles = [Line("", "", f"{letter}_{{{i},{j}}} = {latex(e)}") for (i, j), e in table.items()]
    return [*texts, *singles]


def _row(symbols: Sequence[Any]) -> str:
    return matrix([[latex(s) for s in symbols]])

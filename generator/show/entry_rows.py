r"""Entries of the equations of a small mechanism: one equation per row, then the matrices."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from mbdgen.show.document import EquationLine, EquationSection, matrix
from mbdgen.show.equation_lines import latex, plain
from mbdgen.show.matrix_entries import MatrixEntries

WIDEST = 160  # characters of LaTeX in a matrix row that fits on a page


def entry_sections(found: MatrixEntries) -> list[EquationSection]:
    """Return the equations row by row, and the entries of M, f, G and H."""
    return [
        EquationSection("Equations of motion and constraints", tuple(_equations(found))),
        EquationSection("Entries", tuple(_entries(found))),
    ]


def _equations(found: MatrixEntries) -> list[EquationLine]:
    """Return ``M a = f + G^T lam`` and ``phi = 0``, with definitions of the names in them."""
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


def _line(title: str, left: Any, right: Any) -> EquationLine:
    return EquationLine(title, f"{plain(left)} = {plain(right)}", f"{latex(left)} = {latex(right)}")


def _entries(found: MatrixEntries) -> list[EquationLine]:
    names = [name for name, _ in found.phi]
    q = [s.name for s in found.q]
    lam = [s.name for s in found.lam]
    vectors = {(k, 0): e for k, e in found.f.items()}
    rows = found.rows
    return [
        EquationLine("coordinates", f"q = ({', '.join(q)})", f"q = {_row(found.q)}^T"),
        EquationLine("multipliers", f"lam = ({', '.join(lam)})", rf"\lambda = {_row(found.lam)}^T"),
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
) -> list[EquationLine]:
    """Return the nonzero entries as text, and the matrix in LaTeX if it fits."""
    if not table:
        return [EquationLine(letter, f"{letter} = 0", f"{letter} = 0")] if all(shape) else []
    texts = [
        EquationLine(letter, f"{letter}[{place(i, j)}] = {plain(e)}", "")
        for (i, j), e in table.items()
    ]
    rows = [
        [latex(table.get((i, j), sympy.Integer(0))) for j in range(shape[1])]
        for i in range(shape[0])
    ]
    if max(len("".join(row)) for row in rows) <= WIDEST:
        return [*texts, EquationLine("", "", f"{letter} = {matrix(rows)}")]
    singles = [
        EquationLine("", "", f"{letter}_{{{i},{j}}} = {latex(e)}") for (i, j), e in table.items()
    ]
    return [*texts, *singles]


def _row(symbols: Sequence[Any]) -> str:
    return matrix([[latex(s) for s in symbols]])

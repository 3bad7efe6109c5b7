"""Equations as a text for terminals or as a LaTeX document."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WIDTH = 100
INDENT = 23  # indentation of equations after their titles
LONGEST = 110  # characters of LaTeX in a line
_SIGNS = (" + ", " - ")
_OPENING = (r"\begin", r"\left", "{", "(", "[")
_PIECES = re.compile(r" [+-] |\\begin|\\left(?![a-z])|\\end|\\right(?![a-z])|[{}()\[\]]")
_HEAD = r"""\documentclass{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{40}
\begin{document}
"""


@dataclass(frozen=True)
class EquationLine:
    """One equation or expression, as text and as LaTeX; one of them may be missing."""

    title: str
    text: str
    latex: str


@dataclass(frozen=True)
class EquationSection:
    """Heading with equations, and text without counterpart in LaTeX."""

    title: str
    lines: tuple[EquationLine, ...]
    text: str = ""


def as_text(title: str, notes: Sequence[str], sections: Sequence[EquationSection]) -> str:
    """Return plain text."""
    parts = [title, *notes]
    for section in sections:
        parts += ["", section.title, "-" * len(section.title)]
        last = ""
        for line in section.lines:
            if line.text:
                parts.append(_shown("" if line.title == last else line.title, line.text))
                last = line.title
        if section.text:
            parts.append(section.text)
    return "\n".join(parts)


def as_latex(title: str, formula: str, note: str, sections: Sequence[EquationSection]) -> str:
    """Return a complete LaTeX document."""
    parts = [_HEAD + rf"\section*{{{escaped(title)}}}", rf"\[ {formula} \]", note]
    for section in sections:
        parts += ["", rf"\subsection*{{{escaped(section.title)}}}"]
        rows = list(_tagged([line for line in section.lines if line.latex]))
        if rows:
            inside = " \\\\\n".join(rows)
            parts.append(f"\\begin{{align*}}\n{inside}\n\\end{{align*}}")
    return "\n".join([*parts, r"\end{document}", ""])


def _tagged(lines: Sequence[EquationLine]) -> Iterator[str]:
    """Yield formulas, the first of each title with the title beside it."""
    last = ""
    for line in lines:
        first, *more = aligned_at_equals(line.latex)
        tag = rf" \tag*{{{escaped(line.title)}}}" if line.title not in ("", last) else ""
        yield first + tag
        yield from more
        last = line.title


def matrix(rows: Sequence[Sequence[str]]) -> str:
    """Return a matrix in brackets, in LaTeX."""
    inside = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"


def escaped(text: str) -> str:
    """Escape characters with a meaning in LaTeX."""
    return "".join("\\" + c if c in "_&%#${}" else c for c in text)


def aligned_at_equals(latex: str) -> list[str]:
    """Return the rows of a formula, with an alignment mark before the first equals sign."""
    left, equals, right = latex.partition(" = ")
    if not equals:
        left, right = "", latex
    rows = [""]
    for term in _terms(right):
        if rows[-1] and len(rows[-1]) + len(term) > LONGEST:
            rows.append("")
        rows[-1] += term
    first, *more = (row.strip() for row in rows)
    return [f"{left} & {equals.strip()} {first}".strip(), *(rf"&\quad {row}" for row in more)]


def _terms(latex: str) -> Iterator[str]:
    """Yield the terms of a sum with their signs; brackets are not split."""
    depth, begin = 0, 0
    for found in _PIECES.finditer(latex):
        piece = found.group()
        if piece in _SIGNS:
            if depth == 0 and found.start() > begin:
                yield latex[begin : found.start()]
                begin = found.start()
        else:
            depth += 1 if piece in _OPENING else -1
    yield latex[begin:]


def _shown(title: str, text: str) -> str:
    """Return an equation after its title, wrapped."""
    head = f"  {title + ':' if title else '':<{INDENT - 3}} "
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * (INDENT + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )

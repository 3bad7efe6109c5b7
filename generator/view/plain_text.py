"""Plain text for terminals and files: tables that can be piped and compared."""

from collections.abc import Container, Sequence


def aligned(rows: Sequence[Sequence[str]], indent: int = 0, right: Container[int] = ()) -> str:
    """Return rows with their columns aligned.

    Parameters
    ----------
    rows : sequence of rows
        Cells; all rows have the same length.
    indent : int
        Spaces before every line.
    right : container of int
        Indices of right-aligned columns.
    """
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(" " * indent + "  ".join(cells).rstrip())
    return "\n".join(lines)


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names separated by commas; of many, the first ones and the number of the others."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def heading(text: str) -> str:
    """Return an underlined line."""
    return f"{text}\n{'-' * len(text)}"

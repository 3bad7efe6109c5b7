"""Division of long straight-line code into functions.

Some compilers need more than linear time for a function. Intermediate results for later parts are
passed in an array ``s``; its entries are reused after the last use of their contents.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_NAME = re.compile(r"\b[A-Za-z_]\w*")


@dataclass(frozen=True)
class CodeLine:
    """Assignment: target, ``=`` or ``+=``, and text.

    Attributes
    ----------
    note : str
        Meaning of the target, if its name does not tell.
    section : str
        Heading before it, if it begins a section.
    """

    target: str
    text: str
    add: bool = False
    note: str = ""
    section: str = ""


@dataclass(frozen=True)
class CodePart:
    """Part of straight-line code, in the order of its lines.

    Attributes
    ----------
    loads : tuple of CodeLine
        Inputs that no earlier part has read.
    fetched : tuple of CodeLine
        Other inputs, and results of earlier parts from ``s``, for a part in a separate function.
    body : tuple of CodeLine
        Temporaries.
    guards : tuple of CodeLine
        Pivot and its smallest admissible magnitude.
    kept : tuple of CodeLine
        Temporaries stored into ``s`` for later parts.
    stores : tuple of CodeLine
        Results of the kernel.
    """

    loads: tuple[CodeLine, ...]
    fetched: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    guards: tuple[CodeLine, ...]
    kept: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]


def split(
    loads: Sequence[CodeLine],
    body: Sequence[CodeLine],
    guards: Sequence[CodeLine],
    stores: Sequence[CodeLine],
    size: int,
) -> tuple[tuple[CodePart, ...], int]:
    """Return code in parts of about equal length, and the length of the array ``s``.

    Parameters
    ----------
    size : int
        Largest number of temporaries in a part.
    """
    count = max(1, -(-len(body) // size))
    cuts = [len(body) * k // count for k in range(count + 1)]
    pieces = [body[a:b] for a, b in pairwise(cuts)]
    made = {line.target: k for k, piece in enumerate(pieces) for line in piece}
    stored = _shared_out(stores, made, count)
    # All at the end: a return in the middle would keep compilers from moving code across it.
    guarded = [*([()] * (count - 1)), tuple(guards)]
    read = [
        _names([*(x.text for x in (*piece, *stored[k])), *(g.target for g in guarded[k])])
        for k, piece in enumerate(pieces)
    ]
    last = {name: k for k in range(count) for name in read[k] if made.get(name, k) < k}
    places = _places(pieces, last)
    known: set[str] = set()
    parts = []
    for k, piece in enumerate(pieces):
        inputs = [line for line in loads if line.target in read[k]]
        again = [line for line in inputs if line.target in known]
        earlier = [n for n in read[k] if made.get(n, k) < k]
        later = [line.target for line in piece if line.target in last]
        parts.append(
            CodePart(
                loads=tuple(line for line in inputs if line.target not in known),
                fetched=(*again, *(CodeLine(n, f"s[{places[n]}]") for n in earlier)),
                body=tuple(piece),
                guards=guarded[k],
                kept=tuple(CodeLine(f"s[{places[n]}]", n) for n in later),
                stores=tuple(stored[k]),
            )
        )
        known.update(line.target for line in inputs)
    return tuple(parts), max(places.values(), default=-1) + 1


def _shared_out(
    lines: Sequence[CodeLine], made: dict[str, int], count: int
) -> list[list[CodeLine]]:
    """Assign every line to the first part in which all its operands are known."""
    found: list[list[CodeLine]] = [[] for _ in range(count)]
    for line in lines:
        found[max((made.get(n, 0) for n in _names([line.text])), default=0)].append(line)
    return found


def _places(pieces: Sequence[Sequence[CodeLine]], last: dict[str, int]) -> dict[str, int]:
    """Return the index in ``s`` of every temporary that later parts read."""
    free: list[int] = []
    ending: list[list[int]] = [[] for _ in pieces]
    found: dict[str, int] = {}
    size = 0
    for k, piece in enumerate(pieces):
        free += ending[k]
        for line in piece:
            if line.target in last:
                if not free:
                    free.append(size)
                    size += 1
                found[line.target] = free.pop()
                ending[last[line.target]].append(found[line.target])
    return found


def _names(texts: Sequence[str]) -> dict[str, None]:
    """Return the distinct names in some texts, in order."""

    def every() -> Iterator[str]:
        for text in texts:
            yield from _NAME.findall(text)

    return dict.fromkeys(every())

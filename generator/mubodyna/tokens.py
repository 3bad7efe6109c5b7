"""Tokens of input files: numbers, names, texts and signs, with their lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mbdgen.mubodyna.places import SourcePlace, fault

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?"
_SIGNS = r"\.\*|\./|\.\^|\.'|==|~=|<=|>=|&&|\|\||[-+*/\\^'=()\[\]{};,:.<>~&|@]"
_WORD = re.compile(rf"(?P<number>{_NUMBER})|(?P<name>[A-Za-z]\w*)|(?P<sign>{_SIGNS})")
_ENDS_OPERAND = (")", "]", "'", ".'")


@dataclass(frozen=True)
class Token:
    """A token.

    Attributes
    ----------
    kind : str
        ``number``, ``name``, ``text``, ``sign`` or ``end`` (of a line).
    text : str
        As written, a text without its quotes.
    place : SourcePlace
        Source location.
    spaced : bool
        Whether spaces precede it: they separate the entries of a matrix.
    note : str
        Comment, for the end of a line.
    """

    kind: str
    text: str
    place: SourcePlace
    spaced: bool = False
    note: str = ""


def tokens(file: str, source: str) -> list[Token]:
    """Return the tokens of a file, without comments and continuations."""
    found: list[Token] = []
    deep = 0
    for number, line in enumerate(source.splitlines(), 1):
        place = SourcePlace(file, number)
        if deep or line.strip() == "%{":  # block comment
            deep += {"%{": 1, "%}": -1}.get(line.strip(), 0)
            continue
        found += _of_line(place, line)
    if found and found[-1].kind != "end":  # continuation of the last line
        found.append(Token("end", "", found[-1].place))
    return found


def _of_line(place: SourcePlace, line: str) -> Iterator[Token]:
    at, before = 0, None
    while at < len(line):
        start = at
        while at < len(line) and line[at].isspace():
            at += 1
        if at == len(line):
            break
        if line.startswith("...", at):
            return
        if line[at] == "%":
            yield Token("end", "", place, note=line[at:].strip("% \t"))
            return
        token, at = _word(place, line, at, at > start, before)
        before = token
        yield token
    yield Token("end", "", place)


def _word(
    place: SourcePlace, line: str, at: int, spaced: bool, before: Token | None
) -> tuple[Token, int]:
    if line[at] in "'\"" and not (line[at] == "'" and _transposes(before, spaced)):
        end = line.find(line[at], at + 1)
        if end < 0:
            raise fault(place, f"the text {line[at:]} has no end.", "Close it with a quote.")
        return Token("text", line[at + 1 : end], place, spaced), end + 1
    found = _WORD.match(line, at)
    if found is None or found.lastgroup is None:
        raise fault(place, f"{line[at]!r} is not supported.", "Remove the character.")
    return Token(found.lastgroup, found[0], place, spaced), found.end()


def _transposes(before: Token | None, spaced: bool) -> bool:
    """Whether a quote after a token is a transpose and not the start of a text."""
    if before is None or spaced:
        return False
    return before.kind in ("number", "name", "text") or before.text in _ENDS_OPERAND

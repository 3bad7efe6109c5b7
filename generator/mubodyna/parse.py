"""Parser of input files: tokens to assignments."""

from collections.abc import Sequence

from mbdgen.mubodyna.places import fault
from mbdgen.mubodyna.syntax import (
    Assignment,
    Call,
    Expression,
    Field,
    MatrixSyntax,
    Name,
    Number,
    Operation,
    TextSyntax,
)
from mbdgen.mubodyna.tokens import Token, tokens

_SKIPPED = ("function", "global", "clear", "clc", "close", "format")
"""Keywords of lines without effect on the model."""
_REFUSED = ("if", "for", "while", "switch", "try", "else", "elseif", "case", "parfor")
_BINARY = (("+", "-"), ("*", "/", ".*", "./", "\\"))
_POWERS = ("^", ".^")
_NOTHING = ("end", "return")


def parse(file: str, source: str) -> list[Assignment]:
    """Return the assignments of a file.

    Raises
    ------
    ModelError
        For unsupported syntax, with file and line.
    """
    reader = _Reader(tokens(file, source))
    found: list[Assignment] = []
    while not reader.done:
        begin = reader.next_word
        try:
            found += reader.line()
        except RecursionError as error:
            raise fault(
                begin.place, "an expression is nested too deeply.", "Write it with fewer levels."
            ) from error
    return found


class _Reader:
    """Recursive-descent parser with its position in the tokens."""

    def __init__(self, words: Sequence[Token]) -> None:
        self._words = words
        self._at = 0
        self._inside: list[str] = []  # open brackets

    @property
    def done(self) -> bool:
        """Whether all tokens are consumed."""
        return self._at == len(self._words)

    @property
    def next_word(self) -> Token:
        """The next token."""
        return self._words[self._at]

    def line(self) -> list[Assignment]:
        """Parse one line."""
        found: list[Assignment] = []
        while not self._is("end"):
            word = self.next_word
            if word.text in _SKIPPED and word.kind == "name":
                self._skip_line()
                break
            if self._is("sign", ";", ","):
                self._take()
            elif word.kind == "name" and word.text in _NOTHING:
                self._take()
            elif not self._is_command():
                found.append(self._assignment())
        note = self._take().note
        return [Assignment(a.target, a.value, note) for a in found]

    def _is_command(self) -> bool:
        """Skip a command such as ``include_global``, a name alone on its line."""
        word, after = self.next_word, self._words[self._at + 1]
        alone = after.kind == "end" or after.text in (";", ",")
        if word.kind != "name" or not alone:
            return False
        if not word.text.startswith("include"):
            raise fault(
                word.place,
                f"{word.text!r} is not supported.",
                "Supported are assignments such as B1.mass = 4; write its effect into the file.",
            )
        self._take()
        return True

    def _assignment(self) -> Assignment:
        word = self.next_word
        if word.text in _REFUSED:
            raise fault(
                word.place, f"'{word.text}' is not supported.", "Write the assignments one by one."
            )
        target = self._operand()
        if not isinstance(target, Name | Field):
            raise fault(
                word.place,
                "this is not an assignment to a name or to a field of a name.",
                "Write name = value, B1.mass = value, and arrays as a whole: Bodies = [B1 B2].",
            )
        self._expect("=")
        value = self._expression()
        if not self._is("end") and not self._is("sign", ";", ","):
            raise self._unexpected()
        return Assignment(target, value)

    def _expression(self, level: int = 0) -> Expression:
        """Parse sums of products of powers."""
        if level == len(_BINARY):
            return self._signed()
        left = self._expression(level + 1)
        while self._is("sign", *_BINARY[level]) and not self._begins_entry():
            sign = self._take()
            left = Operation(sign.place, sign.text, (left, self._expression(level + 1)))
        return left

    def _signed(self) -> Expression:
        if self._is("sign", "-", "+", "~"):
            sign = self._take()
            return Operation(sign.place, sign.text, (self._signed(),))
        return self._power()

    def _power(self) -> Expression:
        base = self._transposed()
        while self._is("sign", *_POWERS):
            sign = self._take()
            minus = self._is("sign", "-", "+")
            exponent = self._signed() if minus else self._transposed()
            base = Operation(sign.place, sign.text, (base, exponent))
        return base

    def _transposed(self) -> Expression:
        inner = self._operand()
        while self._is("sign", "'", ".'"):
            inner = Operation(self._take().place, "'", (inner,))
        return inner

    def _operand(self) -> Expression:
        word = self._take()
        if word.kind == "number":
            read = float(word.text.lower().replace("d", "e"))
            if read == float("inf"):
                raise fault(word.place, f"{word.text} is too large.", "Write a smaller number.")
            return Number(word.place, read)
        if word.kind == "text":
            return TextSyntax(word.place, word.text)
        if word.kind == "name":
            return self._named(word)
        if word.text == "(":
            self._inside.append("(")
            value = self._expression()
            self._expect(")")
            self._inside.pop()
            return value
        if word.text == "[":
            return self._matrix(word)
        self._at -= 1
        raise self._unexpected()

    def _named(self, word: Token) -> Expression:
        found: Name | Field = Name(word.place, word.text)
        if self._is("sign", "."):
            self._take()
            field = self._take()
            if field.kind != "name":
                raise fault(field.place, f"{field.text!r} is not a field name.", "Correct it.")
            found = Field(word.place, word.text, field.text)
        if not self._is("sign", "(") or self._begins_entry(always=True):
            return found
        self._take()
        self._inside.append("(")
        arguments: list[Expression] = []
        while not self._is("sign", ")"):
            arguments.append(self._expression())
            if not self._is("sign", ")"):
                self._expect(",")
        self._take()
        self._inside.pop()
        return Call(word.place, found, tuple(arguments))

    def _matrix(self, word: Token) -> MatrixSyntax:
        self._inside.append("[")
        rows: list[list[Expression]] = [[]]
        while not self._is("sign", "]"):
            if self.done:
                raise fault(word.place, "a bracket is not closed.", "Close it with ].")
            if self._is("end") or self._is("sign", ";"):
                self._take()
                rows.append([])
            elif self._is("sign", ","):
                self._take()
            else:
                rows[-1].append(self._expression())
        self._take()
        self._inside.pop()
        return MatrixSyntax(word.place, tuple(tuple(row) for row in rows if row))

    def _begins_entry(self, always: bool = False) -> bool:
        """Whether a sign begins the next entry of a matrix: ``[1 -2]`` against ``[1 - 2]``."""
        in_matrix = bool(self._inside) and self._inside[-1] == "["
        if not in_matrix or not self.next_word.spaced:
            return False
        signed = self.next_word.text in "+-" and not self._words[self._at + 1].spaced
        return signed or always

    def _is(self, kind: str, *texts: str) -> bool:
        if self.done or self.next_word.kind != kind:
            return False
        return not texts or self.next_word.text in texts

    def _take(self) -> Token:
        word = self._words[self._at]
        self._at += 1
        return word

    def _skip_line(self) -> None:
        while not self._is("end"):
            self._take()

    def _expect(self, text: str) -> None:
        if not self._is("sign", text):
            raise self._unexpected(text)
        self._take()

    def _unexpected(self, wanted: str = "") -> Exception:
        last = self._words[-1] if self.done else self.next_word
        what = "the line ends" if last.kind == "end" else f"{last.text!r} is not supported"
        where = f" where {wanted!r} is expected" if wanted else " here"
        return fault(
            last.place,
            f"{what}{where}.",
            "Supported are assignments, arithmetic, arrays and calls.",
        )

"""Source text of calls: on one line if they fit, otherwise one argument per line."""

from dataclasses import dataclass

WIDTH = 88
"""Default line width of formatters."""
_STEP = "    "


@dataclass(frozen=True)
class CallGroup:
    """Bracketed expression.

    Attributes
    ----------
    opening : str
        Text up to and including the bracket: ``m.body(`` or ``(``.
    parts : tuple
        Contents: texts and groups; keywords include their name.
    """

    opening: str
    parts: "tuple[str | CallGroup, ...]"

    @property
    def line(self) -> str:
        """Text on one line."""
        inside = ", ".join(_line(p) for p in self.parts)
        comma = "," if self.opening.endswith("(") and self._is_tuple else ""
        return f"{self.opening}{inside}{comma}{_closing(self.opening)}"

    @property
    def _is_tuple(self) -> bool:
        word = self.opening[:-1].rpartition("=")[2]
        return len(self.parts) == 1 and not word

    def lines(self, indent: str = "", after: str = "") -> list[str]:
        """Return the lines within the width."""
        whole = f"{indent}{self.line}{after}"
        if len(whole) <= WIDTH or not self.parts:
            return [whole]
        deeper = indent + _STEP
        inside: list[str] = []
        for p in self.parts:
            inside += p.lines(deeper, ",") if isinstance(p, CallGroup) else [f"{deeper}{p},"]
        return [f"{indent}{self.opening}", *inside, f"{indent}{_closing(self.opening)}{after}"]


def call(function: str, *parts: str | CallGroup) -> CallGroup:
    """Return a call."""
    return CallGroup(f"{function}(", parts)


def named(name: str, value: str | CallGroup) -> str | CallGroup:
    """Return a keyword argument."""
    if isinstance(value, CallGroup):
        return CallGroup(f"{name}={value.opening}", value.parts)
    return f"{name}={value}"


def assigned(name: str, value: CallGroup) -> CallGroup:
    """Return an assignment."""
    return CallGroup(f"{name} = {value.opening}", value.parts)


def items(*parts: str | CallGroup) -> CallGroup:
    """Return a tuple."""
    return CallGroup("(", parts)


def _line(part: str | CallGroup) -> str:
    return part.line if isinstance(part, CallGroup) else part


def _closing(opening: str) -> str:
    return "]" if opening.endswith("[") else ")"

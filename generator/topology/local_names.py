"""Local names of placeholders in an element: written by the analysis, read by the derivation.

``rod.at(1, 0, 0).vx`` stands for the velocity of a marker of a model. In an element the marker is a
frame with a label, and elements that differ only in their bodies must have equal names, because
they share one derivation. The name is part of SymPy expressions, so it has a form as a string.
"""

from dataclasses import dataclass

_MARK = "@"  # no user-defined name begins with it


@dataclass(frozen=True)
class LocalName:
    """Local name of a quantity of the motion in an element.

    Attributes
    ----------
    kind : str
        ``frame``, ``body`` or ``part``: type of the labelled object.
    label : str
        Label of one of the element's frames, bodies or parts.
    what, component
        As in `mbdgen.language.expressions.placeholders.PlaceholderQuantity`.
    """

    kind: str
    label: str
    what: str
    component: int

    def __str__(self) -> str:
        return f"{_MARK}{self.kind}:{self.label}:{self.what}:{self.component}"

    @classmethod
    def read(cls, symbol: object) -> "LocalName | None":
        """Parse the name of a symbol; None for symbols of any other kind."""
        text = str(symbol)
        if not text.startswith(_MARK):
            return None
        kind, label, what, component = text.removeprefix(_MARK).split(":")
        return cls(kind, label, what, int(component))

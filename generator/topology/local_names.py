"""The name of a placeholder inside one element: written by the analysis, read by the derivation.

``rod.at(1, 0, 0).vx`` stands for the velocity of a marker of a model. In an element the marker is a
frame with a label, and elements that differ in nothing but their bodies must look alike, because
they share one derivation. The name travels inside SymPy expressions, so it has a form as text.
"""

from dataclasses import dataclass

_MARK = "@"  # begins no name of a user


@dataclass(frozen=True)
class LocalName:
    """A quantity of the motion as one element sees it.

    Attributes
    ----------
    kind : str
        ``frame``, ``body`` or ``part``: what has the label.
    label : str
        Which of the element's frames, bodies or parts.
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
        """Return what a symbol is the name of; None for symbols of any other sort."""
        text = str(symbol)
        if not text.startswith(_MARK):
            return None
        kind, label, what, component = text.removeprefix(_MARK).split(":")
        return cls(kind, label, what, int(component))

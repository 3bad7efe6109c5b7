"""Options of a build: one table for the library, the command line and the cache key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from mbdgen.errors import OptionError

LAYOUTS = ("auto", "loop", "flat")


@dataclass(frozen=True)
class BuildOptions:
    """How a model is compiled.

    Attributes
    ----------
    backend : str
        Target language.
    layout : {"auto", "loop", "flat"}
        Loops over instances, or straight-line code for the whole mechanism.
    freeze : sequence of str
        Named parameters that become numbers in the code.
    engine : {"sympy", "symengine"}
        Algebra system of the derivation.
    """

    backend: str = "numba"
    layout: str = "auto"
    freeze: Sequence[str] = ()
    engine: str = "sympy"

    def __post_init__(self) -> None:
        many = isinstance(self.freeze, Iterable) and not isinstance(self.freeze, str)
        if not many or not all(isinstance(name, str) for name in self.freeze):
            raise OptionError(
                f"freeze={self.freeze!r} is not a list of names.", "Give names of parameters."
            )
        object.__setattr__(self, "freeze", tuple(self.freeze))
        if not isinstance(self.engine, str):
            raise OptionError(f"Unknown engine {self.engine!r}.", "Choose sympy or symengine.")
        if self.layout not in LAYOUTS:
            raise OptionError(
                f"Unknown layout {self.layout!r}.", f"Choose one of: {', '.join(LAYOUTS)}."
            )

    def text(self) -> str:
        """Return the options as written in a header."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        return ", ".join(
            f"{name} {', '.join(value) or 'nothing' if isinstance(value, tuple) else value}"
            for name, value in values
        )

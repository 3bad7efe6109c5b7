"""Options of a build: one table for the library, the command line and the cache key."""

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
    freeze : tuple of str
        Named parameters that become numbers in the code.
    engine : {"sympy", "symengine"}
        Algebra system of the derivation.
    """

    backend: str = "numba"
    layout: str = "auto"
    freeze: tuple[str, ...] = ()
    engine: str = "sympy"

    def __post_init__(self) -> None:
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

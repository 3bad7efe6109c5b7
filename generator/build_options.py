"""Build options: one table for the library, the command line and the cache key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from mbdgen.errors import OptionError, meant

LAYOUTS = ("auto", "loop", "flat")
UNUSUAL = ("reduced", "second", "sensitivities", "eliminate")
"""Boolean options that a module header lists only if they are true."""


@dataclass(frozen=True)
class BuildOptions:
    """Options for compiling a model to code.

    Attributes
    ----------
    backend : str
        Target language.
    layout : {"auto", "loop", "flat"}
        Loops over the elements of each type, or straight-line code for the whole mechanism.
    freeze : sequence of str
        Named parameters that become constants in the code.
    engine : {"sympy", "symengine"}
        Computer algebra system of the derivation.
    reduced : bool
        Whether fused steps eliminate the dependent coordinates that a joint gives explicitly.
    second : bool
        Whether the module has the kernels `mbdgen.interface.SECOND_KERNELS`.
    sensitivities : bool
        Whether it has the kernels `mbdgen.interface.VARIATION_KERNELS`.
    eliminate : bool
        Whether linear constraints are solved for dependent coordinates, which are then eliminated.
    """

    backend: str = "numba"
    layout: str = "auto"
    freeze: Sequence[str] = ()
    engine: str = "sympy"
    reduced: bool = False
    second: bool = False
    sensitivities: bool = False
    eliminate: bool = False

    def __post_init__(self) -> None:
        many = isinstance(self.freeze, Iterable) and not isinstance(self.freeze, str)
        if not many or not all(isinstance(name, str) for name in self.freeze):
            raise OptionError(
                f"freeze={self.freeze!r} is not a list of names.", "Give names of parameters."
            )
        object.__setattr__(self, "freeze", tuple(self.freeze))
        if not isinstance(self.engine, str):
            raise OptionError(f"Unknown engine {self.engine!r}.", "Choose sympy or symengine.")
        for name in UNUSUAL:
            if not isinstance(value := getattr(self, name), bool):
                raise OptionError(f"{name}={value!r} is not a truth value.", "Give True or False.")
        if self.layout not in LAYOUTS:
            raise OptionError(
                f"Unknown layout {self.layout!r}.",
                meant(self.layout, LAYOUTS, f"Choose one of: {', '.join(LAYOUTS)}."),
            )

    def text(self) -> str:
        """Return the options as written in a module header."""
        return ", ".join(
            f"{f.name} {_written(value)}"
            for f in fields(self)
            for value in [getattr(self, f.name)]
            if f.name not in UNUSUAL or value
        )


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

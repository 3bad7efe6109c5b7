"""Bounds on values of a model, checked at definition and whenever parameters change.

A bound is stated once. It is checked here, and if its value depends on parameters it is exported to
the generated module, which checks it again whenever one of them is set.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import Interval
from mbdgen.language.expressions.scalars import Defaults, Scalar, is_number, is_symbolic, value_of

if TYPE_CHECKING:
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class Bound:
    """A value of a model and its admissible interval.

    Attributes
    ----------
    value : scalar
        The number.
    what : str
        Description that begins messages: ``"stiffness of spring 'left'"``.
    interval : Interval
        The admissible interval.
    advice : str
        Remedy shown in the message; by default to give an admissible value.
    """

    value: Scalar
    what: str
    interval: Interval
    advice: str = ""

    @property
    def todo(self) -> str:
        """Remedy for an inadmissible value."""
        return self.advice or self.interval.advice


def check_bounds(model: "Model", *bounds: Bound) -> None:
    """Reject values out of their bounds; export bounds of values that depend on parameters.

    Raises
    ------
    ModelError
        At the first value out of bounds at the default parameters.
    """
    known = model.parameter_defaults
    for bound in bounds:
        if not _is_known(bound.value, known):
            continue  # functions of time are the user's responsibility
        x = value_of(bound.value, known, bound.what)
        if x not in bound.interval:
            what = "The" + bound.what[3:] if bound.what.startswith("the ") else bound.what
            raise ModelError(f"{what} is {x:g}.", bound.todo)
        if is_symbolic(bound.value):
            model.bounds.append(bound)


def check_positive(x: Scalar, what: str) -> None:
    """Reject a number that is not positive; what depends on parameters has bounds."""
    if is_number(x) and not x > 0:
        raise ModelError(f"The {what} is {x:g}.", "Give a positive number.")


def _is_known(x: Any, known: Defaults) -> bool:
    """Return whether a value depends only on parameters."""
    return not is_symbolic(x) or x.free_symbols <= set(known)

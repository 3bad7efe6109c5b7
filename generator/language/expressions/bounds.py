"""Numbers that only make sense between bounds, now and after parameters have changed.

What is checked when the model is written must still hold when somebody runs the module with other
values of its parameters. So a bound is stated once: it is checked here, and where its number
depends on parameters it goes into the module, which checks it again whenever one of them is set.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import Interval
from mbdgen.language.expressions.scalars import Defaults, Scalar, is_symbolic, value_of

if TYPE_CHECKING:
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class Bound:
    """A number of a model and where it must lie.

    Attributes
    ----------
    value : scalar
        The number.
    what : str
        What it is and where, as messages begin: ``"stiffness of spring 'left'"``.
    interval : Interval
        Where it must lie.
    advice : str
        What to do if it does not; by default to give one that does.
    """

    value: Scalar
    what: str
    interval: Interval
    advice: str = ""

    @property
    def todo(self) -> str:
        """What to do about a number outside."""
        return self.advice or self.interval.advice


def require(model: "Model", *bounds: Bound) -> None:
    """Refuse numbers out of their bounds, and let the module refuse those that parameters change.

    Raises
    ------
    ModelError
        At the first one that is outside at the defaults of the parameters.
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


def _is_known(x: Any, known: Defaults) -> bool:
    """Whether a number depends on nothing but parameters."""
    return not is_symbolic(x) or x.free_symbols <= set(known)

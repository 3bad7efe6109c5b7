"""Default run options suggested by a model: time span, step size, method."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import as_scalar, is_number, shown


@dataclass(frozen=True)
class Suggestion:
    """Default run options; None for those without a suggestion.

    Attributes
    ----------
    t : float or None
        End of the time span in seconds.
    h : float or None
        Step size in seconds.
    method, formulation : str or None
        Names listed by ``mbdgen methods``.
    statics : bool or None
        Whether the motion begins at rest in a static equilibrium.
    at : float or None
        Time of static equilibria in seconds, when all loads are applied.
    """

    t: float | None = None
    h: float | None = None
    method: str | None = None
    formulation: str | None = None
    statics: bool | None = None
    at: float | None = None

    def given(self) -> dict[str, Any]:
        """Return the suggested options."""
        return {name: value for name, value in vars(self).items() if value is not None}


def suggestion(
    t: Any, h: Any, method: Any, formulation: Any, statics: Any = None, at: Any = None
) -> Suggestion:
    """Validate suggested options; the existence of a method is checked on use."""
    end, step = _positive(t, "t", zero=True), _positive(h, "h", zero=False)
    for name, word in (("method", method), ("formulation", formulation)):
        if word is not None and not isinstance(word, str):
            raise ModelError(
                f"suggested {name} = {shown(word)} is no name.", "`mbdgen methods` lists them."
            )
    if statics is not None and not isinstance(statics, bool):
        raise ModelError(f"suggested statics = {shown(statics)}.", "Give True or False.")
    return Suggestion(end, step, method, formulation, statics, _positive(at, "at", zero=True))


def _positive(value: Any, name: str, zero: bool) -> float | None:
    if value is None:
        return None
    number = as_scalar(value, f"suggested {name}")
    if not is_number(number) or number < 0.0 or (number == 0.0 and not zero):
        raise ModelError(
            f"suggested {name} is {number}.",
            "Give a positive number of seconds without parameters.",
        )
    return float(number)

"""What a model suggests to those who run it and say nothing of their own."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import as_scalar, is_number, shown


@dataclass(frozen=True)
class Suggestion:
    """Choices of a run; None where the model has no opinion.

    Attributes
    ----------
    t : float or None
        End of the time span in seconds.
    h : float or None
        Step size in seconds.
    method, formulation : str or None
        As ``mbdgen methods`` lists them.
    statics : bool or None
        Whether the motion begins at rest in a static equilibrium.
    at : float or None
        Instant of static equilibria in seconds: when all loads are there.
    """

    t: float | None = None
    h: float | None = None
    method: str | None = None
    formulation: str | None = None
    statics: bool | None = None
    at: float | None = None

    def given(self) -> dict[str, Any]:
        """Return what the model has an opinion about."""
        return {name: value for name, value in vars(self).items() if value is not None}


def suggestion(
    t: Any, h: Any, method: Any, formulation: Any, statics: Any = None, at: Any = None
) -> Suggestion:
    """Check what a user wrote; whether a method exists is found out when it is used."""
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

"""Contact surface of a body: radius and elastic constants."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.interval import POSITIVE, Interval
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import Scalar, as_scalar

if TYPE_CHECKING:
    from mbdgen.language.model import Model

POISSON = 0.3
"""Poisson's ratio of a body whose modulus is given alone."""


@dataclass(frozen=True)
class Surface:
    """Contact size and material of a body; None if not given.

    Attributes
    ----------
    radius : scalar or None
        Of a sphere, a disc or a cylinder about the reference point.
    young, poisson : scalar or None
        Young's modulus and Poisson's ratio.
    """

    radius: Scalar | None = None
    young: Scalar | None = None
    poisson: Scalar | None = None

    def compliance(self) -> Scalar | None:
        r"""Return :math:`(1 - \nu^2)/E`, if the modulus is known."""
        if self.young is None:
            return None
        poisson = POISSON if self.poisson is None else self.poisson
        return (1 - poisson**2) / self.young


UNKNOWN = Surface()
_SENSIBLE = {"radius": POSITIVE, "young": POSITIVE, "poisson": Interval(-1.0, 0.5, "(]")}


def as_surface(model: "Model", radius: Any, young: Any, poisson: Any, what: str) -> Surface:
    """Return a checked surface.

    Raises
    ------
    ModelError
        If a length or a modulus is not positive, or a ratio outside (-1, 1/2].
    """
    found = {"radius": radius, "young": young, "poisson": poisson}
    given = {k: as_scalar(x, f"{k} {what}") for k, x in found.items() if x is not None}
    check_bounds(model, *(Bound(x, f"{k} {what}", _SENSIBLE[k]) for k, x in given.items()))
    return Surface(**given)

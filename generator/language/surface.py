"""What a body is like where it touches others."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.scalars import Defaults, Scalar, as_scalar, value_of

POISSON = 0.3
"""Poisson's ratio of a body whose modulus is given alone."""


@dataclass(frozen=True)
class Surface:
    """Size and material of a body; what is None has not been said.

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


def as_surface(radius: Any, young: Any, poisson: Any, known: Defaults, what: str) -> Surface:
    """Return a checked surface.

    Raises
    ------
    ModelError
        If a length or a modulus is not positive, or a ratio outside (-1, 1/2].
    """
    found = {"radius": radius, "young": young, "poisson": poisson}
    given = {k: as_scalar(x, f"{k} {what}") for k, x in found.items() if x is not None}
    values = {k: value_of(x, known, f"{k} {what}") for k, x in given.items()}
    for name in ("radius", "young"):
        if values.get(name, 1.0) <= 0.0:
            raise ModelError(f"{name} {what} is {values[name]:g}.", "Give a positive number.")
    if not -1.0 < values.get("poisson", POISSON) <= 0.5:
        raise ModelError(
            f"poisson {what} is {values['poisson']:g}.",
            "Poisson's ratio is above -1 and at most 0.5.",
        )
    return Surface(**given)

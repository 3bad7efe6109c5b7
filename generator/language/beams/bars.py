"""An elastic bar as a chain of point masses and springs: the simplest model of wave propagation.

Chains lie along the global x axis. A mass has one coordinate, its position there.
"""

from dataclasses import dataclass
from math import pi
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.attached import Attached
from mbdgen.language.bodies.body import Body
from mbdgen.language.expressions.scalars import is_number, shown
from mbdgen.language.model import Model


@dataclass(frozen=True)
class Bar:
    r"""An elastic bar: total mass :math:`\rho A L`, stiffness :math:`E A / L`, and length.

    A longitudinal wave traverses it in the time :math:`\sqrt{m/k}`, with the speed
    :math:`\sqrt{E/\rho}`.
    """

    mass: Any
    stiffness: Any
    length: Any

    def __post_init__(self) -> None:
        for name in ("mass", "stiffness", "length"):
            value = getattr(self, name)
            if isinstance(value, str) or value is None or (is_number(value) and not value > 0):
                raise ModelError(
                    f"The {name} of a bar is {shown(value)}.", "Give a positive number."
                )


def bar(density: Any, modulus: Any, area: Any, length: Any) -> Bar:
    """Return a bar of a material with given density and Young's modulus."""
    return Bar(density * area * length, modulus * area / length, length)


def round_bar(density: Any, modulus: Any, diameter: Any, length: Any) -> Bar:
    """Return a bar of circular cross-section."""
    return bar(density, modulus, pi * diameter**2 / 4, length)


@dataclass(frozen=True)
class Chain:
    """Lumped masses and springs of a bar, from its first end to its last."""

    masses: tuple[Body, ...]
    springs: tuple[Attached, ...]


def chain_of_masses(model: Model, name: str, like: Bar, n: int, start: Any = 0.0) -> Chain:
    r"""Add ``n`` equal masses with ``n - 1`` equal springs between them to a model.

    .. math:: m_i = \frac{m}{n}, \qquad k_i = (n - 1) k, \qquad l_i = \frac{L}{n - 1}

    The total mass and the stiffness of all springs in series are those of the bar; initially the
    springs are unstressed and the first mass is at ``x = start``.

    Parameters
    ----------
    name : str
        Masses are called ``name0``, ..., springs ``name_spring0``, ...
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 2:
        raise ModelError(
            f"The chain '{name}' has {shown(n)} masses.", "Give a whole number, 2 or more."
        )
    distance = like.length / (n - 1)
    masses = [
        model.body(
            f"{name}{i}",
            mass=like.mass / n,
            position=(start + i * distance, 0, 0),
            coordinates="auxiliary",
        )
        for i in range(n)
    ]
    springs = [
        model.spring(
            f"{name}_spring{i}",
            masses[i].at(),
            masses[i + 1].at(),
            stiffness=(n - 1) * like.stiffness,
            length=distance,
        )
        for i in range(n - 1)
    ]
    return Chain(tuple(masses), tuple(springs))


__all__ = ["Bar", "Chain", "bar", "chain_of_masses", "round_bar"]

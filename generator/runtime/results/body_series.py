"""Series of bodies by name: ``rod.r`` is the centre of mass, ``rod.p.e0`` an Euler parameter.

They are computed on request and are not among the series listed in a table: there are 31 for each
body, for any coordinates. A coordinate or an output of the same name takes precedence;
``bodies.rod.r`` always is that of the body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.results.body_motion import BodyMotion

SOURCE = "bodies"
AXES = ("x", "y", "z")
EULER = ("e0", "e1", "e2", "e3")


@dataclass(frozen=True)
class BodyQuantity:
    """A vector quantity of a body.

    Attributes
    ----------
    name, unit : str
        Suffix after the body, as in ``rod.rd``; and its unit.
    meaning : str
        Description.
    components : tuple of str
        Names of the components.
    """

    name: str
    unit: str
    meaning: str
    components: tuple[str, ...] = AXES


QUANTITIES = (
    BodyQuantity("r", "m", "position of the centre of mass"),
    BodyQuantity("p", "1", "Euler parameters, scalar first", EULER),
    BodyQuantity("rd", "m/s", "velocity of the centre of mass"),
    BodyQuantity("w", "rad/s", "angular velocity, global components"),
    BodyQuantity("wp", "rad/s", "angular velocity, components along the body axes"),
    BodyQuantity("rdd", "m/s^2", "acceleration of the centre of mass"),
    BodyQuantity("wd", "rad/s^2", "angular acceleration, global components"),
    BodyQuantity("wpd", "rad/s^2", "angular acceleration, components along the body axes"),
)
BY_NAME = {quantity.name: quantity for quantity in QUANTITIES}


@dataclass(frozen=True)
class BodySeries:
    """A parsed name: body, quantity, and selected components."""

    body: int
    quantity: BodyQuantity
    components: tuple[int, ...]


def find(bodies: Sequence[str], key: str) -> BodySeries | None:
    """Parse ``rod.r`` or ``rod.r.x``, with or without the prefix ``bodies.``."""
    names = {name: k for k, name in enumerate(bodies)}
    for text in (key, key.removeprefix(f"{SOURCE}.")):
        body, _, last = text.rpartition(".")
        if body in names and last in BY_NAME:
            quantity = BY_NAME[last]
            every = tuple(range(len(quantity.components)))
            return BodySeries(names[body], quantity, every)
        body, _, name = body.rpartition(".")
        if body in names and name in BY_NAME and last in BY_NAME[name].components:
            component = BY_NAME[name].components.index(last)
            return BodySeries(names[body], BY_NAME[name], (component,))
    return None


def names_of(bodies: Sequence[str]) -> list[str]:
    """Return the names of all vectors, for messages."""
    return [f"{body}.{quantity.name}" for body in bodies for quantity in QUANTITIES]


def column_of(body: int, quantity: str, component: int) -> int:
    """Return an index that identifies a series, for `values`."""
    every = [x.name for x in QUANTITIES]
    return (body * len(every) + every.index(quantity)) * len(EULER) + component


def values(motion: "BodyMotion", column: int) -> FloatArray:
    """Return the series with such an index."""
    rest, component = divmod(column, len(EULER))
    body, quantity = divmod(rest, len(QUANTITIES))
    found: FloatArray = motion.quantity(QUANTITIES[quantity].name)[:, body, component]
    return found

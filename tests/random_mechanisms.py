"""Random mechanisms: random joints on random bodies, as trees and loops, with random loads.

A `Recipe` says what there is; `mechanism` makes the model. All numbers of an element come from the
recipe's seed and the element's own place, so that leaving out one element changes no other:
recipes shrink well, and a recipe in a report is all that is needed to build the mechanism again.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen import Model
from mbdgen.language.bodies.body import Body
from tests.unit.kernels.scenes import PLANAR, in_plane, join, make_body

GROUND = -1
PARAMETERS = {"mass": 1.3, "arm": 0.1, "stiffness": 3.0, "damping": 0.2, "speed": 0.7}
DRIVERS = {
    "revolute": "rotation_driver",
    "cylindrical": "rotation_driver",
    "prismatic": "translation_driver",
}
LOADS = ("spring", "damper", "torsion_spring", "motor", "force", "torque", "potential")
INTERNAL = ("spring", "damper", "torsion_spring", "motor", "potential")
CONSERVATIVE = ("spring", "torsion_spring", "potential")


@dataclass(frozen=True)
class Link:
    """A joint from body `a` to body `b`, with a driver of its freedom if `driven`.

    An axis that has to respect a plane is normal to it, or lies in it if `across`.
    """

    joint: str
    a: int
    b: int
    across: bool = False
    driven: bool = False


@dataclass(frozen=True)
class Load:
    """A force law on body `b`, or between bodies `a` and `b`."""

    law: str
    a: int
    b: int


@dataclass(frozen=True)
class Recipe:
    """What a random mechanism consists of; bodies are numbered, the ground is `GROUND`.

    Attributes
    ----------
    kinds : tuple of str
        Body kinds.
    links, loads : tuple
        Joints and forces.
    floating : bool
        Whether there is no gravity (and nothing but internal joints and forces).
    seed : int
        Of all numbers.
    """

    kinds: tuple[str, ...]
    links: tuple[Link, ...] = ()
    loads: tuple[Load, ...] = ()
    floating: bool = False
    seed: int = 0

    @property
    def conservative(self) -> bool:
        """Whether the energy stays as it is."""
        driven = any(link.driven or link.joint in DRIVERS.values() for link in self.links)
        return not driven and all(load.law in CONSERVATIVE for load in self.loads)

    @property
    def planar(self) -> bool:
        """Whether all bodies stay in a plane."""
        return all(kind in PLANAR for kind in self.kinds)

    def numbers(self, what: int, place: int) -> np.random.Generator:
        """Random numbers of one element."""
        return np.random.default_rng([self.seed, what, place])


def mechanism(recipe: Recipe, **parameters: float) -> Model:
    """Make the model; named parameters have the values of `PARAMETERS` unless given."""
    m = Model("random_mechanism", gravity=_gravity(recipe))
    for name, value in (PARAMETERS | parameters).items():
        m.parameter(name, value)
    known = {name: p.symbol for name, p in m.parameters.items()}
    for k, kind in enumerate(recipe.kinds):
        mass = known["mass"] if k == 0 else 1.3
        make_body(m, f"body{k}", kind, recipe.numbers(0, k), mass)
    bodies = [*m.bodies.values(), m.ground]
    for k, link in enumerate(recipe.links):
        ends = bodies[link.a], bodies[link.b]
        names = [link.joint, DRIVERS[link.joint]] if link.driven else [link.joint]
        for name in names:
            rng = recipe.numbers(1, k)  # the same ones for the driver: it has the joint's axis
            join(m, name, f"{name}{k}", ends, rng, link.across, known["speed"])
    for k, load in enumerate(recipe.loads):
        _load(m, f"load{k}", load.law, bodies[load.a], bodies[load.b], recipe.numbers(2, k))
    m.output("end", bodies[len(recipe.kinds) - 1].at())
    m.output("speed_of_end", bodies[len(recipe.kinds) - 1].at().velocity)
    for k, joint in enumerate(m.joints[:1]):
        m.output(f"reaction{k}", joint.force)
    return m


def _gravity(recipe: Recipe) -> tuple[float, float, float]:
    if recipe.floating:
        return (0.0, 0.0, 0.0)
    return (0.3, -9.81, 0.0 if recipe.planar else 0.5)


def _load(m: Model, name: str, law: str, a: Body, b: Body, rng: np.random.Generator) -> None:
    known = {name: p.symbol for name, p in m.parameters.items()}
    ends = [_place(body, known["arm"]) for body in (a, b)]
    kinds = tuple(body.kind.name for body in (a, b) if body.kind is not None)
    axis, constant = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    if in_plane(kinds):
        axis[:2] = 0.0
    stiffness, wave = known["stiffness"], _wave(m)
    if law in ("spring", "damper"):
        damping = known["damping"] if law == "damper" else 0.0
        m.spring(name, *ends, stiffness=stiffness, length=1.0, damping=damping)
    elif law == "torsion_spring":
        m.torsion_spring(name, a, b, axis=axis, stiffness=stiffness)
    elif law == "motor":
        m.motor(name, a, b, axis=axis, torque=wave)
    elif law == "force":
        x, y, z = constant
        axes = "body" if b.kind is not None and b.kind.name == "quaternion" else "global"
        m.force(name, ends[1], force=(x * wave, y - 0.1 * b.at().vy, z), axes=axes)
    elif law == "torque":
        m.torque(name, ends[1], torque=(*constant[:2], constant[2] * wave))
    elif law == "potential":
        gap = [p - q for p, q in zip(ends[0].position, ends[1].position, strict=True)]
        m.potential(name, energy=-stiffness / (1 + sum(x**2 for x in gap)))


def _place(body: Body, arm: object) -> object:
    """A marker whose place is a parameter, on bodies that have more than one point."""
    point = body.kind is not None and not body.kind.turns
    return body.at() if point else body.at(arm, 0.2)


def _wave(m: Model) -> object:
    from sympy import sin

    return 0.5 + sin(3 * m.t)

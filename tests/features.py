"""Small models, each with one feature that not every way to run a model supports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import cos
from typing import Any

import sympy

from mbdgen import Model
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.language.read import read


def rubbing() -> Model:
    """Friction that reads the reaction of its joint."""
    m = Model("rubbing", gravity=(0, -9.81, 0))
    rod = m.planar_body("rod", m.parameter("m", 1.0), 0.1, position=(0.5, 0))
    pin = m.revolute("pin", m.ground, rod, at=(0, 0), axis=(0, 0, 1))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.5, radius=0.1, creep=0.05)
    m.output("height", rod.at(0.5, 0).y)
    return m


def rolling() -> Model:
    """A coin: rolling constrains velocities."""
    m = Model("coin", gravity=(0, 0, -9.81))
    lean = axis_angle((1, 0, 0), -0.8)
    inertia = (0.125, 0.25, 0.125)
    at = (0, 0, 0.5 * cos(0.8))
    disc = m.body("disc", m.parameter("m", 2.0), inertia, position=at, orientation=lean)
    m.rolling_disc("rolling", m.ground.at(axis=(0, 0, 1)), disc.at(axis=(0, 1, 0)), radius=0.5)
    m.output("height", disc.at().z)
    return m


def charted() -> Model:
    """A body whose orientation has three numbers, on a hinge."""
    m = Model("charted", gravity=(0, 0, -9.81), coordinates="euler-zxz")
    rod = m.body("rod", 1.0, (0.1, 0.2, 0.3), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    return m


def touching() -> Model:
    """A ball above the ground."""
    return read("falling_ball")


def arms(model: Model, count: int) -> list[Body]:
    """Return arms with balls at their centres, one above the other, that fall about hinges."""
    mass, found = model.parameter("m", 1.0), []
    for k in range(count):
        z = 0.2 + 0.25 * k
        inertia = (0.1, 0.1, 0.1)
        arm = model.body(f"arm{k}", mass, inertia, position=(0.5, 0, z), radius=0.1)
        model.revolute(f"pin{k}", model.ground, arm, at=(0, 0, z), axis=(0, 1, 0))
        found.append(arm)
    model.output("height", found[-1].at().z)
    return found


LAW: dict[str, Any] = {"law": "kelvin-voigt", "stiffness": 2000.0, "restitution": 0.6}


def bouncing() -> Model:
    """An arm whose ball meets the floor."""
    m = Model("bouncing", gravity=(0, 0, -9.81))
    m.sphere_plane("floor", arms(m, 1)[0], m.ground, normal=(0, 0, 1), **LAW)
    return m


def crowded() -> Model:
    """Two such arms, whose pairs are found."""
    m = Model("crowded", gravity=(0, 0, -9.81))
    m.contacts("grains", arms(m, 2), planes=[m.ground.at(0, 0, 0, axis=(0, 0, 1))], **LAW)
    return m


def turning() -> Model:
    """A hinge in three numbers, which it passes the end of."""
    m = Model("turning", gravity=(0, 0, -9.81), coordinates="gibbs")
    rod = m.body("rod", m.parameter("m", 1.0), (0.1, 0.2, 0.3), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    m.output("height", rod.at(0.5, 0, 0).z)
    return m


def leaving() -> Model:
    """A bead whose path is too short."""
    m = Model("leaving", gravity=(0, -9.81, 0))
    place = m.ground.along("place", lambda s: (s, -0.3 * s, 0 * s), 0.2, ends=(0, 0.6))
    bead = m.point_mass("bead", m.parameter("m", 1.0), position=(0.2, -0.06, 0))
    m.spherical("threaded", place, bead)
    m.output("height", bead.at().y)
    return m


def touched() -> Model:
    """An arm whose ball is already pressed into the floor."""
    m = Model("touched", gravity=(0, 0, -9.81))
    arm = m.body("arm", m.parameter("m", 1.0), (0.1, 0.1, 0.1), position=(0.5, 0, 0), radius=0.1)
    m.revolute("pin", m.ground, arm, at=(0, 0, 0), axis=(0, 1, 0))
    m.sphere_plane("floor", arm, m.ground.at(0, 0, -0.099), normal=(0, 0, 1), **LAW)
    m.output("height", arm.at().z)
    return m


def heaped() -> Model:
    """Two such arms, whose pairs are found."""
    m = Model("heaped", gravity=(0, 0, -9.81))
    m.contacts("grains", arms(m, 2), planes=[m.ground.at(0, 0, 0.099, axis=(0, 0, 1))], **LAW)
    return m


def needle() -> Model:
    """A bar on a hinge, without inertia about its axis."""
    m = Model("needle", gravity=(0, 0, -9.81), coordinates="quaternion")
    bar = m.body("bar", m.parameter("m", 1.0), (0, 0.2, 0.2), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, bar, at=(0, 0, 0), axis=(0, 1, 0))
    m.output("height", bar.at(0.5, 0, 0).z)
    return m


def cosines() -> Model:
    """A bar on a hinge, in the nine entries of its rotation matrix."""
    m = Model("cosines", gravity=(0, 0, -9.81), coordinates="direction-cosines")
    bar = m.body("bar", m.parameter("m", 1.0), (0.1, 0.2, 0.3), position=(0.5, 0, 0))
    m.revolute("pin", m.ground, bar, at=(0, 0, 0), axis=(0, 1, 0))
    m.output("height", bar.at(0.5, 0, 0).z)
    return m


def threaded() -> Model:
    """A bead on a path that it does not leave, and an arm beside it."""
    m = Model("threaded", gravity=(0, -9.81, 0))
    place = m.ground.along("place", lambda s: (s, s * s, 0 * s), 0.2, ends=(-0.6, 0.6))
    bead = m.point_mass("bead", m.parameter("m", 1.0), position=(0.2, 0.04, 0))
    m.spherical("threaded", place, bead)
    arm = m.planar_body("arm", 1.0, 0.1, position=(0.5, 0))
    m.revolute("pin", m.ground, arm, at=(0, 0), axis=(0, 0, 1))
    m.output("height", bead.at().y)
    return m


def common() -> Model:
    """Two bars in natural coordinates that have a point in common."""
    m = Model("common", gravity=(0, -9.81, 0), coordinates="natural")
    mass = m.parameter("m", 1.0)
    middle = (0.5, 0)
    one = m.body("one", mass, 0.1, length=1.0, centre_of_mass=middle)
    two = m.body("two", mass, 0.1, position=(1, 0), length=1.0, centre_of_mass=middle)
    m.revolute("pin", m.ground.at(0, 0), one.at(0, 0))
    m.share(one, "B", two, "A")
    m.output("height", two.at(1, 0).y)
    return m


def shaken() -> Model:
    """A bar that hangs on a point which a driver moves."""
    m = Model("shaken", gravity=(0, -9.81, 0), coordinates="natural")
    at = {"angle": -1.0, "centre_of_mass": (0.25, 0)}
    bar = m.body("bar", m.parameter("m", 1.0), 0.05, length=0.5, **at)
    for name, axis, size in (("x", (1, 0, 0), 0.1), ("y", (0, 1, 0), 0.05)):
        way = size * sympy.sin(3 * m.t) ** 4
        m.relative_translation(name, m.ground.at(axis=axis), bar.at(), function=way)
    m.output("height", bar.at(0.5, 0).y)
    return m


def wound() -> Model:
    """A bar on a hinge with a spring that counts its turns."""
    m = Model("wound", gravity=(0, -9.81, 0))
    bar = m.planar_body("bar", m.parameter("m", 1.0), 0.1, position=(0.5, 0))
    a, b = m.ground.at(), bar.at(-0.5, 0)
    m.revolute("pin", a, b)
    m.torsion_spring("spring", a, b, stiffness=0.5, turns=2)
    m.output("height", bar.at(0.5, 0).y)
    return m


def doubled() -> Model:
    """A bar on two hinges with one axis: the second says nothing new."""
    m = Model("doubled", gravity=(0, 0, -9.81))
    bar = m.body("bar", m.parameter("m", 1.0), (0.1, 0.2, 0.3), position=(0.5, 0, 0))
    for name, y in (("left", 0.1), ("right", -0.1)):
        m.revolute(name, m.ground, bar, at=(0, y, 0), axis=(0, 1, 0))
    m.output("height", bar.at(0.5, 0, 0).z)
    return m


def flat_bar() -> Model:
    """A bar on a hinge in the plane: a regular mass matrix, independent constraints."""
    m = Model("flat_bar", gravity=(0, -9.81, 0))
    bar = m.planar_body("bar", m.parameter("m", 1.0), 0.1, position=(0.5, 0))
    m.revolute("pin", m.ground, bar, at=(0, 0), axis=(0, 0, 1))
    m.output("height", bar.at(0.5, 0).y)
    return m


def lifted() -> Model:
    """A block on an upright slide, all of whose equations are linear: they can be eliminated."""
    m = Model("lifted", gravity=(0, -9.81, 0))
    block = m.planar_body("block", m.parameter("m", 1.0), 0.1, position=(0, 0.5))
    m.prismatic("slide", m.ground, block, axis=(0, 1, 0))
    m.spring("spring", m.ground, block, stiffness=50.0, length=0.4)
    m.output("height", block.at(0, 0).y)
    return m


@dataclass(frozen=True)
class Example:
    """A model with one feature, and how it is loaded."""

    make: Callable[[], Model]
    options: Mapping[str, Any] = field(default_factory=dict)


PLAIN, LINEAR = Example(flat_bar), Example(lifted)
EXAMPLES: Mapping[str, Example] = {
    "contacts": Example(touched),
    "crowds": Example(heaped),
    "reactions": Example(rubbing),
    "rolling": Example(rolling),
    "displacements": Example(cosines),
    "charts": Example(turning),
    "paths": Example(threaded),
    "shared": Example(common),
    "eliminated-drivers": Example(shaken, {"eliminate": True}),
    "turns": Example(wound),
    "redundant": Example(doubled),
    "massless": Example(needle),
}
"""By the features of `mbdgen.limits.FEATURES`."""

"""A script as users write it, without a mistake: type checkers find none.

Its model is made when it is imported; the analyses are there for type checkers.
"""

# mypy: disallow-untyped-decorators, disallow-subclassing-any, warn-return-any

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from mbdgen import (
    Model,
    analyse,
    assemble,
    circle,
    linearise,
    load,
    material,
    modes,
    rectangle,
    simulate,
    simulate_many,
    statics,
    verify,
)
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.bodies.homogeneous_shapes import box, rod


@dataclass(frozen=True)
class Above(Joint):
    """A joint of a user: b stays at a height above a."""

    name = "above"
    axis = True

    height: float = 0.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State it."""
        return [a.e3.dot(b.r - a.r) - self.height]


m = Model("crane", gravity=(0, 0, -9.81))
length = m.parameter("L", 1.0, unit="m")
stiffness = m.parameter("k", 50.0)
steel: dict[str, Any] = {"young": 2.1e11, "poisson": 0.3}

# bodies
arm = m.body("arm", rod(2.0, 1.0), position=(length / 2, 0, 0), angular_velocity=(0, 1.0, 0))
block = m.body("block", 1.0, (0.1, 0.1, 0.1), position=np.array([1.0, 0.0, -0.5]), **steel)
cart = m.planar_body("cart", 1.0, 0.1, velocity=(1, 0), fixed=["x"])
bob = m.point_mass("bob", 0.5, position=[0, 0, -2], radius=0.1, young=1e7)
ball = m.point_mass("ball", 0.5, position=[0, 1, -2], radius=0.1, young=1e7)
other = m.body("other", box(1, 0.1, 0.1, 0.1), coordinates="euler-zxz", orientation=(1, 0, 0, 0))
bar = m.beam(
    "bar", [(0, 0), (1, 0)], circle(0.02), material(2e11, 7800), kind="euler-nonlinear", elements=2
)
blade = m.floating_beam(
    "blade", [(0, 0), (1, 0)], rectangle(0.1, 0.02), material(2e11, 7800), modes=(2, 1)
)

# joints, whose measures are placeholders
pin = m.revolute("pin", m.ground, arm, at=(0, 0, 0), axis=(0, 1, 0), turns=1)
hinge = m.revolute("hinge", arm.at(length / 2), block.at(0, 0, 0.5), axis=(0, 1, 0), form="general")
m.gear("gear", first=pin.angle, second=hinge.angle, ratio=2.0, mesh="internal")
m.rotation_driver("motor", m.ground, other, axis=(0, 0, 1), angle=sympy.sin(2 * m.t))
slide = m.translation_driver("slide", m.ground, bob, axis=(0, 0, 1), distance=m.t**2 / 2)
m.add("above", Above(height=0.0), m.ground, cart, at=(0, 0, 0), axis=(0, 1, 0))

# forces
spring = m.spring("spring", arm.at(0, 0, 0.3), bob, stiffness=stiffness, law=lambda x, v: v**3)
m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.1, law="coulomb")
m.push("drive", along=pin.angle, force=-2.0 * pin.rate + spring.length / 10)
m.force("wind", block.origin, force=(1.0, 0, sympy.cos(m.t)), axes="body")
m.bushing("rubber", m.ground, arm, at=(0, 0, 0), axis=(0, 0, 1), stiffness=np.eye(6))
floor = m.ground.at(0, 0, -3, axis=(0, 0, 1))
touch = m.sphere_plane("touch", bob.at(), floor, restitution=0.8, law="hunt-crossley")
m.contacts("crowd", [bob, ball], planes=[floor], restitution=0.8)
snow = m.line_load("snow", bar, force=(0, -1, 0))
half = m.line_load("half", bar.elements[0], force=(0, -1, 0))

# outputs
m.output("tip", bar.end)
m.output("power", touch.force * touch.speed + pin.torque[0], unit="W")
m.output("reaction", pin.force)
bend = m.angle_between("bend", arm, block, axis=(0, 0, 1))
m.output("bent", bend.value - cart.angle)
m.suggest(t=1.0, h=1e-3, method="newmark")


def analyses() -> None:
    """Use the functions that take a model or a system."""
    system = load(m, reduced=False)
    span = (0.0, 1.0)
    result = simulate(system, span, method="newmark", h=1e-3, beta=0.25, tolerance=1e-9)
    again = simulate(m, span, "generalized-alpha", rho_inf=0.9, t_eval=np.linspace(0, 1, 11))
    own: dict[str, Any] = {"weight": 0.3}  # options of a method of one's own
    mine = simulate(load("pendulum", L=2.0), span, **own)
    verify(system, span, method="solve-ivp", solver="RK45", rtol=1e-8)
    many = simulate_many(system, span, {"L": [1.0, 2.0]}, method="newmark", preset="damped")
    assemble(system, given={"pin.angle": 0.1})
    at_rest = statics(m, stable=True)
    found = modes("pendulum", at=None, outputs=["tip.x"])
    table = analyse(system, "modes", t=0.0)
    print(linearise(system, 0.0, inputs=["drive"]).A.shape, table["frequency"], many.t)
    print(result["tip.x"][-1], result.success, found.frequency, at_rest.stability, mine, again)

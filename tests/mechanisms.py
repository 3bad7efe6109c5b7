"""Mechanisms that only tests need; the shipped models are in `mbdgen.models`."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, sin
from typing import Any

import numpy as np

from mbdgen import Model
from mbdgen.language.bodies.body import Body

Pair = tuple[float, float]
Three = tuple[float, float, float]
Kinds = str | Sequence[str]


def bar(
    model: Model, name: str, m: float, length: float, kind: str, pin: Pair, angle: float,
    rate: float = 0.0, velocity: Pair = (0.0, 0.0),
) -> Body:  # fmt: skip
    """A thin uniform bar; its reference point is its first pin, its x axis points along it."""
    across = m * length**2 / 12.0
    return model.body(
        name, m, (0.0, across, across), coordinates=kind, length=length, angle=angle,
        centre_of_mass=(length / 2.0, 0.0), position=pin, velocity=velocity, angular_velocity=rate,
    )  # fmt: skip


def compound_pendulum(kind: str, m: float = 2.0, length: float = 1.3, angle: float = 0.4) -> Model:
    """A compound pendulum in coordinates of any kind."""
    model = Model("compound_pendulum", gravity=(0, -9.81, 0))
    rod = bar(model, "rod", m, length, kind, (0.0, 0.0), angle)
    pin = model.revolute("pin", model.ground.at(), rod.at())
    model.output("angle", pin.angle)
    model.output("tip", rod.at(length))
    model.output("force", pin.force)
    return model


def four_bar(
    lengths: Three = (1.0, 1.0, 1.0),
    masses: Three = (1.0, 1.0, 1.0),
    base: float = 1.0,
    angles: Three = (np.pi / 2, 0.0, np.pi / 2),
    rates: Three = (0.0, 0.0, 0.0),
    torque: float = 0.0,
    spring: Any = None,
    driver: Any = None,
    kinds: Kinds = "planar",
) -> Model:
    """Bars AB, BC and DC in the plane, with A = (0, 0) and D = (base, 0).

    Parameters
    ----------
    angles, rates : 3 floats
        Of the vectors A to B, B to C and D to C, from +x.
    torque : float
        Constant torque about +z on AB.
    spring : (ends, stiffness, length, damping), optional
        A spring-damper; ends are "AC" or "BD".
    driver : function of the time symbol, optional
        Prescribed angle of AB.
    kinds : str or 3 str
        Body kinds of the bars.
    """
    model = Model("four_bar", gravity=(0, -9.81, 0))
    kind = [kinds] * 3 if isinstance(kinds, str) else kinds
    (l1, l2, l3), (a1, a2, a3), (w1, w2, w3) = lengths, angles, rates
    tip = (l1 * cos(a1), l1 * sin(a1))
    ab = bar(model, "AB", masses[0], l1, kind[0], (0.0, 0.0), a1, w1)
    bc = bar(model, "BC", masses[1], l2, kind[1], tip, a2, w2, (-w1 * tip[1], w1 * tip[0]))
    dc = bar(model, "DC", masses[2], l3, kind[2], (base, 0.0), a3, w3)
    ground = model.ground
    a = model.revolute("A", ground.at(), ab.at())
    b = model.revolute("B", ab.at(l1), bc.at())
    model.revolute("C", bc.at(l2), dc.at(l3))
    d = model.revolute("D", ground.at(base), dc.at())
    if torque:
        model.torque("torque", ab.at(), torque=(0, 0, torque))
    if spring is not None:
        ends, stiffness, length, damping = spring
        start, end = {"AC": (ground.at(), bc.at(l2)), "BD": (ab.at(l1), ground.at(base))}[ends]
        model.spring("spring", start, end, stiffness=stiffness, length=length, damping=damping)
    if driver is not None:
        motor = model.rotation_driver("driver", ground.at(), ab.at(), angle=driver(model.t))
        model.output("driver_torque", motor.torque)
    model.output("AB", a.angle)
    model.output("BC", a.angle + b.angle)
    model.output("DC", d.angle)
    model.output("AB_rate", a.rate)
    model.output("B", ab.at(l1))
    model.output("C", bc.at(l2))
    model.output("C_velocity", bc.at(l2).velocity)
    model.output("C_acceleration", bc.at(l2).acceleration)
    return model


def spatial_slider_crank(variant: str = "slender") -> Model:
    """Revolute, spherical, cardan and prismatic in one loop; three published sets of data.

    ``slender`` and ``author`` are two readings of the rod's inertia; ``haug`` has a balanced crank
    and another cardan axis.
    """
    model = Model("spatial_slider_crank", gravity=(0, 0, -9.81))
    pivot, b, c = np.array([0, 0.1, 0.12]), np.array([0, 0.1, 0.2]), np.array([0.2, 0.0, 0.0])
    w, v_b, v_c = np.array([(6.0, 0.0, 0.0), (0.0, -0.48, 0.0), (0.24, 0.0, 0.0)])
    along = (c - b) / 0.3
    if variant == "haug":
        cross, fixed_axis = np.cross(-along, (0, 1, 0)), (0, 1, 0)
        cross /= np.linalg.norm(cross)
        axes, moments = (-along, np.cross(cross, -along), cross), (4e-4, 4e-3, 3.8e-3)
        spin, centre = (1.2, -0.6, 1.2), pivot
    else:
        cross, fixed_axis = np.cross((1, 0, 0), along), (1, 0, 0)
        cross /= np.linalg.norm(cross)
        axes = (along, cross, np.cross(along, cross))
        moments = {"slender": (4e-4, 4e-3, 4e-3), "author": (4e-3, 4e-3, 4e-4)}[variant]
        spin, centre = (1.92, -0.96, 0.48), (pivot + b) / 2
    crank = model.body(
        "crank", 0.12, (1e-4, 1e-4, 1e-5), position=tuple(centre), angular_velocity=tuple(w),
        velocity=tuple(np.cross(w, centre - pivot)),
    )  # fmt: skip
    rod = model.body(
        "rod", 0.5, moments, position=tuple((b + c) / 2), orientation=np.array(axes).T.tolist(),
        velocity=tuple((v_b + v_c) / 2), angular_velocity=spin,
    )  # fmt: skip
    slider = model.body("slider", 2.0, (1e-4,) * 3, position=tuple(c), velocity=(0.24, 0, 0))
    a = model.revolute("A", model.ground, crank, at=tuple(pivot), axis=(1, 0, 0))
    model.spherical("B", crank, rod, at=tuple(b))
    model.universal("C", slider, rod, at=tuple(c), axis_a=fixed_axis, axis_b=tuple(cross))
    model.prismatic("guide", model.ground, slider, axis=(1, 0, 0))
    model.output("angle", a.angle)
    model.output("rate", a.rate)
    model.output("slider", slider.at().x)
    model.output("slider_velocity", slider.at().vx)
    model.output("B", crank.at(*b, axes="global"))
    model.output("omega", rod.angular_velocity)
    return model


def floating_pair() -> Model:
    """Two asymmetric bodies on a spherical joint and a spring, flying freely without gravity."""
    model = Model("floating_pair", gravity=(0, 0, 0))
    tensor = [[0.30, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.20]]
    one = model.body(
        "one", 2.0, tensor, velocity=(0.3, -0.2, 0.1), angular_velocity=(1.0, 2.0, 0.5)
    )
    two = model.body(
        "two", 1.5, (0.1, 0.2, 0.25), position=(1.0, 0.2, 0.0), velocity=(0.3, 0.1, -0.2),
        angular_velocity=(0.2, -1.0, 0.7),
    )  # fmt: skip
    model.spherical("ball", one, two, at=(0.5, 0.1, 0.0))
    model.spring("spring", one.at(0, 0.4, 0), two.at(0, 0.3, 0.1), stiffness=20.0)
    for body in (one, two):
        model.output(f"{body.name}_r", body.at())
        model.output(f"{body.name}_v", body.at().velocity)
        model.output(f"{body.name}_wb", [body.variable(f"wb{c}") for c in "xyz"])
        for k, axis in enumerate((body.origin.e1, body.origin.e2, body.origin.e3)):
            model.output(f"{body.name}_e{k + 1}", axis)
    return model


def chain(n: int, kind: str = "planar", angle: float = 0.3) -> Model:
    """N equal bars in a row, hinged to each other and to the ground."""
    model = Model("chain", gravity=(0, -9.81, 0))
    length, c, s = 1.0, cos(angle), sin(angle)
    bars = [
        bar(model, f"bar{k}", 1.0, length, kind, (k * length * c, k * length * s), angle)
        for k in range(n)
    ]
    model.revolute("joint0", model.ground.at(), bars[0].at())
    for k, (inner, outer) in enumerate(pairwise(bars), start=1):
        model.revolute(f"joint{k}", inner.at(length), outer.at())
    model.output("tip", bars[-1].at(length))
    return model


def spinning_pair(kind: str) -> Model:
    """Two spinning bodies, one on a ball joint, the other on a joint of some kind between them."""
    model = Model(f"spinning_{kind}", gravity=(0, 0, -9.81))
    omega, axis = (1.0, 2.0, 3.0), (1.0, 2.0, 0.5)
    rows = (
        ("first", 1.0, (0.1, 0.2, 0.25), (0.5, 0.0, 0.0)),
        ("second", 1.5, (0.2, 0.15, 0.3), (1.0, 0.3, 0.1)),
    )
    first, second = (
        model.body(
            name, m, inertia, position=centre, angular_velocity=omega,
            velocity=tuple(np.cross(omega, centre)),
        )
        for name, m, inertia, centre in rows
    )  # fmt: skip
    model.spherical("ball", model.ground, first, at=(0, 0, 0))
    getattr(model, kind)("joint", first, second, at=(0.8, 0.1, 0), axis=axis)
    return model

"""A rotor blade on a universal joint, spun up to 258 revolutions a minute: rigid, or as a beam.

The blade drops by its weight, Coriolis forces throw it forward, and centrifugal forces raise it
until it flaps about the horizontal once a turn. It bends by millimetres where it swings by metres.
"""

from math import pi
from typing import Any

from sympy import cos

from mbdgen import Model, functions, material, rectangle
from mbdgen.language.bodies.homogeneous_shapes import rod

RPM = 2 * pi / 60
SECTION = rectangle(height=0.026360, width=0.017560)
MATERIAL = material(young=6.522e12, density=2767.0)


def model(blade="beam", elements=4, kind="yakoub", form="general", L=8.0, T=30.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    blade : {"beam", "rigid"}
        What the blade is: a rigid one is a thin rod.
    elements, kind : int, str
        Of the beam.
    form : {"general", "linear", "shared"}
        How the joint of the beam is stated.
    L, T, g : float
        Length of the blade, time of the spin-up, gravity along -z.
    """
    if blade not in ("beam", "rigid"):
        raise ValueError(f"blade is {blade!r}; choose beam or rigid")
    m = Model("helicopter_blade", gravity=(0, 0, -g))
    slow, fast = 47.7 * RPM, 258 * RPM
    basic: dict[str, Any] = {"points": ((0, 0, 0), (0.2, 0, 0)), "vectors": ((0, 1, 0), (0, 0, 1))}
    shaft = m.body(
        "shaft",
        10.0,
        (0.1, 0.1, 0.1),
        coordinates="natural",
        angular_velocity=(0, 0, slow),
        **basic,
    )
    m.revolute("bearing", m.ground, shaft, at=(0, 0, 0), axis=(0, 0, 1))
    rise = (fast - slow) / T
    spin_up = slow * m.t + rise * (m.t**2 / 2 + (T / (2 * pi)) ** 2 * (cos(2 * pi * m.t / T) - 1))
    turn = functions.piecewise(spin_up, T, slow * m.t + rise * T * (m.t - T / 2))
    m.rotation_driver("motor", m.ground, shaft, axis=(0, 0, 1), angle=turn(m.t))

    more: dict[str, Any] = {}
    begin, speed = (0.2, 0, 0), (0, 0.2 * slow, 0)
    if blade == "beam":
        made = m.beam(
            "blade", [begin, (0.2 + L, 0, 0)], SECTION, MATERIAL, elements=elements, kind=kind,
            velocity=speed, angular_velocity=(0, 0, slow),
        )  # fmt: skip
        root, tip, more = made.elements[0], made.end, {"form": form}
    else:
        mass = MATERIAL.density * SECTION.area * L
        root = m.body(
            "blade", rod(mass, L), position=begin, centre_of_mass=(L / 2, 0, 0), velocity=speed,
            angular_velocity=(0, 0, slow),
        )  # fmt: skip
        tip = root.at(L)
        root.draw.line([(0, 0, 0), (L, 0, 0)])
    m.universal("hinge", shaft, root, at=begin, axis_a=(0, 0, 1), axis_b=(0, 1, 0), **more)

    hub, place = shaft.at(0.2), tip.position
    arm = [p - h for p, h in zip(place, hub.position, strict=True)]
    for name, axis, at_rest in (("along", hub.e1, L), ("lead", hub.e2, 0), ("flap", hub.e3, 0)):
        m.output(name, sum(x * e for x, e in zip(arm, axis, strict=True)) - at_rest, unit="m")
    m.suggest(t=33, h=2e-3, method="generalized-alpha")
    return m

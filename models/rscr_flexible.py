"""Spatial four-bar RSCR with a flexible coupler: its end slides along the follower and turns on it.

Crank AB turns in A about y; a ball in B leads to the beam BC, whose end slides along DE and turns
about it. DE and EF are one body, which turns in F about an axis at 45 degrees to that of the crank.
"""

from math import pi, sqrt
from typing import Any

import numpy as np
from sympy import cos

from mbdgen import Model, functions, material, rectangle
from mbdgen.language.bodies.homogeneous_shapes import box, rod

A, B, C, E, F = (0, 0, 0), (0, 0, 0.3), (0.5, 0, 0.3), (0.5, 0.4, 0.3), (0.5, 0.4, 0)
ALONG_Y, TILT = (0, 1, 0), (1 / sqrt(2), 1 / sqrt(2), 0)
SIDE, LENGTH, DENSITY, TIME = 0.01, 0.5, 7850.0, 1.5
RODS = ((0.5, 0.8, (0, 1, 0), C), (0.2, 0.3, (0, 0, 1), (0.5, 0.4, 0.15)))  # mass, length: DE, EF


def model(
    coupler="beam", form="shared", elements=6, kind="yakoub", young=10e9, ratio=0.0, speed=2.0
):
    """Return the model.

    Parameters
    ----------
    coupler : {"beam", "floating", "rigid"}
        What BC is: a beam of elements or of modes in a floating frame, or a rigid bar.
    form : {"general", "linear", "shared"}
        How its joints are stated.
    elements, kind, young : int, str, float
        Of the beam, which is 1 cm square.
    ratio : float
        Damping ratio of its first modes of bending and of torsion.
    speed : float
        Of the crank after 1.5 s, rad/s.
    """
    if coupler not in ("beam", "floating", "rigid"):
        raise ValueError(f"coupler is {coupler!r}; choose beam, floating or rigid")
    m = Model("rscr_flexible", gravity=(0, 0, 0), coordinates="natural")
    crank = m.body(
        "crank", rod(0.2, 0.3, axis=(0, 0, 1)), centre_of_mass=(0, 0, 0.15), points=(A, B)
    )
    mass = sum(x[0] for x in RODS)
    middle = sum((x[0] * np.array(x[3]) for x in RODS), np.zeros(3)) / mass
    follower = m.body(
        "follower", mass, _inertia(middle), centre_of_mass=middle, points=(F, E),
        vectors=(ALONG_Y, TILT),
    )  # fmt: skip
    m.revolute("pin_A", m.ground, crank, at=A, axis=ALONG_Y)
    m.revolute("pin_F", m.ground, follower, at=F, axis=TILT)
    ramp = m.t**2 / 2 + (TIME / (2 * pi)) ** 2 * (cos(2 * pi * m.t / TIME) - 1)
    angle = functions.piecewise(speed / TIME * ramp, TIME, speed * (m.t - TIME / 2))
    motor = m.rotation_driver("motor", m.ground, crank, axis=ALONG_Y, angle=angle(m.t))

    forms: dict[str, Any] = {}
    if coupler == "rigid":
        inertia = box(DENSITY * SIDE**2 * LENGTH, LENGTH, SIDE, SIDE)
        body = m.body("coupler", inertia, position=(0.25, 0, 0.3))
        start, end = body.at(-LENGTH / 2), body.at(LENGTH / 2)
    else:
        bending = (pi / LENGTH) ** 2 * sqrt(young * SIDE**2 / 12 / DENSITY)
        torsion = pi / LENGTH * sqrt(0.843 * young / 2 / DENSITY)
        steel = material(
            young=young, density=DENSITY, damping=2 * ratio / bending,
            shear_damping=2 * ratio / torsion,
        )  # fmt: skip
        made_as: dict[str, Any] = {
            "points": [B, C], "section": rectangle(SIDE, SIDE), "material": steel,
            "across": ALONG_Y,
        }  # fmt: skip
        if coupler == "beam":
            beam = m.beam("coupler", **made_as, elements=elements, kind=kind)
            start, end, forms = beam.start, beam.end, {"form": form}
        else:
            bar = m.floating_beam("coupler", **made_as, frame="chord", modes=(2, 2, 1, 1))
            start, end = bar.start, bar.end
    m.spherical("ball", crank.at(*B), start, **forms)
    slider = m.cylindrical("slider", follower.at(*C), end, axis=ALONG_Y, **forms)

    m.output("C", end)
    m.output("slide", slider.displacement)
    m.output("motor_torque", motor.torque)
    for body, line in ((crank, (A, B)), (follower, ((0.5, -0.4, 0.3), E, F))):
        body.draw.line(line)
    m.suggest(t=3, h=1e-3, method="generalized-alpha")
    return m


def _inertia(middle):
    """Return the tensor of the follower about its centre of mass."""
    total = np.zeros((3, 3))
    for mass, length, along, at in RODS:
        for arm, share in ((np.array(at) - middle, mass), (np.array(along), mass * length**2 / 12)):
            total += share * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
    return total

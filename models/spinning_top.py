"""Spinning top: a symmetric body on a spherical joint.

``heavy`` is released tilted and shows cusps in its nutation; ``gaussian`` spins upright until a
bell-shaped side force pushes it.
"""

import sympy

from mbdgen import Model
from mbdgen.language.bodies.orientation import axis_angle

# mass, distance of the centre of mass, inertias about it (across, along), tilt, spin
TOPS = {
    "heavy": (1.5, 0.15, 0.01, 0.012, 0.5, 100.0),
    "gaussian": (0.017355017, 0.03993, 3.256544e-6, 1.99486e-6, 0.0, 523.6),
}


def model(variant="heavy", g=9.81):
    """Return the model.

    Parameters
    ----------
    variant : {"heavy", "gaussian"}
        Which top.
    g : float
        Gravity along -z.
    """
    mech = Model("spinning_top", gravity=(0, 0, -g))
    m, distance, across, along, tilt, spin = TOPS[variant]
    top = mech.body(
        "top",
        mass=mech.parameter("m", m, unit="kg"),
        inertia=(across, across, along),
        centre_of_mass=(0, 0, distance),
        orientation=axis_angle((1, 0, 0), tilt),
        angular_velocity=(0, 0, mech.parameter("spin", spin, unit="rad/s")),
        angular_velocity_axes="body",
    )
    tip = mech.spherical("tip", mech.ground.at(), top.at())
    if variant == "gaussian":
        push = 0.01 * sympy.exp(-((mech.t - 0.6) ** 2) / (2 * 0.1**2))
        mech.force("push", top.centre_of_mass, force=(push, 0, 0))

    mech.output("centre", top.centre_of_mass)
    mech.output("centre_velocity", top.centre_of_mass.velocity)
    mech.output("omega", top.angular_velocity)
    mech.output("axis", top.origin.e3)
    mech.output("reaction", tip.force)
    return mech

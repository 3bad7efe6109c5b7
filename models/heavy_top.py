"""Fast heavy top: a standard test of rotations, 15 kg on a spherical joint at 150 rad/s.

The centre of mass lies 1 m along the body's y axis, about which the top spins.
"""

from mbdgen import Model


def model(m=15.0, spin=150.0, precession=-4.61538, g=9.81):
    """Return the model.

    Parameters
    ----------
    m : float
        Mass; the moments of inertia are those of 15 kg whatever it is.
    spin, precession : float
        Initial angular velocity about the body's y axis, and about the vertical.
    g : float
        Gravity along -z.
    """
    mech = Model("heavy_top", gravity=(0, 0, -g))
    top = mech.body(
        "top",
        mass=mech.parameter("m", m, unit="kg"),
        inertia=(0.234375, 0.46875, 0.234375),
        centre_of_mass=(0, 1, 0),
        angular_velocity=(0, spin, precession),
    )
    tip = mech.spherical("tip", mech.ground.at(), top.at())

    mech.output("centre", top.centre_of_mass)
    mech.output("omega", top.angular_velocity)
    mech.output("reaction", tip.force)
    return mech

"""Simple pendulum (IFToMM benchmark A01): a point mass on a massless rod, released horizontally."""

from mbdgen import Model


def model(L=1.0, m=1.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    L, m, g : float
        Length of the rod, mass at its end, gravity.
    """
    mech = Model("pendulum", gravity=(0, -g, 0))
    length = mech.parameter("L", L, unit="m")
    mass = mech.parameter("m", m, unit="kg")

    # All mass sits at the end P: the inertia about the centre of mass is zero, which is legal
    # because the joint leaves no motion without inertia.
    rod = mech.body("rod", mass=mass, inertia=(0, 0, 0), position=(-length, 0, 0))
    pin = mech.revolute("pin", mech.ground.at(), rod.at(length, 0, 0), axis=(0, 0, 1))

    mech.output("tip", rod.at())
    mech.output("tip_velocity", rod.at().velocity)
    mech.output("reaction", pin.force)
    return mech

"""Planar four-bar whose crank is driven: a point of the coupler draws a path that lengths shape.

Made for the synthesis of paths: every length is a named parameter, and the initial position follows
from them, so that the mechanism stays on one branch whatever an optimisation tries.
"""

from math import pi

from sympy import acos, atan2, cos, sin, sqrt

from mbdgen import Model


def model(
    base=2.0, crank=0.6, coupler=1.8, rocker=1.5, along=0.9, across=0.7, start=0.3, speed=2 * pi
):
    """Return the model.

    Parameters
    ----------
    base : float
        Distance of the fixed pivots of crank and rocker.
    crank, coupler, rocker : float
        Lengths of the bars, between their pins.
    along, across : float
        Position of the drawing point on the coupler: from the crank's pin towards the rocker's
        pin, and to the left of that line.
    start, speed : float
        Initial angle of the crank from +x, and its rate.
    """
    mech = Model("four_bar_path", gravity=(0, 0, 0), coordinates="planar")
    lengths = {"base": base, "crank": crank, "coupler": coupler, "rocker": rocker}
    lengths |= {"along": along, "across": across}
    base, crank, coupler, rocker, along, across = (
        mech.parameter(name, value, unit="m") for name, value in lengths.items()
    )

    # The triangle of the two moving pins and the pivot of the rocker.
    pin = (crank * cos(start), crank * sin(start))
    distance = sqrt((base - pin[0]) ** 2 + pin[1] ** 2)
    opening = acos((coupler**2 + distance**2 - rocker**2) / (2 * coupler * distance))
    tilt = atan2(-pin[1], base - pin[0]) + opening
    end = (pin[0] + coupler * cos(tilt), pin[1] + coupler * sin(tilt))
    lean = atan2(end[1], end[0] - base)

    first = mech.body("bar1", mass=1, inertia=0.1, angle=start, angular_velocity=speed)
    second = mech.body("bar2", mass=1, inertia=0.1, position=pin, angle=tilt)
    third = mech.body("bar3", mass=1, inertia=0.1, position=(base, 0), angle=lean)
    mech.revolute("A", mech.ground.at(), first.at())
    mech.revolute("B", first.at(crank), second.at())
    mech.revolute("C", second.at(coupler), third.at(rocker))
    mech.revolute("D", mech.ground.at(base), third.at())
    mech.rotation_driver("drive", mech.ground.at(), first.at(), angle=start + speed * mech.t)

    mech.output("point", second.at(along, across))
    return mech

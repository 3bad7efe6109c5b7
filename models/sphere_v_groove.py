"""A steel sphere that falls into a groove of two planes, each 30 degrees to the horizontal."""

from math import sqrt
from typing import Any

from mbdgen import Model


def model(
    restitution=0.8,
    friction=True,
    law="hunt-crossley",
    friction_law="linear",
    coefficient=0.5,
    static=0.6,
    creep=0.01,
):
    """Return the model.

    Parameters
    ----------
    restitution : float
        Coefficient of restitution that the law is given; 1 is elastic.
    friction : bool
        Whether the sphere rubs on the planes.
    law, friction_law : str
        Contact law and friction law.
    coefficient, static, creep : float
        Friction of motion and of rest, and the speed below which it is about proportional to speed.
    """
    mech = Model("sphere_v_groove", gravity=(0, 0, -9.81))
    steel: dict[str, Any] = {"young": 290e9, "poisson": 0.3}
    sphere = mech.body("sphere", 5, (2, 2, 2), position=(-3, 0, 6), radius=1, **steel)
    how = {"law": law, "restitution": restitution}
    if friction:
        how |= {
            "friction": friction_law,
            "coefficient": coefficient,
            "creep": creep,
            "static": static,
        }
    for side, x in (("left", 0.5), ("right", -0.5)):
        plane = mech.body(f"{side}_plane", 100, (0.1, 0.1, 0.1), **steel)
        mech.fixed(f"{side}_hold", plane, mech.ground)
        mech.sphere_plane(side, sphere, plane, normal=(x, 0, sqrt(3) / 2), **how)

    mech.output("centre", sphere.at())
    mech.output("spin", sphere.angular_velocity[1], unit="rad/s")
    mech.suggest(t=8, h=0.01, method="rk4")
    return mech

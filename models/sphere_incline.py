"""A steel sphere that falls on a plane of 30 degrees and bounces down along it."""

from math import sqrt
from typing import Any

from mbdgen import Model


def model(restitution=1.0, friction=False, coefficient=0.5, static=0.6):
    """Return the model.

    Parameters
    ----------
    restitution : float
        Coefficient of restitution that the law is given; 1 is elastic.
    friction : bool
        Whether the sphere rubs on the plane.
    coefficient, static : float
        Friction of motion and of rest.
    """
    mech = Model("sphere_incline", gravity=(0, 0, -9.81))
    steel: dict[str, Any] = {"young": 290e9, "poisson": 0.3}
    plane = mech.body("plane", 100, (0.1, 0.1, 0.1), **steel)
    sphere = mech.body("sphere", 500, (200, 200, 200), position=(0, -3, 4.5), radius=1, **steel)
    mech.fixed("hold", plane, mech.ground)
    how = {"friction": "linear", "coefficient": coefficient, "static": static} if friction else {}
    normal = (0, 0.5, sqrt(3) / 2)
    mech.sphere_plane("slope", sphere, plane, normal=normal, restitution=restitution, **how)

    mech.output("centre", sphere.at())
    mech.output("spin", sphere.angular_velocity[0], unit="rad/s")
    mech.suggest(t=4, h=0.01, method="rk4")
    return mech

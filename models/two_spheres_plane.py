"""Two spheres that fall on a plane, the upper one on the lower, a little beside its top."""

from typing import Any

from mbdgen import Model


def model(restitution=0.9, friction=True, coefficient=0.3, aside=0.02):
    """Return the model.

    Parameters
    ----------
    restitution : float
        Coefficient of restitution that the law is given, of all contacts.
    friction : bool
        Whether the surfaces rub on each other.
    coefficient : float
        Of friction.
    aside : float
        How far the upper sphere is beside the lower one.
    """
    mech = Model("two_spheres_plane", gravity=(0, 0, -9.81))
    rubber: dict[str, Any] = {"young": 5e7, "poisson": 0.45}
    plane = mech.body("plane", 10, (0.1, 0.1, 0.1), **rubber)
    mech.fixed("hold", plane, mech.ground)
    big, small = 0.2, 0.12
    lower = mech.body("lower", 4, (0.064,) * 3, position=(0, 0, 1), radius=big, **rubber)
    upper = mech.body(
        "upper", 0.9, (0.005184,) * 3, position=(aside, 0, 1.6), radius=small, **rubber
    )
    how: dict[str, Any] = {"restitution": restitution}
    if friction:
        how |= {"friction": "coulomb", "coefficient": coefficient, "creep": 0.01}
    mech.sphere_plane("lower_plane", lower, plane, normal=(0, 0, 1), **how)
    mech.sphere_plane("upper_plane", upper, plane, normal=(0, 0, 1), **how)
    mech.sphere_sphere("pair", upper, lower, **how)

    mech.output("lower_centre", lower.at())
    mech.output("upper_centre", upper.at())
    mech.suggest(t=3, h=0.01, method="rk4")
    return mech

"""Three-bar mechanism: a crank drives a massless slider along a flexible bar, the guide.

The guide turns about O1, the crank about O2 beside it; the slider is a pin that stays on the
midline of the guide without friction, at a distance s that is an unknown without mass. The faster
the crank, the more the guide bends: 30 rad/s and 6 mm of steel leave it within 4 % of its length,
half the area (`guide="large"`) bends it three times as far.
"""

from math import cos, sin, sqrt
from typing import Any

from mbdgen import Model, material, rectangle

AREA = {"small": 2.827e-5, "large": 1.4137e-5}  # m2, of circles
SECOND_MOMENT = {"small": 6.362e-11, "large": 1.591e-11}  # m4


def model(guide="small", elements=4, kind="omar", angle=0.0, speed=30.0, damping=0.0):
    """Return the model.

    Parameters
    ----------
    guide : {"small", "large"}
        How far it bends.
    elements : int
        Of the guide.
    kind : str
        Which element; "floating" is the guide in a floating frame by three modes of bending and one
        of stretching, for small deflections.
    angle, speed : float
        Of the crank at the start, and its constant rate: 0 is away from O1, pi towards it.
    damping : float
        Of the material, in seconds.
    """
    mech = Model("three_bar_flexible_guide", gravity=(0, 0, 0))
    length, crank_length, distance = 0.5, 0.08, 0.24
    height = sqrt(12 * SECOND_MOMENT[guide] / AREA[guide])
    section = rectangle(height, AREA[guide] / height)
    steel = material(young=200e9, density=7878, damping=damping)

    reach = crank_length * cos(angle)
    made_as: dict[str, Any] = {
        "points": [(0, 0), (length, 0)],
        "section": section,
        "material": steel,
    }
    made_as["angular_velocity"] = speed * reach / (distance + reach)
    bar: Any
    if kind == "floating":
        bar = mech.floating_beam("guide", **made_as, modes=(3, 1))
    else:
        bar = mech.beam("guide", **made_as, elements=elements, kind=kind)
    mass = 3939 * 2.827e-5 * crank_length
    centre = (distance + reach / 2, crank_length * sin(angle) / 2)
    crank = mech.planar_body(
        "crank", mass, mass * crank_length**2 / 12, position=centre, angle=angle,
        velocity=(0, speed * reach / 2), angular_velocity=speed,
    )  # fmt: skip
    o2 = mech.ground.at(distance, 0)
    slider = bar.along("slider", distance + reach)

    mech.revolute("O1", mech.ground.at(), bar.start)
    mech.revolute("O2", o2, crank.at(-crank_length / 2))
    mech.rotation_driver("motor", o2, crank.at(-crank_length / 2), angle=angle + speed * mech.t)
    joint = mech.revolute("A", slider, crank.at(crank_length / 2))

    root, tip = bar.start, bar.end
    mech.output("s", slider.s, unit="m")
    mech.output("element", slider.piece)
    mech.output("tip", tip)
    mech.output("deflection", root.e2[0] * tip.x + root.e2[1] * tip.y, unit="m")
    mech.output("force", joint.load)
    mech.suggest(t=0.4189, h=1e-4)
    return mech

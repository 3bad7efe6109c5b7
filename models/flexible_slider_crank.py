"""Slider-crank whose connecting rod bends: a beam in a floating frame, by a few of its modes.

The crank turns at 150 rad/s. The rod, 6 mm of steel, bends by 1.5 % of its length between its pins;
`mbdgen run flexible_slider_crank --html page.html` shows it, coloured by strain. Another `kind` is
the same rod by elements in absolute coordinates, for comparison.
"""

from math import pi
from typing import Any

from mbdgen import Model, circle, material


def model(crank=0.15, rod=0.3, speed=150.0, kind="floating", modes=3, elements=4, damping=0.0):
    """Return the model.

    Parameters
    ----------
    crank, rod : float
        Lengths, in metres.
    speed : float
        Of the crank, constant.
    kind : str
        "floating", or an element of beams.
    modes, elements : int
        Of bending of the floating rod; of the other one.
    damping : float
        Of the material, in seconds.
    """
    mech = Model("flexible_slider_crank", gravity=(0, 0, 0))
    steel = material(young=2e11, density=7870, damping=damping)
    made_as: dict[str, Any] = {"points": [(crank, 0), (crank + rod, 0)], "section": circle(0.006)}
    made_as |= {"material": steel, "velocity": (0, speed * crank)}
    made_as |= {"angular_velocity": -speed * crank / rod}
    bar: Any
    if kind == "floating":
        bar = mech.floating_beam("rod", **made_as, modes=(modes, 1), frame="chord", stiffened=True)
    else:
        bar = mech.beam("rod", **made_as, elements=elements, kind=kind)
    wheel = mech.planar_body("crank", 0.1, 1e-3, angular_velocity=speed)
    half = 7870 * pi * 0.003**2 * rod / 2  # of the mass of the rod
    block = mech.planar_body("block", half, 1e-4, position=(crank + rod, 0))

    axle = mech.ground.at()
    mech.revolute("O", axle, wheel.at())
    mech.rotation_driver("motor", axle, wheel.at(), angle=speed * mech.t)
    mech.revolute("A", wheel.at(crank), bar.start)
    mech.revolute("B", bar.end, block.at())
    mech.prismatic("guide", mech.ground.at(), block.at(), axis=(1, 0, 0))

    start, middle, end = bar.start, bar.at(rod / 2), bar.end
    x, y = ((getattr(start, c) + getattr(end, c)) / 2 - getattr(middle, c) for c in "xy")
    along = (end.x - start.x) / rod, (end.y - start.y) / rod
    mech.output("deflection", along[1] * x - along[0] * y, unit="m")
    mech.output("slider", block.at().x, unit="m")
    wheel.draw.disc(0.03, width=0.02)
    block.draw.box(0.04, 0.02, 0.02)
    mech.suggest(t=0.1, h=1e-5)
    return mech

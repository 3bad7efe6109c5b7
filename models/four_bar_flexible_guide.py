"""Four-bar mechanism: crank and coupler drive a slider that keeps its angle to a flexible bar.

The guide turns about O1, the crank about O2, the coupler hangs on it and is held by the guide: its
end slides on the midline, always at 60 degrees to the tangent. With `guide="rigid"` the guide is a
rigid bar: then the moment of the slider is smooth, about which that of the flexible bar swings.
"""

from math import asin, atan2, cos, hypot, pi, sin, sqrt

from mbdgen import Model, material, rectangle

LENGTH, BAR, DISTANCE = 0.5, 0.08, 0.24  # guide, crank and coupler, O1 to O2
AREA, SECOND_MOMENT = 2.827e-5, 6.362e-11


def model(guide="flexible", elements=4, kind="omar", angle=pi / 3, speed=1.0, damping=0.0):
    """Return the model.

    Parameters
    ----------
    guide : {"flexible", "rigid"}
        What the slider moves along.
    elements : int
        Of the flexible guide.
    kind : str
        Which element.
    angle, speed : float
        Of the crank at the start, and its constant rate.
    damping : float
        Of the material, in seconds.
    """
    mech = Model("four_bar_flexible_guide", gravity=(0, 0, 0))
    # The guide touches a circle about C: where it points, and where the slider is on it.
    c = (DISTANCE + BAR * cos(angle), BAR * sin(angle))
    c_rate = (-BAR * speed * sin(angle), BAR * speed * cos(angle))
    far, radius, foot = hypot(*c), BAR * sin(pi / 3), BAR * cos(pi / 3)
    near = sqrt(far**2 - radius**2)
    tilt, s = atan2(c[1], c[0]) - asin(radius / far), near + foot
    away = (c[0] * c_rate[0] + c[1] * c_rate[1]) / far
    turning = (c[0] * c_rate[1] - c[1] * c_rate[0]) / far**2 + radius * away / (far * near)
    s_rate = far * away / near

    mass = 3939 * AREA * BAR
    bar = (mass, mass * BAR**2 / 12)
    crank = mech.planar_body(
        "crank", *bar, position=(DISTANCE, 0), angle=angle, angular_velocity=speed,
        centre_of_mass=(BAR / 2, 0),
    )  # fmt: skip
    coupler = mech.planar_body(
        "coupler", *bar, position=c, velocity=c_rate, angle=tilt - pi / 3,
        angular_velocity=turning, centre_of_mass=(BAR / 2, 0),
    )  # fmt: skip
    if guide == "rigid":
        mass = 7878 * AREA * LENGTH
        rod = mech.planar_body(
            "guide", mass, mass * LENGTH**2 / 12, angle=tilt, angular_velocity=turning,
            centre_of_mass=(LENGTH / 2, 0),
        )  # fmt: skip
        root, tip = rod.at(), rod.at(LENGTH)
        slider = rod.along("slider", lambda x: (x, 0, 0), s, speed=s_rate, ends=(0, LENGTH))
    else:
        height = sqrt(12 * SECOND_MOMENT / AREA)
        steel = material(young=200e9, density=7878, damping=damping)
        beam = mech.beam(
            "guide", [(0, 0), (LENGTH * cos(tilt), LENGTH * sin(tilt))],
            rectangle(height, AREA / height), steel, elements=elements, kind=kind,
            angular_velocity=turning,
        )  # fmt: skip
        root, tip = beam.start, beam.end
        slider = beam.along("slider", s, speed=s_rate)

    o2 = mech.ground.at(DISTANCE, 0)
    mech.revolute("O1", mech.ground.at(), root)
    mech.revolute("O2", o2, crank.at())
    mech.rotation_driver("motor", o2, crank.at(), angle=angle + speed * mech.t)
    mech.revolute("C", crank.at(BAR), coupler.at())
    joint = mech.fixed("A", slider, coupler.at(BAR))

    mech.output("s", slider.s, unit="m")
    mech.output("element", slider.piece)
    mech.output("tip", tip)
    mech.output("deflection", root.e2[0] * tip.x + root.e2[1] * tip.y, unit="m")
    mech.output("moment", joint.torque[2], unit="N m")
    # Radau's method damps what rings in the undamped bar, and in the moment of the slider.
    mech.suggest(t=1.0, h=5e-4, method="radau")
    return mech

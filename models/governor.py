"""Flyball governor (IFToMM benchmark A05): a spinning shaft, two arms with balls, a heavy slider.

Very stiff spring-dampers stand where the couplers between arms and slider would be. Height z.
"""

from math import pi
from typing import Any

from mbdgen import Model
from mbdgen.language.bodies.homogeneous_shapes import box
from mbdgen.language.bodies.orientation import axis_angle

WIDTH, EDGE, DENSITY = 0.01, 0.1, 3000.0
BAR = DENSITY * WIDTH**2  # mass of the shaft and of an arm, each 1 m long


def model(stiffness=8e5, damping=4e4, speed=2 * pi, angle=pi / 6, ball=5.0, height=0.5, g=9.81):
    """Return the model.

    Parameters
    ----------
    stiffness, damping : float
        Of each coupler.
    speed : float
        Initial rate about the vertical, of everything.
    angle, height : float
        Initial angle of the arms below the horizontal, and height of the slider.
    ball : float
        Mass at the end of each arm.
    g : float
        Gravity along -z.
    """
    mech = Model("governor", gravity=(0, 0, -g))
    k = mech.parameter("stiffness", stiffness, unit="N/m")
    c = mech.parameter("damping", damping, unit="N s/m")
    turning: dict[str, Any] = {"angular_velocity": (0, 0, speed)}

    shaft = mech.body("shaft", box(BAR, WIDTH, WIDTH, 1.0), centre_of_mass=(0, 0, 0.5), **turning)
    block = box(DENSITY * EDGE**3, EDGE, EDGE, EDGE)
    slider = mech.body("slider", block, position=(0, 0, height), **turning)
    bearing = mech.revolute("bearing", mech.ground.at(), shaft.at(), axis=(0, 0, 1))
    mech.prismatic("guide", shaft, slider, axis=(0, 0, 1))

    # Arm and ball are one body: its x axis points from the hinge to the ball.
    m = BAR + ball
    centre = (BAR * 0.5 + ball) / m
    along = BAR * WIDTH**2 / 6
    across = BAR * (1 + WIDTH**2) / 12 + BAR * (centre - 0.5) ** 2 + ball * (1 - centre) ** 2
    hinges, couplers = [], []
    for name, side, turn in (("right", 1, angle), ("left", -1, pi - angle)):
        x = side * EDGE / 2
        arm = mech.body(
            name, m, (along, across, across), centre_of_mass=(centre, 0, 0), position=(x, 0, 1),
            velocity=(0, speed * x, 0), orientation=axis_angle((0, 1, 0), turn), **turning,
        )  # fmt: skip
        hinges.append(mech.revolute(f"hinge_{name}", shaft, arm, at=(x, 0, 1), axis=(0, 1, 0)))
        ends = (slider.at(x), arm.at(0.5))  # unstressed at the start
        couplers.append(mech.spring(f"coupler_{name}", *ends, stiffness=k, damping=c))

    mech.output("shaft_angle", bearing.angle)
    mech.output("shaft_speed", bearing.rate)
    mech.output("arm_angle", angle + hinges[0].angle, unit="rad")
    mech.output("arm_rate", hinges[0].rate)
    mech.output("height", slider.at().z, unit="m")
    mech.output("height_rate", slider.at().vz, unit="m/s")
    mech.output("coupler_length", couplers[0].length)
    mech.output("ball", mech.bodies["right"].at(1.0))
    return mech

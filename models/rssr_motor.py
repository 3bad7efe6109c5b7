"""Spatial four-bar with a motor and a spring, as a manual prints it: points, angles and all.

Its parts miss each other by 3e-5 m, only the crank is said to turn, and the coupler is free to spin
about its own line: assembly corrects positions and velocities, any method runs it.
"""

from math import pi, radians, sqrt

from mbdgen import Model
from mbdgen.language.bodies.orientation import axis_angle

DIAGONAL = (1 / sqrt(2), 1 / sqrt(2), 0)


def model(speed=2 * pi, stiffness=50.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    speed : float
        Of the crank, rad/s.
    stiffness : float
        Of a spring, 8 m long, from the bearing of the crank to the end of the follower.
    g : float
        Gravity along -z.
    """
    m = Model("rssr_motor", gravity=(0, 0, -g))
    w = m.parameter("speed", speed, unit="rad/s")
    k = m.parameter("stiffness", stiffness, unit="N/m")
    crank = m.body("crank", 0.5, (0.03,) * 3, angular_velocity=(w, 0, 0))
    coupler = m.body(
        "coupler",
        m.parameter("coupler_mass", 1.5, unit="kg"),
        (0.02,) * 3,
        position=(0, 2, 4.5),
        orientation=axis_angle((1, 0, 0), radians(51.34)),
    )
    follower = m.body(
        "follower",
        0.15,
        (0.02,) * 3,
        position=(0, 4, 0),
        orientation=axis_angle((0, 0, 1), radians(45)),
    )
    end = follower.at(0, 0, 7)

    m.revolute("bearing", m.ground, crank, at=(0, 0, 0), axis=(1, 0, 0))
    m.spherical("elbow", crank.at(0, 0, 2), coupler.at(0, -3.2016, 0))
    m.spherical("wrist", coupler.at(0, 3.2016, 0), end)
    hinge = m.revolute("hinge", m.ground, follower, at=(0, 4, 0), axis=DIAGONAL)
    motor = m.relative_angle("motor", m.ground, crank, axis=(1, 0, 0), function=w * m.t)
    spring = m.spring("spring", crank.at(), coupler.at(0, 3.2016, 0), stiffness=k, length=8)

    m.output("P5", end)
    m.output("psi", hinge.angle)
    m.output("motor_torque", motor.torque)
    m.output("spring_length", spring.length)
    m.output("coupler_omega", coupler.angular_velocity)
    m.suggest(t=6, h=2e-3, method="newmark", formulation="alf3")
    return m

"""A heavy disc that rolls on the ground, such as a coin.

It has three degrees of freedom in a position of five: rolling constrains velocities. The initial
values are those of the steady motion in which it leans and rolls around a circle.
"""

from math import cos, sin

from mbdgen import Model
from mbdgen.language.bodies.orientation import axis_angle


def model(radius=0.5, mass=2.0, lean=-0.3, turn=2.0, push=0.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    radius, mass : float
        Of the disc.
    lean : float
        Initial angle of the axle above the horizontal: below zero for a turn to the left.
    turn : float
        Initial angular velocity about the vertical; how fast it has to roll follows from it.
    push : float
        Initial angular velocity about the track, which makes it wobble.
    g : float
        Gravity along -z.
    """
    m = Model("rolling_disc", gravity=(0, 0, -g))
    up, axle = (0, -sin(lean), cos(lean)), (0, cos(lean), sin(lean))
    across, along = mass * radius**2 / 4, mass * radius**2 / 2
    # (I_along + m r^2) w turn cos(lean) = (I_across turn^2 cos(lean) - m g r) sin(lean)
    tip = (across * turn**2 * cos(lean) - mass * g * radius) * sin(lean)
    w = tip / ((along + mass * radius**2) * turn * cos(lean))
    omega = [w * e + turn * cos(lean) * u for e, u in zip(axle, up, strict=True)]
    disc = m.body(
        "disc",
        mass,
        inertia=(across, along, across),
        position=(0, 0, radius * cos(lean)),
        orientation=axis_angle((1, 0, 0), lean),
        velocity=(radius * w, -radius * push * up[2], radius * push * up[1]),
        angular_velocity=(push, omega[1], omega[2]),
    )
    ground = m.ground.at(axis=(0, 0, 1))
    rolling = m.rolling_disc("rolling", ground, disc.at(axis=(0, 1, 0)), radius=radius)

    m.output("centre", disc.at())
    m.output("axle", disc.at().e2)
    m.output("omega", disc.angular_velocity)
    m.output("contact", rolling.contact)
    m.output("slip", rolling.slip)
    m.output("reaction", rolling.force)
    return m

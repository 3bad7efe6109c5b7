"""Bicycle of Carvallo and Whipple, with the numbers of the published benchmark.

Rear wheel, frame with rider, fork with handlebar and front wheel; knife-edge wheels that roll. Axes
as in vehicle dynamics: x forward, y to the right, z down; the rear wheel starts at the origin. It
rides by itself, upright, between 4.29 and 6.02 m/s.
"""

from math import cos, pi, sin

import sympy

from mbdgen import Model

REAR, FRONT = 0.3, 0.35  # radii
AXIS = (sin(pi / 10), 0, cos(pi / 10))  # of steering
# mass, centre of mass in x and z, moments of inertia about it: xx, yy, zz, xz
BODIES = {
    "rear": (2, 0, -REAR, 0.0603, 0.12, 0.0603, 0),
    "frame": (85, 0.3, -0.9, 9.2, 11, 2.8, 2.4),
    "fork": (4, 0.9, -0.7, 0.05892, 0.06, 0.00708, -0.00756),
    "front": (3, 1.02, -FRONT, 0.1405, 0.28, 0.1405, 0),
}


def model(speed=4.6, roll_rate=0.5, g=9.81):
    """Return the model.

    Parameters
    ----------
    speed, roll_rate : float
        Initial forward speed, and rate at which the upright bicycle begins to lean to the right.
    g : float
        Gravity along z.
    """
    m = Model("bicycle", gravity=(0, 0, g))
    v = m.parameter("speed", speed, unit="m/s")
    p = m.parameter("roll_rate", roll_rate, unit="rad/s")
    spin = {"rear": -v / REAR, "front": -v / FRONT}
    rear, frame, fork, front = (
        m.body(
            name,
            mass,
            inertia=((xx, 0, xz), (0, yy, 0), (xz, 0, zz)),
            position=(x, 0, z),
            velocity=(v, -p * z, 0),
            angular_velocity=(p, spin.get(name, 0), 0),
        )
        for name, (mass, x, z, xx, yy, zz, xz) in BODIES.items()
    )
    rear_hub = m.revolute("rear_hub", frame, rear, at=(0, 0, -REAR), axis=(0, 1, 0))
    headset = m.revolute("headset", frame, fork, at=(1.1, 0, 0), axis=AXIS)
    front_hub = m.revolute("front_hub", fork, front, at=(1.02, 0, -FRONT), axis=(0, 1, 0))
    up, axle = m.ground.at(axis=(0, 0, -1)), (0, 1, 0)
    behind = m.rolling_disc("behind", up, rear.at(axis=axle), radius=REAR)
    ahead = m.rolling_disc("ahead", up, front.at(axis=axle), radius=FRONT)

    forward, right, down = (frame.origin.e1, frame.origin.e2, frame.origin.e3)
    m.output("roll", sympy.asin(right[2]), unit="rad")
    m.output("yaw", sympy.atan2(-right[0], right[1]), unit="rad")
    m.output("pitch", sympy.atan2(-forward[2], down[2]), unit="rad")
    m.output("steer", headset.angle)
    m.output("steer_rate", headset.rate)
    m.output("speed", -REAR * rear_hub.rate, unit="m/s")
    m.output("front_spin", front_hub.rate)
    m.output("rear_contact", behind.contact)
    m.output("front_contact", ahead.contact)
    m.output("rider", frame.at())
    return m

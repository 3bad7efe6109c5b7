"""Spatial four-bar RSSR: a crank turned at constant speed moves a follower by a coupler on balls.

A motor drives the crank. The coupler's spin about its own line does nothing; a cardan joint in the
place of one ball takes it away.
"""

from math import pi

import numpy as np

from mbdgen import Model
from mbdgen.language.bodies.orientation import rotation_matrix

CRANK, COUPLER, FOLLOWER, BASE = 2.0, 6.4032, 7.0, 4.0
X, Y, Z = np.eye(3)
AXIS = np.array([1.0, 1.0, 0.0]) / 2**0.5  # of the follower


def model(speed=2 * pi, coupler="cardan", drive=True, stiffness=50.0, length=COUPLER, g=9.81):
    """Return the model.

    Parameters
    ----------
    speed : float
        Of the crank, rad/s.
    coupler : {"cardan", "ball"}
        How it is held at the crank; with a ball it is free to spin.
    drive : bool
        Whether there is a motor.
    stiffness : float
        Of a spring from the crank's bearing to the end of the follower, 8 m long.
    length : float
        Of the coupler; with the square root of 41 the parts fit together as they are described.
    g : float
        Gravity along -z.
    """
    if coupler not in ("cardan", "ball"):
        raise ValueError(f"coupler is {coupler!r}; choose cardan or ball")
    mech = Model("rssr_four_bar", gravity=(0, 0, -g))
    pivot, tip, end = (0, BASE, 0), (0, 0, CRANK), (0, BASE, FOLLOWER)
    along = np.subtract(end, tip) / np.linalg.norm(np.subtract(end, tip))
    turned = rotation_matrix(np.column_stack([X, along, np.cross(X, along)]))
    aslant = rotation_matrix(np.column_stack([AXIS, np.cross(Z, AXIS), Z]))

    crank = mech.body("crank", 0.5, (0.03,) * 3, angular_velocity=(speed, 0, 0))
    middle = tuple(np.add(tip, end) / 2)
    rod = mech.body("coupler", 1.5, (0.02,) * 3, position=middle, orientation=turned)
    follower = mech.body("follower", 0.15, (0.02,) * 3, position=pivot, orientation=aslant)

    mech.revolute("bearing", mech.ground, crank, at=(0, 0, 0), axis=(1, 0, 0))
    ends = crank.at(*tip), rod.at(0, -length / 2, 0)
    if coupler == "ball":
        mech.spherical("B", *ends)
    else:
        mech.universal("B", *ends, axis_a=tuple(X), axis_b=tuple(np.cross(along, X)))
    mech.spherical("C", rod.at(0, length / 2, 0), follower.at(0, 0, FOLLOWER))
    hinge = mech.revolute("hinge", mech.ground, follower, at=pivot, axis=tuple(AXIS))
    end_of_follower = follower.at(0, 0, FOLLOWER)
    mech.spring("spring", crank.at(), end_of_follower, stiffness=stiffness, length=8)
    if drive:
        motor = mech.rotation_driver(
            "motor", mech.ground, crank, axis=(1, 0, 0), angle=speed * mech.t
        )
        mech.output("motor_torque", motor.torque)

    mech.output("psi", hinge.angle)
    mech.output("psi_rate", hinge.rate)
    mech.output("P5", follower.at(0, 0, FOLLOWER))
    return mech

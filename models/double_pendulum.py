"""Double pendulum: two uniform thin rods, hinged to the ground and to each other, in the plane."""

from math import cos, sin

from mbdgen import Model
from mbdgen.language.bodies.homogeneous_shapes import rod


def model(
    L1=1.0, L2=1.0, m1=1.0, m2=1.0, angle1=0.0, angle2=0.0, w1=0.0, w2=0.0, g=9.81,
    coordinates="planar",
):  # fmt: skip
    """Return the model.

    Parameters
    ----------
    L1, L2, m1, m2 : float
        Lengths and masses of the rods.
    angle1, angle2, w1, w2 : float
        Initial angles of the rods from +x, counter-clockwise, and their rates.
    g : float
        Gravity along -y.
    coordinates : str
        Body kind of the rods: planar, natural or quaternion.
    """
    mech = Model("double_pendulum", gravity=(0, -g, 0), coordinates=coordinates)
    L1, L2 = mech.parameter("L1", L1, unit="m"), mech.parameter("L2", L2, unit="m")
    m1, m2 = mech.parameter("m1", m1, unit="kg"), mech.parameter("m2", m2, unit="kg")
    c1, s1 = cos(angle1), sin(angle1)

    # The reference point of each rod is its first pin; the centre of mass lies halfway along.
    rod1 = mech.body(
        "rod1", mass=rod(m1, L1), centre_of_mass=(L1 / 2, 0), angle=angle1, angular_velocity=w1
    )
    rod2 = mech.body(
        "rod2", mass=rod(m2, L2), centre_of_mass=(L2 / 2, 0), angle=angle2, angular_velocity=w2,
        position=(L1 * c1, L1 * s1), velocity=(-L1 * s1 * w1, L1 * c1 * w1),
    )  # fmt: skip
    pin1 = mech.revolute("pin1", mech.ground.at(), rod1.at())
    pin2 = mech.revolute("pin2", rod1.at(L1), rod2.at())

    mech.output("angle1", pin1.angle)
    mech.output("angle2", pin1.angle + pin2.angle)
    mech.output("tip1", rod1.at(L1))
    mech.output("tip2", rod2.at(L2))
    mech.output("force1", pin1.force)
    return mech

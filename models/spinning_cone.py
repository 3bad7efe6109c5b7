"""A solid cone that hangs on its tip by a ball joint and spins, released from the horizontal.

A symmetric heavy top: it swings like a pendulum, whose plane its spin of 5 rad/s turns slowly.
"""

from mbdgen import Model


def model(spin=-5.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    spin : float
        Initial angular velocity about the axis of the cone, which is its y axis.
    g : float
        Gravity along -z.
    """
    m = Model("spinning_cone", gravity=(0, 0, -g))
    cone = m.body(
        "cone",
        mass=4.0,
        inertia=(0.0375, 0.0270, 0.0375),  # height 0.4 m, radius of the base 0.15 m
        position=(0, -0.3, 0),  # of the centre of mass, 0.3 m from the tip
        angular_velocity=(0, m.parameter("spin", spin, unit="rad/s"), 0),
    )
    tip = m.spherical("tip", m.ground.at(0, 0, 0), cone.at(0, 0.3, 0))

    m.output("centre", cone.at())
    m.output("omega", cone.angular_velocity)
    m.output("axis", cone.at().e2)
    m.output("reaction", tip.force)
    m.suggest(t=5, h=2e-3)
    return m

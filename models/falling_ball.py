"""A ball that falls on the ground and bounces: contact by Hertz, damped by Hunt and Crossley."""

from mbdgen import Model


def model(restitution=0.8, law="hunt-crossley", height=5.0, radius=1.0, m=5.0, young=290e9):
    """Return the model.

    Parameters
    ----------
    restitution : float
        Coefficient of restitution that the law is given; 1 is elastic.
    law : str
        Contact law.
    height, radius, m : float
        Where the centre begins, radius and mass of the ball.
    young : float
        Young's modulus of ball and ground.
    """
    mech = Model("falling_ball", gravity=(0, 0, -9.81))
    mech.ground.made_of(young=young, poisson=0.3)
    inertia = 2 * m * radius**2 / 5
    ball = mech.body(
        "ball",
        m,
        (inertia, inertia, inertia),
        position=(0, 0, height),
        radius=radius,
        young=young,
        poisson=0.3,
    )
    mech.sphere_plane(
        "floor", ball, mech.ground, normal=(0, 0, 1), law=law, restitution=restitution
    )
    mech.output("height", ball.at().z)
    mech.suggest(t=6, h=0.01, method="rk4")
    return mech

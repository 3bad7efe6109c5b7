"""Five bars in a row, hinged to the ground and to each other: a look before the first run.

Upright and horizontal hinges take turns. With --t 0 a run only checks how it is assembled: five
revolutes are 25 constraints, which leave 30 - 25 = 5 degrees of freedom.
"""

from mbdgen import Model
from mbdgen.language.bodies.homogeneous_shapes import cylinder

AXES = ((0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0))


def model(L=0.5, m=1.0, radius=0.05, g=9.81):
    """Return the model.

    Parameters
    ----------
    L, m, radius : float
        Length, mass and radius of each bar.
    g : float
        Gravity along -z.
    """
    chain = Model("five_body_chain", gravity=(0, 0, -g))
    before = chain.ground
    for k, axis in enumerate(AXES):
        bar = chain.body(f"bar{k}", cylinder(m, radius, L), position=((k + 0.5) * L, 0, 0))
        chain.revolute(f"hinge{k}", before, bar, at=(k * L, 0, 0), axis=axis)
        before = bar
    chain.output("tip", before.at(L / 2, 0, 0))
    chain.suggest(t=2, h=1e-3)
    return chain

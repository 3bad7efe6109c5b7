"""Bricard's mechanism (IFToMM benchmark A04): six revolutes in space, one of them redundant.

A rigid-body count gives no degree of freedom, yet it moves: the axes are special.
"""

from mbdgen import Model

POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))


def model(width=0.0, m=1.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    width : float
        Side of the rods' square section; 0 means thin rods.
    m : float
        Mass of each rod; all are 1 m long.
    g : float
        Gravity along -y.
    """
    mech = Model("bricard", gravity=(0, -g, 0))
    across, along = m * (1 + width**2) / 12, m * width**2 / 6
    bodies = [mech.ground]
    for k in range(5):
        p, q = POINTS[k], POINTS[k + 1]
        centre = tuple((a + b) / 2 for a, b in zip(p, q, strict=True))
        inertia = tuple(along if a != b else across for a, b in zip(p, q, strict=True))
        bodies.append(mech.body(f"rod{k + 1}", mass=m, inertia=inertia, position=centre))
    bodies.append(mech.ground)
    for k, (point, axis) in enumerate(zip(POINTS, AXES, strict=True)):
        mech.revolute(f"J{k}", bodies[k], bodies[k + 1], at=point, axis=axis)
    for k in (1, 2, 3, 4):
        mech.output(f"P{k}", bodies[k].at(*POINTS[k], axes="global"))
    return mech

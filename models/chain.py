"""A chain of n equal links in space, released from the horizontal: as long as one likes.

Hinges leave it in the vertical plane; with ball joints it also turns about the vertical.
"""

from mbdgen import Model
from mbdgen.language.shapes import box


def model(n=10, kind="revolute", L=1.0, m=1.0, width=0.1, turn=1.0, g=9.81):
    """Return the model.

    Parameters
    ----------
    n : int
        Number of links.
    kind : {"revolute", "spherical"}
        The joints.
    L, m, width : float
        Length, mass and side of the square section of a link.
    turn : float
        Initial rate about the vertical of a chain with ball joints.
    g : float
        Gravity along -z.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"n is {n!r}; give a whole number of links, 1 or more")
    if kind not in ("revolute", "spherical"):
        raise ValueError(f"kind is {kind!r}; choose revolute or spherical")
    mech = Model("chain", gravity=(0, 0, -g))
    rate = turn if kind == "spherical" else 0.0
    link = box(m, L, width, width)
    before = mech.ground
    for i in range(n):
        body = mech.body(
            f"link{i}", link, position=((i + 0.5) * L, 0, 0), velocity=(0, rate * (i + 0.5) * L, 0),
            angular_velocity=(0, 0, rate),
        )  # fmt: skip
        at = (i * L, 0, 0)
        if kind == "revolute":
            mech.revolute(f"J{i}", before, body, at=at, axis=(0, 1, 0))
        else:
            mech.spherical(f"J{i}", before, body, at=at)
        before = body
    mech.output("tip", before.at(L / 2))
    mech.output("end_of_first", mech.bodies["link0"].at(L / 2))
    return mech

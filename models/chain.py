"""A chain of n equal links in space, released from the horizontal: as long as one likes.

Hinges leave it in the vertical plane; with ball joints it also turns about the vertical. With both
ends held it starts as the letter V, and its equilibrium is the catenary of n links.
"""

from math import acos, cos, sin

from mbdgen import Model
from mbdgen.language.bodies.homogeneous_shapes import box
from mbdgen.language.bodies.orientation import axis_angle


def model(n=10, kind="revolute", L=1.0, m=1.0, width=0.1, turn=1.0, span=None, g=9.81):
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
    span : float
        Distance of the ends if both are held, as high as each other; n must be even then.
    g : float
        Gravity along -z.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"n is {n!r}; give a whole number of links, 1 or more")
    if kind not in ("revolute", "spherical"):
        raise ValueError(f"kind is {kind!r}; choose revolute or spherical")
    if span is not None and (n % 2 or not 0 < span < n * L or kind == "spherical"):
        raise ValueError(f"span is {span!r}; give less than n L, an even n, and hinges")
    mech = Model("chain", gravity=(0, 0, -g))
    rate = turn if kind == "spherical" else 0.0
    link = box(m, L, width, width)
    slope = 0.0 if span is None else acos(span / (n * L))
    place, before = (0.0, 0.0), mech.ground
    for i in range(n):
        down = slope if 2 * i < n else -slope
        step = (L * cos(down), -L * sin(down))
        middle = (place[0] + step[0] / 2, 0, place[1] + step[1] / 2)
        body = mech.body(
            f"link{i}", link, position=middle, orientation=axis_angle((0, 1, 0), down),
            velocity=(0, rate * middle[0], 0), angular_velocity=(0, 0, rate),
        )  # fmt: skip
        at = (place[0], 0, place[1])
        if kind == "revolute":
            mech.revolute(f"J{i}", before, body, at=at, axis=(0, 1, 0))
        else:
            mech.spherical(f"J{i}", before, body, at=at)
        place, before = (place[0] + step[0], place[1] + step[1]), body
    if span is not None:
        mech.revolute("end", before.at(L / 2), mech.ground.at(span, 0, 0), axis=(0, 1, 0))
        mech.output("middle", mech.bodies[f"link{n // 2}"].at(-L / 2))
    mech.output("tip", before.at(L / 2))
    mech.output("end_of_first", mech.bodies["link0"].at(L / 2))
    return mech

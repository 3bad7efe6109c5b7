"""Two points coincide: the primitive, under its own name."""

from dataclasses import dataclass

from mbdgen.joints.spherical import Spherical


@dataclass(frozen=True)
class CommonPoint(Spherical):
    """Two points coincide (what a spherical joint states), for use in joints of your own."""

    name = "common_point"

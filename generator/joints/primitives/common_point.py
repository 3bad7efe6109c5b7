"""Coincident points: the primitive constraint."""

from dataclasses import dataclass

from mbdgen.joints.spherical import Spherical


@dataclass(frozen=True)
class CommonPoint(Spherical):
    """Two points coincide (what a spherical joint states), for use in joints of your own.

    .. math:: r_b - r_a = 0
    """

    name = "common_point"

"""Common origin."""

from dataclasses import dataclass

from mbdgen.joints.formed import FormedJoint
from mbdgen.language.markers.joint_moves import Ball


@dataclass(frozen=True)
class Spherical(FormedJoint):
    """Common origin.

    .. math:: r_b - r_a = 0
    """

    name = "spherical"
    moves = (Ball(),)

r"""Euler angles: :math:`R = R_i(\alpha) R_j(\beta) R_k(\gamma)`, intrinsic rotations.

With equal first and last letters :math:`\det \partial\bar\omega/\partial\dot o = \pm\sin\beta`,
with three different ones :math:`\pm\cos\beta`.
"""

from collections.abc import Sequence
from math import pi
from typing import ClassVar

from mbdgen.geometry.functions import cos, sin
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.euler_angles import euler_angles
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.base import Namer, OrientationSet


class Euler(OrientationSet):
    """Three successive rotations about body axes."""

    coordinates = ("alpha", "beta", "gamma")
    rebased = True
    sequence: ClassVar[str]

    def rotation(self, o: Sequence[Expr], name: Namer) -> tuple[Vec, Vec, Vec]:
        """Return the product of three rotations about coordinate axes."""
        columns = [Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)]
        for k, c, s in self._turns(o, name):
            i, j = (k + 1) % 3, (k + 2) % 3
            columns[i], columns[j] = (
                columns[i] * c + columns[j] * s,
                columns[j] * c - columns[i] * s,
            )
        x, y, z = columns
        return x, y, z

    def tangent(self, o: Sequence[Expr], name: Namer) -> Sequence[Vec]:
        """Return the axis of each rotation in body axes, rotated back by the following ones."""
        turns = self._turns(o, name)
        axes = []
        for place, (k, _, _) in enumerate(turns):
            axis: list[Expr] = [0, 0, 0]
            axis[k] = 1
            for later, c, s in turns[place + 1 :]:
                i, j = (later + 1) % 3, (later + 2) % 3
                axis[i], axis[j] = c * axis[i] + s * axis[j], c * axis[j] - s * axis[i]
            axes.append(Vec.of(axis))
        return axes

    def _turns(self, o: Sequence[Expr], name: Namer) -> list[tuple[int, Expr, Expr]]:
        """Return axis, cosine and sine of every rotation."""
        turns = zip(o, self.coordinates, self.sequence, strict=True)
        return [
            ("xyz".index(letter), name(f"cos_{called}", cos(x)), name(f"sin_{called}", sin(x)))
            for x, called, letter in turns
        ]

    def initial(self, orientation: Orientation) -> Sequence[Scalar]:
        """Return the angles of the matrix."""
        rows = orientation.matrix()
        return euler_angles(tuple(zip(*rows, strict=True)), self.sequence)


class Proper(Euler):
    """Proper Euler angles: first and last rotation about the same axis."""

    reach = "0 < beta < pi"
    singular = "beta = 0, pi"
    home = (0.0, pi / 2, 0.0)


class TaitBryan(Euler):
    """Tait-Bryan angles: rotations about three different axes."""

    reach = "|beta| < pi/2"
    singular = "|beta| = pi/2"
    home = (0.0, 0.0, 0.0)


class ZXZ(Proper):
    """Precession about z, nutation about x, spin about z."""

    name, sequence = "euler-zxz", "zxz"


class ZYZ(Proper):
    """Turns about z, y and z."""

    name, sequence = "euler-zyz", "zyz"


class XYX(Proper):
    """Turns about x, y and x."""

    name, sequence = "euler-xyx", "xyx"


class XZX(Proper):
    """Turns about x, z and x."""

    name, sequence = "euler-xzx", "xzx"


class YXY(Proper):
    """Turns about y, x and y."""

    name, sequence = "euler-yxy", "yxy"


class YZY(Proper):
    """Turns about y, z and y."""

    name, sequence = "euler-yzy", "yzy"


class XYZ(TaitBryan):
    """Turns about x, y and z: Cardan angles."""

    name, sequence = "euler-xyz", "xyz"


class XZY(TaitBryan):
    """Turns about x, z and y."""

    name, sequence = "euler-xzy", "xzy"


class YXZ(TaitBryan):
    """Turns about y, x and z."""

    name, sequence = "euler-yxz", "yxz"


class YZX(TaitBryan):
    """Turns about y, z and x."""

    name, sequence = "euler-yzx", "yzx"


class ZXY(TaitBryan):
    """Turns about z, x and y."""

    name, sequence = "euler-zxy", "zxy"


class ZYX(TaitBryan):
    """Turns about z, y and x: yaw, pitch and roll."""

    name, sequence = "euler-zyx", "zyx"

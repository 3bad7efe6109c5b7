r"""Direction cosines: the nine entries of the rotation matrix, with orthonormality conditions.

.. math:: e_i \cdot e_j = \delta_{ij}

Every entry of R is a coordinate: the kinematics is linear and free of singularities.
"""

from collections.abc import Sequence

from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.orientations.base import Namer, OrientationSet


class DirectionCosines(OrientationSet):
    """Body axes in global components, one after the other."""

    name = "direction-cosines"
    coordinates = ("e1x", "e1y", "e1z", "e2x", "e2y", "e2z", "e3x", "e3y", "e3z")
    reach = "all"
    singular = "nowhere"
    home = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    rebased = False

    def rotation(self, o: Sequence[Expr], name: Namer) -> tuple[Vec, Vec, Vec]:
        """Return the coordinates as columns."""
        return Vec.of(o[:3]), Vec.of(o[3:6]), Vec.of(o[6:])

    def initial(self, orientation: Orientation) -> Sequence[Scalar]:
        """Return the matrix by columns."""
        rows = orientation.matrix()
        return [rows[i][k] for k in range(3) for i in range(3)]

    def norms(self, o: Sequence[Expr]) -> list[Expr]:
        """Return the conditions of unit length, then of orthogonality."""
        x, y, z = Vec.of(o[:3]), Vec.of(o[3:6]), Vec.of(o[6:])
        lengths = [e.dot(e) - 1 for e in (x, y, z)]
        return [*lengths, x.dot(y), y.dot(z), z.dot(x)]

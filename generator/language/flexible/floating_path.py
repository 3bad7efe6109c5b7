"""Pieces of beams in floating frames, for markers that move along them."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from mbdgen.language.expressions.scalars import Mat33, Scalar, Vec3, sqrt
from mbdgen.language.flexible.modal_motion import Passage
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import PathPiece
from mbdgen.modal.families import integrals
from mbdgen.modal.mode_pieces import drawn_before, pieces_for, polynomials

if TYPE_CHECKING:
    from mbdgen.language.flexible.floating_beam import FloatingBeam


@dataclass(frozen=True)
class FloatingPiece(PathPiece):
    """A piece of a beam in a floating frame; all pieces belong to one body.

    Attributes
    ----------
    shape : tuple of (str, scalar)
        See `mbdgen.language.flexible.modal_motion.Passage`.
    """

    shape: tuple[tuple[str, Scalar], ...]

    def marker(self, axes: Mat33) -> Marker:
        """Return a marker with the modal displacements of the piece."""
        return Passage(self.body, (0.0, 0.0, 0.0), axes, shape=self.shape)

    def point(self, number: Scalar) -> Vec3:
        """Return the position of a point from the start of the beam."""
        return (number, 0.0, 0.0)


def pieces_of(beam: "FloatingBeam") -> list[FloatingPiece]:
    """Return the pieces on which the modes of a planar beam are polynomials."""
    modes = beam.modes
    bending, stretching = (family.modes for family in modes.families)
    count = pieces_for(modes.families)
    size, root, n = modes.length / count, sqrt(modes.mass), len(bending.values)
    w, u = polynomials(bending, count), polynomials(stretching, count)
    drawn = drawn_before(w)
    if modes.mean:
        drawn = drawn - integrals(modes.families, mean=False).c[:n, :n]
    scale = -1 / (modes.mass * modes.length)
    found = []
    for k in range(count):
        shape: list[tuple[str, Scalar]] = [("size", size)]
        for i, c in enumerate(w[k], 1):
            shape += [(f"y{i}c{power}", float(x) / root) for power, x in enumerate(c)]
        for i, c in enumerate(u[k], n + 1):
            shape += [(f"x{i}c{power}", float(x) / root) for power, x in enumerate(c)]
        pairs = combinations_with_replacement(range(modes.count), 2)
        for i, j in pairs if modes.stiffened else ():
            both = float(drawn[k, i, j]) if j < n else 0.0
            shape.append((f"bx{i + 1}_{j + 1}", scale * both))
        found.append(FloatingPiece(beam.body, k * size, tuple(shape)))
    return found

"""Pieces of beams in floating frames, for places that move along them."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from mbdgen.language.marker import Marker
from mbdgen.language.modal import Passage
from mbdgen.language.path import Piece
from mbdgen.language.scalars import Mat33, Scalar, Vec3, sqrt
from mbdgen.modal.pieces import drawn_before, pieces_for, polynomials
from mbdgen.modal.planar import integrals

if TYPE_CHECKING:
    from mbdgen.language.floating_beam import FloatingBeam


@dataclass(frozen=True)
class FloatingPiece(Piece):
    """A piece of a beam in a floating frame; all of them are of one body.

    Attributes
    ----------
    shape : tuple of (str, scalar)
        See `mbdgen.language.modal.Passage`.
    """

    shape: tuple[tuple[str, Scalar], ...]

    def marker(self, axes: Mat33) -> Marker:
        """Return a marker that knows how the modes move the piece."""
        return Passage(self.body, (0.0, 0.0, 0.0), axes, shape=self.shape)

    def point(self, number: Scalar) -> Vec3:
        """Return where a place is, from the start of the beam."""
        return (number, 0.0, 0.0)


def pieces_of(beam: "FloatingBeam") -> list[FloatingPiece]:
    """Return the pieces on which the modes are polynomials."""
    count = pieces_for(beam.bending, beam.stretching)
    size, root, n = beam.length / count, sqrt(beam.mass), len(beam.bending.values)
    w, u = polynomials(beam.bending, count), polynomials(beam.stretching, count)
    drawn = drawn_before(w)
    if beam.mean:
        drawn = drawn - integrals(beam.bending, beam.stretching, mean=False).c
    scale = -1 / (beam.mass * beam.length)
    modes = n + len(beam.stretching.values)
    found = []
    for k in range(count):
        shape: list[tuple[str, Scalar]] = [("size", size)]
        for i, c in enumerate(w[k], 1):
            shape += [(f"y{i}c{power}", float(x) / root) for power, x in enumerate(c)]
        for i, c in enumerate(u[k], n + 1):
            shape += [(f"x{i}c{power}", float(x) / root) for power, x in enumerate(c)]
        for i, j in combinations_with_replacement(range(modes), 2) if beam.stiffened else ():
            both = float(drawn[k, i, j]) if j < n else 0.0
            shape.append((f"bx{i + 1}_{j + 1}", scale * both))
        found.append(FloatingPiece(beam.body, k * size, tuple(shape)))
    return found

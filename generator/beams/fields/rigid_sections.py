r"""Elements with rigid nodal sections: orthonormal directors with Lagrange multipliers.

The vectors of a node, its *directors*, are those that rigid bodies in natural coordinates have, and
so are the conditions with their Lagrange multipliers,

.. math:: \tfrac12 (d_j \cdot d_j - 1) = 0, \qquad d_j \cdot d_k = 0 .

Elements that share a node state them once.
"""

from collections.abc import Iterator, Sequence

from mbdgen.beams.fields.fibred import Fibred
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.bodies.pose import Motion

WITHOUT = "without:"


class RigidSections(Fibred):
    """Base of elements with directors."""

    def structure(self, motion: Motion) -> str:
        """Return whether the material is viscous, and which conditions another element keeps."""
        left_out = ",".join(map(str, motion.left_out))
        return f"{super().structure(motion)} {WITHOUT}{left_out}".strip()

    def conditions(self, motion: Motion) -> Sequence[frozenset[frozenset[int]]]:
        """Return the directors of every condition."""
        return [frozenset((frozenset((j,)), frozenset((k,)))) for j, k in self._pairs()]

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return the conditions that no other element keeps."""
        vectors = self._vectors(body.q)
        listed = next(word for word in body.structure.split() if word.startswith(WITHOUT))
        left_out = {int(k) for k in listed.removeprefix(WITHOUT).split(",") if k}
        return [
            (vectors[j].dot(vectors[k]) - 1) / 2 if j == k else vectors[j].dot(vectors[k])
            for number, (j, k) in enumerate(self._pairs())
            if number not in left_out
        ]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the blocks of the directors of every condition, node by node."""
        for first in (0, 1 + len(self.node)):
            own = range(first + 1, first + 1 + len(self.node))
            yield from ((j, k) for j in own for k in own if j <= k)

r"""Contact tunnelling in statics: bodies that pass through each other within one step.

Statics iterates in steps, and a step does not check the positions between its ends: a thin wire may
be above a disc before it and below after it. On the straight line between two positions the
penetration depth :math:`d` of contacts is sampled. A body that enters a contact along one normal
:math:`n_a = \partial d/\partial q` and leaves it along another, :math:`n_b`, has slid around the
surface by the angle between them, or passed through.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.gauss_legendre import gauss
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray, SectionFunction

DEPTH = "depth"
"""Measure of contacts: penetration depth; negative without contact."""
LOOKS = 65
"""Number of sample points on the line."""
LEAST_COSINE = 0.5
"""Cosine of the largest angle between two normals that one step may slide around."""
SMALL = 1e-6
"""Step of the finite differences for normals: only their directions matter."""


class Passages:
    """Contacts of a system that a step of statics may pass through.

    Parameters
    ----------
    system : System
        With its current parameters.
    t : float
        Time.
    """

    def __init__(self, system: System, t: float) -> None:
        self._system, self._t = system, t
        self._places = system.data.contacts[:, 0]
        self._lines = [
            _Line(kind, k, system.work.p)
            for kind in system.data.along
            for k, (name, _) in enumerate(kind.quantities)
            if name == DEPTH
        ]

    def __bool__(self) -> bool:
        return bool(self._lines) or len(self._places) > 0

    def passed(self, before: FloatArray, after: FloatArray) -> str:
        """Describe the bodies that pass through each other between two positions; empty if none."""
        if not self:
            return ""
        q = before + np.linspace(0.0, 1.0, LOOKS)[:, None] * (after - before)
        outputs, bodies = self._look(q)
        for place in self._places:
            way = _crossing(outputs[:, place])
            if way is not None and _turned(*(self._normal(q[i], place) for i in way)):
                name = self._system.names.outputs[place].rpartition(".")[0]
                return f"the bodies of contact '{name}' go through each other"
        for line in self._lines:
            element = line.passed(self._t, bodies)
            if element is not None:
                return f"'{self._system.data.bodies[element]}' goes through what it touches"
        return ""

    def _look(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return outputs, if needed, and coordinates of bodies for rows of ``q``."""
        n = len(self._system.names.bodies)
        if not (n or len(self._places)):
            return np.zeros((len(q), 0)), q
        outputs = np.array([self._outputs(x) for x in q])
        return outputs, np.split(outputs[:, -n:], 3, axis=1)[0] if n else q

    def _outputs(self, q: FloatArray) -> FloatArray:
        rest, none = np.zeros_like(q), np.zeros(self._system.n_lam)
        return self._system.outputs(self._t, q, rest, rest, none)

    def _normal(self, q: FloatArray, place: int) -> FloatArray:
        steps = SMALL * (1.0 + np.abs(q).max()) * np.eye(len(q))
        ends = [[self._outputs(q + s * dq)[place] for s in (1.0, -1.0)] for dq in steps]
        found: FloatArray = np.array(ends) @ [1.0, -1.0]
        return found


@dataclass(frozen=True, eq=False)
class _Line:
    """Contacts along flexible bodies: elements of one type."""

    kind: SectionFunction
    row: int
    p: FloatArray

    def passed(self, t: float, q: FloatArray) -> int | None:
        """Return the body that passes through another one along the rows of ``q``."""
        count, places = len(self.kind.bodies), gauss(self.kind.rule)[0]
        element, xi = np.repeat(np.arange(count), len(places)), np.tile(places, count)
        at = np.moveaxis(q[:, self.kind.coordinates[element]], 2, 0)
        ways = [_crossing(depth) for depth in self._depths(t, at, element, xi).T]
        met = np.array([k for k, way in enumerate(ways) if way is not None], np.int64)
        if not len(met):
            return None
        rows = np.array([way for way in ways if way is not None])
        enters, leaves = (self._normals(t, q, k, element[met], xi[met]) for k in rows.T)
        for k, a, b in zip(met, enters, leaves, strict=True):
            if _turned(a, b):
                return int(self.kind.bodies[element[k]])
        return None

    def _depths(self, t: float, q: FloatArray, element: IntArray, xi: FloatArray) -> FloatArray:
        """Return penetration depths for coordinates of shape (coordinates, rows, points)."""
        out = np.zeros((len(self.kind.quantities), *q.shape[1:]))
        rest = np.zeros_like(q)
        numbers = self.p[self.kind.numbers[element].T][:, None, :]
        with np.errstate(all="ignore"):
            self.kind.function(np.full((1, 1), t), q, rest, rest, xi, numbers, out)
        found: FloatArray = out[self.row]
        return found

    def _normals(
        self, t: float, q: FloatArray, rows: IntArray, element: IntArray, xi: FloatArray
    ) -> FloatArray:
        """Return the gradients of the depths, one row for each point."""
        at = q[rows[:, None], self.kind.coordinates[element]].T
        n = len(at)
        steps = SMALL * (1.0 + np.abs(at).max()) * np.vstack([np.eye(n), -np.eye(n)])
        depths = self._depths(t, at[:, None, :] + steps.T[:, :, None], element, xi)
        found: FloatArray = (depths[:n] - depths[n:]).T
        return found


def _crossing(depth: FloatArray) -> tuple[int, int] | None:
    """Return the indices at which a path enters and leaves a contact, if it does."""
    deepest = int(np.argmax(depth))
    if not depth[deepest] > 0.0:
        return None
    outside = np.flatnonzero(depth <= 0.0)
    left, right = outside[outside < deepest], outside[outside > deepest]
    enters = int(left[-1]) + 1 if len(left) else 0
    return enters, int(right[0]) - 1 if len(right) else len(depth) - 1


def _turned(a: FloatArray, b: FloatArray) -> bool:
    """Return whether the angle between two normals is larger than a step may slide around."""
    return bool(a @ b < LEAST_COSINE * np.linalg.norm(a) * np.linalg.norm(b))

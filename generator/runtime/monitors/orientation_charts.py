"""Orientation charts during a run: distance to coordinate singularities, and chart switching.

Bodies are checked between steps, at least whenever one can have rotated by `LOOK`. The chart of a
body is switched if that increases the distance to the singularity by the factor `FARTHER`; if
switching is disabled, the run stops where the coordinates become singular. Recorded coordinates
refer to the initial bases of the model.
"""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.monitors.chart_switch_log import Switch
from mbdgen.runtime.monitors.orientation_chart import (
    OrientationChart,
    base_of,
    find,
    switch,
    take_motion,
    write_base,
)
from mbdgen.runtime.monitors.recorder import Record
from mbdgen.runtime.system.displacement_maps import accelerations_of, slopes_of, switched_of
from mbdgen.runtime.system.run_workspace import State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

FARTHER = 4.0
"""Smallest increase of the distance to the singularity that makes a switch worthwhile."""
LOOK = 0.15
"""Rotation in radians without a check: charts remain valid at least twice as far beyond the
orientation where a switch becomes worthwhile.
"""
FAILED = 1e-6
"""Distance to the singularity that counts as zero."""
NEAR = 0.05
"""Distance to the singularity that explains a failed step."""
ITERATIONS = 60
EXACT, ALMOST = 1e-14, 1e-9
"""Convergence tolerance between axes in radians, and the one accepted at stagnation."""


class OrientationCharts:
    """Orientation charts of one run: bodies whose orientation coordinates have singularities.

    Parameters
    ----------
    system : System
        System of the run.
    rebase : bool
        Whether charts may be switched.
    """

    def __init__(self, system: System, rebase: bool) -> None:
        self._system, self.rebase = system, rebase
        self.all = find(system)
        self.switches: list[Switch] = []
        self._extremes = np.array([[np.inf, 0.0]] * len(self.all)).reshape(-1, 2)
        self._margins, self._steps = [0.0] * len(self.all), 1
        self._converted: dict[int, FloatArray] = {}
        self.failed: OrientationChart | None = None

    def __bool__(self) -> bool:
        return bool(self.all)

    @property
    def measures(self) -> dict[str, float]:
        """Extreme determinants of ``d omega/d o_dot`` by body, and the number of switches."""
        found: dict[str, float] = {}
        for attitude, (least, largest) in zip(self.all, self._extremes.tolist(), strict=True):
            found |= {f"least det {attitude.name}": least, f"largest det {attitude.name}": largest}
        return {**found, "switches": float(len(self.switches))} if self.all else {}

    def look(self, state: State, h: float) -> tuple[int, bool]:
        """Return the number of steps until the next check, and whether a chart was switched.

        0 steps mean that the run must stop: `failed` says why.
        """
        out = self._out(state)
        switched, fastest, nearest = False, 0.0, 1.0
        for k, attitude in enumerate(self.all):
            margin = attitude.margin(out)
            if self.rebase and self._worth_it(attitude, state, out, margin):
                switch(self._system, attitude, state)
                self._note(attitude, float(state.clock[0]))
                switched = True
                out = self._out(state)
                margin = attitude.margin(out)
            elif not self.rebase:
                # At this rate the singularity would be reached within the next step.
                if margin < FAILED or margin < (self._margins[k] - margin) / self._steps:
                    self.failed = attitude
                    return 0, switched
                nearest = min(nearest, margin)
            self._margins[k] = margin
            size = float(np.prod(attitude.singular_values(out)))
            least, largest = self._extremes[k]
            self._extremes[k] = min(least, size), max(largest, size)
            fastest = max(fastest, attitude.turning(state, out))
        steps = LOOK * nearest / max(fastest * abs(h), LOOK / 1e6)
        self._steps = max(1, int(steps))
        return self._steps, switched

    def reason(self, attitude: OrientationChart, t: float) -> str:
        """Return a message about the singularity of a body, with advice."""
        remedy = SMALLER if self.rebase else REMEDY
        return (
            f"Body '{attitude.name}' came to an orientation where its coordinates "
            f"'{attitude.body.kind}' fail, after t = {t:g} s. {remedy}"
        )

    def nearest(self, state: State) -> OrientationChart | None:
        """Return a body close to a singularity, if there is one."""
        out = self._out(state) if self.all else np.zeros(0)
        found = sorted((a.margin(out), k) for k, a in enumerate(self.all))
        return self.all[found[0][1]] if found and found[0][0] < NEAR else None

    def check_initial_bases(self) -> None:
        """Refuse initial orientations that require a base, if none may be used."""
        for attitude in self.all:
            body = attitude.body
            if not self.rebase and body.rebased and not _is_identity(self._first_base(attitude)):
                raise OptionError(
                    f"Body '{attitude.name}' begins where its coordinates '{body.kind}' fail, and "
                    "rebase=False.",
                    REMEDY,
                )

    def reset(self) -> None:
        """Reset all bases to their initial values."""
        for attitude in self.all:
            if attitude.body.rebased:
                write_base(self._system, attitude.body, self._first_base(attitude))

    def as_begun(self, record: Record, rows: range) -> None:
        """Convert records to the initial bases; NaN at singularities."""
        moved = [a for a in self.all if a.body.rebased and not self._at_first(a)]
        if not moved:
            return
        system = self._system
        p = system.work.p.copy()
        state = new_state(system.n_q, system.n_lam)
        for row in rows:
            vectors = record.q[row], record.v[row], record.a[row]
            out = system.displacements(0.0, *vectors)
            self.reset()
            for target, source in zip((state.q, state.v, state.a), vectors, strict=True):
                target[:] = source
            for attitude in moved:
                self._convert(attitude, state, vectors, out)
            system.work.p[:] = p
            for target, source in zip(vectors, (state.q, state.v, state.a), strict=True):
                target[:] = source

    def _convert(
        self,
        attitude: OrientationChart,
        state: State,
        vectors: tuple[FloatArray, ...],
        out: FloatArray,
    ) -> None:
        """Convert axes to coordinates by Newton's method, starting from the previous record."""
        body, system = attitude.body, self._system
        wanted = switched_of(body, out).reshape(3, 3)
        home = np.array(body.home)
        guesses = [self._converted.get(body.first, home), home]
        for guess in guesses:
            state.q[attitude.numbers] = guess
            if _newton(system, attitude, state, wanted):
                break
        else:
            for vector in (state.q, state.v, state.a):
                vector[attitude.numbers] = np.nan
            return
        self._converted[body.first] = state.q[attitude.numbers].copy()
        u = slopes_of(body, out) @ vectors[1][attitude.coordinates]
        take_motion(system, attitude, state, u, accelerations_of(body, out))

    def _worth_it(
        self, attitude: OrientationChart, state: State, out: FloatArray, margin: float
    ) -> bool:
        if attitude.body.rebased:
            return FARTHER * margin < 1.0
        if 2.0 * margin > 1.0:
            return False
        other = state.q.copy()
        other[attitude.numbers] = switched_of(attitude.body, out)
        rest = np.zeros(len(other))
        there = self._system.displacements(float(state.clock[0]), other, rest, rest)
        return attitude.margin(there) > FARTHER * margin

    def _note(self, attitude: OrientationChart, t: float) -> None:
        columns = attitude.numbers
        rebased = attitude.body.rebased
        self.switches.append(Switch(t, attitude.name, columns.start, columns.stop, rebased))

    def _out(self, state: State) -> FloatArray:
        return self._system.displacements(float(state.clock[0]), state.q, state.v, state.a)

    def _first_base(self, attitude: OrientationChart) -> FloatArray:
        entries, body = np.zeros(9), attitude.body
        entries[body.bases[:, 1]] = self._system.data.tables.p[body.bases[:, 0]]
        return entries.reshape(3, 3).T

    def _at_first(self, attitude: OrientationChart) -> bool:
        now = base_of(self._system, attitude.body)
        return bool(np.array_equal(now, self._first_base(attitude)))


REMEDY = (
    "Leave rebase on (with sensitivities nothing is switched), turn the axes of the body by its "
    "`orientation`, or choose other coordinates: 'quaternion' never fails."
)
SMALLER = "Try a smaller step, or choose other coordinates: 'quaternion' never fails."


def _is_identity(base: FloatArray) -> bool:
    return bool(np.array_equal(base, np.eye(3)))


def _newton(system: System, attitude: OrientationChart, state: State, wanted: FloatArray) -> bool:
    """Rotate a body to the wanted axes, one in each row; return whether that was possible."""
    body, rest = attitude.body, np.zeros(system.n_q)
    columns, change, error = attitude.coordinates, np.zeros(body.n_q), np.inf
    before = np.inf
    for _ in range(ITERATIONS):
        out = system.displacements(0.0, state.q, rest, rest)
        slopes, axes = slopes_of(body, out), switched_of(body, out)
        if not (np.isfinite(slopes).all() and np.isfinite(axes).all()):
            if not change.any():
                return False
            change *= 0.5  # too far: no such orientation coordinates
            state.q[columns] -= change
            continue
        turn = _rotation_vector(axes.reshape(3, 3) @ wanted.T)
        error = float(np.abs(turn).max())
        if error < EXACT or (before < ALMOST and error > 0.1 * before):  # only round-off remains
            return True
        before = error
        u = np.zeros(body.n_u)
        u[body.attitude - body.first :] = turn
        change = np.linalg.pinv(slopes) @ u
        state.q[columns] += change
    return error < ALMOST


def _rotation_vector(matrix: FloatArray) -> FloatArray:
    """Return the rotation vector (axis times angle); any valid axis near half a turn."""
    skew = np.array(
        [
            matrix[2, 1] - matrix[1, 2],
            matrix[0, 2] - matrix[2, 0],
            matrix[1, 0] - matrix[0, 1],
        ]
    )
    sine = 0.5 * float(np.linalg.norm(skew))
    angle = float(np.arctan2(sine, 0.5 * (np.trace(matrix) - 1.0)))
    return 0.5 * skew * (angle / sine if sine > 1e-12 else 1.0)


__all__ = ["REMEDY", "OrientationCharts"]

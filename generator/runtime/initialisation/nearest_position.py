r"""Position nearest to stated positions of bodies, in relative or eliminated coordinates.

.. math::
    \min \tfrac12 |q_b(s) - q_b^0|^2 + \tfrac12 |s_f - s_f^0|^2, \qquad \phi(s) = 0,

with the coordinates :math:`q_b` of the bodies as functions of the coordinates :math:`s`, and the
coordinates :math:`s_f` that do not move a stated body. Assembly in body coordinates minimises the
change of :math:`q_b`, too; the positions differ by terms of second order.
"""

import numpy as np

from mbdgen.runtime.initialisation.fast_initialisation import FITS
from mbdgen.runtime.initialisation.stated_bodies import BodyStates
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

PASSES = 60
SETTLED = 1e-13
RANK = 1e-10
"""Singular values below this, relative to the largest, count as zero."""


def begin_near_stated(system: System, t: float) -> FloatArray:
    """Return an initial guess from which assembly converges to the nearest position.

    If the initial conditions are consistent with those of bodies, or others were given, it is
    ``q0``.
    """
    q = system.q0.copy()
    table = system.data.stated
    if not len(table.coordinates) or not (system.as_given or len(table.held)):
        return q
    bodies = BodyStates(system, t)
    wanted, rest = bodies.stated()[0], np.zeros(system.n_q)
    at = table.coordinates[:, 0]
    if np.abs(bodies.of(q, rest)[0] - wanted)[at].max() <= FITS * np.abs(wanted).max():
        return q
    return _nearest(system, t, bodies, wanted)


def _nearest(system: System, t: float, bodies: BodyStates, wanted: FloatArray) -> FloatArray:
    """Apply the Gauss-Newton method in the null space of the constraints."""
    q, rest, free = system.q0.copy(), np.zeros(system.n_q), ~system.data.fixed
    at, prescribed = system.data.stated.coordinates[:, 0], system.data.stated.held
    alone = None
    for _ in range(PASSES):
        position, units = bodies.of(q, rest)[0], bodies.by_velocities(q)[1]
        if alone is None:  # coordinates that no stated body depends on
            alone = ~units[:, at].any(axis=1)
        phi = system.residual(t, q, rest, rest, np.zeros(system.n_lam))[system.position_rows]
        rows = np.vstack(
            [system.jacobian(t, q, system.position_rows).toarray(), units[:, prescribed].T]
        )
        left = np.concatenate([phi, (position - wanted)[prescribed]])
        aims = np.vstack([units[:, at].T, np.eye(system.n_q)[alone]])
        gaps = np.concatenate([(wanted - position)[at], (system.q0 - q)[alone]])
        if not all(np.isfinite(x).all() for x in (rows, left, aims, gaps)):
            return system.q0.copy()
        change = np.zeros(system.n_q)
        change[free] = _step(rows[:, free], -left, aims[:, free], gaps)
        size = float(np.abs(change).max(initial=0.0))
        limit = 0.5 * (1.0 + float(np.abs(q).max(initial=0.0)))
        q += change * min(1.0, limit / size) if size > 0.0 else 0.0
        if size <= SETTLED * (1.0 + float(np.abs(q).max(initial=0.0))):
            break
    return q


def _step(rows: FloatArray, left: FloatArray, aims: FloatArray, gaps: FloatArray) -> FloatArray:
    """Return ``x`` with ``rows x = left`` of least ``|aims x - gaps|`` (null-space method)."""
    if len(rows) == 0:
        return np.asarray(np.linalg.lstsq(aims, gaps, rcond=RANK)[0])
    u, sizes, vt = np.linalg.svd(rows)
    rank = int((sizes > RANK * sizes.max(initial=0.0)).sum())
    there = vt[:rank].T @ ((u[:, :rank].T @ left) / sizes[:rank])
    null = vt[rank:].T
    if null.shape[1] == 0:
        return there
    along = np.linalg.lstsq(aims @ null, gaps - aims @ there, rcond=RANK)[0]
    found: FloatArray = there + null @ along
    return found

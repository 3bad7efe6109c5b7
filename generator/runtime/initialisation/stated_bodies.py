r"""Stated initial conditions of bodies, in systems with relative or eliminated coordinates.

Such coordinates cannot express every initial position and velocity of the bodies. The parameter
table contains the stated ones; the initial conditions that the coordinates can express are the
nearest ones, for positions in the Euclidean norm of body coordinates, and for velocities in the
metric of kinetic energy,

.. math::
    \min \sum_k \tfrac12 (J_k v - \tau_k)^T M_k (J_k v - \tau_k),

whose gradient, besides :math:`M (v - v_0)` of the coordinates themselves, is the momentum
:math:`b = \sum_k J_k^T M_k (\tau_k - J_k v_0)` of the misfit. If other initial conditions are
assigned to a system, these take the place of the stated ones.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mbdgen.interface import LEVELS
from mbdgen.runtime.initialisation.fast_initialisation import FITS
from mbdgen.runtime.results.body_motion import BodyMotion, BodyPlaces
from mbdgen.runtime.system.displacement_maps import rates_of_displacements
from mbdgen.runtime.system.run_workspace import INDEX_1
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

EPS = 1e-10
"""Regularisation of fixed velocities, relative to the response to a unit impulse."""
TINY = 1e-8
MOVED = 1e-12
"""Tolerance within which orientations are the same."""


@dataclass(frozen=True)
class FixedRates:
    """Fixed velocities in assembly: ``rows v = wanted``.

    Attributes
    ----------
    rows : sparse array, shape (k, n_q)
        Coefficients of the velocities.
    wanted : array
        Their values.
    forces : sparse array, shape (n_q, k)
        Directions of their reactions, in the rows of the equations of motion.
    eps : array
        Regularisation, which makes redundant ones harmless.
    bodies : tuple of str
        Names of the bodies with fixed velocities.
    """

    rows: sp.csr_array
    wanted: FloatArray
    forces: sp.csr_array
    eps: FloatArray
    bodies: tuple[str, ...]


class BodyStates:
    """Coordinates of the bodies of a system as functions of the generalised coordinates.

    Parameters
    ----------
    system : System
        In any coordinates.
    t : float
        The instant, for prescribed motions.
    """

    def __init__(self, system: System, t: float) -> None:
        self._system, self._t, self._bodies = system, t, BodyPlaces.of(system)
        self._own = not system.names.bodies

    def of(self, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return coordinates and rates of the bodies at a state of the system."""
        if self._own:
            return q, v
        rest = np.zeros(self._system.n_q), np.zeros(self._system.n_lam)
        found = self._system.outputs(self._t, q, v, *rest)[len(self._system.names.outputs) :]
        bodies = np.split(found, len(LEVELS))
        return bodies[0], bodies[1]

    def by_velocities(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the rates of the bodies at ``v = 0``, and their change by every unit velocity."""
        rest = self.of(q, np.zeros(len(q)))[1]
        rows = [self.of(q, unit)[1] - rest for unit in np.eye(len(q))]
        return rest, np.array(rows).reshape(len(q), len(rest))

    def motion(self, q: FloatArray, v: FloatArray) -> BodyMotion:
        """Return the motion of the bodies from their coordinates and rates (one state per row)."""
        q = np.broadcast_to(q, np.atleast_2d(v).shape)
        return self._bodies.motion(q, np.atleast_2d(v), np.zeros(q.shape))

    def twists(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """Return velocities of centres of mass and angular velocities, ``(rows, bodies, 6)``."""
        found = self.motion(q, v)
        return np.concatenate([found.v, found.w], axis=2)

    def stated(self) -> tuple[FloatArray, FloatArray]:
        """Return the stated coordinates and rates of the bodies."""
        system, table = self._system, self._system.data.stated
        q, v = (x.copy() for x in self.of(system.q0, system.v0))
        if len(table.coordinates) and system.as_given:
            at, of_q, of_v = table.coordinates.T
            q[at], v[at] = system.work.p[of_q], system.work.p[of_v]
        return q, v


def fits(system: System, t: float) -> bool:
    """Whether the initial conditions of a system equal those stated of its bodies."""
    if not (len(system.data.stated.coordinates) and system.as_given):
        return True
    bodies = BodyStates(system, t)
    pairs = zip(bodies.of(system.q0, system.v0), bodies.stated(), strict=True)
    return all(_same(*pair) for pair in pairs)


def _same(one: FloatArray, other: FloatArray) -> bool:
    largest = np.abs(other).max(initial=0.0)
    return bool(np.abs(one - other).max(initial=0.0) <= FITS * largest)


def momentum_of_misfits(
    system: System, t: float, q: FloatArray, v: FloatArray
) -> FloatArray | None:
    """Return ``b`` in the rows of the equations of motion; None if everything fits."""
    if fits(system, t):
        return None
    bodies = BodyStates(system, t)
    given = bodies.twists(*bodies.stated())[0]
    now, units = bodies.by_velocities(q)
    position = bodies.of(q, np.zeros(len(q)))[0]
    still = bodies.twists(position, now)[0]
    columns = bodies.twists(position, now + units) - still
    axes = bodies.motion(position, now).R[0]
    found = np.zeros(len(q))
    for body, at in system.data.stated.inertias:
        mass, tensor = system.work.p[at], system.work.p[at + 1 : at + 10].reshape(3, 3)
        missing = given[body] - still[body] - v @ columns[:, body]
        turn = axes[body] @ tensor @ axes[body].T @ missing[3:]
        found += columns[:, body] @ np.concatenate([mass * missing[:3], turn])
    rows: FloatArray = rates_of_displacements(system, t, q).T @ found
    return rows


def fixed_rates(system: System, t: float, q: FloatArray) -> FixedRates:
    """Return the fixed velocities at a position, with their stated values."""
    own = np.flatnonzero(system.data.fixed_velocity)
    table, names = system.data.stated, system.names
    rows = [np.eye(system.n_q)[own]]
    wanted = [system.v0[own]]
    holders = [names.row_owners[k] for k in own]
    if len(own):
        wanted = [_turned_along(system, t, q)[own]]
    if len(table.held_velocity) or len(table.twists):
        bodies = BodyStates(system, t)
        states, (rest, units) = bodies.stated(), bodies.by_velocities(q)
        at = table.held_velocity
        rows.append(units[:, at].T)
        wanted.append(states[1][at] - rest[at])
        holders += [names.bodies[k].rpartition(".")[0] for k in at] if names.bodies else []
        position = bodies.of(q, np.zeros(len(q)))[0]
        given, still = bodies.twists(*states)[0], bodies.twists(position, rest)[0]
        columns = bodies.twists(position, rest + units) - still
        for body, turns in table.twists:
            part = slice(3, 6) if turns else slice(0, 3)
            rows.append(columns[:, body, part].T)
            wanted.append((given[body] - still[body])[part])
            holders.append(system.data.bodies[body])
    matrix = np.vstack(rows)
    return _fixed_rates(system, t, q, matrix, np.concatenate(wanted), tuple(dict.fromkeys(holders)))


def _fixed_rates(
    system: System,
    t: float,
    q: FloatArray,
    matrix: FloatArray,
    wanted: FloatArray,
    bodies: tuple[str, ...],
) -> FixedRates:
    rows = sp.csr_array(matrix)
    if not len(wanted):
        return FixedRates(rows, wanted, sp.csr_array((system.n_q, 0)), wanted, bodies)
    forces = sp.csr_array(rates_of_displacements(system, t, q).T @ matrix.T)
    zero, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    mass = abs(system.matrix(t, q, zero, zero, lam, INDEX_1))[:, : system.n_q].max(axis=0)
    mass = mass.toarray().ravel()
    mass[mass == 0.0] = mass.max(initial=0.0) or 1.0
    eps = EPS * (matrix**2 / mass).sum(axis=1)
    eps = np.maximum(eps, TINY * eps.max(initial=0.0))  # some have no effect here
    return FixedRates(rows, wanted, forces, np.where(eps > 0.0, eps, EPS), bodies)


def _turned_along(system: System, t: float, q: FloatArray) -> FloatArray:
    """Return stated rates; orientations corrected by assembly keep their angular velocity."""
    v = system.v0.copy()
    if np.abs(q - system.q0).max(initial=0.0) <= MOVED:
        return v
    before = rates_of_displacements(system, t, system.q0)
    found: FloatArray = rates_of_displacements(system, t, q) @ (np.linalg.pinv(before) @ v)
    kept = np.ones(system.n_q, bool)
    blocks: list[tuple[int, int]] = [(int(a), int(n)) for a, n in system.data.unit_blocks]
    blocks += [(body.first, body.n_q) for body in system.data.displaced]
    for first, size in blocks:
        kept[first : first + size] = False
    found[kept] = v[kept]
    return found


def fixed_positions(system: System) -> IntArray:
    """Return the indices of fixed coordinates of bodies, besides those of the system."""
    return system.data.stated.held


def holds_velocities(system: System) -> bool:
    """Whether any velocity is fixed."""
    table = system.data.stated
    return bool(system.data.fixed_velocity.any() or len(table.held_velocity) or len(table.twists))

"""Work of drivers and loads within one step, by Lobatto quadrature of the power.

Within the step the motion is interpolated by a polynomial of degree 5. At the Lobatto nodes
accelerations and reactions are those of the equations of motion: the power there, and at the ends,
gives the work with order 5. For methods of higher order, the motion at these nodes is integrated
again from the accelerations found there (Picard iteration towards the collocation method Lobatto
IIIA, of order 10), each iteration raising the order by one.

This is used for steps that are large compared with the motion, as with error control; quadrature
over the powers of earlier steps would fail: see `mbdgen.runtime.monitors.work_quadrature`.
"""

import numpy as np

from mbdgen.runtime.linalg.linear_solver import (
    FACTORS,
    Factors,
    SingularMatrixError,
    analyse,
    new_factors,
)
from mbdgen.runtime.monitors.events import Knot
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.results.hermite_interpolation import quintic
from mbdgen.runtime.solvers.constraint_projections import find_accelerations
from mbdgen.runtime.system.kernel_calls import evaluate_energies, factorise_mass
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    REPIVOT_MASS,
    STATE,
    WORK,
    RunWorkspace,
    State,
    new_state,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

ORDER = 5
"""Order of the work without iterations; each of these adds one."""
MOST_SWEEPS = 3
MOST_PIVOTS = 3
NODES, MORE_NODES = 5, 6
"""Number of Lobatto nodes; the latter for methods of an order above `ORDER`."""


def lobatto(count: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Lobatto nodes and weights in (0, 1), and ``A``, integrals from 0 to each node."""
    last = np.polynomial.legendre.Legendre.basis(count - 1)
    nodes = 0.5 + 0.5 * np.concatenate([[-1.0], np.sort(last.deriv().roots()), [1.0]])
    powers = np.arange(count)
    values = nodes[:, None] ** powers
    up_to: FloatArray = nodes[:, None] ** (powers + 1) / (powers + 1) @ np.linalg.inv(values)
    return nodes, up_to[-1], up_to


@separate(
    types.int64(KERNELS, WORK, FACTORS, STATE, REAL_TABLE, REAL_ARRAY),
)
def powers_at(
    kernels: Kernels,
    work: RunWorkspace,
    factors: Factors,
    at: State,
    nodes: FloatArray,
    powers: FloatArray,
) -> int:
    """Solve for accelerations and powers at inner nodes; ``(t, q, v, a)`` are the rows."""
    n_q = len(at.q)
    for k in range(1, len(nodes) - 1):
        row = nodes[k]
        at.clock[0] = row[0]
        for i in range(n_q):
            at.q[i], at.v[i], at.a[i] = row[1 + i], row[1 + n_q + i], row[1 + 2 * n_q + i]
        status = factorise_mass(kernels, work, factors, at, at.clock[0])
        if status == OK:
            status = find_accelerations(kernels, work, factors, at)
        if status == OK:
            t = at.clock[0]
            status = evaluate_energies(kernels, work, t, at.q, at.v, at.a, at.lam)
        if status != OK:
            return status
        powers[k] = work.energies[2]
        for i in range(n_q):
            row[1 + 2 * n_q + i] = at.a[i]
    return OK


class WorkOfStep:
    """Work of single steps, with its workspace.

    Parameters
    ----------
    system : System
        System of the run.
    order : int
        Order of its method.
    """

    def __init__(self, system: System, order: int) -> None:
        pattern = system.work.indptr, system.work.indices
        self._system, self._factors = system, new_factors(*pattern)
        self._at = new_state(system.n_q, system.n_lam)
        self._sweeps = min(max(order - ORDER, 0), MOST_SWEEPS)
        count = NODES if self._sweeps == 0 else MORE_NODES
        self._abscissae, self._weights, self._of_v = lobatto(count)
        self._of_q = self._of_v @ self._of_v
        self._nodes = np.zeros((count, 1 + 3 * system.n_q))

    def between(self, left: Knot, right: Knot) -> float | None:
        """Return the work from one state to the next; None if it cannot be computed."""
        system, nodes, n = self._system, self._nodes, self._system.n_q
        h, powers = right.t - left.t, np.zeros(len(nodes))
        if not system.data.powered or h == 0.0:
            return 0.0
        xi = self._abscissae[:, None]
        q, v, a = quintic(h, xi, (left.q, left.v, left.a), (right.q, right.v, right.a))
        nodes[:, 0] = left.t + h * self._abscissae
        nodes[:, 1 : 1 + n], nodes[:, 1 + n : 1 + 2 * n], nodes[:, 1 + 2 * n :] = q, v, a
        nodes[0, 1 + 2 * n :], nodes[-1, 1 + 2 * n :] = left.a, right.a
        counted = system.work.counters[FACTORISATIONS]
        try:
            for sweep in range(self._sweeps + 1):
                if sweep > 0:
                    found = nodes[:, 1 + 2 * n :]
                    nodes[:, 1 : 1 + n] = left.q + h * xi * left.v + h * h * (self._of_q @ found)
                    nodes[:, 1 + n : 1 + 2 * n] = left.v + h * (self._of_v @ found)
                if not self._solve(powers):
                    return None
        finally:
            system.work.counters[FACTORISATIONS] = counted
        powers[0] = system.energies(*left.state)[2]
        powers[-1] = system.energies(*right.state)[2]
        return h * float(self._weights @ powers)

    def _solve(self, powers: FloatArray) -> bool:
        """Solve for accelerations and powers at the nodes, with new pivots where needed."""
        tables, kernels = self._system.work, self._system.kernels
        for _ in range(MOST_PIVOTS):
            status = powers_at(kernels, tables, self._factors, self._at, self._nodes, powers)
            if status != REPIVOT_MASS:
                return bool(status == OK and np.isfinite(powers).all())
            try:
                self._factors = analyse(tables.indptr, tables.indices, tables.values)
            except SingularMatrixError:
                return False
        return False

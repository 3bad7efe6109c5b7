"""Dense workspace of steps with a formulation, in addition to `RunWorkspace`."""

from typing import NamedTuple

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.system.run_workspace import INT_ARRAY, INT_TABLE, REAL_ARRAY, REAL_TABLE
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

# Indices into ``Dense.sizes``: number of coordinates, multipliers, all unknowns, variables
# integrated besides coordinates and velocities, degrees of freedom; whether positions are projected
# after a step, whether the formulation completes positions or velocities, whether a step is about
# to end.
N_Q, N_LAM, N, N_Z, DOF, PROJECTS, COMPLETES, AT_END = range(8)
# Indices into ``Dense.numbers``: weights of phi, phi_dot, phi_ddot in the imposed constraint, and
# the compliance of its multipliers; then the options of the formulation.
OF_PHI, OF_PHI_DOT, OF_PHI_DDOT, COMPLIANCE, OPTIONS = range(5)


SQUARES = 6
"""Number of square matrices of all unknowns in the workspace."""
MOST_BYTES = 1.5e9
"""Memory limit of these matrices; an elimination of that size takes a minute."""


class DenseWorkspace(NamedTuple):
    """Dense workspace of one run.

    Attributes
    ----------
    numbers : array
        Imposed combination of the formulation, and its options: see the indices above.
    sizes : array of int
        See the indices above.
    dynamics : array of int
        Rows of the dynamics, in their order; the others, ``work.rows``, are constraint rows.
    places : array of int
        For each row: its index among the dynamics rows, or ``-1 - k`` for constraint ``k``.
    z, z_dot : array
        Variables that a formulation integrates besides ``q`` and ``v``, and their rates. They are
        part of the motion, as is ``work.kept``.
    rows : array, shape (rows of the method, 2 n_q + n_z)
        Row 0 of an explicit method is the slope at the state. Others are free for the method and
        are preserved from step to step.
    times : array
        One time for each row, preserved like the rows.
    y : array
        One vector ``(q, v, z)``.
    K : array, shape (n, n)
        ``[A, -G^T; H, D]``, as `mbdgen.runtime.solvers.saddle_point` fills it.
    rhs, x : array
        Right-hand side and solution of ``K x = rhs``, where ``x`` is ``(a, lam)`` or their
        increments.
    spare : array, shape (4, n, n)
        Workspace of eliminations, during one call.
    line : array, shape (8, n)
        Workspace of eliminations and projections, during one call.
    order : array of int
        Row permutation of a factorisation.
    held, held_order : array, shape (n + 4, n), and array of int, shape (9, n)
        Data kept by eliminations (`mbdgen.runtime.linalg.pivot_reuse`): zero at the beginning, and
        preserved from step to step like ``rows``.
    blocks : array of int, shape (6, n)
        Diagonal blocks of the pattern, from `mbdgen.runtime.solvers.block_solve`: zero at the
        beginning, and no part of the motion.
    measured : array
        Quantities measured by the method along the run, see
        `mbdgen.runtime.integrators.base.Method`.
    """

    numbers: FloatArray
    sizes: IntArray
    dynamics: IntArray
    places: IntArray
    z: FloatArray
    z_dot: FloatArray
    rows: FloatArray
    times: FloatArray
    y: FloatArray
    K: FloatArray
    rhs: FloatArray
    x: FloatArray
    spare: FloatArray
    line: FloatArray
    order: IntArray
    held: FloatArray
    held_order: IntArray
    blocks: IntArray
    measured: FloatArray


DENSE = types.NamedTuple(
    (
        *(REAL_ARRAY, INT_ARRAY),
        *(INT_ARRAY, INT_ARRAY),
        *(REAL_ARRAY, REAL_ARRAY),
        *(REAL_TABLE, REAL_ARRAY, REAL_ARRAY),
        REAL_TABLE,
        *(REAL_ARRAY, REAL_ARRAY),
        types.float64[:, :, ::1],
        REAL_TABLE,
        INT_ARRAY,
        *(REAL_TABLE, INT_TABLE, INT_TABLE),
        REAL_ARRAY,
    ),
    DenseWorkspace,
)


def split(rows: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return ``dynamics`` and ``places`` of a `DenseWorkspace` with ``n`` rows."""
    dynamics = np.setdiff1d(np.arange(n), rows)
    places = np.empty(n, np.int64)
    places[dynamics] = np.arange(len(dynamics))
    places[rows] = -1 - np.arange(len(rows))
    return dynamics, places


def new_dense_workspace(
    system: System,
    numbers: FloatArray,
    dof: int,
    z: FloatArray,
    rows: int,
    projects: bool,
    completes: bool,
    measures: int = 0,
    whole: bool = True,
) -> DenseWorkspace:
    """Allocate the workspace of a run.

    Parameters
    ----------
    system : System
        System to be integrated.
    numbers : array
        Imposed combination of the formulation, and its options.
    dof : int
        Degrees of freedom at the initial, consistent position: ranks are never determined later.
    z : array
        Initial values of the variables that the formulation integrates.
    rows : int
        Number of rows that the method needs.
    projects : bool
        Whether a projector corrects the end of each step.
    completes : bool
        Whether the formulation changes positions or velocities that depend on others.
    measures : int
        Number of quantities that the method measures.
    whole : bool
        Whether matrices of the whole mechanism are needed.
    """
    n_q, n_lam, n = system.n_q, system.n_lam, system.n
    side = n if whole else 0
    if SQUARES * 8 * side**2 > MOST_BYTES:
        raise OptionError(
            f"Formulations work with matrices of all {n} unknowns of '{system.data.model}', which "
            f"need {SQUARES * 8 * n**2 / 1e9:.2g} GB.",
            "Take a method by itself (newmark, rk4), or the formulation 'blocks' if no joints "
            "connect the bodies.",
        )
    n_y = 2 * n_q + len(z)
    dynamics, places = split(system.work.rows, n)
    return DenseWorkspace(
        numbers=numbers,
        sizes=np.array([n_q, n_lam, n, len(z), dof, int(projects), int(completes), 0]),
        dynamics=dynamics,
        places=places,
        z=z,
        z_dot=np.zeros(len(z)),
        rows=np.zeros((rows, n_y)),
        times=np.zeros(rows),
        y=np.zeros(n_y),
        K=np.zeros((side, side)),
        rhs=np.zeros(n),
        x=np.zeros(n),
        spare=np.zeros((4, side, side)),
        line=np.zeros((8, n)),
        order=np.zeros(n, np.int64),
        held=np.zeros((side + 4, n)),
        held_order=np.zeros((9, n), np.int64),
        blocks=np.zeros((6, n), np.int64),
        measured=np.zeros(measures),
    )

"""Factors of the index-1 matrix ``[M, -G^T; H, eps]``; explanation of a singular mass matrix."""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import SingularSystemError
from mbdgen.runtime.accuracy.violated_equations import undefined
from mbdgen.runtime.initialisation import fast_initialisation
from mbdgen.runtime.initialisation.fast_initialisation import SINGULAR_RESPONSE
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


def factors(system: System, t: float, q: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return a solver of the index-1 matrix, or explain why it is singular."""
    matrix = system.index_1_matrix(t, q)
    if not np.isfinite(matrix.data).all():
        raise undefined(system, t, q)
    try:
        solve: Callable[[FloatArray], FloatArray] = splu(matrix).solve
    except RuntimeError:
        raise massless(system, matrix) from None
    if _response(system, matrix, solve)[1] > SINGULAR_RESPONSE:
        raise massless(system, matrix)
    return solve


def massless(system: System, matrix: sp.csc_array) -> SingularSystemError:
    """Explain a singular index-1 matrix by the coordinates of a motion without inertia.

    The perturbed matrix responds to any force with that motion.
    """
    size = abs(matrix).max(axis=1).toarray().ravel()
    size[size == 0.0] = size.max() or 1.0
    disturbed = sp.csc_array(matrix + sp.diags_array(1e-13 * size))
    motion = _response(system, matrix, splu(disturbed).solve)[0]
    largest = np.flatnonzero(motion > 0.3 * motion.max())[:6]
    bodies = ", ".join(dict.fromkeys(f"'{system.names.row_owners[k]}'" for k in largest))
    names = ", ".join(f"'{system.names.coordinates[k]}'" for k in largest)
    cause = f"The mass matrix is singular: {bodies} can move (in {names}) without any inertia."
    if all(system.names.coordinates[k].rpartition(".")[2] not in tuple("xyz") for k in largest):
        # Pure rotation: mostly of a thin rod between spherical joints.
        return SingularSystemError(
            cause,
            "If it is a thin rod between two spherical joints, which can spin about its own line, "
            "give it a moment of inertia about that line, or put a universal joint instead of "
            "one of them; otherwise constrain that motion.",
        )
    return SingularSystemError(
        cause, "Give the body mass and inertia there, or constrain that motion."
    )


def _response(
    system: System, matrix: sp.csc_array, solve: Callable[[FloatArray], FloatArray]
) -> tuple[FloatArray, float]:
    """Return accelerations under random forces, and their size after equilibration."""
    scaled = abs(matrix)
    rows = scaled.max(axis=1).toarray().ravel()
    rows[rows == 0.0] = 1.0
    columns = (sp.diags_array(1.0 / rows) @ scaled).max(axis=0).toarray().ravel()
    force = fast_initialisation.random_force(system.n, system.work.rows) * rows
    with np.errstate(all="ignore"):
        motion = np.nan_to_num(np.abs(solve(force))[: system.n_q], nan=np.inf)
        return motion, float((motion * columns[: system.n_q]).max(initial=0.0))

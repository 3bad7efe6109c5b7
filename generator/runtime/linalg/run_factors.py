"""Factors of one run: iteration matrix and index-1 matrix; choice and renewal of their pivots."""

import logging

import numpy as np

from mbdgen.errors import SingularSystemError
from mbdgen.runtime.accuracy.violated_equations import undefined
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.linalg.factor_storage import SPARSE, UNKNOWN
from mbdgen.runtime.linalg.index1_factors import massless
from mbdgen.runtime.linalg.linear_solver import (
    OK,
    Factors,
    SingularMatrixError,
    analyse,
    factorise,
    new_factors,
)
from mbdgen.runtime.linalg.sparsity import lasting_entries
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.run_workspace import INDEX_1, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

LOG = logging.getLogger("mbdgen.runtime.linalg.run_factors")

SINGULAR = {
    run_workspace.REPIVOT_TANGENT: run_workspace.SINGULAR_TANGENT,
    run_workspace.REPIVOT_MASS: run_workspace.SINGULAR_MASS,
}
"""Final status after a request for pivots, if there are none."""


def factors_at(
    system: System, state: State, weights: tuple[float, float, float]
) -> tuple[Factors, FloatArray]:
    """Factorise ``[c_q r_q + c_v r_v + c_a r_a, -G^T; H, eps]`` at a state; return also its values.

    Raises
    ------
    AssemblyError, SingularSystemError
        If the iteration matrix is not finite, or singular.
    """
    t, tables = float(state.clock[0]), system.work
    matrix = system.matrix(t, state.q, state.v, state.a, state.lam, weights)
    if not np.isfinite(matrix.data).all():
        raise undefined(system, t, state.q, state.v)
    matrix.data[tables.diagonal] += tables.eps
    kept = lasting_entries(system, state, weights)
    try:
        return analyse(tables.indptr, tables.indices, matrix.data, kept), matrix.data
    except SingularMatrixError:
        if weights != INDEX_1:
            _, masses = factors_at(system, state, INDEX_1)
            raise _lost(system, matrix.data, masses) from None
        raise massless(system, system.index_1_matrix(t, state.q)) from None


def _lost(system: System, values: FloatArray, masses: FloatArray) -> SingularSystemError:
    """Explain a singular iteration matrix by the forces that exceed the masses most."""
    sizes = np.zeros((2, system.n))
    for size, entries in zip(sizes, (values, masses), strict=True):
        np.maximum.at(size, system.work.indices, np.abs(entries))
    row = int(np.argmax(sizes[0] / np.maximum(sizes[1], 1e-300)))
    return SingularSystemError(
        f"The iteration matrix of the first step is singular in double precision, near "
        f"'{system.names.row_owners[row]}' ({system.names.rows[row]}): forces are so stiff, or so "
        "strongly damped, that masses are lost in their rounding errors.",
        "Correct stiffnesses and dampings there, or hold together by a joint what they hold.",
    )


class RunFactors:
    """Factors of the iteration matrix and of the index-1 matrix ``[M, -G^T; H, eps]``.

    Parameters
    ----------
    system, method, options
        System, integration method and its options.

    Attributes
    ----------
    tangent, mass : Factors
        Factors for steps; without pivots until `choose` or `renew`.
    """

    def __init__(self, system: System, method: Method, options: tuple[float, ...]) -> None:
        self._system, self._method, self._options = system, method, options
        self.forget()

    def forget(self) -> None:
        """Reset to no pivots: regular fused steps do not need any."""
        pattern = self._system.work.indptr, self._system.work.indices
        self.tangent, self.mass = new_factors(*pattern), new_factors(*pattern)
        self._system.work.memory[:] = 0.0

    def choose(self, state: State, h: float) -> None:
        """Choose pivots of both matrices at a state, and factorise them."""
        tangent = self._method.tangent_weights(h, self._options)
        self.mass, _ = factors_at(self._system, state, INDEX_1)
        # Explicit methods have no iteration matrix.
        self.tangent = self.mass
        if tangent != INDEX_1:
            self.tangent, _ = factors_at(self._system, state, tangent)
        self._system.work.memory[:] = 0.0

    def restart(self, state: State, h: float) -> None:
        """Update the factors after a change of parameters, with new pivots if necessary."""
        self._system.work.memory[:] = 0.0
        unknown = UNKNOWN in (self.mass.header[1], self.tangent.header[1])
        matrix = self._system.index_1_matrix(float(state.clock[0]), state.q)
        if unknown or factorise(self.mass, matrix.data) != OK:
            self.choose(state, h)

    def renew(self, status: int, state: State) -> bool:
        """Choose new pivots for the last values; False if the matrix is singular."""
        values = self._system.work
        old = self.mass if status == run_workspace.REPIVOT_MASS else self.tangent
        kept = None
        if old.header[1] == SPARSE:
            kept = np.union1d(old.a_source, np.flatnonzero(values.values)).astype(np.int64)
        try:
            factors = analyse(values.indptr, values.indices, values.values, kept)
        except SingularMatrixError:
            return False
        LOG.debug("new pivots at t = %g", state.clock[0])
        if status == run_workspace.REPIVOT_MASS:
            self.mass = factors
            self.factorise_mass(state)
        else:
            self.tangent = factors
        return True

    def factorise_mass(self, state: State) -> None:
        """Factorise ``[M, -G^T; H, eps]`` at the position of the state, as a step expects."""
        matrix = self._system.index_1_matrix(float(state.clock[0]), state.q)
        factorise(self.mass, matrix.data)

"""Null-space method by Gaussian elimination (LU) with full pivoting.

``[N^T M; H] a = [N^T f; gamma]`` with ``N = [-H_d^-1 H_i; 1]``: unknowns without a pivot are
independent. Pivots are reused from step to step, and chosen again when one of them becomes small.
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.pivot_reuse import SMALL
from mbdgen.runtime.solvers.coordinate_partition import eliminate_by_pivots
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace


@eliminates
def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """See `mbdgen.runtime.solvers.coordinate_partition.eliminate_by_pivots`."""
    return eliminate_by_pivots(work, dense, SMALL)


FORMULATION = Formulation(
    name="nullspace-lu",
    text="reactions eliminated by a null space from Gauss elimination, pivots kept",
    source="M. A. Serna, R. Aviles, J. Garcia de Jalon: Dynamic analysis of plane mechanisms with "
    "lower pairs in basic coordinates, Mech. Mach. Theory 17 (1982) 397-403.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)

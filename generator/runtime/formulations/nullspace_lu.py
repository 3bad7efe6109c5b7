"""Null space by Gauss elimination with full pivoting, and its extraction procedure.

``[N^T M; H] a = [N^T f; gamma]`` with ``N = [-H_d^-1 H_i; 1]``: unknowns without a pivot are
independent. Pivots are kept from step to step, and extracted anew when one of them becomes small.
"""

from mbdgen.runtime.dense.kept import SMALL
from mbdgen.runtime.dense.partition import eliminate_by_pivots
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.work import Work


@eliminates
def eliminate(work: Work, dense: Dense) -> int:
    """See `mbdgen.runtime.dense.partition.eliminate_by_pivots`."""
    return eliminate_by_pivots(work, dense, SMALL)


FORMULATION = Formulation(
    name="nullspace-lu",
    text="reactions eliminated by a null space from Gauss elimination, pivots kept",
    source="M. A. Serna, R. Aviles, J. Garcia de Jalon: Dynamic analysis of plane mechanisms with "
    "lower pairs in basic coordinates, Mech. Mach. Theory 17 (1982) 397-403.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)

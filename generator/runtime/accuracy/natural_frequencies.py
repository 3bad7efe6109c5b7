"""Natural frequencies: the highest one of a mechanism along a motion of any method.

It is that of ``M_R^-1 K_R`` in the minimal coordinates at each instant
(`mbdgen.runtime.solvers.minimal_coordinates`), including velocity-dependent terms: it determines
the largest stable step size of ``nullspace-newmark``, and approximately that of other conditionally
stable methods.
"""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.solvers.dense_workspace import DENSE, DOF, DenseWorkspace, new_dense_workspace
from mbdgen.runtime.solvers.linearised_equations import linearise, new_linear
from mbdgen.runtime.solvers.minimal_coordinates import make_chart, new_chart
from mbdgen.runtime.steps.nullspace_newmark_step import highest_frequency
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State, new_state
from mbdgen.runtime.system.second_derivatives import check_kernels
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@separate(types.float64(KERNELS, WORK, STATE, DENSE))
def frequency_at(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> float:
    """Highest frequency at a state; NaN if its equations cannot be evaluated."""
    linear = new_linear(work, dense)
    chart = new_chart(linear, dense.sizes[DOF])
    if linearise(kernels, work, state, dense, linear) != OK:
        return np.nan
    if make_chart(linear, state, chart) != OK:
        return np.nan
    return highest_frequency(linear, chart)


def frequencies(system: System, result: Result) -> FloatArray:
    """Return the highest natural frequency at every recorded instant, in rad/s; see `measures`."""
    check_kernels(system, ("slopes",), "The frequency along a motion")
    if result.q.shape[1] != system.n_q or result.lam.shape[1] != system.n_lam:
        raise OptionError(
            f"The motion of '{result.info.model}' is not one of '{system.data.model}'.",
            "Give the system that was simulated.",
        )
    state = new_state(system.n_q, system.n_lam)
    imposed, nothing = np.array([0.0, 0.0, 1.0, 0.0]), np.zeros(0)
    dense = new_dense_workspace(system, imposed, result.info.dof, nothing, 0, False, False)
    found = np.zeros(len(result.t))
    system.regularise(float(result.t[0]), result.q[0])
    for k, t in enumerate(result.t):
        state.clock[0] = t
        state.q[:], state.v[:], state.a[:] = result.q[k], result.v[k], result.a[k]
        state.lam[:] = result.lam[k]
        found[k] = frequency_at(system.kernels, system.work, state, dense)
    return found

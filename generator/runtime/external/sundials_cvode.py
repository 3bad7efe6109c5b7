"""CVODE of SUNDIALS by scikit-sundae: multistep methods of variable order for ``y' = f(t, y)``."""

from typing import Any

import numpy as np

from mbdgen.runtime.external.external_solver import (
    ATOL,
    RTOL,
    ExternalEquations,
    Refused,
    all_finite,
    import_sundials,
)
from mbdgen.runtime.external.solver_names import CVODE
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.system.run_workspace import LIBRARY_FAILED
from mbdgen.runtime.system.system_data import FloatArray


class Sundials:
    """One integration; see `mbdgen.runtime.external.external_solver.Solver`.

    Parameters
    ----------
    solver : object
        Of scikit-sundae, initialised.
    equations : ExternalEquations
        What it integrates, and from where.
    end : float
        To where.
    taken : slice or list of int
        Indices of the library's unknowns that are ``(q, v, z)``, and the work.
    failures : list
        Exceptions of callbacks, which cannot propagate through SUNDIALS.
    """

    def __init__(
        self,
        solver: Any,
        equations: ExternalEquations,
        end: float,
        taken: Any,
        failures: list[Refused],
    ) -> None:
        self._solver, self._taken, self._failures = solver, taken, failures
        self._t, self._direction = equations.t, np.sign(end - equations.t)
        self._stepped = equations.stepped
        self.steps = 0

    def to(self, t: float) -> FloatArray:
        """Make steps up to or beyond ``t``, and interpolate by SUNDIALS (dense output)."""
        while self._direction * (t - self._t) > 0.0:
            answer = self._ask(t, "onestep")
            reached = float(answer.t)
            # After an interpolation the first answer is the step that went past it.
            if reached != self._t:
                self.steps += 1
                self._stepped(reached, np.array(answer.y)[self._taken])
            self._t = reached
        y = np.array(self._ask(t, "normal").y)[self._taken]
        if not all_finite(y):
            raise Refused(LIBRARY_FAILED, "the solution is not finite")
        return y

    def _ask(self, t: float, how: str) -> Any:
        try:
            result = self._solver.step(t, method=how)
        except Exception as error:  # in any case, the library has failed
            raise Refused(LIBRARY_FAILED, str(error)) from error
        if self._failures:
            raise self._failures[0]
        if not result.success:
            raise Refused(LIBRARY_FAILED, str(result.message))
        return result


def solver(equations: ExternalEquations, scheme: Scheme, end: float) -> Sundials:
    """Begin an integration."""
    cvode = import_sundials("sksundae.cvode", "cvode")
    rtol, atol = scheme.tolerances or (RTOL, ATOL)
    failures: list[Refused] = []

    def slope(t: float, y: FloatArray, y_dot: FloatArray) -> None:
        try:
            y_dot[:] = equations.slope(t, y)
        except Refused as failure:
            failures.append(failure)
            y_dot[:] = np.nan

    found = cvode.CVODE(
        slope,
        method=CVODE[int(scheme.values[0])],
        rtol=rtol,
        atol=equations.accepted(atol) if equations.works else atol,
    )
    found.init_step(equations.t, equations.y)
    return Sundials(found, equations, end, slice(len(equations.y)), failures)

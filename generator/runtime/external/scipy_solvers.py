"""Solvers of ``scipy.integrate.solve_ivp``, step by step, with dense output."""

from typing import Any

import numpy as np

from mbdgen.runtime.external.external_solver import ATOL, RTOL, ExternalEquations, Refused
from mbdgen.runtime.external.solver_names import SCIPY
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.system.run_workspace import LIBRARY_FAILED
from mbdgen.runtime.system.system_data import FloatArray


class ScipySolver:
    """One integration; see `mbdgen.runtime.external.external_solver.Solver`."""

    def __init__(self, equations: ExternalEquations, scheme: Scheme, end: float) -> None:
        from scipy import integrate  # slow to import

        rtol, atol = scheme.tolerances or (RTOL, ATOL)
        accepted = equations.accepted(atol) if equations.works else atol
        kind = getattr(integrate, SCIPY[int(scheme.values[0])])
        self._solver: Any = kind(
            equations.slope, equations.t, equations.y, end, rtol=rtol, atol=accepted
        )
        self._direction = np.sign(end - equations.t)
        self._interpolant: Any = None
        self.steps, self._stepped = 0, equations.stepped

    def to(self, t: float) -> FloatArray:
        """Make steps up to or beyond ``t``, and interpolate (dense output)."""
        while self._direction * (t - self._solver.t) > 0.0:
            message = self._solver.step()
            if self._solver.status == "failed":
                raise Refused(LIBRARY_FAILED, str(message))
            self._interpolant = None
            self.steps += 1
            self._stepped(float(self._solver.t), np.array(self._solver.y))
        if t == self._solver.t:
            return np.array(self._solver.y)
        if self._interpolant is None:
            self._interpolant = self._solver.dense_output()
        return np.ascontiguousarray(self._interpolant(t))


def solver(equations: ExternalEquations, scheme: Scheme, end: float) -> ScipySolver:
    """Begin an integration."""
    return ScipySolver(equations, scheme, end)

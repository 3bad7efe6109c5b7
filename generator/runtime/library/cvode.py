"""CVODE of SUNDIALS by scikit-sundae: multistep methods of variable order for ``y' = f(t, y)``."""

from typing import Any

import numpy as np

from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.library.base import ATOL, RTOL, Equations, Refused, all_finite, require
from mbdgen.runtime.library.names import CVODE
from mbdgen.runtime.scheme import Scheme
from mbdgen.runtime.work import LIBRARY_FAILED

MOST_STEPS = 1_000_000
"""Between two recorded instants."""


class Sundials:
    """One integration; see `mbdgen.runtime.library.base.Solver`.

    Parameters
    ----------
    solver : object
        Of scikit-sundae, initialised.
    size : int
        Numbers of ``(q, v, z)``.
    failures : list
        What functions called by SUNDIALS could not raise through it.
    """

    def __init__(self, solver: Any, size: int, failures: list[Refused]) -> None:
        self._solver, self._size, self._failures = solver, size, failures
        self.steps = 0

    def to(self, t: float) -> FloatArray:
        """Return the solution that SUNDIALS interpolates."""
        try:
            result = self._solver.step(t)
        except Refused as failure:
            raise failure
        except Exception as error:  # whatever it is, the library has given up
            raise Refused(LIBRARY_FAILED, str(error)) from error
        if self._failures:
            raise self._failures[0]
        self.steps = int(result.nfev)
        y = np.array(result.y[: self._size])
        if not result.success or not all_finite(y):
            raise Refused(LIBRARY_FAILED, str(result.message))
        return y


def solver(equations: Equations, scheme: Scheme, end: float) -> Sundials:
    """Begin an integration."""
    cvode = require("sksundae.cvode", "cvode")
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
        atol=atol,
        max_num_steps=MOST_STEPS,
    )
    found.init_step(equations.t, equations.y)
    return Sundials(found, len(equations.y), failures)

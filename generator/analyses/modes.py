"""Natural frequencies and damping of small vibrations about a state of rest."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from mbdgen.analyses.base import SystemAnalysis
from mbdgen.analyses.table import Column, Table
from mbdgen.errors import OptionError
from mbdgen.runtime.assemble import assemble
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State

AT_REST = 1e-6
"""Largest velocity and acceleration, in units of the model, that still count as rest."""
RANK = 1e-9
"""Singular values below this part of the largest belong to the null space."""


@dataclass(frozen=True)
class Modes(SystemAnalysis):
    r"""Natural frequencies and damping ratios about the initial state, which must be at rest.

    The residual is linearised, ``M da + C dv + K dq - G^T dlam = 0`` with ``H dq = 0``, and reduced
    by the null spaces ``H N = 0`` and ``Z^T G^T = 0`` (they differ where rates of coordinates are
    no velocities): ``(s^2 Z^T M N + s Z^T C N + Z^T K N) y = 0``. A pair
    ``s = -zeta w +- i w sqrt(1 - zeta^2)`` is one mode.

    Parameters
    ----------
    t : float
        Instant of a model that depends on time.
    """

    name = "modes"

    t: float = 0.0

    def of(self, system: System) -> Table:
        """Return frequency, damping ratio and the eigenvalue of every mode, slowest first."""
        state = assemble(system, self.t)
        _require_rest(system, state)
        values = _eigenvalues(*_reduced(system, state))
        # One of a conjugate pair; real eigenvalues stand for themselves.
        kept = values[values.imag >= -1e-9 * np.abs(values).max(initial=0.0)]
        kept = kept[np.lexsort((kept.real, np.abs(kept)))]
        size = np.abs(kept)
        ratio = np.divide(-kept.real, size, out=np.zeros(len(kept)), where=size > 0.0)
        return Table(
            f"Vibrations of '{system.data.model}' about its state at t = {self.t:g} s",
            (
                Column("frequency", "Hz", kept.imag / (2 * np.pi)),
                Column("damping_ratio", "", ratio),
                Column("real", "1/s", kept.real),
                Column("imaginary", "rad/s", kept.imag),
            ),
        )


def _require_rest(system: System, state: State) -> None:
    for what, values in (("velocity", state.v), ("acceleration", state.a)):
        largest = int(np.argmax(np.abs(values)))
        if abs(values[largest]) > AT_REST:
            raise OptionError(
                f"Model '{system.data.model}' is not at rest: the {what} of "
                f"'{system.names.coordinates[largest]}' is {values[largest]:.3g}.",
                "Give initial values of an equilibrium, with zero velocities.",
            )


def _reduced(system: System, state: State) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return ``Z^T M N``, ``Z^T C N`` and ``Z^T K N``."""
    n_q, rows = system.n_q, system.work.rows
    dynamics = np.setdiff1d(np.arange(system.n), rows)
    at = (float(state.clock[0]), state.q, state.v, state.a, state.lam)
    unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    parts = [system.matrix(*at, weights).toarray() for weights in unit]
    right = scipy.linalg.null_space(parts[0][np.ix_(rows, np.arange(n_q))], rcond=RANK)
    left = scipy.linalg.null_space(parts[0][np.ix_(dynamics, np.arange(n_q, system.n))].T, RANK)
    stiffness, damping, mass = (left.T @ part[dynamics, :n_q] @ right for part in parts)
    return mass, damping, stiffness


def _eigenvalues(mass: FloatArray, damping: FloatArray, stiffness: FloatArray) -> FloatArray:
    n = len(mass)
    zero, one = np.zeros((n, n)), np.eye(n)
    state = np.block([[zero, one], [-stiffness, -damping]])
    values: FloatArray = scipy.linalg.eigvals(state, scipy.linalg.block_diag(one, mass))
    return values

r"""Linearisation of a mechanism about a state: state-space model (A, B, C, D).

.. math::
    \dot x = A x + B u, \qquad y = C x + D u

with ``x = (z, w)``: variations of independent displacements and of independent speeds, as many of
each as the degrees of freedom on that level.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, LINEAR
from mbdgen.mechanics.linear_inputs import inputs_of
from mbdgen.mechanics.linear_outputs import changes_of
from mbdgen.mechanics.spaces import space
from mbdgen.mechanics.tangent import tangent
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.monitors.angle_unwrapping import forget_turns
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.system_features import features_of

ComplexArray = NDArray[np.complex128]

STEADY = 1e-6
"""Tolerance for accelerations of independent speeds in a steady motion, in units of the model."""
NEAR = 1e-9
"""Tolerance for the distance from a steady motion, relative to ``1 + max |q|`` (round-off)."""


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Linear state-space model of a mechanism, with the meaning of its variables.

    Attributes
    ----------
    A, B, C, D : array
        ``x_dot = A x + B u``, ``y = C x + D u``.
    states, inputs, outputs : tuple of str
        Names of ``x``, ``u`` and ``y``.
    at : State
        State of the linearisation.
    dq, dv : array, shape (n_q, n_x)
        Variations of coordinates and velocities for a unit of each state variable.
    unsteady : float
        Largest acceleration of an independent speed at the state: 0 at rest and in steady motion,
        where ``A`` is constant in time.
    offset : float
        Distance of the state from one with zero accelerations: the largest change of a coordinate
        by the linear model; infinite if it has no such state.
    """

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: State
    dq: FloatArray
    dv: FloatArray
    unsteady: float
    offset: float = np.inf

    @property
    def steady(self) -> bool:
        """Whether the state is at rest or in steady motion, up to round-off.

        Stiff, light parts have large accelerations from the round-off of their positions.
        """
        near = NEAR * (1.0 + float(np.abs(self.at.q).max(initial=0.0)))
        return self.unsteady <= STEADY or self.offset <= near

    def __repr__(self) -> str:
        named = (("states", self.states), ("inputs", self.inputs), ("outputs", self.outputs))
        counted = ", ".join(f"{len(names)} {what}" for what, names in named)
        return f"LinearModel: {counted}, about t = {self.at.clock[0]:g} s"

    def eigenvalues(self) -> ComplexArray:
        """Return the eigenvalues of ``A``, sorted by absolute value."""
        values = np.linalg.eigvals(self.A).astype(complex)
        return values[np.lexsort((values.imag, values.real, np.abs(values)))]


@takes_model
def linearise(
    system: System,
    t: float = 0.0,
    *,
    at: State | None = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> LinearModel:
    """Linearise a mechanism about any state: ``x_dot = A x + B u``, ``y = C x + D u``.

    Parameters
    ----------
    system : System or model
        Loaded with ``load(model, second=True)`` if the state is not at rest. All derivatives are
        exact.
    t : float
        Time at which the initial conditions are assembled.
    at : State, optional
        Another consistent state, of `mbdgen.statics` or `mbdgen.assemble`. The full turns of angles
        are those found by `statics` just before, or else those of the initial position.
    inputs : sequence of str
        Drivers by name, rows of the dynamics by their name (``rod: force along x``), or parameters,
        for which the system is loaded with ``load(model, sensitivities=True)``. For an input in the
        constraints (drivers, lengths) the input is its second derivative, and its value and rate
        are states. Variable masses are taken at the current instant, without momentum flow.
    outputs : sequence of str
        Series or groups of series of a result, such as ``tip`` or ``rod.theta.dot``. Outputs of the
        model need ``sensitivities=True``, too.

    Returns
    -------
    LinearModel
        With names of all its variables: columns of B and D are the inputs, rows of C and D the
        outputs, both in the requested order.
    """
    require(ANALYSIS_LIMITS, features_of(system), run=LINEAR)
    if at is None:
        forget_turns(system)
    state = assemble(system, t) if at is None else at
    wanted = inputs_of(system, state, inputs)
    found = tangent(system, state, wanted)
    variables, n_x = found.variables, int(found.variables.y_dot.stop)
    # Behind the states come the inputs: y_ddot and f; y and y_dot are integrals of y_ddot.
    integrals = (variables.unit(part) for part in (variables.y_dot, variables.y_ddot))
    rates = np.vstack([found.z_dot, found.w_dot, *integrals])
    drift = np.concatenate([np.zeros(len(found.positions)), found.unsteady, np.zeros(n_x)])[:n_x]
    names, rows = changes_of(system, state, found, wanted, outputs)
    asked = [n_x + place for place in wanted.places]
    return LinearModel(
        A=rates[:, :n_x],
        B=rates[:, asked],
        C=rows[:, :n_x],
        D=rows[:, asked],
        states=(*found.positions, *found.speeds, *wanted.states),
        inputs=wanted.names,
        outputs=names,
        at=state,
        dq=found.dq[:, :n_x],
        dv=found.dv[:, :n_x],
        unsteady=float(np.abs(found.unsteady).max(initial=0.0)),
        offset=_offset(rates[:, :n_x], found.dq[:, :n_x], drift),
    )


def _offset(A: FloatArray, dq: FloatArray, drift: FloatArray) -> float:
    """Return the largest change of a coordinate on the way to ``A x + drift = 0``."""
    if not np.abs(drift).max(initial=0.0) > STEADY:
        return 0.0
    x = -space(A).inverse @ drift
    if np.abs(A @ x + drift).max() > STEADY:
        return np.inf
    return float(np.abs(dq @ x).max(initial=0.0))

r"""Frequency response (transfer function, Bode plot) of a linear model, and root locus.

.. math::
    G(i \omega) = C (i \omega - A)^{-1} B + D
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from mbdgen.errors import OptionError
from mbdgen.mechanics.linearise import LinearModel, linearise
from mbdgen.mechanics.statics import statics
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, FloatsLike

ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Response:
    """Frequency response of a linear model.

    Attributes
    ----------
    omega : array, shape (n,)
        Frequencies in rad/s.
    G : array, shape (n, n_outputs, n_inputs)
        Complex amplitudes of the outputs for inputs of amplitude 1.
    inputs, outputs : tuple of str
        Their names.
    """

    omega: FloatArray
    G: ComplexArray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def of(self, output: str, input: str) -> ComplexArray:
        """Return the response of one output to one input."""
        for name, known in ((output, self.outputs), (input, self.inputs)):
            if name not in known:
                raise OptionError(
                    f"The response has no '{name}'.", f"There are: {', '.join(known) or 'none'}."
                )
        return self.G[:, self.outputs.index(output), self.inputs.index(input)]

    def save_plot(self, output: str, input: str, path: str | os.PathLike[str]) -> None:
        """Save a Bode plot (amplitude and phase) of one output as png, svg or pdf."""
        from mbdgen.view.frequency_plots import save_bode

        save_bode(self.omega, self.of(output, input), f"{output} by {input}", Path(path))


def frequency_response(linear: LinearModel, omega: ArrayLike) -> Response:
    """Return the frequency response ``G(i omega)`` at angular frequencies in rad/s."""
    frequencies = np.atleast_1d(np.asarray(omega, np.float64))
    one = np.eye(len(linear.A))
    try:
        rows = [
            linear.C @ np.linalg.solve(1j * w * one - linear.A, linear.B) + linear.D
            for w in frequencies
        ]
    except np.linalg.LinAlgError as error:
        raise OptionError(
            "One of the frequencies is a natural frequency without damping: no answer is finite.",
            "Give frequencies beside it.",
        ) from error
    G = np.array(rows, complex).reshape(len(frequencies), len(linear.C), linear.B.shape[1])
    return Response(frequencies, G, linear.inputs, linear.outputs)


@takes_model
def root_locus(
    system: System, parameter: str, values: FloatsLike, *, at_equilibrium: bool = False
) -> ComplexArray:
    """Return the root locus: eigenvalues over a parameter, shape (n_values, n_states).

    Columns are continuous: each eigenvalue is assigned to the nearest one before. The parameters of
    the system are not changed.

    Parameters
    ----------
    system : System or model
        At rest or in steady motion for every value; loaded with second derivatives if it moves.
    parameter : str
        Name of the parameter.
    values : sequence of float
        Its values, in order.
    at_equilibrium : bool
        Whether the static equilibrium is recomputed for each value.
    """
    moved = system.copy()
    rows: list[ComplexArray] = []
    for value in values:
        moved.set(**{parameter: float(value)})
        state = statics(moved).state if at_equilibrium else None
        found = linearise(moved, at=state).eigenvalues()
        if rows:
            near = linear_sum_assignment(np.abs(rows[-1][:, None] - found[None, :]))[1]
            found = found[near]
        rows.append(found)
    return np.array(rows)

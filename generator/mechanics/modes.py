"""Modal analysis: eigenvalues and mode shapes about a state of rest or steady motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from mbdgen.errors import OptionError
from mbdgen.mechanics.linearise import STEADY, LinearModel, linearise
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, Names

ZERO = 1e-12
"""Eigenvalues whose squares are below this fraction of the largest square are zero."""

ROUND_OFF = 1e-12
"""Real or imaginary parts below this fraction of an eigenvalue's size are shown as zero."""

ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Modes:
    r"""Eigenvalues ``s`` of ``x_dot = A x``, slowest first, one of each conjugate pair.

    A pair ``s = -zeta w +- i w sqrt(1 - zeta^2)`` is one mode; a real eigenvalue is a mode of its
    own.

    Attributes
    ----------
    eigenvalues : array, shape (n,)
        Eigenvalues with non-negative imaginary parts.
    frequency, damping_ratio : array, shape (n,)
        Frequency of the damped vibration in Hz, and damping ratio ``zeta``.
    shapes : array, shape (n, n_q)
        Complex mode shapes in the coordinates, scaled to a largest entry of 1.
    output_shapes : array, shape (n, n_outputs)
        Complex amplitudes of ``linear.outputs``.
    linear : LinearModel
        The linear model; mode shapes are variations of its state.
    names : Names
        ``names.coordinates`` are the columns of the shapes.
    """

    eigenvalues: ComplexArray
    frequency: FloatArray
    damping_ratio: FloatArray
    shapes: ComplexArray
    output_shapes: ComplexArray
    linear: LinearModel
    names: Names

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __repr__(self) -> str:
        frequencies = listed([f"{f:.5g}" for f in self.frequency], 8)
        return f"Modes: {len(self)} about t = {self.linear.at.clock[0]:g} s, Hz: {frequencies}"

    def displaced(self, mode: int, amplitude: float, phase: float = 0.0) -> FloatArray:
        """Return the coordinates ``q + amplitude Re(shape e^(i phase))`` of one mode."""
        moved = self.shapes[mode] * np.exp(1j * phase)
        return self.linear.at.q + amplitude * moved.real


@takes_model
def modes(
    system: System, t: float = 0.0, *, at: State | None = None, outputs: Sequence[str] = ()
) -> Modes:
    """Return natural frequencies, damping ratios and mode shapes: ``A x = s x``.

    Parameters
    ----------
    system : System or model
        At rest or in steady motion; loaded with ``load(model, second=True)`` unless at rest.
    t : float
        Time at which the initial conditions are assembled.
    at : State, optional
        Another state, such as that of `mbdgen.statics`.
    outputs : sequence of str
        Series whose amplitudes are computed too, as of `mbdgen.linearise`.

    Raises
    ------
    OptionError
        If the state is neither at rest nor a steady motion.
    """
    linear = linearise(system, t, at=at, outputs=outputs)
    _check_steady(system, linear)
    values, vectors = _eigen(linear.A)
    kept = values.imag >= -1e-9 * np.abs(values).max(initial=0.0)
    # Round-off splits double zero eigenvalues to both sides of the real axis.
    values, vectors = values[kept].real + 1j * np.maximum(values[kept].imag, 0.0), vectors[:, kept]
    order = np.lexsort((values.real, np.abs(values)))
    values, vectors = values[order], vectors[:, order]
    shapes = (linear.dq @ vectors).T
    scales = np.array([_scale(shape) for shape in shapes])[:, None]
    size = np.abs(values)
    ratio = np.divide(-values.real, size, out=np.zeros(len(size)), where=size > 0.0)
    return Modes(
        eigenvalues=values,
        frequency=values.imag / (2.0 * np.pi),
        damping_ratio=ratio,
        shapes=shapes / scales,
        output_shapes=(linear.C @ vectors).T / scales,
        linear=linear,
        names=system.names,
    )


def _check_steady(system: System, linear: LinearModel) -> None:
    if linear.steady:
        return
    state = linear.at
    for what, values in (("velocity", state.v), ("acceleration", state.a)):
        largest = int(np.argmax(np.abs(values)))
        if abs(values[largest]) > STEADY:
            raise OptionError(
                f"Model '{system.data.model}' is not at rest, nor in steady motion: the {what} of "
                f"'{system.names.coordinates[largest]}' is {values[largest]:.3g}.",
                "Give initial values of an equilibrium, with zero velocities (mbdgen.statics finds "
                "some), or of a steady motion.",
            )


def _eigen(A: FloatArray) -> tuple[ComplexArray, ComplexArray]:
    """Return eigenvalues and eigenvectors; from their squares if no force depends on speeds.

    Then ``A = [0, 1; -Q, 0]``, and rigid-body motions have a double eigenvalue that is exactly
    zero, and would otherwise be the square root of a rounding error.
    """
    n = len(A) // 2
    if not _without_speeds(A):
        values, vectors = scipy.linalg.eig(A)
        return values, vectors
    squares, vectors = scipy.linalg.eig(A[n:, :n])
    # Signed zeros would put the roots on either side of the imaginary axis.
    squares = np.where(np.abs(squares) > ZERO * np.abs(squares).max(initial=0.0), squares, 0.0)
    roots = np.sqrt(squares.astype(complex))
    both, twice = np.concatenate([roots, -roots]), np.hstack([vectors, vectors])
    return both, np.vstack([twice, twice * both])


def _without_speeds(A: FloatArray) -> bool:
    """Return whether ``A = [0, 1; -Q, 0]``, up to round-off."""
    n = len(A) // 2
    if len(A) != 2 * n:
        return False
    fastest = np.sqrt(np.abs(A[n:, :n]).max(initial=0.0))
    same = np.abs(A[:n] - np.eye(n, 2 * n, n)).max(initial=0.0) <= ROUND_OFF
    return bool(same and np.abs(A[n:, n:]).max(initial=0.0) <= ROUND_OFF * fastest)


def _scale(shape: ComplexArray) -> complex:
    """Return the largest entry, for scaling it to 1; 1 for a zero shape."""
    largest = complex(shape[int(np.argmax(np.abs(shape)))]) if len(shape) else 0.0
    return largest if largest != 0.0 else 1.0


def without_round_off(x: float, size: float = 1.0) -> float:
    """Return a number for display, zero if it is round-off relative to `size`."""
    return float(x) if abs(x) > ROUND_OFF * size else 0.0

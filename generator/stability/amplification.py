"""Amplification matrices, column by column from the compiled step of a method."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen.compiler import load
from mbdgen.errors import OptionError
from mbdgen.language.model import Model
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.stepping.single_steps import SingleSteps
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

WARM_UP = 12
"""Steps before the matrix is computed: multistep methods have a starting procedure."""


def amplification(scheme: Scheme, h: float, damping: float = 0.0) -> FloatArray:
    """Return the amplification matrix ``A`` of ``s+ = A s`` for an oscillator of frequency 1.

    ``h`` is ``omega h``; ``s`` has ``x``, its velocity and acceleration, and all entries for ``x``
    that the method passes from step to step, as far as a step reads them. Dependent entries are
    kept: they have zero eigenvalues.

    Parameters
    ----------
    scheme : Scheme
        Method, options and, if any, formulation.
    h : float
        Step size.
    damping : float
        Damping ratio.
    """
    system = oscillator(second=bool(scheme.method.kernels))
    system.set(damping=damping)
    steps = SingleSteps(system, scheme, assemble(system, 0.0), system.n_q, h)
    _step(steps, scheme, WARM_UP)
    everything = [*steps.state, *steps.memory]
    before = [array.copy() for array in everything]
    parts = _parts(steps)
    matrix = np.zeros((sum(part.size for part in parts),) * 2)
    for column in range(len(matrix)):
        for array, value in zip(everything, before, strict=True):
            array[...] = value
        _write(parts, column)
        _step(steps, scheme, 1)
        matrix[:, column] = np.concatenate([part.ravel() for part in parts])
    return _condensed(matrix)


def radius(matrix: FloatArray) -> float:
    """Return the spectral radius."""
    return float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0))


def _step(steps: SingleSteps, scheme: Scheme, count: int) -> None:
    if not steps.step(count):
        raise OptionError(
            f"'{scheme.method.name}' cannot step the oscillator with omega h = {steps.h:g}.",
            "Choose other options.",
        )


def _parts(steps: SingleSteps) -> list[NDArray[Any]]:
    """Views of all entries that belong to ``x``: of the state, then of the method's history."""
    state, n_q = steps.state, steps.system.n_q
    own: list[NDArray[Any]] = [array[PLACE : PLACE + 1] for array in (state.q, state.v, state.a)]
    return own + [table[:, PLACE::n_q] for table in steps.vectors]


def _write(parts: list[NDArray[Any]], column: int) -> None:
    """Set all entries to zero except one, which becomes 1."""
    start = 0
    for part in parts:
        part[...] = 0.0
        if start <= column < start + part.size:
            part[np.unravel_index(column - start, part.shape)] = 1.0
        start += part.size


def _condensed(matrix: FloatArray) -> FloatArray:
    """Remove entries that no step reads, and those that it neither changes nor reads.

    The former have zero eigenvalues, subject to round-off; the latter would have the eigenvalue 1.
    """
    while len(matrix):
        unit = np.eye(len(matrix))
        alone = (matrix == unit).all(axis=0) & (matrix == unit).all(axis=1)
        kept = ~alone & (matrix != 0.0).any(axis=0)
        if kept.all():
            break
        matrix = matrix[np.ix_(kept, kept)]
    return matrix


# Test problem of linear stability: ``x'' + 2 damping x' + x = 0``, with the frequency 1.
PLACE = 0
"""Index of ``x`` among the coordinates; the two others of the point have no forces."""


@cache
def oscillator(second: bool = False) -> System:
    """Return the compiled oscillator; its parameter ``damping`` is the damping ratio.

    It has no constraints, so their treatment by a formulation has no effect. Naming a formulation
    still matters if its generic step differs from the method's own step.
    """
    model = Model("oscillator")
    damping = model.parameter("damping", 0.0)
    point = model.point_mass("point", mass=1.0)
    model.potential("spring", energy=point.at().x ** 2 / 2)
    model.force("damper", point, force=(-2 * damping * point.at().vx, 0, 0))
    return load(model, second=second)

"""Work of drivers and loads: quadrature of their power over equal or unequal steps.

The powers at the last step ends are integrated by an interpolation polynomial whose degree is the
order of the method: over equal steps this is an Adams-Moulton formula. The history restarts where
there are no earlier steps: at the beginning, and where equations, direction of time or step size
change. The first steps after a restart are integrated together, repeatedly, until there are enough
of them, and only then compared with energies finally.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.steps.interpolation_weights import integral_weights
from mbdgen.runtime.system.run_workspace import REAL_ARRAY
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

MOST = 8
"""Highest degree of the polynomial."""
LEAST = 2
ELSEWHERE = -1.0
"""Value in place of the degree if the driver of the steps integrates the power itself."""
RATIO = 4.0
"""Ratio of two step sizes above which earlier powers are not used."""
SAME = 1e-9
"""Relative difference below which two step sizes are equal."""
NOISE = 1e-10
"""Fraction of the accumulated energies above which the balance is significant."""

# Indices into ``Progress.numbers``.
PHI, PHI_DOT, PHI_DDOT, DRIFT, ENERGY, WORK_DONE, SCALE, POTENTIAL = range(8)
# Number of known steps, and of the last ones with the same size; work and drift where they begin.
KNOWN, EQUAL, WORK_BEFORE, DRIFT_BEFORE = range(8, 12)
# At the ends of the last steps, latest first: powers, step sizes, works, energies, and whether
# energies were evaluated.
POWERS = 12
LENGTHS, WORKS = POWERS + MOST + 1, POWERS + 2 * (MOST + 1)
ENERGIES, SEEN = WORKS + MOST + 1, WORKS + 2 * (MOST + 1)
# Constants: the degree, and weights for equal steps.
DEGREE = SEEN + MOST + 1
WEIGHTS = DEGREE + 1
NUMBERS = WEIGHTS + MOST + 1


@lru_cache(maxsize=MOST + 1)
def equal_weights(degree: int) -> tuple[float, ...]:
    """Return weights of the powers at ``1, 0, -1, ...`` in the integral from 0 to 1."""
    nodes = [Fraction(1 - j) for j in range(degree + 1)]
    weights = []
    for j, at in enumerate(nodes):
        product, scale = [Fraction(1)], Fraction(1)
        for i, other in enumerate(nodes):
            if i != j:
                shifted = [Fraction(0), *product]
                product = [
                    a - other * b for a, b in zip(shifted, [*product, Fraction(0)], strict=True)
                ]
                scale *= at - other
        weights.append(float(sum(c / (k + 1) for k, c in enumerate(product)) / scale))
    return tuple(weights)


def new_numbers(order: int) -> FloatArray:
    """Return the initial values of a run, for a method of this order.

    With order 0 the run integrates the power itself.
    """
    numbers = np.zeros(NUMBERS)
    numbers[DEGREE] = ELSEWHERE
    if order > 0:
        degree = min(max(order, LEAST), MOST)
        numbers[DEGREE] = degree
        numbers[WEIGHTS : WEIGHTS + degree + 1] = equal_weights(degree)
    return numbers


@internal
def begin_anew(numbers: FloatArray, power: float) -> None:
    """Discard the history before the present instant, where the power is known."""
    numbers[KNOWN], numbers[EQUAL] = 0.0, 0.0
    numbers[WORK_BEFORE], numbers[DRIFT_BEFORE] = numbers[WORK_DONE], numbers[DRIFT]
    numbers[POWERS], numbers[WORKS] = power, numbers[WORK_DONE]


@separate(types.void(REAL_ARRAY, types.float64))
def begin_numbers(numbers: FloatArray, power: float) -> None:
    """The same, called from Python."""
    begin_anew(numbers, power)


@internal
def _over(numbers: FloatArray, step: int, instants: FloatArray, weights: FloatArray) -> float:
    """Integrate over one of the last steps, in the unit of ``instants``."""
    h, count = numbers[LENGTHS + step], len(instants)
    instants[step + 1], instants[step] = 0.0, 1.0
    for k in range(step + 2, count):
        instants[k] = instants[k - 1] - numbers[LENGTHS + k - 1] / h
    for k in range(step - 1, -1, -1):
        instants[k] = instants[k + 1] + numbers[LENGTHS + k] / h
    integral_weights(instants, weights)
    work = 0.0
    for k in range(count):
        work += weights[k] * numbers[POWERS + k]
    return work * h


@separate(types.void(REAL_ARRAY))
def integrate_together(numbers: FloatArray) -> None:
    """Integrate one polynomial through all known powers, over each of their steps."""
    known = int(numbers[KNOWN])
    instants, weights = np.empty(known + 1), np.empty(known + 1)
    numbers[WORKS + known] = numbers[WORK_BEFORE]
    for step in range(known - 1, -1, -1):  # the earliest first
        work = _over(numbers, step, instants, weights)
        numbers[WORKS + step] = numbers[WORKS + step + 1] + work
    numbers[WORK_DONE] = numbers[WORKS]


@separate(types.void(REAL_ARRAY))
def integrate_unequal(numbers: FloatArray) -> None:
    """Integrate the polynomial through the last powers over the last step."""
    count = int(numbers[DEGREE]) + 1
    instants, weights = np.empty(count), np.empty(count)
    numbers[WORK_DONE] += _over(numbers, 0, instants, weights)


@internal
def integrate_power(numbers: FloatArray, h: float, power: float) -> None:
    """Add the work of one step of size ``h`` with the power at its end."""
    degree = int(numbers[DEGREE])
    if degree < 0:
        return
    before = numbers[LENGTHS]
    fits = h * before > 0.0 and abs(h) <= RATIO * abs(before) and abs(before) <= RATIO * abs(h)
    if numbers[KNOWN] > 0.0 and not fits:
        begin_anew(numbers, numbers[POWERS])
    known = min(int(numbers[KNOWN]) + 1, degree + 1)
    equal = numbers[KNOWN] > 0.0 and abs(h - before) <= SAME * abs(h)
    numbers[EQUAL] = numbers[EQUAL] + 1.0 if equal else 0.0
    for k in range(degree, 0, -1):
        numbers[POWERS + k] = numbers[POWERS + k - 1]
        numbers[LENGTHS + k] = numbers[LENGTHS + k - 1]
    numbers[POWERS], numbers[LENGTHS], numbers[KNOWN] = power, h, float(known)
    if known <= degree:
        for k in range(known, 0, -1):
            numbers[ENERGIES + k] = numbers[ENERGIES + k - 1]
            numbers[SEEN + k] = numbers[SEEN + k - 1]
        numbers[SEEN] = 0.0
        integrate_together(numbers)
    elif numbers[EQUAL] >= degree - 1:
        work = 0.0
        for k in range(degree + 1):
            work += numbers[WEIGHTS + k] * numbers[POWERS + k]
        numbers[WORK_DONE] += h * work
    else:
        integrate_unequal(numbers)


@internal
def compare(numbers: FloatArray, kinetic: float, potential: float) -> None:
    """Update the energy drift ``|E - E0 - W|`` and its reference.

    The reference is the largest of the kinetic energy and of the changes of potential and total
    energy; the largest work, which may vary between two instants, is included where it is summed.
    """
    energy, known = kinetic + potential, int(numbers[KNOWN])
    change = abs(energy - numbers[ENERGY])
    size = max(kinetic, abs(potential - numbers[POTENTIAL]), change)
    numbers[SCALE] = max(numbers[SCALE], size)
    if numbers[DEGREE] < 0.0:
        return
    if 0 < known <= numbers[DEGREE]:
        numbers[ENERGIES], numbers[SEEN] = energy, 1.0
        drift = numbers[DRIFT_BEFORE]
        for k in range(known):
            if numbers[SEEN + k] > 0.5:
                left = numbers[ENERGIES + k] - numbers[ENERGY] - numbers[WORKS + k]
                drift = max(drift, abs(left))
        numbers[DRIFT] = drift
    else:
        left = abs(energy - numbers[ENERGY] - numbers[WORK_DONE])
        numbers[DRIFT] = max(numbers[DRIFT], left)

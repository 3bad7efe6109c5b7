"""The work of drivers and loads as the integral of their power over equal or unequal steps.

The powers at the ends of the last steps are integrated as a polynomial, of a degree that is the
order of the method: over equal steps that is one sum (Adams and Moulton). What is known begins anew
where the motion has no earlier steps: at its beginning, and where equations, direction or length of
the steps change. The first steps behind such a place are integrated together, again and again,
until there are enough of them, and only then compared with energies for good.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numba import types

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.steps.interpolation_weights import integral_weights
from mbdgen.runtime.system.run_workspace import REAL_ARRAY
from mbdgen.runtime.system.system_data import FloatArray

MOST = 8
"""Highest degree of the polynomial."""
LEAST = 2
ELSEWHERE = -1.0
"""In the place of the degree: whoever makes the steps integrates the power too."""
RATIO = 4.0
"""Of two lengths of steps, beyond which the earlier powers say nothing."""
SAME = 1e-9
"""Part of a step by which it may differ from one of the same length."""
NOISE = 1e-10
"""Part of the energies that are added up from which on a balance says something."""

# Places in ``Progress.numbers``.
PHI, PHI_DOT, PHI_DDOT, DRIFT, ENERGY, WORK_DONE, SCALE, POTENTIAL = range(8)
# Steps that are known, and how many of them behind the last are as long as that; work and drift
# where they begin.
KNOWN, EQUAL, WORK_BEFORE, DRIFT_BEFORE = range(8, 12)
# Of the ends of the last steps, beginning with the latest: powers, lengths of the steps, works,
# energies, and whether these were looked at.
POWERS = 12
LENGTHS, WORKS = POWERS + MOST + 1, POWERS + 2 * (MOST + 1)
ENERGIES, SEEN = WORKS + MOST + 1, WORKS + 2 * (MOST + 1)
# What does not change: the degree, and weights of equal steps.
DEGREE = SEEN + MOST + 1
WEIGHTS = DEGREE + 1
NUMBERS = WEIGHTS + MOST + 1


@lru_cache(maxsize=MOST + 1)
def equal_weights(degree: int) -> tuple[float, ...]:
    """Return weights of the powers at ``1, 0, -1, ...`` in the integral from 0 to 1."""
    places = [Fraction(1 - j) for j in range(degree + 1)]
    weights = []
    for j, at in enumerate(places):
        product, scale = [Fraction(1)], Fraction(1)
        for i, other in enumerate(places):
            if i != j:
                shifted = [Fraction(0), *product]
                product = [
                    a - other * b for a, b in zip(shifted, [*product, Fraction(0)], strict=True)
                ]
                scale *= at - other
        weights.append(float(sum(c / (k + 1) for k, c in enumerate(product)) / scale))
    return tuple(weights)


def new_numbers(order: int) -> FloatArray:
    """Return the numbers of a run that has not begun, of a method of this order.

    Of order 0 the run integrates the power itself.
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
    """Forget the steps before the present instant, where the power is known."""
    numbers[KNOWN], numbers[EQUAL] = 0.0, 0.0
    numbers[WORK_BEFORE], numbers[DRIFT_BEFORE] = numbers[WORK_DONE], numbers[DRIFT]
    numbers[POWERS], numbers[WORKS] = power, numbers[WORK_DONE]


@separate(types.void(REAL_ARRAY, types.float64), from_python=True)
def begin_numbers(numbers: FloatArray, power: float) -> None:
    """Do so from Python."""
    begin_anew(numbers, power)


@internal
def _over(numbers: FloatArray, step: int, instants: FloatArray, weights: FloatArray) -> float:
    """Integrate over one of the last steps, in units of which instants are counted."""
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
    """Integrate one polynomial through all powers that are known, over each of their steps."""
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
    """Add the work of one step of length ``h`` with a power at its end."""
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
    """Update the drift ``|E - E0 - W|`` and what it is to be compared with.

    That is the largest of the kinetic energy and of the changes of potential and total energy; the
    largest work, which may come and go between two instants, counts where it is added up.
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

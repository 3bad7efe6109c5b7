"""Fixed (given) coordinates: a system that keeps them and their rates in assembly."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.runtime.accuracy.violated_equations import report
from mbdgen.runtime.linalg.least_change import least_change
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

PASSES = 4
EXACT = 4e-16
"""Residual, relative to the scale of an equation, at which refinement stops."""
CONTRADICTION = 1e-8
"""Largest residual of a velocity or acceleration equation, relative to its scale."""


def places(system: System, names: Iterable[str]) -> IntArray:
    """Return the indices of coordinates by their names."""
    known = {name: k for k, name in enumerate(system.names.coordinates)}
    found = []
    for name in names:
        if name not in known:
            raise OptionError(
                f"Model '{system.data.model}' has no coordinate '{name}'.",
                f"Its coordinates are: {listed(list(known), 12)}. Angles between bodies can be "
                "prescribed by a driver of the model.",
            )
        found.append(known[name])
    return np.array(found, np.int64)


def held(system: System, given: IntArray) -> System:
    """Return a copy whose assembly keeps the given coordinates at their values in ``q0``."""
    copy = system.copy()
    fixed = copy.data.fixed.copy()
    fixed[given] = True
    copy.data = replace(copy.data, fixed=fixed)
    return copy


def rates_that_follow(
    system: System, t: float, q: FloatArray, v: FloatArray, a: FloatArray, given: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Solve ``H v + phi_t = 0`` and ``H a = gamma`` for the dependent entries of ``v`` and ``a``.

    The change from the start values is of minimum norm; it is unique if the given coordinates and
    the drivers determine the motion.
    """
    rows, free = system.work.rows, np.ones(system.n_q, bool)
    free[given] = False
    jacobian = system.jacobian(t, q)
    follows = jacobian[:, free]
    size = float(abs(jacobian).max()) if jacobian.nnz else 1.0
    found = [v.copy(), a.copy()]
    for level in (0, 1):
        for _ in range(PASSES):
            rest = system.rates(t, q, *found)[level][rows]
            sizes = (np.abs(x).max(initial=0.0) ** (2 - k) for k, x in enumerate(found))
            scale = size * (1.0 + float(sum(sizes)))
            if np.abs(rest).max(initial=0.0) <= EXACT * scale:
                break
            found[level][free] += least_change(follows, -rest, 1e-12 * size**2)
        if not np.abs(rest).max(initial=0.0) <= CONTRADICTION * scale:
            what = ("velocities", "accelerations")[level]
            raise AssemblyError(
                f"No {what} follow at t = {t:g}: {report(system, rest)}.",
                "The mechanism stands in a singular position there, or is driven too much.",
            )
    return found[0], found[1]

"""Structural groups against the same equations of the whole mechanism, in one run.

Both sides are measured in turns, by processor time, and the median of the ratios counts: what else
the machine does disturbs both.

The published saving with penalties at 400 dyads comes from a factorisation of the whole that takes
5.9 times as long for a dyad as with 36; ours is linear (decision 097). There the test asks for
that, and for what was published with 36.
"""

from collections.abc import Callable
from functools import cache
from statistics import median
from time import process_time

import numpy as np
import pytest

from mbdgen.grouping.group_loading import load_groups
from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups
from mbdgen.runtime.groups.grouped_system import GroupedSystem

PUBLISHED = {9: (28.6, 44.2, 32.0), 36: (34.0, 45.1, 32.1), 400: (60.5, 84.6, 45.0)}
"""Per cent of the time of kinematics, with penalties and with matrix R that groups save, by the
number of dyads (Saura, Segado, Dopico, table 1)."""
TURNS = 5


@cache
def dyads(k: int) -> GroupedSystem:
    return load_groups("point_dyads", inputs=["turn.theta"], k=k)


def kinematics(k: int, count: int, by_groups: bool) -> float:
    """Return the time of some analyses, 30 degrees of the crank apart."""
    theta = np.pi / 6 * np.arange(count)
    given = theta / 24, theta, np.full(count, 24.0), np.zeros(count)
    start = process_time()
    dyads(k).analyses(*given, by_groups=by_groups)
    return process_time() - start


def dynamics(k: int, count: int, by_groups: bool, formulation: str) -> float:
    """Return the time of some steps of 5 ms."""
    options = Options(formulation=formulation, by_groups=by_groups, tolerance=1e-5)
    span = 0.0, 0.005 * count
    return simulate_by_groups(dyads(k), span, 0.005, options, span).timings["solve_s"]


def saving(timed: Callable[[bool], float]) -> float:
    """Return how much of the time groups save, in per cent; the first turn compiles."""
    timed(True), timed(False)
    return 100.0 * (1.0 - median(timed(True) / timed(False) for _ in range(TURNS)))


def check(k: int, count: int) -> None:
    """Groups save at least what was published for this size, or the whole is linear."""
    least = PUBLISHED[k]
    if k == 400:
        small, large = (min(dynamics(n, count, False, "penalty") for _ in range(2)) / n
                        for n in (36, k))  # fmt: skip
        assert large < 2.0 * small
        least = least[0], PUBLISHED[36][1], least[2]
    found = (
        saving(lambda way: kinematics(k, count, way)),
        saving(lambda way: dynamics(k, count, way, "penalty")),
        saving(lambda way: dynamics(k, count, way, "matrix-r")),
    )
    print(f"\nsaved at k = {k}: kinematics, penalty, matrix R", [f"{x:.1f} %" for x in found])
    assert all(x > wanted for x, wanted in zip(found, least, strict=True))


@pytest.mark.slow
def test_savings_at_9_dyads() -> None:
    check(9, 600)


@pytest.mark.slow
def test_savings_at_36_dyads() -> None:
    check(36, 100)


@pytest.mark.slow
def test_savings_at_400_dyads() -> None:
    check(400, 50)


SIZES = (36, 72, 144, 288, 400)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["kinematics", "penalty", "matrix-r"])
def test_time_is_linear_in_the_number_of_dyads(what: str) -> None:
    """Exponent over 36 to 400 dyads; twice as long minus once leaves the start of a run out."""

    def took(k: int, count: int) -> float:
        if what == "kinematics":
            return kinematics(k, count, True)
        return dynamics(k, count, True, what)

    counts = {k: 12_000 // k for k in SIZES}
    long: dict[int, list[float]] = {k: [] for k in SIZES}
    short: dict[int, list[float]] = {k: [] for k in SIZES}
    for _ in range(TURNS):
        for k in SIZES:
            long[k].append(took(k, 2 * counts[k]))
            short[k].append(took(k, counts[k]))
    best = [(min(long[k][1:]) - min(short[k][1:])) / counts[k] for k in SIZES]
    exponent = np.polyfit(np.log(SIZES), np.log(best), 1)[0]
    print(f"\n{what}: exponent {exponent:.2f}, microseconds {[f'{1e6 * t:.1f}' for t in best]}")
    assert 0.8 < exponent < 1.2

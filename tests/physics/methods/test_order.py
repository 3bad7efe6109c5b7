"""Observed order of the methods on the benchmarks, at steps where the leading term rules.

The horizon of A02 contains the first singular position (0.714 s). The work of the motor of A03 is a
quadrature of its own, of order 3, and is left out.
"""

import shutil

import numpy as np
import pytest

from tests.convergence import assert_order, study
from tests.physics.cases import CASES
from tests.physics.running import columns, run, stacked, system
from tests.reference import load

BY_NAME = {case.reference: case for case in CASES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "name", "t_end", "h", "tolerance"),
    [
        ("newmark", "A01_pendulum", 1.0, 1e-2, 0.1),
        ("newmark", "A02_two_four_bars", 2.0, 2e-3, 0.1),
        ("newmark", "A03_andrews", 0.05, 5e-6, 0.1),
        ("newmark", "A03_andrews_beta0_library", 0.05, 5e-6, 0.1),
        ("newmark", "A04_bricard_thin", 5.0, 1e-2, 0.1),
        ("newmark", "A04_bricard_square", 5.0, 1e-2, 0.1),
        ("rk4", "A01_pendulum", 2.0, 2e-2, 0.1),
        ("rk4", "A02_two_four_bars", 1.0, 1e-2, 0.1),
        # The reference (8e-11) and the smallness of the error leave no finer steps to look at.
        ("rk4", "A03_andrews", 0.03, 4e-5, 0.4),
        ("rk4", "A04_bricard_thin", 2.0, 5e-3, 0.1),
    ],
)
def test_observed_order(method: str, name: str, t_end: float, h: float, tolerance: float) -> None:
    case, reference = BY_NAME[name], load(name).until(t_end)
    series = {key: value for key, value in case.series.items() if key != "energy.work"}
    system, exact = case.system(), stacked(reference, series)

    def observe(step: float) -> np.ndarray:
        return columns(run(system, reference.t, step, method), tuple(series))

    levels = 2 if name.startswith("A03") and method == "rk4" else 3
    assert_order(study(observe, h, exact, levels), {"newmark": 2.0, "rk4": 4.0}[method], tolerance)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(
    ("name", "t_end", "h", "levels", "tolerance"),
    [
        ("A01_pendulum", 2.0, 2e-2, 3, 0.1),
        ("A02_two_four_bars", 1.0, 1e-2, 3, 0.1),
        ("A03_andrews", 0.03, 8e-5, 2, 0.1),
    ],
)
def test_observed_order_of_fused_explicit_steps(
    name: str, t_end: float, h: float, levels: int, tolerance: float
) -> None:
    case, reference = BY_NAME[name], load(name).until(t_end)
    series = {key: value for key, value in case.series.items() if key != "energy.work"}
    fused, exact = system(case.builder, backend="c", layout="flat"), stacked(reference, series)
    assert fused.data.fused_size > 0

    def observe(step: float) -> np.ndarray:
        return columns(run(fused, reference.t, step, "rk4"), tuple(series))

    assert_order(study(observe, h, exact, levels), 4.0, tolerance)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_observed_order_of_the_heavy_top() -> None:
    """Quaternions and one spherical joint; differences of neighbouring steps."""
    fused, t = system("heavy_top", backend="c", layout="flat"), np.linspace(0.0, 0.5, 11)

    def observe(step: float) -> np.ndarray:
        return run(fused, t, step, "rk4").q

    assert_order(study(observe, 2.5e-4, levels=3), 4.0, 0.2)

"""A flexible pendulum against the exact beam without shear, and its elements against each other."""

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.runtime.system.system_data import FloatArray
from tests import reference

EL3 = reference.load("EL3")


def tip(elements: int, t: FloatArray, method: str, h: float) -> FloatArray:
    """Places of the tip."""
    system = load("flexible_pendulum", layout="loop", backend="c", elements=elements)
    span = (0.0, float(t[-1]))
    run = simulate(system, span, method=method, h=h, t_eval=t.tolist(), progress=False)
    assert run.success, run.message
    return np.column_stack([run["tip.x"], run["tip.y"]])


def distance(elements: int) -> float:
    """From the reference, with a step whose error is a tenth of that of ten elements."""
    found = tip(elements, EL3.t, "newmark", 1e-4)
    return float(np.linalg.norm(found - EL3.stack("x_tip", "y_tip"), axis=1).max())


@pytest.mark.slow
def test_reference() -> None:
    """In a second and a half it bends into loops; errors fall with the fourth power of the length.

    Energies of cubic elements are of that order. More than ten elements come no closer: the stretch
    of a thousandth enters the curvatures of the two laws differently.
    """
    coarse, fine = distance(5), distance(10)
    assert fine < 3e-4
    assert coarse / fine > 2**4


@pytest.mark.slow
@pytest.mark.parametrize("method", ["verlet", "newmark"])
def test_order_in_time(method: str) -> None:
    """Both are of second order, and agree with a method of order eight at a small step."""
    t = np.array([0.0, 0.15])
    best = tip(4, t, "dop853", 5e-4)[-1]
    coarse, fine = (np.linalg.norm(tip(4, t, method, h)[-1] - best) for h in (2e-4, 1e-4))
    assert fine < 1e-5
    assert 3.5 < coarse / fine < 4.5

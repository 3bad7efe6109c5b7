"""Estimated errors of motions are within a factor of ten of the true ones, nine times of ten."""

import pytest

from tests.calibration import SETS, Triple, measured, part
from tests.physics.cases import CASES

QUICK = ("A01_pendulum", "FB5_square_spring")
HELD_OUT_PART = 0.85
"""Measured: 0.93, 0.89 and 0.89."""
pytestmark = pytest.mark.filterwarnings("ignore::mbdgen.errors.AccuracyWarning")


@pytest.mark.parametrize("method", ["newmark", "rk4", "bdf", "heun", "trapezoidal"])
@pytest.mark.parametrize("name", QUICK)
def test_estimate_is_within_a_factor_of_ten(name: str, method: str) -> None:
    (case,) = (case for case in CASES if case.reference == name)
    triple = measured(case, method, 4.0)
    assert isinstance(triple, Triple) and triple.good, triple


@pytest.mark.slow
def test_nine_of_ten_estimates_are_within_a_factor_of_ten() -> None:
    """Of all triples; what no number was chosen with may be a little worse, and not much."""
    found = {name: list(triples()) for name, triples in SETS.items()}
    together = [triple for triples in found.values() for triple in triples]
    bad = [triple for triple in together if not triple.good]
    assert len(together) > 500 and part(together) >= 0.9, bad
    assert min(map(part, found.values())) >= HELD_OUT_PART, bad

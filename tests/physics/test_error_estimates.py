"""Estimated errors of motions are within a factor of ten of the true ones, nine times of ten."""

import pytest

from tests.calibration import Triple, everything, measured
from tests.physics.cases import CASES

QUICK = ("A01_pendulum", "FB5_square_spring")
pytestmark = pytest.mark.filterwarnings("ignore::mbdgen.errors.AccuracyWarning")


@pytest.mark.parametrize("method", ["newmark", "rk4", "bdf", "heun"])
@pytest.mark.parametrize("name", QUICK)
def test_estimate_is_within_a_factor_of_ten(name: str, method: str) -> None:
    (case,) = (case for case in CASES if case.reference == name)
    triple = measured(case, method, 4.0)
    assert isinstance(triple, Triple) and triple.good, triple


@pytest.mark.slow
def test_nine_of_ten_estimates_are_within_a_factor_of_ten() -> None:
    triples = everything()
    bad = [triple for triple in triples if not triple.good]
    assert len(triples) > 150 and len(bad) <= 0.1 * len(triples), bad

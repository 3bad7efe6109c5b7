"""Estimated errors of motions are within a factor of ten of the true ones, nine times of ten."""

import pytest

from tests.calibration import HELD_OUT, METHODS, Triple, measured, of_models, of_references, part
from tests.physics.cases import CASES

QUICK = ("A01_pendulum", "FB5_square_spring")
MOST_STEPS = 10_000
pytestmark = pytest.mark.filterwarnings("ignore::mbdgen.errors.AccuracyWarning")


@pytest.mark.parametrize("method", ["newmark", "rk4", "bdf", "heun", "trapezoidal"])
@pytest.mark.parametrize("name", QUICK)
def test_estimate_is_within_a_factor_of_ten(name: str, method: str) -> None:
    (case,) = (case for case in CASES if case.reference == name)
    triple = measured(case, method, 4.0)
    assert isinstance(triple, Triple) and triple.good, triple


@pytest.mark.slow
@pytest.mark.parametrize("methods", [METHODS, HELD_OUT], ids=["chosen-with", "held-out"])
def test_nine_of_ten_estimates_are_within_a_factor_of_ten(methods: tuple[str, ...]) -> None:
    triples = list(of_references(methods, most_steps=MOST_STEPS))
    assert len(triples) > 150 and part(triples) >= 0.9, [t for t in triples if not t.good]


@pytest.mark.slow
def test_nine_of_ten_are_for_mechanisms_that_no_number_was_chosen_with() -> None:
    triples = list(of_models())
    assert len(triples) > 80 and part(triples) >= 0.9, [t for t in triples if not t.good]

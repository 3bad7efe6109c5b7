"""Reduced systems against the same references as the full ones, with the same bounds.

The methods act on other coordinates there: the error constant may be larger, not the order.
"""

import shutil

import pytest

from mbdgen import load as compiled
from mbdgen.runtime.system.system import System
from tests import mechanisms
from tests.physics.cases import CASES, Case
from tests.physics.running import columns, run, stacked, worst
from tests.reference import load

OTHER_CONSTANT = 4.0
THROUGH_SINGULAR_POSITIONS = (
    *("A02_two_four_bars", "SC1_slider_crank_thin", "SC2_slider_crank_square"),
)
"""A stage that ends beside a singular position has the error of the eps there: how close one comes
is decided by the last digits."""
QUICK = ("A03_andrews", "A05_flyball_governor", "DYAD_k1", "TOP2_heavy_symmetric_top")

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
every_case = pytest.mark.parametrize(
    "case",
    [pytest.param(c, marks=[] if c.reference in QUICK else pytest.mark.slow) for c in CASES],
    ids=lambda case: case.reference,
)


def reduced(case: Case) -> System:
    arguments = dict(case.arguments)
    arguments.pop("layout", None)
    options = {"backend": "c", "layout": "flat", "reduced": True}
    builder = getattr(mechanisms, case.builder, None)
    if builder is None:
        return compiled(case.builder, **options, **arguments)
    return compiled(builder(**arguments), **options)


@pytest.mark.slow
@needs_c
@every_case
def test_newmark_converges_to_the_reference(case: Case) -> None:
    reference = load(case.reference).until(case.t_end)
    expected, names = stacked(reference, case.series), tuple(case.series)
    system = reduced(case)
    assert system.data.reduced is not None and system.data.reduced[0] <= system.n_q
    errors = []
    for h in (case.h, case.h / 2):
        result = run(system, reference.t, h)
        errors.append(worst(columns(result, names), expected))
        assert result.counters.max_phi <= 1e-10
        assert result.counters.max_phi_dot <= 1e-8
    assert errors[0] <= OTHER_CONSTANT * case.error, errors
    assert errors[1] <= errors[0] / 3, errors


@pytest.mark.representatives(id="A03_andrews")
@needs_c
@every_case
def test_runge_kutta_meets_the_reference(case: Case) -> None:
    h, bound = case.fine
    reference = load(case.reference).until(case.t_end)
    system, names = reduced(case), tuple(case.series)
    expected = stacked(reference, case.series)
    errors = [worst(columns(run(system, reference.t, h, "rk4"), names), expected)]
    if case.reference in THROUGH_SINGULAR_POSITIONS:
        assert errors[0] <= 1e-3
        return
    if errors[0] > OTHER_CONSTANT * bound:  # another constant still, but not another order
        errors.append(worst(columns(run(system, reference.t, h / 2, "rk4"), names), expected))
        assert errors[1] <= errors[0] / 12, errors
    assert errors[0] <= 30 * bound, errors

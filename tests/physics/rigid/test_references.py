"""Every model against its reference solution, which was made without constraints or multipliers.

The bounds of `tests.physics.cases` are measured ones plus a margin of fifteen percent. What makes
them more than a record is the second run: at half the step the error must fall to a third or less.
The trapezoidal rule gives a quarter; terms of higher order, which singular positions and long
unstable motions make large, can only help it. A wrong equation would leave the error where it is.
"""

import pytest

from tests.physics.cases import CASES, Case
from tests.physics.running import columns, run, stacked, worst
from tests.reference import load

LONG = ("A05_flyball_governor", "SSC2_cardan_slender", "SSC3_cardan_author", "DYAD_k10")
FEW = [
    "A01_pendulum",
    "A02_two_four_bars",
    "A03_andrews",
    "A04_bricard_square",
    "SC3_slider_crank_torque",
    "FB3_four_bar_spring_damper",
    "TOP2_heavy_symmetric_top",
]
"""What the default run looks at."""
every_case = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[pytest.mark.slow] if case.reference in LONG else [])
        for case in CASES
    ],
    ids=lambda case: case.reference,
)


@pytest.mark.representatives(id=["A01_pendulum", "A03_andrews"])
@every_case
def test_newmark_converges_to_the_reference(case: Case) -> None:
    reference = load(case.reference).until(case.t_end)
    expected, names = stacked(reference, case.series), tuple(case.series)
    errors = []
    for h in (case.h, case.h / 2):
        result = run(case.system(), reference.t, h)
        errors.append(worst(columns(result, names), expected))
        assert result.counters.max_phi <= 1e-10
        assert result.counters.max_phi_dot <= 1e-8
    assert errors[0] <= case.error, errors
    assert errors[1] <= errors[0] / 3, errors


@pytest.mark.representatives(id=["A01_pendulum", "A02_two_four_bars", "TOP2_heavy_symmetric_top"])
@every_case
def test_runge_kutta_meets_the_reference(case: Case) -> None:
    h, bound = case.fine
    reference = load(case.reference).until(case.t_end)
    result = run(case.system(), reference.t, h, "rk4")
    error = worst(columns(result, tuple(case.series)), stacked(reference, case.series))
    assert error <= bound


@pytest.mark.xfail(reason="a step ends 1.4e-5 rad beside a singular position at 36 rad/s")
def test_parallelogram_keeps_its_energy_balance_at_any_step() -> None:
    """At 3.565 s the reactions are 1e6 times too large for one step: 0.6 J appear from nowhere.

    At 5e-4 s, where no step comes so close, the error is 0.54 J at the end of a work of 3 kJ and
    falls with the order of the method; here it should be a quarter of that.
    """
    case = next(case for case in CASES if case.reference.startswith("FB2"))
    result = run(case.system(), [0.0, 5.0], 2.5e-4)
    assert result.counters.energy_drift <= 0.2
    assert result.counters.max_phi_dot <= 1e-8

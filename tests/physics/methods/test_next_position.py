"""Central differences that close the next position: their classical form, going back, failed steps.

The other members of the family are in `test_conditional`, whose mechanisms these are.
"""

from typing import Any

import numpy as np
import pytest

from mbdgen import Result, load, simulate
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.solvers.dense_run import parts_of, workspace_of
from mbdgen.runtime.steps import next_position
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED, OK
from mbdgen.runtime.system.system import System
from tests.convergence import study
from tests.physics.methods.test_conditional import angle, damped, drift

__all__ = ["angle", "damped"]

CLASSICAL = {"preset": "classical"}


def run(system: System, end: float, h: float, **given: object) -> Result:
    result = simulate(system, (0, end), method="central-difference", h=h, progress=False, **given)  # type: ignore[arg-type]
    assert result.success, result.message
    return result


def test_classical_form_alone_cancels(angle: System) -> None:
    """The printed error at 1e-3; at 2e-5 round-off of the differences, without them none."""
    assert drift(run(angle, 10.0, 1e-3, **CLASSICAL)) == pytest.approx(2.00492e-05, rel=4e-6)
    classical, free = (drift(run(angle, 2.0, 2e-5, **given)) for given in (CLASSICAL, {}))
    assert free == pytest.approx(4e-10 * 20.0492, rel=0.02) and classical > 1.1 * free


def test_classical_form_alone_has_velocities_of_differences(damped: System) -> None:
    """And it closes the constraints as the other form does."""
    h = 2e-3
    classical, free = (run(damped, 0.4, h, **given) for given in (CLASSICAL, {}))
    q = classical.q
    assert np.abs(classical.v[1:-1] - (q[2:] - q[:-2]) / (2 * h)).max() < 1e-11
    assert np.abs(classical.a[1:-1] - (q[2:] - 2 * q[1:-1] + q[:-2]) / h**2).max() < 1e-8
    assert classical.counters.max_phi < 1e-10
    assert 0.0 < np.abs(q - free.q).max() < 1e-8


def test_classical_form_alone_with_steps_of_changing_size(damped: System) -> None:
    instants = [0.0, 0.111, 0.1125, 0.4]
    exact = simulate(damped, (0, 0.4), method="dop853", h=1e-3, progress=False)
    uneven, even = (
        np.abs(run(damped, 0.4, 2e-3, t_eval=t, **CLASSICAL).q[-1] - exact.q[-1]).max()
        for t in (instants, [0.0, 0.4])
    )
    assert uneven < 4 * even + 1e-10


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ({"method": "central-difference"}, 2),
        ({"method": "central-difference", **CLASSICAL}, 2),
        ({"method": "central-difference", "formulation": "index1", **CLASSICAL}, 2),
        ({"method": "cd-jerk"}, 3),
        ({"method": "dimcd"}, 2),
    ],
    ids=str,
)
def test_there_and_back(given: dict[str, Any], order: int) -> None:
    """Errors at the start have the order of the method; the way back costs what the way there did.

    Steps back were not known to be as long as the last ones: each of them began anew.
    """
    system = load("pendulum")
    work = []

    def start_again(h: float) -> np.ndarray:
        there = simulate(system, (0, 0.8), h=h, progress=False, **given)
        back = simulate(system, (0.8, 0), h=h, start=there.checkpoint(), progress=False, **given)
        assert there.success and back.success, back.message
        work.append(back.counters.newton_iterations / there.counters.newton_iterations)
        return np.concatenate([back.q[-1], back.v[-1]])

    first = simulate(system, (0, 0.8), h=0.4, t_eval=[0.0, 0.8], progress=False)
    found = study(start_again, 8e-3, np.concatenate([first.q[0], first.v[0]]))
    assert found.order > order - 0.15 or found.errors[-1] < 1e-10, found.table
    assert max(work) < 1.1, work


def test_failed_step_leaves_what_it_found(damped: System) -> None:
    """It is repeated with other pivots, and would have gone on from the middle of itself."""
    scheme = choose("central-difference")
    assert scheme.formulation is not None
    state = assemble(damped, 0.0)
    parts = parts_of(scheme, scheme.formulation, dependent=False)
    dense = workspace_of(damped, scheme, scheme.formulation, state, 4, scheme.method.rows)
    stepped = next_position.step.compiled

    def step(limit: int) -> int:
        options = np.array([4 / 3, 0.5, 1e-12, limit, 0.0])
        status: int = stepped(damped.kernels, damped.work, state, 0.01, options, parts, dense)
        return status

    assert step(50) == OK and step(50) == OK
    before = dense.rows.copy(), dense.times.copy()
    assert before[0].any() and step(1) == NOT_CONVERGED
    np.testing.assert_array_equal(dense.rows, before[0])
    np.testing.assert_array_equal(dense.times, before[1])

"""What large systems do differently: kept factors, and ranks without a full product."""

import numpy as np
import pytest
import scipy.sparse as sp

from mbdgen import load, simulate
from mbdgen.runtime.initialisation.constraint_diagnosis import _dependent_rows_by_iteration
from tests.mechanisms import chain


@pytest.mark.parametrize("extra", [0, 1, 3, 20])
def test_dependent_rows_by_iteration(extra: int) -> None:
    """Copies and combinations at the end of a star are found; without them it has full rank."""
    rng = np.random.default_rng(extra)
    arms = 120
    own = sp.kron(sp.eye_array(arms), rng.uniform(0.5, 1.0, (2, 5)))
    centre = sp.csr_array(rng.uniform(-1.0, 1.0, (2 * arms, 3)))
    star = sp.csr_array(sp.hstack([centre, own]))
    first = np.arange(extra)
    more = star[first] + 0.5 * star[first + 100]
    found = _dependent_rows_by_iteration(sp.csr_array(sp.vstack([star, more])))
    assert found is not None
    assert len(found) == extra
    rest = np.delete(np.vstack([star.toarray(), more.toarray()]), found, axis=0)
    assert np.linalg.matrix_rank(rest) == 2 * arms


def test_large_systems_keep_their_factors() -> None:
    """Most steps need one factorisation, that of the projections, and find the same motion."""
    system = load(chain(40, "planar"), layout="loop")
    result = simulate(system, (0.0, 0.05), h=1e-3, progress=False)
    assert result.success, result.message
    steps = result.counters.steps
    assert result.counters.newton_iterations > steps
    assert steps < result.counters.factorisations <= 1.5 * steps
    assert result.counters.max_phi < 1e-11
    exact = simulate(system, (0.0, 0.05), h=1e-3, tolerance=1e-14, progress=False)
    assert abs(result.q - exact.q).max() < 1e-9
    again = simulate(system, (0.0, 0.05), h=1e-3, progress=False)
    assert (again.q == result.q).all(), "a run must not depend on the one before"


def test_another_step_size_makes_new_factors() -> None:
    system = load(chain(40, "planar"), layout="loop")
    times = [0.0, 0.01, 0.012, 0.02]
    result = simulate(system, (0.0, 0.02), h=2e-3, t_eval=times, progress=False)
    steady = simulate(system, (0.0, 0.02), h=2e-3, progress=False)
    assert result.success and steady.success
    uneven = simulate(system, (0.0, 0.02), h=2e-3, t_eval=[0.0, 0.001, 0.02], progress=False)
    assert uneven.counters.factorisations > uneven.counters.steps + 1
    assert abs(uneven.q[-1] - steady.q[-1]).max() < 1e-5

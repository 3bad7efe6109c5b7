"""Reduced systems of random mechanisms move as the full ones do."""

import shutil

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.errors import AssemblyError
from tests.random_mechanisms import mechanism

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
SEEDS = [pytest.param(k, marks=[] if k < 4 else pytest.mark.slow) for k in range(80)]


@needs_c
@pytest.mark.parametrize("seed", SEEDS)
def test_same_motion_as_the_full_system(seed: int) -> None:
    model = mechanism(seed)
    systems = [load(model, backend="c", layout="flat", reduced=r) for r in (False, True)]
    try:
        full, reduced = (
            simulate(s, (0, 0.1), method="rk4", h=1e-3, progress=False) for s in systems
        )
    except AssemblyError as error:  # nothing can move
        assert "0 DOF" in str(error)
        return
    newmark = simulate(systems[1], (0, 0.1), h=1e-3, progress=False)
    assert full.success and reduced.success and newmark.success
    size = 1.0 + np.abs(full.lam).max(initial=0.0)
    np.testing.assert_allclose(reduced.q, full.q, atol=1e-7)
    np.testing.assert_allclose(reduced.v, full.v, atol=1e-6 * (1.0 + np.abs(full.v).max()))
    np.testing.assert_allclose(newmark.q, full.q, atol=1e-3)
    last = (reduced.t[-1], reduced.q[-1], reduced.v[-1], reduced.a[-1], reduced.lam[-1])
    assert np.abs(systems[1].residual(*last)).max() <= 1e-7 * size

"""Members have the same bits however they are grouped in blocks."""

import shutil

import numpy as np
import pytest

from mbdgen import EnsembleResult, load, simulate_many
from mbdgen.runtime.system.system import System
from tests.unit.symbolic.test_reduced import refusing

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
MASSES = [1.0, 1e-3, 1e3, 0.1, 50.0]


@pytest.fixture(scope="module")
def system() -> System:
    """Steps that fused kernels refuse need pivots, which are chosen for one member."""
    found = load("double_pendulum", backend="c", layout="flat")
    found._own_kernels = found._own_kernels._replace(newton=refusing())
    return found


def sweep(system: System, size: int, monkeypatch: pytest.MonkeyPatch) -> EnsembleResult:
    with monkeypatch.context() as patch:
        patch.setattr("mbdgen.runtime.ensembles.ensemble_simulation.block_size", lambda *_: size)
        return simulate_many(
            system, (0, 0.05), {"m1": MASSES}, h=5e-3, series="all", workers=1, progress=False
        )


@pytest.mark.slow
def test_blocks_change_no_bit(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    together = sweep(system, len(MASSES), monkeypatch)
    assert together.success
    for size in (1, 2):
        apart = sweep(system, size, monkeypatch)
        for name in together.keys():
            np.testing.assert_array_equal(apart[name], together[name], err_msg=name)

"""A bead that is pushed along a wire too short for it: every analysis says where the wire ends."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, kinematics, load, modes, simulate, statics
from mbdgen.errors import AssemblyError
from mbdgen.mechanics.positions import assemble
from mbdgen.runtime.system import System
from tests.quickest import quickest


@pytest.fixture(scope="module")
def bead() -> System:
    """The wire of one metre; the bead has come half-way at the start."""
    m = Model("bead", gravity=(0, -9.81, 0))
    body = m.point_mass("bead", 1.0, position=(0.5, 0, 0))
    wire = m.ground.along("wire", lambda s: (s, 0 * s, 0 * s), 0.5, ends=(0, 1))
    m.spherical("threaded", wire, body)
    m.translation_driver("push", m.ground, body, axis=(1, 0, 0), distance=0.5 + m.t)
    return load(m, backend=quickest())


def test_runs_end_there(bead: System) -> None:
    result = simulate(bead, (0, 1), h=0.01, progress=False)
    assert result.t[-1] == pytest.approx(0.5, abs=1e-8)
    assert "leaves its path of 0 to 1 m" in result.message


def test_kinematics_ends_there(bead: System) -> None:
    found = kinematics(bead, np.linspace(0, 1, 11))
    assert found.motion.t[-1] <= 0.5 + 1e-8 and not found.motion.success
    assert "at the end of a path" in found.motion.message
    assert [s.kind for s in found.singular] == ["position at the end of a path"]


@pytest.mark.parametrize("analysis", [assemble, statics, modes])
def test_positions_beyond_are_refused(bead: System, analysis: Callable[..., Any]) -> None:
    with pytest.raises(AssemblyError, match=r"the place 'wire\.s' is at 1\.2 m, beyond 0 to 1 m"):
        analysis(bead, 0.7)


@pytest.mark.parametrize("t", [-0.5, 0.5])
def test_the_very_end_is_on_the_path(bead: System, t: float) -> None:
    assert assemble(bead, t).q[bead.names.coordinates.index("wire.s")] == pytest.approx(0.5 + t)

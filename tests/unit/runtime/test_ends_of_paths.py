"""A bead that is pushed along a wire too short for it: every analysis says where the wire ends."""

import shutil
from collections.abc import Callable
from math import cos, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, build, kinematics, load, modes, simulate, simulate_many, statics
from mbdgen.errors import AssemblyError
from mbdgen.grouping.group_loading import load_groups
from mbdgen.language.read import read
from mbdgen.mechanics.positions import assemble
from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System
from tests.backends.node import evaluate
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
    with pytest.raises(AssemblyError, match=r"the point 'wire\.s' is at 1\.2 m, beyond 0 to 1 m"):
        analysis(bead, 0.7)


@pytest.mark.parametrize("t", [-0.5, 0.5])
def test_the_very_end_is_on_the_path(bead: System, t: float) -> None:
    assert assemble(bead, t).q[bead.names.coordinates.index("wire.s")] == pytest.approx(0.5 + t)


def slope() -> Model:
    """A bead on a slope, too short for it, that carries a rod."""
    m = Model("slope", gravity=(0, -9.81, 0))
    ray = (cos(0.3), -sin(0.3), 0.0)
    place = m.ground.along("place", lambda s: tuple(s * c for c in ray), 0.2, ends=(0, 1))
    at = (0.2 * ray[0], 0.2 * ray[1])
    bead = m.planar_body("bead", 0.3, 0.1, position=at, angle=-0.3)
    rod = m.planar_body("rod", 0.1, 0.01, position=at, angle=-1.2, centre_of_mass=(0.2, 0))
    m.fixed("slide", place, bead.at())
    m.revolute("pin", bead.at(), rod.at())
    k = m.parameter("k", 0.5)
    m.spring("spring", m.ground.at(0, -1), bead.at(), stiffness=k, length=1)
    m.output("s", place.s)
    return m


def check_end(t: float, s: float, message: str, expected: Result, atol: float = 1e-8) -> None:
    assert expected.status == 1 and "The point 'place.s' leaves its path" in expected.message
    assert t == pytest.approx(expected.t[-1], abs=atol)
    assert s == pytest.approx(1.0, abs=1e-6)
    assert "The point 'place.s' leaves its path of 0 to 1 m" in message


@pytest.fixture(scope="module")
def alone() -> Result:
    """What `simulate` does in the coordinates of the bodies."""
    result = simulate(load(slope(), backend="c"), (0, 2), h=0.01, method="rk4")
    assert 0.5 < result.t[-1] < 1.5
    return result


needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.mark.representatives(id="way1")
@needs_cc
@pytest.mark.parametrize("way", [{"coordinates": "relative"}, {"eliminate": True}])
def test_runs_in_fewer_coordinates_end_there(way: dict[str, Any], alone: Result) -> None:
    few = (
        read(slope(), {"coordinates": way.pop("coordinates")}) if "coordinates" in way else slope()
    )
    system = load(few, backend="c", **way)
    assert system.n_q < 7
    result = simulate(system, (0, 2), h=0.01, method="rk4")
    check_end(result.t[-1], result["s"][-1], result.message, alone)


@needs_cc
def test_members_of_ensembles_end_there(alone: Result) -> None:
    system = load(slope(), backend="c")
    given = {"k": [0.5, 0.6, 0.5]}
    found = simulate_many(system, (0, 2), parameters=given, h=0.01, method="rk4", progress=False)
    assert found.status.tolist() == [1, 1, 1]
    assert np.isnan(found["s"][0][found.t > alone.t[-1]]).all()
    last = found["s"][0][found.t <= alone.t[-1]]
    assert len(last) == len(alone.t) - 1 and last[-1] == alone["s"][-2]
    check_end(found.numbers[0][0], 1.0, found.messages[0], alone)


@pytest.mark.representatives(id="instants1")
@needs_cc
@pytest.mark.parametrize("instants", [None, [0.0, 0.5, 1.5, 2.0]])
def test_groups_end_there(instants: list[float] | None, grouped: Any, alone: Result) -> None:
    options = Options(formulation="matrix-r", method="rk4")
    result = simulate_by_groups(grouped, (0, 2), 0.01, options, instants)
    assert result.success and result.status == 1
    check_end(result.t[-1], result["s"][-1], result.message, alone, 1e-6)
    assert result.counters.steps == len(alone.t) - 1


@pytest.fixture(scope="module")
def grouped() -> Any:
    return load_groups(slope(), inputs=["place.s", "rod.theta"], backend="c")


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_javascript_ends_there(tmp_path: Path, alone: Result) -> None:
    """With fused steps and others, whatever is recorded; a start beyond is refused."""
    module = str(build(slope(), tmp_path, backend="js"))
    task = {"task": "simulate", "module": module, "span": [0, 2]}
    ways = [
        {"method": "rk4", "h": 0.01, "every": every, "fused": fused}
        for every, fused in ((1, True), (7, True), (1, False))
    ]
    *found, newmark = evaluate(
        [{**task, "options": way} for way in (*ways, {"method": "newmark", "h": 0.001})]
    )
    for motion in found:
        assert motion["success"]
        check_end(motion["t"][-1], motion["outputs"][-1][0], motion["message"], alone)
    check_end(newmark["t"][-1], newmark["outputs"][-1][0], newmark["message"], alone, 1e-5)
    beyond = Model("beyond", gravity=(0, -9.81, 0))
    bob = beyond.point_mass("bob", 1.0, position=(0.9, 0, 0))
    far = beyond.ground.along("far", lambda s: (s, 0 * s, 0 * s), 0.9, ends=(0, 1))
    beyond.spherical("ring", far, bob)
    beyond.translation_driver("push", beyond.ground, bob, axis=(1, 0, 0), distance=3 + beyond.t)
    module = str(build(beyond, tmp_path / "beyond", backend="js"))
    (refused,) = evaluate([{**task, "module": module, "options": {}}])
    assert "the point 'far.s' is at 3 m, beyond 0 to 1 m" in refused["thrown"]

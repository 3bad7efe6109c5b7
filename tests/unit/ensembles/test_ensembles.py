"""Every member of an ensemble has the numbers of a single run, bit for bit; failures stay alone."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import EnsembleResult, Model, grid, load, simulate, simulate_many
from mbdgen.errors import AssemblyError, OptionError
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.ensembles import ensemble_simulation, series_stores, worker
from mbdgen.runtime.results.result_series import matrix
from mbdgen.runtime.system.system import System
from tests.interruption import interrupted

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
SPAN = (0.0, 0.2)


def assert_same(
    many: EnsembleResult, system: System, span: tuple[float, float], **run: Any
) -> list[str]:
    """Compare every member with a single run of its parameters; return the single messages."""
    before = system.parameters
    messages = []
    for i, member in enumerate(many):
        system.set(**member.parameters)
        single = simulate(system, span, h=many.info.h, method=many.info.method, **run)
        np.testing.assert_array_equal(member.t, single.t)
        np.testing.assert_array_equal(member.values, matrix(single, list(many.columns)))
        assert member.counters == single.counters
        assert (member.status, member.success) == (single.status, single.success), i
        if single.status == -BROKEN:
            assert "but the energy does not balance" in member.message
            assert "but the energy does not balance" in single.message
        else:
            assert member.message.endswith(single.message)
        messages.append(single.message)
    system.set(**before)
    return messages


@needs_c
@pytest.mark.parametrize(
    ("layout", "floor", "method"),
    [("flat", False, "rk4"), ("loop", False, "rk4"), ("loop", False, "newmark"),
     ("flat", True, "rk4")],
    ids=["fused", "generic", "implicit", "one by one"],
)  # fmt: skip
def test_a_member_whose_energy_does_not_balance_is_no_success(
    layout: str, floor: bool, method: str
) -> None:
    """A spring too stiff for the step of an explicit method; the soft one beside it is right."""
    m = Model("spring", gravity=(0, 0, 0))
    stiffness = m.parameter("k", 1.0)
    mass = m.point_mass("mass", 1.0, position=(1.1, 0, 0))
    m.spring("spring", m.ground, mass, stiffness=stiffness, length=1.0)
    m.output("x", mass.at().x)
    if floor:  # far below: contacts are looked for in every step
        m.point_plane("floor", mass, m.ground.at(0, 0, -9), normal=(0, 0, 1), stiffness=1.0)
    system = load(m, backend="c", layout=layout)
    given: dict[str, Any] = {"method": method, "h": 0.04}
    found = simulate_many(system, (0, 1), {"k": [1.0, 1e4]}, **given)
    for k, member in zip((1.0, 1e4), found, strict=True):
        system.set(k=k)
        assert simulate(system, (0, 1), **given).status == member.status
        assert len(member.t) == 26 and np.isfinite(member.values).all()
    assert found[0].success and found[0]["x"][-1] == pytest.approx(1 + 0.1 * np.cos(1), abs=1e-4)
    if method == "newmark":
        assert found.success  # stable, whatever the step
        return
    assert found.status.tolist() == [0, -BROKEN] and found.failed.tolist() == [1]
    assert not found.success and not found[1].success
    assert "k = 10000" in found.messages[1]
    assert "The end was reached at t = 1 s, but the energy does not balance" in found.messages[1]


CASES = [
    pytest.param("pendulum", {"L": np.linspace(0.5, 2, 7)}, "c", "auto", "newmark", id="fused"),
    pytest.param("pendulum", {"m": np.linspace(0.5, 2, 4)}, "c", "auto", "rk4", id="rk4"),
    pytest.param(
        "slider_crank", {"torque": np.linspace(-1, 1, 5)}, "c", "auto", "newmark", id="powered"
    ),
    pytest.param(
        "slider_crank", {"torque": np.linspace(-1, 1, 4)}, "c", "loop", "newmark", id="sparse"
    ),
    pytest.param(
        "double_pendulum", grid(L1=[1, 2], m2=[1, 3]), "numba", "auto", "newmark", id="dense"
    ),
]


@pytest.mark.representatives(id=["rk4", "dense"])
@needs_c
@pytest.mark.parametrize(("name", "table", "backend", "layout", "method"), CASES)
def test_members_are_single_runs(
    name: str, table: dict[str, Any], backend: str, layout: str, method: str
) -> None:
    system = load(name, backend=backend, layout=layout)
    runs = [
        simulate_many(system, SPAN, table, h=2e-3, method=method, series="all", workers=workers)
        for workers in (1, 3)
    ]
    assert runs[0].success and len(runs[0]) == len(next(iter(table.values())))
    assert_same(runs[0], system, SPAN)
    for key in runs[0].keys():
        np.testing.assert_array_equal(runs[0][key], runs[1][key])
    turned = {key: column[::-1] for key, column in table.items()}
    back = simulate_many(system, SPAN, turned, h=2e-3, method=method, series="all", workers=2)
    np.testing.assert_array_equal(back["t"], runs[0]["t"])
    np.testing.assert_array_equal(back["energy.total"][::-1], runs[0]["energy.total"])


@needs_c
def test_reduced_system_and_steps_that_fused_kernels_refuse() -> None:
    """The pendulum turns through a half turn of its quaternion, where fixed pivots vanish."""
    system = load("pendulum", backend="c", reduced=True)
    found = simulate_many(system, (0, 1.5), {"L": [0.5, 1.0, 2.0]}, h=5e-3, series="all")
    assert found.success
    assert_same(found, system, (0, 1.5))


@pytest.mark.slow
@needs_c
def test_large_systems() -> None:
    """Above the size of compiled assembly, with factors that Newton's method keeps for a while."""
    system = load("chain", backend="c", n=30, layout="loop")
    assert system.n > 150
    still = system.v0.copy()
    speeds = np.linspace(0.0, 0.5, 3)[:, None] * np.ones((1, system.n_q))
    found = simulate_many(system, (0, 0.03), v0=speeds, h=1e-3, series="all", workers=1)
    assert found.success and len(np.unique(found.counters[:, 1])) > 1
    for i, member in enumerate(found):
        system.v0[:] = speeds[i]
        single = simulate(system, (0, 0.03), h=1e-3)
        np.testing.assert_array_equal(member.values, matrix(single, list(found.columns)))
        assert member.counters == single.counters
    system.v0[:] = still


@pytest.mark.slow
@needs_c
def test_redundant_systems() -> None:
    """Only the rank of the constraints leaves a motion."""
    system = load("bricard", backend="c")
    assert system.n_q <= len(system.work.rows)
    found = simulate_many(system, SPAN, q0=np.tile(system.q0, (3, 1)), h=1e-2, series="all")
    single = simulate(system, SPAN, h=1e-2)
    for member in found:
        np.testing.assert_array_equal(member.values, matrix(single, list(found.columns)))
        assert member.counters == single.counters


@needs_c
def test_failed_members_stop_no_other() -> None:
    """Newton's method fails in different ways, at different times; L = 0 cannot be assembled."""
    system = load("pendulum", backend="c")
    lengths = [1.0, 1e-6, 0.01, 0.0, 0.1, 2.0]
    found = simulate_many(system, (0, 3), {"L": lengths}, h=0.2, series="all", workers=2)
    assert not found.success and found.failed.tolist() == [1, 2, 3, 4]
    assert found.status[3] == -11 and np.isnan(found.reached[3])
    assert found.messages[3].startswith("Member 3 (L = 0): The mass matrix is singular: 'rod'")
    assert len(found[3].t) == 0 and np.isnan(found["tip"][3]).all()
    possible = [i for i in range(6) if i != 3]
    for i in possible:
        system.set(L=lengths[i])
        single, member = simulate(system, (0, 3), h=0.2), found[i]
        np.testing.assert_array_equal(member.t, single.t)
        np.testing.assert_array_equal(member.values, matrix(single, list(found.columns)))
        assert (member.status, member.counters) == (single.status, single.counters)
        if single.status == -BROKEN:
            assert "but the energy does not balance" in member.message
            assert "but the energy does not balance" in single.message
        else:
            assert member.message.endswith(single.message)
        assert np.isnan(found["tip.x"][i, len(single.t) :]).all()
    assert "Member 1 (L = 1e-06): Newton's method did not converge" in found.message
    summary = found.summary()
    assert summary["failed"] == 4 and list(summary["failures"]) == ["1", "2", "3", "4"]


def swinging(names: tuple[str, str] = ("swing", "ball")) -> Model:
    """A ball on a string of length L, guessed where L = 1 puts it."""
    m = Model(names[0], gravity=(0, -9.81, 0))
    length = m.parameter("L", 1.0)
    ball = m.point_mass(names[1], 1.0, position=(0.6, -0.8, 0.0))
    m.distance("string", m.ground.at(), ball.at(), length=length)
    return m


@needs_c
def test_guesses_are_assembled_as_in_single_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's method brings the ball to a near length, the cautious assembly to a far one."""
    system, careful = load(swinging(), backend="c"), []
    genuine = worker.assemble_with_care

    def counted(system: System, t: float) -> Any:
        careful.append(t)
        return genuine(system, t)

    monkeypatch.setattr(worker, "assemble_with_care", counted)
    lengths = np.array([0.2, 1.0, 1e-5, 3.0])
    found = simulate_many(system, SPAN, {"L": lengths}, h=1e-2, t_eval=[0.0, 0.1, 0.2])
    assert len(careful) == 2
    assert found.keys() == ["t", "ball.x", "ball.y", "ball.z"]  # a model without outputs
    begin = np.linalg.norm(found["ball"][:, 0], axis=-1)
    np.testing.assert_allclose(begin, lengths, rtol=0, atol=1e-14)
    assert_same(found, system, SPAN, t_eval=[0.0, 0.1, 0.2])


@needs_c
def test_members_that_cannot_move_say_so_as_single_runs_do() -> None:
    m = Model("stuck", gravity=(0, -9.81, 0))
    ball = m.point_mass("ball", m.parameter("mass", 1.0), position=(0.0, -1.0, 0.0))
    for name, at in (("s1", (0, 0, 0)), ("s2", (1, 0, 0)), ("s3", (0, 0, 1))):
        m.distance(name, m.ground.at(*at), ball.at(), length=float(np.hypot(1, sum(at))))
    system = load(m, backend="c")
    with pytest.raises(AssemblyError, match="over-constrained: 0 DOF") as caught:
        simulate(system, SPAN)
    found = simulate_many(system, SPAN, {"mass": [1.0, 2.0]})
    assert found.failed.tolist() == [0, 1] and set(found.status) == {-11}
    assert found.messages[0] == f"Member 0 (mass = 1): {caught.value}"


@needs_c
def test_initial_states_of_members() -> None:
    system = load(swinging(), backend="c")
    given = {"ball.x": [0.0, 0.5, 0.6], "ball.y": [-1.0, -0.5, -0.8]}
    speeds = [[0.0, 0.0, 0.1], [0.0, 0.0, 0.2], [0.5, 0.0, 0.0]]
    table = {"L": [1.0, 0.7, 1.0]}
    found = simulate_many(system, SPAN, table, q0=given, v0=speeds, h=1e-2, series=["ball"])
    for i in range(3):
        system.set(L=table["L"][i])
        system.q0[:2] = given["ball.x"][i], given["ball.y"][i]
        system.v0[:] = speeds[i]
        np.testing.assert_array_equal(found["ball"][i], simulate(system, SPAN, h=1e-2)["ball"])
    assert "Member 1 (L = 0.7)" not in found.messages
    full = np.tile(system.q0, (2, 1))
    assert len(simulate_many(system, SPAN, q0=full, h=1e-2)) == 2


@needs_c
def test_recorded_instants_and_series() -> None:
    system = load("pendulum", backend="c")
    table = {"L": [0.7, 1.3]}
    found = simulate_many(system, (0, 1), table, h=1e-2, every=7, series=["tip.x", "energy.total"])
    assert found.keys() == ["t", "tip.x", "energy.total"] and found["tip.x"].shape == (2, 16)
    assert_same(found, system, (0, 1), t_eval=found.t)
    instants = [0.1, 0.25, 0.8]
    chosen = simulate_many(system, (0, 1), table, h=1e-2, t_eval=instants, series="tip")
    assert chosen["tip"].shape == (2, 3, 3)
    assert_same(chosen, system, (0, 1), t_eval=instants)
    assert system.parameters["L"] == 1.0


@needs_c
@pytest.mark.parametrize("kind", ["list", "structured", "frame"])
def test_tables_of_every_kind(kind: str) -> None:
    system = load("pendulum", backend="c")
    columns = {"L": [0.7, 1.3], "m": [1.0, 2.0]}
    if kind == "list":
        table: Any = [{"L": 0.7, "m": 1.0}, {"m": 2.0, "L": 1.3}]
    elif kind == "structured":
        table = np.array([(0.7, 1.0), (1.3, 2.0)], dtype=[("L", float), ("m", float)])
    else:
        table = pytest.importorskip("pandas").DataFrame(columns)
    expected = simulate_many(system, SPAN, columns, h=1e-2)
    found = simulate_many(system, SPAN, table, h=1e-2)
    assert dict(found[1].parameters) == {"L": 1.3, "m": 2.0}
    np.testing.assert_array_equal(found["tip"], expected["tip"])


@needs_c
def test_results_larger_than_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system, table = load("pendulum", backend="c"), {"L": np.linspace(0.5, 2, 5)}
    expected = simulate_many(system, SPAN, table, h=1e-2)
    monkeypatch.setattr(series_stores.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(series_stores, "memory_limit", lambda: 1000.0)
    found = simulate_many(system, SPAN, table, h=1e-2)
    assert isinstance(found.store.series(0).base.base, np.memmap)
    np.testing.assert_array_equal(found["tip"], expected["tip"])
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(
        series_stores.shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, 0)
    )
    with pytest.raises(OptionError, match="which neither the memory nor"):
        simulate_many(system, SPAN, table, h=1e-2)


@needs_c
def test_parquet_is_the_same_data(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    system, table = load("pendulum", backend="c"), {"L": [1.0, 0.1, 2.0]}
    expected = simulate_many(system, (0, 3), table, h=0.2)
    found = simulate_many(system, (0, 3), table, h=0.2, out=tmp_path / "a.parquet", workers=2)
    for name in expected.keys():
        np.testing.assert_array_equal(found[name], expected[name])
    np.testing.assert_array_equal(found[2].values, expected[2].values)
    expected.to_parquet(tmp_path / "b.parquet")
    tables = [parquet.read_table(tmp_path / name) for name in ("a.parquet", "b.parquet")]
    assert tables[0].column_names[:4] == ["member", "t", "status", "L"]
    assert tables[0].num_rows == 3 * len(found.t)
    frames = [table.to_pandas() for table in tables]
    assert frames[0].equals(frames[1])
    assert set(frames[0].status[frames[0].member == 1]) == {-3}
    assert parquet.ParquetFile(tmp_path / "a.parquet").num_row_groups == 3
    assert (
        b"Member 1 (L = 0.1)" in parquet.read_metadata(tmp_path / "a.parquet").metadata[b"mbdgen"]
    )


@needs_c
def test_a_file_appears_complete_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    system = load("pendulum", backend="c")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(series_stores.ParquetStore, "_write", full)
    with pytest.raises(OptionError, match="No space left"):
        simulate_many(system, SPAN, {"L": [1.0]}, h=1e-2, out=tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


@needs_c
def test_tables_and_data_sets() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    system = load("pendulum", backend="c")
    found = simulate_many(system, SPAN, grid(L=[1.0, 2.0], m=[1, 2, 3]), h=1e-2)
    frame, data = found.to_pandas(), found.to_xarray()
    assert list(frame.columns[:3]) == ["L", "m", "status"] and len(frame) == 6
    np.testing.assert_array_equal(frame["tip.x"], found["tip.x"][:, -1])
    unstacked = data.set_index(member=["L", "m"]).unstack("member")
    np.testing.assert_array_equal(unstacked["tip.x"].sel(L=2.0, m=1.0), found["tip.x"][3])
    assert "6 simulations of 'pendulum'" in repr(found)


@needs_c
def test_keyboard_interrupt_keeps_what_is_done() -> None:
    system = load("pendulum", backend="c")
    simulate_many(system, SPAN, {"L": [1.0]}, h=1e-2)
    lengths = np.linspace(0.5, 2, 3000)
    with interrupted(0.4):
        found = simulate_many(system, (0, 20), {"L": lengths}, h=1e-3, every=1000, workers=2)
    assert 0 < len(found.failed) < 3000 and set(found.status[found.failed]) == {-102}
    assert "interrupted" in found.messages[int(found.failed[-1])].lower()
    assert np.isnan(found["tip.x"][found.failed]).any()
    assert np.isfinite(found["tip.x"][found.status == 0]).all()


def test_progress_counts_members(capsys: pytest.CaptureFixture[str]) -> None:
    system = load("pendulum")
    assert simulate_many(system, (0, 0.01), {"L": [1, 2]}, progress=True).success
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err != ""


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "no members"),
    ({"parameters": {"K": [1, 2]}}, "no parameter 'K'"),
    ({"parameters": {"L": [1, 2], "m": [1, 2, 3]}}, "parameter 'L' has 2, parameter 'm' has 3"),
    ({"parameters": {"L": [1, float("nan")]}}, "'L' of member 1 = nan"),
    ({"parameters": {"L": [1, "x"]}}, "'L' of member 1 = 'x'"),
    ({"parameters": {"L": [[1, 2]]}}, "shape"),
    ({"parameters": {"L": []}}, "has 0"),
    ({"parameters": 3}, "no table but int"),
    ({"parameters": [{"L": 1}, {"m": 1}]}, "Member 1 gives m"),
    ({"q0": [[1.0, 2.0]]}, "q0 is not a table of finite numbers with 7 columns"),
    ({"q0": {"rod.w": [1]}}, "no coordinate"),
    ({"v0": {"rod.x": [1], "rod.y": [1, 2]}}, "v0 gives"),
    ({"parameters": {"L": [1]}, "series": ["tipp.x"]}, "Did you mean"),
    ({"parameters": {"L": [1]}, "workers": 0}, "workers = 0"),
    ({"parameters": {"L": [1]}, "every": 1.5}, "every = 1.5"),
    ({"parameters": {"L": [1]}, "every": 2, "t_eval": [0.0]}, "both say what is recorded"),
    ({"parameters": {"L": [1]}, "series": []}, "series is empty"),
    ({"parameters": {"L": np.array([1, np.nan])}}, "'L' of member 1 = nan is"),
    ({"parameters": {"L": [1]}, "h": -1.0}, "not positive"),
    ({"parameters": {"L": [1]}, "method": "eulr"}, "no method 'eulr'"),
    ({"parameters": {"L": [1]}, "out": "a.csv"}, "no Parquet file"),
    ({"parameters": {"L": [1]}, "out": "/nowhere/a.parquet"}, "no folder"),
    ({"parameters": {"L": [1]}, "executor": 3}, "no executor but int"),
]


@pytest.mark.parametrize(("arguments", "culprit"), BAD)
def test_refused(arguments: dict[str, Any], culprit: str) -> None:
    system = load("pendulum")
    with pytest.raises(OptionError) as caught:
        simulate_many(system, SPAN, **arguments)
    assert culprit in caught.value.cause + caught.value.remedy
    assert caught.value.remedy


def test_refused_system() -> None:
    with pytest.raises(OptionError, match="needs a System, not int"):
        ensemble_simulation.simulate_many(5, SPAN, {"L": [1]})  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no member 7"):
        simulate_many(load("pendulum"), (0, 0.01), {"L": [1]})[7]

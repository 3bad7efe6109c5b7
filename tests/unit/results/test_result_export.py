"""Every file format of a result: nothing is lost, nothing is left half-written."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from mbdgen.errors import OptionError
from mbdgen.runtime.results import result_export
from mbdgen.runtime.results.body_motion import BodyMotion
from mbdgen.runtime.results.matlab_files import state_table
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.result_archive import load_result
from mbdgen.runtime.stepping.run_info import Counters
from mbdgen.view.plots import save_plot
from tests.sample_result import make

JSON_KEYS = """model method formulation backend layout reduced dof n_q n_phi redundant t_end h steps
newton_iterations factorisations max_phi max_phi_dot max_phi_ddot energy_drift energy_scale
generic_steps accepted rejected derive_s emit_s compile_s solve_s accuracy warnings status message
outputs""".split()
SUFFIXES = ("npz", "csv", "parquet", "nc", "mat", "json")


def test_npz_returns_everything(tmp_path: Path) -> None:
    result = make()
    result.save(tmp_path / "r.npz")
    again = load_result(tmp_path / "r.npz")
    for name in ("t", "q", "v", "a", "lam", "outputs", "energies"):
        assert np.array_equal(getattr(again, name), getattr(result, name))
    same = ("names", "success", "status", "message", "counters", "info", "timings", "warnings")
    for name in (*same, "switches"):
        assert getattr(again, name) == getattr(result, name)
    assert [list(instants) for instants in again.t_events] == [[0.1], []]
    assert again.bodies.names == ("rod", "arm")
    for part in ("r", "R", "v", "w", "a", "alpha"):
        assert np.array_equal(getattr(again.bodies, part), getattr(result.bodies, part))
    replace(result, places=None).save(tmp_path / "old.npz")
    assert load_result(tmp_path / "old.npz").places is None


def test_matlab_has_our_names_and_the_tables_of_mubodyna(tmp_path: Path) -> None:
    result = make(outputs=("tip.x", "tip_x", "pin[0]"))
    result.save(tmp_path / "r.mat")
    stored = loadmat(tmp_path / "r.mat", squeeze_me=True)
    assert stored["names"].tolist() == result.keys()[1:]
    assert stored["units"][:2].tolist() == ["m", "m"] and stored["model"] == "pendulum"
    assert stored["fields"][:3].tolist() == ["tip_x", "tip_x_2", "pin_0"]
    series = stored["series"][()]
    assert list(series.dtype.names) == stored["fields"].tolist()
    for field, name in zip(stored["fields"], stored["names"], strict=True):
        assert np.array_equal(series[field], result[str(name)])
    assert np.array_equal(stored["T"], result.t) and stored["uT"].shape == (21, 26)
    assert stored["p"].shape == (21, 2, 4) and stored["wp"].shape == (21, 2, 3)
    assert np.array_equal(stored["rdd"], result.bodies.a)


def test_columns_of_mubodyna() -> None:
    """Counted from 1: y of body 3 is column 16, w1 of body 4 of five is column 57."""
    random, axes = np.random.default_rng(2), np.broadcast_to(np.eye(3), (4, 5, 3, 3))
    r, v, w, a, alpha = random.normal(size=(5, 4, 5, 3))
    table = state_table(BodyMotion(tuple("abcde"), r, axes, v, w, a, alpha))
    assert table.shape == (4, 13 * 5)
    assert np.array_equal(table[:, 16 - 1], r[:, 2, 1])
    assert np.array_equal(table[:, 57 - 1], w[:, 3, 0])
    assert np.array_equal(table[:, 7 * 5 - 4 : 7 * 5], np.tile([1.0, 0, 0, 0], (4, 1)))


def test_netcdf_has_the_bodies() -> None:
    pytest.importorskip("xarray")
    result = make()
    data = result.to_xarray()
    found = data["body.w"].sel(body="arm", component="y")
    assert np.array_equal(found, result["arm.w.y"]) and found.attrs["units"] == "rad/s"
    assert data["body.p"].shape == (21, 2, 4)


def test_csv_keeps_every_bit(tmp_path: Path) -> None:
    result = make()
    result.outputs[3, 1] = np.nan
    result.save(tmp_path / "r.csv")
    header = (tmp_path / "r.csv").read_text().splitlines()[0].split(",")
    assert header[:4] == ["t [s]", "tip.x [m]", "tip.y [m]", "E [J]"] and "pin[0]" in header
    values = np.genfromtxt(tmp_path / "r.csv", delimiter=",", skip_header=1)
    assert np.array_equal(values, result_export.table(result)[2], equal_nan=True)


def test_parquet_keeps_every_bit_and_units(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    result = make()
    result.save(tmp_path / "r.parquet")
    table = parquet.read_table(tmp_path / "r.parquet")
    assert np.array_equal(table["tip.y"].to_numpy(), result["tip.y"])
    assert table.column_names == result.keys()
    assert table.schema.field("rod.x.dot").metadata[b"unit"] == b"m/s"
    assert json.loads(table.schema.metadata[b"mbdgen"])["steps"] == 20


@pytest.mark.representatives(id="2")
@pytest.mark.parametrize("n_lam", [0, 2])
def test_netcdf_keeps_every_bit_and_units(tmp_path: Path, n_lam: int) -> None:
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    result = make(n_lam=n_lam)
    result.save(tmp_path / "r.nc")
    with xarray.open_dataset(tmp_path / "r.nc", engine="h5netcdf") as data:
        assert np.array_equal(data["tip.y"], result["tip.y"])
        assert np.array_equal(data.q.sel(coordinate="rod.theta"), result["rod.theta"])
        assert np.array_equal(data.energy.sel(kind="total"), result["energy.total"])
        assert data.lam.shape == (21, n_lam)
        assert data["tip.y"].attrs["units"] == "m" and data.t.attrs["units"] == "s"
        assert list(data.coordinate_units.values) == ["m", "m", "rad"]
        assert data.attrs["method"] == "newmark" and data.attrs["steps"] == 20


def test_xarray_with_outputs_called_like_the_state() -> None:
    pytest.importorskip("xarray")
    result = make(outputs=("q", "t"))
    data = result.to_xarray()
    assert np.array_equal(data["output.q"], result.outputs[:, 0])
    assert np.array_equal(data.q, result.q)


def test_pandas_table() -> None:
    pytest.importorskip("pandas")
    result = make()
    frame = result.to_pandas()
    assert np.array_equal(frame["tip.y"], result["tip.y"]) and frame.index.name == "t"
    assert frame.attrs["units"]["rod.x.dot"] == "m/s"
    assert list(frame.columns) == result.keys()[1:]


def test_json_has_the_promised_keys_and_null_for_nan(tmp_path: Path) -> None:
    result = replace(make(), counters=Counters(np.int64(20), 1, 1, np.inf, np.float64(1e-9)))
    result.outputs[-1, 1] = np.nan
    result.save(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text()
    flat = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert list(flat) == JSON_KEYS == list(result.summary())
    assert flat["steps"] == 20 and flat["max_phi"] is None and flat["energy_drift"] is None
    assert flat["outputs"] == {
        "tip.x": result["tip.x"][-1],
        "tip.y": None,
        "E": result["E"][-1],
    }
    assert flat["derive_s"] == 0.1 and flat["emit_s"] == 0.0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_run_that_failed_at_once_can_be_saved(tmp_path: Path, suffix: str) -> None:
    info = replace(make().info, h=None, t_end=0.0)
    result = replace(make(0), success=False, status=3, message="a 'quoted', \"text\" µ", info=info)
    result.save(tmp_path / f"r.{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"r.{suffix}"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_impossible_places_are_our_error_and_leave_nothing(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / f"folder.{suffix}").mkdir()
    before = sorted(tmp_path.rglob("*"))
    long = "x" * 300
    for place in ("missing/r", "file/r", "folder", long):
        with pytest.raises(OptionError, match=r"Cannot write .*existing, writable folder"):
            make().save(tmp_path / f"{place}.{suffix}")
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OptionError, match=r"Cannot write"):
        make().save(tmp_path / "r.csv")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["r.xlsx", "r", ".npz", "", "r.npz.gz"])
def test_unknown_suffix(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=r"suffix .* is unknown. Use one of \.npz"):
        make().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failure_in_the_middle_keeps_the_old_file(tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "r.csv"
    make().save(target)
    old = target.read_bytes()

    def interrupted(result: Result, path: Path) -> None:
        path.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setitem(result_export.WRITERS, ".csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make().save(target)
    assert target.read_bytes() == old and [p.name for p in tmp_path.iterdir()] == ["r.csv"]


def test_files_get_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    for suffix in SUFFIXES:
        make().save(tmp_path / f"r.{suffix}")
        assert (tmp_path / f"r.{suffix}").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("content", [None, b"", b"text", b"PK\x03\x04 broken"])
def test_files_that_are_no_result(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "r.npz").write_bytes(content)
    with pytest.raises(OptionError, match=r"r\.npz"):
        load_result(tmp_path / "r.npz")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(OptionError, match="is not a result of mbdgen"):
        load_result(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("module", "extra", "action"),
    [
        ("pandas", "data", lambda result, folder: result.to_pandas()),
        ("xarray", "data", lambda result, folder: result.to_xarray()),
        ("pyarrow", "data", lambda result, folder: result.save(folder / "r.parquet")),
        ("h5netcdf", "data", lambda result, folder: result.save(folder / "r.nc")),
        ("h5py", "data", lambda result, folder: result.save(folder / "r.nc")),
        ("matplotlib.pyplot", "plot", lambda result, folder: result.plot()),
        (
            "matplotlib.figure",
            "plot",
            lambda result, folder: save_plot(result, None, folder / "p.png"),
        ),
    ],
)
def test_missing_library_names_the_extra(monkeypatch, tmp_path, module, extra, action) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OptionError, match=rf"{module}.*not installed.*mbdgen\[{extra}\]"):
        action(make(), tmp_path)
    assert not list(tmp_path.iterdir())

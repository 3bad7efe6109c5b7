"""A checkpoint is looked at completely before a compiled loop sees it."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Checkpoint, Model, load, load_result, simulate
from mbdgen.errors import MbdgenError, OptionError
from mbdgen.modal.matrix_files import as_matrix
from mbdgen.runtime.system.system import System

Groups = dict[str, tuple[Any, ...]]


@pytest.fixture(scope="module")
def bars() -> System:
    """Sparse factors."""
    return load("n_four_bar", layout="loop", coordinates="quaternion")


def go_on(system: System, start: Checkpoint, method: str = "newmark") -> bool:
    return simulate(system, (start.t, start.t + 0.02), method, 0.01, start=start).success


def number(name: str, k: int, change: Callable[[Any], Any]) -> Callable[[Groups], None]:
    def craft(groups: Groups) -> None:
        arrays = list(groups[name])
        arrays[k] = change(arrays[k].copy())
        groups[name] = tuple(arrays)

    return craft


def put(index: Any, value: float) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        array[index] = value
        return array

    return change


def without(name: str) -> Callable[[Groups], None]:
    return lambda groups: groups.__delitem__(name)


CRAFTED = {
    "tangent points out of the matrix": number("tangent", 8, put(..., 2**31 - 5)),
    "mass begins columns elsewhere": number("mass", 6, put(-1, 10**6)),
    "one row twice": number("tangent", 2, put(0, 1)),
    "another mode": number("tangent", 0, put(1, 7)),
    "another size": number("mass", 0, put(0, 3)),
    "upper rows below": number("tangent", 14, put(..., 10**6)),
    "short work": number("tangent", 18, lambda x: x[:-1]),
    "a negative pointer as a float": number("tangent", 11, lambda x: x.astype(float)),
    "position without a number": number("state", 1, put(0, np.nan)),
    "a velocity too many": number("state", 2, lambda x: np.append(x, 0.0)),
    "one number for all": number("parameters", 0, lambda x: x[:1]),
    "a table": number("kept", 0, lambda x: np.zeros((5, 1))),
    "time": number("begin", 0, lambda x: np.zeros(0)),
    "outputs": number("outputs", 0, lambda x: x[:-1]),
    "energies": number("numbers", 0, put(0, np.inf)),
    "no direction": without("direction"),
    "no mass": without("mass"),
    "no state of a method": without("kept"),
    "texts": number("tables", 0, lambda x: x.astype(str)),
}


@pytest.mark.parametrize("what", CRAFTED)
def test_crafted(what: str, bars: System) -> None:
    start = simulate(bars, (0, 0.02), h=0.01).checkpoint()
    assert go_on(bars, start)
    groups = dict(start.groups)
    CRAFTED[what](groups)
    with pytest.raises(OptionError, match="checkpoint is damaged: its part"):
        go_on(bars, Checkpoint(start.identity, groups))


def test_orders_of_dense_methods() -> None:
    system = load("pendulum")
    arguments: dict[str, Any] = {"method": "rk4", "h": 0.01, "formulation": "nullspace-lu"}
    start = simulate(system, (0, 0.02), **arguments).checkpoint()
    assert simulate(system, (start.t, 0.04), start=start, **arguments).success
    groups = dict(start.groups)
    places = [k for k, x in enumerate(groups["memory"]) if x.dtype.kind == "i"]
    number("memory", places[0], put((0, 0), 2**40))(groups)
    with pytest.raises(OptionError, match="checkpoint is damaged"):
        simulate(system, (start.t, 0.04), start=Checkpoint(start.identity, groups), **arguments)


def test_files(tmp_path: Path) -> None:
    """Whatever byte is changed, an error of ours says so."""
    path, other = tmp_path / "c.npz", tmp_path / "d.npz"
    simulate(load("pendulum"), (0, 0.02), h=0.01).checkpoint().save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(7)
    for place in rng.integers(len(whole), size=60):
        changed = bytearray(whole)
        changed[place] ^= 1 << int(rng.integers(8))
        other.write_bytes(changed)
        try:
            start = Checkpoint.load(other)
        except OptionError:
            continue
        same = Checkpoint.load(path)  # only the names of parts of zip files are stored twice
        assert start.identity == same.identity and start.groups.keys() == same.groups.keys()
    arrays = dict(np.load(path))
    arrays["state.1"] = arrays["state.1"] + 1.0
    np.savez(other, **arrays)
    with pytest.raises(OptionError, match=r"d.npz' is damaged"):
        Checkpoint.load(other)
    header = json.loads(str(arrays["header"]))
    arrays["header"] = np.array(json.dumps({**header, "checkpoint": 1}))
    np.savez(other, **arrays)
    with pytest.raises(OptionError, match=r"is a checkpoint of the format 1"):
        Checkpoint.load(other)


def oscillator(cubic: bool) -> Model:
    m = Model("oscillator", gravity=(0, 0, 0))
    p = m.point_mass("p", 1.0, position=(1, 0, 0))
    x = p.at().x
    m.force("f", p.at(), force=(-100 * x**3 if cubic else -4 * x, 0, 0))
    return m


def test_other_equations_of_the_same_names() -> None:
    start = simulate(load(oscillator(False)), (0, 0.02), h=0.01).checkpoint()
    assert go_on(load(oscillator(False)), start)
    with pytest.raises(OptionError, match="set of equations"):
        go_on(load(oscillator(True)), start)


def test_sizes_that_lie(tmp_path: Path) -> None:
    """A small file does not ask for gigabytes."""
    path = tmp_path / "a.npz"
    np.savez(path, t=np.zeros(3))
    with zipfile.ZipFile(path) as archive:
        content = archive.read("t.npy")
    lying = content.replace(b"(3,), }        ", b"(9999999999,), ")
    assert lying != content
    for name in ("a.npz", "b.npz"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("t.npy", lying)
            archive.writestr("header.npy", lying)
    for read in (Checkpoint.load, load_result):
        with pytest.raises(OptionError, match=r"a.npz"):
            read(path)
    with pytest.raises(MbdgenError, match=r"cannot be read"):
        as_matrix(str(tmp_path / "b.npz"), "mass", "body")
    lines = "%%MatrixMarket matrix coordinate real general\n900000000 900000000 1\n1 1 1.0\n"
    (tmp_path / "m.mtx").write_text(lines)
    (tmp_path / "n.mtx").write_text("%%MatrixMarket matrix array real general\n90000 90000\n1.0\n")
    for name in ("m.mtx", "n.mtx"):
        with pytest.raises(MbdgenError, match=r"cannot be read"):
            as_matrix(str(tmp_path / name), "mass", "body")
    (tmp_path / "good.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n% note\n2 2 2\n1 1 2\n2 2 3\n"
    )
    assert as_matrix(str(tmp_path / "good.mtx"), "mass", "body").toarray().tolist() == [
        [2, 0],
        [0, 3],
    ]


def test_archives_that_unpack_to_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("t.npy", "w", force_zip64=True) as stream:
            for _ in range(210):
                stream.write(bytes(1_000_000))
    assert path.stat().st_size < 1_000_000
    with pytest.raises(OptionError, match=r"a.npz"):
        load_result(path)

"""Files as users have them: a cache, checkpoints, results, models, data; made once."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from mbdgen import EnsembleResult, load, load_result, simulate, simulate_many
from mbdgen.runtime.ensembles.unfinished_sweep import Unfinished, unfinished_path
from mbdgen.runtime.stepping.checkpoint import Checkpoint
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

MUBODYNA = Path(__file__).parents[1] / "mubodyna"
MODELS = {
    "swing": """
import sympy
from mbdgen import Model
m = model = Model("swing", gravity=(0, -9.81, 0))
L = m.parameter("L", 1.2)
arm = m.planar_body("arm", 1.5, 0.2, position=(L, 0), angular_velocity=3)
rod = m.planar_body("rod", 1.1, 0.1, position=(2 * L, 0))
m.revolute("pin", m.ground.at(), arm.at(-L, 0))
m.revolute("knee", arm, rod, at=(1.5, 0, 0), axis=(0, 0, 1))
m.spring("s", m.ground.at(0, 1), rod.at(), stiffness=4.0, damping=0.3)
m.output("tip", rod.at(L, 0))
m.output("speed", sympy.sqrt(rod.at().vx ** 2 + rod.at().vy ** 2))
""",
    "ball": """
from mbdgen import Model
m = model = Model("ball", gravity=(0, 0, -9.81))
ball = m.body("ball", 2.0, (0.1, 0.1, 0.1), position=(0, 0, 0.5), angular_velocity=(3, 1, 0))
m.sphere_plane("hit", ball.at(), m.ground.at(0, 0, 0, axis=(0, 0, 1)), radius=0.3, stiffness=1e4)
m.output("centre", ball.at())
""",
    "row": """
from mbdgen import Model
m = model = Model("row", gravity=(0, -9.81, 0))
inner = m.ground.at()
for k in range(14):
    bar = m.planar_body(f"bar{k}", 1.0 + 0.01 * k, 0.1, position=(k + 0.5, 0))
    m.revolute(f"pin{k}", inner, bar.at(-0.5, 0))
    inner = bar.at(0.5, 0)
m.output("tip", inner)
""",
}
RUNS: dict[str, dict[str, Any]] = {
    "newmark": {"method": "newmark", "h": 0.01},
    "rk4": {"method": "rk4", "h": 0.01},
    "dopri5": {"method": "dopri5", "rtol": 1e-5},
}
SYSTEMS = (
    ("swing", "c", "flat"), ("swing", "numba", "flat"), ("ball", "c", "loop"), ("row", "c", "loop"),
)  # fmt: skip


@dataclass(frozen=True)
class Estate:
    """A folder of sound files, and what they give.

    Attributes
    ----------
    folder : Path
        With ``cache``, ``models``, ``checkpoints``, ``results``, ``ensembles`` and ``data``.
    motions : dict
        Outputs of every system, by its place in `SYSTEMS`.
    continued : dict
        Outputs that follow a checkpoint, by its name.
    members : array
        All series of the ensemble.
    """

    folder: Path
    motions: list[FloatArray]
    continued: dict[str, FloatArray]
    members: FloatArray


def outputs(system: System, method: str = "newmark") -> FloatArray:
    return simulate(system, (0.0, 0.1), progress=False, **RUNS[method]).outputs


def system_of(folder: Path, name: str, backend: str, layout: str) -> System:
    return load(folder / "models" / f"{name}.py", backend=backend, layout=layout)


def make(folder: Path) -> None:
    """Fill a folder, and write what its files give beside it, for `opened`."""
    os.environ["MBDGEN_CACHE"] = str(folder / "cache")
    folder.mkdir()
    for name in ("cache", "models", "checkpoints", "results", "ensembles", "data"):
        (folder / name).mkdir()
    for name, text in MODELS.items():
        (folder / "models" / f"{name}.py").write_text(text)
    motions = [outputs(system_of(folder, *which)) for which in SYSTEMS]
    continued = {}
    for which in ((*SYSTEMS[0], "newmark"), (*SYSTEMS[0], "rk4"), (*SYSTEMS[0], "dopri5"),
                  (*SYSTEMS[2], "newmark"), (*SYSTEMS[3], "newmark")):  # fmt: skip
        name, backend, layout, method = which
        system = system_of(folder, name, backend, layout)
        first = simulate(system, (0.0, 0.1), progress=False, **RUNS[method])
        first.checkpoint().save(folder / "checkpoints" / f"{name}-{method}.npz")
        continued[f"{name}-{method}"] = go_on(folder, f"{name}-{method}")
        first.save(folder / "results" / f"{name}-{method}.npz")
    members = _ensembles(folder)
    _data(folder / "data")
    for source in sorted(MUBODYNA.iterdir()):
        if source.is_dir():
            shutil.copytree(source, folder / "mubodyna" / source.name)
    numbered = {f"motion {k}": x for k, x in enumerate(motions)}
    np.savez(folder.parent / "expected.npz", **numbered, **continued, members=members)


def opened(folder: Path) -> Estate:
    """Return what another process has made."""
    with np.load(folder.parent / "expected.npz") as stored:
        known = {name: stored[name] for name in stored.files}
    motions = [known.pop(f"motion {k}") for k in range(len(SYSTEMS))]
    return Estate(folder, motions, known, known.pop("members"))


def sweep(folder: Path, out: Path, resume: bool = False) -> EnsembleResult:
    """Compute an ensemble, or the rest of one."""
    system, lengths = system_of(folder, *SYSTEMS[0]), np.linspace(1.0, 1.6, 40)
    options: dict[str, Any] = {"h": 0.02, "workers": 1, "progress": False}
    return simulate_many(system, (0.0, 0.2), {"L": lengths}, out=out, resume=resume, **options)


def series(found: EnsembleResult) -> FloatArray:
    """Return all that an ensemble has recorded, as one array."""
    return np.stack([found[name] for name in found.keys()[1:]])


def _ensembles(folder: Path) -> FloatArray:
    """Leave a finished sweep, and one that was killed before its end."""
    out, kept = folder / "ensembles" / "whole.parquet", folder / "ensembles" / "killed"
    close = Unfinished.close

    def closed(unfinished: Unfinished, finished: bool) -> None:
        shutil.copyfile(unfinished_path(out), kept)
        close(unfinished, finished)

    with patch.object(Unfinished, "close", closed):
        found = sweep(folder, out)
    return series(found)


def go_on(folder: Path, checkpoint: str) -> FloatArray:
    """Continue a run from a checkpoint of the folder."""
    name, method = checkpoint.split("-")
    start = Checkpoint.load(folder / "checkpoints" / f"{checkpoint}.npz")
    backend, layout = next(rest for known, *rest in SYSTEMS if known == name)
    system = system_of(folder, name, backend, layout)
    result = simulate(system, (start.t, 0.2), progress=False, start=start, **RUNS[method])
    assert result.success or result.message
    return result.outputs if result.success else np.zeros((0, result.outputs.shape[1]))


def read_result(folder: Path, name: str) -> FloatArray:
    """Read a result and ask it for what users ask for."""
    result = load_result(folder / "results" / f"{name}.npz")
    for key in result.directory.keys() if hasattr(result.directory, "keys") else ():
        result[key]
    result.save(folder / "again.csv")
    return result.outputs


def _data(folder: Path) -> None:
    """Matrices of finite elements in all formats, and a table of parameters."""
    from scipy import sparse
    from scipy.io import mmwrite

    from tests.unit.language.test_flexible_body import MASS, NODES, STIFFNESS

    mmwrite(folder / "mass.mtx", sparse.coo_matrix(MASS), symmetry="symmetric", precision=16)
    mmwrite(folder / "stiffness.mtx", STIFFNESS, precision=16)
    np.savez(folder / "both.npz", mass=MASS, stiffness=STIFFNESS)
    np.save(folder / "mass.npy", MASS)
    sparse.save_npz(folder / "sparse.npz", sparse.coo_matrix(STIFFNESS))
    np.save(folder / "nodes.npy", NODES)
    (folder / "sets.csv").write_text("L\n1.0\n1.1\n1.3\n")

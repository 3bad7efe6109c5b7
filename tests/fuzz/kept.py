"""Damaged files that other runs go on from: stores of ensembles, and machine code of Numba."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
from numba.core.caching import UserProvidedCacheLocator

from mbdgen.runtime.ensembles.unfinished_sweep import unfinished_path
from mbdgen.runtime.program.numba_cache import RUNTIME
from mbdgen.runtime.system.system_data import FloatArray
from tests.fuzz import damages, estate
from tests.fuzz.estate import Estate

CHANCES = 0.5
"""How often the file of an ensemble is read by the process that has made it."""
PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from mbdgen.errors import MbdgenError
from tests.fuzz.estate import SYSTEMS, outputs, system_of
try:
    np.save(sys.argv[1], outputs(system_of(Path(sys.argv[2]), *SYSTEMS[0])))
except MbdgenError as error:
    sys.exit(f"refused: {error}")
"""


def of_ensembles(folder: Path, random: Random, told: list[str]) -> FloatArray:
    """Read an ensemble again, or resume it from what is left of its file."""
    out = folder / "ensembles" / "whole.parquet"
    if random.random() < CHANCES:
        found = estate.sweep(folder, folder / "new.parquet")
        told += ["read", damages.damage(folder / "new.parquet", random)]
        return estate.series(found)
    if random.random() < CHANCES:
        out = folder / "ensembles" / "again.parquet"
        path = shutil.copyfile(folder / "ensembles" / "killed", unfinished_path(out))
    else:
        path = out
    told += [f"resumed from {path.name}", damages.damage(path, random)]
    return estate.series(estate.sweep(folder, out, resume=True))


def of_numba(whole: Estate, folder: Path, random: Random, told: list[str]) -> FloatArray | str:
    """Run in a new process with a damaged file among the machine code of the runtime.

    Returns
    -------
    array, or str
        Outputs, or with what words the process ended.
    """
    kept = folder / "numba"
    files = [_copied(path, kept) for path in sorted(RUNTIME.rglob("*.nb[ci]"))]
    used = [path for path in files if path.name.startswith(LOADED)]
    path = random.choice(used or files)
    told += [path.name, damages.damage(path, random)]
    given = {"NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": str(Path(__file__).parents[2])}
    words = [sys.executable, "-c", PROGRAM, str(folder / "found.npy"), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **given})
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    found: FloatArray = np.load(folder / "found.npy")
    return found


LOADED = ("recording.", "equations.", "linear.", "projections.", "lean.", "newmark_fused.")
"""Beginnings of the names of machine code that the first system of `SYSTEMS` loads."""


def _copied(path: Path, kept: Path) -> Path:
    source = path.parents[1] / "source.py"
    place = kept / UserProvidedCacheLocator.get_suitable_cache_subpath(str(source))
    place.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(path, place))

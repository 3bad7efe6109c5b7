"""Damaged files that other runs go on from: stores of ensembles."""

import shutil
from pathlib import Path
from random import Random

from mbdgen.runtime.ensembles.unfinished_sweep import unfinished_path
from mbdgen.runtime.system.system_data import FloatArray
from tests.fuzz import damages, estate

CHANCES = 0.5
"""How often the file of an ensemble is read by the process that has made it."""


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

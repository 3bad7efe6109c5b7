"""The Parquet file of an ensemble: what it gives has the bits that were written, or is refused."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from mbdgen import load, simulate_many
from mbdgen.errors import OptionError
from tests.fuzz import damages
from tests.unit.ensembles.test_ensembles import needs_c

pytest.importorskip("pyarrow")
WAYS = (damages.flip, damages.flip, damages.flip, damages.cut, damages.empty, damages.delete,
        damages.noise, damages.zeros, damages.append, damages.folder)  # fmt: skip


@needs_c
def test_damaged_stores(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    system, refused = load("pendulum", backend="c"), 0
    found = simulate_many(system, (0, 1), {"L": [1.0, 2.0, 3.0]}, h=0.1, out=path)
    expected = {name: found[name] for name in found.keys()}
    members, sound = [found[i].values for i in range(3)], path.read_bytes()
    for number in range(150):
        if path.is_dir():
            path.rmdir()
        path.write_bytes(sound)
        WAYS[number % len(WAYS)](path, Random(number))
        for name, values in expected.items():
            try:
                np.testing.assert_array_equal(found[name], values)
            except OptionError as error:
                refused += 1
                assert "Cannot read" in str(error)
        for i, values in enumerate(members):
            try:
                np.testing.assert_array_equal(found[i].values, values)
            except OptionError:
                refused += 1
    assert refused > 500


@needs_c
def test_the_store_of_another_ensemble(tmp_path: Path) -> None:
    system, paths = load("pendulum", backend="c"), (tmp_path / "a.parquet", tmp_path / "b.parquet")
    first, _ = (
        simulate_many(system, (0, 1), {"L": [1.0, length]}, h=0.1, out=path)
        for path, length in zip(paths, (2.0, 3.0), strict=True)
    )
    name = first.keys()[1]
    assert first[name].shape[0] == 2
    paths[1].replace(paths[0])
    with pytest.raises(OptionError, match="another ensemble"):
        first[name]

"""The same model gives the same bytes, whatever the seed of Python's hashes and the history."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.compiler.printed import text_of
from tests.unit.compiler.samples import everything

ROOT = Path(__file__).parents[3]
BUILD = """
import sys
from mbdgen import build
from tests.unit.compiler.samples import everything
model = everything()
for layout in ("flat", "loop"):
    build(model, sys.argv[1] + "/" + layout, layout=layout)
"""


def start(folder: Path, seed: int) -> "subprocess.Popen[bytes]":
    env = {**os.environ, "PYTHONHASHSEED": str(seed), "MBDGEN_CACHE": str(folder / "cache")}
    env["PYTHONPATH"] = str(ROOT)
    return subprocess.Popen([sys.executable, "-c", BUILD, str(folder)], cwd=folder, env=env)


@pytest.mark.slow
def test_same_bytes_for_any_hash_seed(tmp_path: Path) -> None:
    runs = []
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        runs.append((folder, start(folder, seed)))
    for _, process in runs:
        assert process.wait(120) == 0
    for layout in ("flat", "loop"):
        texts = [(folder / layout / "everything.py").read_bytes() for folder, _ in runs]
        assert texts[0] == texts[1] == texts[2]
        assert len(texts[0]) > 10_000
    caches = [
        {p.name: p.read_bytes() for p in (folder / "cache" / "types").iterdir()}
        for folder, _ in runs
    ]
    assert caches[0] == caches[1] == caches[2]


@pytest.mark.slow
def test_derived_now_or_read_from_the_cache(tmp_path: Path, monkeypatch: object) -> None:
    """What is read back from the cache prints the same text as what has just been derived."""
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))  # type: ignore[attr-defined]
    first = text_of(everything())
    assert list((tmp_path / "types").iterdir())
    assert text_of(everything()) == first

"""A user's own joint in a model file: a changed equation is never served from the cache."""

from pathlib import Path

import pytest

from mbdgen import build

MODEL = """
from dataclasses import dataclass

from mbdgen import Model
from mbdgen.joints.base import Joint


def directions(a, b):
    return {extra}


@dataclass(frozen=True)
class Own(Joint):
    name = "own"

    def equations(self, a, b):
        return [*(b.r - a.r), *directions(a, b)]


model = Model("own_joint", gravity=(0, -9.81, 0))
rod = model.body("rod", 1, (1, 1, 1), position=(1, 0, 0))
model.add("J", Own, model.ground.at(), rod.at(-1, 0, 0))
"""


@pytest.mark.slow
def test_changed_helper_changes_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The class itself stays the same: what changes is a function beside it."""
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text(MODEL.format(extra="[]"), encoding="utf-8")
    second.write_text(MODEL.format(extra="[a.e3.dot(b.e1)]"), encoding="utf-8")
    files = (first, second, first)
    counts = [build(x, out=tmp_path / "out").read_text("utf-8").count('"J[') for x in files]
    assert counts == [3, 4, 3]

"""Stiff forces in which masses are lost: `check` and `run` say so, and blame no mass matrix."""

from pathlib import Path

import pytest

from mbdgen import Model, load, simulate
from mbdgen.cli.commands.check import check
from mbdgen.errors import SingularSystemError
from tests.unit.ensembles.test_ensembles import needs_c

TEXT = """
from mbdgen import Model
m = model = Model("pair", gravity=(0, 0, -9.81))
K = m.parameter("K", {stiffness})
first = m.point_mass("first", 2.9)
second = m.point_mass("second", 1.0, position=(1, 0.3, 0.2))
m.spring("tie", first.at(), second.at(), stiffness=K)
m.output("x", first.at())
"""


def pair(stiffness: float) -> Model:
    names: dict[str, Model] = {}
    exec(TEXT.format(stiffness=stiffness), names)
    return names["m"]


@needs_c
def test_check_and_run_say_the_same(tmp_path: Path) -> None:
    path, said = tmp_path / "pair.py", "masses are lost"
    for stiffness, sound in ((1e3, True), (1e24, False)):
        path.write_text(TEXT.format(stiffness=stiffness))
        system = load(pair(stiffness), backend="c", layout="loop")
        if sound:
            assert simulate(system, (0, 0.01), h=1e-3, progress=False).success
            check(str(path), backend="c", layout="loop")
            continue
        with pytest.raises(SingularSystemError, match=said) as caught:
            simulate(system, (0, 0.01), h=1e-3, progress=False)
        assert "mass matrix" not in str(caught.value) and "'second'" in str(caught.value)
        with pytest.raises(SingularSystemError, match=said):
            check(str(path), backend="c", layout="loop")

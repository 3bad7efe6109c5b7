"""Where results are recorded, and pictures of motions that drivers prescribe."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app
from mbdgen.cli.command_options import multiples
from mbdgen.errors import OptionError


def call(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, list(words))
    return found.exit_code, found.output + str(found.exception or "")


def test_multiples() -> None:
    assert multiples((0.0, 1.0), 0.25) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert multiples((2.0, 1.0), 0.4) == pytest.approx([2.0, 1.6, 1.2, 1.0])
    assert multiples((0.0, 0.3), 0.1)[-1] == 0.3 and len(multiples((0.0, 0.3), 0.1)) == 4
    for wrong in (0.0, -1.0, float("nan"), 1e-12):
        with pytest.raises(OptionError, match="--record-every"):
            multiples((0.0, 1.0), wrong)


def test_chosen_steps_are_recorded_at_multiples(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    words = "run pendulum --method dopri5 --rtol 1e-6 --t 0.5 --record-every 0.125 -q --csv".split()
    code, text = call(*words, str(path))
    assert code == 0, text
    table = np.genfromtxt(path, delimiter=",", names=True)
    assert table["t_s"].tolist() == [0.0, 0.125, 0.25, 0.375, 0.5]


@pytest.mark.slow
def test_kinematics_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    source = tmp_path / "driven.py"
    source.write_text(
        "from mbdgen import Model\n"
        "m = model = Model('driven', coordinates='planar', gravity=(0, -9.81))\n"
        "rod = m.body('rod', 1.0, 1.0)\n"
        "m.revolute('pin', m.ground.at(), rod.at())\n"
        "m.rotation_driver('drive', m.ground.at(), rod.at(), angle=2 * m.t)\n"
        "m.output('tip', rod.at(1))\n"
    )
    for command in ("kinematics", "inverse"):
        png, html = tmp_path / f"{command}.png", tmp_path / f"{command}.html"
        words = [command, str(source), "--n", "5", "--plot", "tip.y"]
        code, text = call(*words, "--png", str(png), "--html", str(html))
        assert code == 0, text
        assert png.stat().st_size > 1000 and "</script>" in html.read_text("utf-8")
    assert call("kinematics", str(source), "--html", "x.txt")[0] == 2


def test_numbers_of_their_own_need_no_mass() -> None:
    from mbdgen import Model, load, simulate

    m = Model("filtered", gravity=(0, 0, 0))
    x = m.body("x", coordinates="state", velocity=(1, 0, 0))
    m.force("decay", x.at(), force=(-2 * x.variable("rate"), 0, 0))
    m.output("x", x.variable("rate"))
    assert m.body("s", coordinates="auxiliary").motion.mass == 0.0
    del m.bodies["s"]
    result = simulate(load(m), (0, 1), h=1e-3)
    assert abs(result["x"][-1] - np.exp(-2.0)) < 1e-6

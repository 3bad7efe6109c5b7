"""The same motion is judged alike: alone, as a member of states, and as a member of parameters."""

import shutil
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen import Model, load, simulate, simulate_many
from mbdgen.cli.app import app
from mbdgen.errors import AccuracyWarning
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.ensembles import unfinished_sweep
from mbdgen.runtime.ensembles.ensemble_result import Member
from mbdgen.runtime.ensembles.job import BlockOutcome
from mbdgen.runtime.system.system import System

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
SPAN, STIFFNESS = (0.0, 1.0), 1e4


def spring(floor: bool = False) -> Model:
    """A mass on a spring, with an angular frequency of 100 1/s."""
    m = Model("spring", gravity=(0, 0, 0))
    stiffness = m.parameter("k", STIFFNESS)
    mass = m.point_mass("mass", 1.0, position=(1.1, 0, 0))
    m.spring("spring", m.ground, mass, stiffness=stiffness, length=1.0)
    m.output("x", mass.at().x, unit="m")
    if floor:  # far below: contacts are looked for in every step
        m.point_plane("floor", mass, m.ground.at(0, 0, -9), normal=(0, 0, 1), stiffness=1.0)
    return m


@cache
def system(way: str) -> System:
    layout = "loop" if way == "generic" else "flat"
    return load(spring(way == "one by one"), backend="c", layout=layout)


CASES: list[tuple[dict[str, Any], str]] = [
    ({"method": "generalized-alpha", "rho_inf": 0.5, "h": 0.02}, "The method damps"),
    ({"method": "generalized-alpha", "rho_inf": 0.8, "h": 0.01}, "wrong by 10%"),
    ({"method": "newmark", "preset": "damped", "h": 0.005}, "The method damps"),
    ({"method": "newmark", "preset": "damped", "h": 0.02}, "come to rest"),
    ({"method": "newmark", "h": 0.02}, ""),  # keeps the energy
    ({"method": "rk4", "h": 0.0125}, "broken"),  # loses 97 % of it, as is not wanted of it
    ({"method": "rk4", "h": 0.03}, "broken"),
    ({"method": "rk4", "h": 0.025}, "come to rest"),
]


def members(way: str, how: dict[str, Any]) -> list[Member]:
    """The mechanism as a member of parameters, and as one of states."""
    q0 = np.stack([system(way).q0] * 2)
    q0[1, 0] = 1.05
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        by_values = simulate_many(system(way), SPAN, {"k": [1.0, STIFFNESS]}, **how)
        by_states = simulate_many(system(way), SPAN, q0=q0, **how)
    return [by_values[1], by_states[0]]


@needs_c
@pytest.mark.parametrize("way", ["fused", "generic", "one by one"])
@pytest.mark.parametrize(("how", "told"), CASES)
def test_a_motion_is_judged_alike(way: str, how: dict[str, Any], told: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        alone = simulate(system(way), SPAN, progress=False, **how)
    advice = f" {alone.accuracy.advice}"
    of_energy = tuple(x.removesuffix(advice) for x in alone.warnings if "energy balance" in x)
    assert told in " ".join(of_energy) or (told == "broken" and alone.status == -BROKEN)
    for member in members(way, how):
        assert (member.success, member.status) == (alone.success, alone.status)
        assert member.warnings == of_energy
        if alone.status == -BROKEN:
            assert member.message.endswith(alone.message.removesuffix(advice))


@needs_c
def test_what_rests_is_right() -> None:
    """Round-off of energies that are zero is no motion, alone or as a member."""
    system("fused").set(k=STIFFNESS)
    q0 = system("fused").q0.copy()
    q0[0] = 1.0
    found = simulate_many(system("fused"), SPAN, q0=q0[None], h=0.01)
    assert found.success and not found.warnings


@needs_c
def test_members_with_warnings_are_told() -> None:
    how = {"method": "generalized-alpha", "rho_inf": 0.5, "h": 0.02}
    with pytest.warns(AccuracyWarning, match=r"'spring': 1 of 2 members has a warning. Member 1"):
        found = simulate_many(system("fused"), SPAN, {"k": [1.0, STIFFNESS]}, **how)
    assert found.success and [*found.warnings] == [1]
    summary = found.summary()
    assert summary["warned"] == 1 and "damps" in summary["warnings"]["1"][0]


@pytest.mark.parametrize(("h", "code"), [("0.02", 0), ("0.05", 3)])
def test_exit_codes_are_alike(h: str, code: int, tmp_path: Path) -> None:
    """Damped by its method with the one step; the other loses what it should keep."""
    file = tmp_path / "stiff.py"
    file.write_text(
        "from mbdgen import Model\n"
        "m = Model('stiff', gravity=(0, 0, 0))\n"
        "k = m.parameter('k', 1e4)\n"
        "b = m.point_mass('mass', 1, position=(1.1, 0, 0))\n"
        "m.spring('spring', m.ground, b, stiffness=k, length=1)\n"
        "m.output('x', b.at().x, unit='m')\n",
        encoding="utf-8",
    )
    method = ["--method", "newmark", *(["--method-option", "preset=damped"] * (code == 0))]
    given = [str(file), "--t", "1", "--h", h, *method]
    alone = CliRunner().invoke(app, ["run", *given])
    many = CliRunner().invoke(app, ["sweep", *given, "--param", "k=1e4,1e4"])
    assert (alone.exit_code, many.exit_code) == (code, code), alone.stderr + many.stderr
    text = "come to rest" if code == 0 else "does not balance"
    assert text in alone.stderr and text in many.stderr


def test_warnings_of_unfinished_sweeps_are_kept() -> None:
    outcome = BlockOutcome(
        np.zeros(2, np.int64), np.zeros((2, 4), np.int64), np.zeros((2, 6)), {}, 1.0, {1: ("a",)}
    )
    found = unfinished_sweep.unpacked(unfinished_sweep.packed(outcome), 2)
    assert found.warnings == {1: ("a",)} and found.cpu_s == 1.0

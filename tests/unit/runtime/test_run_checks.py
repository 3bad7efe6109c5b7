"""A run that ends looks at itself: what is broken is not called normal."""

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from typer.testing import CliRunner

from mbdgen import Model, load, simulate
from mbdgen.cli.app import app
from mbdgen.errors import AccuracyWarning
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.monitors import energy_balance
from mbdgen.runtime.monitors.energy_balance import (
    BROKEN_ENERGY,
    NOTES,
    Balance,
    balance_terms,
    missing_part,
    out_of_balance,
)
from mbdgen.runtime.monitors.work_quadrature import NOISE
from mbdgen.runtime.system.system import System


def spring(stiffness: float = 1e4) -> Model:
    model = Model("spring", gravity=(0, 0, 0))
    mass = model.point_mass("mass", 1.0, position=(1.1, 0, 0))
    model.spring("spring", model.ground, mass, stiffness=stiffness, length=1.0)
    model.output("x", mass.at().x, unit="m")
    return model


@pytest.fixture(scope="module")
def system() -> System:
    return load(spring())


def test_a_blow_up_is_no_success(system: System) -> None:
    """Euler's method multiplies the energy of this spring by 26 in each step."""
    result = simulate(system, (0.0, 1.0), "euler", 0.05)
    assert not result.success and result.status == -BROKEN
    assert "the energy does not balance" in result.message
    assert len(result.t) == 21 and np.isfinite(result.q).all()


def test_a_good_run_is_a_success(system: System) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", AccuracyWarning)
        result = simulate(system, (0.0, 1.0), "rk4", 1e-4)
    assert result.success and not result.warnings
    assert result.accuracy.energy_balance < 1e-8
    assert result.accuracy.constraint_violation == 0.0


def test_a_doubtful_run_warns(system: System) -> None:
    """The backward Euler method takes a tenth of the energy away."""
    with pytest.warns(AccuracyWarning, match="energy"):
        result = simulate(system, (0.0, 0.1), "backward_euler", 1e-4)
    assert result.success and result.warnings
    assert 0.05 < result.accuracy.energy_balance < 0.5


def test_energy_that_a_damping_method_takes_is_a_warning(system: System) -> None:
    """Backward Euler leaves exp(-omega^2 h t) = 37 % of it, by a motion that goes on."""
    with pytest.warns(AccuracyWarning, match="The method damps"):
        result = simulate(system, (0.0, 0.1), "backward-euler", 1e-3)
    assert result.success
    assert result.accuracy.energy_balance == pytest.approx(1 - np.exp(-1.0), rel=0.05)


@pytest.fixture(scope="module")
def without_numbers() -> Model:
    model = Model("nothing", gravity=(0, 0, -9.81))
    mass = model.point_mass("mass", 1.0, position=(1, 0, 0.01))
    model.output("fine", mass.at().x, unit="m")
    model.output("log", sp.log(mass.at().z))
    return model


def test_an_output_that_is_no_number_is_named(without_numbers: Model) -> None:
    """It falls through the plane where the logarithm ends, after 45 ms."""
    result = simulate(load(without_numbers), (0.0, 0.1), h=1e-3)
    assert not result.success
    assert "'log' is nan at t = 0.046 s" in result.message
    assert len(result.t) == 101


def test_the_command_ends_with_3_and_writes_all_files(tmp_path: Path) -> None:
    file = tmp_path / "spring_model.py"
    file.write_text(
        "from mbdgen import Model\n"
        "m = Model('spring_model', gravity=(0, 0, 0))\n"
        "b = m.point_mass('mass', 1, position=(1.1, 0, 0))\n"
        "m.spring('spring', m.ground, b, stiffness=1e4, length=1)\n"
        "m.output('x', b.at().x, unit='m')\n",
        encoding="utf-8",
    )
    written = [tmp_path / name for name in ("all.npz", "all.json", "all.csv")]
    options = [f"--{path.suffix[1:]}={path}" for path in written]
    command = ["run", str(file), "--t", "1", "--h", "0.05", "--method", "euler", *options]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 3
    assert "does not balance" in done.stderr and "termination     abnormal" in done.stderr
    assert all(path.exists() for path in written)
    summary = json.loads(written[1].read_text(encoding="utf-8"))
    assert summary["status"] == -BROKEN and summary["warnings"] == []
    assert summary["accuracy"]["energy_balance"] > 0.5


def test_check_refuses_a_potential_that_is_no_number(tmp_path: Path) -> None:
    file = tmp_path / "bottomless.py"
    file.write_text(
        "import sympy as sp\n"
        "from mbdgen import Model\n"
        "m = Model('bottomless')\n"
        "b = m.point_mass('mass', 1, position=(0, 0, -1))\n"
        "m.potential('well', energy=sp.log(b.at().z))\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["check", str(file)])
    assert done.exit_code == 2
    assert "the potential energy is nan" in done.stderr and "is sound" not in done.stdout


def test_a_quarter_of_andrews_period_is_no_step() -> None:
    """With h = 1e-3 it turned 7843 rad in 10 s, and said "normal"."""
    result = simulate(load("andrews"), (0.0, 10.0), h=1e-3)
    assert not result.success and "balance" in result.message
    short = simulate(load("andrews"), (0.0, 0.05), h=1e-3)
    assert short.warnings or not short.success
    assert "h = " in short.accuracy.advice and "would do" in short.accuracy.advice


def test_one_step_is_told() -> None:
    result = simulate(load("pendulum"), (0.0, 1.0), h=5.0)
    assert len(result.t) == 2
    assert not result.success or result.warnings
    assert "would do" in result.accuracy.advice


@pytest.mark.parametrize("h", [0.5, 1.0])
def test_steps_of_two_radians_are_told(h: float) -> None:
    """Newmark's method with steps of the order of a period: the energy does not balance."""
    result = simulate(load("pendulum"), (0.0, 60.0), h=h)
    assert not result.success and "balance" in result.message


@pytest.mark.representatives(id="instants1")
@pytest.mark.parametrize("instants", [None, np.linspace(0.0, 10.0, 11)])
def test_the_estimate_is_near_the_error(instants: Any) -> None:
    """Also where single instants are recorded, from a few steps that are made again."""
    pendulum = load("pendulum")
    for method, h in (("newmark", 1e-3), ("newmark", 1e-2), ("rk4", 1e-2), ("bdf", 2e-3)):
        coarse = simulate(pendulum, (0.0, 10.0), method, h, instants)
        fine = simulate(pendulum, (0.0, 10.0), "rk4", 1e-3, coarse.t)
        error = float(np.abs(coarse.q - fine.q).max()) / 2.0
        assert 0.1 * error < coarse.accuracy.relative_error < 10.0 * error, (method, h)


def test_the_estimate_changes_nothing_that_follows() -> None:
    """A run whose error was estimated by steps made again goes on as one that was recorded."""
    pendulum = load("pendulum")
    whole = simulate(pendulum, (0.0, 2.0), "bdf", 1e-2)
    half = simulate(pendulum, (0.0, 1.0), "bdf", 1e-2, [0.0, 0.5, 1.0])
    rest = simulate(pendulum, (1.0, 2.0), "bdf", 1e-2, start=half.checkpoint())
    assert np.allclose(rest.q[-1], whole.q[-1], rtol=0.0, atol=1e-13)


@pytest.mark.parametrize(
    ("drift", "scale", "size", "part"),
    [
        (0.2, 1.0, 1.0, 0.2),
        (1.0, 0.0, 0.0, math.inf),  # something from nothing
        (0.0, 0.0, 0.0, NOISE),
        (1e-16, 1e-15, 1e3, NOISE),  # round-off of large energies
    ],
)
def test_the_missing_part_of_the_energy(
    drift: float, scale: float, size: float, part: float
) -> None:
    assert missing_part(drift, scale, size) == pytest.approx(part)
    assert bool(out_of_balance(drift, missing_part(drift, scale, size))) == (part >= BROKEN_ENERGY)
    assert out_of_balance(drift, math.nan) == ""  # unknown is not judged here


def test_what_the_method_has_taken_or_given() -> None:
    down, up = np.linspace(2.0, 0.0, 9), np.linspace(2.0, 4.0, 9)
    none = np.zeros(9)

    def spent(*columns: np.ndarray) -> Balance:
        return Balance.of(balance_terms(np.stack(columns, axis=1)), 2.0, math.nan)

    relaxed = spent(down, none, none)
    assert relaxed.came_to_rest and relaxed.only_lost
    assert (relaxed.lost, relaxed.gained, relaxed.scale) == (2.0, 0.0, 2.0)
    explained = spent(down, none, down - 2.0)  # by work
    assert not explained.came_to_rest and explained.only_lost and explained.lost == 0.0
    grown = spent(up, none, none)
    assert not grown.came_to_rest and not grown.only_lost
    assert not relaxed.broken(damps=False) and grown.broken(damps=True)


@pytest.mark.parametrize("unknown", [False, True])
def test_compiled_loops_note_what_is_read_from_a_table(
    unknown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(energy_balance, "larger", vars(energy_balance)["larger"].source)
    note_energies = vars(energy_balance)["note_energies"].source
    table = np.random.default_rng(3).normal(size=(20, 3))
    if unknown:
        table[7, 2] = np.nan
    notes = np.zeros(NOTES)
    for k, row in enumerate(table):
        note_energies(notes, k == 0, *row)
    np.testing.assert_array_equal(notes, balance_terms(table))

"""Analyses by name: modes against closed formulas, spectra of known series, and refusals."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, Result, analyse, load, simulate
from mbdgen.analyses import by_name
from mbdgen.analyses.analysis_table import Column, Table
from mbdgen.analyses.base import MotionAnalysis
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System

MASS, INERTIA, ARM, STIFFNESS, DAMPING = 2.0, 0.1, 0.5, 3.0, 0.4


def hanging_rod(coordinates: str, second: bool = False) -> System:
    m = Model(f"hanging_{coordinates}", gravity=(0, -9.81, 0), coordinates=coordinates)
    inertia = INERTIA if coordinates == "planar" else (INERTIA, INERTIA, INERTIA)
    rod = m.body(
        "rod", mass=MASS, inertia=inertia, position=(0, -ARM, 0)[: 2 + (inertia != INERTIA)]
    )
    at = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    pin = m.revolute("pin", m.ground, rod, **at)
    m.torsion_spring("spring", m.ground, rod, **at, stiffness=STIFFNESS, damping=DAMPING)
    m.output("angle", pin.angle)
    return load(m, second=second)


@pytest.mark.parametrize("coordinates", ["planar", "quaternion"])
def test_modes_of_a_pendulum(coordinates: str) -> None:
    """One degree of freedom, ``J x'' + d x' + (k + m g l) x = 0``, with 2 or 5 + 1 constraints."""
    found = analyse(hanging_rod(coordinates), "modes")
    inertia = INERTIA + MASS * ARM**2
    frequency = np.sqrt((STIFFNESS + MASS * 9.81 * ARM) / inertia)
    ratio = DAMPING / (2 * frequency * inertia)
    np.testing.assert_allclose(found["damping_ratio"], [ratio], rtol=1e-10)
    damped = frequency * np.sqrt(1 - ratio**2) / (2 * np.pi)
    np.testing.assert_allclose(found["frequency"], [damped], rtol=1e-10)


def test_modes_of_a_chain_of_springs() -> None:
    """Masses on a line: ``w_k = 2 sqrt(k/m) sin(k pi / 2 (n + 1))``."""
    n, m = 4, Model("springs", gravity=(0, 0, 0))
    points = [m.ground.at(0, 0, 0)]
    for k in range(n):
        mass = m.point_mass(f"mass{k}", mass=1, position=(k + 1, 0, 0))
        m.point_on_line(f"rail{k}", m.ground, mass, axis=(1, 0, 0))
        points.append(mass.at())
    points.append(m.ground.at(n + 1, 0, 0))
    for k in range(n + 1):
        m.spring(f"spring{k}", points[k], points[k + 1], stiffness=1.0)
    found = analyse(load(m), "modes")
    expected = 2 * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1))) / (2 * np.pi)
    np.testing.assert_allclose(found["frequency"], expected, rtol=1e-10)
    np.testing.assert_allclose(found["damping_ratio"], 0.0, atol=1e-12)


@pytest.fixture(scope="module")
def swing() -> Result:
    system = hanging_rod("planar")
    system.v0[2] = 0.1
    return simulate(system, (0, 20), h=1e-2)


def test_spectrum_finds_the_mode(swing: Result) -> None:
    found = analyse(swing, "spectrum", series="angle")
    mode = analyse(hanging_rod("planar"), "modes")["frequency"][0]
    peak = found["frequency"][found["amplitude"].argmax()]
    assert abs(peak - mode) <= 1 / 20


def test_spectrum_keeps_the_amplitude() -> None:
    m = Model("oscillator", gravity=(0, 0, 0))
    mass = m.point_mass("mass", mass=1, position=(0.3, 0, 0))
    m.point_on_line("rail", m.ground, mass, axis=(1, 0, 0))
    m.spring("spring", m.ground.at(-1, 0, 0), mass.at(), stiffness=(2 * np.pi) ** 2, length=1)
    result = simulate(load(m), (0, 10), h=1e-2, method="rk4")
    found = analyse(result, "spectrum", series="mass.x")
    assert found["amplitude"].max() == pytest.approx(0.3, rel=1e-2)
    assert found["frequency"][found["amplitude"].argmax()] == pytest.approx(1.0, rel=1e-2)


def test_tables_are_saved(swing: Result, tmp_path: Path) -> None:
    found = analyse(swing, "spectrum", series="angle")
    found.save(tmp_path / "spectrum.csv")
    read = np.loadtxt(tmp_path / "spectrum.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(read[:, 1], found["amplitude"])
    with pytest.raises(OptionError, match="neither"):
        found.save(tmp_path / "spectrum.txt")


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        ("mode", {}, "Did you mean 'modes'"),
        ("spectrum", {}, "needs 'series'"),
        ("spectrum", {"series": "nothing"}, "nothing"),
        ("spectrum", {"series": "rod"}, "group|nothing called"),
        ("spectrum", {"sries": "angle"}, "no choice 'sries'"),
        ("spectrum", {"series": 3}, "Give a text"),
        ("modes", {"t": "soon"}, "Give a number"),
        ("modes", {}, "one of a system"),
    ],
)
def test_mistakes(swing: Result, name: str, choices: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        analyse(swing, name, **choices)


@dataclass(frozen=True)
class Choosy(MotionAnalysis):
    """All types of choices, and tables that are wrong in all ways."""

    name = "choosy"

    what: str
    size: float = 1.0
    count: int = 1
    sure: bool = False

    def of(self, result: Result) -> Table:
        t = result.t
        values: dict[str, Any] = {
            "scalar": t[0],
            "plane": np.stack([t, t]),
            "ragged": [["a"], ["a", "b"]],
            "word": "word",
            "unequal": t[1:],
        }
        if self.what == "nothing":
            return None  # type: ignore[return-value]
        return Table("times", (Column("first", "s", t), Column("other", "", values[self.what])))


@dataclass(frozen=True)
class Postponed(MotionAnalysis):
    """Types as texts, as they are under ``from __future__ import annotations``."""

    name = "postponed"

    size: "float" = 1.0
    sure: "bool" = False

    def of(self, result: Result) -> Table:
        return Table("", ())


@dataclass(frozen=True)
class Unusual(MotionAnalysis):
    name = "unusual"

    pair: tuple[float, float] = (0.0, 1.0)

    def of(self, result: Result) -> Table:
        return Table("", ())


def test_choices_get_their_types() -> None:
    found = Choosy("a", np.float64(2), 3.0, np.True_)  # type: ignore[arg-type]
    assert found == Choosy("a", 2.0, 3, True)
    assert [type(x) for x in (found.size, found.count, found.sure)] == [float, int, bool]
    assert Choosy("a", "0.5", "3", "True") == Choosy("a", 0.5, 3, True)  # type: ignore[arg-type]
    assert Postponed("2", "false") == Postponed(2.0, False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"what": 1}, "'what' of the analysis 'choosy' is 1. Give a text"),
        ({"size": True}, "'size' .* is True. Give a number"),
        ({"size": "wide"}, "Give a number"),
        ({"size": np.inf}, "Give a number"),
        ({"count": 1.5}, "Give a whole number"),
        ({"sure": 1}, "Give true or false"),
        ({"sure": "perhaps"}, "Give true or false"),
    ],
)
def test_wrong_choices_of_a_class(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Choosy(**{"what": "a", **choices})
    if "what" not in choices and "count" not in choices:
        with pytest.raises(OptionError, match=message.replace("choosy", "postponed")):
            Postponed(**choices)


def test_types_that_no_choice_has(monkeypatch: pytest.MonkeyPatch) -> None:
    message = r"'pair' of the analysis .*\.Unusual is of type tuple.* float, int, str, bool"
    with pytest.raises(OptionError, match=message):
        Unusual()
    monkeypatch.setattr(by_name, "classes", lambda *_: {"unusual": Unusual})
    with pytest.raises(OptionError, match=message):
        by_name.analyses.__wrapped__()


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("unequal", "The column 'other' of the table 'times' has 2000 values, 'first' has 2001"),
        ("scalar", "The column 'other' of a table has 0 dimensions"),
        ("plane", "The column 'other' of a table has 2 dimensions"),
        ("ragged", "The column 'other' of a table has 2 dimensions"),
        ("word", "The column 'other' of a table has 0 dimensions"),
        ("nothing", r"'choosy' \(tests.unit.mechanics.test_analyses\) returned NoneType, no Table"),
    ],
)
def test_wrong_tables(
    what: str, message: str, swing: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_name, "analyses", lambda: {"choosy": Choosy})
    with pytest.raises(OptionError, match=message):
        analyse(swing, "choosy", what=what)


def test_modes_need_rest() -> None:
    system = hanging_rod("planar", second=True)
    system.v0[:] = ARM, 0.0, 1.0
    with pytest.raises(
        OptionError, match=r"nor in steady motion: the velocity of 'rod\.theta' is 1"
    ):
        analyse(system, "modes")

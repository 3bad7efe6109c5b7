"""``mbdgen compare``, ``mbdgen methods`` and ``mbdgen run`` with formulations."""

import json
from pathlib import Path
from typing import Any

import pytest

from mbdgen import load, simulate
from mbdgen.compare.case import cases
from mbdgen.compare.comparison import compare
from mbdgen.compare.step_lengths import Sweep, common_multiple, instants
from mbdgen.errors import OptionError
from mbdgen.runtime import formulations, integrators, projections
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System


def test_compare_tabulates_every_combination(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "newmark,rk4", "--formulations", "own,index3"),
        *("--h", "0.02,0.01", "--t", 0.4, "--json", "o.json", "--png", "o.png"),
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    rows = found["rows"]
    assert [row["scheme"] for row in rows] == [
        *["newmark"] * 2, *["newmark + index3"] * 2, *["rk4"] * 2,
    ]  # fmt: skip
    assert [row["h"] for row in rows] == [0.02, 0.01] * 3
    by_name = {(row["scheme"], row["h"]): row for row in rows}
    assert by_name["newmark", 0.01]["order"] == pytest.approx(2.0, abs=0.1)
    assert by_name["rk4", 0.01]["order"] == pytest.approx(4.0, abs=0.2)
    assert by_name["rk4", 0.01]["error"] < 1e-3 * by_name["newmark", 0.01]["error"]
    # Without projections the velocities of index 3 violate their constraints, with them not.
    assert by_name["newmark + index3", 0.01]["phi_dot"] > 1e-6
    assert by_name["newmark", 0.01]["phi_dot"] < 1e-12
    assert all(row["cpu"] > 0 and row["steps"] in (20, 40) for row in rows)
    assert [i["name"] for i in found["impossible"]] == ["rk4 + index3"]
    assert "rk4 + index3 is not possible" in done.stdout and "newmark + index3" in done.stdout
    assert (tmp_path / "o.png").stat().st_size > 10_000


def test_compare_reports_failures(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "newmark", "--formulations", "index3", "--t", 1),
        *("--h", 0.01, "--set", "preset=fox-goodwin", "--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    (row,) = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert "did not converge" in row["failed"] and row["error"] is None
    assert "newmark + index3, h = 0.01: Newton's method did not converge" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--methods", "newmrk"), "There is no method 'newmrk'"),
        (("--formulations", "own,index4"), "There is no formulation 'index4'"),
        (("--projections", "own,mas"), "There is no projection 'mas'"),
        (("--methods", "rk4", "--formulations", "index3"), "No combination is possible"),
        (("--h", "0.1,x"), "--h = 'x' is not a number"),
        (("--h", ","), "--h names nothing"),
        (("--h", "-1"), "not positive"),
        (("--set", "betta=1"), "has an option 'betta'"),
        (("--set", "hht.beta=1"), "has an option 'hht.beta'"),
        (("--methods", "hht,cd-jerk", "--set", "alpha=-0.1"), "has different meanings in cd-jerk"),
        (("--rtol", "1e-4,x"), "--rtol = 'x' is not a number"),
        (("--rtol", "1e-4,nan"), "--rtol = nan is not a finite number"),
        (("--rtol", "1e-4,-1"), "cannot be met"),
        (("--atol", "nan"), "not a finite number"),
        (("--h", "0.01,nan"), "--h = nan is not a finite number"),
        (("--h", "0.01,0.007", "--t", "0.05"), "have their least common multiple at 0.07 s"),
        (("--reference", "newmrk"), "There is no method 'newmrk'"),
        (("--motor", "tip.x=nan"), "--motor = nan is not a finite number"),
        (("--motor", "tip.x"), "not of the form angle=torque"),
        (("--motor", "top=1"), "top"),
        (("--json", "o.txt"), "suffix"),
        (("--png", "o.json"), "suffix"),
    ],
)
def test_mistakes_are_named(call, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = call("compare", "pendulum", *(() if "--t" in arguments else ("--t", 0.1)), *arguments)
    assert done.exit_code == 2 and message in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("o.*"))


def test_methods_lists_everything(call) -> None:
    done = call("methods", "--citations")
    assert done.exit_code == 0, done.stderr
    for folder in (integrators, formulations, projections):
        for name in folder.known():
            assert f"\n  {name} " in done.stdout
    assert "Newmark: A method of computation" in done.stdout
    known = json.loads(call("methods", "--json").stdout)
    newmark = next(m for m in known["methods"] if m["name"] == "newmark")
    assert {"index1", "index2", "index3"} <= set(newmark["formulations"])
    assert newmark["presets"]["fox-goodwin"]["beta"] == pytest.approx(1 / 12)


@pytest.mark.parametrize("name", ["dopri5", "nullspace_newmark", "cvode"])
def test_methods_tells_one_in_detail(call, name: str) -> None:
    done = call("methods", name)
    assert done.exit_code == 0, done.stderr
    text = done.stdout
    wanted = {
        "dopri5": ("order 5, explicit, ODE", "embedded error estimate", "baumgarte", "Dormand"),
        "nullspace_newmark": ("implicit", "kernels: slopes", "preset=trapezoidal", "Meccanica"),
        "cvode": ("implicit, ODE", "within the library", "SUNDIALS"),
    }[name]
    assert all(part in text for part in wanted), text
    assert "formulations (--formulation)" not in text
    (data,) = json.loads(call("methods", name, "--json").stdout)["methods"]
    assert data["adaptive"] == {"dopri5": "embedded", "cvode": "library"}.get(name, "doubling")
    assert data["backward"] is True and data["kind"] != "" and data["citation"]


def test_methods_tells_formulations_and_projections_too(call) -> None:
    text = call("methods", "alf1").stdout
    assert "projection: mass-orthogonal" in text and "newmark" in text and "penalty=" in text
    assert "nearest state" in call("methods", "mass-orthogonal").stdout
    done = call("methods", "nothing")
    assert done.exit_code == 2 and "There is no method, formulation or projection" in done.stderr


@pytest.mark.slow
def test_compare_sweeps_tolerances(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "rk4,solve_ivp", "--h", 0.01, "--t", 2),
        *("--rtol", "1e-3,1e-8", "--atol", 1e-9, "--json", "o.json", "--png", "o.png"),
    )
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert [(row["scheme"].partition(" + ")[0], row["h"], row["rtol"]) for row in rows] == [
        ("rk4", 0.01, None),
        ("rk4, adaptive steps", None, 1e-3),
        ("rk4, adaptive steps", None, 1e-8),
        ("solve-ivp", None, 1e-3),
        ("solve-ivp", None, 1e-8),
    ]
    assert not any(row["failed"] for row in rows)
    assert rows[2]["error"] < rows[1]["error"] and rows[4]["error"] < rows[3]["error"]
    assert rows[2]["steps"] > rows[1]["steps"] and rows[1]["atol"] == 1e-9
    assert "rtol = 0.001" in done.stdout


@pytest.mark.slow
def test_libraries_are_compared_by_tolerances_if_none_is_given(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "solve-ivp", "--t", 0.2, "--json", "o.json"),
        *("--set", "solver=DOP853"),
    )
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert [row["rtol"] for row in rows] == [1e-4, 1e-6, 1e-8]


def test_steps_that_do_not_divide_each_other_keep_their_length(call, tmp_path: Path) -> None:
    """They meet at multiples of 0.03 s; the orders are those of the methods."""
    done = call(
        *("compare", "pendulum", "--methods", "newmark,rk4", "--h", "0.01,0.006", "--t", 1),
        *("--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert found["span"] == [0.0, 0.99]
    assert "The comparison ends at 0.99 s instead of 1 s" in done.stdout
    assert [row["steps"] for row in found["rows"]] == [99, 165] * 2
    assert [row["order"] for row in found["rows"][1::2]] == pytest.approx([2.0, 4.0], abs=0.1)


def test_instants_are_met_by_all_steps() -> None:
    assert common_multiple([0.01, 0.0025, 0.006]) == pytest.approx(0.03)
    assert common_multiple([1 / 3, 1 / 7]) == pytest.approx(1.0)
    assert instants((0.0, 1.0), [1 / 3], 200) == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert instants((1.0, 0.5), [0.1, 0.2], 200) == pytest.approx([1.0, 0.8, 0.6])
    many = instants((0.0, 10.0), [1e-3], 20)
    assert len(many) == 21 and many[-1] == 10.0
    with pytest.raises(OptionError, match="common multiple"):
        instants((0.0, 1.0), [0.1, 0.1 / 2**0.5], 20)


def test_compare_goes_back(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "newmark,rk4", "--h", "0.02,0.01", "--t", "0.4:0"),
        *("--rtol", 1e-6, "--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert not any(row["failed"] for row in rows)
    assert rows[1]["order"] == pytest.approx(2.0, abs=0.1)


STIFF = """
from mbdgen import Model

def model(k=3e5, c=5e4):
    m = Model("stiff", gravity=(0, -9.81, 0), coordinates="planar")
    upper = m.body("upper", mass=1, inertia=0.1, position=(1, 0))
    lower = m.body("lower", mass=1, inertia=0.1, position=(3, 0))
    m.revolute("pin", m.ground.at(), upper.at(-1, 0))
    m.revolute("elbow", upper.at(1, 0), lower.at(-1, 0))
    m.spring("spring", m.ground.at(3, 1), lower.at(), stiffness=k, damping=c, length=1)
    m.output("tip", lower.at(1, 0))
    return m
"""


@pytest.mark.slow
def test_stiff_models_have_a_reference(call, tmp_path: Path) -> None:
    (tmp_path / "stiff.py").write_text(STIFF, "utf-8")
    run = ("compare", "stiff.py", "--methods", "newmark", "--h", "0.01,0.005", "--t", 0.2)
    done = call(*run, "--json", "o.json")
    assert done.exit_code == 0, done.stderr
    assert "against radau, rtol = 1e-10 (dop853, h = 0.00125 s failed)" in done.stdout
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert rows[1]["error"] < 0.5 * rows[0]["error"] < 1e-4
    named = call(*run, "--reference", "dop853")
    assert named.exit_code == 2 and "The reference failed. dop853, h =" in named.stderr
    assert "against radau, rtol = 1e-10\n" in call(*run, "--reference", "radau").stdout


def test_the_first_run_of_a_scheme_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It pays for what is imported and compiled at first use."""
    spans: list[tuple[float, float]] = []

    def watched(system: System, span: tuple[float, float], **arguments: Any) -> Result:
        spans.append(span)
        return simulate(system, span, **arguments)

    monkeypatch.setattr("mbdgen.compare.comparison.simulate", watched)
    found, _ = cases(["rk4"], [None], [None], Sweep((0.02, 0.01)), ["numba"], {})
    comparison = compare(lambda backend: load("pendulum"), found, (), (0.0, 0.2), (0.02, 0.01))
    assert spans == [(0.0, 0.02), (0.0, 0.2), (0.0, 0.2)] and len(comparison.rows) == 2


MOTOR = """
from mbdgen import Model

def model(torque=0.5):
    m = Model("turned", gravity=(0, 0, 0), coordinates="planar")
    torque = m.parameter("torque", torque, unit="N*m")
    rod = m.body("rod", mass=1, inertia=0.1)
    pin = m.revolute("pin", m.ground.at(), rod.at())
    m.motor("motor", m.ground.at(), rod.at(), torque=torque)
    m.spring("spring", m.ground.at(1, 0), rod.at(0, 1), stiffness=2.0, length=0.5)
    m.output("angle", pin.angle)
    return m
"""


def test_compare_balances_the_work_of_a_motor(call, tmp_path: Path) -> None:
    (tmp_path / "turned.py").write_text(MOTOR, "utf-8")
    run = ("compare", "turned.py", "--methods", "rk4", "--h", "0.02,0.01", "--t", 1, "--json")
    done = call(*run, "o.json", "--motor", "angle=torque")
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert all(row["motor_balance"] < 1e-6 and row["energy_spread"] > 0.1 for row in rows)
    assert "motor [J]" in done.stdout and "spread [%]" in done.stdout
    wrong = call(*run, "w.json", "--motor", "angle=0.4")
    assert wrong.exit_code == 0
    worse = json.loads((tmp_path / "w.json").read_text("utf-8"))["rows"]
    assert worse[0]["motor_balance"] > 1e-3


def test_options_of_one_method_alone(call, tmp_path: Path) -> None:
    done = call(
        *("compare", "pendulum", "--methods", "hht,cd-jerk", "--h", 0.01, "--t", 0.2),
        *("--set", "hht.alpha=-0.3", "--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert not any(row["failed"] for row in rows)


def test_names_of_parameters_that_are_options_are_refused(call, tmp_path: Path) -> None:
    text = MOTOR.replace("torque", "beta").replace("beta=beta)", "torque=beta)")
    (tmp_path / "turned.py").write_text(text, "utf-8")
    done = call("compare", "turned.py", "--methods", "newmark", "--t", 0.1, "--set", "beta=0.3")
    assert done.exit_code == 2, done.stdout
    assert "'beta' is a parameter of the model and an option" in " ".join(done.stderr.split())


def test_options_of_methods_and_parameters_of_models_by_one_name(call, tmp_path: Path) -> None:
    done = call(
        *("run", "pendulum", "--method", "rk4", "--formulation", "baumgarte", "--h", 0.01),
        *("--t", 0.5, "--set", "omega=20", "--set", "L=2", "--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert found["formulation"] == "baumgarte"
    tip = found["outputs"]
    assert tip["tip.x"] ** 2 + tip["tip.y"] ** 2 == pytest.approx(4.0, abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "rk4", "--formulation", "index3"), "no explicit ones"),
        (("--formulation", "nothing"), "There is no formulation 'nothing'"),
        (("--projection", "nothing"), "There is no projection 'nothing'"),
        (("--set", "preset=nothing"), "has no preset 'nothing'"),
        (("--set", "beta=1", "--method-option", "beta=1"), "both give 'beta'"),
        (("--set", "beta=9"), "out of range"),
        (("--set", "nothing=9"), "has no parameter 'nothing'"),
    ],
)
def test_impossible_schemes_are_refused(call, arguments: tuple[str, ...], message: str) -> None:
    done = call("run", "pendulum", "--t", 0.1, *arguments)
    assert done.exit_code == 2 and message in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr


def test_compare_runs_methods_with_equations_of_their_own(call, tmp_path: Path) -> None:
    """Also where they know formulations besides, and where only one of them has a preset."""
    done = call(
        *("compare", "pendulum", "--methods", "central-difference,dimcd,newmark", "--t", 0.4),
        *("--h", "0.02,0.01", "--set", "preset=linear-acceleration", "--json", "o.json"),
    )
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "o.json").read_text("utf-8"))["rows"]
    assert [row["scheme"] for row in rows[::2]] == ["central-difference", "dimcd", "newmark"]
    assert not any(row["failed"] for row in rows)
    assert all(row["order"] == pytest.approx(2.0, abs=0.1) for row in rows[1::2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("newmark", "--set", "preset=nothing"), "has no preset 'nothing'"),
        (("solve-ivp",), "controls its own step size"),
        (("rk4", "--set", "preset=nothing"), "has no preset 'nothing'"),
        (("rk4", "--set", "beta=1"), "has no option 'beta'"),
        (("newmark", "--damping", "nan"), "'damping' = nan is not a finite number"),
    ],
)
def test_mistakes_of_stability(call, arguments: tuple[str, ...], message: str) -> None:
    done = call("stability", *arguments)
    assert done.exit_code == 2 and message in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr

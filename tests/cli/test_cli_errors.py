"""Bad input: exit code 2, one message of ours that names the culprit, no traceback, no file."""

from pathlib import Path

import pytest

MODEL_FILES = {
    "raises.py": (
        "x = 1 / 0\n",
        "raises.py, line 1 `x = 1 / 0`: the model file stopped with",
    ),
    "syntax.py": ("def model(:\n", "syntax.py, line 1"),
    "empty.py": ("x = 1\n", "empty.py contains no Model"),
    "two.py": (
        "from mbdgen import Model\na, b = Model('a1'), Model('b1')\n",
        "two.py contains 2 Models",
    ),
    "wrong.py": ("model = 3\n", "`model` is a int"),
    "bodies.py": ("from mbdgen import Model\nmodel = Model('m1')\n", "has no bodies"),
    "keyword.py": (
        "from mbdgen import Model\nmodel = Model('m1', gravty=(0, -9.81))\n",
        "keyword.py, line 2 `model = Model('m1', gravty=(0, -9.81))`: Model 'm1' has no option",
    ),
    "output.py": (
        "from mbdgen import Model\nmodel = Model('m1')\nmodel.output('x', 1, units='m')\n",
        "output.py, line 3 `model.output('x', 1, units='m')`: output 'x' has no option units.",
    ),
    "mass.py": (
        "from mbdgen import Model\nmodel = Model('m1')\nmodel.body('rod', mass=-1, inertia=1)\n",
        "mass.py, line 3",
    ),
    "gap.py": (
        "from mbdgen import Model\nmodel = m = Model('m1')\n"
        "a = m.body('rod', mass=1, inertia=(1, 1, 1))\n"
        "m.distance('short', m.ground.at(5), a.at(), length=1.0)\n"
        "m.distance('long', m.ground.at(-5), a.at(), length=1.0)\n",
        "cannot be assembled",
    ),
}


def message(done) -> str:
    """The message of a user error."""
    assert done.exit_code == 2, (done.exit_code, done.stderr, done.exception)
    assert "Traceback" not in done.stderr + done.stdout
    return done.stderr


@pytest.mark.parametrize("name", MODEL_FILES)
@pytest.mark.parametrize("command", ["run", "build", "check", "show"])
def test_model_files(call, tmp_path: Path, name: str, command: str) -> None:
    source, culprit = MODEL_FILES[name]
    if name == "gap.py" and command in ("build", "show"):
        pytest.skip("found when the mechanism is assembled")
    (tmp_path / name).write_text(source, "utf-8")
    more = ("--stage", "analyse") if command == "show" else ()
    text = message(call(command, name, *more))
    assert text.count("error: ") == 1 and culprit in text
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".py"] == [name]


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (("run", "pendlum"), "Did you mean 'pendulum'"),
        (("run", "pendulum", "-h", "0.01"), "Did you mean --h 0.01?"),
        (("run", "pendulum", "-t", "1"), "Did you mean --t 1?"),
        (("run", "missing.py"), "no model file 'missing.py'"),
        (("run", "pendulum", "--method", "eulr"), "no method 'eulr'"),
        (("run", "pendulum", "--method-option", "x=1"), "no option 'x'"),
        (("run", "pendulum", "--method-option", "beta"), "not of the form name=value"),
        (("run", "pendulum", "--method-option", "beta=x"), "is not a number"),
        (("run", "pendulum", "--h", "0"), "h = 0 is not positive"),
        (("run", "pendulum", "--h", "-1"), "h = -1 is not positive"),
        (("run", "pendulum", "--h", "nan"), "is not a finite number"),
        (("compare", "pendulum", "--t", "0"), "ends where it starts"),
        (("compare", "pendulum", "--t", "5:5"), "ends where it starts"),
        (("run", "pendulum", "--t", "soon"), "'soon' is not a number"),
        (("run", "pendulum", "--set", "M=1"), "no parameter 'M'"),
        (("run", "pendulum", "--set", "m=1", "--set", "m=2"), "gives 'm' twice"),
        (("run", "pendulum", "--set", "m=nan"), "not a finite number"),
        (("run", "pendulum", "-o", "colour=red"), "cannot take these arguments"),
        (("run", "pendulum", "--layout", "round"), "Unknown layout 'round'"),
        (("run", "pendulum", "--engine", "steam"), "Unknown engine 'steam'"),
        (("run", "pendulum", "--backend", "cobol"), "Unknown backend 'cobol'"),
        (("run", "pendulum", "--csv", "no/such/r.csv"), "the folder 'no/such' is missing"),
        (("run", "pendulum", "--csv", "r.txt"), "has the suffix '.txt'"),
        (("run", "pendulum", "--save", "r.xls"), "has the suffix '.xls'"),
        (("run", "pendulum", "--png", "r.doc"), "has the suffix '.doc'"),
        (("build", "pendulum", "--out", "file/below"), "cannot be made"),
        (("build", "pendulum", "--freeze", "Z"), "Z"),
        (("build", "pendulum", "--layout", "round"), "Unknown layout"),
        (("build", "pendulum", "--backend", "cobol"), "Unknown backend"),
        (("build", "pendulum", "--engine", "steam"), "Unknown engine"),
        (("show", "pendulum"), "nothing to show"),
        (("check", "pendulum", "--set", "M=1"), "no parameter 'M'"),
    ],
)
def test_arguments(call, tmp_path: Path, arguments: tuple[str, ...], culprit: str) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    text = message(call(*arguments))
    assert text.count("error: ") == 1 and culprit in text
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "arguments",
    [("fly",), ("run",), ("run", "pendulum", "--h", "small"), ("show", "pendulum", "--stage", "x")],
)
def test_usage(call, arguments: tuple[str, ...]) -> None:
    message(call(*arguments))


def test_errors_of_ours_are_reported_as_such(call, monkeypatch: pytest.MonkeyPatch) -> None:
    import mbdgen.cache

    def broken() -> int:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(mbdgen.cache, "clean", broken)
    done = call("clean")
    assert done.exit_code == 1
    assert "Traceback" in done.stderr and "unforeseen" in done.stderr
    assert "Please report it" in done.stderr

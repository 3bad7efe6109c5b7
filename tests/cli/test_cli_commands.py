"""The commands besides ``run``: build, show, check, models, clean, doctor."""

import re
import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

import mbdgen


def good(done) -> str:
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_terminals_wrap_the_help() -> None:
    """Lines of a docstring are no lines of the help: the terminal has its own width."""
    from typer.main import get_command

    from mbdgen.cli.app import COMMANDS, app

    helps = {name: command.help for name, command in get_command(app).commands.items()}
    assert set(helps) == set(COMMANDS)
    paragraphs = [part for text in helps.values() for part in text.split("\n\n")]
    assert len(paragraphs) > len(helps) and not any("\n" in part for part in paragraphs)


def test_help_and_version(call) -> None:
    text = good(call("--help"))
    for command in ("run", "build", "show", "check", "models", "clean", "doctor"):
        assert command in text
        assert "Usage" in good(call(command, "--help"))
    assert good(call("--version")) == f"mbdgen {mbdgen.__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["models"], ["clean"]])
def test_light_commands_import_no_algebra_and_no_compiler(arguments, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom mbdgen.cli import main\n"
        f"sys.argv = ['mbdgen', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "sys.stderr.write(' '.join({'sympy', 'llvmlite', 'scipy', 'jinja2'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"MBDGEN_CACHE": str(tmp_path / "cache"), "PATH": ""},
    )  # fmt: skip
    assert done.stderr == "" and done.stdout


def test_build(call, ball: Path, tmp_path: Path) -> None:
    done = call("build", ball, "--out", "made", "--layout", "loop", "-o", "mass=3", "-v")
    assert good(done) == f"{Path('made/ball.py')}\n"
    assert "1 body (point coordinates)" in done.stderr and "Layout: loop" in done.stderr
    for stage in ("read", "analyse", "derive", "lower", "emit"):
        assert re.search(rf"{stage} \d+\.\d\d s", done.stderr)
    text = (tmp_path / "made/ball.py").read_text("utf-8")
    assert '"mass": 3.0' in text
    again = call("build", ball, "--out", "made", "--layout", "loop", "-o", "mass=3")
    assert "up to date" in again.stderr and "Layout: loop" in again.stderr
    assert (tmp_path / "made/ball.py").read_text("utf-8") == text
    frozen = call("build", ball, "--out", "made", "--freeze", "mass")
    good(frozen)
    assert "PARAMETERS = {\n}\n" in (tmp_path / "made/ball.py").read_text("utf-8")
    assert not [p for p in (tmp_path / "made").iterdir() if p.suffix == ".tmp"]


def test_build_with_symengine_gives_the_same_code(call, ball: Path, tmp_path: Path) -> None:
    pytest.importorskip("symengine")
    texts = []
    for engine in ("sympy", "symengine"):
        good(call("build", ball, "--out", engine, "--engine", engine))
        lines = (tmp_path / engine / "ball.py").read_text("utf-8").splitlines()
        texts.append(
            [x for x in lines if "igest" not in x and "DIGEST" not in x and engine not in x]
        )
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("read", ["model 'n_four_bar'", "bar0", "planar", "revolute", "top_velocity"]),
        ("analyse", ["types", "planar body (body), 3 times", "A0, A1", "frames"]),
        ("derive", ["derived once", "residual", "operations"]),
        ("lower", ["matrix entries", "flat kernel matrix", "revolute_ground_planar"]),
        ("emit", ["n_four_bar.py", "functions:", "residual"]),
    ],
)
def test_show_stage(call, stage: str, expected: list[str]) -> None:
    text = good(call("show", "n_four_bar", "-o", "n=1", "--stage", stage))
    assert text.startswith(f"{stage}: ")
    for part in expected:
        assert part in text


def test_show_graph(call) -> None:
    text = good(call("show", "n_four_bar", "-o", "n=1", "--graph"))
    tree, dot, groups, diagram = text.split("\n\n")
    assert tree.splitlines()[:2] == ["ground", "├─ A0 (revolute) ─ bar0 [planar]"]
    assert "closing 1 loop:\n    C0 (revolute) between coupler0 and bar1" in tree
    assert dot.startswith('graph "n_four_bar" {') and dot.rstrip().endswith("}")
    assert dot.count(" -- ") == 4
    assert "SG-2  level 2  (2, 0)  bar1, coupler0 by A1, B0, C0" in groups
    assert diagram.count(" -> ") == 1


def test_show_pattern(call) -> None:
    text = good(call("show", "n_four_bar", "-o", "n=1", "--pattern"))
    assert text.startswith("pattern: 17 x 17, 65 entries")
    picture = [line for line in text.splitlines() if "equation" in line or "bar0: force" in line]
    assert sum(line.count("H") for line in picture) == 24
    big = good(call("show", "n_four_bar", "-o", "n=20", "--pattern"))
    assert "⠑" in big and "a dot stands for" in big


def test_show_code(call) -> None:
    text = good(call("show", "pendulum", "--code"))
    assert text.startswith('"""pendulum: a solver for one mechanism')
    compile(text, "pendulum.py", "exec")


@pytest.mark.slow
def test_show_equations_of_frames_and_bodies(call) -> None:
    text = good(call("show", "n_four_bar", "-o", "n=1", "--equations"))
    for part in (
        "r_b - r_a = 0",
        "m_a*x_a_ddot = g_x*m_a",
        "T = I_a*theta_a_dot**2/2 + m_a*(x_a_dot**2 + y_a_dot**2)/2",
        "M[2,2] = I_a",
        "f[1] = g_y*m_a",
        "dphi[1]/dtheta_b = s_b_x*cos(theta_b) - s_b_y*sin(theta_b)",
        "M_bar0 a_bar0 = f_bar0 + G_A0,bar0^T lam_A0 + G_B0,bar0^T lam_B0",
    ):
        assert part in text
    assert "\\" not in text
    spatial = good(call("show", "pendulum", "--equations"))
    for part in (
        "(e3_a·e1_b) = 0",
        "f[3] = ",
        "q0_a**2 + q1_a**2",
        "m*y_ddot = lam_pin_1 - 9.81*m",
    ):
        assert part in spatial


@pytest.mark.slow
def test_show_equations_of_one_element(call) -> None:
    text = good(call("show", "pendulum", "--equations", "--element", "pin"))
    assert "revolute 'pin' (b = rod)" in text and "s_b_x = L" in text
    assert "kinetic energy" not in text and "Assembled system" not in text
    both = good(call("show", "pendulum", "--equations", "--element", "rod", "--assembled"))
    assert "kinetic energy" in both and "Assembled system" in both and "(e3_a" not in both


def test_show_equations_names_close_elements(call) -> None:
    wrong = call("show", "pendulum", "--equations", "--element", "pinn")
    assert wrong.exit_code == 2
    assert "no element 'pinn'" in wrong.stderr and "Did you mean 'pin'?" in wrong.stderr
    output = call("show", "pendulum", "--equations", "--element", "tip")
    assert output.exit_code == 2 and "'tip' is an output" in output.stderr
    far = call("show", "pendulum", "--equations", "--element", "zzzzz")
    assert far.exit_code == 2 and "It has: rod, pin." in far.stderr


@pytest.mark.parametrize("option", ["--latex", "--assembled", "--element=pin"])
def test_show_refuses_options_without_effect(option: str, call) -> None:
    done = call("show", "pendulum", "--code", option)
    assert done.exit_code == 2 and "needs --equations" in done.stderr


@pytest.mark.slow
def test_show_writes_a_latex_document(tmp_path: Path, call) -> None:
    done = call("show", "pendulum", "--equations", "--latex", "--out", "pendulum.tex")
    assert done.exit_code == 0 and not done.stdout
    text = (tmp_path / "pendulum.tex").read_text("utf-8")
    assert text.startswith(r"\documentclass") and text.endswith("\\end{document}\n")
    assert r"m \ddot{y} & = \lambda_{\mathrm{pin},1} - 9.81 m" in text
    nowhere = call("show", "pendulum", "--equations", "--out", "no/where.txt")
    assert nowhere.exit_code == 2 and "cannot be written" in nowhere.stderr
    both = call("show", "pendulum", "--equations", "--latex", "--code")
    assert both.exit_code == 2 and "alone" in both.stderr


@pytest.mark.slow
def test_show_equations_of_every_element(tmp_path: Path, call) -> None:
    """Each joint and force that exists is stated on written frames."""
    from mbdgen.forces.base import Force
    from mbdgen.joints.base import Joint
    from mbdgen.language.expressions.function_argument import CURVE, PLANE_CURVE
    from mbdgen.language.registry import elements

    stated = {n: e for n, e in elements().items() if issubclass(e, Joint | Force)}
    given = {
        "distance": ", length=1.0",
        "rotation_driver": ", angle=m.t",
        "translation_driver": ", distance=1.0",
        "dot_product": ", cosine=0.5",
        "spring": ", stiffness=3.0, damping=0.5, force=2.0",
        "torsion_spring": ", stiffness=3.0, damping=0.5, moment=1.0",
        "motor": ", torque=2.0",
        "force": ", force=(1.0, 0, 0)",
        "torque": ", torque=(1.0, 0, 0)",
        "sphere_plane": ", radius=1.0, stiffness=1e5",
        "disc_plane": ", radius=1.0, stiffness=1e5, axis_a=(1, 0, 0)",
        "point_plane": ", stiffness=1e5",
        "sphere_sphere": ", radius_a=0.5, radius_b=0.5, stiffness=1e5",
    }
    angle = "m.attached['common_vector_1'].angle"
    for name, element in stated.items():
        for f in fields(element):
            if f.default is MISSING:
                given[name] = given.get(name, "") + f", {f.name}={angle}"
            elif f.default in (CURVE, PLANE_CURVE):
                given[name] = f", {f.name}=lambda s: (s, s**2, s)[:{f.default.size}]"
    lines = ["from mbdgen import Model", "model = m = Model('all_elements')"]
    for k, (name, element) in enumerate(sorted(stated.items())):
        if name == "potential" or element.distributed or element.on_flexible:
            continue
        lines.append(f"b{k} = m.body('b{k}', mass=1, inertia=(1, 1, 1), position=(1, 2, 3))")
        ends = ("m.ground", f"b{k}") if len(element.ends) == 2 else (f"b{k}.at()",)
        ends = ends[: len(element.ends)]
        if element.axis_name == "normal":
            ends = ends[::-1]  # what touches, and the plane
        axis = f", {element.axis_name}=(0, 0, 1)" if element.axis else ""
        touching = issubclass(element, Force) and bool(element.memory)
        apart = touching or name in ("spring", "distance")
        at = ", at=(0, 0, 0)" if len(ends) == 2 and not apart else ""
        first = ", ".join((f"'{name}_1'", *ends))
        lines.append(f"m.{name}({first}{at}{axis}{given.get(name, '')})")
    lines.append("m.potential('well', energy=b0.at(0, 0, 0).z ** 2)")
    (tmp_path / "all.py").write_text("\n".join(lines), "utf-8")
    text = good(call("show", "all.py", "--equations"))
    assert len(stated) > 15
    for name, element in stated.items():
        assert element.distributed or element.on_flexible or f"{name}: " in text
    assert "l = |r_b - r_a|" in text and "V = stiffness*(l - length)**2/2" in text


def test_check(call) -> None:
    text = good(call("check", "n_four_bar", "-o", "n=1"))
    assert "degrees of freedom          1" in text
    assert "DOF by counting (Gruebler)  1" in text
    assert "the initial values were consistent" in text and "is sound" in text


def test_check_names_the_redundant_joint(call) -> None:
    text = good(call("check", "bricard"))
    assert "DOF by counting (Gruebler)  0" in text and "degrees of freedom          1" in text
    assert "redundant: 1 equation of 'J5'" in text and "(rank 34 of 35 at t=0)" in text


def test_models(call) -> None:
    text = good(call("models"))
    assert "n_four_bar" in text and "n=2" in text and "arguments: L=1.0, m=1.0, g=9.81" in text


def test_clean(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("MBDGEN_CACHE", str(folder))
    good(call("show", "pendulum", "--stage", "derive"))
    count = len([p for p in folder.rglob("*") if p.is_file()])
    assert count > 0
    assert good(call("clean")) == f"{count} files deleted from {folder}\n"
    assert not folder.exists()
    assert good(call("clean")).startswith("0 files")


def test_doctor(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = good(call("doctor"))
    for part in ("LLVM", "sympy", "is writable", "Everything works"):
        assert part in text
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "file"))
    done = call("doctor")
    assert done.exit_code == 1 and "does not work: cache" in done.stderr
    assert "- cache" in done.stdout

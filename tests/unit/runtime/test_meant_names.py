"""Names that do not exist: what is meant by them, and why some cannot be given."""

from inspect import signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from mbdgen import Model, kinematics, load, modes, simulate, simulate_many
from mbdgen.errors import MbdgenError, ModelError, OptionError, meant
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.bodies.body import Body
from mbdgen.language.read import read
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime.methods.method_options import refuse_unknown
from mbdgen.runtime.system.model_argument import Description, takes_model
from mbdgen.runtime.system.system import System


def test_what_is_close_is_suggested() -> None:
    known = ["newmark", "hht", "quaternion", "L", "euler-xyz"]
    assert meant("newmrk", known, "none") == "Did you mean 'newmark'?"
    assert meant("l", known, "none") == "Did you mean 'L'?"
    assert meant("quat", known, "none") == "Did you mean 'quaternion'?"
    assert meant("hht-alpha", known, "none") == "Did you mean 'hht'?"
    assert meant("euler_xyz", known, "none") == "Did you mean 'euler-xyz'?"
    assert meant("tip_y", ["tip", "tip.y"], "none") == "Did you mean 'tip.y'?"
    assert meant("foo", known, "There are some.") == "There are some."
    assert meant("dt", known, "none", {"dt": "'h'"}) == "Did you mean 'h'?"


@pytest.mark.parametrize("name", ["RK4", "Newmark", "DOP853", "Backward_Euler"])
def test_capitals_make_no_difference(name: str) -> None:
    assert integrators.method(name).name == name.lower().replace("_", "-")


@pytest.mark.parametrize(
    ("name", "suggested"),
    [("RK45", "'dopri5'"), ("LSODA", "solver='LSODA'"), ("leapfrog", "'verlet'"), ("rk5", "'rk4'")],
)
def test_names_of_other_programs(name: str, suggested: str) -> None:
    with pytest.raises(OptionError, match="There is no method") as caught:
        integrators.method(name)
    assert suggested in caught.value.remedy


def test_names_elsewhere_mean_methods_that_exist() -> None:
    import re

    for text in integrators.ELSEWHERE.values():
        assert re.search(r"'([a-z0-9-]+)'", text).group(1) in integrators.known()  # type: ignore[union-attr]


def test_formulations_and_options() -> None:
    with pytest.raises(OptionError, match="'index3'"):
        formulations.formulation("index-3")
    newmark = integrators.method("newmark")
    for given, suggested in (("bta", "beta"), ("metod", "method"), ("dt", "h"), ("max_step", "h")):
        with pytest.raises(OptionError, match=f"Did you mean '{suggested}'"):
            refuse_unknown(newmark, None, {given: 1.0})
    with pytest.raises(OptionError, match=r"simulate_many, not of simulate.*start="):
        refuse_unknown(newmark, None, {"resume": True})
    with pytest.raises(OptionError, match="of simulate, not"):
        refuse_unknown(newmark, None, {"callback": print})


def test_words_of_the_model_language() -> None:
    m = Model("m")
    with pytest.raises(ModelError, match="Did you mean 'position'"):
        m.body("rod", mass=1, inertia=(1, 1, 1), positon=(1, 0, 0))
    rod = m.body("rod", mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match="Did you mean 'axis'"):
        m.revolute("pin", m.ground, rod, axs=(0, 0, 1))
    with pytest.raises(ModelError, match="Did you mean 'quaternion'"):
        m.body("other", mass=1, coordinates="quat")


def _with_rod() -> tuple[Model, Body]:
    m = Model("m")
    return m, m.body("rod", mass=1, inertia=(1, 1, 1))


@pytest.mark.parametrize(
    ("wrong", "cause", "remedy"),
    [
        (lambda m, r: Model("x", gravty=(0, 0, 0)), "Model 'x' has no option gravty", "'gravity'"),
        (lambda m, r: Model(), "lacks name", "name, gravity"),
        (lambda m, r: m.output("o", r.at().x, units="m"), "output 'o' has no option", "'unit'"),
        (lambda m, r: m.output("o"), "output 'o' lacks what", "name, what, unit"),
        (lambda m, r: m.parameter("L", vale=1), "parameter 'L' has no option vale", "'value'"),
        (lambda m, r: m.parameter("L", 1, value=1), "'L' is given value twice", "name, value"),
        (lambda m, r: m.suggest(metod="rk4"), "suggest.* has no option metod", "'method'"),
        (lambda m, r: m.view(1, 2, 3, 4, 5, 6), "takes 5 .* but 6 were given", "azimuth"),
        (lambda m, r: m.point_mass("p", 1, 2), "point_mass 'p' takes 2", "name, mass"),
        (lambda m, r: m.beam("b", point=[]), "beam 'b' has no option point", "'points'"),
        (lambda m, r: m.contacts("c", [r], plane=[]), "'c' has no option plane", "'planes'"),
        (lambda m, r: m.flexible_body("f", interfac=1), "no option interfac", "'interface'"),
        (lambda m, r: r.at(1, 0, 0, axs="body"), "at.* has no option axs", "'axes'"),
        (lambda m, r: r.draw.sphere(1, colour="red"), "sphere.* has no option colour", "'color'"),
        (lambda m, r: m.add("J"), "add 'J' lacks element", "name, element"),
        (lambda m, r: m.revolut("J"), "no 'revolut'", "'revolute'"),
    ],
)
def test_arguments_of_every_method(wrong: Any, cause: str, remedy: str) -> None:
    with pytest.raises(MbdgenError, match=cause) as caught:
        wrong(*_with_rod())
    assert remedy in caught.value.remedy


def test_variables_of_bodies() -> None:
    m = Model("m", gravity=(0, -9.81), coordinates="planar")
    rod = m.body("rod", mass=1, inertia=(1, 1, 1))
    m.output("wrong", rod.variable("angl"))
    with pytest.raises(ModelError, match="has no variable 'angl'") as caught:
        load(m)
    assert caught.value.remedy == "Did you mean 'angle'?"


def test_errors_within_methods_stay_what_they_are() -> None:
    class Wrong:
        def __float__(self) -> float:
            raise TypeError("of its own")

    @explains_arguments
    class Words:
        def word(self, x: object) -> float:
            return float(x)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="of its own"):
        Words().word(Wrong())


@pytest.mark.parametrize(
    ("line", "cause", "remedy"),
    [
        ("Model('m', gravty=(0, 0))", "line 4 .*no option gravty", "'gravity'"),
        ("m.output('x', 1, units='m')", "line 4 .*no option units", "'unit'"),
        ("r.at(1).positon", "line 4 .*no attribute 'positon'", "'position'"),
    ],
)
def test_arguments_in_model_files(line: str, cause: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(
        "from mbdgen import Model\nm = Model('m')\nr = m.body('rod', 1, (1, 1, 1))\n"
        f"{line}\nmodel = m\n"
    )
    with pytest.raises(ModelError, match=cause) as caught:
        read(path)
    assert remedy in caught.value.remedy


def test_arguments_of_model_functions() -> None:
    with pytest.raises(OptionError, match="cannot take") as caught:
        read("flexible_pendulum", {"elemnts": 3})
    assert "Did you mean 'elements'" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "reason"),
    [("t", "the time"), ("ground", "body at rest"), ("lambda", "Python"), ("math", "calls")],
)
def test_reserved_names_say_why(name: str, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        Model("m").parameter(name, 1.0)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("math.sin(m.t)", "sympy.sin"),
        ("np.sin(2*m.t)", "sympy.sin"),
        ("np.sqrt(m.parameter('k', 4.0))", "sympy.sin"),
        ("1 if m.t > 2 else 0", "Piecewise"),
    ],
)
def test_functions_of_numbers_that_get_symbols(line: str, advice: str, tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(
        "import math\nimport numpy as np\nfrom mbdgen import Model\n"
        f"m = Model('m')\nm.output('x', {line})\nmodel = m\n"
    )
    with pytest.raises(MbdgenError) as caught:
        read(path)
    assert advice in caught.value.remedy and "line 5" in caught.value.cause


def test_degrees_and_forgotten_gravity_are_told(caplog: pytest.LogCaptureFixture) -> None:
    from mbdgen.topology.specify import specify

    m = Model("m")
    m.planar_body("rod", mass=1, inertia=1, angle=90)
    assert "math.radians(90)" in caplog.text
    specify(m)
    assert "gravity=(0, -9.81)" in caplog.text
    caplog.clear()
    m = Model("m", gravity=(0, -9.81))
    m.planar_body("rod", mass=1, inertia=1, angle=7.0)  # somewhat more than a turn
    m.planar_body("other", mass=1, inertia=1, angle=5)
    specify(m)
    assert caplog.text == ""


def test_functions_of_systems_take_models() -> None:
    @takes_model
    def name_of(system: System, more: str = "") -> str:
        return system.data.model + more

    system = load("pendulum")
    assert name_of(system) == name_of("pendulum") == name_of(system=system) == "pendulum"
    assert name_of(read("pendulum"), more="!") == "pendulum!"
    with pytest.raises(ModelError, match="Did you mean 'pendulum'"):
        name_of("pendulm")


@pytest.mark.parametrize("function", [simulate, simulate_many, modes, kinematics])
def test_annotations_say_that_models_are_taken(function: Any) -> None:
    first = next(iter(signature(function).parameters.values()))
    taken = get_args(first.annotation)
    assert first.name == "system" and first.kind is first.POSITIONAL_OR_KEYWORD
    assert {System, Description, str, Path} <= {*taken}
    assert get_type_hints(Model.with_joint_coordinates)["wanted"] is str  # what a Description has

"""Force laws, outputs and the expressions in them."""

import sys
from math import nan
from typing import Any

import pytest
import sympy

from mbdgen import Model
from mbdgen.errors import BuildError, MbdgenError
from mbdgen.language.bodies.body import Body
from mbdgen.topology.specify import specify
from tests.unit.errors.refused import Change, analysed, refused, two_bodies

FORCES: dict[str, Change] = {
    "1, 2": lambda m, a, b: m.force("f", a, force=(1, 2)),
    "force of force 'f'": lambda m, a, b: m.force("f", a, force=1),
    "nan": lambda m, a, b: m.force("f", a, force=(0, 0, nan)),
    "'up'": lambda m, a, b: m.force("f", a, force="up"),
    "'local'": lambda m, a, b: m.force("f", a, force=(0, 0, 1), axes="local"),
    "axes of torque 'f' is 5": lambda m, a, b: m.torque("f", a, torque=(0, 0, 1), axes=5),
    "ground": lambda m, a, b: m.force("f", m.ground, force=(0, 0, 1)),
    "'soft'": lambda m, a, b: m.spring("f", a.at(), b.at(), stiffness="soft"),
    "True": lambda m, a, b: m.spring("f", a.at(), b.at(), damping=True),
    "(1, 2, 3)": lambda m, a, b: m.spring("f", a.at(), b.at(), length=(1, 2, 3)),
    "'fast'": lambda m, a, b: m.motor("f", a, b, axis=(0, 0, 1), torque="fast"),
    "unknown symbol 'k'": lambda m, a, b: m.force("f", a, force=(0, 0, sympy.Symbol("k"))),
    "unknown symbol 'bolt": lambda m, a, b: m.force(
        "f", a, force=(Model("other").body("bolt", 1.0).at().x, 0, 0)
    ),
    "acts on no body": lambda m, a, b: m.potential("f", energy=5),
    "takes 1 arguments by position, but 2": lambda m, a, b: m.potential("f", a, energy=a.at().x),
}


@pytest.mark.parametrize("word", FORCES)
def test_forces(word: str) -> None:
    with refused("" if word == "1, 2" else word, "'f'"):
        specify(two_bodies(FORCES[word]))


def x(body: Body) -> Any:
    return body.at().x


def law(expression: Any) -> Change:
    return lambda m, a, b: m.force("f", a, force=(expression(m, a), 0, 0))


FORBIDDEN: dict[str, Change] = {
    "force depends on accelerations": law(lambda m, a: a.at().ax),
    "reactions": lambda m, a, b: m.potential("f", energy=m.spherical("ball", a, b.at(-1)).load),
    "potential depends on velocities": lambda m, a, b: m.potential("f", energy=a.at().vx ** 2),
    "constraint depends on velocities": lambda m, a, b: m.distance(
        "f", a.at(), b.at(), length=1 + a.at().vx
    ),
    "jumps": lambda m, a, b: m.rotation_driver("f", a, b, axis=(0, 0, 1), angle=sympy.Abs(m.t - 1)),
    "torque to a point mass": lambda m, a, b: m.torque(
        "f", m.point_mass("ball", 1.0), torque=(0, 0, 1)
    ),
}


@pytest.mark.representatives(
    id=[
        "force depends on accelerations",
        "reactions",
        "potential depends on velocities",
        "constraint depends on velocities",
        "torque to a point mass",
    ]
)
@pytest.mark.parametrize("word", FORBIDDEN)
def test_what_a_law_must_not_depend_on(word: str) -> None:
    with refused("'f'", word):
        analysed(two_bodies(FORBIDDEN[word]))


UNKNOWN = [sympy.gamma, sympy.floor, sympy.Function("g"), lambda e: sympy.zeta(e, 2)]


@pytest.mark.parametrize("function", UNKNOWN)
def test_functions_that_code_cannot_evaluate(function: Any) -> None:
    with refused("force 'f'", kind=MbdgenError):
        analysed(two_bodies(law(lambda m, a: function(x(a)))))


LEGAL = [
    lambda e: -sympy.sign(e),
    lambda e: e * sympy.Abs(e),
    lambda e: sympy.Max(0, -e),
    lambda e: sympy.Heaviside(-e),
    lambda e: sympy.Piecewise((1, e < 1), (0, True)),
]


@pytest.mark.parametrize("function", LEGAL)
def test_laws_with_corners_and_jumps_are_legal(function: Any) -> None:
    analysed(two_bodies(law(lambda m, a: function(a.at().vx))))


BAD_EXPRESSIONS = [nan, sympy.nan, sympy.zoo, 1j, sympy.I, "k*x", lambda t: t, True, None]


@pytest.mark.parametrize("bad", BAD_EXPRESSIONS)
def test_bad_expressions(bad: Any) -> None:
    def change(m: Model, a: Body, b: Body) -> None:
        m.rotation_driver("drive", a, b, axis=(0, 0, 1), angle=bad)

    if bad is None:
        with refused("angle of rotation_driver 'drive'"):
            two_bodies(change)
        return
    with refused("angle of rotation_driver 'drive'"):
        two_bodies(change)
    if isinstance(bad, complex | sympy.Expr):
        with refused("force 'f'"):
            two_bodies(law(lambda m, a: bad * m.t))


@pytest.mark.slow
def test_expressions_nested_too_deeply() -> None:
    def nested(m: Model, a: Body) -> Any:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20 * limit)  # SymPy needs it to make the expression at all
        expression = x(a)
        for _ in range(150):
            expression = sympy.sin(expression) + 1
        sys.setrecursionlimit(limit)
        return expression

    with refused("'f'", "nested", kind=MbdgenError):
        analysed(two_bodies(law(nested)))


OUTPUTS = [None, "rod", (), [], nan, sympy.nan, True, [None], {}, 1j, sympy.eye(2), print]


@pytest.mark.parametrize("what", OUTPUTS)
def test_outputs(what: Any) -> None:
    with refused("utput 'o'"):
        two_bodies(lambda m, a, b: m.output("o", what))


LATER: dict[str, Change] = {
    "'strange'": lambda m, a, b: m.output("o", Model("z").body("strange", 1.0).at()),
    "unknown symbol 'strange": lambda m, a, b: m.output("o", x(Model("z").body("strange", 1.0))),
    "unknown symbol 'k'": lambda m, a, b: m.output("o", sympy.Symbol("k")),
    "<body 'rod'": lambda m, a, b: m.output("o", a),
    "spherical": lambda m, a, b: m.output("o", m.spherical("ball", a, b, at=(0, 0, 0))),
    "unit": lambda m, a, b: m.output("o", a.at(), unit=5),
    "'angle'": lambda m, a, b: m.output("o", a.angle),
    "'speed'": lambda m, a, b: m.output("o", a.variable("speed")),
    "no axes": lambda m, a, b: m.output("o", m.point_mass("ball", 1.0).at().e1),
}


@pytest.mark.parametrize("word", LATER)
def test_outputs_that_do_not_exist(word: str) -> None:
    with refused(word, "utput 'o'"):
        analysed(two_bodies(LATER[word]))


def test_an_output_of_very_many_bodies() -> None:
    model = Model("crowd")
    bodies = [model.point_mass(f"p{k}", 1.0) for k in range(40)]
    model.output("sum", sum(x(b) for b in bodies))
    assert analysed(model).sizes["n_out"] == 1


def test_users_own_class_that_raises() -> None:
    from dataclasses import dataclass

    from mbdgen.joints.base import Joint

    @dataclass(frozen=True)
    class Broken(Joint):
        name = "broken"

        def equations(self, a: Any, b: Any) -> list[Any]:
            return [a.position - b.position]

    with refused("broken 'f'", "position", kind=BuildError):
        analysed(two_bodies(lambda m, a, b: m.add("f", Broken, a, b)))

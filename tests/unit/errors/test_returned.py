"""What methods of a user's class return, and what they raise, is answered by name and file."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.bodies.point_mass import PointMass
from mbdgen.digests import _described
from mbdgen.errors import BuildError, MbdgenError
from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.joints.base import Joint
from mbdgen.outputs.base import OutputKind
from tests.unit.errors.refused import analysed, refused, two_bodies

Stated = Callable[..., Any]
HERE = "test_returned.py"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes made by `type` have no source by which the cache could tell them apart."""
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path))


def made(base: type, **members: Any) -> Any:
    """A class whose methods are the given functions of (self, ...)."""
    return dataclass(frozen=True)(type("Mine", (base,), {"name": "mine", **members}))


def added(base: type, **members: Any) -> Model:
    cls = made(base, **members)
    return two_bodies(lambda m, a, b: m.add("f", cls, a.at(1), b))


WRONG_EQUATIONS: dict[str, Stated] = {
    "None": lambda self, a, b: None,
    "Vec": lambda self, a, b: b.r - a.r,
    "Add": lambda self, a, b: b.r[0] - a.r[0],
    "a list of 1 with Vec as number 1": lambda self, a, b: [b.r - a.r],
    "a list of 2 with bool as number 2": lambda self, a, b: [b.r[0] - a.r[0], True],
    "a list of 1 with StrictGreaterThan as number 1": lambda self, a, b: [b.r[0] > a.r[0]],
}


@pytest.mark.representatives(id=["None", "Vec", "Add"])
@pytest.mark.parametrize("word", WRONG_EQUATIONS)
def test_equations(word: str) -> None:
    with refused("mine 'f'", "equations of class Mine", HERE, f"returned {word}"):
        analysed(added(Joint, equations=WRONG_EQUATIONS[word]))


def test_equations_that_an_output_reads() -> None:
    model = added(Joint, equations=lambda self, a, b: b.r - a.r)
    model.output("load", model.attached["f"].force)
    with refused("equations of class Mine", "returned Vec"):
        analysed(model)


WRONG_LAWS: dict[str, tuple[str, Stated]] = {
    "potential of class Mine": ("potential", lambda self, a, b: b.r - a.r),
    "returned None": ("potential", lambda self, a, b: None),
    "dissipation of class Mine": ("dissipation", lambda self, a, b: b.v),
    "returned str": ("dissipation", lambda self, a, b: "v"),
    "returned FrameLoad": ("loads", lambda self, a, b: FrameLoad(b, force=b.r)),
    "loads of class Mine": ("loads", lambda self, a, b: [b.r]),
    "force of the loads": ("loads", lambda self, a, b: [FrameLoad(b, force=b.r[0])]),
    "torque of the loads": ("loads", lambda self, a, b: [FrameLoad(b, torque=Vec(1, 0, b.r))]),
    "returned a list of 1": ("loads", lambda self, a, b: [FrameLoad(b.body, force=b.r)]),
}


@pytest.mark.representatives(id=["returned str", "loads of class Mine", "returned a list of 1"])
@pytest.mark.parametrize("word", WRONG_LAWS)
def test_laws(word: str) -> None:
    method, stated = WRONG_LAWS[word]
    with refused("mine 'f'", HERE, word):
        analysed(added(Force, **{method: stated}))


@pytest.mark.parametrize(
    ("components", "value", "word"),
    [
        (1, lambda self, a, b: b.r, "returned Vec"),
        (3, lambda self, a, b: b.r[0], "returned Symbol"),
        (3, lambda self, a, b: [1, 2, 3], "returned a list of 3"),
        (1, lambda self, a, b: None, "returned None"),
    ],
)
def test_outputs(components: int, value: Stated, word: str) -> None:
    with refused("value of class Mine", HERE, word):
        analysed(added(OutputKind, components=components, value=value))


def test_number_of_components() -> None:
    with refused("class Mine", "'value' 2 components"):
        added(OutputKind, components=2, value=lambda self, a, b: b.r)


@pytest.mark.parametrize(
    ("method", "stated", "word"),
    [
        ("generalised_force", lambda self, b, loads, t: [0, loads[0].value[1]], "a list of 2"),
        ("inertia", lambda self, b, p: [p[0] * a for a in b.a[:2]], "a list of 2"),
        ("inertia", lambda self, b, p: Vec(*b.a), "Vec"),
        ("norms", lambda self, b: [b.q[0]], "a list of 1"),
        ("norms", lambda self, b: None, "None"),
        ("constraints", lambda self, b, p: b.q[0], "Symbol"),
        ("kinetic_energy", lambda self, b, p: Vec(*b.v), "Vec"),
        ("centre_of_mass", lambda self, p: (0, 0, 0), "a tuple of 3"),
        ("mass", lambda self, p: p, "a list of 1"),
        ("origin", lambda self, b: tuple(b.q), "a tuple of 3"),
        ("angular_velocity", lambda self, b: 0, "int"),
        ("columns", lambda self, motion: (motion.mass, 1.0), "a tuple of 2"),
        ("columns", lambda self, motion: motion.mass, "float"),
        ("initial", lambda self, motion: ((0, 0, 0), (0, 0)), "a tuple of 2"),
        ("initial", lambda self, motion: (0, 0, 0), "a tuple of 3"),
    ],
)
def test_body_kinds(method: str, stated: Stated, word: str) -> None:
    mine = type("Mine", (PointMass,), {"name": "mine", method: stated})
    model = Model("one")
    ball = model.body("ball", 1.0, coordinates=mine)
    model.force("wind", ball, force=(ball.at().vy, 0, 0))
    model.output("spin", ball.angular_velocity)
    with refused(f"{method} of class Mine", HERE, f"returned {word}"):
        analysed(model)
    if method == "initial":
        with refused(f"{method} of class Mine"):
            _described(ball)


def test_axes_of_a_body_kind() -> None:
    from mbdgen.bodies.planar import Planar

    for wrong in (lambda self, b: Vec(1, 0, 0), lambda self, b: (1, 2, 3)):
        mine = type("Mine", (Planar,), {"name": "mine", "axes": wrong})
        model = Model("one")
        rod = model.body("rod", 1.0, 1.0, coordinates=mine)
        model.output("tip", rod.at(1))
        with refused("axes of class Mine", HERE, "returned"):
            analysed(model)


def test_initial_that_raises() -> None:
    def initial(self: Any, motion: Any) -> Any:
        return motion.colour

    mine = type("Mine", (PointMass,), {"name": "mine", "initial": initial})
    model = Model("one")
    model.body("ball", 1.0, coordinates=mine)
    with refused("Body 'ball'", "colour", f"{HERE}:", "in initial"):
        analysed(model)


def by_if(self: Any, a: Any, b: Any) -> Any:
    return b.r[0] if b.r[0] > 0 else 0


RAISING: dict[str, tuple[Stated, str]] = {
    "math": (lambda self, a, b: math.sin(b.r[0]), "functions"),
    "numpy": (lambda self, a, b: np.sin(b.r[0]), "functions"),
    "if": (by_if, "Piecewise"),
    "attribute": (lambda self, a, b: b.position, "class"),
}


@pytest.mark.parametrize("case", RAISING)
@pytest.mark.parametrize("engine", ["sympy", "symengine"])
def test_errors_inside_a_class(case: str, engine: str) -> None:
    from mbdgen.stages import derive_types
    from mbdgen.topology.specify import specify

    if engine == "symengine":
        pytest.importorskip("symengine")
    stated, hint = RAISING[case]
    line = stated.__code__.co_firstlineno + (case == "if")
    specs = specify(added(Force, potential=stated))
    with pytest.raises(BuildError) as caught:
        derive_types(specs, engine)
    assert "mine 'f'" in caught.value.cause
    assert f"{HERE}:{line} in " in caught.value.cause
    assert hint in caught.value.remedy


@pytest.mark.representatives(id=["0", "2.5"])
@pytest.mark.parametrize("number", [0, 2.5, np.float64(1.5), sympy.Rational(1, 2)])
def test_numbers_are_expressions(number: Any) -> None:
    analysed(added(Force, potential=lambda self, a, b: number + b.r[0]))
    try:
        analysed(added(Force, potential=lambda self, a, b: number))
    except MbdgenError as error:  # a constant law may be refused, but not for its type
        assert "returned" not in str(error)

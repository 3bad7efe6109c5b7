"""Joints: their ends, axes, points and values."""

from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

import pytest
import sympy

from mbdgen import Model
from mbdgen.geometry.frame_measures import ROTATION
from mbdgen.geometry.frames import Frame
from mbdgen.joints.base import Joint
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import Element
from mbdgen.topology.specify import specify
from tests.unit.errors.refused import Change, analysed, refused, two_bodies

Z = (0.0, 0.0, 1.0)
HERE = {"at": (0, 0, 0), "axis": Z}


def other(name: str = "strange") -> Body:
    return Model("other").body(name, 1.0, (1, 1, 1))


@pytest.mark.parametrize("end", ["rod", None, 5, (0, 0, 0), Model("two"), Body])
def test_ends_that_are_no_bodies(end: object) -> None:
    with refused("revolute 'pin'", "not a body"):
        two_bodies(lambda m, a, b: m.revolute("pin", end, b, **HERE))


def test_bodies_of_another_model() -> None:
    with refused("revolute 'pin'", "'strange'", "'other'"):
        two_bodies(lambda m, a, b: m.revolute("pin", other(), b, **HERE))
    with refused("revolute 'pin'", "'strange'", "'other'"):
        two_bodies(lambda m, a, b: m.revolute("pin", other().at(), b.at()))
    with refused("revolute 'pin'", "'ground'", "'other'"):
        two_bodies(lambda m, a, b: m.revolute("pin", Model("other").ground, b, **HERE))


def test_to_itself() -> None:
    with refused("revolute 'pin'", "'rod'", "itself"):
        two_bodies(lambda m, a, b: m.revolute("pin", a, a, **HERE))
    with refused("revolute 'pin'", "'ground'", "itself"):
        two_bodies(lambda m, a, b: m.revolute("pin", m.ground, m.ground, **HERE))


AXES: list[tuple[Any, str]] = [
    ((0, 0, 0), "zero"),
    ((0, nan, 0), "nan"),
    ((0, 1), "2"),
    ("z", "'z'"),
    (5, "5"),
    ((0, 0, "1"), "'1'"),
    ((0, 0, True), "True"),
    ((0, 0, 1j), "complex"),
]


@pytest.mark.parametrize(("axis", "word"), AXES)
@pytest.mark.parametrize("name", ["axis", "axis_a", "axis_b", "reference"])
def test_axes(name: str, axis: object, word: str) -> None:
    with refused("axis of revolute 'pin'", word):
        two_bodies(lambda m, a, b: m.revolute("pin", a, b, **{**HERE, name: axis}))


def test_missing_and_parallel_axes() -> None:
    with refused("revolute 'pin'", "no axis"):
        two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=(0, 0, 0)))
    with refused("revolute 'pin'", "parallel"):
        two_bodies(lambda m, a, b: m.revolute("pin", a, b, reference=(0, 0, 2), **HERE))


@pytest.mark.parametrize("at", [(0, 0, nan), "x", 5, (1,), (1, 2, 3, 4)])
def test_points(at: object) -> None:
    with refused("point `at` of revolute 'pin'"):
        two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=at, axis=Z))


def test_point_and_marker() -> None:
    with refused("revolute 'pin'", "marker and `at`"):
        two_bodies(lambda m, a, b: m.revolute("pin", a.at(), b, **HERE))


@pytest.mark.parametrize("point", [(nan, 0, 0), ("x", 0, 0), ((1, 0, 0), 0, 0), (None, 0, 0)])
def test_markers(point: Any) -> None:
    with refused("'rod'"):
        two_bodies(lambda m, a, b: a.at(*point))
    with refused("'rod'", "'world'"):
        two_bodies(lambda m, a, b: a.at(axes="world"))
    with refused("'rod'", "zero"):
        two_bodies(lambda m, a, b: a.at(axis=(0, 0, 0)))


ARGUMENTS: dict[str, Change] = {
    "lacks b": lambda m, a, b: m.revolute("pin", a, **HERE),
    "takes 3 arguments by position, but 4": lambda m, a, b: m.revolute("pin", a, b, b, **HERE),
    "friction": lambda m, a, b: m.revolute("pin", a, b, friction=0.1, **HERE),
    "is given a twice": lambda m, a, b: m.revolute("pin", a, b, a=b, **HERE),
}


@pytest.mark.parametrize("word", ARGUMENTS)
def test_arguments(word: str) -> None:
    with refused("revolute 'pin'", word):
        two_bodies(ARGUMENTS[word])


def test_calls_without_a_name_or_of_unknown_joints() -> None:
    with refused("revolute"):
        two_bodies(lambda m, a, b: m.revolute())
    with refused("revolute"):
        two_bodies(lambda m, a, b: m.revolute(a, b, **HERE))
    with refused("'revolut'"):
        two_bodies(lambda m, a, b: m.revolut("pin", a, b))
    for wrong in ("revolute", 5, None, dict, Element):  # an element without a base has no role
        with refused("'pin'"):
            two_bodies(lambda m, a, b, w=wrong: m.add("pin", w, a, b))


LENGTHS: list[tuple[Any, str]] = [
    (0, "0"),
    (-1, "-1"),
    (nan, "nan"),
    ("long", "'long'"),
    (True, "True"),
    ((1, 2, 3), "(1, 2, 3)"),
    (1j, "complex"),
]


@pytest.mark.parametrize(("length", "word"), LENGTHS)
def test_lengths(length: object, word: str) -> None:
    with refused("length of distance 'link'", word):
        two_bodies(lambda m, a, b: m.distance("link", a.at(), b.at(), length=length))


def test_points_that_coincide() -> None:
    for kind in ("distance", "spring"):
        with refused(f"{kind} 'link' on 'rod' and 'bar' is 0"):
            two_bodies(lambda m, a, b, k=kind: m.__getattr__(k)("link", a.at(1), b.at()))


def test_negative_length_by_a_parameter() -> None:
    def change(m: Model, a: Body, b: Body) -> None:
        m.distance("link", a.at(), b.at(), length=m.parameter("L", 1.0) - 2)

    with refused("length of distance 'link'", "-1"):
        two_bodies(change)


SYMBOLS: list[tuple[Any, str]] = [
    (sympy.Symbol("L"), "unknown symbol 'L'"),
    (sympy.Symbol("t") + 1, "looks like"),
    (sympy.Symbol("strange.x", real=True), "unknown symbol"),
]


@pytest.mark.parametrize(("length", "word"), SYMBOLS)
def test_unknown_symbols(length: Any, word: str) -> None:
    with refused("length of distance 'link'", word):
        specify(two_bodies(lambda m, a, b: m.distance("link", a.at(), b.at(), length=length)))


def test_points_and_axes_are_constant() -> None:
    with refused("point of revolute 'pin'", "'t'"):
        specify(two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=(m.t, 0, 0), axis=Z)))
    with refused("axis of revolute 'pin'", "t"):
        specify(two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=Z, axis=(m.t, 0, 1))))
    with refused("axis of revolute 'pin'", "rod"):
        specify(two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=Z, axis=(a.at().x, 0, 1))))


def test_parameters_that_give_no_number() -> None:
    def change(m: Model, a: Body, b: Body) -> None:
        m.spherical("ball", a, b.at(1 / (m.parameter("L", 1.0) - 1), 0, 0))

    with refused("point of spherical 'ball'", "not finite"):
        analysed(two_bodies(change))


def test_planar_joints_out_of_the_plane() -> None:
    with refused("'rod'", "neither in its plane"):
        specify(two_bodies(lambda m, a, b: m.revolute("pin", a, b, at=Z, axis=(1, 0, 1)), "planar"))
    with refused("revolute 'pin'", "gap of 1"):
        analysed(
            two_bodies(lambda m, a, b: m.revolute("pin", m.ground.at(0, 0, 1), a.at()), "planar")
        )
    with refused("translation_driver 'lift'", "gap"):
        analysed(
            two_bodies(
                lambda m, a, b: m.translation_driver("lift", m.ground, a, distance=m.t, **HERE),
                "planar",
            )
        )


def test_point_masses_have_no_axes() -> None:
    for kind in ("revolute", "prismatic", "fixed"):
        model = Model("one")
        ball = model.point_mass("ball", 1.0)
        model.__getattr__(kind)("pin", model.ground, ball, **HERE)
        with refused("'pin'", "no axes"):
            analysed(model)
    model = Model("one")
    model.spherical("pin", model.ground, model.point_mass("ball", 1.0), at=(1, 0, 0))
    with refused("'ball'", "point mass"):
        analysed(model)


def test_measures_that_do_not_exist() -> None:
    with refused("'ball'", "'angle'"):
        two_bodies(lambda m, a, b: m.spherical("ball", a, b, at=(0, 0, 0)).angle)
    with refused("'s'", "'lenght'"):
        two_bodies(lambda m, a, b: m.spring("s", a.at(), b.at(), stiffness=1).lenght)
    with refused("ground", "'angle'"):
        _ = Model("one").ground.angle


@dataclass(frozen=True)
class Ball(Joint):
    """Lists a measure that every joint has, and one that nobody has written."""

    name = "own_ball"
    measures: ClassVar[dict[str, int]] = {**ROTATION, "reach": 1}

    def equations(self, a: Frame, b: Frame) -> list[Any]:
        return list(b.r - a.r)


@pytest.mark.slow
def test_measures_that_a_class_lists_only() -> None:
    def add(m: Model, a: Body, b: Body, measure: str) -> None:
        ball = m.add("ball", Ball, a, b, at=(0, 0, 0))
        m.output("result", getattr(ball, measure))

    model = two_bodies(lambda m, a, b: add(m, a, b, "angle"))
    assert model.outputs["result"].unit == "rad"
    analysed(model)
    with refused("'result'", "own_ball", "'reach'"):
        analysed(two_bodies(lambda m, a, b: add(m, a, b, "reach")))


def test_bodies_are_welded_where_they_are() -> None:
    model = two_bodies(lambda m, a, b: m.fixed("weld", a, b))
    first, second = model.attached["weld"].markers
    assert first.global_point == second.global_point == (1.0, 0.0, 0.0)

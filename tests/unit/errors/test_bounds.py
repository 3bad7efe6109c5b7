"""What is refused when a model is written is refused, too, when its parameters change later."""

from collections.abc import Callable

import pytest

from mbdgen import Model, load, material, rectangle
from mbdgen.errors import OptionError
from mbdgen.interval import Interval
from tests.unit.errors.machines import bar, flat
from tests.unit.errors.refused import refused


def beam() -> Model:
    m = Model("bounded_beam", gravity=(0, -9.81))
    length, height = m.parameter("length", 1.0), m.parameter("height", 0.02)
    steel = material(
        m.parameter("young", 2e9), 7800, m.parameter("nu", 0.3), m.parameter("damping", 0.1), 0.1
    )
    guide = m.beam(
        "guide", [(0, 0, m.parameter("z", 0.0)), (length, 0)], rectangle(height, 0.01), steel,
        elements=1, kind="omar", elongation=m.parameter("elongation", 0.0),
    )  # fmt: skip
    m.fixed("clamp", guide.start, m.ground)
    place = guide.along("collar", m.parameter("start", 0.25))
    m.spherical("slider", place, m.body("bead", 1.0, coordinates="point").origin)
    return m


def machine() -> Model:
    m = flat("bounded_machine")
    rod = bar(m, position=(m.parameter("gap", 1.0), 0.5))
    m.spring("spring", m.ground, rod, stiffness=1.0)
    m.friction("rub", m.ground, rod, coefficient=0.1, smooth=m.parameter("smooth", 0.01))
    return m


def ball() -> Model:
    m = Model("bounded_ball")
    up = m.parameter("up", 1.0)
    sphere = m.body("ball", 1.0, (1, 1, 1), position=(0, 0, up), radius=m.parameter("radius", 0.1))
    m.sphere_plane(
        "floor", sphere, m.ground, normal=(0, 0, 1), stiffness=m.parameter("stiffness", 1e4),
        restitution=m.parameter("restitution", 0.8),
    )  # fmt: skip
    return m


CASES: list[tuple[Callable[[], Model], dict[str, float], str]] = [
    (beam, {"young": 0.0}, "the young of the material of beam 'guide' is 0"),
    (beam, {"nu": 0.5}, "Poisson's ratio of the material of beam 'guide' is 0.5"),
    (beam, {"damping": 0.05}, "1.5 damping - shear_damping of the material of beam 'guide'"),
    (beam, {"height": -0.01}, "the area of the section of beam 'guide' is -0.0001"),
    (beam, {"length": 0.0}, "the length of beam 'guide' is 0"),
    (beam, {"length": 0.2}, "the way from the start of point 'collar' along beam 'guide' is -0.05"),
    (beam, {"start": -0.1}, "the way to the start of point 'collar' along beam 'guide' is -0.1"),
    (beam, {"elongation": -1.5}, "the elongation of beam 'guide' is -1.5"),
    (beam, {"z": 0.1}, "z of an end of beam 'guide' is 0.1"),
    (ball, {"radius": 0.0}, "radius of body 'ball' is 0"),
    (ball, {"stiffness": -1.0}, "stiffness of sphere_plane 'floor' is -1"),
    (ball, {"restitution": 1.1}, "restitution of sphere_plane 'floor' is 1.1"),
    (ball, {"up": -1.0}, "the height of 'ball' above the plane of sphere_plane 'floor' is -1"),
]


@pytest.mark.parametrize(("model", "values", "words"), CASES)
def test_modules_refuse_what_models_refuse(
    model: Callable[[], Model], values: dict[str, float], words: str
) -> None:
    system = load(model())
    before = system.parameters
    changed = ", ".join(f"{k} = {x:g}" for k, x in values.items())
    with refused(f"With {changed}, {words}", kind=OptionError):
        system.set(**values)
    assert system.parameters == before


def test_values_within_are_taken() -> None:
    system = load(beam())
    system.set(young=1e9, nu=0.49, length=0.3, start=0.2, elongation=0.01)
    assert system.parameters["start"] == 0.2


@pytest.mark.parametrize("text", ["(0.0, inf)", "[0.0, 1.0)", "(-1.0, 0.5]", "[-inf, 2.0]"])
def test_intervals_are_read_as_they_are_written(text: str) -> None:
    assert str(Interval.of(text)) == text


def test_ends_belong_to_an_interval_or_not() -> None:
    assert [x in Interval(0.0, 1.0, "[)") for x in (-0.1, 0.0, 0.5, 1.0)] == [
        False,
        True,
        True,
        False,
    ]
    assert [x in Interval(0.0, 1.0, "(]") for x in (0.0, 1.0, 1.1)] == [False, True, False]
    assert float("nan") not in Interval()

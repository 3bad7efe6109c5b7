"""Mistakes with places that move, belts and loads along beams: each is named where it is made."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from mbdgen import Model, load, loop
from mbdgen.errors import OptionError, UnknownNameError
from tests.unit.errors.refused import refused
from tests.unit.errors.test_beam_descriptions import bar


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: loop(((0, 0), -1)), ("only pulley", "-1 m")),
        (lambda: loop(), ("no pulleys",)),
        (lambda: loop(((0, 0), math.nan), ((1, 0), 0.1)), ("pulley 1", "nan")),
        (lambda: loop(((0, 0), 0.1), ((1, 0), math.inf)), ("pulley 2", "inf")),
        (lambda: loop(((0, 0), "a")), ("pulley 1", "radius")),
        (lambda: loop(((0, 0, 1), 0.1)), ("pulley 1", "centre")),
        (lambda: loop(3), ("pulley 1", "3")),
        (lambda: loop(((0, 0), 0.1), ((0.1, 0), 0.1)), ("Pulleys 1 and 2", "overlap")),
    ],
)
def test_loops(make: Callable[[], Any], words: tuple[str, ...]) -> None:
    with refused(*words):
        make()


@pytest.mark.parametrize(
    ("start", "given", "words"),
    [
        (3, {}, ("point 'p'", "beam 'bar'", "-1")),
        (-1, {}, ("point 'p'", "-1")),
        (math.nan, {}, ("point 'p'", "nan")),
        ("start", {}, ("point 'p'", "start")),
        (None, {}, ("point 'p'", "None")),
        (0.1, {"speed": "fast"}, ("fast",)),
        (0.1, {"tangent": "no"}, ("tangent", "point 'p'", "'no'")),
    ],
)
def test_places_along_beams(start: Any, given: dict[str, Any], words: tuple[str, ...]) -> None:
    with refused(*words):
        bar().along("p", start, **given)


def test_names_that_nothing_has() -> None:
    """Also for Python's own question: ``hasattr`` answers False instead of failing."""
    model = Model("one", gravity=(0, 0, 0))
    beam = bar(model)
    wall = model.fixed("wall", model.ground, beam.start)
    assert not hasattr(model, "nonsense") and not hasattr(wall, "nonsense")
    assert hasattr(model, "revolute") and hasattr(wall, "force")
    with refused("A model has no 'revolutes'", kind=UnknownNameError):
        _ = model.revolutes
    with refused("'wall' (fixed) has no output 'forces'", kind=UnknownNameError):
        _ = wall.forces
    with pytest.raises(AttributeError):
        _ = model.nonsense


@pytest.mark.parametrize("along", ["place", "speed"])
def test_what_friction_acts_along(along: str) -> None:
    model = Model("one", gravity=(0, 0, 0))
    place = bar(model).along("p", 0.1)
    bead = model.point_mass("bead", 1.0, position=(0.1, 0))
    joint = model.spherical("threaded", place, bead.at())
    with refused("along" if along == "place" else "velocities"):
        given = place if along == "place" else place.speed
        model.friction("rub", along=given, load=joint.load, coefficient=0.1)
        load(model, layout="loop")


def test_parameters_that_move_a_place_off_its_beam() -> None:
    model = Model("one", gravity=(0, 0, 0))
    at = model.parameter("at", 0.5)
    beam = bar(model)
    model.fixed("wall", model.ground, beam.start)
    bead = model.point_mass("bead", 1.0, position=(0.5, 0))
    model.spherical("threaded", beam.along("p", at), bead.at())
    system = load(model, layout="loop")
    for wrong in (-1, 3):
        with refused(f"at = {wrong}", "point 'p'", kind=OptionError):
            system.set(at=wrong)
    with refused("'at' = nan", kind=OptionError):
        system.set(at=math.nan)

"""What a model says of its looks, and what generated modules know of it."""

import re
from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, build, load, simulate
from mbdgen.errors import ModelError
from mbdgen.language.colours import COLOURS, as_colour
from mbdgen.runtime.results.scene_figures import scene_of
from mbdgen.runtime.system.module_loading import load_module
from mbdgen.topology.stated_scene import figures


def ball(colour: object = None) -> Model:
    m = Model("drawn", gravity=(0, 0, -9.81))
    side = m.parameter("side", 0.5, unit="m")
    b = m.point_mass("ball", 1.0, color=colour)
    b.draw.sphere(side / 2, at=(side, 0, 0), color="gold")
    m.spring("hold", m.ground.at(0, 0, side), b.at(), stiffness=10)
    m.ground.draw.plane(at=(0, 0, -side), size=(2, side))
    m.output("place", b.at())
    m.output("velocity", b.at().velocity)
    m.view(azimuth=30, elevation=10, x=(-1, 1), y=(-1, 1), z=(-side, 1))
    return m


def test_colours_have_names_and_numbers() -> None:
    assert as_colour("Red", "x") == as_colour("r", "x") == COLOURS["red"]
    assert as_colour("#AbC", "x") == "#aabbcc" and as_colour("#0f1e2d", "x") == "#0f1e2d"
    assert as_colour("gray", "x") == as_colour("grey", "x") and as_colour(None, "x") == ""


@pytest.mark.parametrize(
    ("colour", "remedy"),
    [("gren", "Did you mean 'green'"), ("#12345", "Use #rrggbb"), (7, "Use #rrggbb")],
)
def test_unknown_colours(colour: object, remedy: str) -> None:
    with pytest.raises(ModelError, match=f"of body 'ball' is .*{re.escape(remedy)}"):
        ball(colour)


def test_scene_follows_the_parameters() -> None:
    system = load(ball("teal"))
    for side in (0.5, 0.8):
        system.set(side=side)
        found = {figure.kind: figure for figure in scene_of(system).figures}
        assert found["sphere"].numbers == pytest.approx([side, 0, 0, side / 2])
        assert found["coil"].numbers == pytest.approx([0, 0, side, 0, 0, 0])
        assert found["coil"].bodies == ("ground", "ball")
        assert found["limits"].numbers == pytest.approx([-1, 1, -1, 1, -side, 1])
        assert found["plane"].numbers[-2:] == pytest.approx([2, side])
    assert found["body"].name == "ground" or found["body"].colour == COLOURS["teal"]
    assert found["sphere"].colour == COLOURS["gold"] and found["azimuth"].numbers == [30]
    assert [f.name for f in scene_of(system).of("point")] == ["place"]  # a velocity is none


def test_generated_modules_know_their_scene(tmp_path: Path) -> None:
    path = build(ball(), out=tmp_path)
    system = load_module(path).system
    system.set(side=1.5)
    result = simulate(system, (0, 0.01), h=1e-3)
    assert result.scene is not None and result.scene.of("sphere")[0].numbers[0] == 1.5
    assert "animation" in result.animate().html()
    assert "def picture(values):" in path.read_text()


def test_another_look_is_another_module(tmp_path: Path) -> None:
    first = build(ball("red"), out=tmp_path).read_text()
    assert COLOURS["red"] in first
    assert COLOURS["blue"] in build(ball("blue"), out=tmp_path).read_text()


def test_looks_do_not_change_the_equations() -> None:
    plain = Model("drawn", gravity=(0, 0, -9.81))
    side = plain.parameter("side", 0.5, unit="m")
    b = plain.point_mass("ball", 1.0)
    plain.spring("hold", plain.ground.at(0, 0, side), b.at(), stiffness=10)
    runs = [simulate(load(m), (0, 0.1), h=1e-2).q for m in (ball(), plain)]
    assert np.array_equal(*runs)


def test_places_count_from_the_centre_of_mass() -> None:
    m = Model("off")
    b = m.body("b", 1.0, (1, 1, 1), centre_of_mass=(0.2, 0, 0))
    m.spherical("s", m.ground.at(), b.at())
    b.draw.box(1, 2, 3, at=b.at(0.5, 0, 0, axis=(1, 0, 0)))
    found = {figure.kind: figure for figure in figures(m) if figure.bodies == ("b",)}
    assert found["body"].numbers == pytest.approx((-0.2, 0, 0))
    assert found["box"].numbers[:3] == pytest.approx((0.3, 0, 0))
    assert found["box"].numbers[9:12] == pytest.approx((1, 0, 0))  # e3 of the marker
    assert found["joint"].numbers == pytest.approx((-0.2, 0, 0))


@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (lambda b: b.draw.sphere(0), "radius of a shape of body 'b' is 0"),
        (lambda b: b.draw.box(1, -1, 1), "edge of a shape of body 'b' is -1"),
        (lambda b: b.draw.line([(0, 0, 0)]), "line of body 'b' goes through"),
        (lambda b: b.draw.plane(size=(1, 2, 3)), "size of a plane of body 'b' is"),
        (lambda b: b.draw.sphere(1, at=b.model.ground.at()), "marker of 'ground'"),
        (lambda b: b.draw.disc(1, axis=(0, 0, 0)), "is the zero vector"),
        (lambda b: b.draw.sphere(1, color="purpel"), "Did you mean 'purple'"),
        (lambda b: b.model.view(x=(0, 1)), "limits of x only"),
        (lambda b: b.model.view(x=(1, 0), y=(0, 1), z=(0, 1)), "limits of x in the view"),
        (lambda b: b.model.view(azimuth="left"), "azimuth of the view of model 'm'"),
    ],
)
def test_mistakes(draw, text: str) -> None:  # type: ignore[no-untyped-def]
    m = Model("m")
    with pytest.raises(ModelError, match=re.escape(text)):
        draw(m.body("b", 1.0, (1, 1, 1)))

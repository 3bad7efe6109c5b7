"""Lines of belts around pulleys against closed formulas, and what is wrong with others."""

import math
from itertools import pairwise
from typing import Any

import pytest

from mbdgen import Model, loop, material, rectangle
from mbdgen.errors import ModelError
from mbdgen.topology.specify import specify

R, D = 0.08125, 0.382882


def check_smooth(line: Any) -> None:
    """Every piece begins where, and in the direction in which, the one before it ends."""
    for a, b in pairwise([*line.pieces, line.pieces[0]]):
        (x, y), angle = a.at(a.length)
        assert math.dist((x, y), b.start) < 1e-15
        assert abs(math.sin(angle - b.angle)) < 1e-14 and math.cos(angle - b.angle) > 0


@pytest.mark.parametrize("other", [0.08125, 0.1218, 0.03])
def test_open_belt(other: float) -> None:
    line = loop(((0, 0), R), ((D, 0), other))
    beta = math.asin((other - R) / D)
    wanted = 2 * D * math.cos(beta) + math.pi * (R + other) + 2 * beta * (other - R)
    assert line.length == pytest.approx(wanted, rel=1e-15)
    check_smooth(line)


def test_crossed_belt() -> None:
    """About the second pulley it turns to the right."""
    line = loop(((0, 0), 0.1), ((0.5, 0), -0.05))
    check_smooth(line)
    beta = math.asin((0.1 + 0.05) / 0.5)
    wanted = 2 * 0.5 * math.cos(beta) + (math.pi + 2 * beta) * (0.1 + 0.05)
    assert line.length == pytest.approx(wanted, rel=1e-14)


def test_tensioner_and_circle() -> None:
    line = loop(((0, 0), 0.1), ((0.25, -0.07), -0.03), ((0.5, 0), 0.12))
    check_smooth(line)
    turned = sum(p.length / p.radius for p in line.pieces)
    assert turned == pytest.approx(2 * math.pi, rel=1e-14)
    around = loop(((1, 2), 0.5))
    assert around.length == pytest.approx(math.pi, rel=1e-15)
    assert around.at(0.25)[0] == pytest.approx((1, 2.5), rel=1e-14)


@pytest.mark.parametrize(
    ("pulleys", "message"),
    [
        ([], "has no pulleys"),
        ([0.1], "pulley 1 of a loop is 0.1"),
        ([((0, 0), 0)], "the radius 0"),
        ([((0, 0, 1), 0.1)], "pulley 1 of a loop has the centre"),
        ([((0, 0), 0.3), ((0.1, 0), 0.1)], "1 and 2 of a loop overlap: .* they are 0.1 m apart"),
        ([((0, 0), 0.2), ((0.39, 0), 0.2)], "Place them more than 0.4 m apart"),
        ([((0, 0), 0.1), ((1, 0), -0.1), ((0.9, 0.2), 0.2)], "Pulleys 2 and 3 .* 0.1 and 0.2 m"),
    ],
)
def test_refused(pulleys: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        loop(*pulleys)


def belt(**options: Any) -> Model:
    m = Model("m", gravity=(0, 0, 0))
    given = {"elements": 20, "kind": "belt", **options}
    line = loop(((0, 0), R), ((D, 0), R))
    m.beam("belt", line, rectangle(0.01, 0.01), material(1e8, 1000), **given)
    return m


def test_last_node_is_the_first() -> None:
    made = belt(elongation=0.01).beams["belt"]
    assert made.closed and made.length == pytest.approx((2 * D + 2 * math.pi * R) / 1.01)
    first, last = (e.motion for e in (made.elements[0], made.elements[-1]))
    assert last.ends[1] == first.ends[0]
    assert math.hypot(*first.ends[0].slopes[0]) == pytest.approx(1.01, rel=1e-14)
    assert len(made.model.shared) == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"elements": 1}, "is closed and has one element"),
        ({"elongation": -1}, "elongation of beam 'belt' is -1"),
        ({"kind": "yakoub"}, "are not in the plane"),
    ],
)
def test_refused_belts(options: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        belt(**options)


def touching(**contact: Any) -> Model:
    m = belt(elements=contact.pop("elements", 20))
    at = contact.pop("at", (0, 0))
    wheel = m.planar_body("wheel", 1.0, 0.1, position=at, radius=R)
    m.beam_disc("on", m.beams["belt"], wheel, **contact)
    return m


@pytest.mark.parametrize(
    ("contact", "message"),
    [
        (
            {"at": (0.2, -R)},
            "element .* of beam 'belt' is 0.0.* m inside the disc of beam_disc 'on_",
        ),
        ({"radius": 0}, "radius of beam_disc 'on_1' is 0"),
        ({"points": 2.5}, "points of beam_disc 'on_1' is 2.5"),
        ({"points": 0}, "points of beam_disc 'on_1' is 0"),
        ({"coefficient": -1}, "coefficient of beam_disc 'on_1' is -1"),
    ],
)
def test_refused_contacts(contact: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        specify(touching(**contact))


def test_rigid_bodies_have_no_length() -> None:
    m = touching()
    with pytest.raises(
        ModelError, match="beam_disc 'off' acts along a beam, but 'ground' is rigid"
    ):
        m.beam_disc("off", m.ground, m.bodies["wheel"])


def test_elements_that_are_too_long(caplog: pytest.LogCaptureFixture) -> None:
    """Once, with the number that would do."""
    specify(touching(elements=20))
    assert not caplog.messages
    specify(touching(elements=15))
    (text,) = caplog.messages
    assert "has 15 elements of 0.0851 m" in text and "Give it 20." in text


def test_forces_along_a_beam() -> None:
    m = touching()
    on = m.beam_disc("again", m.beams["belt"], m.ground.at(0.2, 0.3), radius=0.1)
    assert [p.name for p in on.parts[:2]] == ["again_1", "again_2"] and len(on.parts) == 20
    assert on.at(0.1).markers[0].body.name == "belt_2"
    places = on.places(2)
    assert len(places) == 40 and places[0] == pytest.approx(m.beams["belt"].length / 80)
    on.report("normal", per_element=2)
    assert [*m.outputs][-1] == "again_at_40"
    other = m.beam_disc("third", m.beams["belt"], m.ground.at(0.2, 0.3), radius=0.1)
    with pytest.raises(ModelError, match="has no measure 'force'"):
        other.report("force")
    with pytest.raises(ModelError, match="is wanted at 0 points"):
        on.places(0)

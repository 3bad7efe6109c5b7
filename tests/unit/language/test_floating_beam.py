"""Beams in floating frames: what cannot be, modes of one sort only, modes as polynomials."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, material, rectangle, section_stiffness
from mbdgen.language.flexible.floating_beam import FloatingBeam
from mbdgen.modal.families import BENDING, Family, shortening
from mbdgen.modal.line_modes import FRAMES, bending, element_modes
from mbdgen.modal.mode_pieces import drawn_before, pieces_for, polynomials
from tests.unit.errors.refused import refused

YOUNG, DENSITY = 1e9, 1000.0


def beam(**options: Any) -> FloatingBeam:
    model = Model("one", gravity=(0, 0))
    stuff = material(young=YOUNG, density=DENSITY)
    return model.floating_beam("it", [(0, 0), (2, 0)], rectangle(0.1, 0.1), stuff, **options)


@pytest.mark.parametrize("frame", ["tangent", "mean"])
def test_a_bar_that_is_only_stretched(frame: str) -> None:
    """Fixed at its start, or free: quarter or half of a wave."""
    made = beam(modes=(0, 1), frame=frame, stiffened=True)
    wave = np.pi / 2 * np.sqrt(YOUNG / DENSITY) / (2.0 if frame == "tangent" else 1.0)
    assert made.body.motion.modes.stiffness == pytest.approx([wave**2])  # type: ignore[attr-defined]
    assert made.along("place", 0.3).body is made.body


def test_more_modes_than_equations_can_have() -> None:
    with refused("floating beam 'it'", "81 modes"):
        beam(elements=20)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("count", [1, 3, 8])
def test_modes_are_polynomials_on_pieces(frame: str, count: int) -> None:
    """Degree 9 on two radians of the shortest wave; elements of three are cubics exactly."""
    for modes, bound in (
        (bending(frame, count), 2e-8),
        (element_modes(frame, True, 3, count), 1e-12),
    ):
        families = [Family(BENDING, modes)]
        pieces = pieces_for(families)
        found, x = polynomials(modes, pieces), np.linspace(0, 1, 331)[:-1]
        k = (x * pieces).astype(int)
        powers = (x * pieces - k)[:, None] ** np.arange(found.shape[2])
        values = np.einsum("pmn,pn->mp", found[k], powers)
        np.testing.assert_allclose(values, modes.field(x)[0], atol=bound * np.sqrt(len(powers)))
        drawn = drawn_before(found)[-1]
        exact = shortening(families, (pieces - 1) / pieces)
        assert abs(drawn - exact).max() <= 1e2 * bound * max(1.0, abs(exact).max())


WRONG: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "frame": ({"frame": "tip"}, ("'tip'",)),
    "modes of the plane": ({"modes": (3, 1)}, ("(3, 1)",)),
    "too many": ({"modes": (20, 10, 1, 1)}, ("32 modes",)),
    "too many of elements": ({"elements": 4}, ("34 modes",)),
    "few elements": ({"elements": 1, "modes": (3, 1, 1, 1)}, ("2 modes of bending, not 3",)),
    "position": ({"position": (0, 0, 1)}, ("no option position",)),
    "coordinates": ({"coordinates": "quaternion"}, ("no option coordinates",)),
    "parallel": ({"across": (1, 0, 0)}, ("parallel",)),
    "stiffened": ({"stiffened": 1}, ("stiffened",)),
    "damping": ({"damping": [0.1]}, ("8 modes", "1 damping")),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_beam_in_space_cannot_be(name: str) -> None:
    change, words = WRONG[name]
    with refused("floating", "'it'", *words):
        beam(**{"across": (0, 1, 0), **change})


def test_nothing_slides_on_a_beam_in_space() -> None:
    with refused("point 'collar'", "floating frame in space"):
        beam(across=(0, 1, 0)).along("collar", 0.3)


def test_places_and_velocities_out_of_the_plane() -> None:
    with refused("z of a position on beam 'it'"):
        beam().at(1.0, 0.0, 0.1)
    with refused("out of plane", "floating beam 'it'"):
        beam(velocity=(0, 0, 1))
    with refused("out of plane", "floating beam 'it'"):
        beam(angular_velocity=(0, 1, 0))


def test_twist_needs_its_stiffness() -> None:
    """Sections by stiffnesses may have none; a beam without modes of twisting needs none."""
    model = Model("one", gravity=(0, 0, 0))
    section, points = section_stiffness(1e5, 1e2, mass=2.0), [(0, 0, 0), (0, 0, 2)]
    with refused("floating beam 'it'", "gj="):
        model.floating_beam("it", points, section)
    made = model.floating_beam("other", points, section, modes=(1, 1, 1, 0))
    assert len(made.body.motion.modes.stiffness) == 3  # type: ignore[attr-defined]


def test_damping_of_the_material() -> None:
    """Twist is damped by the law of shear, the rest by that of stretch, each like its stiffness."""
    model = Model("one", gravity=(0, 0, 0))
    stuff = material(YOUNG, DENSITY, damping=2e-3, shear_damping=1e-3)
    made = model.floating_beam(
        "it", [(0, 0, 0), (0, 0, 2)], rectangle(0.1, 0.1), stuff, modes=(1, 1, 1, 1)
    )
    table = made.body.motion.modes  # type: ignore[attr-defined]
    shares = [d / k for d, k in zip(table.damping, table.stiffness, strict=True)]
    assert shares == pytest.approx([2e-3, 2e-3, 2e-3, 1e-3])


def test_ends_of_a_beam_whose_length_is_a_parameter() -> None:
    model = Model("one", gravity=(0, 0, 0))
    length = model.parameter("L", 2.0)
    made = model.floating_beam(
        "it", [(0, 0, 0), (0, 0, length)], rectangle(0.1, 0.1), material(YOUNG, DENSITY)
    )
    assert made.end.shape == made.at(length).shape  # type: ignore[attr-defined]
    assert not any(made.start.shape)  # type: ignore[attr-defined]

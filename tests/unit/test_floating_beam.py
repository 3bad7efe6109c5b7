"""Beams in floating frames: what cannot be, modes of one sort only, modes as polynomials."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, material, rectangle
from mbdgen.language.floating_beam import FloatingBeam
from mbdgen.modal.families import BENDING, Family, shortening
from mbdgen.modal.lines import FRAMES, bending, element_modes
from mbdgen.modal.pieces import drawn_before, pieces_for, polynomials
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

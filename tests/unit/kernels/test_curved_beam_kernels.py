"""Beams that are curved without load: no force there, wherever that is; strains from there on."""

from functools import cache

import numpy as np
import pytest

from mbdgen import Model, loop, material, rectangle
from mbdgen.errors import ModelError
from mbdgen.language.registry import beam_kinds
from tests.unit.kernels.element import STEP, Array, ElementCase, State, check_derivatives, close

KINDS = tuple(sorted(beam_kinds()))
SECTION = rectangle(0.1, 0.1)
RUBBER = {"poisson": 0.3, "damping": 0.02, "shear_damping": 0.01}
SPIRAL = [(0, 0, 0), (1, 0.2, 0.3), (1.6, 0.9, 0.4)]
HEAVY = ("yakoub", "yakoub-relaxed", "dufva-3d", "exact-3d", "euler-chord")
each = pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=[pytest.mark.slow] * (k in HEAVY)) for k in KINDS]
)


@cache
def element(kind: str) -> ElementCase:
    """A strongly curved element; in space the curve has torsion, too."""
    rng = np.random.default_rng(5)
    flat = beam_kinds()[kind].planar
    points = np.array([[0.1, -0.2, 0.1], [0.4, 0.1, 0.2], [0.9, 0.2, 0.0], [1.3, -0.1, 0.3]])
    points += 0.03 * rng.normal(size=points.shape)
    m = Model("one", gravity=(0, 0, 0))
    m.beam(
        "rod", points * (1, 1, not flat), SECTION, material(2e5, 900.0, **RUBBER), elements=1,
        kind=kind, across=None if flat else (0.1, 0.2, 1),
    )  # fmt: skip
    return ElementCase(m, "rod_strain")


def rotation(kind: str) -> Array:
    """Any one in space, or one about z."""
    if beam_kinds()[kind].planar:
        c, s = np.cos(2.1), np.sin(2.1)
        return np.array([[c, -s], [s, c]])
    q, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def moved(e: ElementCase, q: Array, turn: Array) -> Array:
    """Turn an element, then carry it elsewhere."""
    vectors = q.reshape(-1, len(turn)) @ turn.T
    for vector, block in zip(vectors, e.kinds[0].blocks, strict=True):
        vector += [7.0, -5.0, 3.0][: len(turn)] if block.name in ("r1", "r2") else 0.0
    return vectors.ravel()


def still(e: ElementCase, q: Array) -> State:
    return State(0.0, q, np.zeros(e.n_q), np.zeros(e.n_q), np.zeros(e.n_lam))


def at_rest(e: ElementCase) -> Array:
    return e.initial_state(np.random.default_rng(0)).q.real[:, 0]


@pytest.mark.representatives
@each
def test_no_force_without_load(kind: str) -> None:
    """To rounding of the strains, here and anywhere else."""
    e = element(kind)
    q = at_rest(e)
    for place in (q, moved(e, q, rotation(kind))):
        s = still(e, place)
        stiff = np.abs(e.matrix(s, (1, 0, 0))).max()
        assert np.abs(e.residual(s)).max() < 1e-13 * stiff
        assert np.abs(e.energies(s)[1]).max() < 1e-13 * stiff
    away = still(e, q + 0.05 * np.random.default_rng(3).normal(size=e.n_q))
    assert e.energies(away).real[1, 0] > 1e-5 * stiff


@each
def test_derivatives(kind: str) -> None:
    e, rng = element(kind), np.random.default_rng(4)
    s = still(e, at_rest(e) + 0.1 * rng.normal(size=e.n_q))
    s.v[:] = rng.normal(size=s.v.shape)
    check_derivatives(e, s)
    s.v[:] = 0
    gradient = e.energies(s.moved(q=np.eye(e.n_q)))[1].imag / STEP
    close(e.residual(s).real[:, 0], gradient, "force")


@each
def test_what_is_seen_from_elsewhere_is_the_same(kind: str) -> None:
    e, turn = element(kind), rotation(kind)
    rng = np.random.default_rng(6)
    q = at_rest(e) + 0.1 * rng.normal(size=e.n_q)
    v = rng.normal(size=e.n_q)
    turned = np.kron(np.eye(e.n_q // len(turn)), turn)
    zero, none = np.zeros(e.n_q), np.zeros(e.n_lam)
    here, there = (
        State(0.0, q, v, zero, none),
        State(0.0, moved(e, q, turn), turned @ v, zero, none),
    )
    close(e.residual(there).real[:, 0], turned @ e.residual(here).real[:, 0], "force", 1e-11)
    close(e.energies(there).real, e.energies(here).real, "energies", 1e-11)


@pytest.mark.representatives(id=["omar", "dufva"])
@pytest.mark.parametrize("kind", ["omar", "dufva", "yakoub", "dufva-3d"])
def test_there_is_more_mass_outside_a_bend(kind: str) -> None:
    """An eighth of a turn of a thick ring that turns about its centre, and its weight.

    Without the products of J_0 they are wrong by 7e-3 and 0.12; what is left is the midline, a
    cubic, in the energy, and sections whose normals are linear in the potential.
    """
    height, radius, angle, density, g = 0.2, 1.0, np.pi / 8, 900.0, 9.81
    line = [(np.sin(x), 1 - np.cos(x)) for x in np.linspace(0, angle, 33)]
    m = Model("ring", gravity=(0, -g, 0))
    m.beam("b", line, rectangle(height, height), material(1e6, density), elements=1, kind=kind)
    e = ElementCase(m, "b")
    s = still(e, at_rest(e))
    size = e.kinds[0].blocks[0].size
    for k, block in enumerate(e.kinds[0].blocks):
        x, y = s.q[size * k : size * k + 2, 0]
        s.v[size * k : size * k + 2, 0] = radius * (block.name in ("r1", "r2")) - y, x
    inner, outer = radius - height / 2, radius + height / 2
    kinetic, potential, _ = e.energies(s).real[:, 0]
    assert kinetic == pytest.approx(density * height * angle * (outer**4 - inner**4) / 8, rel=5e-4)
    area, first = (height * angle * (outer**k - inner**k) / k for k in (2, 3))
    below = radius * area - first * np.sin(angle) / angle
    assert potential == pytest.approx(density * g * below, rel=1e-2)


def test_places_by_arc_length() -> None:
    """A circle through 33 points: nodes at equal arcs, tangents along it, sections across."""
    angles = np.linspace(0, np.pi / 2, 33)
    points = [(2 * np.sin(x), 2 - 2 * np.cos(x)) for x in angles]
    m = Model("arc")
    beam = m.beam("arc", points, SECTION, material(2e5, 900.0), elements=4, kind="omar")
    assert beam.length == pytest.approx(np.pi, rel=1e-7)
    for k, body in enumerate(beam.elements):
        end, angle = body.motion.ends[1], (k + 1) * np.pi / 8
        assert end.position == pytest.approx(
            (2 * np.sin(angle), 2 - 2 * np.cos(angle), 0), abs=1e-6
        )
        assert end.slopes[0] == pytest.approx((np.cos(angle), np.sin(angle), 0), abs=1e-4)
        assert end.slopes[1] == pytest.approx((-np.sin(angle), np.cos(angle), 0), abs=1e-4)


@pytest.mark.slow
def test_bent_or_curved() -> None:
    """What is straight without load has moments along a curve, and loops are so."""
    points = [(0, 0), (1, 0.2), (2, 0)]
    circle = loop(((0, 0), 0.5))
    for line, bent, rests in (
        (points, None, True), (points, True, False), (circle, None, False), (circle, False, True)
    ):  # fmt: skip
        m = Model("one", gravity=(0, 0, 0))
        m.beam("rod", line, SECTION, material(2e5, 900.0), elements=2, kind="dufva", bent=bent)
        e = ElementCase(m, "rod_1_strain")
        force = np.abs(e.residual(still(e, at_rest(e)))).max()
        assert (force < 1e-9) == rests


@pytest.mark.parametrize("kind", sorted(beam_kinds()))
@pytest.mark.parametrize("x", [0.35, 0.8, None])
def test_markers_know_the_axes_of_their_section(kind: str, x: float | None) -> None:
    """What directions of users are turned into at the start is what the element says there."""
    m = Model("one", gravity=(0, 0, 0))
    points = [(0, 0), (1, 0.2), (1.6, 0.9)] if beam_kinds()[kind].planar else SPIRAL
    law = material(2e5, 900.0, 0.3)
    beam = m.beam("rod", points, SECTION, law, elements=2, kind=kind, bent=True)
    marker = beam.end if x is None else beam.at(x * beam.length)
    for name in ("e1", "e2", "e3"):
        m.output(name, getattr(marker, name))
    for name, known in zip(("e1", "e2", "e3"), marker.global_axes, strict=True):
        e = ElementCase(m, name)
        found = e.values("outputs", e.initial_state(np.random.default_rng(1)))[:, 0].real
        np.testing.assert_allclose(found, np.array(known, float), atol=1e-12)
    direction = marker.local_direction(tuple(map(float, marker.global_axes[1])))
    np.testing.assert_allclose(np.array(direction, float), (0, 1, 0), atol=1e-12)


def wrong(message: str, points: object, **given: object) -> None:
    with pytest.raises(ModelError, match=message):
        Model("m").beam("arch", points, SECTION, material(1e5, 900.0), **{"kind": "omar", **given})


def test_mistakes() -> None:
    arch = [(0, 0), (1, 0.2), (2, 0)]
    wrong("same point twice", [(0, 0), (1, 0), (1, 0), (2, 0)])
    wrong("A curve of beam 'arch' goes through", [(0, 0), (1, Model("m").t), (2, 0)])
    wrong("bent='no'", arch, bent="no")
    wrong("has bent=True", [(0, 0), (1, 0)], bent=True)
    wrong("curved without load and has an elongation", arch, elongation=0.1)
    wrong("in the plane z = 0", [(0, 0), (1, 0.2), (2, 0, 1)])
    wrong("points of beam 'arch' are", [(0, 0)])

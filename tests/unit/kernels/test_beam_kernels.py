"""Every planar element of beams: exact derivatives, rigid motion, invariance, constant strain."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, material, rectangle
from mbdgen.language.registry import beam_kinds
from tests.unit.kernels.element import STEP, Array, ElementCase, State, check_derivatives, close

LENGTH, HEIGHT, WIDTH = 0.7, 0.06, 0.04
AREA, IZ = HEIGHT * WIDTH, WIDTH * HEIGHT**3 / 12
YOUNG, DENSITY = 2000.0, 1300.0
Place = Callable[[Array], Array]
"""Where a point (x, y, z) of the straight beam along x is; analytic, to be derived."""


def model_of(kind: str, **of_material: float) -> Model:
    model = Model("one")
    material_ = material(YOUNG, DENSITY, **of_material)
    model.beam(
        "beam", [(0, 0, 0), (LENGTH, 0, 0)], rectangle(HEIGHT, WIDTH), material_, elements=1,
        kind=kind,
    )  # fmt: skip
    return model


KINDS = sorted(name for name, kind in beam_kinds().items() if kind.planar)
DAMPED = {"poisson": 0.3, "damping": 0.02, "shear_damping": 0.01}
HEAVY = ("belt", "dufva")
"""Seen by default where they are curved, and in mechanisms."""
each = pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=[pytest.mark.slow] * (k in HEAVY)) for k in KINDS]
)


@cache
def strain(kind: str) -> ElementCase:
    """Return the derived strain energy of a damped element."""
    return ElementCase(model_of(kind, **DAMPED), "beam_strain")


@cache
def elastic(kind: str) -> ElementCase:
    """Return that of an element without losses."""
    return ElementCase(model_of(kind), "beam_strain")


def placed(e: ElementCase, place: Place) -> Array:
    """Return the coordinates of an element whose points are where `place` says."""
    kind: Any = e.kinds[0]
    found: list[float] = []
    for x in (0.0, LENGTH):
        at = np.array([x, 0.0, 0.0], complex)
        for name in ("r", *kind.node):
            if name == "r":
                vector = place(at).real
            else:
                axis = np.eye(3)["xyz".index(name[1])]
                vector = place(at + 1j * STEP * axis).imag / STEP
            found += list(vector[: kind.blocks[0].size])
    return np.array(found)


def turned(angle: float) -> Array:
    """Return a rotation about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def at_rest(e: ElementCase, q: Array) -> State:
    zero = np.zeros(e.n_q)
    return State(0.0, q, zero, zero, np.zeros(e.n_lam))


def potential(e: ElementCase, q: Array) -> float:
    return float(e.energies(at_rest(e, q)).real[1, 0])


def bent(e: ElementCase) -> Array:
    """Return a shape far from straight, with all strains."""

    def place(x: Array) -> Array:
        u, y, z = x
        return np.array(
            [u + 0.2 * u**2 - 0.7 * u * y, y + 0.8 * u**3 + 0.1 * u * y + 0.2 * z * u, z - 0.4 * u]
        )

    rotation = turned(0.9)
    return placed(e, lambda x: rotation @ place(x) + np.array([0.3, -0.2, 0.0]))


@each
def test_matrix_is_exact(kind: str) -> None:
    e, rng = strain(kind), np.random.default_rng(1)
    s = e.random_state(rng)
    s.q[:] = bent(e)[:, None]
    check_derivatives(e, s)


@each
def test_force_is_the_gradient_of_the_energy(kind: str) -> None:
    e = elastic(kind)
    s = at_rest(e, bent(e))
    gradient = e.energies(s.moved(q=np.eye(e.n_q)))[1].imag / STEP
    assert np.abs(gradient).max() > 0.1
    close(e.residual(s).real[:, 0], gradient, "force")


@each
def test_rigid_motion_has_no_force(kind: str) -> None:
    """Neither elastic nor viscous, wherever it is and however it moves."""
    e = strain(kind)
    for angle in (0.4, 2.0, 3.1):
        rotation = turned(angle)
        spin = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
        q = placed(e, lambda x, a=rotation: a @ x + np.array([2.0, -1.0, 0.0]))
        v = placed(e, lambda x, a=rotation, w=spin: 3 * w @ a @ x + np.array([0.5, 0.7, 0.0]))
        s = State(0.0, q, v, np.zeros(e.n_q), np.zeros(e.n_lam))
        stiff = np.abs(e.matrix(s, (1, 0, 0))).max()
        assert np.abs(e.residual(s)).max() < 1e-12 * stiff
        kinetic, energy, power = e.energies(s).real[:, 0]
        assert kinetic == 0
        assert abs(energy) < 1e-12 * stiff
        assert abs(power) < 1e-12 * stiff


@each
def test_what_is_seen_from_elsewhere_is_the_same(kind: str) -> None:
    e = strain(kind)
    rotation, q = turned(1.1), bent(e)
    size = e.kinds[0].blocks[0].size
    turn = np.kron(np.eye(e.n_q // size), rotation[:size, :size])
    v = np.random.default_rng(2).uniform(-1, 1, e.n_q)
    zero, none = np.zeros(e.n_q), np.zeros(e.n_lam)
    moved = turn @ q + placed(e, lambda x: np.array([5.0, -3.0, 0.0]) + 0 * x)
    here, there = State(0.0, q, v, zero, none), State(0.0, moved, turn @ v, zero, none)
    close(e.residual(there).real[:, 0], turn @ e.residual(here).real[:, 0], "force", 1e-11)
    close(e.energies(there).real, e.energies(here).real, "energies", 1e-11)


@each
def test_stretch(kind: str) -> None:
    """U = EA eps^2 l/2 for every measure of a small strain, where sections stay as they are."""
    e, eps = elastic(kind), 1e-6
    q = placed(e, lambda x: np.array([(1 + eps) * x[0], x[1], x[2]]))
    expected = YOUNG * AREA * eps**2 * LENGTH / 2
    assert potential(e, q) == pytest.approx(expected, rel=1e-5)


@each
def test_constant_curvature(kind: str) -> None:
    """U = EI kappa^2 l/2 if sections stay normal: every element can do that without Poisson."""
    e, kappa = elastic(kind), 1e-4

    def place(x: Array) -> Array:
        return np.array([x[0] - kappa * x[0] * x[1], x[1] + kappa * x[0] ** 2 / 2, x[2]])

    expected = YOUNG * IZ * kappa**2 * LENGTH / 2
    assert potential(e, placed(e, place)) == pytest.approx(expected, rel=1e-4)


@each
def test_inertia_of_rigid_motions(kind: str) -> None:
    e = ElementCase(model_of(kind), "beam")
    mass = DENSITY * AREA * LENGTH
    q = placed(e, lambda x: x)
    for v, expected in (
        (lambda x: np.array([0.3, -0.4, 0.0]) + 0 * x, mass * 0.25 / 2),
        (lambda x: np.array([-x[1], x[0], 0 * x[0]]), mass * LENGTH**2 / 6),
    ):
        s = State(0.0, q, placed(e, v), np.zeros(e.n_q), np.zeros(e.n_lam))
        of_sections = DENSITY * IZ * LENGTH / 2 if "ry" in e.kinds[0].node else 0.0
        extra = of_sections if expected != mass * 0.25 / 2 else 0.0
        assert e.energies(s).real[0, 0] == pytest.approx(expected + extra, rel=1e-12)

"""Elements of beams in space: exact derivatives, rigid motion, one motion seen from elsewhere."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, material, rectangle
from mbdgen.language.registry import beam_kinds
from tests.unit.kernels.element import Array, ElementCase, State, check_derivatives, close

KINDS = tuple(k for k, kind in sorted(beam_kinds().items()) if not kind.planar)
STEEL = {"young": 2e5, "density": 900.0, "poisson": 0.3}
HEAVY = ("dufva-3d", "exact-3d", "yakoub", "yakoub-relaxed")
each = pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=[pytest.mark.slow] * (k in HEAVY)) for k in KINDS]
)


def element(kind: str, part: str = "strain", **law: Any) -> ElementCase:
    m = Model("one", gravity=(0.3, -9.8, 0.5))
    m.beam(
        "rod", [(0.2, -0.1, 0.3), (0.8, 0.4, 0.5)], rectangle(0.1, 0.1), material(**STEEL, **law),
        elements=1, kind=kind, across=(0, 0, 1),
    )  # fmt: skip
    return ElementCase(m, f"rod_{part}" if part else "rod")


def bent(e: ElementCase, size: float = 0.1) -> State:
    """The initial state, with every vector of the nodes moved."""
    rng = np.random.default_rng(7)
    s = e.initial_state(rng)
    return (
        s.moved()
        if size == 0
        else State(0.0, s.q.real[:, 0] + size * rng.normal(size=e.n_q), s.v, s.a, s.lam)
    )


def turned(e: ElementCase, x: Array, rotation: Array) -> Array:
    return np.concatenate([rotation @ part for part in x.reshape(-1, 3)])


def rotation() -> Array:
    q, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@pytest.mark.representatives(id="law0-cable")
@each
@pytest.mark.parametrize("law", [{}, {"damping": 0.02, "shear_damping": 0.01}])
def test_derivatives(kind: str, law: dict[str, float]) -> None:
    e = element(kind, **law)
    check_derivatives(e, bent(e))
    inertia = element(kind, "")
    check_derivatives(inertia, bent(inertia))


@each
def test_the_force_is_the_slope_of_the_energy(kind: str) -> None:
    e = element(kind)
    s = bent(e)
    slope = e.energies(s.moved(q=np.eye(e.n_q)))[1].imag / 1e-30
    close(e.residual(s).real[:, 0], slope, "dU/dq")


@pytest.mark.representatives(id="cable")
@each
def test_rigid_motion_has_neither_energy_nor_force(kind: str) -> None:
    """To 1e-12 of what a strain of one half has."""
    e = element(kind, damping=0.02, shear_damping=0.01)
    s = bent(e, 0)
    scale = abs(e.residual(bent(e, 0.5)).real).max()
    q = turned(e, s.q.real[:, 0], rotation())
    q[:3] += (3.0, -2.0, 5.0)
    half = len(q) // 2
    q[half : half + 3] += (3.0, -2.0, 5.0)
    spin = np.array([0.4, -0.3, 0.9])
    v = np.concatenate([np.cross(spin, x) for x in q.reshape(-1, 3)])
    moved = State(0.0, q, v, s.a[:, 0], s.lam[:, 0])
    assert abs(e.residual(moved).real).max() < 1e-12 * scale
    assert abs(e.energies(moved).real[1:]).max() < 1e-12 * scale


@each
def test_forces_turn_with_the_element(kind: str) -> None:
    e = element(kind, damping=0.02, shear_damping=0.01)
    s, turn = bent(e), rotation()
    q, v = (turned(e, x.real[:, 0], turn) for x in (s.q, s.v))
    there = State(0.0, q, v, s.a[:, 0], s.lam[:, 0])
    close(e.residual(there).real[:, 0], turned(e, e.residual(s).real[:, 0], turn), "force", 1e-12)
    close(e.energies(there).real, e.energies(s).real, "energies", 1e-12)


@pytest.mark.parametrize("kind", ["yakoub", "dufva-3d", "exact-3d", "cable"])
def test_triad_of_a_section(kind: str) -> None:
    """Right-handed and orthonormal; y along its slope, and x along the line only without shear."""
    m = Model("one")
    rod = m.beam(
        "rod", [(0, 0, 0), (0.7, 0, 0)], rectangle(0.1, 0.1), material(**STEEL),
        elements=1, kind=kind, across=(0, 1, 0),
    )  # fmt: skip
    for k, axis in enumerate((rod.end.e1, rod.end.e2, rod.end.e3), 1):
        m.output(f"axis{k}", axis)
    e = ElementCase(m, "axis1")
    s = bent(e, 0.2)
    axes = np.array([ElementCase(m, f"axis{k}").values("outputs", s).real[:, 0] for k in (1, 2, 3)])
    close(axes @ axes.T, np.eye(3), "orthonormal", 1e-14)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    count = len(e.kinds[0].node)
    slopes = dict(zip(e.kinds[0].node, s.q.real[:, 0].reshape(-1, 3)[-count:], strict=True))
    if kind == "cable":
        close(axes[0], slopes["rx"] / np.linalg.norm(slopes["rx"]), "tangent", 1e-14)
        assert axes[2] @ (0, 1, 0) == pytest.approx(0, abs=1e-14)  # the rule of its second axis
        return
    close(axes[1], slopes["ry"] / np.linalg.norm(slopes["ry"]), "second axis", 1e-14)
    assert axes[0] @ slopes["rz"] == pytest.approx(0, abs=1e-14)
    if kind != "exact-3d":
        assert np.linalg.norm(np.cross(axes[0], slopes["rx"])) > 1e-2  # sheared

"""The translational spring, damper and actuator on every pair of body kinds."""

import numpy as np
import pytest

from tests.unit.kernels.element import Array, ElementCase, State, close
from tests.unit.kernels.loads import (
    check_force,
    check_gradient,
    matrix_of,
    pairs,
    point,
    point_jacobian,
)
from tests.unit.kernels.scenes import ENDS, USUAL_PAIRS, scene


@pytest.mark.representatives(
    id=["ground-planar-normal", "quaternion-ground-normal", "planar-natural-normal"]
)
@pytest.mark.parametrize(("kinds", "axis"), pairs(axes=False))
def test_spring(kinds: tuple[str, str], axis: str) -> None:
    model, first, second = scene(kinds, axis)
    stiffness = model.parameter("stiffness", 31.0)
    model.spring("spring", first, second, stiffness=stiffness, damping=1.3, force=2.0)
    e = ElementCase(model, "spring")
    check_force(e)
    s = e.proper_state(np.random.default_rng(2))
    if {*kinds} <= {*ENDS}:
        check_tension(e, s, stiffness=31.0, damping=1.3, force=2.0)


@pytest.mark.slow
def test_spring_with_a_law_of_elongation_and_speed() -> None:
    """Its exact tangents, and the tension that the law asks for."""
    model, first, second = scene(("quaternion", "planar"), "normal")
    strength = model.parameter("strength", 5.0)
    model.spring("spring", first, second, law=lambda x, v: strength * x**3 + 0.7 * x * v)
    e = ElementCase(model, "spring")
    check_force(e)
    s = e.proper_state(np.random.default_rng(2))
    (r_a, v_a), (r_b, v_b) = (point(e, s, k) for k in range(2))
    length = np.linalg.norm(r_b - r_a)
    u, x = (r_b - r_a) / length, length - e.numbers["length"]
    tension = 5.0 * x**3 + 0.7 * x * (u @ (v_b - v_a))
    close(-e.residual(s).real[:3, 0], tension * u, "force on the first body")


@pytest.mark.representatives("kinds", kinds=USUAL_PAIRS)
@pytest.mark.parametrize(("kinds", "axis"), pairs(axes=False))
def test_spring_without_damper_is_conservative(kinds: tuple[str, str], axis: str) -> None:
    model, first, second = scene(kinds, axis)
    model.spring("spring", first, second, stiffness=31.0, length=0.4)
    e = ElementCase(model, "spring")
    check_gradient(e)
    assert not e.energies(e.random_state(np.random.default_rng(1)))[2].any()


def check_tension(e: ElementCase, s: State, stiffness: float, damping: float, force: float) -> None:
    """Force rows against k (l - l0) + c dl/dt + f along the line of the two points."""
    (r_a, v_a), (r_b, v_b) = (point(e, s, k) for k in range(2))
    line = r_b - r_a
    length = np.linalg.norm(line)
    u = line / length
    tension = stiffness * (length - e.numbers["length"]) + damping * u @ (v_b - v_a) + force
    applied, row = -e.residual(s).real[:, 0], 0
    for kind, end in zip(e.kinds, _moving_ends(e), strict=True):
        pull = tension * u * (1 if end == 0 else -1)
        if kind.name == "natural":
            total = applied[row : row + 2] + applied[row + 2 : row + 4]
            close(total, pull[:2], "total force on a natural body")
        else:
            size = 2 if kind.planar else 3
            close(applied[row : row + size], pull[:size], "force")
        if kind.name in ("planar", "quaternion"):
            arm = (r_a, r_b)[end] - np.append(s.q[row : row + 3].real[:, 0], 0)[:3]
            if kind.planar:
                arm[2] = 0
                moment = np.cross(arm, pull)[2:]
                close(applied[row + 2 : row + 3], moment, "moment")
            else:
                rotation = matrix_of(s.q[row + 3 : row + 7].real[:, 0])
                close(applied[row + 3 : row + 6], rotation.T @ np.cross(arm, pull), "moment")
        row += kind.n_q


def _moving_ends(e: ElementCase) -> list[int]:
    return [k for k, f in enumerate(e.spec.frames[:2]) if f.body >= 0]


@pytest.mark.slow
def test_spring_tangents_of_the_textbook() -> None:
    """Force rows of K and C from closed formulas for two quaternion bodies.

    f = -k (L - l0) u - c (u.vel) u on the second body, with du = (I - u u^T)/L dl.
    """
    model, first, second = scene(("quaternion", "quaternion"))
    k, c, free = 31.0, 1.3, 0.4
    model.spring("spring", first, second, stiffness=k, damping=c, length=free)
    e = ElementCase(model, "spring")
    s = e.proper_state(np.random.default_rng(4))
    q, v = s.q.real[:, 0], s.v.real[:, 0]
    (r_a, v_a), (r_b, v_b) = (point(e, s, end) for end in range(2))
    line, vel = r_b - r_a, v_b - v_a
    length = np.linalg.norm(line)
    u = line / length
    b = (np.eye(3) - np.outer(u, u)) / length
    arms = [[e.numbers[f"s_{f.label}_{x}"] for x in "xyz"] for f in e.spec.frames]

    def wide(q_or_v: Array, unit: float) -> Array:
        eye = unit * np.eye(3)
        s_a, s_b = point_jacobian(q_or_v[3:7], arms[0]), point_jacobian(q_or_v[10:14], arms[1])
        return np.hstack([-eye, -s_a, eye, s_b])

    j_l, j_v = wide(q, 1.0), wide(v, 0.0)
    by_q = -k * ((1 - free / length) * np.eye(3) + free * np.outer(u, u) / length) @ j_l
    by_q -= c * ((u @ vel) * np.eye(3) + np.outer(u, vel)) @ b @ j_l + c * np.outer(u, u) @ j_v
    by_v = -c * np.outer(u, u) @ j_l
    for weights, expected in (((1, 0, 0), by_q), ((0, 1, 0), by_v)):
        found = e.matrix(s, weights)
        close(found[7:10], -expected, "tangent of the force on the second body", 1e-11)
        close(found[0:3], expected, "tangent of the force on the first body", 1e-11)

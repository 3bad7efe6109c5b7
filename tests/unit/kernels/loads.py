"""Checks that every force law has to pass, and rigid-body kinematics written independently."""

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.element import (
    STEP,
    Array,
    ElementCase,
    State,
    body_map,
    check_derivatives,
    close,
)
from tests.unit.kernels.scenes import PAIRS, POINTS, in_plane


def check_force(e: ElementCase, seed: int = 5) -> None:
    """Tangents, and power: Q.u = P - dV/dt with the energies that the element states."""
    rng = np.random.default_rng(seed)
    check_derivatives(e, e.random_state(rng))
    if not e.has_known_twist:
        return
    s = e.proper_state(rng)
    applied = -e.residual(s).real[e.dynamics, 0]
    rate = e.energies(s.moved(t=1, q=s.v, v=s.a)).imag[1, 0] / STEP
    power = e.energies(s).real[2, 0] - rate
    close(np.array(applied @ e.twist(s)), np.array(power), "power", 1e-11)


def check_gradient(e: ElementCase) -> None:
    """Loads at rest are minus the gradient of the potential."""
    if not e.has_known_twist:
        return
    s = e.proper_state(np.random.default_rng(8))
    s.v[:] = 0
    gradient = e.energies(s.moved(q=np.eye(e.n_q))).imag[1] / STEP
    applied = -e.residual(s).real[e.dynamics, 0]
    close(applied, -e.rates_from_twist(s.q).T @ gradient, "gradient", 1e-11)


def pairs(*, axes: bool) -> list[Any]:
    found = []
    for kinds in PAIRS:
        if axes and {*kinds} & {*POINTS}:
            continue
        variants = ("normal", "in plane") if axes and in_plane(kinds) else ("normal",)
        found += [pytest.param(kinds, axis, id="-".join((*kinds, axis))) for axis in variants]
    return found


def matrix_of(q: Array) -> Array:
    q0, v = q[0], q[1:]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (q0**2 - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * q0 * skew


def point(e: ElementCase, s: State, end: int) -> tuple[Array, Array]:
    """Position and velocity of an end, by rigid-body kinematics written here."""
    frame = e.spec.frames[end]
    local = np.array([e.numbers[f"s_{frame.label}_{c}"] for c in "xyz"])
    if frame.body < 0:
        return local, np.zeros(3)
    first = sum(k.n_q for k in e.kinds[: frame.body])
    kind = e.kinds[frame.body]
    q, v = (x.real[first : first + kind.n_q, 0] for x in (s.q, s.v))
    if kind.name == "point":
        return q, v
    if kind.name == "quaternion":
        arm = matrix_of(q[3:]) @ local
        omega = matrix_of(q[3:]) @ (2 * body_map(q[3:]) @ v[3:])
        return q[:3] + arm, v[:3] + np.cross(omega, arm)
    if kind.name == "planar":
        angle, rate, r, speed = q[2], v[2], q[:2], v[:2]
    else:
        line, change = q[2:] - q[:2], v[2:] - v[:2]
        angle = np.arctan2(line[1], line[0])
        rate = (line[0] * change[1] - line[1] * change[0]) / (line @ line)
        r, speed = q[:2], v[:2]
    c, sn = np.cos(angle), np.sin(angle)
    arm = np.array([c * local[0] - sn * local[1], sn * local[0] + c * local[1], 0])
    flat = np.append(speed, 0) + np.cross([0, 0, rate], arm)
    return np.append(r, 0) + arm + [0, 0, local[2]], flat


def point_jacobian(q: Array, local: Any) -> Array:
    """S(q, s) = d(R(q) s)/dq, linear in q."""
    q0, e, s = q[0], q[1:], np.asarray(local)
    skew = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    by_scalar = 2 * (q0 * s + np.cross(e, s))
    by_vector = 2 * ((e @ s) * np.eye(3) + np.outer(e, s) - np.outer(s, e) - q0 * skew)
    return np.column_stack([by_scalar, by_vector])

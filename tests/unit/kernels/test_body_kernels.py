"""Every body kind: mass, gyroscopic terms, energy, norms and its own constraints."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model
from mbdgen.language.registry import body_kinds
from tests.unit.kernels.element import (
    STEP,
    Array,
    ElementCase,
    body_map,
    check_derivatives,
    check_reactions,
    close,
    has_known_twist,
)
from tests.unit.kernels.scenes import KINDS, STUDIED, make_body

GRAVITY = (0.3, -9.81, 0.5)


def model_of(kind: str, principal: bool = False) -> Model:
    model = Model("one", gravity=GRAVITY)
    if principal:
        model.body("rod", 1.3, (0.5, 0.4, 0.3), coordinates=kind)
    else:
        make_body(model, "rod", kind, np.random.default_rng(3))
    return model


@cache
def body(kind: str, principal: bool = False) -> ElementCase:
    return ElementCase(model_of(kind, principal), "rod")


CASES = {kind: (kind, False) for kind in KINDS} | {"quaternion principal": ("quaternion", True)}
TWIST = [
    name for name, case in CASES.items() if has_known_twist(model_of(*case).bodies["rod"].kind)
]
each = pytest.mark.parametrize("e", CASES, indirect=True)
each_with_twist = pytest.mark.parametrize("e", TWIST, indirect=True)


@pytest.fixture
def e(request: pytest.FixtureRequest) -> ElementCase:
    """The derived kernels of one kind."""
    return body(*CASES[request.param])


def test_studied_kinds_exist() -> None:
    assert set(STUDIED) <= set(body_kinds())
    assert {"quaternion principal", *STUDIED} <= {*TWIST}


@each
def test_derivatives(e: ElementCase) -> None:
    check_derivatives(e, e.random_state(np.random.default_rng(1)))


@each_with_twist
def test_reactions_of_its_own_constraints(e: ElementCase) -> None:
    check_reactions(e, e.proper_state(np.random.default_rng(2)))


@each_with_twist
def test_power_of_inertia_is_the_rate_of_the_energy(e: ElementCase) -> None:
    s = e.proper_state(np.random.default_rng(3))
    s.lam[:] = 0
    power = float(e.residual(s).real[e.dynamics, 0] @ e.twist(s))
    kinetic, potential, work = e.energies(s.moved(t=1, q=s.v, v=s.a))[:, 0]
    close(np.array(power), np.array((kinetic.imag + potential.imag) / STEP), "dE/dt", 1e-12)
    assert work == 0


@each_with_twist
def test_mass_is_the_second_derivative_of_the_kinetic_energy(e: ElementCase) -> None:
    s = e.proper_state(np.random.default_rng(4))
    mass = e.matrix(s, (0, 0, 1))[np.ix_(e.dynamics, range(e.n_q))]
    # u = B v, so that B^T (dr/da) is the Hessian; the energy is quadratic, so this is exact.
    b = np.linalg.pinv(e.rates_from_twist(s.q))
    size = e.n_q
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            moves = [np.eye(size)[i] + np.eye(size)[j], np.eye(size)[i], np.eye(size)[j]]
            both, one, two = (kinetic(e, s, v) for v in moves)
            hessian[i, j] = both - one - two
    close(b.T @ mass, hessian, "mass")
    assert np.linalg.eigvalsh(hessian).min() > -1e-12


def kinetic(e: ElementCase, s: Any, v: Array) -> float:
    s.v = v[:, None].astype(complex)
    return float(e.energies(s).real[0, 0])


@each_with_twist
def test_weight(e: ElementCase) -> None:
    """At rest the rows are the weight, and m g h is the potential energy."""
    s = e.proper_state(np.random.default_rng(5))
    for x in (s.v, s.a, s.lam):
        x[:] = 0
    by_gravity = -e.residual(s).real[e.dynamics, 0]
    potential = e.energies(s.moved(q=np.eye(e.n_q)))[1].imag / STEP
    close(by_gravity, -e.rates_from_twist(s.q).T @ potential, "weight")
    if e.kinds[0].name not in STUDIED:
        return
    if e.kinds[0].planar:
        total = np.array([by_gravity[0:4:2].sum(), by_gravity[1:4:2].sum()])
        wanted = 1.3 * np.array(GRAVITY[:2])
        if e.kinds[0].name == "natural":
            close(total, wanted, "total weight")
    else:
        close(by_gravity[:3], (1.3 if len(by_gravity) > 3 else 0.8) * np.array(GRAVITY), "weight")


@pytest.mark.parametrize("principal", [False, True])
def test_newton_euler(principal: bool) -> None:
    e = body("quaternion", principal)
    s = e.proper_state(np.random.default_rng(6))
    q, v, a = (x.real[:, 0] for x in (s.q, s.v, s.a))
    tensor = np.array([[0.5, 0.03, -0.02], [0.03, 0.4, 0.05], [-0.02, 0.05, 0.3]])
    if principal:
        tensor = np.diag([0.5, 0.4, 0.3])
    omega, alpha = (2 * body_map(q[3:]) @ x[3:] for x in (v, a))
    moments = tensor @ alpha + np.cross(omega, tensor @ omega)
    expected = np.concatenate([1.3 * (a[:3] - GRAVITY), moments])
    close(e.residual(s).real[:6, 0], expected, "Newton and Euler")
    energy = 0.65 * v[:3] @ v[:3] + 0.5 * omega @ tensor @ omega
    close(e.energies(s).real[0], np.array([energy]), "kinetic energy")


def test_inertia_about_another_point_is_moved_to_the_centre_of_mass() -> None:
    model = Model("one")
    com, about_com = np.array([0.2, -0.1, 0.15]), np.diag([0.5, 0.4, 0.3])
    steiner = 1.3 * (com @ com * np.eye(3) - np.outer(com, com))
    model.body(
        "rod", 1.3, (about_com + steiner).tolist(), centre_of_mass=com, inertia_about=(0, 0, 0)
    )
    numbers = ElementCase(model, "rod").numbers
    found = [numbers[f"I_{k}_a"] for k in ("11", "22", "33")]
    close(np.array(found), np.diag(about_com), "inertia", 1e-14)


@pytest.mark.parametrize("kind", ["planar", "natural"])
def test_planar_rigid_body(kind: str) -> None:
    """Kinetic energy of a rigid motion, from textbook terms."""
    e = body(kind)
    rate, speed, angle = 1.7, np.array([0.4, -0.9]), 0.6
    c, sn = np.cos(angle), np.sin(angle)
    turned = np.array([[c, -sn], [sn, c]])
    com, length = turned @ [0.2, -0.1], 0.7

    def velocity(arm: Array) -> Array:
        return speed + rate * np.array([-arm[1], arm[0]])

    s = e.proper_state(np.random.default_rng(0))
    if kind == "planar":
        q, v = [0, 0, angle], [*velocity(com), rate]
    else:
        end = turned @ [length, 0]
        q, v = [0, 0, *end], [*speed, *velocity(end)]
    s.q[:, 0], s.v[:, 0] = q, v
    expected = 0.65 * velocity(com) @ velocity(com) + 0.2 * rate**2
    close(e.energies(s).real[0], np.array([expected]), "kinetic energy")
    if kind == "natural":
        phi = e.residual(s).real[4]
        close(phi, np.zeros(1), "length")


def test_norm_of_the_quaternion() -> None:
    e = body("quaternion")
    s = e.random_state(np.random.default_rng(1))
    q, v, a = (x.real[3:, 0] for x in (s.q, s.v, s.a))
    assert e.norms == [6]
    first, second = e.rates(s)
    close(e.residual(s).real[6], np.array([q @ q - 1]), "norm")
    close(first.real[6], np.array([2 * q @ v]), "rate of the norm")
    close(second.real[6], np.array([2 * (q @ a + v @ v)]), "second rate of the norm")

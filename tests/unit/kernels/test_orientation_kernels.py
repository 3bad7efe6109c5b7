"""Every orientation set: its matrix, what it states in short, singularities, initial values."""

from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.bodies.placing import _kinematics
from mbdgen.language.bodies.orientation import (
    EULER_SEQUENCES,
    Orientation,
    axis_angle,
    euler,
    quaternion,
)
from mbdgen.language.registry import body_kinds
from tests.unit.kernels.element import (
    STEP,
    ElementCase,
    State,
    check_derivatives,
    close,
    rotation_of,
    turning_map,
)
from tests.unit.kernels.scenes import SETS, make_body

ALL = sorted(k for k, kind in body_kinds().items() if hasattr(kind, "orientation"))
each = pytest.mark.parametrize("name", ALL)
THREE = [k for k in SETS if k != "direction-cosines"]


def some_numbers(kind: Any, seed: int = 1) -> Any:
    """Numbers of a random orientation, and its quaternion."""
    q = np.random.default_rng(seed).normal(size=4)
    q *= np.sign(q[0]) / np.linalg.norm(q)
    return np.array([float(x) for x in kind.orientation().initial(_orientation(q))]), q


def _orientation(q: Any) -> Orientation:
    return quaternion(*q)


def test_all_twelve_sequences_and_the_others_are_there() -> None:
    assert {f"euler-{s}" for s in EULER_SEQUENCES} <= set(ALL)
    assert len(EULER_SEQUENCES) == 12
    others = {"gibbs", "reduced-euler-rodrigues", "conformal", "rotation-vector"}
    assert others | {"direction-cosines"} <= set(ALL)


@each
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_numbers_of_an_orientation_give_it_back(name: str, seed: int) -> None:
    kind = body_kinds()[name]
    o, q = some_numbers(kind, seed)
    close(rotation_of(kind, o), np.array(_orientation(q).matrix(), float), "R(o)", 1e-13)


@pytest.mark.parametrize("sequence", EULER_SEQUENCES)
def test_euler_angles_are_those_of_the_language(sequence: str) -> None:
    angles = (0.4, 0.7, -1.1)
    found = rotation_of(body_kinds()[f"euler-{sequence}"], np.array(angles))
    close(found, np.array(euler(sequence, *angles).matrix(), float), "R", 1e-14)


@each
def test_short_form_of_the_rates_follows_from_the_matrix(name: str) -> None:
    """`tangent` is stated beside `rotation`; complex steps of the matrix know nothing of it."""
    kind = body_kinds()[name]
    o, _ = some_numbers(kind)
    symbols = sympy.symbols(kind.orientation.coordinates, real=True)
    stated = kind.orientation().tangent(symbols, lambda _, e: sympy.sympify(e))
    if not stated:
        assert name == "direction-cosines"
        return
    point = dict(zip(symbols, o, strict=True))
    columns = [[float(sympy.sympify(c).subs(point).evalf()) for c in v] for v in stated]
    close(np.array(columns).T @ turning_map(kind, o), np.eye(3), "B T", 1e-12)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("euler-zxz", lambda a, b, c: -np.sin(b)),
        ("euler-xyz", lambda a, b, c: np.cos(b)),
        ("reduced-euler-rodrigues", lambda *b: 2 / np.sqrt(4 - np.dot(b, b))),
        ("gibbs", lambda *c: 16 / (np.dot(c, c) + 4) ** 2),
        ("conformal", lambda *k: (16 / (np.dot(k, k) + 16)) ** 3),
        (
            "rotation-vector",
            lambda *r: (2 * np.sin(np.linalg.norm(r) / 2) / np.linalg.norm(r)) ** 2,
        ),
    ],
)
def test_determinants_are_the_published_ones(name: str, wanted: Any) -> None:
    o = np.array([0.3, 0.9, -0.5])
    found = 1 / np.linalg.det(turning_map(body_kinds()[name], o))
    assert found == pytest.approx(wanted(*o), rel=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-6, 1e-3, 0.5, 3.0, 6.0])
def test_rotation_vector_has_exact_derivatives_also_at_zero(size: float) -> None:
    """All entries of the matrix, which hold third derivatives of R, against complex steps."""
    model = Model("one")
    make_body(model, "rod", "rotation-vector", np.random.default_rng(3))
    e = ElementCase(model, "rod")
    s = e.random_state(np.random.default_rng(4))
    s.q[3:, 0] = size * np.array([2, -1, 2]) / 3
    check_derivatives(e, s)


def test_shadow_and_turn_the_other_way_are_the_same_orientation() -> None:
    for name in ("conformal", "rotation-vector"):
        kind = body_kinds()[name]
        o = np.array([2.0, 1.0, -2.5])
        other = [complex(x).real for x in kind.orientation().other(list(map(sympy.Float, o)))]
        close(rotation_of(kind, np.array(other)), rotation_of(kind, o), "R", 1e-13)
        assert np.linalg.norm(other) != pytest.approx(np.linalg.norm(o))


@pytest.mark.representatives(id=["direction-cosines", "euler-xyz", "euler-zxz"])
@pytest.mark.parametrize("name", SETS)
def test_initial_rates_are_those_of_the_angular_velocity(name: str) -> None:
    model = Model("one")
    body = make_body(model, "rod", name, np.random.default_rng(7))
    assert body.kind is not None
    q, v = (np.array([float(x) for x in part]) for part in body.kind.initial(body.motion))
    omega = np.array(body.motion.orientation.inverse_apply(body.motion.angular_velocity), float)
    moved = rotation_of(body.kind, q[3:] + 1j * STEP * v[3:])
    turning = rotation_of(body.kind, q[3:]).T @ (moved.imag / STEP)
    close(np.array([turning[2, 1], turning[0, 2], turning[1, 0]]), omega, "omega", 1e-12)


@pytest.mark.representatives(id=["gibbs", "reduced-euler-rodrigues"])
@pytest.mark.parametrize("name", SETS)
def test_initial_values_follow_parameters(name: str) -> None:
    model = Model("one", coordinates=name)
    angle, rate = model.parameter("angle", 0.6), model.parameter("rate", 2.0)
    turn = axis_angle((1, 2, 2), angle)
    body = model.body("rod", 1, (1, 1, 1), orientation=turn, angular_velocity=(0, rate, 0.0))
    fixed = Model("two", coordinates=name).body(
        "rod", 1, (1, 1, 1), orientation=axis_angle((1, 2, 2), 0.6), angular_velocity=(0, 2.0, 0)
    )
    assert body.kind is not None and fixed.kind is not None
    known = model.parameter_defaults
    for by_name, numbers in zip(
        body.kind.initial(body.motion), fixed.kind.initial(fixed.motion), strict=True
    ):
        found = [float(sympy.sympify(x).subs(known).evalf()) for x in by_name]
        np.testing.assert_allclose(found, [float(x) for x in numbers], atol=1e-12)


@pytest.mark.parametrize("name", ["euler-zxz", "gibbs", "reduced-euler-rodrigues"])
def test_a_base_stands_in_where_a_set_fails(name: str) -> None:
    """R_base R(home) is the orientation, and rates are finite."""
    turn = axis_angle((0, 0, 1), 0.3 if name.startswith("euler") else np.pi)
    model = Model("one", coordinates=name)
    body = model.body("rod", 1, (1, 1, 1), orientation=turn, angular_velocity=(1, 2, 3))
    kind = body.kind
    assert kind is not None
    base = np.array([float(x) for x in kind.columns(body.motion)[7:]]).reshape(3, 3).T
    q, v = (np.array(part, float) for part in kind.initial(body.motion))
    found = base @ rotation_of(kind, q[3:])
    close(found, np.array(turn.matrix(), float), "R", 1e-14)
    moved = base @ rotation_of(kind, q[3:] + 1j * STEP * v[3:])
    turning = found.T @ (moved.imag / STEP)
    rates = np.array([turning[2, 1], turning[0, 2], turning[1, 0]])
    close(found @ rates, np.array([1.0, 2.0, 3.0]), "omega", 1e-13)


def test_matrix_without_steps_is_that_of_the_placing() -> None:
    """What placing uses to invert rates is the same as what complex steps give."""
    for name in SETS:
        kind: Any = body_kinds()[name]
        o, _ = some_numbers(kind, 5)
        rows = np.array(_kinematics(kind.orientation)(*o)[1], float)
        close(np.linalg.inv(rows)[:, :3], turning_map(kind, o), name, 1e-11)


def test_rows_are_the_same_in_all_sets() -> None:
    """Rows are moments in body axes: a state of the same motion has the same residual."""
    found = []
    for name in ("quaternion", *SETS):
        model = Model("one", gravity=(0.3, -9.81, 0.5))
        make_body(model, "rod", name, np.random.default_rng(11))
        e = ElementCase(model, "rod")
        kind, body = e.kinds[0], e.bodies[0]
        q, v = (np.array([float(x) for x in part]) for part in kind.initial(body.motion))
        rest = e.residual(State(0.0, q, v, 0 * q, np.zeros(0))).real[:, 0]
        mass = e.matrix(State(0.0, q, v, 0 * q, np.zeros(0)), (0, 0, 1))
        t = e.rates_from_twist(q[:, None])
        u_dot = np.arange(1.0, 7.0)
        twist = e.twist(State(0.0, q, v, 0 * q, np.zeros(0)))
        found.append((mass[np.ix_(e.dynamics, range(e.n_q))] @ t @ u_dot, rest[:3], twist))
    for product, forces, twist in found[1:]:
        close(product, found[0][0], "M T", 1e-12)
        close(forces, found[0][1], "forces", 1e-12)
        close(twist, found[0][2], "twist", 1e-12)

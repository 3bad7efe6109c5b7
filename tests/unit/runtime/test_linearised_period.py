"""What a run says of the shortest period of its linearised motion, beside frequencies by hand."""

from math import inf, pi, sqrt

import numpy as np
import pytest

from mbdgen import Model, load, simulate

LENGTH, GRAVITY, MASS, INERTIA = 2.0, 9.81, 1.5, 0.5


def two_springs(stiff: float = 1e6) -> Model:
    """Two masses in a row on a line, held by a soft spring and joined by a stiff one."""
    model = Model("two_springs", gravity=(0, 0, 0))
    first = model.point_mass("first", 2.0, position=(1, 0, 0), velocity=(1, 0, 0))
    second = model.point_mass("second", 3.0, position=(2, 0, 0), velocity=(1, 0, 0))
    model.spring("soft", model.ground, first, stiffness=10.0, length=1.0)
    model.spring("stiff", first, second, stiffness=stiff, length=1.0)
    return model


def rod(angle: float) -> Model:
    """A body on a rod without mass: 0 hangs down, pi stands."""
    model = Model("rod", gravity=(0, -GRAVITY, 0))
    at = (LENGTH * np.sin(angle), -LENGTH * np.cos(angle), 0.0)
    bob = model.planar_body("bob", mass=MASS, inertia=INERTIA, position=at[:2])
    model.revolute("pin", model.ground, bob, at=(0, 0, 0), axis=(0, 0, 1))
    return model


def test_a_stiff_spring_that_nothing_excites_counts() -> None:
    result = simulate(load(two_springs()), (0.0, 0.01), "newmark", 1e-3)
    stiffness = np.array([[10.0 + 1e6, -1e6], [-1e6, 1e6]])
    squared = np.linalg.eigvals(np.diag([1 / 2.0, 1 / 3.0]) @ stiffness).max()
    accuracy = result.accuracy
    assert accuracy.linearised_period == pytest.approx(2 * pi / sqrt(squared), rel=1e-3)
    assert accuracy.shortest_period > 100 * accuracy.linearised_period


def test_steps_that_are_too_long_for_it_are_told() -> None:
    system = load(two_springs())
    long, short = (simulate(system, (0.0, 10 * h), "newmark", h).accuracy for h in (0.01, 1e-4))
    assert (
        "not resolved" in dict(long.rows)["step"] and "not resolved" not in dict(short.rows)["step"]
    )


@pytest.mark.parametrize("angle", [1e-3, pi - 1e-3], ids=["hanging", "standing"])
def test_a_pendulum_has_its_period_by_the_reaction(angle: float) -> None:
    """Gravity has no stiffness: that of the Lagrange multipliers swings it, or throws it over."""
    result = simulate(load(rod(angle)), (0.0, 0.01), "newmark", 1e-3)
    squared = MASS * GRAVITY * LENGTH / (INERTIA + MASS * LENGTH**2)
    assert result.accuracy.linearised_period == pytest.approx(2 * pi / sqrt(squared), rel=2e-3)


@pytest.mark.parametrize("method", ["rk4", "dop853", "generalized-alpha", "radau"])
def test_every_method_says_the_same(method: str) -> None:
    system = load("n_four_bar")
    found = [
        simulate(system, (0.0, 0.05), name, 1e-3).accuracy.linearised_period
        for name in ("newmark", method)
    ]
    assert found[1] == pytest.approx(found[0], rel=1e-3)


def test_a_large_system_is_solved_sparse() -> None:
    """A row of thirty masses and springs: the highest frequency of its tridiagonal matrix."""
    model = Model("row", gravity=(0, 0, 0))
    masses = [
        model.point_mass(f"m{k}", 1.0, position=(1.0 + k, 0, 0), velocity=(1.0, 0, 0))
        for k in range(30)
    ]
    for k, (left, right) in enumerate(zip([model.ground, *masses], masses, strict=False)):
        model.spring(f"s{k}", left, right, stiffness=400.0, length=1.0)
    stiffness = 400.0 * (2 * np.eye(30) - np.eye(30, k=1) - np.eye(30, k=-1))
    stiffness[-1, -1] = 400.0
    highest = sqrt(np.linalg.eigvalsh(stiffness).max())
    result = simulate(load(model), (0.0, 1e-3), "newmark", 1e-4)
    # Eigenvalues near the largest one are close together: the iteration ends just below it.
    assert result.accuracy.linearised_period == pytest.approx(2 * pi / highest, rel=0.02)


def test_nothing_pulls_back_on_a_free_point() -> None:
    model = Model("free", gravity=(0, -GRAVITY, 0))
    model.point_mass("ball", 1.0)
    assert simulate(load(model), (0.0, 0.1)).accuracy.linearised_period == inf

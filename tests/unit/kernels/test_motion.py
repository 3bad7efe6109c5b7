"""Every joint in motion, compiled: one module with a free pair of bodies for each joint.

The same module holds four published pairs (a body on a spherical joint to the ground, and a second
body joined to it) whose positions at t = 0.5 s are known.
"""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.runtime.system.system import System
from tests.unit.kernels.scenes import HOLONOMIC, JOINT_CLASSES, PAIRS, join, legal, make_body
from tests.unit.kernels.test_ranks import TABLE

# Positions of the two centres of mass at t = 0.5 s: Richardson extrapolation of a central
# difference scheme, agreed to 1e-9 by an index-1 formulation with Runge and Kutta's method.
PUBLISHED = {
    "revolute": ((-0.2397756, 0.0225555, -0.4381768), (-0.6968823, 0.2342107, -0.7606510)),
    "cylindrical": ((-0.2104386, 0.0463960, -0.4511796), (0.0030325, 1.8890637, -1.7513055)),
    "prismatic": ((-0.1942088, 0.0400959, -0.4589938), (0.0001786, 1.8877517, -1.7515495)),
    "planar": ((-0.3586656, 0.0389719, -0.3461794), (0.6103528, 1.7829052, -1.9722857)),
}


MOVING = tuple(name for name in TABLE if not name.endswith("driver"))
SOME = ("fixed", "universal", "point_on_line", "common_plane")
"""Of the default run; those of `PUBLISHED` are there too."""


def free_pairs(model: Model, names: tuple[str, ...], seed: int) -> None:
    """Two quaternion bodies for each joint; assembly makes their velocities consistent."""
    for name in names:
        rng = np.random.default_rng([seed, *map(ord, name)])
        bodies = [make_body(model, f"{name}_{k}", "quaternion", rng) for k in range(2)]
        join(model, name, name, bodies, rng)


def published_pairs(model: Model) -> None:
    moments = ((0.1, 0.2, 0.25), (0.2, 0.15, 0.3))
    places = (np.array([0.5, 0, 0]), np.array([1, 0.3, 0.1]))
    omega, point, axis = (1, 2, 3), (0.8, 0.1, 0), np.array([1, 2, 0.5])
    for name in PUBLISHED:
        bodies = [
            model.body(
                f"known_{name}_{k}",
                mass,
                moments[k],
                position=places[k],
                velocity=np.cross(omega, places[k]),
                angular_velocity=omega,
            )
            for k, mass in enumerate((1, 1.5))
        ]
        model.spherical(f"known_{name}_base", model.ground, bodies[0], at=(0, 0, 0))
        reference = np.cross(axis, (0, 0, 1))
        getattr(model, name)(f"known_{name}", *bodies, at=point, axis=axis, reference=reference)


@pytest.fixture(
    scope="module", params=[SOME, pytest.param(MOVING, marks=pytest.mark.slow)], ids=["some", "all"]
)
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    found: tuple[str, ...] = request.param
    return found


@pytest.fixture(scope="module")
def zoo(names: tuple[str, ...]) -> System:
    model = Model("zoo", gravity=(0, 0, -9.81))
    free_pairs(model, names, 1)
    published_pairs(model)
    return load(model, layout="loop")


@pytest.fixture(scope="module")
def results(zoo: System) -> dict[float, Any]:
    instants = np.linspace(0, 0.5, 26)
    return {
        h: simulate(zoo, (0, 0.5), h=h, t_eval=instants, progress=False) for h in (4e-3, 2e-3, 1e-3)
    }


@pytest.mark.slow
def test_degrees_of_freedom_add_up(names: tuple[str, ...], results: dict[float, Any]) -> None:
    free = sum(6 + TABLE[n][1] for n in names)
    free -= sum(4 for n in names if not JOINT_CLASSES[n].ends)  # what they measure: a cylindrical
    known = sum(3 + TABLE[n][1] for n in PUBLISHED)
    assert results[1e-3].info.dof == free + known
    assert results[1e-3].info.redundant == 0


@pytest.mark.slow
def test_all_levels_hold_for_every_joint(
    names: tuple[str, ...], zoo: System, results: dict[float, Any]
) -> None:
    result = results[1e-3]
    assert result.success, result.message
    worst: dict[str, float] = {}
    for t, q, v, a in zip(result.t, result.q, result.v, result.a, strict=True):
        phi = zoo.residual(t, q, v, a, np.zeros(zoo.n_lam))
        first, second = zoo.rates(t, q, v, a)
        for row in zoo.data.constraint_rows:
            owner = zoo.names.row_owners[row]
            found = max(abs(phi[row]), abs(first[row]) / 10, abs(second[row]) / 100)
            worst[owner] = max(worst.get(owner, 0.0), found)
    assert set(names) <= set(worst)
    for owner, value in worst.items():
        assert value < 1e-11, f"{owner}: {value}"


@pytest.mark.slow
def test_bodies_really_move(zoo: System, results: dict[float, Any]) -> None:
    moved = np.abs(results[1e-3].q[-1] - results[1e-3].q[0])
    for name, first in ((c, k) for k, c in enumerate(zoo.names.coordinates) if c.endswith(".x")):
        assert moved[first : first + 7].max() > 0.05, name


def test_energy(results: dict[float, Any]) -> None:
    drift = [results[h].counters.energy_drift for h in (4e-3, 2e-3, 1e-3)]
    assert drift[2] < 2e-4
    assert 3 < drift[0] / drift[1] < 5
    assert 3 < drift[1] / drift[2] < 5


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_positions(name: str, zoo: System, results: dict[float, Any]) -> None:
    """Second order: the error falls to a quarter, and extrapolation gives the published digits."""
    places = [zoo.names.coordinates.index(f"known_{name}_{k}.x") for k in range(2)]
    found = {h: np.concatenate([r.q[-1, p : p + 3] for p in places]) for h, r in results.items()}
    published = np.concatenate(PUBLISHED[name])
    errors = {h: np.abs(q - published).max() for h, q in found.items()}
    assert errors[1e-3] < 2e-5
    assert errors[4e-3] / errors[2e-3] == pytest.approx(4, abs=0.2)
    extrapolated = (4 * found[1e-3] - found[2e-3]) / 3
    np.testing.assert_allclose(extrapolated, published, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLONOMIC)
def test_every_pair_of_body_kinds(name: str) -> None:
    """The full product, one module for each joint: constraints hold and energy is balanced."""
    model = Model("product", gravity=(0.1, -9.81, 0))
    for kinds in PAIRS:
        if not legal(name, kinds):
            continue
        rng = np.random.default_rng([5, *map(ord, name + "".join(kinds))])
        label = "_".join(kinds).replace("-", "_")
        bodies = [make_body(model, f"{label}_{k}", kind, rng) for k, kind in enumerate(kinds)]
        join(model, name, f"joint_{label}", bodies, rng)
    system = load(model, layout="loop")
    result = simulate(system, (0, 0.2), h=1e-3, progress=False)
    assert result.success, result.message
    assert result.counters.max_phi < 1e-10
    assert result.counters.max_phi_dot < 1e-8
    assert result.counters.energy_drift < 1e-3

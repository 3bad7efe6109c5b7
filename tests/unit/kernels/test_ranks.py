"""Rank and relative degrees of freedom of every joint between two free spatial bodies."""

import numpy as np
import pytest

from mbdgen import Model
from tests.unit.kernels.element import ElementCase, State
from tests.unit.kernels.scenes import (
    HOLONOMIC,
    JOINT_CLASSES,
    JOINTS,
    VELOCITY,
    join,
    scene,
)

# Equations and relative degrees of freedom, as in textbooks; other joints state no row twice.
TABLE = {
    "common_point": (3, 3),
    "spherical": (3, 3),
    "revolute": (5, 1),
    "planar": (3, 3),
    "cylindrical": (4, 2),
    "prismatic": (5, 1),
    "universal": (4, 2),
    "fixed": (6, 0),
    "distance": (1, 5),
    "common_vector": (2, 4),
    "dot_product": (1, 5),
    "point_in_plane": (1, 5),
    "point_on_line": (2, 4),
    "rotation_driver": (1, 5),
    "translation_driver": (1, 5),
    "bar_angle": (1, 5),
    "relative_angle": (1, 5),
    "relative_translation": (1, 5),
    "minimum_distance": (1, 5),
    "common_plane": (3, 3),
    "screw": (5, 1),
    # With one number of their own, which one of the equations gives.
    "gear": (2, 5),
    "rack_and_pinion": (1, 5),
    "point_on_curve": (3, 4),
    "pin_in_slot": (2, 5),
    "cam_follower": (2, 5),
    "flat_follower": (2, 5),
}


# Equations of positions and of velocities: each takes one of six speeds, the former a position too.
ROLLING = {
    "rolling_disc": (1, 2),
    "rolling_sphere": (1, 2),
    "rolling_point": (0, 3),
    "knife_edge": (0, 1),
}


def test_tables_are_of_joints() -> None:
    assert set(TABLE) <= set(JOINTS)
    assert set(ROLLING) == set(VELOCITY)


def assembled(name: str, seed: int) -> tuple[ElementCase, State]:
    """Two bodies at any pose and the joint between them, closed at the start."""
    rng = np.random.default_rng(seed)
    model = Model("pair")
    bodies = []
    for label in ("one", "two"):
        q = rng.normal(size=4)
        turn = (q / np.linalg.norm(q)).tolist()
        position = rng.uniform(-1, 1, 3)
        bodies.append(model.body(label, 1, (1, 1, 1), position=position, orientation=turn))
    join(model, name, "joint", bodies, rng)
    e = ElementCase(model, "joint")
    return e, e.initial_state(rng)


@pytest.mark.representatives(id=["distance", "universal"])
@pytest.mark.parametrize(
    "name",
    # A thread takes twenty seconds, and is among the pairs of test_joints.
    [pytest.param(n, marks=pytest.mark.slow) if n == "screw" else n for n in HOLONOMIC],
)
def test_rank(name: str) -> None:
    for seed in range(5):
        e, s = assembled(name, seed)
        own = len(JOINT_CLASSES[name].auxiliary)
        equations, freedom = TABLE.get(name, (e.n_lam, 6 + own - e.n_lam))
        assert np.abs(e.residual(s)[e.phi]).max() < 1e-14  # closed
        matrix = e.matrix(s, (0, 0, 0))
        h = matrix[np.ix_(e.phi, range(e.n_q))]
        norms = np.zeros((2, e.n_q))
        norms[0, 3:7], norms[1, 10:14] = s.q.real[3:7, 0], s.q.real[10:14, 0]
        singular = np.linalg.svd(h @ e.rates_from_twist(s.q), compute_uv=False)
        assert e.n_lam == equations
        rank = int((singular > 1e-9).sum())
        assert rank == equations == 6 + own - freedom
        assert singular.min() > 1e-2  # well conditioned: lengths in m, axes of length 1
        assert np.linalg.matrix_rank(np.vstack([h, norms]), 1e-9) == rank + 2


@pytest.mark.representatives(id=["knife_edge-kinds0", "rolling_sphere-kinds0"])
@pytest.mark.parametrize("kinds", [("ground", "quaternion"), ("quaternion", "quaternion")])
@pytest.mark.parametrize("name", VELOCITY)
def test_rank_of_velocities(name: str, kinds: tuple[str, str]) -> None:
    """Fewer speeds are free than positions."""
    model, first, second = scene(kinds)
    model.add("joint", JOINT_CLASSES[name], first, second)
    e = ElementCase(model, "joint")
    s = e.closed_state(np.random.default_rng(3))
    of_positions, of_velocities = ROLLING[name]
    assert (e.n_lam - len(e.psi), len(e.psi)) == (of_positions, of_velocities)
    rows = e.matrix(s, (0, 0, 0))[:, : e.n_q] @ e.rates_from_twist(s.q)
    positions = [row for row in e.phi if row not in e.psi]
    assert np.linalg.matrix_rank(rows[e.phi], 1e-9) == of_positions + of_velocities
    assert np.linalg.matrix_rank(rows[positions], 1e-9) == of_positions


@pytest.mark.slow
def test_chains_of_joints_count_like_the_textbook() -> None:
    """Primitives add up: spherical + common_vector is a revolute, and so on."""
    rng = np.random.default_rng(0)
    model = Model("pair")
    one = model.body("one", 1, (1, 1, 1))
    two = model.body("two", 1, (1, 1, 1), position=(1, 0, 0), angle=0.4)
    at, axis = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    sums = {
        "revolute": ("spherical", "common_vector"),
        "cylindrical": ("point_on_line", "common_vector"),
        "planar": ("point_in_plane", "common_vector"),
    }
    for k, (joint, primitives) in enumerate(sums.items()):
        matrices = []
        for name in (joint, *primitives):
            label = f"{name}{k}"
            getattr(model, name)(label, one, two, at=at, axis=axis)
            e = ElementCase(model, label)
            s = e.initial_state(rng)
            matrices.append(e.matrix(s, (0, 0, 0))[np.ix_(e.phi, range(e.n_q))])
        stacked = np.vstack(matrices)
        size = len(matrices[0])
        assert np.linalg.matrix_rank(matrices[0], 1e-9) == size
        assert np.linalg.matrix_rank(stacked, 1e-9) == size

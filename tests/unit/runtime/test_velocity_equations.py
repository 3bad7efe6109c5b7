"""Joints that state equations of velocities: what is refused, and what rows they have."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.compiler import build
from mbdgen.errors import BuildError, ModelError, OptionError
from mbdgen.joints.base import Joint
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.system.equation_terms import terms
from mbdgen.runtime.system.system import System
from tests.unit.kernels.element import ElementCase, check_derivatives, check_power, check_reactions


@dataclass(frozen=True)
class Stated(Joint):
    """Keeps zero what a test wants."""

    name = "stated"
    which: str = "along"

    def equations(self, a: Any, b: Any) -> list[Any]:
        """State nothing, or a velocity where it does not belong."""
        return [b.v.dot(a.e1)] if self.which == "misplaced" else []

    def velocity_equations(self, a: Any, b: Any) -> list[Any]:
        """State what is asked for."""
        return {
            "along": [a.e1.dot(b.v)],
            "misplaced": [],
            "squared": [b.v.dot(b.v) - 1],
            "accelerated": [b.acceleration.dot(a.e1)],
            "one too few": b.v.dot(a.e1),
        }[self.which]


def case(which: str) -> ElementCase:
    m = Model("one")
    body = m.body("body", 1, (1, 1, 1))
    m.add("joint", Stated, m.ground.at(), body.at(0.1, 0.2, 0.3), which=which)
    return ElementCase(m, "joint")


@pytest.mark.parametrize(
    ("which", "message"),
    [
        ("squared", "joint.*velocity equation is not linear"),
        ("accelerated", "joint.*velocity equation depends on accelerations"),
        ("misplaced", "joint.*constraint depends on velocities"),
        ("one too few", "velocity_equations of .* returned"),
    ],
)
def test_what_cannot_be_an_equation_of_velocities(which: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        case(which)


def test_remedy_names_velocity_equations() -> None:
    with pytest.raises(ModelError) as raised:
        case("misplaced")
    assert "velocity_equations" in raised.value.remedy


def test_a_wheel_does_not_lie_flat() -> None:
    m = Model("flat")
    wheel = m.planar_body("wheel", 1, 1)
    m.rolling_disc("joint", m.ground, wheel, axis=(0, 0, 1), radius=0.3)
    with pytest.raises(ModelError, match=r"'joint'.*direction of a vector that is always zero"):
        ElementCase(m, "joint")


ENDS = {
    "rolling_disc": {"radius": 0.3, "rounding": 0.05},
    "rolling_disc sideways": {"radius": 0.3, "grip": "sideways"},
    "rolling_disc forward": {"radius": 0.3, "rounding": 0.05, "grip": "forward"},
    "rolling_disc none": {"radius": 0.3, "grip": "none"},
    "rolling_sphere": {"radius": 0.3},
    "knife_edge": {},
    "rolling_point": {},
}
# Equations, of which those of positions, that two free bodies have from each other.
RANKS = {
    "rolling_disc": (3, 1),
    "rolling_disc sideways": (2, 1),
    "rolling_disc forward": (2, 1),
    "rolling_disc none": (1, 1),
    "rolling_sphere": (3, 1),
    "knife_edge": (1, 0),
    "rolling_point": (3, 0),
}


@pytest.mark.representatives(id=["knife_edge", "rolling_point"])
@pytest.mark.parametrize("name", ENDS)
def test_ranks_and_derivatives(name: str) -> None:
    """On both levels, at any state of two bodies that move; reactions by virtual power."""
    m = Model("pair")
    rng = np.random.default_rng(3)
    turns = rng.normal(size=(2, 4))
    one, two = (
        m.body(f"body{k}", 1, (1, 2, 3), position=rng.uniform(-1, 1, 3), orientation=q.tolist())
        for k, q in enumerate(turns / np.linalg.norm(turns, axis=1)[:, None])
    )
    first = one.at(0.1, 0.2, 0.3, axis=(1, 2, 3))
    second = two.at(0.3, -0.1, 0.2, axis=(3, -1, 1))
    getattr(m, name.split()[0])("joint", first, second, **ENDS[name])
    e = ElementCase(m, "joint")
    check_derivatives(e, e.random_state(rng))
    s = e.proper_state(rng)
    check_reactions(e, s)
    check_power(e, s)
    twist = e.rates_from_twist(s.q)
    jacobian = e.matrix(s, (0, 0, 0))[:, : e.n_q] @ twist
    positions = [row for row in e.phi if row not in e.psi]
    assert (len(e.phi), len(positions)) == RANKS[name]
    assert np.linalg.matrix_rank(jacobian[e.phi], 1e-9) == len(e.phi)
    assert np.linalg.matrix_rank(jacobian[positions], 1e-9) == len(positions)


@pytest.fixture(scope="module")
def disc() -> System:
    return load("rolling_disc", layout="loop", second=True)


@pytest.mark.slow
def test_rows(disc: System) -> None:
    """Nothing in the residual; equations in the rates; the same directions as reactions."""
    state = assemble(disc)
    rows = disc.work.velocity_rows
    assert [disc.names.rows[k] for k in rows] == ["rolling: equation 1", "rolling: equation 2"]
    assert disc.position_rows.tolist() == [6, 7]
    v = state.v + 0.1
    assert not disc.residual(0.0, state.q, v, state.a, state.lam)[rows].any()
    found = terms(disc, 0.0, state.q, v)
    first, _ = disc.rates(0.0, state.q, v, state.a)
    np.testing.assert_allclose(found.H[2:] @ v, first[rows], atol=1e-13)
    np.testing.assert_allclose(found.G, found.H[1:] @ found.T, atol=1e-13)
    assert np.abs(first[rows]).max() > 0.01


def test_a_first_position_may_lie_anywhere(disc: System) -> None:
    """Assembly lifts the disc to the ground; rolling does not hold it."""
    lifted = disc.copy()
    lifted.q0[:3] += (0.3, -0.2, 0.1)
    state = assemble(lifted)
    assert np.abs(disc.residual(0.0, state.q, state.v, state.a, state.lam)[[6, 7]]).max() < 1e-12
    np.testing.assert_allclose(state.q[:2], lifted.q0[:2], atol=1e-12)
    assert diagnose(lifted, 0.0, state.q).dof == 3


@pytest.mark.parametrize("method", ["nullspace-newmark", "central-difference"])
def test_methods_that_close_positions_refuse(method: str, disc: System) -> None:
    with pytest.raises(OptionError, match=f"{method}.*'rolling' constrains velocities") as raised:
        simulate(disc, (0, 0.1), method=method, h=1e-3)
    assert "newmark" in raised.value.remedy


def test_central_differences_roll_with_a_formulation(disc: System) -> None:
    result = simulate(
        disc, (0, 0.2), method="central-difference", formulation="index1", h=1e-3, progress=False
    )
    assert result.success
    assert np.abs(result["slip"]).max() < 1e-6  # drifts, as index 1 does


def test_reduced_systems_refuse(tmp_path: Any) -> None:
    with pytest.raises(BuildError, match="cannot be reduced: 'rolling' constrains velocities"):
        build("rolling_disc", out=tmp_path, backend="c", layout="flat", reduced=True)


@pytest.mark.slow
def test_fused_kernels_roll() -> None:
    """C in straight lines, Newton's method included, against loops."""
    results = [
        simulate(load("rolling_disc", **options, push=0.5), (0, 1), h=2e-3, progress=False)
        for options in ({"backend": "c", "layout": "flat"}, {"layout": "loop"})
    ]
    assert results[0].counters.generic_steps == 0
    for name in ("contact", "axle", "reaction"):
        np.testing.assert_allclose(results[0][name], results[1][name], atol=2e-6)

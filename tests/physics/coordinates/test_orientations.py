"""A tumbling body in every orientation set: the same motion, and switches without a kink."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.monitors.orientation_chart import find, switch
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.equation_terms import terms
from mbdgen.runtime.system.run_workspace import new_state
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

SETS = (
    "euler-zxz",
    "euler-xyz",
    "gibbs",
    "reduced-euler-rodrigues",
    "conformal",
    "rotation-vector",
    "direction-cosines",
)


@cache
def top(kind: str) -> System:
    """A body on a spherical joint, tumbling fast enough to meet every singularity within 2 s."""
    m = Model(f"top_{kind.replace('-', '_')}", gravity=(0, 0, -9.81), coordinates=kind)
    body = m.body(
        "body",
        1.2,
        (0.3, 0.4, 0.2),
        position=(0.5, 0.1, 0.3),
        orientation=np.array((0.9, 0.3, 0.2, 0.1)) / np.sqrt(0.95),
        angular_velocity=(3, -5, 10),
    )
    m.spherical("pin", m.ground, body, at=(0, 0, 0))
    m.output("tip", body.at(0.1, 0.2, 0.3))
    m.output("w", body.angular_velocity)
    return load(m, backend=SOONEST, layout="loop", second=True)


@cache
def tumbling(kind: str, method: str) -> Result:
    return simulate(top(kind), (0, 1), method=method, h=1e-3, progress=False)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETS)
def test_same_motion_as_with_quaternions(kind: str) -> None:
    """Runge and Kutta's method: order 4, 1e-8 at this step [M: at most 2e-9 up to here]."""
    known, found = tumbling("quaternion", "rk4"), tumbling(kind, "rk4")
    assert found.success, found.message
    for name in ("tip", "w"):
        np.testing.assert_allclose(found[name], known[name], atol=2e-7)
    assert found.info.dof == known.info.dof == 3


@pytest.mark.slow
@pytest.mark.parametrize("method", ["newmark", "dimcd", "nullspace-newmark", "generalized-alpha"])
@pytest.mark.parametrize("kind", SETS)
def test_same_motion_by_other_methods(kind: str, method: str) -> None:
    """Order 2: 1e-3 at a step of 1e-3 s and 12 rad/s [M: 6e-4 over 3 s]."""
    found = tumbling(kind, method)
    assert found.success, found.message
    np.testing.assert_allclose(found["tip"], tumbling("quaternion", "rk4")["tip"], atol=1e-3)


@pytest.mark.representatives(kind="euler-zxz")
@pytest.mark.parametrize("kind", SETS)
def test_reactions_and_T(kind: str) -> None:
    """G = H T, as virtual work wants it; M T is symmetric."""
    system, result = top(kind), tumbling(kind, "rk4")
    k = 100
    found = terms(system, float(result.t[k]), result.q[k], result.v[k], lam=result.lam[k])
    joint = found.H[-system.n_lam :]
    np.testing.assert_allclose(found.G, joint @ found.T, atol=1e-12)
    square = found.M @ found.T
    np.testing.assert_allclose(square, square.T, atol=1e-12)


@pytest.mark.representatives(id="gibbs")
@pytest.mark.parametrize("kind", ["euler-xyz", "gibbs", "reduced-euler-rodrigues", "conformal"])
def test_a_switch_changes_numbers_only(kind: str) -> None:
    """Axes, angular velocities and accelerations, energies: all as before, to the last digits."""
    system = top(kind).copy()
    state = new_state(system.n_q, system.n_lam)
    result = tumbling(kind, "rk4")
    (attitude,) = find(system)
    k = 30  # before any run has switched
    for target, source in zip(
        (state.q, state.v, state.a, state.lam),
        (result.q, result.v, result.a, result.lam),
        strict=True,
    ):
        target[:] = source[k]
    before = _seen(system, state)
    q = state.q.copy()
    switch(system, attitude, state)
    assert np.abs(state.q - q)[3:].max() > 0.01
    for old, new in zip(before, _seen(system, state), strict=True):
        np.testing.assert_allclose(new, old, rtol=1e-11, atol=1e-11)


def _seen(system: System, state: Any) -> tuple[Any, ...]:
    t, q, v, a, lam = float(state.clock[0]), state.q, state.v, state.a, state.lam
    return (
        system.outputs(t, q, v, a, lam),
        system.energies(t, q, v, a, lam),
        system.residual(t, q, v, a, lam),
        system.rates(t, q, v, a)[1],
    )


@pytest.mark.representatives(kind="gibbs")
@pytest.mark.parametrize("kind", ["gibbs", "reduced-euler-rodrigues", "euler-xyz"])
def test_records_count_from_the_first_base(kind: str) -> None:
    """A system evaluates every record without knowing of switches."""
    system, result = top(kind), tumbling(kind, "rk4")
    assert result.switches and all(s.rebased for s in result.switches)
    assert result.measures["switches"] == len(result.switches)
    seen = 0
    for k in range(0, len(result.t), 50):
        state = result.q[k], result.v[k], result.a[k], result.lam[k]
        if not np.isfinite(result.q[k]).all():
            continue
        seen += 1
        outputs = system.outputs(float(result.t[k]), *state)
        np.testing.assert_allclose(outputs, result.outputs[k], rtol=1e-7, atol=1e-7)
    assert seen > 15


@pytest.mark.slow
def test_other_numbers_are_recorded_and_not_interpolated() -> None:
    result = simulate(top("conformal"), (0, 3), method="rk4", h=1e-3, progress=False)
    assert result.switches and not any(s.rebased for s in result.switches)
    switch_ = result.switches[0]
    between = result.at(switch_.t + 0.5e-3)
    assert np.isnan(between.q[switch_.first : switch_.last]).all()
    assert np.isfinite(between.q[: switch_.first]).all()
    assert np.isfinite(result.at(switch_.t + 2.5e-3).q).all()


def test_runs_begin_with_the_first_base() -> None:
    """Two runs of one system are the same; a checkpoint goes on from the base it has reached."""
    system = top("gibbs")
    first = tumbling("gibbs", "rk4")
    again = simulate(system, (0, 1), method="rk4", h=1e-3, progress=False)
    assert (again.outputs == first.outputs).all()
    half = simulate(system, (0, 0.5), method="rk4", h=1e-3, progress=False)
    rest = simulate(system, (0.5, 1), method="rk4", h=1e-3, progress=False, start=half.checkpoint())
    np.testing.assert_allclose(rest.outputs[-1], first.outputs[-1], atol=1e-7)


def test_stops_where_numbers_fail() -> None:
    result = simulate(top("gibbs"), (0, 3), method="rk4", h=1e-3, rebase=False, progress=False)
    assert not result.success
    for part in ("'body'", "'gibbs'", "t = 0.4", "rebase", "quaternion"):
        assert part in result.message


def test_rebase_is_a_truth_value() -> None:
    with pytest.raises(OptionError, match="rebase = 'no'"):
        simulate(top("gibbs"), (0, 1), rebase="no", progress=False)  # type: ignore[arg-type]

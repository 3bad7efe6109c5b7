"""Mechanisms solved group by group against closed solutions, references and the whole mechanism."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from mbdgen import kinematics, load, simulate
from mbdgen.errors import AssemblyError, OptionError
from mbdgen.grouping.group_loading import load_groups
from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups
from mbdgen.runtime.groups.grouped_system import GroupedSystem
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from tests.mechanisms import four_bar

SPEED, TURN = 24.0, np.pi / 6
TABLE = {1: (19, 16), 9: (99, 88), 18: (189, 169), 36: (369, 331), 72: (729, 655),
         144: (1449, 1303), 288: (2889, 2599), 400: (4009, 3607)}  # fmt: skip
"""Equations and coordinates by the number of dyads (Saura, Segado, Dopico, table 1)."""


@cache
def dyads(k: int) -> GroupedSystem:
    return load_groups("point_dyads", inputs=["turn.theta"], k=k)


def turning(grouped: GroupedSystem, count: int, by_groups: bool = True) -> np.ndarray:
    """Sliders at a constant speed of the crank, one analysis every 30 degrees."""
    theta = TURN * np.arange(count)
    still, speed = np.zeros(count), np.full(count, SPEED)
    last = sum(
        name.startswith("C") and name.endswith(".x") for name in grouped.system.names.coordinates
    )
    names = ["C0.x", f"C{last - 1}.x", "C0.y", "C0.z"]
    return grouped.analyses(theta / SPEED, theta, speed, still, names, by_groups=by_groups)


def check_counts(k: int) -> None:
    system = dyads(k).system
    found = diagnose(system, 0.0, system.q0)
    assert (found.n_phi, found.n_q) == TABLE[k] == (9 + 10 * k, 7 + 9 * k)
    assert found.rank == found.n_q - 1 and found.redundant == 3 + k


def check_kinematics(k: int, count: int, compared: int) -> None:
    """The slider is at ``-cos + sqrt(32 + cos^2)``; group and whole differ by round-off."""
    grouped = dyads(k)
    theta = TURN * np.arange(count)
    c, s = np.cos(theta), np.sin(theta)
    root = np.sqrt(32 + c**2)
    x, slope = -c + root, s - c * s / root
    curve = c + (s**2 - c**2) / root - (c * s) ** 2 / root**3
    found = turning(grouped, count)
    assert np.abs(found[:, 0, :2] - x[:, None]).max() < 1e-13
    assert np.abs(found[:, 1, :2] - SPEED * slope[:, None]).max() < 1e-12
    assert np.abs(found[:, 2, :2] - SPEED**2 * curve[:, None]).max() < 1e-11
    assert np.abs(found[:, 0, 2:]).max() < 1e-13
    whole = turning(grouped, compared, by_groups=False)
    assert np.abs(found[:compared] - whole).max() < 1e-11  # of accelerations up to 680


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 9])
def test_counts_of_the_benchmark(k: int) -> None:
    check_counts(k)


@pytest.mark.slow
@pytest.mark.parametrize("k", list(TABLE))
def test_all_counts_of_the_benchmark(k: int) -> None:
    check_counts(k)


@pytest.mark.slow
def test_kinematics_of_the_benchmark() -> None:
    check_kinematics(8, 25, 25)


@pytest.mark.slow
@pytest.mark.parametrize("k", list(TABLE))
def test_kinematics_of_2000_turns(k: int) -> None:
    """All 24 000 analyses against the closed form, some thousands against the whole."""
    check_kinematics(k, 24_000, 60_000 // (k + 2))


@pytest.mark.slow
@pytest.mark.parametrize("k", list(TABLE))
@pytest.mark.parametrize("formulation", ["matrix-r", "penalty"])
def test_dynamics_of_the_benchmark(formulation: str, k: int) -> None:
    """Two seconds in steps of 5 ms, by groups and as a whole.

    Penalties are compared where they leave digits: the sum ``M + alpha H^T H`` rounds at alpha
    times the number of rods that pull at the pin.
    """
    options = Options(formulation=formulation, tolerance=1e-9, penalty=1e3)
    ours, whole = (
        simulate_by_groups(dyads(k), (0, 2), 5e-3, replace(options, by_groups=way), [0, 1, 2])
        for way in (True, False)
    )
    assert ours.success and whole.success
    size = np.abs(whole.q).max() * max(1.0, k / 36)
    assert np.abs(ours.q - whole.q).max() < 1e-11 * size


@pytest.mark.slow
def test_published_velocity_and_acceleration() -> None:
    grouped = dyads(3)
    place = grouped.system.names.coordinates.index("C0.x")
    q = grouped.system.q0.copy()
    q[0] = 0.7
    q = grouped.positions(0.0, q)
    v, a = np.zeros_like(q), np.zeros_like(q)
    v[0] = SPEED
    v, a = grouped.motion(0.0, q, v, a)
    assert v[place] == pytest.approx(13.389619, abs=1e-6)
    assert a[place] == pytest.approx(422.6467, abs=1e-4)
    R = grouped.matrix_r(0.0, q)
    assert np.abs(grouped.system.jacobian(0.0, q) @ R).max() < 1e-12
    assert np.abs(R - grouped.matrix_r(0.0, q, by_groups=False)).max() < 1e-13
    assert np.abs(R[:, 0] * SPEED - v).max() < 1e-12


CASES = {
    "andrews": ("andrews", {}),
    "redundant": ("n_four_bar", {"n": 2, "coordinates": "quaternion"}),
    "several": ("chain", {"n": 3}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", [
    "andrews", pytest.param("redundant", marks=pytest.mark.slow),
    pytest.param("several", marks=pytest.mark.slow),
])  # fmt: skip
def test_any_mechanism_off_its_position(case: str) -> None:
    """All levels hold to round-off, and the pivots of a straight line give what others do."""
    name, arguments = CASES[case]
    grouped = load_groups(name, **arguments)
    system, inputs = grouped.system, grouped.decomposition.inputs
    rng = np.random.default_rng(1)
    q = system.q0 + 0.01 * rng.standard_normal(system.n_q)
    q[inputs] = system.q0[inputs] - 0.02
    q = grouped.positions(0.0, q)
    v, a = grouped.motion(0.0, q, *rng.standard_normal((2, system.n_q)))
    rest, rows = np.zeros(system.n_q), system.work.rows
    assert np.abs(system.residual(0.0, q, rest, rest, np.zeros(system.n_lam))[rows]).max() < 1e-13
    scale = 1.0 + max(np.abs(v).max(), np.abs(a).max())
    assert all(np.abs(x[rows]).max() < 1e-12 * scale for x in system.rates(0.0, q, v, a))
    straight = grouped.matrix_r(0.0, q)
    grouped.solver.groups.head[:, 2:5] = 0  # as if no pivots suited
    assert np.abs(grouped.motion(0.0, q, v, a)[1] - a).max() < 1e-11 * scale
    R, g = np.zeros_like(straight), len(inputs)
    R[inputs, np.arange(g)] = 1.0
    from mbdgen.runtime.groups.group_kinematics import reach

    assert reach(grouped.solver.groups, 0.0, q, v.copy(), a.copy(), R) == 0
    assert np.abs(R - straight).max() < 1e-11 * (1.0 + np.abs(R).max())


@pytest.mark.slow
def test_driven_mechanism_follows_the_function_of_time() -> None:
    """Without inputs; the reference are circles about A and D."""
    model = four_bar((1.0, 2.0, 1.5), base=2.2, angles=(1.2, 0.2, 1.9), driver=lambda t: 1.2 + t)
    grouped = load_groups(model, inputs=[])
    q = grouped.positions(0.4, grouped.system.q0)
    names = grouped.system.names.coordinates
    angle = dict(zip(names, q, strict=True))
    a, b, c = (angle[f"{bar}.theta"] for bar in ("AB", "BC", "DC"))
    assert a == pytest.approx(1.6, abs=1e-12)
    gap = np.exp(1j * a) + 2.0 * np.exp(1j * b) - 2.2 - 1.5 * np.exp(1j * c)
    assert abs(gap) < 1e-12
    v, _ = grouped.motion(0.4, q, np.zeros_like(q), np.zeros_like(q))
    assert v[names.index("AB.theta")] == pytest.approx(1.0, abs=1e-12)


def test_kinematic_simulation_by_groups_and_as_a_whole() -> None:
    model = four_bar((1.0, 2.0, 1.5), base=2.2, angles=(1.2, 0.2, 1.9), driver=lambda t: 1.2 + t)
    instants = np.linspace(0.0, 6.0, 13)
    ours = kinematics(load_groups(model, inputs=[]), instants)
    whole = kinematics(load(model, layout="loop"), instants)
    assert ours.motion.success and not ours.singular
    assert "by groups" in ours.motion.info.formulation
    for name in ("q", "v", "a", "outputs"):
        found, wanted = getattr(ours.motion, name), getattr(whole.motion, name)
        size = 1.0 + np.nanmax(np.abs(wanted))
        # Outputs that are reactions are not known, and NaN on both sides.
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11 * size)
    assert ours.motion.info.dof == whole.motion.info.dof == 0


@pytest.mark.slow
def test_groups_stop_at_the_dead_point() -> None:
    """Where BC and DC are in line, ``2 + 2.2^2 ... cos``: B is 2.5 away from D."""
    model = four_bar((2.0, 1.0, 1.5), base=2.2, angles=(0.8, 0.6, 2.0), driver=lambda t: 0.8 + t)
    end = np.arccos((2.0**2 + 2.2**2 - 2.5**2) / (2 * 2.0 * 2.2)) - 0.8
    found = kinematics(load_groups(model, inputs=[]), np.linspace(0.0, 1.0, 11))
    assert not found.motion.success
    assert found.singular[-1].kind == "dead point"
    assert found.singular[-1].t == pytest.approx(end, abs=1e-8)


def test_groups_move_as_prescribed() -> None:
    grouped = load_groups("slider_crank", inputs=["crank.theta"])
    law = {"crank.theta": lambda t: (0.8 + t**2, 2.0 * t, 2.0)}
    ours = kinematics(grouped, [0.0, 0.5, 1.0], law)
    whole = kinematics(grouped.system, [0.0, 0.5, 1.0], law)
    assert np.abs(ours.motion.a - whole.motion.a).max() < 1e-11 * np.abs(whole.motion.a).max()
    with pytest.raises(OptionError, match=r"take as given: crank\.theta; prescribed is: nothing"):
        kinematics(grouped, [0.0, 1.0])
    with pytest.raises(OptionError, match="could move as little as possible"):
        kinematics(grouped, [0.0, 1.0], law, least=True)


@pytest.mark.slow
def test_unreachable_inputs_are_named() -> None:
    grouped = load_groups(four_bar((1.0, 1.0, 1.0), base=1.0, angles=(1.2, 0.1, 1.4)), ["AB.x"])
    q = grouped.system.q0.copy()
    q[grouped.decomposition.inputs] = 3.0
    with pytest.raises(AssemblyError, match="group of 'AB' cannot be solved near t = 0"):
        grouped.positions(0.0, q)


REFERENCE = {0.5: -1.05314409, 1.0: -2.64311192}
"""Angle of the crank for k = 1 by the closed equation of one degree of freedom, DOP853 at 1e-10."""


@pytest.mark.slow
@pytest.mark.parametrize("by_groups", [True, False])
def test_matrix_r_by_runge_and_kutta(by_groups: bool) -> None:
    """Order 4: at h = 5 ms the error is below 1e-7."""
    options = Options(method="rk4", by_groups=by_groups)
    result = simulate_by_groups(dyads(1), (0, 1), 5e-3, options, t_eval=[0, 0.5, 1.0])
    assert result.success and result.counters.max_phi < 1e-9
    assert result["angle"][1:] == pytest.approx(list(REFERENCE.values()), abs=2e-7)
    assert result.counters.energy_drift < 1e-5


def test_trapezoidal_rule_is_of_order_2() -> None:
    errors = []
    for h in (0.01, 0.005):
        result = simulate_by_groups(dyads(1), (0, 1), h, t_eval=[0, 1.0])
        errors.append(abs(result["angle"][-1] - REFERENCE[1.0]))
    assert 3.6 < errors[0] / errors[1] < 4.4


@pytest.mark.slow
def test_runs_of_our_reference() -> None:
    """Ten dyads, 9 s, correctors to 1e-5: angles of an independent program of the same rules."""
    for options, h, angle in (
        (Options(tolerance=1e-5), 0.005, -2.0167480),
        (Options(tolerance=1e-5, formulation="penalty", penalty=1e7), 0.005, -2.0261488),
        (Options(tolerance=1e-5, formulation="penalty", penalty=1e6), 0.005, -2.0173392),
        (Options(tolerance=1e-5, formulation="penalty", penalty=1e6), 0.01, -2.0288854),
    ):
        result = simulate_by_groups(dyads(10), (0, 9), h, options, t_eval=[0, 9])
        assert result["angle"][-1] == pytest.approx(angle, abs=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1e3, 1e7])
def test_penalties_by_groups_and_as_a_whole(penalty: float) -> None:
    """Round-off times the penalty, and times the squares of entries of ``H`` up to 12."""
    found = [
        simulate_by_groups(
            dyads(8), (0, 0.5), 5e-3,
            Options(formulation="penalty", penalty=penalty, by_groups=way), t_eval=[0, 0.5],
        )["angle"][-1]
        for way in (True, False)
    ]  # fmt: skip
    assert found[0] == pytest.approx(found[1], abs=max(1e-11, 2.2e-16 * 144 * penalty))


@pytest.mark.slow
def test_groups_that_cannot_eliminate_their_unknowns() -> None:
    """Norms of quaternions are no stiff elements: the whole mechanism solves what is left."""
    for name, arguments in (("andrews", {}), ("n_four_bar", {"n": 2, "coordinates": "quaternion"})):
        grouped = load_groups(name, **arguments)
        condensed = [("condense" in b.kernels) for b in grouped.solver.batches]
        assert all(condensed) == (name == "andrews") and any(condensed) == (name == "andrews")
        ours, whole = (
            simulate_by_groups(
                grouped, (0, 2e-3), 2e-4,
                Options(formulation="penalty", penalty=1e3, by_groups=way), [0, 2e-3],
            )
            for way in (True, False)
        )  # fmt: skip
        assert ours.success and np.abs(ours.q[-1] - whole.q[-1]).max() < 1e-11


@pytest.mark.slow
def test_refused_pivots_leave_the_penalties_to_the_whole() -> None:
    """A group whose kernel refuses loses nothing but time."""
    grouped, options = dyads(8), Options(formulation="penalty", penalty=1e5)
    run = partial(simulate_by_groups, grouped, (0, 0.05), 5e-3, t_eval=[0, 0.05])
    wanted = run(options=options)
    batches = grouped.solver.batches
    try:
        grouped.solver.batches = tuple(
            replace(b, kernels={**b.kernels, "condense": refusing}) for b in batches
        )
        found = run(options=options)
    finally:
        grouped.solver.batches = batches
    assert found.success and np.abs(found.q[-1] - wanted.q[-1]).max() < 1e-9


def refusing(t, q, v, a, lam, w, p, m, out):  # type: ignore[no-untyped-def]
    """Return what says that pivots do not suit."""
    return 1


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [1e3, 1e5])
def test_penalties_are_those_of_the_global_formulation(penalty: float) -> None:
    """The same rule and formulation on another path: ``[M, -G^T; H, 1/alpha]`` by its LU.

    What is left is round-off times the penalty: [M] 8e-15 and 3e-12.
    """
    grouped = load_groups("andrews")
    ours = simulate_by_groups(
        grouped, (0, 2e-3), 1e-4, Options(formulation="penalty", penalty=penalty), [0, 2e-3]
    )
    theirs = simulate(
        grouped.system, (0, 2e-3), "trapezoidal", 1e-4, t_eval=[0, 2e-3],
        formulation="penalty", projection="none", penalty=penalty,
    )  # fmt: skip
    assert np.abs(theirs.q[-1] - theirs.q[0]).max() > 0.03
    assert np.abs(ours.q[-1] - theirs.q[-1]).max() < 1e-11
    # Both begin with the accelerations of penalties, which are not those of the constraints.
    start = np.abs(theirs.a[0]).max()
    assert np.abs(ours.a[0] - theirs.a[0]).max() < 1e-10 * start


def test_reactions_on_request() -> None:
    options = Options(method="rk4", reactions=True)
    with_them = simulate_by_groups(dyads(1), (0, 0.05), 5e-3, options)
    without = simulate_by_groups(dyads(1), (0, 0.05), 5e-3, Options(method="rk4"))
    assert np.isfinite(with_them.lam).all() and np.isnan(without.lam).all()
    assert (with_them.q == without.q).all()

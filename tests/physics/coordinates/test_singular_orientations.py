"""Bodies that turn exactly through the place where their numbers fail, against closed forms.

Nothing acts on them and they turn about one axis: the angle is ``SPEED t``. Gimbal lock of Euler
angles, half a turn of Gibbs's and the reduced Euler-Rodrigues vector, a whole turn of the rotation
vector and of the conformal one. Whoever stands still is far from failing.
"""

from functools import cache
from math import pi
from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, load, simulate, simulate_many
from mbdgen.runtime.results.result_archive import load_result
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

SPEED, STEP, END = 5.0, 1e-3, 1.6  # more than one turn


SETS = {
    # name: number that grows with the angle, angle of failing, det d omega/d(do/dt)
    "euler-xyz": ("beta", pi / 2, lambda angle: np.cos(angle)),
    "gibbs": ("c2", pi, lambda angle: np.cos(angle / 2) ** 4),
    "reduced-euler-rodrigues": ("b2", pi, lambda angle: 1 / np.cos(angle / 2)),
    "rotation-vector": ("psi2", 2 * pi, lambda angle: (2 * np.sin(angle / 2) / angle) ** 2),
    "conformal": ("k2", 2 * pi, lambda angle: np.cos(angle / 4) ** 6),
}
each = pytest.mark.parametrize("kind", SETS)
FEW = ["euler-xyz", "rotation-vector"]


@cache
def bodies() -> System:
    """One free body for each set."""
    m = Model("turning", gravity=(0, 0, 0))
    for kind in SETS:
        name = kind.replace("-", "_")
        body = m.body(name, 1.0, (0.1, 0.2, 0.3), coordinates=kind)
        m.output(f"{name}_end", body.at(1, 0, 0))
        m.output(f"{name}_determinant", body.variable("determinant"))
    return load(m, backend=SOONEST, layout="loop")


def turning(kind: str, speed: float = SPEED) -> System:
    """Only the body with these coordinates turns, about its y axis."""
    system = bodies().copy()
    number = f"{kind.replace('-', '_')}.{SETS[kind][0]}"
    system.v0[system.names.coordinates.index(number)] = speed
    return system


@pytest.mark.slow
@pytest.mark.representatives(id="rotation-vector")
@each
def test_passes_with_other_numbers(kind: str) -> None:
    """The error of the method: 1e-7 near the switch, where numbers change fastest [M: 1e-9]."""
    system = turning(kind)
    result = simulate(system, (0, END), method="rk4", h=STEP, progress=False)
    assert result.success, result.message
    name, failing = kind.replace("-", "_"), SETS[kind][1]
    angle = SPEED * result.t
    wanted = np.column_stack([np.cos(angle), 0 * angle, -np.sin(angle)])
    np.testing.assert_allclose(result[f"{name}_end"], wanted, atol=1e-7)
    assert {s.body for s in result.switches} == {name}
    assert 0 < SPEED * result.switches[0].t < failing
    assert result.measures["switches"] == len(result.switches)
    # It is switched where the smallest of three factors is a quarter, or 0.15 rad later.
    used = result[f"{name}_determinant"]
    assert np.abs(used).min() > 0.004 and np.abs(used).max() < 5
    least, largest = (result.measures[f"{x} det {name}"] for x in ("least", "largest"))
    assert used.min() <= least + 1e-9 and largest <= used.max() + 1e-9


@each
def test_stops_without(kind: str) -> None:
    """It stops before the numbers fail and says who, where and what to do."""
    system = turning(kind)
    result = simulate(system, (0, END), method="rk4", h=STEP, rebase=False, progress=False)
    name, failing = kind.replace("-", "_"), SETS[kind][1]
    assert not result.success and not result.switches
    for part in (f"'{name}'", f"'{kind}'", "rebase", "quaternion"):
        assert part in result.message
    assert 0.98 * failing < SPEED * result.t[-1] <= failing
    # Until then the measure of being near to failing is the published one.
    angle = SPEED * result.t[1:]
    some = angle < 0.9 * failing
    found = result[f"{name}_determinant"][1:][some]
    np.testing.assert_allclose(found, SETS[kind][2](angle[some]), rtol=1e-6)


@pytest.mark.representatives(id="rotation-vector")
@each
def test_records_of_switches_in_files(kind: str, tmp_path: Path) -> None:
    """What is read back knows the switches, and that nothing is between two sets of numbers."""
    result = simulate(turning(kind), (0, END), method="rk4", h=STEP, progress=False)
    result.save(tmp_path / "r.npz")
    again = load_result(tmp_path / "r.npz")
    assert again.switches == result.switches and len(again.switches) > 0
    t = result.switches[0].t + STEP / 2
    np.testing.assert_array_equal(again.at(t).q, result.at(t).q)
    assert np.isnan(again.at(t).q).any() == (not result.switches[0].rebased)


@pytest.mark.slow
def test_sensitivities_stop_where_numbers_would_be_switched() -> None:
    """Until then they are the derivatives of the closed form by the speed."""
    m = Model("varied", gravity=(0, 0, 0))
    body = m.body("body", 1.0, (0.1, 0.2, 0.3), coordinates="gibbs")
    m.output("end", body.at(1, 0, 0))
    system = load(m, backend=SOONEST, layout="loop", sensitivities=True)
    system.v0[system.names.coordinates.index("body.c2")] = SPEED
    wanted = ["body.c2.dot"]
    result = simulate(system, (0, 1), "rk4", STEP, sensitivities=wanted, progress=False)
    assert not result.success and "with sensitivities nothing is switched" in result.message
    assert 0.98 * pi < SPEED * result.t[-1] <= pi
    some = SPEED * result.t < 0.9 * pi
    t = result.t[some]
    found = result.sensitivity("end", "body.c2.dot")[some]
    rates = np.column_stack([-t * np.sin(SPEED * t), 0 * t, -t * np.cos(SPEED * t)])
    np.testing.assert_allclose(found, rates, atol=1e-6)


@pytest.mark.slow
def test_ensembles_switch_as_single_runs_do() -> None:
    """Bit for bit, each member by itself; one that cannot go on is named and stops no other."""
    speeds = [0.5, SPEED, -SPEED]
    v0 = {"gibbs.c2": speeds, "rotation_vector.psi2": speeds[::-1]}
    series = [
        "gibbs_end",
        "gibbs.c2",
        "rotation_vector_end",
        "rotation_vector.psi2",
        "energy.kinetic",
    ]
    found = simulate_many(
        bodies(), (0, END), v0=v0, method="rk4", h=STEP, every=40, series=series, progress=False
    )
    assert found.success, found.message
    for k in range(len(speeds)):
        system = bodies().copy()
        for name, values in v0.items():
            system.v0[system.names.coordinates.index(name)] = values[k]
        options = {"method": "rk4", "h": STEP, "t_eval": found.t, "progress": False}
        single = simulate(system, (0, END), **options)
        assert single.switches
        for name in ("gibbs_end.x", "gibbs.c2", "rotation_vector_end.z", "rotation_vector.psi2"):
            np.testing.assert_array_equal(found[name][k], single[name])
    angle = SPEED * found.t
    np.testing.assert_allclose(found["gibbs_end.x"][1], np.cos(angle), atol=1e-7)


def test_a_member_that_fails_is_named() -> None:
    """Newton's method does not converge in one iteration, except where nothing moves."""
    found = simulate_many(
        bodies(),
        (0, 1),
        v0={"gibbs.c2": [0.0, SPEED]},
        method="newmark",
        h=0.05,
        max_iterations=1,
        series=["gibbs_end"],
        progress=False,
    )
    assert found.failed.tolist() == [1]
    assert found.messages[1].startswith("Member 1: Newton's method did not converge")
    assert np.isfinite(found["gibbs_end.x"][0]).all()
    assert np.isnan(found["gibbs_end.x"][1][-1])

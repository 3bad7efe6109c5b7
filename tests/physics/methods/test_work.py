"""The work of drivers and loads is integrated with the order of the method, on every path."""

import itertools
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, load, simulate, simulate_many
from mbdgen.runtime.monitors.work_quadrature import equal_weights
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System


@pytest.fixture(scope="module")
def pushed() -> System:
    """``x = 10 (t - sin t)`` from rest, ``W = 50 (1 - cos t)^2``."""
    m = Model("work_pushed", gravity=(0, 0, 0))
    size = m.parameter("size", 10.0, unit="N")
    b = m.point_mass("b", 1.0)
    m.force("push", b.at(), force=(size * sympy.sin(m.t), 0, 0))
    return load(m)


def driven_crank(coordinates: str = "quaternion") -> Model:
    """A driven crank with a damped rod: power of a driver and of a damper."""
    m = Model("work_crank", gravity=(0, -9.81, 0), coordinates=coordinates)
    axis, inertia = (0, 0, 1), (0.1, 0.1, 0.1) if coordinates == "quaternion" else 0.1
    first = m.body("first", 1.0, inertia, position=(0.5, 0, 0))
    rod = m.body("rod", 1.0, inertia, position=(1.5, 0, 0))
    m.revolute("pin", m.ground, first, at=(0, 0, 0), axis=axis)
    m.revolute("knee", first, rod, at=(1, 0, 0), axis=axis)
    drive = m.ground.at(0, 0, 0, axis=axis), first.at(-0.5, 0, 0, axis=axis)
    m.rotation_driver("drive", *drive, angle=0.8 * sympy.sin(2 * m.t))
    knee = first.at(0.5, 0, 0, axis=axis), rod.at(-0.5, 0, 0, axis=axis)
    m.torsion_spring("damper", *knee, damping=0.3)
    return m


@pytest.fixture(scope="module")
def crank() -> System:
    return load(driven_crank())


def drift(system: System, **options: Any) -> float:
    found = simulate(system, (0, 2), **options)
    assert found.success, found.message
    return found.counters.energy_drift


def exact(t: float) -> float:
    return 50.0 * (1.0 - np.cos(t)) ** 2


def test_work_is_that_of_the_push(pushed: System) -> None:
    """The closed solution, also where the steps are long and chosen."""
    for options in ({"method": "rk4", "h": 0.02}, {"method": "dop853", "rtol": 1e-8}):
        found: Result = simulate(pushed, (0, 10), **options)
        assert np.abs(found.energies[:, 2] - exact(found.t)).max() < 1e-6 * 200.0


@pytest.mark.slow
@pytest.mark.parametrize(("method", "order", "h"), [("newmark", 2, 0.05), ("rk4", 4, 0.1)])
def test_fixed_steps(pushed: System, crank: System, method: str, order: int, h: float) -> None:
    for system in (pushed, crank):
        drifts = [drift(system, method=method, h=h / 2**k) for k in range(3)]
        for coarse, fine in itertools.pairwise(drifts):
            assert coarse / fine > 0.85 * 2**order


@pytest.mark.slow
def test_a_method_of_order_8(pushed: System, crank: System) -> None:
    for system in (pushed, crank):
        coarse, fine = (drift(system, method="dop853", h=h) for h in (0.05, 0.025))
        assert coarse / fine > 2**7


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_drift_is_of_the_size_of_the_error(pushed: System, method: str) -> None:
    """It was 14 J of 200 J."""
    for rtol in (1e-4, 1e-6, 1e-8):
        found = simulate(pushed, (0, 10), method=method, rtol=rtol)
        v, last = found["b.x.dot"], found.counters
        wrong = np.abs(v - 10 * (1 - np.cos(found.t))).max()
        assert last.energy_drift < 20.0 * 20.0 * max(wrong, 1e-12)
        assert last.energy_drift < 50.0 * rtol * last.energy_scale
        assert last.energy_scale == pytest.approx(200.0, rel=0.1)


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_drivers_in_steps_by_tolerance(crank: System, method: str) -> None:
    drifts = [drift(crank, method=method, rtol=rtol) for rtol in (1e-5, 1e-7, 1e-9)]
    assert drifts[0] > 8 * drifts[1] > 64 * drifts[2] and drifts[2] < 1e-6


def test_integrators_of_libraries(pushed: System, crank: System) -> None:
    for system in (pushed, crank):
        coarse, fine = (
            drift(system, method="solve-ivp", solver="DOP853", rtol=rtol, h=0.1)
            for rtol in (1e-5, 1e-9)
        )
        assert coarse < 1e-2 and fine < 1e-5


@pytest.mark.parametrize(("method", "options"), [("cvode", {}), ("ida", {})])
def test_integrators_of_sundials(crank: System, method: str, options: dict[str, Any]) -> None:
    pytest.importorskip("sksundae")
    assert drift(crank, method=method, rtol=1e-8, h=0.1, **options) < 1e-4


@pytest.mark.parametrize("method", ["adams", "sdirk"])
def test_formulations(crank: System, method: str) -> None:
    coarse, fine = (drift(crank, method=method, h=h, formulation="index1") for h in (0.02, 0.01))
    assert coarse / fine > 0.8 * 2**3


def test_forces_that_are_switched_between_steps() -> None:
    """Between two changes lies one step only."""
    m = Model("work_switched", gravity=(0, 0, 0))
    u = m.parameter("u", 1.0, unit="N")
    b = m.point_mass("b", 1.0)
    m.force("push", b.at(), force=(u * sympy.cos(3 * m.t), 0, 0))
    system = load(m)

    def drift_with(h: float) -> float:
        def switch(t: float, q: object, v: object) -> None:
            system.set(u=1.0 + round(t / h) % 2)

        return drift(system, method="rk4", h=h, callback=switch)

    coarse, fine = drift_with(0.1), drift_with(0.05)
    assert coarse / fine > 14.0


def test_members_of_ensembles(pushed: System) -> None:
    found = simulate_many(
        pushed, (0, 2), {"size": [10.0, 20.0]}, method="rk4", h=0.05, progress=False
    )
    for k, size in enumerate((10.0, 20.0)):
        pushed.set(size=size)
        single = simulate(pushed, (0, 2), method="rk4", h=0.05).counters
        assert found[k].counters.energy_drift == single.energy_drift
        assert found[k].counters.energy_scale == single.energy_scale
    pushed.set(size=10.0)


def test_instants_that_are_not_equally_spaced(pushed: System) -> None:
    t = 2.0 * np.linspace(0.0, 1.0, 41) ** 1.3
    assert drift(pushed, method="rk4", h=1.0, t_eval=t) < 2e-5


def test_weights_of_equal_steps() -> None:
    assert equal_weights(2) == (5 / 12, 8 / 12, -1 / 12)
    assert equal_weights(4) == pytest.approx(np.array([251, 646, -264, 106, -19]) / 720)
    for degree in range(2, 9):
        at = 1.0 - np.arange(degree + 1)
        found = np.array(equal_weights(degree)) @ at**degree
        assert found == pytest.approx(1 / (degree + 1))


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["matrix-r", "penalty"])
def test_groups(crank: System, formulation: str) -> None:
    """They do not find reactions, whose power that of a driver is; their work was unknown."""
    from mbdgen.grouping.group_loading import load_groups
    from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups

    grouped = load_groups(driven_crank("planar"), ["rod.theta"])
    reference = simulate(crank, (0, 2), "rk4", 1e-3, t_eval=[0, 1, 2])
    assert abs(reference.energies[-1, 2]) > 1.0
    methods = ("trapezoidal", 2, 0.02), ("rk4", 4, 0.04)
    for method, order, h in methods if formulation == "matrix-r" else methods[:1]:
        drifts, options = [], Options(method=method, formulation=formulation)
        for k in range(2):
            found = simulate_by_groups(grouped, (0, 2), h / 2**k, options, t_eval=[0, 1, 2])
            assert found.success, found.message
            drifts.append(found.counters.energy_drift)
        assert drifts[0] / drifts[1] > 0.8 * 2**order
        wrong = np.abs(found.energies[:, 2] - reference.energies[:, 2]).max()
        assert wrong < 50.0 * (h / 2) ** order
        assert found.accuracy.energy_balance < 1e-2

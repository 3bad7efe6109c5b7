"""The contract of integrators, for every file in their folder: a new one is tested as it is."""

import inspect

import numpy as np
import pytest

from mbdgen import Model, Result, load, simulate, simulate_many
from mbdgen.errors import OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.methods.plugin_validation import RESERVED
from mbdgen.runtime.methods.scheme import choose, choose_own
from mbdgen.runtime.results.result_series import matrix
from mbdgen.runtime.system.system import System
from tests.convergence import study

every_method = pytest.mark.parametrize(
    "name", [n for n in integrators.known() if not integrators.method(n).library]
)
USUAL = ["newmark", "generalized-alpha", "rk4", "dop853", "bdf"]
END = 0.96
STEPS = {1: 960, 2: 240, 3: 60, 4: 24, 5: 16, 6: 12, 7: 8}
"""Coarsest steps of a study, by order; 6 above. The finest error is above 1e-10."""


@pytest.fixture(scope="module")
def crank() -> System:
    """A crank that is turned by a function of time, and a bar on a ball joint, with a damper.

    Spatial, of quaternions: constraints depend on position and time, forces on velocities.
    """
    m = Model("contract_crank", gravity=(0, 0, -9.81))
    damping = m.parameter("damping", 0.5)
    turned = m.body("crank", mass=1, inertia=(0.1, 1 / 12, 1 / 12), position=(0.5, 0, 0))
    bar = m.body("bar", mass=1, inertia=(0.02, 0.1, 0.1), position=(1.5, 0, 0))
    hinge = {"at": (0, 0, 0), "axis": (0, 1, 0)}
    m.revolute("hinge", m.ground, turned, **hinge)
    m.rotation_driver("motor", m.ground, turned, **hinge, angle=m.t + m.t**2 - m.t**4 / 2)
    m.spherical("ball", turned, bar, at=(1, 0, 0))
    m.spring("damper", m.ground.at(1, 1, 0), bar.at(0.5), damping=damping)
    m.output("tip", bar.at(0.5))
    return load(m, second=True)


def run(system: System, name: str, steps: int) -> Result:
    result = simulate(system, (0, END), method=name, h=END / steps, progress=False)
    assert result.success, result.message
    return result


def coarse(name: str) -> int:
    return STEPS.get(integrators.method(name).order, 6)


@pytest.fixture(scope="module")
def exact(crank: System) -> Result:
    return run(crank, "dop853", 480)


@every_method
def test_order(name: str, crank: System, exact: Result) -> None:
    """At least what the method says, in position, velocity and acceleration at the end."""

    def observe(steps: float) -> np.ndarray:
        result = run(crank, name, round(END / steps))
        return np.concatenate([result.q[-1], result.v[-1], result.a[-1]])

    end = np.concatenate([exact.q[-1], exact.v[-1], exact.a[-1]])
    found = study(observe, END / coarse(name), end)
    assert found.order > integrators.method(name).order - 0.3, found.table


@every_method
def test_constraints_of_all_levels(name: str, crank: System) -> None:
    """At recorded instants, evaluated here, with the time that they are recorded for."""
    result, rows, levels = run(crank, name, coarse(name)), crank.work.rows, choose(name).levels
    scale = np.abs(result.a).max()
    assert scale > 1.0 and len(result.t) > 6
    for t, q, v, a, lam in zip(result.t, result.q, result.v, result.a, result.lam, strict=True):
        velocity, acceleration = crank.rates(t, q, v, a)
        assert np.abs(crank.residual(t, q, v, a, lam)[rows]).max() < 1e-9
        assert "velocity" not in levels or np.abs(velocity[rows]).max() < 1e-8
        assert "acceleration" not in levels or np.abs(acceleration[rows]).max() < 1e-8 * scale


@every_method
def test_dynamics(name: str, crank: System) -> None:
    """Accelerations and reactions are those of the recorded position and velocity."""
    if not integrators.method(name).levels:
        pytest.skip("it promises no level: one iteration solves nothing to the end")
    result = run(crank, name, coarse(name))
    others = np.setdiff1d(np.arange(crank.n), crank.work.rows)
    scale = np.abs(result.a).max()
    for t, q, v, a, lam in zip(result.t, result.q, result.v, result.a, result.lam, strict=True):
        assert np.abs(crank.residual(t, q, v, a, lam)[others]).max() < 1e-8 * scale


@pytest.mark.representatives(name=USUAL)
@every_method
def test_runs_know_nothing_of_each_other(name: str, crank: System) -> None:
    """What steps keep belongs to one motion, not to the system."""
    steps = 2 * coarse(name)
    first = run(crank, name, steps)
    run(crank, name, coarse(name))
    second = run(crank, name, steps)
    for part in ("q", "v", "a", "lam"):
        np.testing.assert_array_equal(getattr(second, part), getattr(first, part))


@pytest.mark.representatives(name=["newmark", "rk4"])
@every_method
def test_members_know_nothing_of_each_other(name: str, crank: System) -> None:
    """Ensembles run methods that have a step of their own."""
    try:
        choose_own(name, {})
    except OptionError as error:
        pytest.skip(str(error))
    steps, values = 2 * coarse(name), [0.1, 0.5, 0.5, 2.0]
    first = run(crank, name, steps)
    for workers in (1, 2):
        members = simulate_many(
            crank,
            (0, END),
            {"damping": values},
            method=name,
            h=END / steps,
            workers=workers,
            progress=False,
        )
        for k in (1, 2):
            np.testing.assert_array_equal(members[k].t, first.t)
            np.testing.assert_array_equal(members[k].values, matrix(first, list(members.columns)))


@pytest.mark.representatives(name=USUAL)
@every_method
def test_steps_of_changing_size(name: str, crank: System, exact: Result) -> None:
    """Steps between recorded instants have sizes of their own; the error is that of even ones."""
    h = END / (4 * coarse(name))
    instants = [0.0, *np.array([0.13, 0.15, 0.5, 0.51, 0.82, 1.0]) * END]
    uneven = simulate(crank, (0, END), method=name, h=h, t_eval=instants, progress=False)
    even = run(crank, name, 4 * coarse(name))
    error = np.abs(uneven.q[-1] - exact.q[-1]).max()
    assert error < 4 * np.abs(even.q[-1] - exact.q[-1]).max() + 1e-9


def test_reserved_names() -> None:
    """An option of such a name would be taken for the argument."""
    arguments = [
        parameter.name
        for function in (simulate, simulate_many)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    assert {*arguments, "preset"} == RESERVED

"""Sensitivities of motions, against differences of motions, complex steps and closed solutions.

A sensitivity is the derivative of the numbers that a run computes. Differences of sixth order
of such runs have some eleven digits; the limit is 1e-8 everywhere.
"""

from functools import cache
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import (
    Model,
    Result,
    equilibrium_sensitivities,
    kinematic_sensitivities,
    load,
    simulate,
)
from mbdgen.errors import AssemblyError, BuildError, OptionError
from mbdgen.runtime.program import c_compiler
from mbdgen.runtime.results.result_archive import load_result
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from tests.complex_step import directional

METHODS = ("newmark", "generalized-alpha", "rk4", "dopri5")
LIMIT = 1e-8


def moved(system: System, name: str, by: float) -> System:
    """The system with another value of a parameter or of an initial value."""
    other = system.copy()
    if name in system.parameters:
        q0, v0 = system.q0 - system.data.tables.q0, system.v0 - system.data.tables.v0
        other.set(**{name: system.parameters[name] + by})
        # What a test has put into the initial values stays there.
        other.q0 += np.where(np.isin(range(system.n_q), _followed(system, "q")), 0.0, q0)
        other.v0 += np.where(np.isin(range(system.n_q), _followed(system, "v")), 0.0, v0)
        other.q0[_kept(system, "q")] = system.q0[_kept(system, "q")]
        return other
    stem = name.removesuffix(".dot")
    k = system.names.coordinates.index(stem)
    (other.q0 if stem == name else other.v0)[k] += by
    return other


def _followed(system: System, array: str) -> np.ndarray:
    spec = system.data.parameters
    return (spec.q_targets if array == "q" else spec.v_targets)[:, 0]


def _kept(system: System, array: str) -> np.ndarray:
    return np.setdiff1d(np.arange(system.n_q), _followed(system, array))


def differences(system: System, name: str, step: float, **run: Any) -> dict[str, np.ndarray]:
    """Derivatives of all recorded arrays by differences of sixth order."""
    total: dict[str, Any] = dict.fromkeys(("q", "v", "a", "lam", "outputs", "energies"), 0.0)
    for k, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        pair = [simulate(moved(system, name, s * k * step), **run) for s in (1, -1)]
        for array in total:
            change = getattr(pair[0], array) - getattr(pair[1], array)
            total[array] = total[array] + weight * change / (60.0 * step)
    return total


def assert_exact(
    system: System, names: list[str], step: float = 1e-3, limit: float = LIMIT, **run: Any
) -> Result:
    result = simulate(system, sensitivities=names, **run)
    plain = simulate(system, **run)
    assert result.success
    np.testing.assert_allclose(result.outputs, plain.outputs, rtol=1e-11, atol=1e-11)
    assert result.sensitivities is not None
    for name in names:
        got = result.sensitivities.find(name)
        for array, expected in differences(system, name, step, **run).items():
            size = np.abs(expected).max(initial=0.0)
            error = np.abs(getattr(got, array) - expected).max(initial=0.0)
            # What does not depend on the parameter differs by the round-off of a large array.
            noise = 1e-12 * np.abs(getattr(result, array)).max(initial=0.0) / step
            assert error <= limit * size + noise, f"{array} by {name}: {error:.2e} of {size:.2e}"
    return result


@cache
def pendulum() -> System:
    return load("pendulum", layout="flat", sensitivities=True)


@cache
def sprung_slider_crank() -> System:
    """A slider-crank whose slider hangs on a damped spring; lengths are parameters."""
    m = Model("sprung_slider_crank", gravity=(0, -9.81, 0), coordinates="planar")
    r, L = m.parameter("r", 0.3, unit="m"), m.parameter("L", 0.7, unit="m")
    k, c = m.parameter("k", 40.0, unit="N/m"), m.parameter("c", 0.5, unit="N s/m")
    mass, speed = m.parameter("mass", 1.2, unit="kg"), m.parameter("speed", 2.0, unit="rad/s")
    angle = 0.6
    pin = (r * cos(angle), r * sin(angle))
    tilt = sympy.asin(-pin[1] / L)
    tilt_rate = -r * cos(angle) * speed / (L * sympy.cos(tilt))
    v_pin = (-speed * pin[1], speed * pin[0])
    x = pin[0] + L * sympy.cos(tilt)
    vx = v_pin[0] - tilt_rate * L * sympy.sin(tilt)

    def bar(name: str, length: Any, **more: Any) -> Any:
        return m.body(
            name, mass, mass * length**2 / 12, centre_of_mass=(length / 2, 0), length=length, **more
        )

    crank = bar("crank", r, angle=angle, angular_velocity=speed)
    rod = bar("rod", L, position=pin, velocity=v_pin, angle=tilt, angular_velocity=tilt_rate)
    slider = m.body("slider", 1.0, 1.0, position=(x, 0), velocity=(vx, 0))
    m.revolute("A", m.ground.at(), crank.at())
    m.revolute("B", crank.at(r), rod.at())
    m.revolute("C", rod.at(L), slider.at())
    m.prismatic("guide", m.ground, slider, axis=(1, 0, 0))
    ends = m.ground.at(2.0, 0.1), slider.at()
    spring = m.spring("spring", *ends, stiffness=k, length=0.8, damping=c)
    m.output("slider", slider.at().x, unit="m")
    m.output("tension", spring.tension)
    return load(m, layout="loop", sensitivities=True)


@cache
def andrews() -> System:
    """Andrews' mechanism with motor and spring as parameters."""
    from models import andrews as shipped

    torque, stiffness = sympy.Symbol("torque", real=True), sympy.Symbol("stiffness", real=True)
    m = shipped.model(torque=torque, stiffness=stiffness)
    m.parameter("torque", 0.033)
    m.parameter("stiffness", 4530.0)
    return load(m, layout="loop", sensitivities=True)


@pytest.mark.representatives(id=["newmark", "rk4", "dopri5"])
@pytest.mark.parametrize("method", METHODS)
def test_pendulum(method: str) -> None:
    names = ["L", "m", "rod.x.dot", "rod.y.dot"]
    assert_exact(pendulum(), names, span=(0, 1), h=0.01, method=method)


@pytest.mark.representatives(id="rk4")
@pytest.mark.parametrize("method", METHODS)
def test_slider_crank_with_a_spring(method: str) -> None:
    system = sprung_slider_crank()
    names = ["r", "L", "k", "c", "mass", "speed"]
    assert_exact(system, names, span=(0, 0.6), h=0.01, method=method)


@pytest.mark.parametrize("preset", ["damped", "fox-goodwin"])
def test_other_weights(preset: str) -> None:
    run = {"span": (0, 0.3), "h": 0.01, "preset": preset, "shared": 0.0}
    assert_exact(sprung_slider_crank(), ["L", "k"], **run)


def test_recorded_instants() -> None:
    """Several steps between instants, of different lengths; the start is left out."""
    run = {"span": (0, 0.5), "h": 0.02, "t_eval": [0.1, 0.25, 0.41]}
    result = assert_exact(sprung_slider_crank(), ["L", "speed"], **run)
    assert result.sensitivity("slider", "L").shape == (3,)


@pytest.mark.representatives(id="True")
@pytest.mark.parametrize("reduced", [False, True])
def test_modules_with_fused_kernels(reduced: bool) -> None:
    """Steps with sensitivities are those without fused kernels.

    With fused kernels motions are the same to 1e-9; those of reduced systems are others, whose
    errors of order ``h^2`` differ.
    """
    try:
        c_compiler.compiler()
    except BuildError:
        pytest.skip("there is no C compiler")
    fused = load("pendulum", backend="c", reduced=reduced, sensitivities=True)
    h = 0.01
    run = {"span": (0, 0.5), "h": h, "sensitivities": ["L"]}
    one, other = simulate(fused, **run), simulate(pendulum(), **run)
    assert not one.info.reduced
    for name in ("tip", "reaction", "energy.potential"):
        expected = other.sensitivity(name, "L")
        np.testing.assert_allclose(one.sensitivity(name, "L"), expected, rtol=1e-9, atol=1e-9)
    plain = simulate(fused, (0, 0.5), h=h)
    np.testing.assert_allclose(one["tip"], plain["tip"], atol=h**2 if reduced else 1e-9)


def test_a_motion_back_in_time() -> None:
    assert_exact(sprung_slider_crank(), ["L", "c"], span=(0.3, 0), h=0.01)


@pytest.mark.slow
def test_andrews() -> None:
    """Stiff in scale and time; the initial angle of K1 is fixed, the others give way."""
    system = andrews()
    run = {"span": (0, 0.01), "h": 1e-4}
    for name, step in (("torque", 1e-4), ("stiffness", 10.0), ("K1.theta", 1e-4)):
        assert_exact(system, [name], step=step, **run)


@pytest.mark.slow
def test_redundant_constraints_in_space() -> None:
    """Bricard's mechanism has one equation too many at every instant."""
    system = load("bricard", layout="loop", sensitivities=True)
    names = [system.names.coordinates[0] + ".dot", system.names.coordinates[1] + ".dot"]
    result = simulate(system, (0, 0.5), h=0.01, sensitivities=names)
    assert result.sensitivities is not None
    for name in names:
        expected = differences(system, name, 1e-2, span=(0, 0.5), h=0.01)
        got = result.sensitivities.find(name)
        for array in ("q", "v", "a", "outputs", "energies"):
            size = np.abs(expected[array]).max()
            assert np.abs(getattr(got, array) - expected[array]).max() <= LIMIT * size + 1e-9


@cache
def skate() -> System:
    """A sledge that a force pulls on a slope; its blade, off the centre, does not slip sideways."""
    m = Model("skate", gravity=(3.0, 0, 0))
    arm, pull = m.parameter("arm", 0.2), m.parameter("pull", 1.5)
    speed = m.parameter("speed", 0.4)
    sledge = m.planar_body("sledge", 2.0, 0.3, velocity=(speed, 0), angular_velocity=2.0)
    m.knife_edge("blade", m.ground.at(), sledge.at(arm, 0, axis=(0, 1, 0)))
    m.force("rope", sledge.at(0, 0.3), force=(0, pull, 0))
    m.output("centre", sledge.at())
    return load(m, layout="loop", sensitivities=True)


@pytest.mark.representatives(id=["generalized-alpha", "rk4"])
@pytest.mark.parametrize("method", METHODS)
def test_equations_of_velocities(method: str) -> None:
    """The blade's place, the force and the initial speeds, which assembly makes rolling ones."""
    names = ["arm", "pull", "speed", "sledge.theta.dot"]
    assert_exact(skate(), names, span=(0, 0.6), h=0.02, method=method)


@pytest.mark.slow
def test_rolling_disc() -> None:
    """Equations of positions and of velocities in one joint, in space."""
    disc = load("rolling_disc", layout="loop", push=0.5, sensitivities=True)
    names = ["disc.x.dot", "disc.q1.dot"]
    assert_exact(disc, names, step=1e-2, span=(0, 0.3), h=0.01)


@pytest.mark.slow
def test_friction_of_joints_is_refused() -> None:
    """Its load is a reaction, and that of two equal pins is not unique besides."""
    m = Model("rubbing", gravity=(0, -9.81, 0))
    rod = m.body("rod", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    L = m.parameter("L", 0.02)
    pin = m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 0, 1))
    m.revolute("again", m.ground, rod, at=(0, 0, 0.1), axis=(0, 0, 1))
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.3, radius=L)
    system = load(m, layout="loop", sensitivities=True)
    assert simulate(system, (0, 0.02), h=0.01).success
    with pytest.raises(OptionError, match=r"'rubbing' depend on reactions.*no sensitivities"):
        simulate(system, (0, 0.02), h=0.01, sensitivities=["L"])


@pytest.mark.slow
def test_kept_factors() -> None:
    """Above a hundred unknowns steps keep their factors, and variations are refined with them."""
    system = load("n_four_bar", layout="loop", sensitivities=True, n=15)
    assert system.n > 150
    assert_exact(system, ["bar0.x.dot"], step=1e-2, span=(0, 0.2), h=0.01)


def exact_pendulum(length: Any, t: float, steps: int = 4000) -> Any:
    """Position of the tip by the classical Runge-Kutta method in minimal coordinates."""
    h, g = t / steps, 9.81
    x = np.array([np.pi + 0 * length, 0 * length])  # the angle from +x, and its rate

    def slope(y: Any) -> Any:
        return np.array([y[1], -g / length * np.cos(y[0])])

    for _ in range(steps):
        k1 = slope(x)
        k2 = slope(x + h / 2 * k1)
        k3 = slope(x + h / 2 * k2)
        k4 = slope(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.array([length * np.cos(x[0]), length * np.sin(x[0])])


@pytest.mark.parametrize(("method", "order", "h"), [("newmark", 2, 0.01), ("rk4", 4, 0.02)])
def test_order_of_convergence(method: str, order: int, h: float) -> None:
    """Sensitivities converge to those of the motion with the order of the method."""

    def tip(x: Any) -> Any:
        return exact_pendulum(x[0], 1.0)

    exact = directional(tip, [1.0], [1.0])
    errors = []
    for part in (1, 2):
        run = simulate(pendulum(), (0, 1), h=h / part, method=method, sensitivities=["L"])
        got = [run.sensitivity("tip.x", "L")[-1], run.sensitivity("tip.y", "L")[-1]]
        errors.append(np.abs(got - exact).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_methods_agree() -> None:
    """Explicit and implicit steps come to the same derivatives, but for errors of order h^2.

    The limit is ``100 h^2``: frequencies of the spring and of the crank are below 10/s.
    """
    system, found = sprung_slider_crank(), []
    for method in ("newmark", "generalized-alpha", "dopri5"):
        run = simulate(system, (0, 0.5), h=5e-4, method=method, sensitivities=["L"])
        found.append(run.sensitivity("slider", "L"))
    size = np.abs(found[2]).max()
    assert np.abs(found[0] - found[2]).max() < 100 * 5e-4**2 * size
    assert np.abs(found[1] - found[2]).max() < 100 * 5e-4**2 * size


def path_point(lengths: Any, t: np.ndarray) -> np.ndarray:
    """Closed solution of the shipped four-bar, analytic in the lengths."""
    base, crank, coupler, rocker, along, across = lengths
    angle = 0.3 + 2 * pi * t
    pin = np.array([crank * np.cos(angle), crank * np.sin(angle)])
    d = np.array([base - pin[0], -pin[1]])
    square = d[0] ** 2 + d[1] ** 2
    part = (coupler**2 + square - rocker**2) / (2 * square)
    height = np.sqrt(coupler**2 / square - part**2)
    e = (part * d + height * np.array([-d[1], d[0]])) / coupler
    return np.asarray(pin + along * e + across * np.array([-e[1], e[0]]))


@pytest.mark.slow
def test_kinematics_against_the_complex_step() -> None:
    system = load("four_bar_path", layout="loop", sensitivities=True)
    names = list(system.parameters)
    result = simulate(system, (0, 1), h=0.05, sensitivities=names)
    values = [system.parameters[name] for name in names]
    for name, unit in zip(names, np.eye(len(names)), strict=True):
        expected = directional(lambda x: path_point(x, result.t), values, unit).T
        np.testing.assert_allclose(result.sensitivity("point", name)[:, :2], expected, atol=1e-9)
        assert result.sensitivity_unit("point.x", name) == "1"
        # The same at one instant, from the constraints alone.
        state = State(result.t[7:8], result.q[7], result.v[7], result.a[7], result.lam[7])
        there = kinematic_sensitivities(system, state, [name])
        np.testing.assert_allclose(there.series("point", name)[0, :2], expected[7], atol=1e-9)
        run = result.sensitivities
        assert run is not None
        for array in ("v", "a", "lam"):
            here, before = (getattr(s.find(name), array) for s in (there, run))
            np.testing.assert_allclose(here[0], before[7], rtol=1e-7, atol=1e-7)


def test_a_guess_that_assembly_moves() -> None:
    """The initial position is differentiated along the way that assembly takes."""
    system = sprung_slider_crank().copy()
    system.q0 += 0.02 * np.sin(np.arange(system.n_q) + 1.0)
    k = int(_kept(system, "q")[0])
    name = system.names.coordinates[k]
    assert_exact(system, [name], span=(0, 0.1), h=0.01)


@pytest.mark.slow
def test_fixed_initial_velocity() -> None:
    m = Model("swing", gravity=(0, -9.81, 0), coordinates="planar")
    L = m.parameter("L", 0.8)
    rod = m.body("rod", 1.0, 0.1, position=(L * sin(0.5), -L * cos(0.5)), angle=0.5,
                 angular_velocity=1.5, fixed_velocity="theta")  # fmt: skip
    m.revolute("pin", m.ground.at(), rod.at(0, L))
    system = load(m, layout="loop", sensitivities=True)
    result = assert_exact(system, ["L", "rod.theta.dot"], span=(0, 0.2), h=0.01)
    assert result.sensitivity("rod.theta.dot", "L")[0] == pytest.approx(0.0, abs=1e-12)
    assert result.sensitivity("rod.theta.dot", "rod.theta.dot")[0] == pytest.approx(1.0, abs=1e-12)


@cache
def balance() -> System:
    """A horizontal bar, which its weight turns against a torsion spring."""
    m = Model("balance", gravity=(0, -9.81, 0), coordinates="planar")
    L, k = m.parameter("L", 0.5, unit="m"), m.parameter("k", 8.0, unit="N m/rad")
    bar = m.body("bar", 1.0, 0.1, position=(L, 0))
    pin = m.revolute("pin", m.ground.at(), bar.at(-L))
    m.torsion_spring("spring", m.ground.at(), bar.at(-L), stiffness=k)
    m.output("tip", bar.at(L))
    m.output("turn", pin.angle)
    return load(m, layout="loop", sensitivities=True)


def turned(system: System) -> State:
    """The equilibrium: ``k theta + m g L cos(theta) = 0``, and the reaction carries the weight."""
    L, k, theta = system.parameters["L"], system.parameters["k"], 0.0
    for _ in range(50):
        rest = k * theta + 9.81 * L * cos(theta)
        theta -= rest / (k - 9.81 * L * sin(theta))
    q = np.array([L * cos(theta), L * sin(theta), theta])
    zero = np.zeros(3)
    matrix = system.matrix(0.0, q, zero, zero, np.zeros(2), (0.0, 0.0, 1.0)).toarray()
    force = system.residual(0.0, q, zero, zero, np.zeros(2))[:3]
    lam = np.linalg.lstsq(matrix[:3, 3:], -force, rcond=None)[0]
    return State(np.zeros(1), q, zero, zero, lam)


def test_equilibrium() -> None:
    system = balance()
    state = turned(system)
    L, k, theta = 0.5, 8.0, float(state.q[2])
    stiffness = k - 9.81 * L * sin(theta)
    found = equilibrium_sensitivities(system, state, ["L", "k"])
    by_length, by_k = -9.81 * cos(theta) / stiffness, -theta / stiffness
    assert found.series("turn", "L")[0] == pytest.approx(by_length, rel=1e-10)
    assert found.series("turn", "k")[0] == pytest.approx(by_k, rel=1e-10)
    assert found.unit("turn", "k") == "rad/(N m/rad)"
    height = 2 * sin(theta) + 2 * L * cos(theta) * by_length
    assert found.series("tip.y", "L")[0] == pytest.approx(height, rel=1e-10)


def test_no_equilibrium() -> None:
    system = balance()
    state = turned(system)
    state.q[2] += 0.1
    with pytest.raises(OptionError, match="no equilibrium"):
        equilibrium_sensitivities(system, state, ["L"])
    with pytest.raises(OptionError, match="initial value"):
        equilibrium_sensitivities(system, turned(system), ["bar.x"])
    with pytest.raises(OptionError, match="1 DOF"):
        kinematic_sensitivities(system, turned(system), ["L"])


def test_indifferent_equilibrium() -> None:
    m = Model("wheel", gravity=(0, -9.81, 0), coordinates="planar")
    x = m.parameter("x", 0.2)
    wheel = m.body("wheel", 1.0, 0.1, position=(x, 0))
    m.revolute("axle", m.ground.at(x), wheel.at())
    system = load(m, layout="loop", sensitivities=True)
    zero = np.zeros(3)
    state = State(np.zeros(1), system.q0, zero, zero, np.array([0.0, 9.81]))
    state.lam[:] *= np.sign(system.residual(0.0, system.q0, zero, zero, np.zeros(2))[1])
    if np.abs(system.residual(0.0, *state[1:])[:2]).max() > 1.0:
        state.lam[:] *= -1.0
    with pytest.raises(OptionError, match="indifferent"):
        equilibrium_sensitivities(system, state, ["x"])


@pytest.mark.slow
def test_synthesis_of_a_path() -> None:
    """Lengths are found again from the path; every Jacobian is that of the residuals."""
    from scipy.optimize import check_grad, least_squares

    system = load("four_bar_path", layout="loop", sensitivities=True)
    names = list(system.parameters)
    true = np.array([system.parameters[name] for name in names])
    wanted = path_point(true, np.linspace(0, 1, 41)).T.ravel()

    def run(lengths: np.ndarray) -> Result:
        system.set(**dict(zip(names, lengths, strict=True)))
        return simulate(system, (0, 1), h=0.025, sensitivities=names)

    def error(lengths: np.ndarray) -> np.ndarray:
        return run(lengths)["point"][:, :2].ravel() - wanted

    def jacobian(lengths: np.ndarray) -> np.ndarray:
        result = run(lengths)
        columns = [result.sensitivity("point", name)[:, :2].ravel() for name in names]
        return np.stack(columns, axis=1)

    start = np.array([2.2, 0.5, 2.0, 1.6, 0.8, 0.5])
    found = least_squares(error, start, jacobian)
    np.testing.assert_allclose(found.x, true, atol=1e-8)
    assert found.nfev <= 10 and found.cost < 1e-18

    def cost(x: np.ndarray) -> float:
        return float(error(x) @ error(x)) / 2

    def gradient(x: np.ndarray) -> np.ndarray:
        return np.asarray(jacobian(x).T @ error(x))

    assert check_grad(cost, gradient, start) < 1e-5 * np.linalg.norm(gradient(start))
    system.set(**dict(zip(names, true, strict=True)))


def test_constraints_that_cannot_follow() -> None:
    """Three parallel bars of which one changes its length alone."""
    m = Model("parallel", gravity=(0, -9.81, 0), coordinates="planar")
    L = m.parameter("L", 1.0)
    beam = m.body("beam", 1.0, 0.1, position=(1.0, 1.0))
    for k, length in enumerate((L, 1.0, 1.0)):
        bar = m.body(f"bar{k}", 1.0, 0.1, position=(k, 0.5), angle=pi / 2)
        m.revolute(f"low{k}", m.ground.at(k), bar.at(-length / 2))
        m.revolute(f"high{k}", bar.at(length / 2), beam.at(k - 1.0))
    system = load(m, layout="loop", sensitivities=True)
    with pytest.raises(AssemblyError, match=r"assembled for a changed 'L': .*0"):
        simulate(system, (0, 0.1), sensitivities=["L"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sensitivities": ["l"]}, "no parameter and no coordinate 'l'"),
        ({"sensitivities": ["L", "L"]}, "twice"),
        ({"sensitivities": [3]}, "not a list of names"),
        ({"sensitivities": 3}, "not a list of names"),
        ({"sensitivities": "L", "method": "hht"}, "These have.*newmark"),
        ({"sensitivities": "L", "formulation": "index3"}, "of its own has no sensitivities"),
        ({"sensitivities": "L", "rtol": 1e-6}, "rtol do not go together"),
        ({"sensitivities": "L", "events": "tip.x"}, "events do not go together"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        simulate(pendulum(), (0, 0.1), **given)


def test_results_and_modules_without_sensitivities() -> None:
    plain = simulate(pendulum(), (0, 0.1), h=0.01)
    with pytest.raises(OptionError, match="has no sensitivities"):
        plain.sensitivity("tip.y", "L")
    result = simulate(pendulum(), (0, 0.1), h=0.01, sensitivities="L")
    with pytest.raises(OptionError, match="not differentiated by 'm'"):
        result.sensitivity("tip.y", "m")
    with pytest.raises(OptionError, match=r"nothing called 'tip\.q'"):
        result.sensitivity("tip.q", "L")
    assert result.sensitivity("tip", "L").shape == (11, 3)
    assert result.sensitivity_unit("energy.kinetic", "L") == "J/m"
    with pytest.raises(OptionError, match="load\\(model, sensitivities=True\\)"):
        simulate(load("pendulum"), (0, 0.1), sensitivities=["L"])


def test_saved_with_the_result(tmp_path: Path) -> None:
    result = simulate(pendulum(), (0, 0.1), h=0.01, sensitivities=["L", "rod.x"])
    result.save(tmp_path / "r.npz")
    again = load_result(tmp_path / "r.npz")
    for by in ("L", "rod.x"):
        for series in ("tip", "rod.x.dot", "pin", "energy.total"):
            assert (again.sensitivity(series, by) == result.sensitivity(series, by)).all()
    assert again.sensitivity_unit("energy.kinetic", "L") == "J/m"
    with pytest.raises(OptionError, match="not differentiated by 'm'"):
        again.sensitivity("tip.y", "m")


def test_frozen_parameters_are_numbers() -> None:
    system = load("pendulum", layout="loop", sensitivities=True, freeze=["L"])
    with pytest.raises(OptionError, match="frozen ones are numbers"):
        simulate(system, (0, 0.1), sensitivities=["L"])


def test_energy_of_the_lowest_point() -> None:
    """``T + V`` of the released pendulum does not change: neither do its derivatives' sums."""
    result = simulate(pendulum(), (0, 1), h=1e-3, sensitivities=["L"])
    total = result.sensitivity("energy.total", "L")
    assert np.abs(total - total[0]).max() < 1e-5 * sqrt(2) * 9.81

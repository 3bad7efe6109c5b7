"""Linear equations that know the time, eliminated: motions, work, forces, analyses, mistakes."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from mbdgen import (
    Model,
    Result,
    build,
    kinematics,
    linearise,
    load,
    material,
    mobility,
    modes,
    rectangle,
    simulate,
    statics,
)
from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError, ModelError, OptionError
from mbdgen.runtime.initialisation.assembly import accelerations
from mbdgen.runtime.results.body_motion import body_motion
from mbdgen.runtime.system.run_workspace import new_state
from mbdgen.runtime.system.system import System
from mbdgen.stages import derive_types, lower_model
from mbdgen.symbolic.ir.graph_evaluation import evaluate as values_of
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.topology.specify import specify
from tests.backends.node import evaluate, needs_node
from tests.quickest import quickest

MASS, ARM, INERTIA, GRAVITY = 2.0, 0.3, 0.05, 9.81
START = 0.4
WAY = (0.1, 3.0), (0.05, 2.0)
"""Amplitudes and frequencies of the pivot along x and y: ``A sin^2(w t)``."""


def shaken_pendulum() -> Model:
    """A bar in natural coordinates that hangs on a point of the ground which moves."""
    m = Model("shaken_pendulum", gravity=(0, -GRAVITY, 0), coordinates="natural")
    bar = m.body("bar", MASS, INERTIA, centre_of_mass=(ARM, 0), length=0.5, angle=START - np.pi / 2)
    for name, axis, (size, rate) in zip("xy", ((1, 0, 0), (0, 1, 0)), WAY, strict=True):
        way = size * sympy.sin(rate * m.t) ** 2
        m.relative_translation(name, m.ground.at(axis=axis), bar.at(), function=way)
        m.output(f"force_{name}", m.attached[name].force)
    m.output("tip", bar.at(0.5, 0))
    return m


def four_bar() -> Model:
    """A four-bar mechanism whose crank is driven by how far its end is to the right."""
    m = Model("driven_four_bar", gravity=(0, -GRAVITY, 0), coordinates="natural")
    pin = 0.4 * np.array([np.cos(1.2), np.sin(1.2)])
    along = np.array([1.2, 0.6]) - pin
    crank = m.body("crank", 1.0, 0.1, length=0.4, centre_of_mass=(0.2, 0), angle=1.2)
    rod = m.body(
        "rod", 2.0, 0.2, position=pin, length=float(np.hypot(*along)), centre_of_mass=(0.3, 0),
        angle=float(np.arctan2(along[1], along[0])),
    )  # fmt: skip
    arm = m.body(
        "arm", 1.5, 0.2, position=(1.2, 0), length=0.6, centre_of_mass=(0.3, 0), angle=np.pi / 2
    )
    top, base = (1.2, 0.6), (1.2, 0)
    m.revolute("A", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
    m.revolute("B", crank, rod, at=(*pin, 0), axis=(0, 0, 1))
    m.revolute("C", rod, arm, at=(*top, 0), axis=(0, 0, 1))
    m.revolute("D", m.ground, arm, at=(*base, 0), axis=(0, 0, 1))
    way = pin[0] + 0.1 * sympy.sin(3 * m.t)
    motor = m.translation_driver(
        "motor", m.ground.at(axis=(1, 0, 0)), crank.at(0.4, 0), distance=way
    )
    m.output("coupler", rod.at(0.5, 0.1))
    m.output("push", motor.force)
    return m


def shaken_beam() -> Model:
    """A soft hanging beam whose upper end is moved along y and held along x."""
    m = Model("shaken_beam", gravity=(0, -GRAVITY, 0))
    rubber = material(young=1e6, density=1000.0)
    beam = m.beam(
        "beam", [(0, 0), (0.6, -0.8)], rectangle(0.03, 0.02), rubber, elements=2,
        kind="euler-nonlinear",
    )  # fmt: skip
    m.point_in_plane("along_x", m.ground.at(axis=(1, 0, 0)), beam.start)
    way = 0.05 * sympy.sin(9 * m.t) ** 2
    m.relative_translation("shake", m.ground.at(axis=(0, 1, 0)), beam.start, function=way)
    m.output("tip", beam.end)
    m.output("force", m.attached["shake"].force)
    return m


def shaken_top() -> Model:
    """A body in space whose tip is moved along z, and is held along x and y."""
    m = Model("shaken_top", gravity=(0, 0, -GRAVITY), coordinates="natural-1p3v")
    top = m.body(
        "top", MASS, (0.05, 0.06, 0.02), centre_of_mass=(0, 0, ARM), angular_velocity=(1, 2, 20)
    )
    for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0))):
        m.point_in_plane(name, m.ground.at(axis=axis), top.at())
    way = 0.02 * sympy.sin(9 * m.t) ** 2
    m.relative_translation("z", m.ground.at(axis=(0, 0, 1)), top.at(), function=way)
    m.output("head", top.at(0, 0, 0.5))
    m.output("force", m.attached["z"].force)
    return m


MODELS = {
    "pendulum": shaken_pendulum,
    "four_bar": four_bar,
    "beam": shaken_beam,
    "top": shaken_top,
}


@cache
def system(name: str, eliminate: bool) -> System:
    layout = "flat" if eliminate else "loop"
    return load(MODELS[name](), layout=layout, backend=quickest(), eliminate=eliminate, second=True)


def moved(name: str, eliminate: bool, t: float, h: float, method: str) -> Result:
    found = simulate(system(name, eliminate), (0, t), method=method, h=h, progress=False)
    assert found.success, found.message
    return found


@cache
def exact(t: float) -> dict[str, float]:
    """The pendulum's equation by hand, and what moves its pivot."""

    def pivot(t: float) -> tuple[Any, Any]:
        size, rate = np.array(WAY).T
        return size * rate * np.sin(2 * rate * t), 2 * size * rate**2 * np.cos(2 * rate * t)

    def second(t: float, angle: float) -> float:
        along = np.array([np.cos(angle), np.sin(angle)])
        pull = pivot(t)[1] + [0, GRAVITY]
        return float(-MASS * ARM * (pull @ along) / (INERTIA + MASS * ARM**2))

    def force(t: float, angle: float, rate: float) -> Any:
        along, across = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        own = ARM * (second(t, angle) * along + rate**2 * across)
        return MASS * (pivot(t)[1] + own + [0, GRAVITY])

    def slope(t: float, y: Any) -> list[float]:
        return [y[1], second(t, y[0]), float(force(t, y[0], y[1]) @ pivot(t)[0])]

    found = solve_ivp(slope, (0, t), [START, 0, 0], "DOP853", rtol=1e-12, atol=1e-13)
    angle, rate, work = found.y[:, -1]
    pull = force(t, angle, rate)
    size, w = np.array(WAY).T
    at = size * np.sin(w * t) ** 2 + 0.5 * np.array([np.sin(angle), -np.cos(angle)])
    return {
        "tip.x": at[0], "tip.y": at[1], "energy.work": work,
        "force_x.x": pull[0], "force_y.y": pull[1],
    }  # fmt: skip


def errors(method: str, h: float) -> dict[str, float]:
    found = moved("pendulum", True, 1.0, h, method)
    return {name: abs(found[name][-1] - value) for name, value in exact(1.0).items()}


@pytest.mark.representatives(id=["rk4-4", "generalized-alpha-2"])
@pytest.mark.parametrize(
    ("method", "order"), [("newmark", 2), ("rk4", 4), ("generalized-alpha", 2)]
)
def test_a_moved_pivot_beside_the_equation_by_hand(method: str, order: int) -> None:
    """Places, forces and the work of drivers converge to those of the pendulum's equation."""
    coarse, fine = errors(method, 4e-3), errors(method, 2e-3)
    for name in exact(1.0):
        assert order - 0.1 < np.log2(coarse[name] / fine[name]) < order + 0.2, name
    assert max(fine.values()) < (1e-8 if order == 4 else 1e-3)


@pytest.mark.slow
def test_counts() -> None:
    """What a driver prescribes is no coordinate, and its equation is gone."""
    counts = {
        name: [(x.n_q, x.n_lam) for x in (system(name, False), system(name, True))]
        for name in MODELS
    }
    assert counts == {
        "pendulum": [(4, 3), (2, 1)],
        "four_bar": [(12, 12), (3, 3)],
        "beam": [(12, 2), (10, 0)],
        "top": [(12, 9), (9, 6)],
    }


@pytest.mark.representatives(name=["pendulum"])
@pytest.mark.parametrize("name", MODELS)
def test_accelerations_and_reactions_at_the_same_states(name: str) -> None:
    """The whole mechanism at states of the reduced one: the same to round-off."""
    whole, left = system(name, False).copy(), moved(name, True, 0.3, 1e-3, "rk4")
    for k in (0, 100, 300):
        state = new_state(whole.n_q, whole.n_lam)
        state.clock[0] = left.t[k]
        for x, end in ((state.q, ""), (state.v, ".dot")):
            x[:] = [left[c + end][k] for c in whole.names.coordinates]
        accelerations(whole, state)
        a = np.array([left[f"{c}.ddot"][k] for c in whole.names.coordinates])
        np.testing.assert_allclose(a, state.a, atol=1e-9 * (1.0 + np.abs(state.a).max()))
        outputs = whole.outputs(left.t[k], state.q, state.v, state.a, state.lam)
        own = left.outputs[k][: len(outputs)]
        np.testing.assert_allclose(own, outputs, atol=1e-9 * np.abs(outputs).max())
        driven = [whole.names.multipliers[j] for j in whole.data.driven]
        size = np.abs(state.lam).max()
        for j, multiplier in zip(whole.data.driven, driven, strict=True):
            assert left[multiplier][k] == pytest.approx(state.lam[j], abs=1e-9 * size)
        power = whole.energies(left.t[k], state.q, state.v, state.a, state.lam)
        reduced = system(name, True).energies(
            left.t[k], left.q[k], left.v[k], left.a[k], left.lam[k]
        )
        np.testing.assert_allclose(reduced, power, atol=1e-9 * np.abs(power).max())


@pytest.mark.slow
def test_what_a_shaken_beam_takes() -> None:
    """Its energy is the work of the shaking: what is left falls with h^2 (newmark) or h^4 (rk4)."""
    for method, order in (("newmark", 2), ("rk4", 3)):
        gaps = [
            np.abs(moved("beam", True, 0.3, h, method)["energy.balance"]).max()
            for h in (1e-3, 5e-4)
        ]
        assert np.log2(gaps[0] / gaps[1]) > order - 0.1, method
    work = moved("beam", True, 0.3, 5e-4, "rk4")["energy.work"]
    assert gaps[1] < 1e-5 * np.abs(work).max()


def kernels(model: Model) -> tuple[dict[str, FlatKernel], Any]:
    options = BuildOptions(layout="flat", eliminate=True)
    specs = specify(model)
    lowered = lower_model(model, specs, derive_types(specs, "sympy"), options)
    return {kernel.name: kernel for kernel in lowered.flat}, lowered


@pytest.mark.representatives(id=["pendulum", "beam"])
@pytest.mark.parametrize("name", MODELS)
def test_the_matrix_is_the_derivative_of_the_rows(name: str) -> None:
    """Complex steps through the printed graphs, with all weights at once."""
    found, lowered = kernels(MODELS[name]())
    n_q, n_lam = lowered.sizes["n_q"], lowered.sizes["n_lam"]
    rng = np.random.default_rng(3)
    arrays: dict[str, Any] = {
        "t": np.array([0.37]), "q": lowered.q0 + 0.1 * rng.normal(size=n_q),
        "v": rng.normal(size=n_q), "a": rng.normal(size=n_q), "lam": rng.normal(size=n_lam),
        "w": np.array([1.1, 1.2, 1.3]), "p": lowered.p,
    }  # fmt: skip

    def written(kernel: str, size: int, **changed: Any) -> Any:
        one = found[kernel]
        inputs = {x: {**arrays, **changed}[array][k] for x, array, k in one.inputs}
        out = np.zeros(size, complex)
        places = [k for k, _ in one.outputs]
        out[places] = values_of(one.graph, [node for _, node in one.outputs], inputs)
        return out

    n = n_q + n_lam
    entries = written("matrix", len(lowered.indices)).real
    matrix = np.zeros((n, n))
    for c in range(n):
        at = range(lowered.indptr[c], lowered.indptr[c + 1])
        matrix[lowered.indices[at], c] = entries[at]
    for c in range(n):
        step, unit = 1e-30j, np.eye(n)[c]
        q = {x: arrays[x] + step * w * unit[:n_q] for x, w in zip("qva", arrays["w"], strict=True)}
        lam = arrays["lam"] + step * unit[n_q:]
        moved_by = {**q, "lam": lam} if c < n_q else {"lam": lam}
        column = written("residual", n, **moved_by).imag / 1e-30
        wanted = matrix[:, c].copy()
        wanted[n_q:] *= arrays["w"][0]  # rows of constraints have the weight one there
        size = np.abs(column).max() + 1.0
        np.testing.assert_allclose(column, wanted, atol=1e-11 * size)


def test_rates_are_those_of_the_positions() -> None:
    """phi_dot and phi_ddot of what is left, by complex steps along a motion in time."""
    found, lowered = kernels(four_bar())
    n = lowered.sizes["n"]
    rng = np.random.default_rng(4)
    q, v, a = lowered.q0, *rng.normal(size=(2, len(lowered.q0)))

    def written(kernel: str, t: complex, q: Any, v: Any) -> dict[int, complex]:
        arrays = {"t": [t], "q": q, "v": v, "a": a, "lam": np.zeros(3), "p": lowered.p}
        one = found[kernel]
        inputs = {x: arrays[array][k] for x, array, k in one.inputs}
        values = values_of(one.graph, [node for _, node in one.outputs], inputs)
        return dict(zip([k for k, _ in one.outputs], values, strict=True))

    step = 1e-30j
    rates = written("rates", 0.37, q, v)
    ahead = written("residual", 0.37 + step, q + step * v, v)
    later = written("rates", 0.37 + step, q + step * v, v + step * a)
    for row in range(lowered.sizes["n_q"], n):
        assert rates[row] == pytest.approx(ahead[row].imag / 1e-30, rel=1e-12)
        assert rates[n + row] == pytest.approx(later[row].imag / 1e-30, rel=1e-12)


@pytest.mark.parametrize("backend", ["numba", "c"])
def test_fused_and_generic_steps_agree(backend: str) -> None:
    """Small systems have fused kernels, whose power is that of the generic ones."""
    if backend == "c" and quickest() != "c":
        pytest.skip("there is no C compiler")
    one = load(shaken_pendulum(), layout="flat", eliminate=True, backend=backend)
    found = simulate(one, (0, 0.3), method="newmark", h=1e-3, progress=False)
    expected = moved("pendulum", True, 0.3, 1e-3, "newmark")
    for name in ("tip.x", "x[0]", "energy.work"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-9, err_msg=name)


@needs_node
def test_javascript(tmp_path: Path) -> None:
    path = build(shaken_pendulum(), tmp_path, backend="js", layout="flat", eliminate=True)
    options = {"method": "newmark", "h": 1e-3, "every": 100}
    (found,) = evaluate(
        [{"task": "simulate", "module": str(path), "span": [0, 0.3], "options": options}]
    )
    assert found["success"], found["message"]
    expected = moved("pendulum", True, 0.3, 1e-3, "newmark")
    np.testing.assert_allclose(found["q"], expected.q[::100], atol=1e-10)
    np.testing.assert_allclose(np.array(found["energies"]), expected.energies[::100], atol=1e-9)


@pytest.mark.slow
def test_kinematics_and_the_forces_of_drivers() -> None:
    t = np.linspace(0, 0.5, 26)
    whole, left = (kinematics(system("four_bar", x), t, reactions=True) for x in (False, True))
    for name in ("coupler.x", "push.x", "motor[0]", "energy.work"):
        np.testing.assert_allclose(left[name], whole[name], atol=1e-9, err_msg=name)
    with pytest.raises(OptionError, match="0 and 1 driver besides motor, which are eliminated: 1"):
        kinematics(system("four_bar", True), t, {"rod.xB": lambda t: (0.0, 0.0, 0.0)})


@pytest.mark.slow
def test_statics_and_modes_where_drivers_stand_still() -> None:
    """At the end of a ramp; while drivers move there is no rest."""

    def model() -> Model:
        m = Model("lifted", gravity=(0, -GRAVITY, 0), coordinates="natural")
        bar = m.body("bar", MASS, INERTIA, centre_of_mass=(ARM, 0), length=0.5, angle=-1.2)
        ramp = sympy.Piecewise((0.2 * sympy.sin(m.t) ** 3, m.t < sympy.pi), (0.0, True))
        m.relative_translation("lift", m.ground.at(axis=(0, 1, 0)), bar.at(), function=ramp)
        m.point_in_plane("wall", m.ground.at(axis=(1, 0, 0)), bar.at())
        m.output("tip", bar.at(0.5, 0))
        return m

    left = load(model(), layout="flat", eliminate=True, second=True, backend=quickest())
    rest = statics(left, 4.0)
    assert rest.outputs["tip.y"] == pytest.approx(-0.5, abs=1e-10)
    stiffness = MASS * GRAVITY * ARM / (INERTIA + MASS * ARM**2)
    assert modes(left, 4.0, at=rest.state).frequency[0] == pytest.approx(
        np.sqrt(stiffness) / (2 * np.pi), rel=1e-9
    )
    with pytest.raises(OptionError, match=r"no rest at t = 1: its drivers 'lift' move then"):
        statics(left, 1.0)
    with pytest.raises(OptionError, match=r"Mobility of 'lifted' is not known.*'lift'"):
        mobility(left)
    with pytest.raises(OptionError, match=r"Driver 'lift' as an input of 'lifted' is not known"):
        linearise(left, 4.0, at=rest.state, inputs=["lift"])


def test_places_of_bodies_at_an_instant() -> None:
    """What the drivers have done by then is known, also without a run."""
    left, found = system("pendulum", True), moved("pendulum", True, 0.3, 1e-3, "rk4")
    motion = body_motion(left, found.q, found.v, found.a, t=found.t)
    np.testing.assert_allclose(motion.r, found.bodies.r, atol=1e-14)
    np.testing.assert_allclose(motion.a, found.bodies.a, atol=1e-12)


@pytest.mark.parametrize("formulation", ["baumgarte", "projective"])
def test_formulations(formulation: str) -> None:
    """Explicit ones at the accuracy of `rk4`; they solve for accelerations at each evaluation."""
    found = simulate(
        system("pendulum", True), (0, 1), method="rk4", h=1e-3, formulation=formulation,
        progress=False,
    )  # fmt: skip
    for name, value in exact(1.0).items():
        assert found[name][-1] == pytest.approx(value, abs=1e-8), name


def test_a_formulation_of_momenta_is_refused() -> None:
    """Reaction directions depend on the time itself, whose rate it does not know."""
    with pytest.raises(OptionError, match="'canonical-alf' does not know such ones"):
        simulate(system("pendulum", True), (0, 1), "rk4", 1e-3, formulation="canonical-alf")


def two_ends(second: Any, axis: Any = (1, 0, 0)) -> Model:
    """A bar in the plane, whose ends are both moved."""
    m = Model("two_ends", coordinates="natural")
    bar = m.body("bar", MASS, INERTIA, length=1.0)
    first = 0.1 * sympy.sin(m.t)
    m.relative_translation("left", m.ground.at(axis=(1, 0, 0)), bar.at(), function=first)
    m.relative_translation("again", m.ground.at(axis=axis), bar.at(), function=second(m.t))
    m.output("end", bar.at(1.0, 0))
    return m


def test_drivers_that_say_the_same_share_what_they_push() -> None:
    """Dependent equations vanish; of all forces that balance, the smallest are told."""
    model = two_ends(lambda t: 0.1 * sympy.sin(t))
    found = load(model, layout="flat", eliminate=True, backend=quickest())
    assert (found.n_q, found.n_lam) == (3, 1)
    run = simulate(found, (0, 0.5), method="rk4", h=1e-2, progress=False)
    np.testing.assert_allclose(run["left[0]"], run["again[0]"], atol=1e-12)
    assert np.abs(run["energy.balance"]).max() < 1e-8
    np.testing.assert_allclose(run["bar.xA"], 0.1 * np.sin(run.t), atol=1e-13)


def test_drivers_that_contradict_each_other() -> None:
    model = two_ends(lambda t: 0.1 * sympy.sin(t) + t**2)
    message = r"Equation again\[0\] of 'two_ends' contradicts others by 0\.0152 at t = 0\.123457"
    with pytest.raises(ModelError, match=f"{message}: it follows from left"):
        load(model, layout="flat", eliminate=True)


def test_nothing_left() -> None:
    m = Model("carried")
    mass = m.point_mass("mass", 1.0)
    for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
        m.translation_driver(name, m.ground.at(axis=axis), mass.origin, distance=sympy.sin(m.t))
    with pytest.raises(BuildError, match="they determine all of its coordinates"):
        load(m, layout="flat", eliminate=True)

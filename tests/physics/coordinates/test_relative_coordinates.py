"""Relative coordinates: the same motion as in the coordinates of the bodies, and as references."""

import shutil
from math import cos, sin
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.runtime.system.system import System
from tests.physics.cases import CASES, Case
from tests.physics.running import columns, run, stacked, worst
from tests.reference import load as reference_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

SAME = [
    ("pendulum", {}, 1.0, 1e-3, 1e-9),
    ("double_pendulum", {}, 1.0, 1e-3, 1e-8),
    ("double_pendulum", {"coordinates": "quaternion"}, 0.5, 1e-3, 1e-8),
    ("slider_crank", {}, 1.0, 1e-3, 1e-8),
    ("crank_dyads", {}, 0.1, 2e-4, 1e-9),
    ("spinning_top", {}, 0.2, 1e-4, 1e-7),
    pytest.param("bricard", {}, 0.5, 2e-4, 1e-7, marks=pytest.mark.slow),
    pytest.param("governor", {}, 0.1, 2e-4, 1e-6, marks=pytest.mark.slow),
    pytest.param("chain", {"n": 4}, 0.5, 1e-3, 1e-8, marks=pytest.mark.slow),
    pytest.param("chain", {"n": 2, "kind": "spherical"}, 0.5, 1e-3, 1e-8, marks=pytest.mark.slow),
]
"""Model, arguments, end, step, bound: `rk4` in both, so what is left are two errors of order 4."""


def systems(name: str, arguments: dict[str, Any]) -> tuple[System, System]:
    from mbdgen.language.read import read

    model = read(name, arguments)
    both = [load(x, backend="c") for x in (read(model, {"coordinates": "relative"}), model)]
    return both[0], both[1]


@pytest.mark.representatives(id="pendulum-arguments0-1.0-0.001-1e-09")
@pytest.mark.parametrize(("name", "arguments", "end", "h", "bound"), SAME)
def test_the_same_motion(
    name: str, arguments: dict[str, Any], end: float, h: float, bound: float
) -> None:
    small, large = systems(name, arguments)
    assert small.n < large.n
    ours, theirs = (simulate(s, (0, end), method="rk4", h=h) for s in (small, large))
    for coordinate in large.names.coordinates:
        for rate in ("", ".dot"):
            gap = np.abs(ours[coordinate + rate] - theirs[coordinate + rate]).max()
            assert gap <= bound * (1.0 if not rate else 1.0 + np.abs(theirs.v).max()), coordinate
    size = 1.0 + np.abs(theirs.outputs).max()
    assert np.abs(ours.outputs[:, : theirs.outputs.shape[1]] - theirs.outputs).max() <= (
        1e3 * bound * size
    )  # accelerations and reactions among them
    assert ours.counters.max_phi <= 1e-9


QUICK = ("A01_pendulum", "DYAD_k1", "TOP2_heavy_symmetric_top")
REFERENCES = [
    pytest.param(c, marks=[] if c.reference in QUICK else pytest.mark.slow, id=c.reference)
    for c in CASES
    if c.builder in ("pendulum", "bricard", "crank_dyads", "heavy_top", "governor", "andrews")
]


@pytest.mark.slow
@pytest.mark.parametrize("case", REFERENCES)
def test_newmark_converges_to_the_reference(case: Case) -> None:
    """The rule acts on other coordinates: the constant may be larger, not the order."""
    reference = reference_of(case.reference).until(case.t_end)
    expected, names = stacked(reference, case.series), tuple(case.series)
    arguments = {k: x for k, x in case.arguments.items() if k != "layout"}
    system = load(case.builder, backend="c", **arguments, coordinates="relative")
    errors = [
        worst(columns(run(system, reference.t, h), names), expected) for h in (case.h, case.h / 2)
    ]
    assert errors[0] <= 8 * case.error, errors
    assert errors[1] <= errors[0] / 3, errors


def test_energy_of_a_tree_is_conserved() -> None:
    """Error of order 4 in joint angles, without any projection."""
    system = load("double_pendulum", backend="c", coordinates="relative")
    drift = []
    for h in (2e-3, 1e-3):
        result = simulate(system, (0, 1), method="rk4", h=h)
        energy = result["energy.total"]
        drift.append(np.abs(energy - energy[0]).max())
    assert drift[0] <= 1e-7 and drift[1] <= drift[0] / 12


@pytest.mark.slow
def test_parameters_and_whole_turns() -> None:
    """Points follow named parameters, and an angle beyond a turn stays one."""
    model = Model("turned", gravity=(0, -9.81, 0), coordinates="planar")
    length = model.parameter("L", 1.0)
    c, s = length * cos(7.0), length * sin(7.0)
    arm = model.planar_body(
        "arm", 1.0, 0.1, position=(c, s), angle=7.0, velocity=(-2 * s, 2 * c), angular_velocity=2.0
    )
    model.revolute("pin", model.ground.at(), arm.at(-length, 0))
    model.output("turned", arm.angle)
    motions = []
    from mbdgen.language.read import read

    for source in (read(model, {"coordinates": "relative"}), model):
        system = load(source, backend="c")
        system.set(L=0.7)
        motions.append(simulate(system, (0, 0.5), method="rk4", h=1e-3))
    for name in ("arm.x", "arm.y", "arm.theta", "turned"):
        np.testing.assert_allclose(motions[0]["arm.theta"][0], 7.0, atol=1e-9)
        np.testing.assert_allclose(motions[0][name], motions[1][name], atol=1e-8)


@pytest.mark.slow
def test_reactions_have_the_same_names() -> None:
    """The three forces and three moments of a weld, and the five of a hinge behind it."""
    model = Model("held", gravity=(0, -9.81, 0))
    base = model.body("base", 2.0, (1, 2, 3), position=(1, 0, 0))
    arm = model.body("arm", 1.0, (0.1, 0.2, 0.2), position=(2.5, 0, 0))
    weld = model.fixed("weld", model.ground, base, at=(0, 0, 0))
    pin = model.revolute("pin", base, arm, at=(2, 0, 0), axis=(0, 0.6, 0.8))
    for joint in (weld, pin):
        model.output(f"{joint.name}_force", joint.force)
        model.output(f"{joint.name}_torque", joint.torque)
    from mbdgen.language.read import read

    results = [
        simulate(load(x, backend="c"), (0, 0.3), method="rk4", h=1e-3)
        for x in (read(model, {"coordinates": "relative"}), model)
    ]
    assert results[0].q.shape[1] == 1
    n = results[1].outputs.shape[1]
    np.testing.assert_allclose(results[0].outputs[:, :n], results[1].outputs, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "kind"), [(3, "revolute"), (2, "spherical")])
def test_loops_compute_what_straight_lines_do(n: int, kind: str) -> None:
    options = {"coordinates": "relative", "n": n, "kind": kind}
    loops = load("chain", layout="loop", **options)
    lines = load("chain", layout="flat", backend="c", **options)
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, loops.n_q))
    state = (0.3, q, v, a, np.zeros(0))
    for kernel in ("residual", "energies", "outputs"):
        expected = getattr(lines, kernel)(*state)
        np.testing.assert_allclose(getattr(loops, kernel)(*state), expected, atol=1e-12 * 100)
    matrices = [s.matrix(*state, (0.3, 0.7, 1.1)).toarray() for s in (loops, lines)]
    np.testing.assert_allclose(*matrices, atol=1e-12 * np.abs(matrices[1]).max())
    results = [simulate(s, (0, 0.05), method="rk4", h=1e-3) for s in (loops, lines)]
    np.testing.assert_allclose(results[0].q, results[1].q, atol=1e-12)


def stopped(law: str) -> Model:
    """A rod that swings against a stop: at rest before, pressed in between."""
    m = Model("stopped", gravity=(0, -9.81, 0), coordinates="planar")
    upper = m.parameter("upper", 0.10)
    rod = m.body("rod", 1.2, 0.064, centre_of_mass=(0.4, 0), angle=-2.7)
    m.revolute("pin", m.ground, rod, at=(0, 0), axis=(0, 0, 1))
    m.stop("stop", along=rod.at(0.7, 0).x, upper=upper, stiffness=2e4, damping=0.3, law=law)
    m.output("x", rod.at(0.7, 0).x)
    return m


@pytest.mark.slow
@pytest.mark.parametrize("law", ["hertz", "linear"])
def test_a_stop_at_rest_has_a_slope(law: str) -> None:
    """The motion is that in the plane: the tangent is finite where nothing presses."""
    from mbdgen.language.read import read

    relative = read(stopped(law), {"coordinates": "relative"})
    runs = [
        simulate(load(model, backend="c", **options), (0, 1.0), h=5e-4)
        for model, options in (
            (stopped(law), {}),
            (relative, {}),
            (stopped(law), {"reduced": True}),
        )
    ]
    assert runs[0]["x"].max() > 0.1005  # it has been pressed
    for run_ in runs[1:]:
        assert run_.success and run_.t[-1] == 1.0
        np.testing.assert_allclose(run_["x"], runs[0]["x"], atol=1e-4)


@pytest.mark.slow
def test_derivatives_by_parameters_where_a_stop_rests() -> None:
    """Derivatives along a run that meets a stop are those of the runs beside it."""
    system = load(stopped("hertz"), backend="c", sensitivities=True)
    found = simulate(system, (0, 0.6), h=5e-4, sensitivities=["upper"])
    ends = []
    for step in (1e-5, -1e-5):
        system.set(upper=0.10 + step)
        ends.append(simulate(system, (0, 0.6), h=5e-4)["x"])
    wanted = (ends[0] - ends[1]) / 2e-5
    assert np.abs(wanted).max() > 0.5
    np.testing.assert_allclose(found.sensitivity("x", "upper"), wanted, atol=1e-4)


@pytest.mark.slow
def test_places_that_move_beside_relative_coordinates() -> None:
    """A slider on a rigid guide: its number stays a coordinate, the joint on it an equation."""
    options = {"guide": "rigid", "backend": "c"}
    name = "four_bar_flexible_guide"
    plane = load(name, **options)
    small = load(name, coordinates="relative", **options)
    assert small.n_q == 4 < plane.n_q
    ours, theirs = (simulate(s, (0, 1.0), h=1e-3) for s in (small, plane))
    for output in ("s", "tip", "moment"):
        np.testing.assert_allclose(ours[output], theirs[output], atol=1e-10)

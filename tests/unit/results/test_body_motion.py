"""The motion of all bodies, whatever their coordinates, against formulas of rigid bodies."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import mbdgen
from mbdgen import Model
from mbdgen.errors import OptionError
from mbdgen.language.registry import body_kinds
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.results.body_motion import BodyMotion, body_motion
from mbdgen.runtime.system.euler_parameters import euler_parameters
from tests.sample_result import make as sample
from tests.unit.kernels.element import STEP, Array, ElementCase, State
from tests.unit.kernels.scenes import KINDS as SHOWN

KINDS = [name for name in SHOWN if body_kinds()[name].is_body]  # of Euler angles one of each sort
COM = np.array([0.2, -0.1, 0.15])
TENSOR = np.array([[0.5, 0.03, -0.02], [0.03, 0.4, 0.05], [-0.02, 0.05, 0.3]])
GRAVITY = np.array([0.3, -9.81, 0.5])
EXACT = 1e-12
EXTRA = {
    "natural-3p2v": {
        "points": ((0.1, -0.2, 0.3), (1.1, 0.1, 0.2), (0.3, 0.8, 0.1)),
        "vectors": ((0.0, 0.6, 0.8), (0.8, 0.0, -0.6)),
    },
    "natural-planar-3p": {"points": ((0.1, -0.2), (1.1, 0.3), (0.2, 0.7))},
}


def rotation(q: Any) -> Array:
    """The rotation matrix of a unit quaternion, scalar first."""
    e0, e = q[0], np.array(q[1:])
    return (2 * e0**2 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * skew(e))


def skew(e: Array) -> Array:
    return np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])


class Pose:
    """Some motion of a body of a kind, as the model is told it and by textbook formulas."""

    def __init__(self, kind: str) -> None:
        rng = np.random.default_rng(5)
        known = {**body_kinds(), **{k: None for k in EXTRA}}[kind]
        self.planar = "planar" in kind or (known is not None and known.planar)
        self.turns = known is None or known.turns
        q = rng.normal(size=4) * ([1, 0, 0, 1] if self.planar else 1)
        q /= np.linalg.norm(q)
        w = rng.uniform(-1, 1, 3) * ([0, 0, 1] if self.planar else 1)
        r, v = rng.uniform(-1, 1, (2, 3)) * ([1, 1, 0] if self.planar else 1)
        com = COM * ([1, 1, 0] if self.planar else 1)
        if not self.turns:
            q, w, com = np.array([1.0, 0, 0, 0]), np.zeros(3), np.zeros(3)
        self.R, self.w = rotation(q), w
        self.r, self.v = r + self.R @ com, v + np.cross(w, self.R @ com)
        self.model = Model("one", gravity=GRAVITY * ([1, 1, 0] if self.planar else 1))
        told: dict[str, Any] = {"position": r, "velocity": v}
        size = 2 if self.planar else 3
        told = {name: tuple(map(float, x[:size])) for name, x in told.items()}
        if self.turns:
            told |= {
                "orientation": tuple(map(float, q)),
                "centre_of_mass": tuple(map(float, com[:size])),
            }
            told |= {"angular_velocity": float(w[2]) if self.planar else tuple(map(float, w))}
            told["inertia"] = TENSOR[2, 2] if self.planar else TENSOR.tolist()
        self.model.body("rod", 1.3, coordinates=kind, **told, **EXTRA.get(kind, {}))


def derived_motion(case: ElementCase, s: State) -> dict[str, Array]:
    """The derived motion of one body at (complex) numbers."""
    out = case.values("motion", s)[:, 0]
    parts = dict(zip(("v", "w", "a", "alpha"), out[12:].reshape(4, 3), strict=True))
    return {"r": out[:3], "R": out[3:12].reshape(3, 3).T, **parts}


@pytest.mark.parametrize("kind", [*KINDS, *EXTRA])
def test_every_kind_of_body(kind: str) -> None:
    """Place and velocities as the model was told, rates as complex steps along the motion."""
    pose = Pose(kind)
    case = ElementCase(pose.model, "rod")
    rng = np.random.default_rng(8)
    s = case.initial_state(rng)
    (body,) = case.bodies
    s.v[:, 0] = [float(x) for x in body.kind.initial(body.motion)[1]]
    found = derived_motion(case, s)
    for name in ("r", "R", "v", "w"):
        assert np.abs(found[name] - getattr(pose, name)).max() < EXACT, name
    moved = derived_motion(case, s.moved(t=1, q=s.v, v=s.a))
    slope = {name: x.imag / STEP for name, x in moved.items()}
    assert np.abs(slope["r"] - found["v"].real).max() < EXACT
    assert np.abs(slope["R"] - skew(found["w"].real) @ found["R"].real).max() < EXACT
    assert np.abs(slope["v"] - found["a"].real).max() < EXACT * (1 + np.abs(found["a"]).max())
    assert np.abs(slope["w"] - found["alpha"].real).max() < EXACT * (1 + np.abs(slope["w"]).max())


@pytest.mark.representatives(id=["planar", "cylindrical"])
@pytest.mark.parametrize("kind", ["natural-1p3v", "planar", "cylindrical"])
def test_a_free_body_falls_and_turns_by_euler(kind: str) -> None:
    """The compiled way: a parabola, and R I R^T alpha + w x R I R^T w = 0, at every instant."""
    pose = Pose(kind)
    system = mbdgen.load(pose.model)
    run = mbdgen.simulate(system, (0.0, 0.2), method="rk4", h=2e-3)
    assert run.success
    bodies, t = run.bodies, run.t[:, None]
    assert bodies.names == ("rod",) and bodies.r.shape == (len(t), 1, 3)
    gravity = GRAVITY * ([1, 1, 0] if pose.planar else 1)
    parabola = pose.r + pose.v * t + gravity * t**2 / 2
    assert np.abs(bodies.r[:, 0] - parabola).max() < 1e-9  # of order 4, with steps of 2 ms
    assert np.abs(bodies.v[:, 0] - pose.v - gravity * t).max() < 1e-8
    assert np.abs(bodies.a[:, 0] - gravity).max() < 1e-7
    if not pose.turns:
        return
    axes, w, alpha = bodies.R[:, 0], bodies.w[:, 0], bodies.alpha[:, 0]
    inertia = axes @ TENSOR @ axes.transpose(0, 2, 1)
    moment = np.einsum("tij,tj->ti", inertia, alpha)
    spin = np.cross(w, np.einsum("tij,tj->ti", inertia, w))
    if pose.planar:
        moment, spin = moment[:, 2], spin[:, 2]
    assert np.abs(moment + spin).max() < 1e-7
    assert np.abs(axes @ axes.transpose(0, 2, 1) - np.eye(3)).max() < 1e-9


def parts(motion: BodyMotion) -> dict[str, Array]:
    return {name: getattr(motion, name) for name in ("r", "R", "v", "w", "a", "alpha")}


def placed(name: str, **options: Any) -> BodyMotion:
    """The motion of the assembled initial state of a shipped model."""
    system = mbdgen.load(name, **options)
    state = assemble(system)
    return body_motion(system, state.q, state.v, state.a)


@pytest.mark.representatives(id="heavy_top-options0")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("heavy_top", {"coordinates": "relative"}),
        ("heavy_top", {"coordinates": "natural-1p3v", "eliminate": True}),
        ("heavy_top", {"coordinates": "rotation-vector", "layout": "loop"}),
        pytest.param(
            "chain", {"coordinates": "relative", "layout": "loop", "n": 2}, marks=pytest.mark.slow
        ),
        pytest.param("governor", {"coordinates": "relative"}, marks=pytest.mark.slow),
        pytest.param("governor", {"coordinates": "natural-2p2v"}, marks=pytest.mark.slow),
    ],
)
def test_one_mechanism_in_other_coordinates(name: str, options: dict[str, Any]) -> None:
    given = {"n": options["n"]} if "n" in options else {}
    one, other = placed(name, **given), placed(name, **options)
    assert one.names == other.names
    expected = parts(one)
    for part, x in parts(other).items():
        scale = 1 + np.abs(expected[part]).max()
        assert np.abs(x - expected[part]).max() < 1e-8 * scale, part


def test_hidden_states_of_relative_coordinates_are_those_of_the_run() -> None:
    """A result reads what was recorded behind the outputs; the function evaluates it again."""
    system = mbdgen.load("pendulum", coordinates="relative")
    run = mbdgen.simulate(system, (0.0, 0.3), h=1e-2)
    again = body_motion(system, run.q, run.v, run.a)
    for part, x in parts(run.bodies).items():
        assert np.abs(x - parts(again)[part]).max() < EXACT * (1 + np.abs(x).max()), part


def test_driven_motion_in_relative_coordinates() -> None:
    """Kinematics records states of bodies too: a rod of length 1 that turns at 2 rad/s."""
    system = mbdgen.load("pendulum", coordinates="relative")
    (angle,) = system.names.coordinates
    law = {angle: lambda t: (0.3 + 2.0 * t, 2.0, 0.0)}
    bodies = mbdgen.kinematics(system, np.linspace(0.0, 0.2, 3), law).motion.bodies
    r, v, a = bodies.r[:, 0], bodies.v[:, 0], bodies.a[:, 0]
    assert np.abs(np.linalg.norm(r, axis=1) - 1.0).max() < EXACT
    assert np.abs(bodies.w[:, 0] - [0.0, 0.0, 2.0]).max() < EXACT
    assert np.abs(v - np.cross([0.0, 0.0, 2.0], r)).max() < EXACT
    assert np.abs(a + 4.0 * r).max() < 1e-11


def test_switched_numbers() -> None:
    """Recorded numbers count from the first base also when a run has changed it."""
    system = mbdgen.load("torque_free_body", coordinates="gibbs")
    run = mbdgen.simulate(system, (0.0, 3.0), method="rk4", h=5e-3)
    assert run.switches and run.bodies is run.bodies
    plain = mbdgen.simulate(mbdgen.load("torque_free_body"), (0.0, 3.0), method="rk4", h=5e-3)
    there = np.isfinite(run.q).all(axis=1)
    assert there.mean() > 0.9
    for part, x in parts(run.bodies).items():
        error = np.abs(x - parts(plain.bodies)[part])[there]
        assert error.max() < 1e-5, part  # two runs of order 4


def test_parameters_of_the_run_count() -> None:
    """Numbers that the motion reads are those of the run, not of a later change."""
    model = Model("moved", gravity=(0, -9.81))
    offset = model.parameter("d", 0.1)
    model.body("rod", 1.0, 0.1, centre_of_mass=(offset, 0), coordinates="natural", length=0.5)
    system = mbdgen.load(model)
    system.set(d=0.3)
    run = mbdgen.simulate(system, (0.0, 0.01), h=1e-2)
    system.set(d=0.2)
    assert abs(run.bodies.r[0, 0, 0] - 0.3) < EXACT
    assert abs(body_motion(system, system.q0).r[0, 0, 0] - 0.2) < EXACT


def test_numbers_are_no_bodies() -> None:
    """A parameter of a curve has no place."""
    model = Model("slot", gravity=(0, -9.81))
    rod = model.body("rod", 1.0, 0.1, position=(0.0, 0.0), coordinates="planar")
    curve = {"curve": lambda s: (s, s**2, 0 * s), "start": 0}
    model.point_on_curve("path", model.ground, rod, at=(0, 0, 0), **curve)
    system = mbdgen.load(model)
    assert len(system.names.coordinates) == 4 and system.data.bodies == ("rod",)
    assert body_motion(system, system.q0).r.shape == (1, 1, 3)


def test_mistakes() -> None:
    system = mbdgen.load("pendulum")
    with pytest.raises(OptionError, match=r"\(q, v, a\) have shapes \(1, 3\)"):
        body_motion(system, np.zeros(3))
    with pytest.raises(OptionError, match="does not know where bodies are"):
        _ = replace(sample(), places=None).bodies
    with pytest.raises(OptionError, match=r"no body 'rob'\. The bodies are: rod, arm"):
        sample().bodies.point("rob")
    with pytest.raises(OptionError, match=r"point \(1,\) of 'rod' has not 3 numbers"):
        sample().bodies.point("rod", (1,))


def test_euler_parameters_are_continuous_and_give_the_rotation() -> None:
    """Three turns about a tilted axis: rotation back from p, the angle 2 acos(e0) up to a turn."""
    axis, angle = np.array([2.0, -1.0, 2.0]) / 3.0, np.linspace(0.0, 6.0 * np.pi, 400)
    axes = np.array([rotation([np.cos(x / 2), *(np.sin(x / 2) * axis)]) for x in angle])
    p = euler_parameters(axes[:, None])[:, 0]
    wanted = np.column_stack([np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis])
    assert np.abs(p - wanted).max() < EXACT
    first = angle < 2 * np.pi
    assert np.abs(2 * np.arccos(p[first, 0]) - angle[first]).max() < 1e-7  # acos near one
    half = euler_parameters(np.diag([1.0, -1, -1])[None, None])[0, 0]
    assert np.abs(half - [0, 1, 0, 0]).max() < EXACT
    gone = euler_parameters(np.stack([axes[:1], axes[1:2] * np.nan, axes[2:3]]))[:, 0]
    assert np.isnan(gone[1]).all() and np.abs(gone[2] - wanted[2]).max() < EXACT


def test_series_of_bodies_by_name() -> None:
    """Columns of a result, in both frames, and points against differences of their positions."""
    system = mbdgen.load("heavy_top")
    run = mbdgen.simulate(system, (0.0, 0.02), method="rk4", h=1e-4)  # at 150 rad/s
    (name,), bodies = run.bodies.names, run.bodies
    for quantity in ("r", "p", "rd", "w", "wp", "rdd", "wd", "wpd"):
        whole = run[f"{name}.{quantity}"]
        assert np.array_equal(whole, bodies.quantity(quantity)[:, 0])
        assert f"{name}.{quantity}" in run and f"{name}.{quantity}" not in run.keys()
    assert np.array_equal(run[f"{name}.p.e2"], bodies.p[:, 0, 2])
    assert run.unit(f"{name}.wpd") == "rad/s^2" and f"{name}.p.x" not in run
    assert np.array_equal(run[f"bodies.{name}.r"], bodies.r[:, 0])
    turned = np.einsum("tij,tj->ti", bodies.R[:, 0], run[f"{name}.wp"])
    assert np.abs(turned - run[f"{name}.w"]).max() < 1e-9  # w = A wp, up to the norm of q
    point = bodies.point(name, (0.1, -0.2, 0.3))
    slope = np.gradient(point.r, run.t, axis=0, edge_order=2)[1:-1]
    assert np.abs(slope - point.v[1:-1]).max() < 1e-3 * np.abs(point.v).max()  # (w h)^2 / 6
    bend = np.gradient(point.v, run.t, axis=0, edge_order=2)[1:-1]
    assert np.abs(bend - point.a[1:-1]).max() < 1e-3 * np.abs(point.a).max()
    rates = np.gradient(bodies.p[:, 0], run.t, axis=0, edge_order=2)[1:-1]
    e0, e = bodies.p[1:-1, 0, :1], bodies.p[1:-1, 0, 1:]
    omega = 2 * (e0 * rates[:, 1:] - e * rates[:, :1] + np.cross(e, rates[:, 1:]))
    assert np.abs(omega - run[f"{name}.w"][1:-1]).max() < 1e-3 * np.abs(omega).max()


def test_names_of_coordinates_go_first() -> None:
    """A point mass in cylindrical coordinates has an r of its own."""
    model = Model("own", gravity=(0, 0, -9.81))
    model.body("bead", 1.0, position=(0.6, 0.8, 0.0), coordinates="cylindrical")
    run = mbdgen.simulate(mbdgen.load(model), (0.0, 0.01), h=1e-2)
    assert run["bead.r"].shape == (2,) and abs(run["bead.r"][0] - 1.0) < EXACT
    assert np.abs(run["bodies.bead.r"][0] - [0.6, 0.8, 0.0]).max() < EXACT
    assert run["bead.rd"].shape == (2, 3)


@pytest.mark.slow
def test_a_module_alone_knows_it(tmp_path: Any) -> None:
    """Neither SymPy nor a stage of the compiler is loaded for it."""
    path = mbdgen.build("pendulum", out=tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import pendulum\n"
        "print(pendulum.simulate((0, 0.01)).bodies.r.shape)\n"
        "assert not {'sympy', 'jinja2', 'mbdgen.symbolic', 'mbdgen.emit'} & {*sys.modules}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path.parent)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(11, 1, 3)"

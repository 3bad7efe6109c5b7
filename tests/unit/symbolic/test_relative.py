"""Relative coordinates: which joints give what, kernels against complex steps, costs, mistakes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load
from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.joints.revolute import Revolute
from mbdgen.language.read import read
from mbdgen.stages import derive_types, lower_model
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import FlatKernel, SystemIR
from mbdgen.symbolic.statement.verify_joint_moves import joints_with_wrong_moves
from mbdgen.topology.specify import specify
from mbdgen.topology.tree import Tree, grow

MODELS = [
    ("pendulum", {}),
    ("double_pendulum", {}),
    ("slider_crank", {}),
    ("crank_dyads", {}),
    ("heavy_top", {}),
    pytest.param("governor", {}, marks=pytest.mark.slow),
]


def tree_of(model: Model) -> Tree:
    specs = specify(model)
    return grow(specs, joints_with_wrong_moves(model, specs, derive_types(specs, "sympy")))


def lowered(model: Model, layout: str = "flat", backend: str = "numba") -> SystemIR:
    specs = specify(model)
    options = BuildOptions(backend, layout)
    return lower_model(model, specs, derive_types(specs, "sympy"), options)


def relative(name: str, **arguments: Any) -> Model:
    return read(name, {**arguments, "coordinates": "relative"})


@pytest.mark.representatives(
    id=[
        "pendulum-given0-cut0",
        "slider_crank-given1-cut1",
        "crank_dyads-given2-cut2",
        "bricard-given3-cut3",
    ]
)
@pytest.mark.parametrize(
    ("name", "given", "cut"),
    [
        ("pendulum", ["pin"], []),
        ("slider_crank", ["A", "guide", "B"], ["C"]),
        ("crank_dyads", ["bearing", "guide0", "fork0"], ["pin0"]),  # balls are cheap to cut
        ("bricard", ["J0", "J5", "J1", "J4", "J2"], ["J3"]),  # in the middle of the loop
        ("governor", ["bearing", "guide", "hinge_right", "hinge_left"], []),
    ],
)
def test_which_joints_give_places(name: str, given: list[str], cut: list[str]) -> None:
    tree = tree_of(read(name))
    assert [branch.joint for branch in tree.branches] == given
    assert list(tree.cut) == cut


def test_a_branch_may_go_from_b_to_a() -> None:
    tree = tree_of(read("crank_dyads"))
    (fork,) = (branch for branch in tree.branches if branch.joint == "fork0")
    assert fork.backward and fork.parent.name == "slider0" and fork.child.name == "rod0"


@dataclass(frozen=True)
class Locked(Revolute):
    """A hinge that is no hinge: one more equation than the moves it inherits leave."""

    name = "locked"

    def equations(self, a: Any, b: Any) -> list[Any]:
        return [*super().equations(a, b), a.e1.dot(b.e2)]


def test_joints_that_break_their_promise_stay_equations() -> None:
    model = Model("held", coordinates="relative")
    arm = model.body("arm", 1.0, (1, 1, 1))
    hand = model.body("hand", 1.0, (1, 1, 1), position=(1, 0, 0))
    model.revolute("pin", model.ground, arm, at=(0, 0, 0), axis=(0, 0, 1))
    model.add("lock", Locked, arm, hand, at=(1, 0, 0), axis=(0, 0, 1))
    tree = tree_of(model)
    assert [branch.joint for branch in tree.branches] == ["pin"]
    assert tree.cut == ("lock",) and [body.name for body in tree.free] == ["hand"]


def kernel(system: SystemIR, name: str) -> FlatKernel:
    return next(k for k in system.flat if k.name == name)


class Point:
    """Values of kernels at a random state, and slopes by complex steps."""

    def __init__(self, system: SystemIR) -> None:
        self.system, rng = system, np.random.default_rng(7)
        n_q, n_lam = system.sizes["n_q"], system.sizes["n_lam"]
        self.arrays = {k: rng.normal(size=n_q) for k in "qva"} | {"lam": rng.normal(size=n_lam)}
        self.arrays |= {"p": system.p, "w": np.array([0.3, 0.7, 1.1])}

    def value(self, name: str, size: int, **other: Any) -> np.ndarray:
        k = kernel(self.system, name)
        arrays = self.arrays | other
        inputs = {"t": 0.3, **{n: arrays[a][i] for n, a, i in k.inputs if a != "t"}}
        out = np.zeros(size, complex)
        nodes = [node for _, node in k.outputs]
        for (at, _), x in zip(k.outputs, evaluate(k.graph, nodes, inputs), strict=True):
            out[at] = x
        return out

    def slope(self, name: str, size: int, directions: dict[str, np.ndarray]) -> np.ndarray:
        moved = {k: self.arrays[k] + 1e-30j * d for k, d in directions.items()}
        return self.value(name, size, **moved).imag / 1e-30


@pytest.mark.parametrize(("name", "arguments"), MODELS)
def test_kernels_against_the_complex_step(name: str, arguments: dict[str, Any]) -> None:
    system = lowered(relative(name, **arguments))
    point = Point(system)
    n, n_q, nnz = (system.sizes[k] for k in ("n", "n_q", "nnz"))
    values = point.value("matrix", nnz).real
    columns = np.repeat(np.arange(n), np.diff(system.indptr))
    found = np.zeros((n, n))
    found[system.indices, columns] = values
    rows = list(system.roles.constraint_rows)
    for k in range(n):
        unit = np.eye(n)[k][:n_q]
        if k < n_q:
            step = {kind: w * unit for kind, w in zip("qva", (0.3, 0.7, 1.1), strict=True)}
            expected = point.slope("residual", n, step)
            expected[rows] = point.slope("residual", n, {"q": unit})[rows]
        else:
            expected = point.slope("residual", n, {"lam": np.eye(n - n_q)[k - n_q]})
        np.testing.assert_allclose(
            found[:, k], expected, atol=1e-11 * (1 + abs(expected).max(initial=0))
        )
    a, v = point.arrays["a"], point.arrays["v"]
    rates = point.value("rates", 2 * n).real
    if not any("driver" in row for row in system.names["rows"]):
        first = point.slope("residual", n, {"q": v})[rows]
        np.testing.assert_allclose(rates[rows], first, atol=1e-11 * (1 + abs(first).max(initial=0)))
        second = point.slope("rates", 2 * n, {"q": v, "v": a})[rows]
        at = [n + row for row in rows]
        np.testing.assert_allclose(rates[at], second, atol=1e-11 * (1 + abs(second).max(initial=0)))


@pytest.mark.parametrize(("name", "arguments"), MODELS)
def test_the_mass_matrix_is_that_of_the_kinetic_energy(name: str, arguments: Any) -> None:
    """In displacements ``T`` of unit quaternions, symmetric; ``v M v = 2 T`` on the norm."""
    system = lowered(relative(name, **arguments))
    point = Point(system)
    n, n_q, nnz = (system.sizes[k] for k in ("n", "n_q", "nnz"))
    q, v = point.arrays["q"].copy(), point.arrays["v"].copy()
    velocity = v.copy()
    for first, size in system.roles.unit_blocks:
        part = slice(first, first + size)
        q[part] /= np.linalg.norm(q[part])
        v[part] -= q[part] * (q[part] @ v[part])
        # Rows are conjugate to the angular velocity: three numbers in the place of four.
        q0, q1, q2, q3 = q[part]
        e = np.array([[-q1, q0, q3, -q2], [-q2, -q3, q0, q1], [-q3, q2, -q1, q0]])
        velocity[first : first + 3], velocity[first + 3] = 2 * e @ v[part], 0.0
    weights = np.array([0.0, 0.0, 1.0])
    values = point.value("matrix", nnz, q=q, v=v, w=weights).real
    mass = np.zeros((n, n))
    mass[system.indices, np.repeat(np.arange(n), np.diff(system.indptr))] = values
    kinetic = point.value("energies", 3, q=q, v=v)[0].real
    assert velocity @ (mass[:n_q, :n_q] @ v) == pytest.approx(2 * kinetic, rel=1e-12)


@pytest.mark.slow
def test_the_cost_of_accelerations_is_linear() -> None:
    """Operations of the recursion; a dense matrix of joint angles would grow with the square."""
    from mbdgen.emit.backends import find_backend
    from mbdgen.emit.recursive import branches, recursive_elements, recursive_kernels

    counts = {}
    for n in (10, 100, 1000):
        system = lowered(relative("chain", n=n), "loop")
        printer = find_backend("numba").printer
        assert system.recursion is not None
        printed = branches(system.recursion, printer)
        from mbdgen.emit.element_kernels import element_kernels

        elements = element_kernels(system, printer) + recursive_elements(system, printer)
        kernels = recursive_kernels(system, elements, printed)
        counts[n] = {k.name: k.operations for k in kernels}
    for name in ("accelerations", "residual", "energies"):
        assert counts[1000][name] / counts[100][name] == pytest.approx(10, rel=0.02)
    assert counts[100]["matrix"] / counts[10]["matrix"] > 80


def test_a_mechanism_without_relative_coordinates() -> None:
    with pytest.raises(BuildError, match="gives the place of a body"):
        lowered(relative("torque_free_body"))


def test_auto_takes_trees_only() -> None:
    assert lowered(read("double_pendulum", {"coordinates": "auto"})).names["coordinates"] == (
        "pin1.angle",
        "pin2.angle",
    )
    closed = lowered(read("slider_crank", {"coordinates": "auto"}))
    assert closed.names["coordinates"][:3] == ("crank.x", "crank.y", "crank.theta")


def test_nothing_is_left_of_a_body_that_is_fixed_to_the_ground() -> None:
    def fixed(coordinates: str) -> Model:
        m = Model("stone", gravity=(0, 0, -9.81), coordinates=coordinates)
        m.fixed("held", m.ground, m.body("stone", 1.0, (1, 1, 1), position=(1, 0, 0)))
        return m

    with pytest.raises(BuildError, match="let no body move"):
        lowered(fixed("relative"))
    assert len(lowered(fixed("auto")).names["coordinates"]) == 7


def test_loops_say_what_they_cannot_do() -> None:
    model = planar_chain()
    model.point_mass("bob", 1.0)
    with pytest.raises(BuildError, match="cannot place body 'bob'"):
        lowered(read(model, {"coordinates": "relative"}), "loop")
    with pytest.raises(BuildError, match="reaction of a joint that gives a place"):
        lowered(relative("pendulum"), "loop")
    with pytest.raises(BuildError, match="backend c has none"):
        lowered(relative("chain", n=2), "loop", "c")


def test_the_model_given_is_left_alone() -> None:
    model = read("pendulum")
    assert read(model, {"coordinates": "relative"}).joint_coordinates == "relative"
    assert model.joint_coordinates == ""


def test_show_prints_the_choice() -> None:
    from mbdgen.show.stage_texts import lower_text

    text = lower_text(lowered(relative("slider_crank")))
    assert "A (ground to crank), guide (ground to slider), B (crank to rod)" in text
    assert "cut joints" in text and "C" in text


def plain(system: SystemIR, model: Model) -> dict[str, Any]:
    """Return the functions of a module of loops as Python, with arrays in the place of pointers."""
    import math
    import re

    from mbdgen.emit.backends import find_backend
    from mbdgen.emit.module_header import facts_of
    from mbdgen.stages import emit_text

    facts = facts_of(model, system, BuildOptions("numba", "loop"))
    (text,) = emit_text(system, find_backend("numba"), facts).values()
    code = text[text.index("# --- elements") : text.index("\nKERNELS = Kernels(")]
    code = re.sub(r"^(@|ARRAY, REALS).*$", "", code.replace(".ctypes", ""), flags=re.MULTILINE)
    found: dict[str, Any] = {"np": np, "math": math, "vector": lambda a, n: a}
    exec(code, found)
    return found


def planar_chain() -> Model:
    """Rods in the plane: what their rows are written from has no coordinate in it."""
    m = Model("planar_chain", gravity=(0, -9.81, 0), coordinates="planar")
    before = m.ground.at()
    for k in range(3):
        rod = m.body(f"rod{k}", 1.2, 0.064, centre_of_mass=(0.4, 0), position=(0.8 * k, 0))
        m.revolute(f"pin{k}", before, rod.at(), axis=(0, 0, 1))
        before = rod.at(0.8, 0)
    m.output("end", before)
    return m


def floating(coordinates: str) -> Model:
    """A tree whose root no joint holds."""
    m = Model("floating", gravity=(0, -9.81, 0), coordinates=coordinates)
    inertia: Any = (0.3, 0.4, 0.5)
    base = m.body("base", 2.0, inertia, position=(0.1, 0.2), centre_of_mass=(0.1, 0.05))
    arm = m.body("arm", 1.0, (0.01, 0.1, 0.1), position=(0.6, 0.2))
    hand = m.body("hand", 1.0, (0.01, 0.1, 0.1), position=(1.1, 0.2))
    m.revolute("pin", base, arm, at=(0.6, 0.2, 0), axis=(0, 0, 1))
    if coordinates == "quaternion":
        m.spherical("ball", arm, hand, at=(1.1, 0.2, 0))
    else:
        m.prismatic("rail", arm, hand, at=(1.1, 0.2, 0), axis=(1, 0.5, 0))
    m.spring("s", m.ground.at(), hand.at(), stiffness=10, length=0.2)
    m.output("tip", hand.at(0.3, 0, 0))
    return m


LOOPS = {
    "three bodies in space": lambda: read("crank_dyads"),
    "balls": lambda: read("chain", {"n": 2, "kind": "spherical"}),
    "plane": planar_chain,
    "free in the plane": lambda: floating("planar"),
    "free in space": lambda: floating("quaternion"),
}


@pytest.mark.representatives(id=["plane", "free in the plane"])
@pytest.mark.parametrize("name", LOOPS)
def test_loops_say_what_straight_lines_say(name: str) -> None:
    model = read(LOOPS[name](), {"coordinates": "relative"})
    lines, loops = lowered(model), lowered(model, "loop")
    point, functions = Point(lines), plain(loops, model)
    n, n_out = lines.sizes["n"], lines.sizes["n_out"]
    state = [point.arrays[k] for k in ("q", "v", "a", "lam", "w")]
    for kernel_name, size in (("residual", n), ("rates", 2 * n), ("outputs", n_out)):
        out = np.zeros(size)
        functions[kernel_name](0.3, *state, loops.p, loops.m, out)
        expected = point.value(kernel_name, size).real
        np.testing.assert_allclose(out, expected, atol=1e-12 * (1 + np.abs(expected).max()))
    out, expected = np.zeros(n * n), np.zeros((n, n))
    functions["matrix"](0.3, *state, loops.p, loops.m, out)
    columns = np.repeat(np.arange(n), np.diff(lines.indptr))
    expected[lines.indices, columns] = point.value("matrix", len(columns)).real
    np.testing.assert_allclose(out.reshape(n, n).T, expected, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["balls", "plane", "free in the plane", "free in space"])
def test_accelerations_of_loops_balance_forces(name: str) -> None:
    """With the accelerations of the recursion no row is left, and the norms of balls stay."""
    model = read(LOOPS[name](), {"coordinates": "relative"})
    loops = lowered(model, "loop")
    functions, rng = plain(loops, model), np.random.default_rng(1)
    q, v = rng.normal(size=(2, loops.sizes["n_q"]))
    for first, size in loops.roles.unit_blocks:
        part = slice(first, first + size)
        q[part] /= np.linalg.norm(q[part])
        v[part] -= q[part] * (q[part] @ v[part])
    n, none = loops.sizes["n"], np.zeros(0)
    a, rows, rates = np.zeros(len(q)), np.zeros(n), np.zeros(2 * n)
    state = loops.p, loops.m
    assert functions["accelerations"](0.3, q, v, a, none, np.zeros(3), *state, a) == 0
    functions["residual"](0.3, q, v, a, none, np.zeros(3), *state, rows)
    functions["rates"](0.3, q, v, a, none, np.zeros(3), *state, rates)
    assert np.abs(a).max() > 1.0
    assert np.abs(rows).max() < 1e-12 * 100 and np.abs(rates).max() < 1e-12 * 100


@pytest.mark.slow
def test_equations_out_of_the_plane_of_a_loop_are_regularised() -> None:
    """Their derivatives are round-off, whose square is no measure of what has to be added."""
    m = Model("loop_in_a_plane", gravity=(0, -9.81, 0))
    corners = np.array([(0, 0, 0), (0.3, 0.9, 0), (1.4, 1.1, 0), (1.2, 0, 0)])
    bars = [
        m.body(f"bar{k}", 1.0, (0.01, 0.1, 0.1), position=tuple(corners[k : k + 2].mean(axis=0)))
        for k in range(3)
    ]
    chain = [m.ground, *bars, m.ground]
    for k, corner in enumerate(corners):
        tilt = 3e-14 if k == 2 else 0.0
        m.revolute(f"pin{k}", chain[k], chain[k + 1], at=tuple(corner), axis=(tilt, 0, 1))
    system = load(m, backend="c", coordinates="relative", layout="flat")
    system.regularise(0.0, system.q0)
    assert system.work.eps.min() > 1e-2 * system.work.eps.max()

"""Measurements that the decisions quote: ``python docs/decisions/measure.py NAME``.

The names are those of the functions. Times depend on the machine: what the notes quote was
measured on two cores of a cloud server with the versions that ``mbdgen doctor`` printed there.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def best(function: Callable[[], object], repeat: int = 7) -> float:
    """Shortest time of one call in microseconds."""
    count, seconds = 1, 0.0
    while seconds < 0.01:
        count *= 2
        start = time.perf_counter()
        for _ in range(count):
            function()
        seconds = time.perf_counter() - start
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - start) / count)
    return 1e6 * min(times)


def signature() -> None:
    """A call of a kernel from a compiled loop: as ``cfunc`` and as ``njit`` function."""
    from numba import cfunc, njit, types

    from mbdgen.runtime.program.kernel_abi import KERNEL, KERNEL_SIGNATURE

    array, integers = types.float64[::1], types.int64[::1]

    @njit(types.float64(KERNEL, array, integers, types.int64))
    def loop(kernel: Any, x: Any, m: Any, count: int) -> float:
        for _ in range(count):
            y = x.ctypes
            kernel(0.0, y, y, y, y, y, y, m.ctypes, y)
        return x[0]

    def kernel(t: Any, q: Any, v: Any, a: Any, lam: Any, w: Any, p: Any, m: Any, out: Any) -> int:
        out[0] = out[0] + 1.0
        return 0

    x, m = np.zeros(1), np.zeros(1, np.int64)
    for name, made in (
        ("cfunc", cfunc(KERNEL_SIGNATURE)(kernel)),
        ("njit", njit(KERNEL_SIGNATURE)(kernel)),
    ):
        say(f"{name}: {best(lambda made=made: loop(made, x, m, 100_000)) / 100:.1f} ns a call")


def start() -> None:
    """Processes that simulate a model: first, second, and with the generated module alone."""
    from mbdgen import build

    code = (
        "import sys, time; t = time.perf_counter();"
        "from mbdgen import load, simulate;"
        "simulate(load(sys.argv[1]), (0, 1), h=1e-2, progress=False);"
        "print(f'{time.perf_counter() - t:.2f} s, SymPy loaded:', 'sympy' in sys.modules)"
    )
    with tempfile.TemporaryDirectory() as folder:
        module = build("n_four_bar", out=folder)
        for which, model in (
            ("first", "n_four_bar"),
            ("second", "n_four_bar"),
            ("module, first", str(module)),
            ("module, second", str(module)),
        ):
            command = [sys.executable, "-c", code, model]
            environment = os.environ | {"MBDGEN_CACHE": folder}
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            say(f"{which}: {done.stdout.strip()}{done.stderr}")


def sharing() -> None:
    """Nodes of the graph of each type, and how many operations they would be without sharing."""
    from mbdgen.language.read import read
    from mbdgen.stages import derive_types
    from mbdgen.symbolic.ir.graph import operands
    from mbdgen.topology.specify import specify

    for spec_key, ir in derive_types(specify(read("bricard")), "sympy").items():
        del spec_key
        size: list[int] = []
        for node in ir.graph.nodes:
            size.append(1 + sum(size[k] for k in operands(node)))
        roots = [n for name in ("residual", "matrix", "rates") for _, n in ir.entries(name)]
        if roots:
            alone, shared = sum(size[n] for n in roots), len(ir.graph.needed(roots))
            say(f"{ir.title} ({ir.role}): {shared} nodes, {alone} as trees")


def lu() -> None:
    """Factorise and solve the index-1 matrix: ours, SuperLU, LAPACK."""
    from scipy.linalg import lu_factor, lu_solve
    from scipy.sparse.linalg import splu

    from mbdgen import load
    from mbdgen.runtime.linalg.linear_solver import analyse, factorise, solve

    for count in (1, 5, 50):
        system = load("n_four_bar", n=count, layout="loop")
        system.regularise(0.0, system.q0)
        a = system.index_1_matrix(0.0, system.q0)
        values, rhs, x = a.data.copy(), np.ones(system.n), np.zeros(system.n)
        factors = analyse(system.work.indptr, system.work.indices, values)

        def ours(f: Any = factors, values: Any = values, rhs: Any = rhs, x: Any = x) -> None:
            assert factorise(f, values) == 0
            solve(f, rhs, x)

        def superlu(a: Any = a, rhs: Any = rhs) -> None:
            splu(a).solve(rhs)

        dense = a.toarray()

        def lapack(dense: Any = dense, rhs: Any = rhs) -> None:
            lu_solve(lu_factor(dense), rhs)

        others = f"SuperLU {best(superlu):.0f} us, LAPACK {best(lapack):.0f} us"
        text = f"n = {system.n}: {best(ours):.1f} us, {others}"
        error = np.abs(a @ x - rhs).max()
        say(f"{text}; residual {error:.0e}")


def projections() -> None:
    """Newmark with and without projections: reactions of the pendulum A01."""
    from mbdgen import load, simulate
    from mbdgen.runtime.integrators import newmark
    from mbdgen.runtime.integrators.base import Method, compiled_step
    from mbdgen.runtime.stepping.newton_iteration import solve_step
    from mbdgen.runtime.system.run_workspace import OK

    @compiled_step
    def step(
        kernels: Any, work: Any, state: Any, h: float, options: Any, tangent: Any, mass: Any
    ) -> int:
        beta, gamma = options[0], options[1]
        q_known, v_known = work.scratch[0], work.scratch[1]
        for i in range(len(state.q)):
            q_known[i] = state.q[i] + h * state.v[i] + h * h * (0.5 - beta) * state.a[i]
            v_known[i] = state.v[i] + h * (1.0 - gamma) * state.a[i]
        t = state.clock[0] + h
        c_q, c_v = beta * h * h, gamma * h
        status = solve_step(
            *(kernels, work, tangent, state, q_known, v_known, t, c_q, c_v, options[2], 20)
        )
        if status == OK:
            state.clock[0] = t
        return status

    base = newmark.METHOD
    plain = Method("plain", "none", 2, step, base.options, base.tangent_weights, base.check)
    system = load("pendulum")
    exact = simulate(system, (0, 1), method="rk4", h=1e-3)
    for name, method in (("projected", base), ("plain", plain)):
        for end in (0.01, 0.1, 1.0):
            result = simulate(system, (0, end), method=method, h=1e-3)
            error = np.abs(result["pin"] - exact["pin"][: len(result.t)]).max()
            velocity = result.counters.max_phi_dot
            say(f"{name}, {end} s: error of lam {error:.1e} N, |phi_dot| {velocity:.1e}")


def groups(sizes: Sequence[int] = (1, 9, 18, 36, 72, 144, 288, 400)) -> None:
    """The benchmark of structural groups: microseconds of an analysis and of a step of 5 ms."""
    from mbdgen.grouping.group_loading import GroupedSystem, load_groups
    from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups

    def analyses(grouped: GroupedSystem, count: int, way: bool) -> float:
        theta = np.pi / 6 * np.arange(count)
        start = time.process_time()
        motion = theta / 24, theta, np.full(count, 24.0), np.zeros(count)
        grouped.analyses(*motion, by_groups=way)
        return (time.process_time() - start) / count

    def steps(grouped: GroupedSystem, count: int, way: bool, formulation: str) -> float:
        options = Options(formulation=formulation, by_groups=way, tolerance=1e-5)
        span = 0.0, 0.005 * count
        return simulate_by_groups(grouped, span, 0.005, options, span).timings["solve_s"] / count

    for k in sizes:
        grouped, count = load_groups("point_dyads", inputs=["turn.theta"], k=k), 20_000 // (k + 20)
        rounds = [
            [
                *(analyses(grouped, count, way) for way in (True, False)),
                *(steps(grouped, count, way, "penalty") for way in (True, False)),
                *(steps(grouped, count, way, "matrix-r") for way in (True, False)),
            ]
            for _ in range(5)
        ]
        best_of = 1e6 * np.min(rounds[1:], axis=0)
        saved = [f"{100 * (1 - best_of[i] / best_of[i + 1]):.1f} %" for i in (0, 2, 4)]
        say(f"k = {k}: {', '.join(f'{x:.1f}' for x in best_of)}; saved {', '.join(saved)}")


def regularisation() -> None:
    """Bricard's mechanism (one redundant equation) with several sizes of eps."""
    from mbdgen import load, simulate
    from mbdgen.errors import MbdgenError
    from mbdgen.runtime.system import system as module

    system, usual = load("bricard"), module.REGULARISATION
    for size in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 0.0):
        module.REGULARISATION = size
        try:
            result = simulate(system, (0, 10), h=1e-2, progress=False)
        except MbdgenError as error:
            say(f"eps {size:.0e}: {error}")
            continue
        c = result.counters
        say(
            f"eps {size:.0e}: reached {result.t[-1]:.2f} s, |phi| {c.max_phi:.0e}, |phi_dot| "
            f"{c.max_phi_dot:.0e}, |phi_ddot| {c.max_phi_ddot:.0e}, {c.newton_iterations} Newton,"
            f" drift {c.energy_drift:.1e} J"
        )
    module.REGULARISATION = usual


def redundancy() -> None:
    """A revolute joint stated with five equations and with six."""
    from dataclasses import dataclass

    from mbdgen import Model, load, simulate
    from mbdgen.joints.base import Joint

    @dataclass(frozen=True)
    class Six(Joint):
        name = "six"
        axis = True

        def equations(self, a: Any, b: Any) -> list[Any]:
            return [*(b.r - a.r), *a.e3.cross(b.e3)]

    for count in (5, 6):
        m = Model("chain", gravity=(0, -9.81, 0))
        last = m.ground
        for k in range(5):
            rod = m.body(f"rod{k}", 1, (0.01, 1 / 12, 1 / 12), position=(k + 0.5, 0, 0))
            placed = {"at": (k, 0, 0), "axis": (0, 0, 1)}
            m.revolute(f"J{k}", last, rod, **placed) if count == 5 else m.add(
                f"J{k}", Six, last, rod, **placed
            )
            last = rod
        system = load(m, layout="loop")
        result = simulate(system, (0, 1), h=1e-3, progress=False)
        say(
            f"{count} equations: n = {system.n}, redundant {result.info.redundant}, solve "
            f"{result.timings['solve_s']:.3f} s, drift {result.counters.energy_drift:.1e} J"
        )


MEASUREMENTS = (signature, start, sharing, lu, projections, regularisation, redundancy)

if __name__ == "__main__":
    wanted = sys.argv[1:] or [m.__name__ for m in MEASUREMENTS]
    for measurement in MEASUREMENTS:
        if measurement.__name__ in wanted:
            say(f"== {measurement.__name__}")
            measurement()

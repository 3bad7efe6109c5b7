"""Random mechanisms, compiled: layouts and backends agree, motions keep what must be kept."""

import tempfile
from typing import Any

import numpy as np
import pytest

from mbdgen import Result, build, load, simulate
from mbdgen.errors import AssemblyError, BuildError
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.program import c_compiler
from mbdgen.runtime.system.system import System, call
from tests.properties.assembled import MechanismCase
from tests.properties.running import EACH, PARTS, on_random_mechanisms
from tests.random_mechanisms import PARAMETERS, Link, Recipe, mechanism
from tests.unit.kernels.element import State, close

try:
    c_compiler.compiler()
except BuildError:
    pytest.skip("there is no C compiler", allow_module_level=True)

ROUND_OFF = 1e-12
END = 0.05
H = 1e-3


def check_kernels(e: MechanismCase, system: System, rng: np.random.Generator) -> None:
    """Every kernel writes at a random state what the graph says in NumPy."""
    s, weights = e.random_state(rng), rng.uniform(-1, 1, 3)
    state = (float(s.t[0].real), *(x[:, 0].real.copy() for x in (s.q, s.v, s.a, s.lam)))

    def agree(found: np.ndarray, expected: np.ndarray, kernel: str) -> None:
        close(found, expected, kernel, ROUND_OFF, e.terms(kernel, s, weights))

    agree(system.residual(*state), e.residual(s)[:, 0].real, "residual")
    agree(system.energies(*state), e.energies(s)[:, 0].real, "energies")
    agree(system.outputs(*state), e.whole("outputs", s, len(system.names.outputs)), "outputs")
    for found, expected in zip(system.rates(*state), e.rates(s), strict=True):
        agree(found, expected[:, 0].real, "rates")
    values = e.whole("matrix", s, len(e.ir.indices), weights)
    agree(system.matrix(*state, weights).data, values, "matrix")
    close(system.matrix(*state, (0, 0, 1)).data, mass_of(system, state), "mass", ROUND_OFF)


def mass_of(system: System, state: Any) -> np.ndarray:
    """Values of the kernel that knows its weights, or of the matrix where there is none."""
    out = np.zeros(len(system.work.values))
    work = system.work
    work.weights[:3] = (0, 0, 1)
    assert call(system.kernels.mass, *state, work.weights, work.p, work.m, out) == 0
    return out


def run(system: System, h: float = H, method: str = "rk4") -> Result:
    instants = np.linspace(0, END, 6)
    result = simulate(system, (0, END), method=method, h=h, t_eval=instants, progress=False)
    assert result.success, result.message
    return result


def check_levels(system: System) -> None:
    """The assembled state fulfils the constraints at all three levels, and Newton's law."""
    state = assemble(system)
    values = (state.q, state.v, state.a, state.lam)
    rows = system.data.constraint_rows
    residual = system.residual(0.0, *values)
    first, second = system.rates(0.0, *values)
    speed, size = (1 + np.abs(x).max(initial=0.0) for x in (state.v, state.a))
    force = 1 + np.abs(state.lam).max(initial=0.0) + size
    assert np.abs(residual[rows]).max(initial=0.0) <= 1e-12
    assert np.abs(first[rows]).max(initial=0.0) <= 1e-11 * speed
    assert np.abs(second[rows]).max(initial=0.0) <= 1e-9 * (size + speed**2)
    assert np.abs(np.delete(residual, rows)).max(initial=0.0) <= 1e-9 * force


def check_kept(e: MechanismCase, recipe: Recipe, coarse: Result, fine: Result) -> None:
    """Momentum of floating mechanisms, energy of conservative ones, to the order of the method."""
    scale = 1 + np.abs(fine.energies[:, 0]).max()
    if recipe.floating:
        kept = [np.ptp(momenta(e, r), axis=1) for r in (coarse, fine)]
        assert (kept[1] <= np.maximum(1e-10 * scale, kept[0] / 8)).all(), f"momentum: {kept}"
    drift = [r.counters.energy_drift for r in (coarse, fine)]
    assert drift[0] <= 1e-5 * scale, f"energy less work: {drift}"
    if recipe.conservative:
        assert not fine.energies[:, 2].any(), "nothing may do work"
        assert drift[1] <= max(1e-10 * scale, drift[0] / 8), f"energy: {drift}"


def momenta(e: MechanismCase, r: Result) -> np.ndarray:
    return e.momenta(State(r.t, r.q.T, r.v.T, r.a.T, r.lam.T)).real


def check_bytes(recipe: Recipe, system: System) -> None:
    """Built from another model of the same recipe, in another folder, the files are the same."""
    source = system.data.source
    options = {"layout": system.data.layout, "reduced": system.data.reduced is not None}
    with tempfile.TemporaryDirectory() as folder:
        path = build(mechanism(recipe), folder, backend="c", **options)
        for file in path.parent.iterdir():
            assert file.read_bytes() == source.with_name(file.name).read_bytes(), file.name


def check_compiled(recipe: Recipe) -> None:
    """Layouts in C: kernels, motions, levels, what is kept, parameters, the same bits twice."""
    model = mechanism(recipe)
    e = MechanismCase(model)
    systems = [load(model, backend="c", layout=layout) for layout in ("loop", "flat")]
    rng = np.random.default_rng(recipe.seed)
    for system in systems:
        check_kernels(e, system, rng)
        check_bytes(recipe, system)
    if not e.can_move and not len(systems[0].data.driven):
        for system in systems:
            with pytest.raises(AssemblyError, match="0 DOF"):
                run(system)
        return
    if begins_singular(systems[0]) and contradicts(systems[0]):
        return
    check_levels(systems[0])
    loop, flat = (run(system) for system in systems)
    size = 1 + np.abs(loop.v).max(initial=0.0)
    np.testing.assert_allclose(flat.q, loop.q, rtol=0, atol=1e-9 * size)
    np.testing.assert_allclose(flat.v, loop.v, rtol=0, atol=1e-8 * size)
    again = run(systems[1])
    for name in ("t", "q", "v", "a", "lam", "outputs", "energies"):
        assert getattr(again, name).tobytes() == getattr(flat, name).tobytes(), name
    check_kept(e, recipe, flat, run(systems[1], H / 2))
    check_parameters(recipe, systems[0], rng)
    if not e.psi:  # equations of velocities give no coordinate
        check_reduced(load(model, backend="c", layout="flat", reduced=True), flat)


def begins_singular(system: System) -> bool:
    """Whether the constraints are independent close to the initial position, but not there."""
    rows, rng = system.position_rows, np.random.default_rng(0)
    beside = system.q0 + 1e-3 * rng.uniform(-1, 1, system.n_q)
    at, near = (
        np.linalg.matrix_rank(system.jacobian(0.0, q, rows).toarray(), tol=1e-9)
        for q in (system.q0, beside)
    )
    return bool(at < near)


def contradicts(system: System) -> bool:
    """Whether constraints ask for different accelerations, which only a singular position may."""
    try:
        assemble(system)
    except AssemblyError as error:
        assert "at the level of accelerations" in str(error), error
        return True
    return False


def check_reduced(system: System, full: Result) -> None:
    """The reduced system moves as the full one does, and fulfils the equations of all bodies."""
    reduced, newmark = run(system), run(system, method="newmark")
    size = 1.0 + np.abs(full.lam).max(initial=0.0)
    np.testing.assert_allclose(reduced.q, full.q, atol=1e-7)
    np.testing.assert_allclose(reduced.v, full.v, atol=1e-6 * (1.0 + np.abs(full.v).max()))
    np.testing.assert_allclose(newmark.q, full.q, atol=1e-3)
    last = (reduced.t[-1], reduced.q[-1], reduced.v[-1], reduced.a[-1], reduced.lam[-1])
    assert np.abs(system.residual(*last)).max() <= 1e-7 * size


def check_parameters(recipe: Recipe, system: System, rng: np.random.Generator) -> None:
    """Setting parameters gives the mechanism that is made with them."""
    values = {name: x * rng.uniform(1.1, 2) for name, x in PARAMETERS.items()}
    changed = system.copy()
    changed.set(**values)
    made = MechanismCase(mechanism(recipe, **values))
    close(changed.q0, made.ir.q0, "q0", ROUND_OFF)
    close(changed.v0, made.ir.v0, "v0", ROUND_OFF)
    check_kernels(made, changed, rng)


@pytest.mark.slow
def test_singular_start_is_refused() -> None:
    """A body in space tied twice to a planar one by the cosine between two axes in the plane."""
    links = (Link("dot_product", 0, 1, across=True), Link("dot_product", 1, 0, across=True))
    system = load(mechanism(Recipe(("quaternion", "planar"), links, seed=1)), backend="c")
    with pytest.raises(AssemblyError, match="at the level of accelerations: 'dot_product"):
        run(system)


@pytest.mark.slow
def test_compiled() -> None:
    on_random_mechanisms(check_compiled, 0, 2)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_compiled_of_many(part: int) -> None:
    on_random_mechanisms(check_compiled, part, EACH)

"""JavaScript alone: motions, parameters, linear equations, names, and what Python refuses."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sympy

from mbdgen import Model, build, compiler, load, simulate
from mbdgen.build_options import BuildOptions
from mbdgen.emit.backends.js import JavaScriptPrinter
from mbdgen.errors import BuildError, MbdgenError, OptionError
from mbdgen.forces.base import Force
from mbdgen.language.read import read
from mbdgen.runtime.program import c_compiler
from mbdgen.runtime.results.result import Result
from tests.backends.node import NODE, evaluate, needs_node
from tests.docs.pages import DOCS, blocks, run
from tests.unit.compiler.printed import plain_module, text_of

Build = Callable[..., str]
MOTIONS = (
    ("pendulum", 1e-3, 300),
    ("n_four_bar", 1e-3, 300),
    ("andrews", 1e-5, 200),
    ("bricard", 1e-3, 100),
)
METHODS = ("newmark", "rk4")


@pytest.fixture
def built(tmp_path: Path) -> Build:
    def make(model: "str | Model", **options: Any) -> str:
        return str(build(model, tmp_path, backend="js", **options))

    return make


Motions = Callable[[str, float, int], dict[tuple[str, str], Any]]


@pytest.fixture(scope="module")
def motions(tmp_path_factory: pytest.TempPathFactory) -> Motions:
    """The motions of a mechanism, by method and kind of step, from one process."""

    @cache
    def found(name: str, h: float, steps: int) -> dict[tuple[str, str], Any]:
        folder = tmp_path_factory.mktemp("motions")
        flat = str(build(name, folder / "flat", backend="js", layout="flat"))
        loop = str(build(name, folder / "loop", backend="js", layout="loop"))
        keys, tasks, span = [], [], [0, h * steps]
        for method in METHODS:
            options = {"method": method, "h": h, "every": steps // 10}
            for kind, module in (("fused", flat), ("generic", flat), ("loop", loop)):
                keys.append((method, kind))
                chosen = {**options, "fused": kind != "generic"}
                tasks.append(
                    {"task": "simulate", "module": module, "span": span, "options": chosen}
                )
        return dict(zip(keys, evaluate(tasks), strict=True))

    return found


def python_motion(
    model: "str | Model", method: str, h: float, steps: int, layout: str = "flat", **options: Any
) -> Result:
    """The same motion with the C backend, recorded at the same instants."""
    try:
        c_compiler.compiler()
    except BuildError:
        pytest.skip("there is no C compiler")
    system = load(model, backend="c", layout=layout, **options)
    instants = np.linspace(0, h * steps, 11)
    return simulate(system, (0, h * steps), method=method, h=h, t_eval=instants, progress=False)


def assert_same_motion(found: Any, expected: Result, tolerance: float) -> None:
    """Coordinates, velocities, outputs and energies to a part of their largest number."""
    assert found["success"], found["message"]
    for series in ("t", "q", "v", "energies"):
        one, other = getattr(expected, series), np.array(found[series], float)
        size = np.abs(one).max(initial=0.0)
        np.testing.assert_allclose(other, one, rtol=0, atol=tolerance * size, err_msg=series)


@pytest.mark.representatives(name=["pendulum", "n_four_bar"])
@needs_node
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "h", "steps"), MOTIONS)
def test_motions_agree_with_c(
    name: str, h: float, steps: int, method: str, motions: Motions
) -> None:
    """Fused steps to round-off. Generic ones end Newton's method elsewhere, below its tolerance."""
    expected = python_motion(name, method, h, steps)
    made = motions(name, h, steps)
    fused, generic, loop = (made[method, kind] for kind in ("fused", "generic", "loop"))
    assert_same_motion(fused, expected, 1e-11)
    assert_same_motion(generic, expected, 1e-9)
    assert_same_motion(loop, expected, 1e-9)
    counters = fused["counters"]
    assert counters["steps"] == steps == generic["counters"]["genericSteps"]
    assert counters["newtonIterations"] == expected.counters.newton_iterations
    assert counters["genericSteps"] == expected.counters.generic_steps
    assert counters["maxPhi"] < 1e-12 and counters["maxPhiDot"] < 1e-10
    assert counters["energyDrift"] == pytest.approx(expected.counters.energy_drift, rel=1e-2)


@pytest.mark.representatives(id="rk4")
@needs_node
@pytest.mark.parametrize("method", METHODS)
def test_reduced_motion_agrees_with_c(method: str, built: Build) -> None:
    module = built("double_pendulum", layout="flat", reduced=True)
    options = {"method": method, "h": 1e-3, "every": 10}
    (found,) = evaluate(
        [{"task": "simulate", "module": module, "span": [0, 0.1], "options": options}]
    )
    expected = python_motion("double_pendulum", method, 1e-3, 100, reduced=True)
    assert found["counters"]["genericSteps"] == expected.counters.generic_steps == 0
    assert_same_motion(found, expected, 1e-11)


@pytest.mark.slow
@needs_node
def test_steps_that_fused_kernels_refuse(built: Build) -> None:
    """A pendulum that turns over leaves the positions that the fixed pivots suit."""
    module = built("pendulum")
    tasks = [
        {"task": "simulate", "module": module, "span": [0, 10], "options": {"fused": fused}}
        for fused in (True, False)
    ]
    fused, generic = evaluate(tasks)
    assert 0 < fused["counters"]["genericSteps"] < 100
    np.testing.assert_allclose(fused["q"][-1], generic["q"][-1], atol=1e-6)


@pytest.mark.slow
@needs_node
def test_initial_values_are_assembled(built: Build) -> None:
    """From a guess that violates position and velocity constraints, to Python's values."""
    m = Model("guessed", gravity=(0, 0, -9.81))
    rod = m.body("rod", 1, (0.1, 0.2, 0.3), position=(1.1, 0.1, -0.2), velocity=(1, 2, 3))
    m.revolute("pin", m.ground.at(), rod.at(-1, 0, 0), axis=(0, 1, 0))
    m.spring("load", m.ground.at(0, 0, 2), rod.at(), stiffness=10, length=1, damping=0.5)
    module = built(m)
    options = {"h": 1e-3, "every": 10}
    task = {"task": "simulate", "module": module, "span": [0, 0.1], "options": options}
    (found,) = evaluate([task])
    expected = python_motion(m, "newmark", 1e-3, 100, layout="loop")
    assert np.abs(expected.q[0][:3] - [1.1, 0.1, -0.2]).max() > 0.05
    assert expected.energies[-1, 2] < 0  # the damper's work is compared too
    assert_same_motion(found, expected, 1e-9)


@pytest.mark.slow
@needs_node
def test_failures_are_reported(built: Build) -> None:
    m = Model("apart")
    rod = m.body("rod", 1, (1, 1, 1), position=(5, 0, 0))
    m.distance("one", m.ground.at(), rod.at(), length=1)
    m.distance("two", m.ground.at(9, 0, 0), rod.at(), length=1)
    pendulum = built("pendulum")
    wrong = [
        (built(m), {}, "SolverError: The constraints cannot be met at t = 0; look at: .*(one|two)"),
        (pendulum, {"method": "euler"}, "no method 'euler' with .* 'js'. Known are: newmark, rk4"),
        (pendulum, {"gama": 1}, "'newmark' has no option 'gama'"),
        (pendulum, {"h": 0}, "h = 0 is not positive"),
        (pendulum, {"every": 0.5}, "every = 0.5"),
    ]
    tasks = [
        {"task": "simulate", "module": module, "span": [0, 1], "options": options}
        for module, options, _ in wrong
    ]
    tasks.append({"task": "simulate", "module": pendulum, "span": [1, 1], "options": {}})
    *results, span = evaluate(tasks)
    for (_, _, message), result in zip(wrong, results, strict=True):
        with pytest.raises(RuntimeError, match=message):
            raise RuntimeError(result["thrown"])
    assert "The end 1 is not after the start 1" in span["thrown"]


@needs_node
def test_a_failed_simulation_keeps_what_it_has(built: Build) -> None:
    """A step so large that Newton's method gives up."""
    task = {"task": "simulate", "module": built("n_four_bar"), "span": [0, 20]}
    (found,) = evaluate([{**task, "options": {"h": 2, "maxIterations": 1}}])
    assert not found["success"] and "did not converge at t" in found["message"]
    assert 1 <= len(found["t"]) == len(found["q"]) < 11


@needs_node
def test_parameters_can_be_changed(built: Build) -> None:
    module, system = built("pendulum"), plain_module(text_of(read("pendulum"))).system
    system.set(L=2.5, m=3)
    changes = ({"L": 2.5, "m": 3}, {"l": 1}, {"L": None}, {"L": 2})
    results = evaluate([{"task": "set", "module": module, "changes": c} for c in changes])
    assert results[0]["p"] == system.work.p.tolist()
    assert results[0]["q0"] == system.q0.tolist() and results[0]["v0"] == system.v0.tolist()
    assert results[1] == {"error": "No parameter 'l'. Its parameters are: L, m."}
    assert results[2] == {"error": "Parameter 'L' = null is not a finite number."}
    assert results[3]["parameters"] == {"L": 2, "m": 3}


@needs_node
def test_series_are_found_by_name(built: Build) -> None:
    task = {"task": "series", "module": built("pendulum"), "span": [0, 0.02], "options": {}}
    tip, coordinate, wrong = evaluate(
        [{**task, "name": name} for name in ("tip.y", "rod.y", "rod.yy")]
    )
    assert tip == coordinate and len(tip) == 21 and tip[-1] < 0
    assert "There is no series 'rod.yy'" in wrong["thrown"]


@pytest.mark.slow
@needs_node
def test_words_of_the_language_may_be_names(built: Build) -> None:
    """Python knows other reserved words, and templates have names of their own."""
    m = Model("words", gravity=(0, -9.81, 0))
    names = ("new", "var", "function", "values", "Math", "const")
    parameters = [m.parameter(name, 1.0 + k) for k, name in enumerate(names)]
    total = sum(parameters[1:], start=parameters[0])
    rod = m.body("typeof", total, (1, 1, 1), position=(parameters[3], 0, 0))
    m.spring("delete", m.ground.at(), rod.at(), stiffness=parameters[2] ** 0.5, length=1)
    (found,) = evaluate([{"task": "set", "module": built(m), "changes": {"new": 7.0}}])
    system = plain_module(text_of(m, layout="loop")).system
    system.set(new=7.0)
    assert found["p"] == system.work.p.tolist() and found["q0"] == system.q0.tolist()


@dataclass(frozen=True)
class Bump(Force):
    """A force whose fields are words of C or JavaScript."""

    name = "bump"

    new: Any = 0.0
    double: Any = 0.0
    sin: Any = 0.0

    def potential(self, a: Any, b: Any) -> Any:
        x = (b.r - a.r)[0]
        return self.new * x**2 / 2 + self.double * sympy.cos(self.sin * x)


@needs_node
def test_words_of_the_language_may_be_fields(built: Build) -> None:
    """In the layout loop fields are variables, in C too."""
    m = Model("fields")
    mass = m.point_mass("mass", 2.0, position=(0.3, 0, 0))
    m.add("bump", Bump, m.ground.at(), mass.at(), new=3.0, double=0.5, sin=2.0)
    options = {"h": 1e-2, "every": 10}
    task = {"task": "simulate", "span": [0, 1], "options": options}
    (found,) = evaluate([{**task, "module": built(m, layout="loop")}])
    assert_same_motion(found, python_motion(m, "newmark", 1e-2, 100, layout="loop"), 1e-9)
    assert abs(found["q"][-1][0] - 0.3) > 0.05


def test_printed_words() -> None:
    printer = JavaScriptPrinter()
    assert printer.variable("new") == "new_" and printer.variable("rod_x") == "rod_x"
    assert [printer.number(x).text for x in (float("nan"), float("inf"), -float("inf"), 0.1)] == [
        "NaN",
        "Infinity",
        "(-Infinity)",
        "0.1",
    ]


@pytest.mark.representatives(id="1")
@needs_node
@pytest.mark.parametrize("seed", range(3))
def test_linear_equations(seed: int, built: Build, tmp_path: Path) -> None:
    """The same pattern with other values each time, some of which need new pivots."""
    runtime = Path(built("pendulum")).with_suffix(".runtime.mjs")
    module = tmp_path / "linear.mjs"
    module.write_text(runtime.read_text("utf-8") + "\nexport { Factors };\n", "utf-8")
    rng, n = np.random.default_rng(seed), 40
    pattern = sp.random_array((n, n), density=0.08, rng=rng) + 2 * sp.eye_array(n)
    shuffled = sp.csc_array(sp.csc_array(pattern)[rng.permutation(n)])
    shuffled.sort_indices()
    rows, columns = shuffled.indices, np.repeat(np.arange(n), np.diff(shuffled.indptr))
    scales = 10.0 ** rng.uniform(-6, 6, (2, n))
    values = [rng.normal(size=shuffled.nnz) for _ in range(4)]
    values[2] *= scales[0, rows] * scales[1, columns]
    values[3][shuffled.data < 2] *= 1e-13  # one entry of each column remains
    singular = values[0].copy()
    singular[shuffled.indptr[5] : shuffled.indptr[6]] = 0.0
    rhs = rng.normal(size=n)
    task = {
        "task": "linear",
        "module": str(module),
        "pointers": shuffled.indptr.tolist(),
        "indices": shuffled.indices.tolist(),
        "matrices": [v.tolist() for v in (*values, singular, values[0])],
        "rhs": rhs.tolist(),
    }
    (found,) = evaluate([task])
    assert found.pop(4) is None
    for v, x in zip((*values, values[0]), found, strict=True):
        matrix = sp.csc_array((v, shuffled.indices, shuffled.indptr), shape=(n, n))
        scale = abs(matrix) @ np.abs(x) + np.abs(rhs)
        assert (np.abs(matrix @ np.array(x) - rhs) <= 1e-9 * scale).all()


@pytest.mark.slow
def test_orientations_that_would_have_to_switch_are_refused(built: Build) -> None:
    """Its loops do not look at them; what never fails is written."""
    with pytest.raises(BuildError, match=r"'js' cannot switch.*'gibbs' of body 'rod'"):
        built("pendulum", coordinates="gibbs")
    assert Path(built("pendulum", coordinates="direction-cosines")).is_file()


@pytest.mark.representatives(id=["pendulum-flat", "pendulum-loop"])
@needs_node
@pytest.mark.parametrize("layout", ["flat", "loop"])
@pytest.mark.parametrize("name", ["pendulum", "andrews", "bricard", "spinning_top"])
def test_written_files(name: str, layout: str, built: Build) -> None:
    """They are JavaScript, no line is long, and they import nothing but each other."""
    module = Path(built(name, layout=layout))
    for path in (module, module.with_suffix(".runtime.mjs")):
        assert NODE is not None
        subprocess.run([NODE, "--check", str(path)], check=True)
        lines = path.read_text("utf-8").splitlines()
        assert max(map(len, lines)) <= 100
        assert not [line for line in lines if line != line.rstrip()]
        sources = {line.partition(" from ")[2] for line in lines if line.startswith("import ")}
        assert sources <= {f'"./{name}.runtime.mjs";'}


@pytest.mark.slow
@needs_node
def test_long_tables_stay_in_the_module(built: Build) -> None:
    """A browser reads no npz file."""
    module = built("chain", n=60)
    assert [p.suffix for p in Path(module).parent.iterdir()].count(".npz") == 0
    task = {"task": "simulate", "module": module, "span": [0, 0.002], "options": {"h": 1e-3}}
    (found,) = evaluate([task])
    assert found["success"] and len(found["q"][0]) == 420


@needs_node
def test_documented_scripts_run(tmp_path: Path) -> None:
    """What docs/javascript.md shows, in one script beside the folder that it builds."""
    build("pendulum", tmp_path / "web", backend="js")
    texts = [block.text for block in blocks(DOCS / "javascript.md") if block.language == "js"]
    script = tmp_path / "page.mjs"
    script.write_text("\n".join(texts), "utf-8")
    assert NODE is not None and len(texts) == 2
    printed = run([NODE, script], tmp_path).splitlines()
    assert printed[0].startswith("The end was reached at t = 10. ")
    assert len(printed) >= 3


@pytest.mark.parametrize("write", ["pendulum", "built.mjs"])
def test_python_does_not_run_it(write: str, tmp_path: Path, monkeypatch: Any) -> None:
    """Refused before anything is compiled."""
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    with pytest.raises(OptionError, match=r"'js' do not run in Python.*--backend js"):
        load(write, backend="js")
    assert not (tmp_path / "cache").exists()


def test_loading_the_module_by_its_path(tmp_path: Path) -> None:
    path = build("pendulum", tmp_path, backend="js")
    with pytest.raises(MbdgenError, match=r"pendulum.mjs' is no Python module.*header"):
        load(path)


def test_a_module_in_the_cache_is_found_again() -> None:
    options = BuildOptions(backend="js", layout="loop")
    first, again = (compiler.compile_cached(read("pendulum"), options) for _ in range(2))
    assert again.path == first.path and not again.fresh
    assert again.summary == first.summary
    runtime = first.path.with_suffix(".runtime.mjs")
    runtime.write_text(runtime.read_text("utf-8").replace("0.25", "0.26"), "utf-8")
    assert compiler.compile_cached(read("pendulum"), options).fresh

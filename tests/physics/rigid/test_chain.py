"""A chain of a thousand bodies costs a thousand times the numbers, and no more algebra than ten."""

import ast
from pathlib import Path

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.build_options import BuildOptions
from mbdgen.compiler import compile_model
from mbdgen.topology.specify import specify
from tests.handwritten import double_pendulum
from tests.mechanisms import chain
from tests.physics.running import run, worst


def code(path: Path) -> list[str]:
    """The functions of a module, without their docstrings, which name the instances.

    The one that says what pictures show is a table of all bodies with parameters in it.
    """
    kept = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name != "picture":
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            kept.append(" ".join(map(ast.dump, body)))
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["planar", "quaternion"])
def test_a_long_chain_has_the_types_and_the_code_of_a_short_one(kind: str, tmp_path: Path) -> None:
    keys, codes = [], []
    for n in (10, 1000):
        model = chain(n, kind)
        keys.append({spec.key for spec in specify(model)})
        report = compile_model(model, BuildOptions(layout="loop"), tmp_path / str(n))
        codes.append(code(report.path))
    assert keys[0] == keys[1]
    assert codes[0] == codes[1]
    assert len(codes[0]) > 10


def test_a_chain_of_two_is_a_double_pendulum() -> None:
    t = np.linspace(0.0, 2.0, 21)
    par = double_pendulum.rods()
    motion = double_pendulum.solve(par, t, (0.3, 0.3))
    elbow = np.stack([np.cos(motion.q), np.sin(motion.q)], axis=-1).sum(axis=1)
    result = run(load(chain(2)), t, 1e-3, "rk4")
    assert worst(result["tip"][:, :2], elbow) <= 1e-7


@pytest.mark.slow
def test_a_thousand_bodies_move() -> None:
    """Released together the chain keeps its energy; its first centimetres are a free fall."""
    system = load(chain(1000))
    result = simulate(system, (0.0, 0.2), h=1e-3, progress=False)
    assert result.success, result.message
    assert result.info.dof == 1000
    assert result.counters.max_phi <= 1e-10
    assert result.counters.energy_drift <= 1e-6 * np.ptp(result["energy.potential"])


@pytest.mark.slow
def test_a_thousand_bodies_in_space_move() -> None:
    """Quaternions: 7000 coordinates, 5000 multipliers; the motion is that of the planar chain."""
    spatial = simulate(load(chain(1000, "quaternion")), (0.0, 0.1), h=1e-3, progress=False)
    planar = simulate(load(chain(1000)), (0.0, 0.1), h=1e-3, progress=False)
    assert spatial.success, spatial.message
    assert spatial.info.dof == planar.info.dof == 1000
    assert worst(spatial["tip"], planar["tip"]) <= 1e-3

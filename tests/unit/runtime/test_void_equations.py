"""Which equations say nothing is asked by one criterion: rank, sizes and regularisation agree."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, build, load, simulate
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.initialisation.void_equations import NO_DERIVATIVE, are_void
from mbdgen.runtime.system.equation_scales import Sizes
from tests.backends.node import NODE, evaluate, needs_node
from tests.features import doubled

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def loop(tilt: float, size: float = 1.0, mass: float = 1.0) -> Model:
    """Four bars in a plane, but for the axis of one pin: all of units of length and mass."""
    m = Model("loop_in_a_plane", gravity=(0, -9.81 * size, 0))
    corners = size * np.array([(0, 0, 0), (0.3, 0.9, 0), (1.4, 1.1, 0), (1.2, 0, 0)])
    inertia = tuple(mass * size**2 * x for x in (0.01, 0.1, 0.1))
    bars = [
        m.body(f"bar{k}", mass, inertia, position=tuple(corners[k : k + 2].mean(axis=0)))
        for k in range(3)
    ]
    chain = [m.ground, *bars, m.ground]
    for k, corner in enumerate(corners):
        axis = (tilt if k == 2 else 0.0, 0, 1)
        m.revolute(f"pin{k}", chain[k], chain[k + 1], at=tuple(corner), axis=axis)
    return m


UNITS = [(1.0, 1.0), (1e-3, 1.0), (1e3, 1e3), (1e3, 1e-9), (1e-3, 1e9)]
TILTS = [(1e-17, 3), (3e-14, 3), (1e-8, 2)]


@pytest.mark.representatives(id=["3e-14-3-1000.0-1e-09", "1e-08-2-0.001-1000000000.0"])
@needs_c
@pytest.mark.parametrize(("size", "mass"), UNITS)
@pytest.mark.parametrize(("tilt", "void"), TILTS)
def test_all_agree(tilt: float, void: int, size: float, mass: float) -> None:
    """Of the five equations of the last pin three are out of the plane."""
    system = load(loop(tilt, size, mass), backend="c", coordinates="relative", layout="flat")
    jacobian, rows = system.jacobian(0.0, system.q0), system.work.rows
    nothing = are_void(abs(jacobian).max(axis=1).toarray().ravel())
    assert nothing.sum() == void

    found = diagnose(system, 0.0, system.q0)
    assert [x.row for x in found.dependencies] == rows[nothing].tolist()
    assert (found.rank, found.dof) == (5 - void, 3 - (5 - void))

    sizes = Sizes.of(system, jacobian).rows
    assert (sizes[nothing] == 1.0).all()
    assert sizes[~nothing].min() == pytest.approx(tilt if void == 2 else 1.1 * size, rel=0.1)

    system.regularise(0.0, system.q0)
    eps = system.work.eps / system.work.eps.max()
    assert (eps[nothing] == 1.0).all() and (eps[~nothing] < 1.0).sum() == 4 - void


@pytest.mark.representatives(id="1e-17-3")
@needs_node
@pytest.mark.parametrize(("tilt", "void"), TILTS)
def test_javascript_agrees(tilt: float, void: int, tmp_path: Path) -> None:
    options = {"coordinates": "relative", "layout": "flat"}
    path = build(loop(tilt), tmp_path, backend="js", **options)
    script = tmp_path / "eps.mjs"
    script.write_text(
        f'import {{ Motion, system }} from "{Path(path).as_posix()}";\n'
        "const { eps } = new Motion(system).equations;\n"
        "console.log(JSON.stringify(Array.from(eps)));\n",
        encoding="utf-8",
    )
    assert NODE is not None
    done = subprocess.run([NODE, script], capture_output=True, text=True, check=True)
    eps = np.array(json.loads(done.stdout))
    assert (eps == eps.max()).sum() == void + 1
    text = Path(path).with_name("loop_in_a_plane.runtime.mjs").read_text(encoding="utf-8")
    assert f"const NO_DERIVATIVE = {NO_DERIVATIVE};" in text


def test_what_derivatives_are_compared_with() -> None:
    """With the largest of all, and with direction cosines, whether these say anything or not."""
    assert are_void(np.array([0.0, 1e-13, 1e-11, 1.0])).tolist() == [True, True, False, False]
    assert are_void(np.array([1e-13, 1e-3])).tolist() == [True, False]
    assert are_void(np.array([1e-13, 1e-10, 1e3])).tolist() == [True, True, False]
    assert are_void(np.zeros(0)).tolist() == []


@pytest.mark.slow
@needs_c
def test_where_every_equation_is_void() -> None:
    """Along the angle of one hinge the other says nothing: its regularisation is no round-off."""
    system = load(doubled(), backend="c", coordinates="relative")
    system.regularise(0.0, system.q0)
    assert system.n_lam == 5 and (system.work.eps == 1e-10).all()
    found = simulate(system, (0, 0.04), h=1e-3)
    free = simulate(load(doubled(), backend="c"), (0, 0.04), h=1e-3)
    assert found["height"][-1] == pytest.approx(free["height"][-1], rel=1e-4)


@needs_node
def test_where_every_equation_is_void_in_javascript(tmp_path: Path) -> None:
    module = str(build(doubled(), tmp_path, backend="js", coordinates="relative"))
    task = {"task": "series", "module": module, "span": [0, 0.04], "name": "height"}
    (height,) = evaluate([{**task, "options": {"h": 1e-3}}])
    assert height[-1] == pytest.approx(-0.00872, rel=1e-3)

"""Integrals along elements: loops over places in every language, and straight lines."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, build, general_section, load, material
from mbdgen.errors import BuildError
from mbdgen.language.recoordinate import recoordinated
from mbdgen.runtime.program import c_compiler
from tests.backends.node import evaluate, needs_node
from tests.unit.compiler.printed import (
    assert_same_numbers,
    call,
    plain_module,
    random_arguments,
    text_of,
)

KERNELS = ("residual", "matrix", "mass", "rates", "energies", "outputs")


def model(damping: float = 0.0) -> Model:
    """Two beams of different elements, whose quadratures differ, on one pin."""
    m = Model("beams", gravity=(0, -9.81, 0))
    section, rubber = general_section(1e-3, 2e-8), material(2e7, 1e3, 0.3, damping)
    for name, kind, y in (("low", "euler-nonlinear", 0.0), ("high", "omar", 1.0)):
        rod = m.beam(name, [(0, y, 0), (1, y, 0)], section, rubber, elements=2, kind=kind)
        m.spherical(f"pin_{name}", m.ground.at(0, y, 0), rod.start)
        m.output(f"tip_{name}", rod.end)
    return m


@cache
def printed(layout: str, damping: float = 0.0) -> Any:
    """What Numba would compile, run by Python."""
    return plain_module(text_of(model(damping), layout=layout))


@pytest.mark.slow
@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_loops_and_straight_lines(damping: float) -> None:
    """One sums over places, the other inlines them; a material with damping has other columns."""
    assert_same_numbers(printed("loop", damping), printed("flat", damping), 1e-11)


def test_every_type_has_its_places() -> None:
    """Tables of two quadratures in one module are two."""
    names = [name for name in vars(printed("loop")) if name.endswith("_PLACES")]
    tables = [vars(printed("loop"))[name] for name in names]
    assert len(names) == 2
    assert len({table.shape for table in tables}) == 2
    for name in names:
        before = text_of(model(), layout="loop").split(f"\n{name} = np.array(")[0]
        assert "weight" in before.rpartition("# Point by point: ")[2]


def test_forces_of_a_potential_have_a_symmetric_matrix() -> None:
    """Entries below the diagonal are those above it: as many sums as the upper half has entries."""
    text = text_of(model(), layout="loop")
    body = text.split("def strain_euler_nonlinear_matrix(")[1].split("\n\n\n")[0]
    assert body.count(" += sum_") == 64
    assert (
        sum(line.strip().startswith("sum_") and " = 0.0" in line for line in body.split("\n")) <= 36
    )


def test_c() -> None:
    """The same numbers to 1e-13 of the largest."""
    try:
        c_compiler.compiler()
    except BuildError:
        pytest.skip("there is no C compiler")
    system, reference = load(model(), backend="c", layout="loop"), printed("loop")
    arguments = random_arguments(reference.system)
    for name in KERNELS[:2]:
        expected = np.asarray(call(reference, name, arguments))
        t, q, v, a, lam, w = arguments[:6]
        if name == "residual":
            found = system.residual(t, q, v, a, lam)
        else:
            found = system.matrix(t, q, v, a, lam, tuple(w[:3])).data
        size = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13 * size, err_msg=name)


@needs_node
def test_javascript() -> None:
    """The same numbers to 1e-13 of the largest."""
    reference = printed("loop")
    arguments = random_arguments(reference.system)
    named = dict(zip(("t", "q", "v", "a", "lam", "w"), arguments, strict=False))
    given = {k: x if k == "t" else np.asarray(x).tolist() for k, x in named.items()}
    expected = {name: np.asarray(call(reference, name, arguments)) for name in KERNELS[:2]}
    with TemporaryDirectory() as folder:
        path: Path = build(model(), folder, backend="js", layout="loop")
        calls = [{"kernel": name, "size": len(x), **given} for name, x in expected.items()]
        (results,) = evaluate([{"task": "kernels", "module": str(path), "calls": calls}])
    for (name, x), result in zip(expected.items(), results, strict=True):
        assert result["status"] == 0
        size = np.abs(x).max()
        np.testing.assert_allclose(result["out"], x, rtol=1e-12, atol=1e-13 * size, err_msg=name)


def test_relative_coordinates_are_refused() -> None:
    """A single element is pinned by a joint, but its shape is none that joints give."""
    m = Model("one", gravity=(0, -9.81, 0))
    section, rubber = general_section(1e-3, 2e-8), material(2e7, 1e3)
    points = [(0, 0, 0), (1, 0, 0)]
    rod = m.beam("rod", points, section, rubber, elements=1, kind="euler-nonlinear")
    m.revolute("pin", m.ground.at(0, 0, 0), rod.start, axis=(0, 0, 1))
    with pytest.raises(BuildError, match="no relative coordinates"):
        load(m, coordinates="relative")


def test_other_coordinates_leave_beams_alone() -> None:
    """They are for rigid bodies."""
    m = model()
    m.body("rigid", 1.0, (1, 1, 1), position=(0, 0, 3))
    kinds = {body.kind.name for body in recoordinated(m, "natural").bodies.values()}
    assert {"euler-nonlinear", "omar"} < kinds and "quaternion" not in kinds

"""Laws of users are known by what they state, whatever their equations read."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from mbdgen import Model, load, simulate
from mbdgen.build_options import BuildOptions
from mbdgen.forces.base import Force
from mbdgen.stages import derive_types, identify
from mbdgen.topology.specify import specify

STIFFNESS = [4.0]
HELPER = ModuleType("helper_of_laws")
FILE = [Path()]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBDGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "helper_of_laws", HELPER)
    FILE[0] = tmp_path / "k.txt"


def by_table(k: float) -> type[Force]:
    @dataclass(frozen=True)
    class Law(Force):
        """A spring."""

        name = "law"
        u: Any = 0.0
        table: ClassVar = [k]

        def potential(self, a: Any, b: Any) -> Any:
            return self.table[0] * (b.r - a.r).dot(b.r - a.r) / 2

    return Law


def by_reading(read: Callable[[], float]) -> type[Force]:
    """A law whose stiffness comes from outside of the class."""

    @dataclass(frozen=True)
    class Law(Force):
        """A spring."""

        name = "law"
        u: Any = 0.0

        def potential(self, a: Any, b: Any) -> Any:
            return read() * (b.r - a.r).dot(b.r - a.r) / 2

    return Law


def moving(*laws: type[Force]) -> Model:
    m = Model("laws", gravity=(0, 0, 0))
    for k, law in enumerate(laws):
        p = m.point_mass(f"p{k}", 1.0, position=(1, 0, 0))
        m.add(f"s{k}", law, m.ground.at(), p.at())
        m.output(f"x{k}", p.at().x)
    return m


def test_two_laws_of_one_name_in_one_model() -> None:
    result = simulate(load(moving(by_table(4.0), by_table(100.0))), (0, 1), h=1e-3)
    assert result["x0"][-1] == pytest.approx(math.cos(2.0), abs=1e-5)
    assert result["x1"][-1] == pytest.approx(math.cos(10.0), abs=1e-4)


def _global(k: float) -> None:
    STIFFNESS[0] = k


def _module(k: float) -> None:
    HELPER.k = k  # type: ignore[attr-defined]


def _file(k: float) -> None:
    FILE[0].write_text(str(k))


@pytest.mark.representatives(backend="c")
@pytest.mark.parametrize(
    ("change", "read"),
    [
        (_global, lambda: STIFFNESS[0]),
        (_module, lambda: sys.modules["helper_of_laws"].k),
        (_file, lambda: float(FILE[0].read_text())),
    ],
)
@pytest.mark.parametrize("backend", ["numba", "c"])
def test_what_equations_read_may_change(
    change: Callable[[float], None], read: Callable[[], float], backend: str
) -> None:
    law, found = by_reading(read), []
    for k in (4.0, 100.0, 4.0):
        change(k)
        result = simulate(load(moving(law), backend=backend), (0, 0.5), h=1e-3)
        found.append(result["x0"][-1])
    exact = [math.cos(math.sqrt(k) * 0.5) for k in (4.0, 100.0, 4.0)]
    assert found == pytest.approx(exact, abs=1e-4)
    assert found[0] == found[2]


def test_equal_statements_share_a_type_and_are_found_again() -> None:
    model = moving(*(by_table(k) for k in (4.0, 4.0, 100.0)))
    specs, ours = identify(specify(model), "sympy")
    assert not ours
    laws = [spec for spec in specs if spec.role == "force"]
    assert laws[0].key == laws[1].key != laws[2].key
    again, _ = identify(specify(moving(by_table(4.0))), "sympy")
    assert again[1].key == laws[0].key
    types = derive_types(specs, "sympy")
    assert types[laws[0].key] == types[laws[1].key] != types[laws[2].key]


def test_what_was_not_identified_is_not_cached(tmp_path: Path) -> None:
    specs = specify(moving(by_table(4.0)))
    derive_types(specs, "sympy")
    assert len([*(tmp_path / "cache" / "types").iterdir()]) == 2  # the mass and its output


def test_bodies_of_users(tmp_path: Path) -> None:
    """A body kind is known by its derivation: what it reads, its joints and outputs feel."""
    from mbdgen.bodies.point_mass import PointMass
    from mbdgen.compiler import compile_cached

    factor = [1.0]

    class Mine(PointMass):
        """A mass."""

        name = "mine"

        def mass(self, p: Any) -> Any:
            return factor[0] * super().mass(p)

        def inertia(self, body: Any, p: Any) -> Any:
            return [self.mass(p) * c for c in body.a]

    def model() -> Model:
        m = Model("mine", gravity=(0, 0, 0))
        p = m.body("p", 1.0, position=(1, 0, 0), coordinates=Mine)
        m.force("f", p.at(), force=(-p.at().x, 0, 0))
        m.output("x", p.at().x)
        return m

    paths = []
    for value in (1.0, 4.0, 1.0):
        factor[0] = value
        paths.append(compile_cached(model(), BuildOptions()).path)
    assert paths[0] == paths[2] != paths[1]

"""Arguments of `simulate`, `System.set` and `Result`."""

from collections.abc import Iterator
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System
from tests.unit.errors.machines import bar, flat
from tests.unit.errors.refused import refused


@pytest.fixture(scope="module")
def loaded() -> System:
    model = flat("sprung")
    length = model.parameter("L", 1.0)
    rod = bar(model)
    model.spring("spring", model.ground.at(-1), rod, stiffness=1 / length)
    model.output("tip", rod.at(0.5))
    return load(model)


@pytest.fixture
def system(loaded: System) -> Iterator[System]:
    yield loaded
    loaded.set(L=1.0)


ARGUMENTS: list[tuple[str, dict[str, Any]]] = [
    *(("h", {"h": h}) for h in (0, -1, nan, inf, "x", "0.1", True, None, 1j, 1e-30, [1])),
    *(("time", {"span": s}) for s in ((0, nan), (0, inf), "01", (0, "1"))),
    *(("time", {"span": s}) for s in (5, None, (0, 1, 2), (), (0, True), {})),
    *(("method", {"method": m}) for m in ("eulr", None, 5, ["rk4"], "base", "__init__")),
    *(("formulation", {"formulation": f}) for f in (3, "index4", ["index1"], "base")),
    *(("projection", {"projection": p}) for p in (3, "mas", ["mass"], "base")),
    *(("Checkpoint", {"start": s}) for s in ("a.npz", 0.5, {})),
    ("'foo'", {"foo": 1}),
    ("'beta'", {"beta": nan}),
    ("'beta'", {"beta": -1}),
    ("'beta'", {"beta": "x"}),
    ("'beta'", {"beta": 0.25, "method": "rk4"}),
    ("gamma", {"gamma": 0.1}),
    ("'tolerance'", {"tolerance": 0}),
    ("'max_iterations'", {"max_iterations": 0}),
    ("whole number", {"max_iterations": 1.5}),
    ("whole number", {"max_iterations": 1.5, "method": "cd-jerk"}),
    ("whole number", {"shared": 0.5}),
    ("whole number", {"classical": 0.5, "method": "central-difference"}),
    ("whole number", {"frozen": 2.5, "method": "rk4", "formulation": "maggi-frozen"}),
    ("tolerances", {"rtol": 0.0}),
    ("atol", {"atol": nan}),
    *(("t_eval", {"t_eval": t}) for t in ([0, 2], "x", [], [1, 0], [0, 0], [nan], 0.5, [[0]])),
    *(("vent", {"events": e}) for e in (5, [5], "no_such", [lambda t, q, v: 1, None])),
    ("vent function 0", {"events": lambda t, q, v: nan}),
    ("vent function 0", {"events": lambda t: 1.0}),
    ("vent function 0", {"events": lambda t, q, v: None}),
    ("callback", {"callback": 5}),
    ("progress", {"progress": "maybe"}),
]


@pytest.mark.parametrize(("word", "arguments"), ARGUMENTS)
def test_simulate(system: System, word: str, arguments: dict[str, Any]) -> None:
    given = {"span": (0, 1), "h": 0.5, **arguments}
    with refused(word, kind=OptionError):
        simulate(system, given.pop("span"), **given)


@pytest.mark.parametrize("system", [None, 5, [], Model])
def test_things_that_are_no_systems(system: object) -> None:
    with refused("System", kind=OptionError):
        simulate(system, (0, 1))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [nan, inf, "2", None, True, 1j, [1], {}, "x"])
def test_values_of_parameters(system: System, value: Any) -> None:
    with refused("'L'", kind=OptionError):
        system.set(L=value)
    assert system.parameters == {"L": 1.0}


@pytest.mark.parametrize("name", ["Q", "l", "self", "parameters"])
def test_unknown_parameters(system: System, name: str) -> None:
    with refused("'sprung'", f"'{name}'", kind=OptionError):
        system.set(**{name: 1.0})


def test_parameters_that_give_no_finite_model(system: System) -> None:
    before = system.work.p.copy()
    for value in (0, 1e-320):
        with refused("L = ", kind=OptionError):
            system.set(L=value)
    assert (system.work.p == before).all()
    with refused("'Q'", kind=OptionError):
        system.set(L=2.0, Q=1.0)
    assert (system.work.p == before).all()  # all or nothing


@pytest.mark.parametrize("name", ["nothing", 5, None, "tip.w", "rod.q0", ("tip.x",)])
def test_names_of_results(system: System, name: Any) -> None:
    with refused(repr(name), kind=OptionError):
        simulate(system, (0, 0.01))[name]


@pytest.mark.parametrize("path", ["/proc/x.csv", "x.unknown", "/nothing/a.csv", 5, None, ""])
def test_files_of_results(system: System, path: Any, tmp_path: Path) -> None:
    with refused(kind=OptionError):
        simulate(system, (0, 0.01)).save(path)


def test_states_of_the_wrong_length(system: System) -> None:
    with refused("lengths", kind=OptionError):
        system.residual(0.0, [0.0], [0.0], [0.0], [])  # type: ignore[arg-type]

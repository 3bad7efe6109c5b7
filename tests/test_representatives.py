"""What the marker keeps, and that the default run sees every kind of thing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from typer.main import get_command

from mbdgen.analyses.by_name import analyses
from mbdgen.cli.app import app
from mbdgen.contact_laws.base import contact_laws
from mbdgen.emit import backends
from mbdgen.friction_laws.base import friction_laws
from mbdgen.language.registry import beam_kinds, body_kinds, elements
from mbdgen.runtime import formulations, integrators, projections
from tests.representatives import others, unknown

TESTS = Path(__file__).parent


# --- what the marker keeps -----------------------------------------------------------------------


@dataclass
class Call:
    params: dict[str, Any]


@dataclass
class Instance:
    """Of a parametrized test, as pytest has it."""

    callspec: Call
    nodeid: str = "test_it[]"
    slow: bool = False

    def get_closest_marker(self, name: str) -> bool | None:
        return self.slow or None


def kept(instances: list[dict[str, Any]], *names: str, **values: Any) -> list[int]:
    """Return the places of what a marker with these arguments keeps."""
    made: Any = [Instance(Call(params)) for params in instances]
    mark = pytest.mark.representatives.with_args(*names, **values).mark
    left = [id(one) for one in others(made, mark)]
    return [k for k, one in enumerate(made) if id(one) not in left]


PRODUCT = [{"a": a, "b": b} for a in "xyz" for b in (1, [2])]


def test_every_value_is_seen_once() -> None:
    assert kept(PRODUCT) == [0, 1, 2, 4]
    assert kept(PRODUCT, "a") == [0, 2, 4]
    assert kept(PRODUCT, b=[[2]]) == [1, 3, 5]
    assert kept(PRODUCT, "b", a=["y", "z"]) == [2, 3]


def test_members_of_tuples_count_by_themselves() -> None:
    pairs = [{"pair": (a, b)} for a in "xy" for b in "xy"]
    assert kept(pairs) == [0, 1, 2]
    assert kept(pairs, pair=("y", "y")) == [3]


def test_slow_ones_represent_nothing() -> None:
    made: Any = [Instance(Call({"a": 1}), slow=True), Instance(Call({"a": 1}))]
    assert list(others(made, pytest.mark.representatives.mark)) == []


def test_instances_by_their_text() -> None:
    made: Any = [Instance(Call({"a": k}), f"test_it[{k}-z]") for k in range(3)]
    assert list(others(made, pytest.mark.representatives(id="1-z").mark)) == [made[0], made[2]]
    assert unknown(made, pytest.mark.representatives(id=["1-z", "3-z"]).mark) == ["3-z"]


# --- what the default run sees -------------------------------------------------------------------

SILENT = {Path(__file__), TESTS / "unit" / "errors"}
"""Where names say nothing: what is refused has not been computed."""
WORD = re.compile(r"\w+(?:-\w+)*")
KINDS = {
    "joint, force or output": elements(),
    "body kind": {k: v for k, v in body_kinds().items() if k not in ("auxiliary", "state")},
    "beam kind": beam_kinds(),
    "contact law": contact_laws(),
    "friction law": friction_laws(),
    "integrator": integrators.known(),
    "formulation": formulations.known(),
    "projector": projections.known(),
    "backend": backends.known(),
    "analysis": analyses(),
    "command": get_command(app).commands,
}


def unseen(seen: set[str]) -> list[str]:
    """Return what is named neither as users do nor by its class."""
    found = []
    for kind, names in KINDS.items():
        classes = names if isinstance(names, dict) else {}
        for name in names:
            if not seen & {name, getattr(classes.get(name), "__name__", name)}:
                found.append(f"{kind} {name}")
    return found


def words_of(value: Any) -> Iterator[str]:
    """Yield the words of an argument or a constant, and of what it consists of."""
    if isinstance(value, str):
        yield value
        yield from WORD.findall(value)
    elif isinstance(value, CodeType):
        yield from value.co_names
        for constant in value.co_consts:
            yield from words_of(constant)
    elif isinstance(value, dict):
        yield from words_of([*value, *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for member in value:
            yield from words_of(member)


@cache
def words_said(function: FunctionType) -> frozenset[str]:
    """Return the words of a function and of those in the tests that it calls."""
    found, ahead, known = set[str](), [function], {function}
    while ahead:
        one = ahead.pop()
        found |= {*words_of(one.__code__)}
        called = [one.__globals__.get(name) for name in one.__code__.co_names]
        plain = [getattr(x, "__wrapped__", x) for x in called if callable(x)]
        new = {x for x in plain if isinstance(x, FunctionType) and TESTS in _file(x).parents}
        ahead += new - known
        known |= new
    return frozenset(found)


def _file(function: FunctionType) -> Path:
    return Path(function.__code__.co_filename)


def test_every_kind_is_seen_by_default(request: pytest.FixtureRequest) -> None:
    """By its name: an argument of a test that is run, or a word of its code."""
    option, root = request.config.option, request.config.rootpath
    whole = {TESTS, TESTS.parent} & {(root / word).resolve() for word in request.config.args}
    if option.markexpr != "not slow" or option.keyword or not whole:
        pytest.skip("asked of the whole default run")
    seen = set[str]()
    for item in request.session.items:
        if isinstance(item, pytest.Function) and SILENT.isdisjoint((item.path, *item.path.parents)):
            seen |= words_said(getattr(item.function, "__wrapped__", item.function))
            seen |= {*words_of(item.nodeid.partition("[")[2])}
            if hasattr(item, "callspec"):
                seen |= {*words_of(item.callspec.params)}
    assert not unseen(seen)

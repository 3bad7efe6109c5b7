"""Which instances of a parametrized test the default run keeps; the others are marked slow.

``@pytest.mark.representatives`` above a test keeps, in the order of collection, each instance with
a value of an argument that none before it has: every value of every argument is seen at least once.
Of a tuple, each member counts by itself: of pairs of bodies, each body at each place.
``representatives("joint")`` asks this of the named arguments only. ``representatives(step=0.1)``
keeps the instances with this value, or with one of several in a list, and ``id`` stands for the
whole text in brackets; both can be combined.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import groupby
from typing import Any

import pytest

NAME = "representatives"


def family(item: pytest.Item) -> str:
    """Return the name that all instances of a parametrized test share."""
    return item.nodeid.partition("[")[0]


def comparable(value: Any) -> Hashable:
    """Return what tells a value from others: itself, or its text for arrays and lists."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def arguments_of(item: pytest.Item) -> dict[str, Hashable]:
    """Return the arguments of an instance; none if the test is not parametrized."""
    call = getattr(item, "callspec", None)
    return {} if call is None else {name: comparable(x) for name, x in call.params.items()}


def choices(values: Any) -> list[Hashable]:
    """Return the values to keep of one argument: one, or those of a list."""
    return [comparable(value) for value in (values if isinstance(values, list) else [values])]


def shown(name: str, value: Hashable) -> Iterator[Hashable]:
    """Yield what an argument shows: its value, or each member of a tuple at its place."""
    if isinstance(value, tuple):
        yield from ((name, place, member) for place, member in enumerate(value))
    else:
        yield name, value


def text_of(item: pytest.Item) -> str:
    """Return the text in brackets."""
    return item.nodeid.partition("[")[2].removesuffix("]")


def unknown(instances: list[pytest.Item], mark: pytest.Mark) -> list[Hashable]:
    """Return the texts in brackets that a marker names and no instance has."""
    known = {text_of(item) for item in instances}
    return [text for text in choices(mark.kwargs.get("id", [])) if text not in known]


def others(instances: list[pytest.Item], mark: pytest.Mark) -> Iterator[pytest.Item]:
    """Yield the instances of one test that its marker leaves to the slow run."""
    kept = {name: choices(values) for name, values in mark.kwargs.items()}
    seen: set[Hashable] = set()
    for item in instances:
        if item.get_closest_marker("slow") is not None:
            continue
        given = arguments_of(item)
        if any(given.get(name, text_of(item)) not in values for name, values in kept.items()):
            yield item
            continue
        names = mark.args or (() if kept else (*given,))
        new = {value for name in names for value in shown(name, given[name])} - seen
        if names and not new:
            yield item
        seen |= new


def mark_others_slow(items: Iterable[pytest.Item], whole: bool) -> None:
    """Mark what is not kept, in every test with the marker.

    Parameters
    ----------
    whole : bool
        Whether all instances were collected, so that some of each must be left.
    """
    for name, group in groupby(items, family):
        instances = list(group)
        mark = instances[0].get_closest_marker(NAME)
        if mark is not None:
            left = list(others(instances, mark))
            if whole and (gone := unknown(instances, mark)):
                raise pytest.UsageError(f"{name} has no instance {gone[0]!r}")
            if whole and len(left) == len(instances):
                raise pytest.UsageError(f"{name}: its marker '{NAME}' keeps no instance")
            for item in left:
                item.add_marker(pytest.mark.slow)

"""Straight-line code cut into parts computes what it computes in one piece."""

import random

import pytest

from mbdgen.emit.code_parts import CodeLine, CodePart, split

LOADS = tuple(CodeLine(f"u{k}", f"q[{k}]") for k in range(6))


def code(seed: int, length: int) -> tuple[list[CodeLine], list[CodeLine], list[CodeLine]]:
    """Return random temporaries, results and guards that read inputs and earlier temporaries."""
    rng = random.Random(seed)
    known = [line.target for line in LOADS]
    body = []
    for k in range(length):
        a, b = rng.choice(known), rng.choice(known[-20:])
        body.append(CodeLine(f"x{k}", f"0.5*{a} - 0.25*{b} + 1e-05"))
        known.append(f"x{k}")
    stores = [CodeLine(f"out[{k}]", f"{rng.choice(known)} + u0") for k in range(9)]
    return body, stores, [CodeLine(rng.choice(known), "1e-09") for _ in range(3)]


def run(parts: tuple[CodePart, ...], places: int) -> tuple[dict[str, float], list[float]]:
    """Execute parts, each in a scope of its own as a C function would have it."""
    q, s, out = [0.3 * k - 1 for k in range(6)], [float("nan")] * places, {}
    pivots: list[float] = []
    for part in parts:
        scope: dict[str, object] = {"q": q, "s": s}
        for line in (*part.loads, *part.fetched, *part.body):
            scope[line.target] = eval(line.text, {}, scope)
        pivots += [eval(line.target, {}, scope) for line in part.guards]
        out.update({line.target: eval(line.text, {}, scope) for line in part.stores})
        for line in part.kept:
            s[int(line.target[2:-1])] = eval(line.text, {}, scope)
    return out, pivots


@pytest.mark.parametrize("seed", range(5))
def test_parts_compute_the_same(seed: int) -> None:
    body, stores, guards = code(seed, 200)
    whole, none = split(LOADS, body, guards, stores, 1000)
    parts, places = split(LOADS, body, guards, stores, 30)
    assert (len(whole), none, len(parts)) == (1, 0, 7)
    assert max(len(part.body) for part in parts) <= 30
    assert run(parts, places) == run(whole, 0)


@pytest.mark.parametrize("seed", range(5))
def test_without_borders_every_line_stands_once(seed: int) -> None:
    """A compiler that takes the parts in one piece sees inputs, temporaries and results once."""
    body, stores, guards = code(seed, 200)
    parts, _ = split(LOADS, body, guards, stores, 30)
    loads = [line for part in parts for line in part.loads]
    assert sorted(loads, key=str) == sorted(set(loads), key=str)
    assert [line for part in parts for line in part.body] == body
    found = [line for part in parts for line in part.stores]
    assert sorted(found, key=str) == sorted(stores, key=str)


def test_places_are_used_again() -> None:
    body = [CodeLine("x0", "q")] + [CodeLine(f"x{k}", f"x{k - 1} + 1") for k in range(1, 100)]
    _, places = split((CodeLine("q", "q[0]"),), body, (), (CodeLine("out[0]", "x99"),), 10)
    assert places == 1


def test_code_without_temporaries_is_one_part() -> None:
    parts, places = split(LOADS, (), (), (CodeLine("out[0]", "u1"),), 10)
    assert (len(parts), places) == (1, 0) and parts[0].loads == (LOADS[1],)

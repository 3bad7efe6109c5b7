"""Force of the spatial element of Yakoub and Shabana: four ways to compute the same numbers.

Plain quadrature over the volume; the invariants of the source, ``F = K(e) e`` with
``K_(pc)(qd) = sum Gam_pqrs E_rc E_sd``; its Gram form with ``W = E E^T``; and what is generated.
Operations are counted while they are done, by numbers that count.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement as pairs_of
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest

from mbdgen import Model, material, rectangle
from tests.unit.kernels.element import Array, ElementCase

L, H, B, YOUNG, NU = 0.7, 0.1, 0.06, 2e5, 0.3
LAM, G = YOUNG * NU / ((1 + NU) * (1 - 2 * NU)), YOUNG / (2 * (1 + NU))
NODES = 8  # position and three slopes, twice
AXES = range(3)
PUBLISHED = {"quadrature": 9.16e6, "invariants": 5.52e4}


class Counted:
    """A number that counts what is done with it."""

    done: ClassVar[int] = 0

    def __init__(self, x: float) -> None:
        self.x = x

    def _with(self, other: Any, made: Callable[[float, float], float]) -> "Counted":
        Counted.done += 1
        return Counted(made(self.x, other.x if isinstance(other, Counted) else other))

    def __add__(self, other: Any) -> "Counted":
        return self._with(other, float.__add__)

    def __sub__(self, other: Any) -> "Counted":
        return self._with(other, float.__sub__)

    def __mul__(self, other: Any) -> "Counted":
        return self._with(other, float.__mul__)


def total(terms: Any) -> Any:
    found = None
    for x in terms:
        found = x if found is None else found + x
    return found


def derivatives(xi: float, y: float, z: float) -> Array:
    """Of the eight functions by x, y and z."""
    by_x = [(6 * xi**2 - 6 * xi) / L, 1 - 4 * xi + 3 * xi**2, -y / L, -z / L]
    by_x += [(6 * xi - 6 * xi**2) / L, 3 * xi**2 - 2 * xi, y / L, z / L]
    by_y, by_z = np.zeros(NODES), np.zeros(NODES)
    by_y[[2, 6]] = by_z[[3, 7]] = 1 - xi, xi
    return np.array([by_x, by_y, by_z])


def places() -> list[tuple[Array, float]]:
    """Gauss's places in the volume, 5 x 3 x 3: derivatives and weights."""
    (x, u), (s, w) = (np.polynomial.legendre.leggauss(n) for n in (5, 3))
    return [
        (
            derivatives((1 + x[i]) / 2, s[j] * H / 2, s[k] * B / 2),
            u[i] * w[j] * w[k] * L * H * B / 8,
        )
        for i, j, k in product(range(5), range(3), range(3))
    ]


def tensor() -> tuple[Array, Array]:
    """The invariants: those of fourth order, and those that the unit matrix leaves."""
    gam, linear = np.zeros((NODES,) * 4), np.zeros((NODES, NODES))
    for d, weight in places():
        square = np.einsum("ap,ar->pr", d, d)
        for a, b in product(AXES, AXES):
            one, other = np.outer(d[a], d[a]), np.outer(d[b], d[b])
            factor = (LAM + 2 * G) / 2 if a == b else LAM / 2
            gam += weight * factor * np.einsum("pr,qs->pqrs", one, other)
            if a != b:
                gam += weight * G * np.einsum("p,r,q,s->pqrs", d[a], d[b], d[b], d[a])
        linear -= weight * (3 * LAM + 2 * G) / 2 * square
    return gam, linear


def by_quadrature(e: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Well written: columns of F, six strains, six stresses, then the force."""
    force: list[list[Any]] = [[None] * 3 for _ in range(NODES)]
    for d, weight in places():
        used = [[(p, float(d[a][p])) for p in range(NODES) if d[a][p] != 0] for a in AXES]
        f = [[total(e[p][c] * s for p, s in used[a]) for c in AXES] for a in AXES]
        strain = {
            (a, b): (total(f[a][c] * f[b][c] for c in AXES) - float(a == b)) * 0.5
            for a, b in pairs_of(AXES, 2)
        }
        spherical = total(strain[a, a] for a in AXES) * (LAM * weight)
        stress = {
            (a, b): x * (2 * G * weight) + spherical if a == b else x * (2 * G * weight)
            for (a, b), x in strain.items()
        }
        for a, c in product(AXES, AXES):
            load = total(stress[min(a, b), max(a, b)] * f[b][c] for b in AXES)
            for p, s in used[a]:
                old = force[p][c]
                force[p][c] = load * s if old is None else old + load * s
    return force


def by_invariants(e: Sequence[Sequence[Any]], gam: Array, linear: Array) -> list[list[Any]]:
    """The matrix K of every evaluation, then its product; K is symmetric."""
    k: dict[tuple[int, int, int, int], Any] = {}
    for p, q in pairs_of(range(NODES), 2):
        used = [(r, s) for r, s in product(range(NODES), range(NODES)) if gam[p, q, r, s] != 0]
        for c, d in product(AXES, AXES):
            value = total(e[r][c] * e[s][d] * float(gam[p, q, r, s]) for r, s in used)
            value = value if value is not None else 0.0
            k[p, c, q, d] = value + float(linear[p, q]) if c == d else value
            k[q, d, p, c] = k[p, c, q, d]
    return [
        [total(e[q][d] * k[p, c, q, d] for q, d in product(range(NODES), AXES)) for c in AXES]
        for p in range(NODES)
    ]


def by_gram(e: Sequence[Sequence[Any]], gam: Array, linear: Array) -> list[list[Any]]:
    """The 36 products of nodal vectors, the slope of the energy by them, then the force."""
    pairs = list(pairs_of(range(NODES), 2))
    w = [total(e[p][c] * e[r][c] for c in AXES) for p, r in pairs]
    both = gam.transpose(0, 2, 1, 3)  # (p r)(q s)
    both = (both + both.transpose(1, 0, 2, 3)) / 2
    both = (both + both.transpose(0, 1, 3, 2)) / 2
    slopes: dict[tuple[int, int], Any] = {}
    for p, r in pairs:
        found = [
            x * float(both[p, r, q, s] * (1 if q == s else 2))
            for x, (q, s) in zip(w, pairs, strict=True)
            if abs(both[p, r, q, s]) > 1e-14 * abs(both).max()
        ]
        slopes[p, r] = slopes[r, p] = total(found) + float(linear[p, r]) if found else None
    return [
        [total(e[r][c] * g for r in range(NODES) if (g := slopes[p, r]) is not None) for c in AXES]
        for p in range(NODES)
    ]


def counted(way: Callable[..., list[list[Any]]], e: Array, *more: Array) -> tuple[Array, int]:
    Counted.done = 0
    values = way([[Counted(float(x)) for x in row] for row in e], *more)
    return np.array([[x.x for x in row] for row in values]), Counted.done


def generated(q: Array) -> tuple[Array, int]:
    """What the generated kernel adds to the rows, and its operations at all places."""
    m = Model("one")
    m.beam("rod", [(0, 0, 0), (L, 0, 0)], rectangle(H, B), material(YOUNG, 900.0, NU),
           elements=1, kind="yakoub", across=(0, 1, 0))  # fmt: skip
    case = ElementCase(m, "rod_strain")
    s = case.initial_state(np.random.default_rng(0))
    s.q[:, 0] = q
    roots = [node for _, node in case.ir.entries("residual")]
    graph = case.ir.graph
    one = sum(graph.nodes[k][0] not in ("const", "input") for k in graph.needed(roots))
    return case.residual(s).real[:, 0], one * len(case.spec.rule)


@pytest.fixture(scope="module")
def study() -> dict[str, tuple[Array, int]]:
    rng = np.random.default_rng(4)
    e = np.vstack([np.zeros((1, 3)), np.eye(3), [[L, 0, 0]], np.eye(3)])
    e = e + 0.1 * rng.normal(size=e.shape)
    gam, linear = tensor()
    return {
        "quadrature": counted(by_quadrature, e),
        "invariants": counted(by_invariants, e, gam, linear),
        "gram": counted(by_gram, e, gam, linear),
        "generated": generated(e.ravel()),
    }


@pytest.mark.slow
def test_four_ways_agree(study: dict[str, tuple[Array, int]]) -> None:
    expected = study["quadrature"][0].ravel()
    for name, (force, _) in study.items():
        assert abs(force.ravel() - expected).max() < 1e-12 * abs(expected).max(), name


def test_operations(study: dict[str, tuple[Array, int]]) -> None:
    """At most 3e3, of the 9.16e6 and 5.52e4 that were published; places and nodes of the graph."""
    counts = {name: count for name, (_, count) in study.items()}
    assert counts["generated"] <= 3000, counts
    assert counts["generated"] < counts["quadrature"] < PUBLISHED["quadrature"], counts
    assert counts["generated"] < counts["invariants"], counts

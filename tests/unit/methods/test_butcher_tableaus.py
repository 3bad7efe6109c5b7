"""Explicit methods as numbers: order conditions, and the sums of vectors that their steps make."""

import numpy as np
import pytest

from mbdgen.runtime import integrators
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.linalg.vector_sums import combine
from mbdgen.runtime.program.compiled_functions import compiled
from mbdgen.runtime.program.pointers import reals
from mbdgen.runtime.stepping.fused_context import LANES
from mbdgen.runtime.steps.butcher_tableau import nystroem
from mbdgen.runtime.steps.runge_kutta_step import explicit_method

# Conditions of Nystroem's methods for q'' = a(t, q, v) on the weights b of the velocity, with the
# nodes c, the matrix A and its square: (order, left side, right side).
CONDITIONS = (
    (1, lambda b, c, a, s: b.sum(), 1.0),
    (2, lambda b, c, a, s: b @ c, 1 / 2),
    (3, lambda b, c, a, s: b @ c**2, 1 / 3),
    (3, lambda b, c, a, s: b @ a @ c, 1 / 6),
    (3, lambda b, c, a, s: b @ s.sum(axis=1), 1 / 6),
    (4, lambda b, c, a, s: b @ c**3, 1 / 4),
    (4, lambda b, c, a, s: b @ (c * (a @ c)), 1 / 8),
    (4, lambda b, c, a, s: b @ a @ c**2, 1 / 12),
    (4, lambda b, c, a, s: b @ a @ a @ c, 1 / 24),
    (4, lambda b, c, a, s: b @ s @ c, 1 / 24),
)
EXPLICIT = [
    name
    for name in integrators.known()
    if integrators.method(name).general == explicit_method("any", 1, (), (1,)).general
]


def rows(numbers: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, square and matrix of all stages and, as the last row, of the end."""
    stages = int(numbers[0])
    c, square, matrix = (
        np.zeros(stages + 1),
        np.zeros((stages + 1, stages)),
        np.zeros((stages + 1, stages)),
    )
    at = 1
    for i in range(1, stages + 1):
        c[i] = numbers[at]
        square[i, :i] = numbers[at + 1 : at + 1 + i]
        matrix[i, :i] = numbers[at + 1 + i : at + 1 + 2 * i]
        at += 1 + 2 * i
    assert at == len(numbers)
    return c, square, matrix


def test_there_are_explicit_methods() -> None:
    assert {"euler", "heun", "rk4", "dopri5", "dop853"} <= set(EXPLICIT)


def circle(method: Method, steps: int) -> float:
    """Error after one turn of ``q'' = -q`` with a damper's ``v`` added and taken away by time.

    ``q'' = -q + v + sin t`` with ``q = cos t``: position, velocity and time all enter.
    """
    c, square, matrix = rows(method.constants)
    h, q, v = 2.0 * np.pi / steps, 1.0, 0.0
    for n in range(steps):
        k = np.zeros(len(c) - 1)
        for i in range(len(c)):
            at = q + c[i] * h * v + h * h * square[i] @ k, v + h * matrix[i] @ k
            if i < len(k):
                k[i] = -at[0] + at[1] + np.sin((n + c[i]) * h)
        q, v = at
    return abs(q - 1.0)


@pytest.mark.parametrize("name", EXPLICIT)
def test_order_of_an_oscillator(name: str) -> None:
    method = integrators.method(name)
    steps = {1: 4096, 2: 256, 4: 64, 5: 64, 8: 24}[method.order]
    order = np.log2(circle(method, steps) / circle(method, 2 * steps))
    assert order == pytest.approx(method.order, abs=0.3)


@pytest.mark.parametrize("name", EXPLICIT)
def test_order_conditions(name: str) -> None:
    method = integrators.method(name)
    c, square, matrix = rows(method.constants)
    stages = len(c) - 1
    b, a, s = matrix[stages], matrix[:stages], square[:stages]
    for order, left, right in CONDITIONS:
        if order <= method.order:
            assert left(b, c[:stages], a, s) == pytest.approx(right, rel=1e-14)
    assert c[stages] == pytest.approx(1.0, rel=1e-15)
    np.testing.assert_allclose(square, matrix @ a, atol=1e-15)


def test_numbers_of_the_midpoint_rule() -> None:
    assert nystroem(((0.5,),), (0.0, 1.0)) == (2.0, 0.5, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0, 1.0)


@compiled
def _combine(blocks, count, addresses, c):  # type: ignore[no-untyped-def]
    out, x, y, k = (
        reals(addresses[0]),
        reals(addresses[1]),
        reals(addresses[2]),
        reals(addresses[3]),
    )
    combine(out, blocks, x, 0.3, y, 0.7, c.ctypes, count, k)


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_sums_of_vectors(blocks: int, count: int) -> None:
    rng = np.random.default_rng(blocks)
    size = blocks * LANES
    x, y, c = rng.normal(size=size), rng.normal(size=size), rng.normal(size=5)
    k = rng.normal(size=(5, size))
    out = np.full(size + 1, 7.0)
    addresses = np.array([v.ctypes.data for v in (out, x, y, k)])
    _combine(blocks, count, addresses, c)
    np.testing.assert_allclose(
        out[:-1], x + 0.3 * y + 0.7 * (c[:count] @ k[:count]), rtol=1e-14, atol=1e-14
    )
    assert out[-1] == 7.0

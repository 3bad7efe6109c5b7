"""The solver language: compiled functions give what Python gives, bit by bit."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen.runtime.program.compiled_functions import compiled, internal, separate
from mbdgen.subset import types
from mbdgen.subset.scope import TranslationError

Array = NDArray[np.float64]


def same(function: Any, *arguments: Any) -> None:
    """Call a function compiled and by Python; results and changed arrays are equal in bits."""
    copies = [x.copy() if isinstance(x, np.ndarray) else x for x in arguments]
    wanted = function(*copies)
    found = compiled(function)(*arguments)
    for x, y in zip(_flat((found, *arguments)), _flat((wanted, *copies)), strict=True):
        assert np.asarray(x).dtype == np.asarray(y).dtype
        np.testing.assert_array_equal(x, y, strict=isinstance(x, np.ndarray))


def _flat(value: Any) -> list[Any]:
    return [y for x in value for y in _flat(x)] if isinstance(value, tuple) else [value]


def divide(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


@pytest.mark.parametrize(("a", "b"), [(7, 3), (-7, 3), (7, -3), (-7, -3), (6, 3), (-6, 3), (0, -5)])
def test_divisions_round_down(a: int, b: int) -> None:
    same(divide, a, b)


def bits(a: int, b: int) -> tuple[int, int, int, int, int]:
    return a & b, a | b, a ^ b, a << 3, a >> 2


def test_bits() -> None:
    same(bits, 1234567, -987)


def grows(n: int) -> float:
    """A sum that begins as an integer and becomes a real number."""
    total = 0
    for k in range(n):
        if k % 2 == 0:
            total += k
        else:
            total += 0.1 * k
    return total * 1.0


def test_a_variable_takes_the_wider_type() -> None:
    same(grows, 7)


def loops(n: int) -> tuple[int, int, int]:
    down, found, left = 0, -1, 0
    for k in range(n - 1, -1, -1):
        down = 10 * down + k
    for k in range(0, n, 2):
        if k > 3:
            found = k
            break
    while True:
        left += 1
        if left % 3 != 0:
            continue
        if left > n:
            break
    return down, found, left


def test_loops() -> None:
    same(loops, 6)
    same(loops, 0)


def lazy(x: Array, k: int) -> float:
    """An operand that is not needed is not evaluated: there is no such element."""
    n = len(x)
    if k < n and x[k] > 0.0:
        return x[k]
    return x[k - n] if k >= n and k - n < n else -1.0


@pytest.mark.parametrize("k", [0, 1, 3, 50])
def test_conditions_are_lazy(k: int) -> None:
    same(lazy, np.array([1.0, -2.0, 3.0]), k)


def extremes(a: float, b: float, k: int) -> tuple[float, float, float, int]:
    return max(a, b), min(a, b, 0.5), max(k * 1.0, 2.5), max(k, 2)


@pytest.mark.parametrize("b", [1.0, -0.0, math.inf])
def test_extremes_are_those_of_python(b: float) -> None:
    same(extremes, 0.0, b, 3)


def functions(x: float) -> tuple[float, ...]:
    return math.sqrt(x), abs(-x), math.floor(x) * 1.0, float(int(-x)), x**2, math.hypot(x, 1.0)


def test_functions() -> None:
    same(functions, 2.7)


def exchange(x: Array) -> None:
    x[0], x[1] = x[1], x[0]
    a, b = x[2], x[3]
    a, b = b, a
    x[2], x[3] = a, b


def test_assignments_are_simultaneous() -> None:
    same(exchange, np.array([1.0, 2.0, 3.0, 4.0]))


def arrays(A: Array, x: Array) -> tuple[Array, Array, float]:
    n = A.shape[0]
    B = 2.0 * A - np.eye(n) / 3.0
    B[1:, 0] = x[1:]
    B[:, :] += A.T
    row, column = B[1], B[:, 2].copy()
    row -= x
    column[-1] = -column[0]
    total = 0.0
    for value in column:
        total += value
    return B, column, total + np.abs(B).max()


def test_arithmetic_of_arrays() -> None:
    random = np.random.default_rng(1)
    same(arrays, random.normal(size=(4, 4)), random.normal(size=4))


def products(A: Array, x: Array) -> tuple[Array, Array, Array, float]:
    return A @ x, x @ A, A @ A.T, x @ x


def test_products_are_sums_in_ascending_order() -> None:
    """NumPy's own may add in another order."""
    A = np.random.default_rng(2).integers(-9, 9, size=(5, 5)).astype(float)
    same(products, A, A[1].copy())


class Part(NamedTuple):
    """A record with an array."""

    values: Any
    weight: float


class Whole(NamedTuple):
    """A record of records."""

    first: Part
    second: Part
    count: Any


@internal
def scaled(part: Part, factor: float) -> Part:
    return Part(factor * part.values, part.weight + 1.0)


def records(whole: Whole) -> tuple[Array, float]:
    new = scaled(whole.second, whole.first.weight)
    whole.count[0] += len(new.values)
    pair = Whole(new, whole.first, whole.count)
    values, weight = pair.first
    return values + pair.second.values, weight * pair[1].weight


def test_records() -> None:
    random = np.random.default_rng(3)
    parts = (Part(random.normal(size=3), x) for x in (0.25, 7.0))
    whole = Whole(*parts, np.zeros(1, np.int64))
    found, weight = compiled(records)(whole)
    wanted, expected = records(whole)
    np.testing.assert_array_equal(found, wanted)
    assert weight == expected and whole.count[0] == 6


def applied(rule: Any, x: Array) -> Any:
    """Return a function that depends on another one."""

    @internal
    def apply(n: int) -> float:
        total = 0.0
        for k in range(n):
            total += rule(x[k])
        return total

    return apply


@internal
def square(x: float) -> float:
    return x * x


@internal
def reciprocal(x: float) -> float:
    return 1.0 / x


_CONSTANTS = np.array([1.0, 2.0, 5.0])
_of_squares, _of_reciprocals = applied(square, _CONSTANTS), applied(reciprocal, _CONSTANTS)


def both(n: int) -> tuple[float, float]:
    return _of_squares(n), _of_reciprocals(n)


def test_functions_of_functions_are_specialised() -> None:
    assert compiled(both)(3) == (30.0, 1.0 + 0.5 + 0.2)


@separate(types.float64[::1](types.int64))
def new_vector(n: int) -> Array:
    values = np.zeros(n)
    for k in range(n):
        values[k] = k
    return values


def borrowed(n: int) -> float:
    total = 0.0
    for k in range(n):
        part = new_vector(k)
        total += part @ part
    return total


def test_arrays_of_callees_live_long_enough() -> None:
    assert compiled(borrowed)(200) == sum(float(np.arange(k) @ np.arange(k)) for k in range(200))
    np.testing.assert_array_equal(new_vector(4), [0, 1, 2, 3])


def opposite(n: int) -> Any:
    return [x for x in range(n)]


def unknown(x: Array) -> Any:
    return np.fft.fft(x)


def late(x: float) -> float:
    if x > 0.0:
        y = 1.0
    return y + z  # type: ignore[name-defined]  # noqa: F821


def two_kinds(x: Array) -> float:
    y = x
    y = 3.0
    return y


def floored(x: float) -> float:
    return x // 2.0


def forgotten(x: float) -> float:  # type: ignore[return]
    if x > 0.0:
        return 1.0


@pytest.mark.parametrize(
    ("function", "argument", "words"),
    [
        (opposite, 3, "for x in range"),
        (unknown, np.zeros(2), "no function of the solver language"),
        (late, 1.0, "the name 'z' is not defined"),
        (two_kinds, np.zeros(2), "cannot hold both"),
        (forgotten, 1.0, "may end without a result"),
        (floored, 1.0, "for integers only"),
    ],
)
def test_what_is_outside_is_named_with_its_line(function: Any, argument: Any, words: str) -> None:
    with pytest.raises(TranslationError) as error:
        compiled(function)(argument)
    line = function.__code__.co_firstlineno
    assert words in str(error.value) and f"'{function.__name__}'" in str(error.value)
    assert __file__ in str(error.value)
    assert any(f"line {line + k})" in str(error.value) for k in range(5))


def test_arguments_of_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="new_vector"):
        new_vector(3, 4)
    total = separate(types.float64(types.float64[::1]))(_total)
    with pytest.raises(TypeError, match=r"_total.*not int64"):
        total(np.zeros(3, np.int64))
    with pytest.raises(TypeError, match="strides"):
        total(np.zeros((3, 3))[:, 0])


def _total(x: Array) -> float:
    return x.sum()


def slow_sum(n: int) -> float:
    total = 0.0
    for k in range(n):
        total += math.sqrt(k * 1.0)
    return total


def test_threads_compile_one_at_a_time() -> None:
    functions = [separate(types.float64(types.int64))(slow_sum) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda f: f(100), functions))
    assert found == [slow_sum(100)] * 8

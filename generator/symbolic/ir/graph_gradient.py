r"""Automatic differentiation of a graph: forward mode, all directions, sparse gradients.

The derivative of every node is a dictionary from direction to node. Equal partial derivatives are
one node, so the gradient shares its work with the function and between directions.

Powers of a square root are differentiated as such,

.. math:: \left(\sqrt x^{\,n}\right)' = \tfrac n2\, \sqrt x^{\,n-2}\, x'

so that ``max(x, 0)**(3/2)`` has the derivative 0 where it is clipped, and not 0/0. A derivative
that would be infinite where a clipped value is zero, as that of ``sqrt(max(x, 0))``, is 0 there.
"""

from collections.abc import Callable, Mapping, Sequence

from mbdgen.errors import BuildError
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.operations import COMPARISONS

CLIPPED = frozenset({"min", "max", "abs", "select"})
"""Functions that may be zero on an interval, or have a kink where they are zero."""
Gradient = dict[int, int]  # direction -> node of the derivative; directions without one are zero
Partial = Callable[[GraphBuilder, int, int], int]  # (builder, operand, the node itself)


def gradients(
    builder: GraphBuilder, roots: Sequence[int], seeds: Mapping[int, Mapping[int, int]]
) -> list[Gradient]:
    """Return the gradient of every root.

    Parameters
    ----------
    builder : GraphBuilder
        Holds the roots and receives their derivatives.
    roots : sequence of int
        Nodes to differentiate.
    seeds : mapping of node to gradient
        The derivatives of the inputs; inputs without a seed are constant.
    """
    graph = builder.finish()
    found: dict[int, Gradient] = {}
    powers: dict[int, tuple[int, int]] = {}  # of square roots: node of the root, and exponent
    for k in graph.needed(roots):
        if k in seeds:
            found[k] = dict(seeds[k])
            continue
        op, *args = graph.nodes[k]
        if (power := _power_of_root(powers, k, op, args)) is not None:
            powers[k] = power
        if op in ("const", "input") or op in COMPARISONS or not any(found[a] for a in args):
            found[k] = {}
        elif op == "select":
            found[k] = _either(builder, args[0], found[args[1]], found[args[2]])
        elif k in powers:
            root, n = powers[k]
            radicand = graph.nodes[root][1]
            outer = _slope_of_power(builder, root, n, n == 1 and _is_clipped(graph, radicand))
            found[k] = {d: builder.mul(outer, x) for d, x in found[radicand].items()}
        elif op == "pow":
            clipped = _is_clipped(graph, args[0])
            found[k] = _power(builder, k, args, [found[a] for a in args], clipped)
        else:
            found[k] = _chain(builder, op, k, args, [found[a] for a in args])
    return [found[k] for k in roots]


def _chain(
    b: GraphBuilder, op: str, k: int, args: Sequence[int], inner: Sequence[Gradient]
) -> Gradient:
    """Apply the chain rule to one operation."""
    if op == "neg":
        return {d: b.neg(x) for d, x in inner[0].items()}
    if op == "add":
        return _sum(b, inner[0], inner[1])
    if op == "sub":
        return _sum(b, inner[0], {d: b.neg(x) for d, x in inner[1].items()})
    if op == "mul":
        left = {d: b.mul(x, args[1]) for d, x in inner[0].items()}
        return _sum(b, left, {d: b.mul(args[0], x) for d, x in inner[1].items()})
    if op == "div":  # d(x/y) = (dx - (x/y) dy) / y
        change = _sum(b, inner[0], {d: b.neg(b.mul(k, x)) for d, x in inner[1].items()})
        return {d: b.div(x, args[1]) for d, x in change.items()}
    if op in ("min", "max"):
        first, second = args if op == "min" else reversed(args)
        mean = _mean(b, inner[0], inner[1])  # at a tie the mean of both sides
        rest = _either(b, b.compare("eq", first, second), mean, inner[1])
        return _either(b, b.compare("lt", first, second), inner[0], rest)
    if op == "atan2":
        y, x = args
        square = b.add(b.mul(x, x), b.mul(y, y))
        up = {d: b.div(b.mul(x, dy), square) for d, dy in inner[0].items()}
        return _sum(b, up, {d: b.neg(b.div(b.mul(y, dx), square)) for d, dx in inner[1].items()})
    if op in ("sign", "floor"):
        return {}
    if op not in _PARTIALS:
        raise BuildError(f"The function {op!r} has no known derivative.")
    outer = _PARTIALS[op](b, args[0], k)
    return {d: b.mul(outer, x) for d, x in inner[0].items()}


def _power_of_root(
    powers: Mapping[int, tuple[int, int]], k: int, op: str, args: Sequence[int]
) -> tuple[int, int] | None:
    """Return root and exponent if a node is a power of a square root, else None."""
    if op == "sqrt":
        return k, 1
    if op != "mul" or any(a not in powers for a in args):
        return None
    (root, n), (other, m) = (powers[a] for a in args)
    return (root, n + m) if root == other else None


def _slope_of_power(b: GraphBuilder, root: int, n: int, clipped: bool) -> int:
    """Return ``n/2 root**(n - 2)``: the derivative of a power of a root by the radicand."""
    if n > 1:
        return b.mul(b.const(0.5 * n), b.power(root, n - 2))
    return _above_zero(b, root, lambda x: b.div(b.const(0.5), x), clipped)


def _power(
    b: GraphBuilder, k: int, args: Sequence[int], inner: Sequence[Gradient], clipped: bool
) -> Gradient:
    base, exponent = args
    less = b.sub(exponent, b.const(1.0))
    # An exponent that is an input is one of a law, above 1; a difference is that of a slope.
    steep = clipped and b.operation(exponent) != "input" and not b.is_positive(less)
    outer = _above_zero(b, base, lambda x: b.mul(exponent, b.call("pow", x, less)), steep)
    total = {d: b.mul(outer, x) for d, x in inner[0].items()}
    if inner[1]:
        by_exponent = _above_zero(b, base, lambda x: b.mul(k, b.call("log", x)), clipped)
        total = _sum(b, total, {d: b.mul(by_exponent, x) for d, x in inner[1].items()})
    return total


def _above_zero(b: GraphBuilder, x: int, value: Callable[[int], int], guarded: bool) -> int:
    """Return a function of a value where that is positive, else 0, if `guarded`.

    Both sides of a choice are evaluated: at non-positive values the function is that of 1.
    """
    if not guarded:
        return value(x)
    above = b.compare("lt", b.const(0.0), x)
    return b.select(above, value(b.select(above, x, b.const(1.0))), b.const(0.0))


def _is_clipped(graph: Graph, k: int) -> bool:
    """Return whether a node may be zero on an interval: a clipped value, or a product with one."""
    op, *args = graph.nodes[k]
    if op in ("neg", "mul", "div", "pow", "sqrt"):
        return any(_is_clipped(graph, a) for a in {*args})
    return op in CLIPPED


def _sum(b: GraphBuilder, one: Gradient, other: Gradient) -> Gradient:
    total = dict(one)
    for d, x in other.items():
        total[d] = b.add(total[d], x) if d in total else x
    return {d: x for d, x in total.items() if not b.is_zero(x)}


def _mean(b: GraphBuilder, one: Gradient, other: Gradient) -> Gradient:
    return {d: b.mul(b.const(0.5), x) for d, x in _sum(b, one, other).items()}


def _either(b: GraphBuilder, condition: int, yes: Gradient, no: Gradient) -> Gradient:
    zero = b.const(0.0)
    return {d: b.select(condition, yes.get(d, zero), no.get(d, zero)) for d in sorted({*yes, *no})}


def _inverse(b: GraphBuilder, x: int) -> int:
    return b.div(b.const(1.0), x)


def _circle(b: GraphBuilder, x: int) -> int:
    """Return sqrt(1 - x^2)."""
    return b.call("sqrt", b.sub(b.const(1.0), b.mul(x, x)))


_PARTIALS: dict[str, Partial] = {
    "sin": lambda b, x, f: b.call("cos", x),
    "cos": lambda b, x, f: b.neg(b.call("sin", x)),
    "tan": lambda b, x, f: b.add(b.const(1.0), b.mul(f, f)),
    "asin": lambda b, x, f: _inverse(b, _circle(b, x)),
    "acos": lambda b, x, f: b.neg(_inverse(b, _circle(b, x))),
    "atan": lambda b, x, f: _inverse(b, b.add(b.const(1.0), b.mul(x, x))),
    "sinh": lambda b, x, f: b.call("cosh", x),
    "cosh": lambda b, x, f: b.call("sinh", x),
    "tanh": lambda b, x, f: b.sub(b.const(1.0), b.mul(f, f)),
    "exp": lambda b, x, f: f,
    "log": lambda b, x, f: _inverse(b, x),
    "abs": lambda b, x, f: b.call("sign", x),
}

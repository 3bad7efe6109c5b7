"""Calls of C functions by their addresses in a table, from compiled code."""

from typing import Any

from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE, Kernels
from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.scope import Intrinsic
from mbdgen.subset.translated_values import FunctionValue, RecordValue, Value


def caller(signature: types.Signature) -> Any:
    """Return a function that calls the C function at an address, by its signature."""

    def call(translator: Any, given: Any, node: Any) -> Value:
        address, arguments = given
        parts = list(translator.items(arguments, node))
        found: Value = translator.call_address(signature, address.expression, parts, node)
        return found

    return Intrinsic(call)


def as_function(kind: types.FunctionPointer) -> Any:
    """Return a function that makes a function of a type from an address."""

    def function(translator: Any, given: Any, node: Any) -> Value:
        return FunctionValue(kind.signature, given[0].expression)

    return Intrinsic(function)


call_kernel = caller(KERNEL_SIGNATURE)
"""``call_kernel(address, (t, q, v, a, lam, w, p, m, out))`` (for compiled code)."""


@Intrinsic
def kernels_at(translator: Any, given: Any, node: Any) -> Value:
    """Kernels whose addresses are in a table from an index on (for compiled code)."""
    table, first = given
    start = translator.let(first.expression)
    addresses = (
        tree.ArrayElement(table.expression, translator.plus(start, tree.integer(k)), types.int64)
        for k in range(len(Kernels._fields))
    )
    fields = (FunctionValue(KERNEL_SIGNATURE, translator.let(x)) for x in addresses)
    return RecordValue(Kernels, tuple(fields))

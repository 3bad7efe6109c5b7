"""Calls of C functions by their addresses in a table, from compiled code."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from mbdgen.runtime.program.function_addresses import from_address
from mbdgen.runtime.program.kernel_abi import KERNEL, KERNEL_SIGNATURE, KERNELS


def caller(signature: Any) -> Any:
    """Return an intrinsic that calls the C function at an address, by its signature."""

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        def code(context: Any, builder: Any, types_of: Any, values: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in signature.args]
            function = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
            pointer = builder.inttoptr(values[0], function.as_pointer())
            given = [builder.extract_value(values[1], k) for k in range(len(kinds))]
            return builder.call(pointer, given)

        return signature.return_type(types.int64, types.Tuple(signature.args)), code

    return call


def as_function(kind: Any) -> Any:
    """Return an intrinsic that makes a first-class function of a type from an address."""

    @intrinsic
    def function(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return from_address(context, builder, kind, values[0])

        return kind(types.int64), code

    return function


call_kernel = caller(KERNEL_SIGNATURE)
"""``call_kernel(address, (t, q, v, a, lam, w, p, m, out))`` (for compiled code)."""


@intrinsic
def kernels_at(typing_context: Any, table: Any, first: Any) -> Any:
    """Kernels whose addresses are in a table from an index on (for compiled code)."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        found = context.get_constant_null(KERNELS)
        for k in range(len(KERNELS)):
            pointer = builder.add(values[1], ir.IntType(64)(k))
            address = builder.load(builder.gep(values[0], [pointer]))
            found = builder.insert_value(found, from_address(context, builder, KERNEL, address), k)
        return found

    return KERNELS(types.CPointer(types.int64), types.int64), code

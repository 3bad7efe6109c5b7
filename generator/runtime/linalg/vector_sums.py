"""Vectorised linear combinations in blocks of four values, without remainders or aliasing checks.

LLVM vectorises a loop over pointers only after run-time checks for overlap, and the vectors of
small mechanisms are shorter than the blocks that it would then process.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mbdgen.runtime.stepping.fused_context import LANES, REALS

_BLOCK = ir.VectorType(ir.DoubleType(), LANES)
_INDEX = ir.IntType(64)


@intrinsic
def combine(
    typing_context: Any,
    out: Any,
    blocks: Any,
    x: Any,
    s: Any,
    y: Any,
    f: Any,
    c: Any,
    count: Any,
    k: Any,
) -> Any:
    """``out = x + s y + f (c[0] k[0] + ... + c[count - 1] k[count - 1])`` (for compiled code).

    Vectors have ``LANES blocks`` values; those of ``k`` are contiguous.
    """
    number = types.float64
    signature = types.void(
        REALS, types.int64, REALS, number, REALS, number, REALS, types.int64, REALS
    )

    def code(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
        out, blocks, x, s, y, f, c, count, k = values
        s, f = _spread(builder, s), _spread(builder, f)
        size = builder.mul(blocks, _INDEX(LANES))
        total = cgutils.alloca_once(builder, _BLOCK)
        with cgutils.for_range(builder, blocks) as block:
            at = builder.mul(block.index, _INDEX(LANES))
            builder.store(_BLOCK(None), total)
            with cgutils.for_range(builder, count) as term:
                place = builder.add(at, builder.mul(term.index, size))
                weight = _spread(builder, builder.load(builder.gep(c, [term.index])))
                product = builder.fmul(weight, _load(builder, k, place))
                builder.store(builder.fadd(builder.load(total), product), total)
            first = builder.fadd(_load(builder, x, at), builder.fmul(s, _load(builder, y, at)))
            result = builder.fadd(first, builder.fmul(f, builder.load(total)))
            builder.store(result, _at(builder, out, at), align=8)
        return context.get_dummy_value()

    return signature, code


@intrinsic
def move(typing_context: Any, out: Any, blocks: Any, x: Any) -> Any:
    """``out = x`` (for compiled code)."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
        out, blocks, x = values
        with cgutils.for_range(builder, blocks) as block:
            at = builder.mul(block.index, _INDEX(LANES))
            builder.store(_load(builder, x, at), _at(builder, out, at), align=8)
        return context.get_dummy_value()

    return types.void(REALS, types.int64, REALS), code


@intrinsic
def behind(typing_context: Any, pointer: Any, index: Any) -> Any:
    """Pointer to the value at an index (for compiled code)."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return REALS(REALS, types.int64), code


def _at(builder: ir.IRBuilder, pointer: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(pointer, [index]), _BLOCK.as_pointer())


def _load(builder: ir.IRBuilder, pointer: Any, index: Any) -> Any:
    return builder.load(_at(builder, pointer, index), align=8)


def _spread(builder: ir.IRBuilder, number: Any) -> Any:
    one = builder.insert_element(_BLOCK(ir.Undefined), number, ir.IntType(32)(0))
    mask = ir.VectorType(ir.IntType(32), LANES)(None)
    return builder.shuffle_vector(one, _BLOCK(ir.Undefined), mask)

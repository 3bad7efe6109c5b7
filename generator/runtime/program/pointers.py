"""Pointers in the solver language: addresses as reals, integers, vectors."""

from typing import Any

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.scope import Intrinsic
from mbdgen.subset.translated_values import ArrayValue, PointerValue

REALS = types.CPointer(types.float64)
INTEGERS = types.CPointer(types.int64)


def _pointer(kind: types.Pointer) -> Any:
    def pointer(translator: Any, given: Any, node: Any) -> PointerValue:
        (address,) = given
        if isinstance(address, PointerValue):
            return PointerValue(address.expression, kind.item)
        return PointerValue(tree.Convert(address.expression, kind), kind.item)

    return Intrinsic(pointer)


reals = _pointer(REALS)
"""Pointer to real numbers at an address (for compiled code)."""
integers = _pointer(INTEGERS)
"""Pointer to integers at an address (for compiled code)."""


@Intrinsic
def behind(translator: Any, given: Any, node: Any) -> PointerValue:
    """Pointer to the value at an index (for compiled code)."""
    pointer, index = given
    address = tree.Behind(pointer.expression, index.expression, types.Pointer(pointer.item))
    return PointerValue(translator.let(address), pointer.item)


def _vector(translator: Any, given: Any, node: Any) -> ArrayValue:
    """Vector of a length at a pointer."""
    pointer, length = given
    return ArrayValue(pointer.item, pointer.expression, (length.expression,))


vector = Intrinsic(_vector, lambda values, length: values[:length])

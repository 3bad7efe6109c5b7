"""Array views without reference counting, for compiled code.

Numba counts references to every array, with an atomic addition, whenever one is passed to a
function or assigned to a variable, and tuples of arrays count all of theirs. In a step of a small
mechanism that took [M] a third of the time. Arguments that Python passes to a loop outlive the
loop, so no counting is needed: an array without an owner is not counted.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def borrowed(context: Any, values: Any) -> Any:
    """Return an array, or a tuple of arrays and other values, with the same data but no owners.

    Only for data that outlives the result: arguments that come from Python.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owners(context, builder, signature.return_type, arguments[0])

    return values(values), generate


def _without_owners(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        for owner in ("meminfo", "parent"):
            setattr(array, owner, cgutils.get_null_value(getattr(array, owner).type))
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for k, part in enumerate(kind):
            old = builder.extract_value(value, k)
            new = _without_owners(context, builder, part, old)
            value = builder.insert_value(value, new, k)
    return value

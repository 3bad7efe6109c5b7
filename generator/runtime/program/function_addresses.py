"""Function pointers: functions passed from Python to compiled code by their addresses.

Numba's own first-class functions are objects whose address it requests at every call from Python,
by unpickling their types: [M] 30 to 80 microseconds for each of the two dozen kernels of a
mechanism, longer than hundreds of steps. Here the address is read from an attribute.
"""

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, typeof_impl, unbox


class FunctionPointer(types.FunctionType):
    """Numba type of a compiled function, passed from Python as an `AddressedFunction`."""


@dataclass(frozen=True, eq=False)
class AddressedFunction:
    """A compiled function with its address.

    Attributes
    ----------
    address : int
        Address of its version with C calling convention.
    kind : FunctionPointer
        Its type.
    owner : object
        Object that must stay alive with the function.
    """

    address: int
    kind: FunctionPointer
    owner: object

    @classmethod
    def of(cls, function: Any, kind: FunctionPointer) -> "AddressedFunction":
        """Return a kernel, a C function, or an eagerly compiled function as this type."""
        if isinstance(function, cls):
            return function
        return cls(address_of(function, kind.signature), kind, function)


def address_of(function: Any, signature: Any) -> int:
    """Return the address of a kernel, or of an eagerly compiled function of this signature.

    Parameters
    ----------
    function : AddressedFunction, kernel, cfunc or compiled function
        Function to be called.
    signature : Numba signature
        Signature of the version.
    """
    if isinstance(function, AddressedFunction):
        return function.address
    if isinstance(function, types.WrapperAddressProtocol):
        return int(function.__wrapper_address__())
    if isinstance(function, CFunc):
        return int(function.address)
    compiled = function.get_compile_result(signature)
    wrapper = compiled.fndesc.llvm_cfunc_wrapper_name
    return int(compiled.library.get_pointer_to_function(wrapper))


def from_address(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """Emit code that makes a first-class function of a type from an address."""
    pointer = builder.inttoptr(address, context.get_value_type(types.voidptr))
    # The first field of a function object is the address of its C version.
    return builder.insert_value(context.get_constant_null(kind), pointer, 0)


register_model(FunctionPointer)(FunctionModel)


@typeof_impl.register(AddressedFunction)
def _type_of(function: AddressedFunction, context: Any) -> FunctionPointer:
    return function.kind


@unbox(FunctionPointer)
def _unbox(kind: Any, function: Any, code: Any) -> NativeValue:
    """Emit code that reads the attribute ``address``; without it the call raises AttributeError."""
    number = code.pyapi.object_getattr_string(function, "address")
    pointer = code.builder.alloca(ir.IntType(64))
    code.builder.store(ir.IntType(64)(0), pointer)
    missing = code.builder.icmp_unsigned("==", number, ir.Constant(number.type, None))
    with code.builder.if_then(code.builder.not_(missing), likely=True):
        code.builder.store(code.pyapi.long_as_longlong(number), pointer)
        code.pyapi.decref(number)
    value = from_address(code.context, code.builder, kind, code.builder.load(pointer))
    return NativeValue(value, is_error=missing)

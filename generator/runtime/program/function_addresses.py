"""Functions called by their addresses."""

from dataclasses import dataclass
from typing import Any

from mbdgen.subset.types import FunctionPointer


@dataclass(frozen=True, eq=False)
class AddressedFunction:
    """A compiled function with its address.

    Attributes
    ----------
    address : int
        Its address.
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
        """Return a kernel or a compiled function as this type."""
        if isinstance(function, cls):
            return function
        return cls(address_of(function), kind, function)


def address_of(function: Any) -> int:
    """Return the address of a kernel, or of a compiled function.

    Parameters
    ----------
    function : AddressedFunction, kernel or compiled function
        Function to be called.
    """
    return int(function.address)

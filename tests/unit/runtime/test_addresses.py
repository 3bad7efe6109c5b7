"""Functions called by their addresses: what has none is refused, never called."""

from typing import Any

import numpy as np
import pytest

from mbdgen import load
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.function_addresses import AddressedFunction, address_of
from mbdgen.runtime.program.kernel_abi import KERNEL
from mbdgen.subset import types


@separate(types.int64(KERNEL))
def take_kernel(kernel: Any) -> int:
    """Take a kernel, which only its address is needed for."""
    return 7


def test_a_kernel_has_an_address_and_keeps_it() -> None:
    kernel = load("pendulum").kernels.residual
    function = AddressedFunction.of(kernel, KERNEL)
    assert function.address == address_of(kernel) != 0
    assert AddressedFunction.of(function, KERNEL) is function
    assert address_of(function) == function.address
    assert take_kernel(function) == 7


@pytest.mark.parametrize("other", [None, 3, "residual", len, lambda: 0, np.zeros(3)])
def test_what_has_no_address_is_no_function(other: Any) -> None:
    with pytest.raises(AttributeError):
        AddressedFunction.of(other, KERNEL)
    with pytest.raises(AttributeError):
        take_kernel(other)


def test_a_function_without_an_address_fails_before_it_is_called() -> None:
    """As one that was not made by its constructor, such as a copy in pieces."""
    empty = object.__new__(AddressedFunction)
    object.__setattr__(empty, "kind", KERNEL)
    with pytest.raises(AttributeError, match="address"):
        take_kernel(empty)

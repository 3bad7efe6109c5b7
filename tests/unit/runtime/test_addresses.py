"""Functions that are handed over by their addresses: what has none is refused, never called."""

from typing import Any

import numpy as np
import pytest
from numba import int64, njit

from mbdgen import load
from mbdgen.runtime.program.function_addresses import AddressedFunction, address_of
from mbdgen.runtime.program.kernel_abi import KERNEL


@pytest.fixture(scope="module")
def taken() -> Any:
    """A function that takes a kernel, which only its address is needed for."""

    @njit(int64(KERNEL))
    def seven(kernel: Any) -> int:
        return 7

    return seven


def test_a_kernel_has_an_address_and_keeps_it(taken: Any) -> None:
    kernel = load("pendulum").kernels.residual
    function = AddressedFunction.of(kernel, KERNEL)
    assert function.address == address_of(kernel, KERNEL.signature) != 0
    assert AddressedFunction.of(function, KERNEL) is function
    assert address_of(function, KERNEL.signature) == function.address
    assert taken(function) == 7


@pytest.mark.parametrize("other", [None, 3, "residual", len, lambda: 0, np.zeros(3)])
def test_what_has_no_address_is_no_function(other: Any, taken: Any) -> None:
    with pytest.raises(AttributeError):
        AddressedFunction.of(other, KERNEL)
    with pytest.raises(TypeError, match="No matching definition"):
        taken(other)


def test_a_function_of_another_signature_is_refused() -> None:
    with pytest.raises(TypeError, match="Signature mismatch"):
        AddressedFunction.of(njit(lambda x: x), KERNEL)


def test_a_function_without_an_address_fails_before_it_is_called(taken: Any) -> None:
    """As one that was not made by its constructor, such as a copy in pieces."""
    empty = object.__new__(AddressedFunction)
    object.__setattr__(empty, "kind", KERNEL)
    with pytest.raises(AttributeError, match="address"):
        taken(empty)

"""Printed functions compiled by Numba itself, where LLVM is another than `machine_code` knows."""

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from numba import cfunc, njit

from mbdgen.runtime.abi import KERNEL_SIGNATURE


def compiled_by_numba(
    module: Mapping[str, Any], functions: Sequence[str], names: Sequence[str]
) -> dict[str, Any]:
    """Return functions of a printed module as kernels that Numba has compiled, for this process.

    Parameters
    ----------
    module : mapping
        What the module has defined.
    functions : sequence of str
        All that was printed.
    names : sequence of str
        Those that are called from outside.
    """
    # Printed functions call each other by name: here the names mean what Numba has compiled.
    compiled = dict(module)
    plain = {name: FunctionType(module[name].__code__, compiled, name) for name in functions}
    for name, function in plain.items():
        compiled[name] = njit(error_model="numpy")(function)
    as_kernel = cfunc(KERNEL_SIGNATURE, error_model="numpy")
    return {name: as_kernel(plain[name]) for name in names}

"""Machine code of printed functions: compiled by LLVM, cached by a hash of their text.

Every function is compiled separately and named by a hash of its inputs. A mechanism with another
number of elements consists of the same functions, and so do many other mechanisms: they share the
compiled functions in the cache.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen.errors import BuildError
from mbdgen.runtime.program.compiled_functions import Separate
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.program.llvm_expressions import (
    ADDRESS,
    ARGUMENTS,
    INT,
    KERNEL_KINDS,
    REAL,
    Callee,
)
from mbdgen.runtime.program.llvm_functions import llvm_module
from mbdgen.runtime.program.object_code import (
    LOADING,
    CompilerError,
    add_object,
    address_of_symbol,
    object_name,
)
from mbdgen.subset import types

_FUNCTION = re.compile(r"^def (\w+)\(t, q, v, a, lam, w, p, m, out\):\n((?:    .*\n|\n)*)", re.M)
_PROSE = re.compile(r' *"""[^"]*"""\n|  # .*| *# .*\n')
_CALL = re.compile(r"^ +(\w+)\(|\bif (\w+)\(", re.M)
_TABLE = re.compile(r"\b([A-Z]\w*)\b")
_RETURN = re.compile(r"^ +return\b", re.M)


@dataclass(frozen=True)
class MachineKernel:
    """A compiled function at an address.

    Attributes
    ----------
    address : int
        Its address.
    """

    address: int


def compile_kernels(module: Mapping[str, Any], names: Sequence[str]) -> Kernels:
    """Return the kernels of a printed module: fields of `Kernels`, see `compile_functions`."""
    return Kernels(**compile_functions(module, names))


def compile_functions(module: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return functions of a printed module, compiled unless they are in the cache.

    Parameters
    ----------
    module : mapping
        Globals of the module so far; ``__file__`` is the path of its text.
    names : sequence of str
        Functions called from outside.
    """
    text = Path(module["__file__"]).read_text("utf-8")
    bodies: dict[str, str] = {}
    for name, body in _FUNCTION.findall(text):
        if name in bodies:  # Python would silently use the last one for both
            raise BuildError(
                f"The module {module['__file__']} defines the function '{name}' twice.",
                "Build the module again.",
            )
        bodies[name] = body
    known = {name: _known(name, f) for name, f in module.items() if isinstance(f, Separate)}
    with LOADING:
        for name, body in bodies.items():
            try:
                known[name] = _compiled(name, body, known, module)
            except CompilerError as error:
                raise BuildError(f"In the kernel '{name}': {error.cause}", error.remedy) from error
        return {name: MachineKernel(address_of_symbol(known[name].symbol)) for name in names}


def _known(name: str, function: Separate) -> Callee:
    """Return a function of the runtime as one that printed functions can call."""
    signature = function.signature
    kinds = tuple(_kind(x) for x in signature.arguments)
    return Callee(function.symbol, _kind(signature.result), kinds)


def _kind(kind: Any) -> str:
    return {types.float64: REAL, types.int64: INT}.get(kind, ADDRESS)


def _compiled(
    name: str, body: str, known: Mapping[str, Callee], module: Mapping[str, Any]
) -> Callee:
    """Return a function after compiling or loading its machine code into the process."""
    code = _PROSE.sub("", body)
    called = {x: known[x] for pair in _CALL.findall(code) for x in pair if x in known}
    numbers = {x: module[x] for x in _TABLE.findall(code) if x in module}
    constants = [f"{x} {callee}" for x, callee in called.items()]
    constants += [f"{x} {_bytes(value)!r}" for x, value in numbers.items()]
    key = sha256("\n".join([_maker(), *constants, code]).encode()).hexdigest()[:32]
    callee = Callee(f"mbdgen.{key}", INT if _RETURN.search(code) else "void", KERNEL_KINDS)

    def text() -> str:
        return llvm_module(_parsed(name, code), callee.symbol, called, numbers)

    add_object(object_name(key, kernel=True), text, kernel=True)
    return callee


def _bytes(value: object) -> object:
    return value.tobytes() if isinstance(value, np.ndarray) else value


def _parsed(name: str, code: str) -> ast.FunctionDef:
    (function,) = ast.parse(f"def {name}():\n{code}").body
    assert isinstance(function, ast.FunctionDef)
    return function


@cache
def _maker() -> str:
    """Return what the module of a printed function depends on besides its text: this code."""
    here = Path(__file__)
    beside = ("llvm_expressions.py", "llvm_functions.py")
    own = [here.with_name(name).read_text("utf-8") for name in (here.name, *beside)]
    return "\n".join([repr(ARGUMENTS), *own])

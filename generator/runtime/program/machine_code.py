"""Machine code of printed functions: compiled by LLVM, cached by a hash of their text.

Every function is compiled separately and named by a hash of its inputs. A mechanism with another
number of elements consists of the same functions, and so do many other mechanisms: they share the
compiled functions in the cache.
"""

import ast
import logging
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import cfunc, njit, types
from numba.core.ccallback import CFunc

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.runtime.program.cache_entries import DamagedEntry, read_entry, write_entry
from mbdgen.runtime.program.cache_folders import cache_folder
from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE, Kernels
from mbdgen.runtime.program.llvm_expressions import (
    ADDRESS,
    ARGUMENTS,
    INT,
    KERNEL_KINDS,
    REAL,
    Callee,
)
from mbdgen.runtime.program.llvm_functions import llvm_module

logger = logging.getLogger(__name__)

_FUNCTION = re.compile(r"^def (\w+)\(t, q, v, a, lam, w, p, m, out\):\n((?:    .*\n|\n)*)", re.M)
_PROSE = re.compile(r' *"""[^"]*"""\n|  # .*| *# .*\n')
_CALL = re.compile(r"^ +(\w+)\(|\bif (\w+)\(", re.M)
_TABLE = re.compile(r"\b([A-Z]\w*)\b")
_RETURN = re.compile(r"^ +return\b", re.M)


class MachineKernel(types.WrapperAddressProtocol):
    """A compiled function at an address, typed as a kernel."""

    def __init__(self, address: int) -> None:
        self._address = address

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> object:
        """Return the Numba type of the kernel."""
        return KERNEL_SIGNATURE


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
    known = {name: _known(name, f) for name, f in module.items() if isinstance(f, CFunc)}
    for name, body in bodies.items():
        try:
            known[name] = _compiled(name, body, known, module)
        except MbdgenError:
            raise  # with the cause
        except Exception as error:  # other versions of LLVM may raise anything
            if not _knows_llvm():
                return compiled_by_numba(module, list(bodies), names)
            raise BuildError(
                f"LLVM cannot read the kernel '{name}' ({error}).", "Build the module again."
            ) from error
    _engine().finalize_object()
    address = _engine().get_function_address
    return {name: MachineKernel(address(known[name].symbol)) for name in names}


@cache
def _knows_llvm() -> bool:
    """Return whether the simplest kernel can be compiled; warn, once, if it cannot."""
    try:
        simplest = _parsed("simplest", "    out[0] = q[0]\n    return 0\n")
        _machine_code(llvm_module(simplest, "mbdgen.simplest", {}, {}))
        _engine()
    except Exception as error:
        logger.warning(
            "Numba %s has another LLVM than is known here (%s: %s). Numba compiles the kernels "
            "itself, at every start; with Numba 0.62 or newer a tenth of the time is enough.",
            *(numba.__version__, type(error).__name__, str(error).partition("\n")[0]),
        )
        return False
    return True


def _known(name: str, function: CFunc) -> Callee:
    """Return a function compiled by Numba as one that printed functions can call."""
    signature = function._sig
    kinds = tuple(_kind(x) for x in signature.args)
    symbol = f"mbdgen.{name}"
    llvm.add_symbol(symbol, function.address)
    return Callee(symbol, _kind(signature.return_type), kinds)


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
    if key not in _loaded():
        machine = _load(key)
        if machine is None:
            function = _parsed(name, code)
            machine = _machine_code(llvm_module(function, callee.symbol, called, numbers))
            _store(key, machine)
        _engine().add_object_file(llvm.ObjectFileRef.from_data(machine))
        _loaded().add(key)
    return callee


def _bytes(value: object) -> object:
    return value.tobytes() if isinstance(value, np.ndarray) else value


def _parsed(name: str, code: str) -> ast.FunctionDef:
    (function,) = ast.parse(f"def {name}():\n{code}").body
    assert isinstance(function, ast.FunctionDef)
    return function


def _machine_code(text: str) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    target = _target()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.slp_vectorization = False
    options.loop_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def _engine() -> Any:
    target = llvm.Target.from_default_triple()
    _target()
    machine = target.create_target_machine(opt=2, codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _loaded() -> set[str]:
    """Return the keys of the machine code loaded in the process."""
    return set()


@cache
def _maker() -> str:
    """Return what machine code depends on besides the text: LLVM, processor, and this code."""
    features = llvm.get_host_cpu_features().flatten()
    here = Path(__file__)
    beside = ("llvm_expressions.py", "llvm_functions.py")
    own = [here.with_name(name).read_text("utf-8") for name in (here.name, *beside)]
    version = ".".join(str(x) for x in llvm.llvm_version_info)
    machine = llvm.get_default_triple(), llvm.get_host_cpu_name(), features
    return "\n".join([version, *machine, repr(ARGUMENTS), *own])


def _path(key: str) -> Path:
    return cache_folder() / "machine" / f"{key}.o"


def _load(key: str) -> bytes | None:
    """Return valid machine code; a truncated file would crash the process."""
    try:
        return read_entry(_path(key))
    except (OSError, DamagedEntry):
        return None


def _store(key: str, machine: bytes) -> None:
    """Cache machine code; a cache that cannot be written costs only time."""
    try:
        write_entry(_path(key), machine)
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)


# Fallback: printed functions compiled by Numba itself, with an LLVM unknown to `machine_code`.
def compiled_by_numba(
    module: Mapping[str, Any], functions: Sequence[str], names: Sequence[str]
) -> dict[str, Any]:
    """Return functions of a printed module as kernels compiled by Numba, for this process.

    Parameters
    ----------
    module : mapping
        Globals of the module.
    functions : sequence of str
        All printed functions.
    names : sequence of str
        Functions called from outside.
    """
    # Printed functions call each other by name: here the names refer to functions of Numba.
    compiled = dict(module)
    plain = {name: FunctionType(module[name].__code__, compiled, name) for name in functions}
    for name, function in plain.items():
        compiled[name] = njit(error_model="numpy")(function)
    as_kernel = cfunc(KERNEL_SIGNATURE, error_model="numpy")
    return {name: as_kernel(plain[name]) for name in names}

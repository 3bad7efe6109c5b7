"""Object code: LLVM modules compiled for this processor, cached by content, loaded by symbol.

Functions of the runtime are compiled for a level of processors (x86-64-v3, for instance), so that
a package can contain their object code; kernels of models for exactly this one.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.runtime.program.cache_entries import DamagedEntry, read_entry, write_entry
from mbdgen.runtime.program.cache_folders import cache_folder

logger = logging.getLogger(__name__)

LOADING = threading.RLock()
"""Held while functions are translated, compiled and loaded: one thread does it at a time."""
PREBUILT = Path(__file__).parents[2] / "prebuilt"
"""Folder of code that was compiled when the package was built, laid out like the cache folder."""


class CompilerError(BuildError):
    """LLVM cannot compile a module."""


def object_name(key: str, *, kernel: bool = False) -> str:
    """Return the name of the object code of an LLVM module.

    Parameters
    ----------
    key : str
        Hash of what the module consists of.
    kernel : bool
        Whether it is a kernel of a model: compiled for this processor, without vectorised or
        unrolled loops, since it has none to speak of.
    """
    return sha256(f"{machine_features(kernel)} {key}".encode()).hexdigest()


def add_object(name: str, text: Callable[[], str], *, kernel: bool = False) -> None:
    """Load the object code of an LLVM module, compiled unless it is in the cache.

    Parameters
    ----------
    name : str
        Its name, see `object_name`.
    text : callable
        Returns the module.
    kernel : bool
        As for `object_name`.
    """
    if load_objects([name]):
        return
    code = _compile(text(), kernel)
    _write(name, code)
    _link(name, code)


def load_objects(names: Sequence[str]) -> bool:
    """Load object code from the cache; return False, with nothing loaded, if some is missing."""
    missing = [name for name in names if name not in loaded_objects()]
    found = [_read(name) for name in missing]
    if None in found:
        return False
    for name, code in zip(missing, found, strict=True):
        _link(name, code or b"")
    return True


def _link(name: str, code: bytes) -> None:
    engine().add_object_file(llvm.ObjectFileRef.from_data(code))
    loaded_objects().add(name)


def address_of_symbol(symbol: str) -> int:
    """Return the address of a loaded function."""
    engine().finalize_object()
    found = int(engine().get_function_address(symbol))
    assert found, symbol
    return found


def _compile(text: str, kernel: bool) -> bytes:
    try:
        module = llvm.parse_assembly(text)
        module.verify()
        target = _target(kernel)
        _optimise(module, target, kernel)
        return bytes(target.emit_object(module))
    except Exception as error:  # another version of LLVM may raise anything
        raise CompilerError(
            f"LLVM {_version()} of llvmlite {llvmlite.__version__} cannot compile what mbdgen "
            f"writes ({type(error).__name__}: {error}).",
            "Install a version that is known, such as llvmlite 0.50.",
        ) from error


def _optimise(module: Any, target: Any, kernel: bool) -> None:
    try:
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = not kernel
        options.loop_vectorization = not kernel
        options.loop_unrolling = not kernel
        builder = llvm.create_pass_builder(target, options)
    except (AttributeError, TypeError) as error:
        _warn_of_slow_code(str(error))
        return
    builder.getModulePassManager().run(module, builder)


@cache
def _warn_of_slow_code(reason: str) -> None:
    logger.warning(
        "llvmlite %s has other functions to optimise code than those known here (%s): everything "
        "works, but several times slower. Version 0.50 is known.",
        *(llvmlite.__version__, reason),
    )


def _version() -> str:
    return ".".join(str(x) for x in llvm.llvm_version_info)


@cache
def _target(kernel: bool) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    processor, features = _processor(kernel)
    return target.create_target_machine(
        cpu=processor,
        features=features,
        opt=2,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def _processor(kernel: bool) -> tuple[str, str]:
    """Return the name of the processor that code is compiled for, and its features."""
    host = llvm.get_host_cpu_features()
    if not kernel and llvm.get_default_triple().startswith("x86_64"):
        for level, needed in _LEVELS.items():
            if all(host.get(name) for name in needed):
                return level, ""
    return llvm.get_host_cpu_name(), host.flatten()


_LEVELS = {
    "x86-64-v3": "avx avx2 bmi bmi2 f16c fma lzcnt movbe popcnt sse4.2 xsave".split(),
    "x86-64-v2": "cx16 popcnt sse3 sse4.1 sse4.2 ssse3".split(),
}
"""Levels of processors, and LLVM's words for what they have."""


@cache
def engine() -> Any:
    """Return the linker of this process."""
    _target(False)  # which initialises LLVM
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(opt=2, codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def loaded_objects() -> set[str]:
    """Return the names of the object code loaded in this process."""
    return set()


@cache
def machine_features(kernel: bool = False) -> str:
    """Return what object code depends on besides its module: LLVM, processor, and this code."""
    machine = llvm.get_default_triple(), *_processor(kernel)
    return "\n".join([_version(), *machine, Path(__file__).read_text("utf-8")])


def _read(name: str) -> bytes | None:
    """Return valid object code; a truncated file would crash the process."""
    return read_cached(Path("machine") / f"{name}.o")


def read_cached(path: Path) -> bytes | None:
    """Return an entry of the cache folder, or of what the package was built with; None if none.

    Parameters
    ----------
    path : Path
        Relative to both folders.
    """
    for folder in (cache_folder(), PREBUILT):
        try:
            return read_entry(folder / path)
        except (OSError, DamagedEntry):
            continue
    return None


def _write(name: str, code: bytes) -> None:
    """Cache object code; a cache that cannot be written costs only time."""
    try:
        write_entry(cache_folder() / "machine" / f"{name}.o", code)
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)

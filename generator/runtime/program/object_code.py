"""Object code: LLVM modules compiled for this processor, cached by content, loaded by symbol."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from mbdgen.errors import MbdgenError
from mbdgen.runtime.program.cache_entries import DamagedEntry, read_entry, write_entry
from mbdgen.runtime.program.cache_folders import cache_folder

logger = logging.getLogger(__name__)


def object_name(key: str, *, loops: bool = True) -> str:
    """Return the name of the object code of an LLVM module.

    Parameters
    ----------
    key : str
        Hash of what the module consists of.
    loops : bool
        Whether loops are vectorised and unrolled; printed kernels have none to speak of.
    """
    return sha256(f"{machine_features()} {loops} {key}".encode()).hexdigest()


def add_object(name: str, text: Callable[[], str], *, loops: bool = True) -> None:
    """Load the object code of an LLVM module, compiled unless it is in the cache.

    Parameters
    ----------
    name : str
        Its name, see `object_name`.
    text : callable
        Returns the module.
    loops : bool
        As for `object_name`.
    """
    if load_objects([name]):
        return
    code = _compile(text(), loops)
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


def _compile(text: str, loops: bool) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    target = _target()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.slp_vectorization = loops
    options.loop_vectorization = loops
    options.loop_unrolling = loops
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
def engine() -> Any:
    """Return the linker of this process."""
    _target()  # which initialises LLVM
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(opt=2, codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def loaded_objects() -> set[str]:
    """Return the names of the object code loaded in this process."""
    return set()


@cache
def machine_features() -> str:
    """Return what object code depends on besides its module: LLVM, processor, and this code."""
    version = ".".join(str(x) for x in llvm.llvm_version_info)
    features = llvm.get_host_cpu_features().flatten()
    machine = llvm.get_default_triple(), llvm.get_host_cpu_name(), features
    return "\n".join([version, *machine, Path(__file__).read_text("utf-8")])


def _path(name: str) -> Path:
    return cache_folder() / "machine" / f"{name}.o"


def _read(name: str) -> bytes | None:
    """Return valid object code; a truncated file would crash the process."""
    try:
        return read_entry(_path(name))
    except (OSError, DamagedEntry):
        return None


def _write(name: str, code: bytes) -> None:
    """Cache object code; a cache that cannot be written costs only time."""
    try:
        write_entry(_path(name), code)
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)

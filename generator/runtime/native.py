"""C kernels: compiling them with the system's compiler, and handing them to compiled loops."""

import ctypes
import hashlib
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from numba import types

from mbdgen.errors import BuildError, OptionError
from mbdgen.runtime.abi import KERNEL_SIGNATURE, Kernels
from mbdgen.runtime.atomic import replacing

logger = logging.getLogger(__name__)

FLAGS = (
    "-std=c11",
    "-O2",
    "-fPIC",
    "-shared",
    "-march=native",
    "-ffp-contract=off",  # the same roundings as Numba's code: no fused multiply-add
    "-fno-math-errno",  # sqrt becomes one instruction
)
"""No ``-ffast-math``: it would reorder sums, and two backends would give two results."""


class NativeKernel(types.WrapperAddressProtocol):  # type: ignore[misc]
    """A function of a shared library, typed as a kernel.

    Parameters
    ----------
    library : ctypes.CDLL
        Kept alive as long as the kernel.
    name : str
        Function.
    """

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._library = library
        self._address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value

    def __wrapper_address__(self) -> int:
        assert self._address is not None
        return self._address

    def signature(self) -> object:
        """Return the type that Numba gives to the kernel."""
        return KERNEL_SIGNATURE


def load_kernels(source: Path, model: str, digest: str, names: Sequence[str]) -> Kernels:
    """Return the kernels of a C file, compiling it if there is no library of this digest yet."""
    path = _library_path(source, digest)
    if not path.is_file():
        _compile(source, path)
    library = ctypes.CDLL(str(path))
    return Kernels(**{name: NativeKernel(library, f"{model}_{name}") for name in names})


def compiler() -> list[str]:
    """Return the command of the C compiler.

    ``$CC``, else cc, gcc or clang, else the one in the Python package `ziglang`.

    Raises
    ------
    BuildError
        If there is none.
    """
    if chosen := os.environ.get("CC"):
        return chosen.split()
    for name in ("cc", "gcc", "clang"):
        if path := shutil.which(name):
            return [path]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise BuildError(
        "There is no C compiler (cc, gcc, clang) on this machine.",
        "Install one, or: python -m pip install ziglang; or use --backend numba.",
    )


def _library_path(source: Path, digest: str) -> Path:
    key = hashlib.sha256(f"{digest} {' '.join(FLAGS)} {_machine()}".encode()).hexdigest()[:16]
    return source.parent / "__pycache__" / f"{source.stem}.{key}.so"


def _machine() -> str:
    """Return what distinguishes processors: a library made for one may not run on another."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            return next((line for line in stream if line.startswith("flags")), "")
    except OSError:
        return ""


def _compile(source: Path, target: Path) -> None:
    command = compiler()
    try:
        target.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise OptionError(
            f"The folder '{target.parent}' cannot be made ({error.strerror}).",
            "Build into a folder that can be written.",
        ) from error
    with replacing(target) as temporary:
        line = [*command, *FLAGS, str(source), "-o", str(temporary), "-lm"]
        logger.info("%s", " ".join(line))
        try:
            done = subprocess.run(line, capture_output=True, text=True, check=False)
        except OSError as error:
            raise BuildError(
                f"The C compiler '{command[0]}' cannot be started ({error.strerror}).",
                "Set CC to a working compiler, or use --backend numba.",
            ) from error
        if done.returncode != 0:
            raise BuildError(
                f"The C compiler failed on {source} (exit code {done.returncode}):\n"
                f"{done.stderr.strip()[:2000]}\n",
                "The file is kept; use --backend numba meanwhile.",
            )

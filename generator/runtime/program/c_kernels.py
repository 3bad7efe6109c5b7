"""C kernels: compilation with a C compiler, and loading for compiled loops.

The library is in ``__pycache__`` beside the source. Its name contains the hash of the source, the
flags and the processor features; a file beside it contains its checksum, because loading a damaged
library would crash the process.
"""

import ctypes
import hashlib
import logging
import os
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mbdgen.errors import BuildError
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.c_compiler import FLAGS, compiler, make_library
from mbdgen.runtime.program.cache_folders import why_untrusted
from mbdgen.runtime.program.kernel_abi import Kernels

logger = logging.getLogger(__name__)


class NativeKernel:
    """A function of a shared library.

    Parameters
    ----------
    library : ctypes.CDLL
        The library, kept alive as long as the kernel.
    name : str
        Name of the function.
    """

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._library = library
        self.address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def load_kernels(
    source: Path, model: str, digest: str, names: Sequence[str], units: int = 0
) -> Kernels:
    """Return the kernels of a C file, compiled unless a valid library of it exists.

    Parameters
    ----------
    source : Path
        The C file; its header is beside it.
    model : str
        Prefix of the names of its functions.
    digest : str
        Hash of the module that the file belongs to.
    names : sequence of str
        Names of the kernels, fields of `Kernels`.
    units : int
        Number of compilation units; 0: the whole file at once.
    """
    library = _library(source.absolute(), digest, units)
    return Kernels(**{name: NativeKernel(library, f"{model}_{name}") for name in names})


def _library(source: Path, digest: str, units: int) -> ctypes.CDLL:
    path = source.parent / "__pycache__" / f"{source.stem}.{_key(source, digest)}.so"
    reason = _why_foreign(source, path.parent)
    if not reason and not _why_foreign(source, path) and _is_sound(path):
        return ctypes.CDLL(str(path))
    command = compiler()
    try:
        path.parent.mkdir(exist_ok=True)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            reason = f"The folder '{source.parent}' cannot be written"
    except OSError:
        reason = f"The folder '{source.parent}' cannot be written"
    if not reason:
        _compile(command, source, path, units)
        return ctypes.CDLL(str(path))
    logger.warning("%s: %s is compiled in every process.", reason, source.name)
    with tempfile.TemporaryDirectory() as folder:  # a loaded library no longer needs its file
        path = Path(folder) / path.name
        _compile(command, source, path, units)
        return ctypes.CDLL(str(path))


def _why_foreign(source: Path, path: Path) -> str:
    """Return why a file beside a source is not trusted; empty if it is as trusted as the source."""
    return "" if why_untrusted(source) else why_untrusted(path)


def _key(source: Path, digest: str) -> str:
    """Return the hash that a library depends on; without the compiler, which may be absent."""
    try:
        text = source.read_bytes()
    except OSError as error:
        raise BuildError(
            f"The C file '{source}' cannot be read ({error.strerror}).", "Build the model again."
        ) from error
    what = f"{digest} {' '.join(FLAGS)} {_machine()} ".encode() + text
    return hashlib.sha256(what).hexdigest()[:16]


def _machine() -> str:
    """Return the platform and processor features, for which a library is compiled."""
    kind = f"{platform.system()} {platform.machine()} {platform.processor()}"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            lines = (line for line in stream if line.lower().startswith(("flags", "features")))
            return f"{kind} {next(lines, '')}"
    except OSError:
        return kind


def _checksum_path(library: Path) -> Path:
    return library.with_suffix(".sha256")


def _checksum(library: Path) -> str:
    return hashlib.sha256(library.read_bytes()).hexdigest()


def _is_sound(library: Path) -> bool:
    try:
        return _checksum_path(library).read_text("ascii") == _checksum(library)
    except (OSError, UnicodeDecodeError):
        return False  # missing or unreadable


def _compile(command: Sequence[str], source: Path, target: Path, units: int) -> None:
    with replacing(target) as temporary:
        make_library(command, source, temporary, units)
        temporary.chmod(temporary.stat().st_mode & 0o755)  # else it would not be trusted later
        # The checksum first: a library without one is compiled again.
        with replacing(_checksum_path(target)) as beside:
            beside.write_text(_checksum(temporary), "ascii")

"""Numba's cache of machine code of mbdgen: its folder and its invalidation.

Numba itself stamps a function by the time of its file, trusts the cache, and fails without write
permission. Code of mbdgen contains that of the functions it calls; so here the stamp is a hash of
the contents of all these sources (file times are unreliable after rsync, tar or a wrong clock),
files have checksums, and if the package cannot be written the cache folder is used instead.

Functions of other packages are cached by Numba as usual.
"""

import hashlib
import io
import logging
import os
import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import caching, config

from mbdgen.runtime.program.cache_entries import DamagedEntry, as_entry, read_entry
from mbdgen.runtime.program.cache_folders import cache_folder, temporary_cache, why_untrusted

logger = logging.getLogger(__name__)

RUNTIME = Path(__file__).parents[1]
_PICKLE = b"\x80"
"""First byte of files written by Numba itself."""
_BY_FILE = frozenset({"integrators", "formulations", "projections"})
"""Folders whose files are independent of each other, except for the base."""
_APART = _BY_FILE | {"external", "groups"}
"""Folders whose code is in no compiled function of other folders, except for the bases."""


class Stamp(NamedTuple):
    """Hashes of the sources of machine code: its own file, and all that it may contain."""

    own: str
    shared: str


class Locator(caching.UserProvidedCacheLocator):
    """Cache locator for functions of the runtime and of generated modules."""

    def __init__(self, py_func: Any, py_file: str, folder: Path) -> None:
        self._py_file, self._cache_path = py_file, str(folder)
        self._lineno = py_func.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "Locator | None":
        """Return the locator of a function of mbdgen; None for any other."""
        if not _is_ours(py_func, py_file) or not os.path.isfile(py_file):
            return None
        return cls(py_func, py_file, folder_of(py_file))

    def get_source_stamp(self) -> Stamp:
        """Return the hashes of the sources."""
        return Stamp(_own(self._py_file), shared_sources())


class SoundFiles(caching.IndexDataCacheFile):
    """Index and data of one function; damaged files count as missing and are written again."""

    def _load_index(self) -> dict[Any, str]:
        content = _content(self._index_path)
        if content is None:
            return {}
        stream = io.BytesIO(content)
        if pickle.load(stream) != self._version:
            return {}
        try:
            stamp, overloads = pickle.load(stream)
        except (ImportError, AttributeError):  # written by a version with other module names
            return {}
        return dict(overloads) if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        content = _content(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # Numba then compiles and writes it again
        return pickle.loads(content)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        stream = io.BytesIO()
        yield stream
        with super()._open_for_write(filepath) as file:
            file.write(as_entry(Path(filepath), stream.getvalue()))


def _content(file: str) -> bytes | None:
    """Return the content of a file, if its checksum matches."""
    path = Path(file)
    try:
        return read_entry(path)
    except OSError:
        return None
    except DamagedEntry as error:
        with path.open("rb") as stream:
            old = stream.read(1) == _PICKLE
        if not old:
            _warn(path, str(error))
        return None


@cache
def _warn(path: Path, reason: str) -> None:
    logger.warning("%s cannot be used (%s); the machine code is made again.", path.name, reason)


def _files(cache_path: str, filename_base: str, source_stamp: Any) -> Any:
    kind = SoundFiles if isinstance(source_stamp, Stamp) else _plain_files
    return kind(cache_path, filename_base, source_stamp)


_ours = [0]


@contextmanager
def ours() -> Iterator[None]:
    """Cache functions that are compiled in the block like those of the runtime."""
    _ours[0] += 1
    try:
        yield
    finally:
        _ours[0] -= 1


def _is_ours(function: Any, file: str) -> bool:
    names = function.__globals__
    generated = "DIGEST" in names and "MODEL" in names
    return bool(_ours[0] or generated or Path(file).is_relative_to(RUNTIME))


@cache
def folder_of(py_file: str) -> Path:
    """Return the folder for the machine code of a file: the first that can be written.

    ``$NUMBA_CACHE_DIR``, ``__pycache__`` beside the file, the cache folder; else a temporary
    folder of this process.
    """
    below = caching.UserProvidedCacheLocator.get_suitable_cache_subpath(py_file)
    beside = Path(py_file).parent / "__pycache__"
    given = [Path(config.CACHE_DIR) / below] if config.CACHE_DIR else []
    for folder in (*given, beside, cache_folder() / "numba" / below):
        if _is_writable(folder):
            if folder == beside or not (reason := why_untrusted(folder)):
                return folder
            logger.warning("Machine code in '%s' is not used: %s.", folder, reason)
    return temporary_cache("Machine code can be kept nowhere") / "numba" / below


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def shared_sources() -> str:
    """Return the hash of all sources that compiled functions of the runtime may contain."""
    found = (p for p in RUNTIME.rglob("*.py") if p.parent.name not in _APART or p.name == "base.py")
    return _hash(sorted(found))


@cache
def _own(file: str) -> str:
    path = Path(file)
    alone = not path.is_relative_to(RUNTIME) or path.parent.name in _BY_FILE
    return _hash([path] if alone else sorted(path.parent.glob("*.py")))


def _hash(files: list[Path]) -> str:
    h = hashlib.sha256()
    for file in files:
        h.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    return h.hexdigest()


_plain_files = caching.IndexDataCacheFile


def install() -> None:
    """Register the locator with Numba; other versions of Numba may not have this hook."""
    try:
        caching.CacheImpl._locator_classes.insert(0, Locator)
        caching.IndexDataCacheFile = _files
    except AttributeError as error:
        logger.debug("Numba's cache is not checked (%s).", error)


install()

"""The disk cache: derived types and generated modules, shared by models and processes.

Entries are named by the hash of everything they depend on and written atomically, by renaming a
complete temporary file: concurrent processes never see a partial file.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mbdgen.digests import type_digest
from mbdgen.errors import MbdgenError
from mbdgen.runtime.program.atomic_files import is_temporary
from mbdgen.runtime.program.cache_entries import read_entry, write_entry
from mbdgen.runtime.program.cache_folders import cache_folder, chosen_folder
from mbdgen.symbolic.ir.element_ir import ElementIR

__all__ = ["Cleaned", "cache_folder", "chosen_folder", "clean", "load_type", "store_type"]

logger = logging.getLogger(__name__)

_ENTRIES = {
    "types": r"[0-9a-f]{32}\.json",
    "machine": r"[0-9a-f]{64}\.o",
    "programs": r"[0-9a-f]{32}\.json",
}
"""Patterns of the file names of entries, by folder: hashes that no other program would use."""
_MODULE_FOLDER = r"[0-9a-f]{16}"
_OF_MODULES = frozenset(".py .c .h .npz .so .sha256 .pyc".split())


class Cleaned(NamedTuple):
    """Result of `clean`.

    Attributes
    ----------
    deleted : int
        Number of deleted files.
    kept : int
        Number of cache files that the operating system refused to delete.
    others : int
        Number of files in its folder that mbdgen has not written; they are not touched.
    """

    deleted: int
    kept: int
    others: int


def clean() -> Cleaned:
    """Delete all cache entries, but no other files in the folder of the cache."""
    folder = chosen_folder()
    ours = list(_files_of_ours(folder))
    for path in ours:
        with suppress(OSError):
            path.unlink()
    kept = sum(1 for path in ours if path.exists())
    for parent in sorted({p for path in ours for p in path.parents}, reverse=True):
        if parent == folder or parent.is_relative_to(folder):
            with suppress(OSError):  # it contains files of others
                parent.rmdir()
    with suppress(OSError):
        folder.rmdir()
    rest = sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
    return Cleaned(len(ours) - kept, kept, rest - kept)


def _files_of_ours(folder: Path) -> Iterator[Path]:
    """Yield the cache entries of a folder, recognised by path and name."""
    yield from (path for path in _listed(folder) if is_temporary(path.name))
    for name, pattern in _ENTRIES.items():
        for path in _listed(folder / name):
            if path.is_file() and (re.fullmatch(pattern, path.name) or is_temporary(path.name)):
                yield path
    for module in _listed(folder / "modules"):
        if module.is_symlink() or not re.fullmatch(_MODULE_FOLDER, module.name):
            continue
        for path in (*_listed(module), *_listed(module / "__pycache__")):
            known = path.suffix in _OF_MODULES
            if path.is_file() and (known or is_temporary(path.name)):
                yield path


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def load_type(structure: str, engine: str, second: bool = False) -> ElementIR | None:
    """Return a derived element type from the cache, or None; damaged entries are ignored."""
    path = cache_folder() / "types" / f"{type_digest(structure, engine, second)}.json"
    try:
        return ElementIR.from_json(json.loads(read_entry(path)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        logger.warning("Cache entry %s is damaged (%s); it is derived again.", path.name, error)
        return None


def store_type(structure: str, engine: str, ir: ElementIR, second: bool = False) -> None:
    """Store a derived element type in the cache; a write error is not fatal."""
    try:
        path = cache_folder() / "types" / f"{type_digest(structure, engine, second)}.json"
        write_entry(path, json.dumps(ir.to_json()).encode())
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)

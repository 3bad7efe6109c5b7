"""The disk cache: derived types and generated modules, shared by models and processes.

Entries are named by the hash of everything they depend on and written by renaming a finished
temporary file, so two processes may build the same thing at once and neither sees half a file.
"""

import hashlib
import json
import logging
import shutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mbdgen.errors import MbdgenError
from mbdgen.runtime.atomic import replacing
from mbdgen.runtime.folders import cache_folder
from mbdgen.symbolic.ir import ElementIR

__all__ = ["cache_folder", "clean", "digest", "load_type", "store_type", "type_digest"]

logger = logging.getLogger(__name__)

_SOURCES = ("bodies", "joints", "forces", "kinematics", "symbolic", "topology")


def clean() -> int:
    """Delete the cache and return the number of files that were in it."""
    folder = cache_folder()
    count = sum(1 for p in folder.rglob("*") if p.is_file()) if folder.is_dir() else 0
    shutil.rmtree(folder, ignore_errors=True)
    return count


def digest(parts: Iterable[str]) -> str:
    """Return a short content hash."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.encode())
        h.update(b"\0")
    return h.hexdigest()[:32]


def type_digest(structure: str, engine: str) -> str:
    """Return the hash of everything that the derived type of a structure depends on."""
    return digest([structure, engine, package_source(), library_version("sympy")])


@cache
def package_source() -> str:
    """Return the hash of the parts of mbdgen that derive equations."""
    root = Path(__file__).parent
    files = sorted(p for folder in _SOURCES for p in (root / folder).rglob("*.py"))
    return digest(p.read_text("utf-8") for p in files)


@cache
def printing_source() -> str:
    """Return the hash of the parts of mbdgen that write code."""
    from importlib.resources import files

    root = Path(__file__).parent
    templates = Path(str(files("mbdgen.templates")))
    found = [*sorted((root / "emit").rglob("*.py")), *sorted(templates.rglob("*.jinja"))]
    return digest(p.read_text("utf-8") for p in found)


@cache
def library_version(name: str) -> str:
    """Return the version of an installed library without importing it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def load_type(key: str) -> ElementIR | None:
    """Return a derived type from the cache, or None; damaged entries are ignored."""
    path = cache_folder() / "types" / f"{key}.json"
    try:
        return ElementIR.from_json(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        logger.warning("Cache entry %s is damaged (%s); it is derived again.", path.name, error)
        return None


def store_type(key: str, ir: ElementIR) -> None:
    """Put a derived type into the cache; a cache that cannot be written is only a lost chance."""
    try:
        folder = cache_folder() / "types"
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / f"{key}.json") as temporary:
            temporary.write_text(json.dumps(ir.to_json()), "utf-8")
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)

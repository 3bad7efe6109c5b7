"""The disk cache: derived types and generated modules, shared by models and processes.

Entries are named by the hash of everything they depend on and written by renaming a finished
temporary file, so two processes may build the same thing at once and neither sees half a file.
"""

import json
import logging
import shutil

from mbdgen.digests import type_digest
from mbdgen.errors import MbdgenError
from mbdgen.runtime.atomic import replacing
from mbdgen.runtime.folders import cache_folder
from mbdgen.symbolic.ir import ElementIR

__all__ = ["cache_folder", "clean", "load_type", "store_type"]

logger = logging.getLogger(__name__)


def clean() -> int:
    """Delete the cache and return the number of files that were in it."""
    folder = cache_folder()
    count = sum(1 for p in folder.rglob("*") if p.is_file()) if folder.is_dir() else 0
    shutil.rmtree(folder, ignore_errors=True)
    return count


def load_type(structure: str, engine: str, second: bool = False) -> ElementIR | None:
    """Return a derived type from the cache, or None; damaged entries are ignored."""
    path = cache_folder() / "types" / f"{type_digest(structure, engine, second)}.json"
    try:
        return ElementIR.from_json(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        logger.warning("Cache entry %s is damaged (%s); it is derived again.", path.name, error)
        return None


def store_type(structure: str, engine: str, ir: ElementIR, second: bool = False) -> None:
    """Put a derived type into the cache; a cache that cannot be written is only a lost chance."""
    try:
        folder = cache_folder() / "types"
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / f"{type_digest(structure, engine, second)}.json") as temporary:
            temporary.write_text(json.dumps(ir.to_json()), "utf-8")
    except (OSError, MbdgenError) as error:
        logger.warning("The cache cannot be written (%s); everything still works.", error)

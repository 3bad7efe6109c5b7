"""Where mbdgen keeps files of its own."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of the cache: ``$MBDGEN_CACHE``, or the user's cache folder."""
    if folder := os.environ.get("MBDGEN_CACHE"):
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mbdgen"

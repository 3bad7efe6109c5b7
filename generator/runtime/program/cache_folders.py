"""Where mbdgen keeps files of its own, and whether what lies there may be executed."""

import logging
import os
import stat
import tempfile
from functools import cache
from pathlib import Path

logger = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder of the cache: ``$MBDGEN_CACHE``, or the user's cache folder.

    What is in it gets executed. If others can write there, or if nobody can (of the user's folder),
    it is a temporary one of this process, and one warning tells.
    """
    return _usable(*_chosen())


def chosen_folder() -> Path:
    """Return the folder of the cache as it was chosen, usable or not."""
    return _chosen()[0]


def _chosen() -> tuple[Path, bool]:
    if folder := os.environ.get("MBDGEN_CACHE"):
        return Path(folder), True
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mbdgen", False


@cache
def _usable(folder: Path, named: bool) -> Path:
    for place in (folder, *(folder / name for name in ("types", "machine", "modules", "numba"))):
        if reason := why_untrusted(place):
            return temporary_cache(f"The cache is not used: {reason}")
    if not named and not _can_be_made(folder):
        return temporary_cache(f"The cache '{folder}' cannot be written")
    return folder


def _can_be_made(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


@cache
def temporary_cache(reason: str) -> Path:
    """Return a folder that goes with this process, and warn, once, why there is no other."""
    logger.warning(
        "%s. A temporary folder takes its place, so everything is compiled again in every process; "
        "let MBDGEN_CACHE name a folder of your own.",
        reason,
    )
    return Path(_temporary().name)


@cache
def _temporary() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="mbdgen-cache-")


def why_untrusted(path: Path) -> str:
    """Return why somebody else may have written a file, or into a folder; nothing if nobody can."""
    if os.name == "nt":
        return ""  # permissions are others there, and folders of users are theirs
    try:
        found = path.stat()
    except OSError:
        return ""  # there is nothing
    if found.st_uid not in (os.geteuid(), 0):
        return f"'{path}' belongs to another user"
    if found.st_mode & stat.S_IWOTH:
        return f"everybody can write to '{path}'"
    if found.st_mode & stat.S_IWGRP and not _is_private(found.st_gid):
        return f"a group can write to '{path}'"
    return ""


@cache
def _is_private(group: int) -> bool:
    """Whether a group is that of one user, as many systems make one for each."""
    import grp
    import pwd

    try:
        known = grp.getgrgid(group)
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return group == 0 or (known.gr_name == user and set(known.gr_mem) <= {user})

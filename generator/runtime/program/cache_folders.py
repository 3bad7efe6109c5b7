"""Cache folders of mbdgen, and whether their content may be executed (permissions)."""

import logging
import os
import stat
import tempfile
from functools import cache
from pathlib import Path

logger = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder of the cache: ``$MBDGEN_CACHE``, or the user's cache folder.

    Its content is executed. If other users can write to it, or if the user's cache folder cannot be
    written, a temporary folder of this process is used, with one warning.
    """
    return _usable(*_chosen())


def chosen_folder() -> Path:
    """Return the chosen folder of the cache, usable or not."""
    return _chosen()[0]


def _chosen() -> tuple[Path, bool]:
    if folder := os.environ.get("MBDGEN_CACHE"):
        return Path(folder), True
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mbdgen", False


@cache
def _usable(folder: Path, named: bool) -> Path:
    for path in (folder, *(folder / name for name in ("types", "machine", "modules", "programs"))):
        if reason := why_untrusted(path):
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
    """Return a temporary folder of this process, and warn once with the reason."""
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
    """Return why another user may have written a file, or to a folder; empty if none can."""
    if os.name == "nt":
        return ""  # other permissions there; folders of users are private
    try:
        found = path.stat()
    except OSError:
        return ""  # missing
    if found.st_uid not in (os.geteuid(), 0):
        return f"'{path}' belongs to another user"
    if found.st_mode & stat.S_IWOTH:
        return f"everybody can write to '{path}'"
    if found.st_mode & stat.S_IWGRP and not _is_private(found.st_gid):
        return f"a group can write to '{path}'"
    return ""


@cache
def _is_private(group: int) -> bool:
    """Whether a group has one user only, as many systems create for each user."""
    import grp
    import pwd

    try:
        known = grp.getgrgid(group)
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return group == 0 or (known.gr_name == user and set(known.gr_mem) <= {user})

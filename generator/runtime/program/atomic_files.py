"""Atomic file writing (completely or not at all), and removal of stale temporary files."""

import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from mbdgen.errors import OptionError

_TEMPORARY = re.compile(r"\.mbdgen-([0-9a-f]{6})-(\d+)-[0-9a-f]{12}\.tmp")
FORGOTTEN, ABANDONED = 600.0, 86400.0
"""Seconds without a change after which a temporary file is deleted: of a process that has ended on
this machine, and of any process."""


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the name of a temporary file beside ``path``, and rename it when the block succeeds.

    Parameters
    ----------
    path : str or path
        The file to write; an existing file is unchanged if anything fails.

    Yields
    ------
    Path
        Temporary file in the same folder, because only then is the rename atomic.

    Raises
    ------
    OptionError
        If the operating system refuses: no such folder, no permission, disk full.
    """
    target = Path(path)
    temporary = target.parent / temporary_name()
    try:
        if target.is_dir():
            raise IsADirectoryError("it is a folder")
        clear_forgotten(target.parent)
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OptionError(
            f"Cannot write '{target}': {reason}.",
            "Give a file name in an existing, writable folder.",
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def temporary_name() -> str:
    """Return a name with host and process, from which later processes see if it is in use."""
    return f".mbdgen-{_host()}-{os.getpid()}-{secrets.token_hex(6)}.tmp"


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Create a temporary folder, which is deleted after the block."""
    clear_forgotten(parent)
    folder = parent / temporary_name()
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_temporary(name: str) -> bool:
    """Whether a name was made by `temporary_name`."""
    return _TEMPORARY.fullmatch(name) is not None


@cache
def clear_forgotten(folder: Path) -> None:
    """Delete temporary files and folders of killed processes; once in each process."""
    with suppress(OSError), os.scandir(folder) as entries:
        forgotten = [Path(entry.path) for entry in entries if _is_forgotten(entry)]
        for path in forgotten:
            with suppress(OSError):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def _is_forgotten(entry: os.DirEntry[str]) -> bool:
    found = _TEMPORARY.fullmatch(entry.name)
    if found is None:
        return False
    try:
        idle = time.time() - entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return False  # renamed or deleted by its writer
    here = found.group(1) == _host()
    return idle > ABANDONED or (idle > FORGOTTEN and here and not _runs(int(found.group(2))))


def _runs(process: int) -> bool:
    """Whether a process with this id runs on this machine."""
    if os.name == "nt":
        return True  # os.kill would end it; only age decides
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # of another user
    return True


@cache
def _host() -> str:
    return sha256(platform.node().encode()).hexdigest()[:6]

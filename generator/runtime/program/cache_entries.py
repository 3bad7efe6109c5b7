"""Entries of the cache: files that carry a checksum of what they hold.

A disk that fills up, a power failure or a copy that was cut leave files that can still be read.
What does not agree with its checksum, or lies under the name of another, is made anew, never used.
"""

import hashlib
from pathlib import Path

from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.cache_folders import why_untrusted

_MARK = b"mbdgen cache, sha256 "


class DamagedEntry(ValueError):
    """An entry does not hold what was written into it."""


def write_entry(path: Path, content: bytes) -> None:
    """Write an entry, completely or not at all, with the folder it lies in.

    Raises
    ------
    OSError, OptionError
        If the operating system refuses.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_bytes(as_entry(path, content))


def as_entry(path: Path, content: bytes) -> bytes:
    """Return what an entry of this content consists of, where it has this path."""
    return _MARK + _checksum(path, content) + b"\n" + content


def read_entry(path: Path) -> bytes:
    """Return what was written into an entry.

    Raises
    ------
    DamagedEntry
        If it is something else, or another user could have written it.
    OSError
        If it cannot be read.
    """
    if reason := why_untrusted(path):
        raise DamagedEntry(reason)
    first, _, content = path.read_bytes().partition(b"\n")
    if first != _MARK + _checksum(path, content):
        raise DamagedEntry("its checksum is another")
    return content


def _checksum(path: Path, content: bytes) -> bytes:
    """Return the checksum of an entry under its name: under that of another it is no entry."""
    return hashlib.sha256(path.name.encode() + b"\n" + content).hexdigest().encode()

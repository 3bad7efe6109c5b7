"""Cache entries with checksums.

Full disks, power failures and interrupted copies leave readable but damaged files. An entry that
does not match its checksum, or that has the name of another, is never used and made again.
"""

import hashlib
from pathlib import Path

from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.cache_folders import why_untrusted

_MARK = b"mbdgen cache, sha256 "


class DamagedEntry(ValueError):
    """The content of an entry does not match its checksum."""


def write_entry(path: Path, content: bytes) -> None:
    """Write an entry atomically, and create its folder.

    Raises
    ------
    OSError, OptionError
        If the operating system refuses.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_bytes(as_entry(path, content))


def as_entry(path: Path, content: bytes) -> bytes:
    """Return the bytes of an entry with this content and path."""
    return _MARK + _checksum(path, content) + b"\n" + content


def read_entry(path: Path) -> bytes:
    """Return the content of an entry.

    Raises
    ------
    DamagedEntry
        If the checksum does not match, or another user could have written the entry.
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
    """Return the checksum of an entry, which includes its name."""
    return hashlib.sha256(path.name.encode() + b"\n" + content).hexdigest().encode()

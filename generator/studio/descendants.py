"""Everything that a process has started, also what has left its group: ended with it.

A process that calls ``setsid``, or whose parent has ended, cannot be found by its group. What all
have in common is the environment that the first of them was given. Linux shows it in ``/proc``;
elsewhere only the group is ended.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "MBDGEN_STUDIO_RUN"
"""Name in the environment of everything that one run has started."""
ROUNDS = 50
"""A process may start another one while it is sought: it is sought again."""


def end_marked(key: str) -> None:
    """End all processes of this user with a key in their environment."""
    for _ in range(ROUNDS):
        found = marked(key)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def marked(key: str) -> list[int]:
    """Return the processes with a key in their environment that have not ended."""
    wanted = f"{MARK}={key}".encode()
    folders = Path("/proc")
    if not folders.is_dir():
        return []
    names = [name for name in os.listdir(folders) if name.isdigit()]
    return [int(name) for name in names if _has(folders / name, wanted)]


def _has(folder: Path, wanted: bytes) -> bool:
    try:
        return wanted in (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or is another user's
        return False

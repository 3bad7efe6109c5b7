"""Descendants of a process, including those that left its process group; ended with it.

A process that calls ``setsid``, or whose parent has ended, cannot be found by its group. All
descendants inherit the environment of the first process, which Linux shows in ``/proc``;
elsewhere only the group is ended.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "MBDGEN_STUDIO_RUN"
"""Environment variable of all processes started by one run."""
ROUNDS = 50
"""Largest number of scans: a process may start another one during a scan."""


def end_marked(key: str) -> None:
    """End all processes of this user with the given key in their environment."""
    for _ in range(ROUNDS):
        found = marked(key)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def marked(key: str) -> list[int]:
    """Return the running processes with a key in their environment."""
    wanted = f"{MARK}={key}".encode()
    folders = Path("/proc")
    if not folders.is_dir():
        return []
    names = [name for name in os.listdir(folders) if name.isdigit()]
    return [int(name) for name in names if _has(folders / name, wanted)]


def _has(folder: Path, wanted: bytes) -> bool:
    try:
        return wanted in (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or belongs to another user
        return False

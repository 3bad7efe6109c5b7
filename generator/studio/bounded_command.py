"""The command line with resource limits.

Started as ``python -m mbdgen.studio.bounded_command BYTES FILE SECONDS ARGUMENTS``.

It is a process of its own, because resource limits cannot be raised again. The operating system
enforces them even after the studio has ended.
"""

import runpy
import signal
import sys

GRACE = 10
"""Seconds after which the alarm signal ends a process that the studio should have ended already."""


def confine(memory: int, file: int, seconds: int) -> None:
    """Limit address space and file size in bytes, and the remaining time; no limits on Windows."""
    try:
        import resource
    except ImportError:
        return
    for kind, amount in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file)):
        _, hard = resource.getrlimit(kind)
        bound = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (bound, bound))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Exceeding the file size is a write error, and does not end the process.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.alarm(seconds + GRACE)


def main() -> None:
    """Set the limits of this process and run ``mbdgen ARGUMENTS``."""
    memory, file, seconds = map(int, sys.argv[1:4])
    confine(memory, file, seconds)
    sys.argv = ["mbdgen", *sys.argv[4:]]
    runpy.run_module("mbdgen", run_name="__main__")


if __name__ == "__main__":
    main()

"""The command line with bounds.

Started as ``python -m mbdgen.studio.bounded_command BYTES FILE SECONDS ARGUMENTS``.

A process of its own, because bounds cannot be taken back. The operating system keeps them, also
when the studio that started it is gone.
"""

import runpy
import signal
import sys

GRACE = 10
"""Seconds after which the alarm ends what the studio should have ended already."""


def confine(memory: int, file: int, seconds: int) -> None:
    """Bound addresses and files in bytes, and the time from now; not on Windows."""
    try:
        import resource
    except ImportError:
        return
    for kind, amount in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file)):
        _, hard = resource.getrlimit(kind)
        bound = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (bound, bound))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A file that is too long is an error of writing, not the end of the process.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.alarm(seconds + GRACE)


def main() -> None:
    """Confine this process and let it be ``mbdgen ARGUMENTS``."""
    memory, file, seconds = map(int, sys.argv[1:4])
    confine(memory, file, seconds)
    sys.argv = ["mbdgen", *sys.argv[4:]]
    runpy.run_module("mbdgen", run_name="__main__")


if __name__ == "__main__":
    main()

"""Number of processors (threads) to use: to derive types, to compile C, for ensembles."""

import os

from mbdgen.errors import OptionError

VARIABLE = "MBDGEN_THREADS"


def cores() -> int:
    """Return ``$MBDGEN_THREADS``, else the number of processors that this process may use."""
    if text := os.environ.get(VARIABLE):
        if not text.isdecimal() or int(text) < 1:
            raise OptionError(f"{VARIABLE}={text!r} is not a number of threads.", "Give 1 or more.")
        return int(text)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def limit(threads: int | None) -> None:
    """Set the number of processors for this process and its children; None changes nothing."""
    if threads is not None:
        os.environ[VARIABLE] = str(threads)

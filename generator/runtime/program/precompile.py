"""On the first run after an installation, another process compiles what is needed last.

The functions of the runtime take some ten seconds to compile, once. While this process compiles an
integrator, derives a model and waits for the C compiler, the other one compiles the loops, and
leaves them in Numba's cache, from where this process takes them.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from numba.core import config

from mbdgen.runtime.program.processors import cores

LATER = ("monitors.recorder", "stepping.fused_loop", "initialisation.fast_initialisation")
"""Modules of the runtime in the order in which a run comes to need them."""
LAST = "fast_initialisation.assemble-*.nbi"
"""What is in the cache when all of it has been compiled."""
INSIDE = "MBDGEN_COMPILING_AHEAD"


def compile_ahead(folder: Path) -> None:
    """Start the other process, unless everything has been compiled or there is one processor.

    Parameters
    ----------
    folder : Path
        Of the runtime. Nothing happens if Numba keeps its cache somewhere else than there or in
        ``$NUMBA_CACHE_DIR``, because it cannot be seen whether it is filled.
    """
    cache = Path(config.CACHE_DIR) if config.CACHE_DIR else folder
    if INSIDE in os.environ or cores() < 2 or not os.access(folder, os.W_OK):
        return
    if any(cache.rglob(LAST)):
        return
    modules = ", ".join(f"mbdgen.runtime.{name}" for name in LATER)
    program = f"import {modules}; from mbdgen.runtime.program.compiled_functions import make_all; "
    program += f"make_all({modules})"
    with suppress(OSError):  # then this process compiles everything itself
        subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, INSIDE: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupted run leaves no half of a cache behind
        )

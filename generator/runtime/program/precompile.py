"""Parallel precompilation: after an installation another process compiles what is needed last.

Compiling the functions of the runtime takes some ten seconds, once. While this process compiles an
integrator, derives a model and waits for the C compiler, the other one compiles the loops into
Numba's cache, from which this process loads them.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from numba.core import config

from mbdgen.runtime.program.processors import cores

LATER = ("monitors.recorder", "stepping.fused_loop", "initialisation.fast_initialisation")
"""Modules of the runtime in the order in which a run needs them."""
LAST = "fast_initialisation.assemble-*.nbi"
"""File in the cache that shows that all of it has been compiled."""
INSIDE = "MBDGEN_COMPILING_AHEAD"


def compile_ahead(folder: Path) -> None:
    """Start the other process, unless everything is compiled or there is only one processor.

    Parameters
    ----------
    folder : Path
        Folder of the runtime. Nothing happens if Numba's cache is neither there nor in
        ``$NUMBA_CACHE_DIR``, because its state is then unknown.
    """
    cache = Path(config.CACHE_DIR) if config.CACHE_DIR else folder
    if INSIDE in os.environ or cores() < 2 or not os.access(folder, os.W_OK):
        return
    if any(cache.rglob(LAST)):
        return
    modules = ", ".join(f"mbdgen.runtime.{name}" for name in LATER)
    program = f"import {modules}; from mbdgen.runtime.program.compiled_functions import make_all; "
    program += f"make_all({modules})"
    with suppress(OSError):  # this process then compiles everything itself
        subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, INSIDE: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupted run leaves no incomplete cache behind
        )

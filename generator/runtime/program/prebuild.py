"""Compilation of what most runs need when the package is built: `python -m ... FOLDER`.

The object code is part of the wheel: a first run compiles the kernels of its model only. It is for
a level of processors and for a version of LLVM; others compile it when they need it.
"""

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

CALLED = (
    "initialisation.fast_initialisation:assemble",
    "linalg.elimination_tree:_depth_first",
    "linalg.elimination_tree:distances",
    "linalg.elimination_tree:elimination_tree",
    "linalg.linear_solver:refine",
    "linalg.lu_factorisation:factorise",
    "linalg.lu_factorisation:solve",
    "linalg.markowitz:markowitz",
    "linalg.multiplier_regularisation:regularise",
    "linalg.symbolic_factorisation:fill_pattern",
    "monitors.recorder:begin",
    "solvers.dense_run:RUN",
    "stepping.fused_loop:run",
    "stepping.time_loop:run",
    "system.system:call",
)
"""Functions that Python calls in ordinary runs, by module of the runtime and name."""
STEPS = (
    "integrators.newmark:step",
    "steps.fused_newmark_step:step",
    "steps.fused_runge_kutta_step:step",
    "steps.runge_kutta_step:step",
)
"""Steps of the default methods, which loops call by their addresses."""


def prebuild(folder: Path) -> None:
    """Compile these functions into a folder laid out like the cache folder."""
    os.environ["MBDGEN_CACHE"] = str(folder)
    for name in CALLED:
        assert _found(name).entry
    for name in STEPS:
        step = _found(name)
        assert getattr(step, "compiled", step).address


def _found(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(f"mbdgen.runtime.{module}"), function)


if __name__ == "__main__":
    prebuild(Path(sys.argv[1]))

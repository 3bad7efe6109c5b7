"""mbdgen: a compiler from the description of a mechanism to a solver written for it.

The names below are the whole entry to the library. They are loaded on first use (PEP 562), because
a generated module needs only `mbdgen.runtime` and must not pay for SymPy when it is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mbdgen.version import __version__

if TYPE_CHECKING:
    from mbdgen.analyses.by_name import analyse
    from mbdgen.compiler import build, load
    from mbdgen.language.model import Model
    from mbdgen.runtime import measures
    from mbdgen.runtime.checkpoint import Checkpoint
    from mbdgen.runtime.ensembles.many import simulate_many
    from mbdgen.runtime.ensembles.members import grid
    from mbdgen.runtime.ensembles.result import EnsembleResult
    from mbdgen.runtime.events import Event
    from mbdgen.runtime.result import Result
    from mbdgen.runtime.sensitivities.states import (
        equilibrium_sensitivities,
        kinematic_sensitivities,
    )
    from mbdgen.runtime.simulate import simulate

_HOME = {
    "Checkpoint": "mbdgen.runtime.checkpoint",
    "EnsembleResult": "mbdgen.runtime.ensembles.result",
    "Event": "mbdgen.runtime.events",
    "Model": "mbdgen.language.model",
    "Result": "mbdgen.runtime.result",
    "analyse": "mbdgen.analyses.by_name",
    "build": "mbdgen.compiler",
    "equilibrium_sensitivities": "mbdgen.runtime.sensitivities.states",
    "grid": "mbdgen.runtime.ensembles.members",
    "kinematic_sensitivities": "mbdgen.runtime.sensitivities.states",
    "load": "mbdgen.compiler",
    "simulate": "mbdgen.runtime.simulate",
    "simulate_many": "mbdgen.runtime.ensembles.many",
}

_MODULES = {"measures": "mbdgen.runtime.measures"}

__all__ = [
    "Checkpoint",
    "EnsembleResult",
    "Event",
    "Model",
    "Result",
    "__version__",
    "analyse",
    "build",
    "equilibrium_sensitivities",
    "grid",
    "kinematic_sensitivities",
    "load",
    "measures",
    "simulate",
    "simulate_many",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _HOME:
        raise AttributeError(f"module 'mbdgen' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

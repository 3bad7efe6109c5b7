"""Loading and running mechanisms once for all tests of a session."""

import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen import Result, load, simulate
from mbdgen.runtime.system.system import System
from tests import mechanisms
from tests.reference import Reference

FloatArray = NDArray[np.float64]
SOONEST = "c" if shutil.which("cc") else "numba"
"""The backend that has a system compiled soonest, for tests of what is the same in all of them."""


@cache
def system(name: str, **arguments: Any) -> System:
    """The system of a builder in `tests.mechanisms`, or of a shipped model."""
    layout = arguments.pop("layout", "auto")
    builder = getattr(mechanisms, name, None)
    if builder is None:
        return load(name, layout=layout, **arguments)
    return load(builder(**arguments), layout=layout)


def run(
    mechanism: System, t: Sequence[float] | FloatArray, h: float, method: str = "newmark"
) -> Result:
    """Motion at the instants ``t``; the test fails with the message of the solver."""
    result = simulate(mechanism, (t[0], t[-1]), method=method, h=h, t_eval=t, progress=False)
    assert result.success, result.message
    return result


def columns(result: Result, names: Sequence[str]) -> FloatArray:
    """Several series or groups side by side."""
    return np.column_stack([result[name] for name in names])


def stacked(reference: Reference, pairs: Mapping[str, str]) -> FloatArray:
    """The reference's columns that belong to the keys, ``{series: "column column"}``."""
    return reference.stack(*(c for names in pairs.values() for c in names.split()))


def worst(actual: FloatArray, expected: FloatArray) -> float:
    """Largest absolute difference."""
    return float(np.max(np.abs(np.asarray(actual) - expected)))

"""The axes of the table and their values, from the registries of methods, backends and so on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mbdgen.capabilities.limits import LIMITS
from mbdgen.emit.backends import find_backend
from mbdgen.emit.backends import known as known_backends
from mbdgen.limits import FEATURES, refusal
from mbdgen.mechanics.limits import ANALYSES, DRIVER_INPUTS, LINEAR, MODES
from mbdgen.runtime import formulations, integrators, projectors
from mbdgen.runtime.run_limits import CONTROLS, OF_STATES, SIMULATIONS
from mbdgen.runtime.scheme import choose
from mbdgen.symbolic.build_limits import COORDINATES, KERNELS, LAYOUTS, STEPS

IMPLIED: Mapping[str, Mapping[str, object]] = {
    "sensitivities": {"kernels": "sensitivities"},
    OF_STATES: {"kernels": "sensitivities"},
    "groups": {"layout": "loop"},
    LINEAR: {"kernels": "second"},
    MODES: {"kernels": "second"},
    DRIVER_INPUTS: {"kernels": "second"},
    "eliminated-drivers": {"coordinates": "eliminated"},
}
"""What kinds of runs and features need of the module, or come from, by their names."""
ALSO: Mapping[str, tuple[str, ...]] = {"paths": ("massless",), "charts": ("displacements",)}
"""Features that come with others: a place on a path has no mass."""


@cache
def axis_values(axis: str) -> Mapping[str, object]:
    """Return what can be chosen of an axis: values by the names that the table has."""
    methods = {name: integrators.method(name) for name in integrators.known()}
    stated = {name: formulations.formulation(name) for name in formulations.known()}
    names: dict[str, tuple[str, ...]] = {
        "feature": tuple(FEATURES),
        "run": (*SIMULATIONS, OF_STATES, *ANALYSES),
        "control": CONTROLS,
        "coordinates": COORDINATES,
        "steps": STEPS,
        "layout": LAYOUTS,
        "kernels": KERNELS,
    }
    if axis in names:
        return {name: name for name in names[axis]}
    if axis == "scheme":
        return _schemes()
    if axis == "backend":
        return {name: find_backend(name) for name in known_backends()}
    projections = {name: projectors.projector(name) for name in projectors.known()}
    others: Mapping[str, Mapping[str, object]] = {
        "method": methods,
        "formulation": stated,
        "projection": projections,
    }
    return others[axis]


def _schemes() -> Mapping[str, object]:
    """Return every method by itself, and with every formulation that it takes."""
    found: dict[str, object] = {}
    for name, method in axis_values("method").items():
        found[name] = choose(name)
        for other, formulation in axis_values("formulation").items():
            if refusal(LIMITS, {"method": method, "formulation": formulation}) is None:
                found[f"{name} + {other}"] = choose(name, other)
    return found


@dataclass(frozen=True)
class Sheet:
    """A part of the table: all combinations of two axes.

    Attributes
    ----------
    axes : (str, str)
        Their names.
    without : tuple of str
        Values that there is nothing to combine of.
    """

    axes: tuple[str, str]
    without: tuple[str, ...] = ()


_NO_SCHEME = (OF_STATES, *ANALYSES)
SHEETS = (
    Sheet(("method", "formulation")),
    Sheet(("method", "projection")),
    Sheet(("formulation", "projection")),
    Sheet(("scheme", "feature")),
    Sheet(("scheme", "run"), _NO_SCHEME),
    Sheet(("scheme", "control")),
    Sheet(("run", "control"), _NO_SCHEME),
    Sheet(("run", "feature")),
    Sheet(("run", "coordinates")),
    Sheet(("coordinates", "feature"), ("eliminated-drivers",)),
    Sheet(("coordinates", "steps")),
    Sheet(("coordinates", "layout")),
    Sheet(("coordinates", "kernels")),
    Sheet(("coordinates", "backend")),
    Sheet(("steps", "feature"), ("eliminated-drivers",)),
    Sheet(("steps", "layout")),
    Sheet(("steps", "backend")),
    Sheet(("layout", "feature")),
    Sheet(("kernels", "feature")),
    Sheet(("backend", "feature")),
)
"""Combinations of more than two are refused by the same limits, but not listed."""

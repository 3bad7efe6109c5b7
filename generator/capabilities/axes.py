"""Axes of the capability table and their values, from the registries of methods, backends etc."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mbdgen.capabilities.declared_limits import LIMITS
from mbdgen.emit.backends import find_backend
from mbdgen.emit.backends import known as known_backends
from mbdgen.limits import FEATURES, refusal
from mbdgen.mechanics.analysis_limits import ANALYSES, DRIVER_INPUTS, LINEAR, MODES
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime import projections as projectors
from mbdgen.runtime.methods.run_limits import CONTROLS, OF_STATES, SIMULATIONS
from mbdgen.runtime.methods.scheme import choose
from mbdgen.symbolic.lower.build_limits import CONSTRAINTS, COORDINATES, KERNELS, LAYOUTS, STEPS

IMPLIED: Mapping[str, Mapping[str, object]] = {
    "sensitivities": {"kernels": "sensitivities"},
    OF_STATES: {"kernels": "sensitivities"},
    "groups": {"layout": "loop"},
    LINEAR: {"kernels": "second"},
    MODES: {"kernels": "second"},
    DRIVER_INPUTS: {"kernels": "second"},
    "eliminated-drivers": {"constraints": "eliminated"},
}
"""Requirements of kinds of runs and of features on the module, by their names."""
ALSO: Mapping[str, tuple[str, ...]] = {"paths": ("massless",), "charts": ("displacements",)}
"""Features that imply others: a coordinate along a path has no mass."""


@cache
def axis_values(axis: str) -> Mapping[str, object]:
    """Return the values of an axis by their names in the table."""
    methods = {name: integrators.method(name) for name in integrators.known()}
    stated = {name: formulations.formulation(name) for name in formulations.known()}
    names: dict[str, tuple[str, ...]] = {
        "feature": tuple(FEATURES),
        "run": (*SIMULATIONS, OF_STATES, *ANALYSES),
        "control": CONTROLS,
        "coordinates": COORDINATES,
        "constraints": CONSTRAINTS,
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
    """Return every integration method alone, and with every formulation that it supports."""
    found: dict[str, object] = {}
    for name, method in axis_values("method").items():
        found[name] = choose(name)
        for other, formulation in axis_values("formulation").items():
            if refusal(LIMITS, {"method": method, "formulation": formulation}) is None:
                found[f"{name} + {other}"] = choose(name, other)
    return found


@dataclass(frozen=True)
class CapabilitySheet:
    """A part of the table: all combinations of two axes.

    Attributes
    ----------
    axes : (str, str)
        Names of the axes.
    without : tuple of str
        Values without combinations.
    """

    axes: tuple[str, str]
    without: tuple[str, ...] = ()


_NO_SCHEME = (OF_STATES, *ANALYSES)
SHEETS = (
    CapabilitySheet(("method", "formulation")),
    CapabilitySheet(("method", "projection")),
    CapabilitySheet(("formulation", "projection")),
    CapabilitySheet(("scheme", "feature")),
    CapabilitySheet(("scheme", "run"), _NO_SCHEME),
    CapabilitySheet(("scheme", "control")),
    CapabilitySheet(("run", "control"), _NO_SCHEME),
    CapabilitySheet(("run", "feature")),
    CapabilitySheet(("run", "coordinates")),
    CapabilitySheet(("run", "constraints")),
    CapabilitySheet(("coordinates", "feature"), ("eliminated-drivers",)),
    CapabilitySheet(("coordinates", "constraints")),
    CapabilitySheet(("coordinates", "steps")),
    CapabilitySheet(("coordinates", "layout")),
    CapabilitySheet(("coordinates", "kernels")),
    CapabilitySheet(("constraints", "feature"), ("eliminated-drivers",)),
    CapabilitySheet(("constraints", "steps")),
    CapabilitySheet(("constraints", "layout")),
    CapabilitySheet(("constraints", "kernels")),
    CapabilitySheet(("steps", "feature"), ("eliminated-drivers",)),
    CapabilitySheet(("steps", "layout")),
    CapabilitySheet(("layout", "feature")),
    CapabilitySheet(("kernels", "feature")),
    CapabilitySheet(("scheme", "backend"), ("numba",)),
    CapabilitySheet(("run", "backend")),
    CapabilitySheet(("control", "backend")),
    CapabilitySheet(("coordinates", "backend")),
    CapabilitySheet(("constraints", "backend")),
    CapabilitySheet(("steps", "backend")),
    CapabilitySheet(("layout", "backend")),
    CapabilitySheet(("kernels", "backend")),
    CapabilitySheet(("backend", "feature")),
)
"""The parts of the table. Combinations of more than two values are refused by the same limits, but
not listed."""

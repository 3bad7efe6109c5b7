"""mbdgen: a compiler from the description of a mechanism to a solver written for it.

The names below are the public interface. They are loaded on first use (PEP 562), because a
generated module needs only `mbdgen.runtime` and must not pay for SymPy when it is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mbdgen.version import __version__

if TYPE_CHECKING:
    from mbdgen import functions
    from mbdgen.analyses.by_name import analyse
    from mbdgen.compiler import build, load
    from mbdgen.language.beams.beam_damping import (
        bending_frequency,
        damping_factor,
        torsion_frequency,
    )
    from mbdgen.language.beams.cross_section import (
        circle,
        general_section,
        material,
        rectangle,
        tube,
    )
    from mbdgen.language.beams.section_stiffness import section_stiffness
    from mbdgen.language.markers.belt_loop import loop
    from mbdgen.language.model import Model
    from mbdgen.mechanics.inverse_dynamics import forces_along, inverse_dynamics
    from mbdgen.mechanics.kinematics import kinematics
    from mbdgen.mechanics.linearise import LinearModel, linearise
    from mbdgen.mechanics.mobility import mobility
    from mbdgen.mechanics.modes import Modes, modes
    from mbdgen.mechanics.positions import assemble, assemblies, nearest, newton_iterates
    from mbdgen.mechanics.response import frequency_response, root_locus
    from mbdgen.mechanics.statics import Equilibrium, settle, statics
    from mbdgen.mechanics.workspace import workspace
    from mbdgen.runtime.accuracy.verification import verify
    from mbdgen.runtime.ensembles.ensemble_members import grid
    from mbdgen.runtime.ensembles.ensemble_result import EnsembleResult
    from mbdgen.runtime.ensembles.ensemble_simulation import simulate_many
    from mbdgen.runtime.monitors.events import Event
    from mbdgen.runtime.results import measures
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.results.result_archive import load_result
    from mbdgen.runtime.sensitivities.state_sensitivities import (
        equilibrium_sensitivities,
        kinematic_sensitivities,
    )
    from mbdgen.runtime.simulate import simulate
    from mbdgen.runtime.stepping.checkpoint import Checkpoint

_HOME = {
    "tube": "mbdgen.language.beams.cross_section",
    "rectangle": "mbdgen.language.beams.cross_section",
    "material": "mbdgen.language.beams.cross_section",
    "general_section": "mbdgen.language.beams.cross_section",
    "section_stiffness": "mbdgen.language.beams.section_stiffness",
    "circle": "mbdgen.language.beams.cross_section",
    "Checkpoint": "mbdgen.runtime.stepping.checkpoint",
    "EnsembleResult": "mbdgen.runtime.ensembles.ensemble_result",
    "Equilibrium": "mbdgen.mechanics.statics",
    "Event": "mbdgen.runtime.monitors.events",
    "LinearModel": "mbdgen.mechanics.linearise",
    "Model": "mbdgen.language.model",
    "Modes": "mbdgen.mechanics.modes",
    "Result": "mbdgen.runtime.results.result",
    "verify": "mbdgen.runtime.accuracy.verification",
    "bending_frequency": "mbdgen.language.beams.beam_damping",
    "damping_factor": "mbdgen.language.beams.beam_damping",
    "torsion_frequency": "mbdgen.language.beams.beam_damping",
    "analyse": "mbdgen.analyses.by_name",
    "assemble": "mbdgen.mechanics.positions",
    "assemblies": "mbdgen.mechanics.positions",
    "build": "mbdgen.compiler",
    "kinematics": "mbdgen.mechanics.kinematics",
    "equilibrium_sensitivities": "mbdgen.runtime.sensitivities.state_sensitivities",
    "forces_along": "mbdgen.mechanics.inverse_dynamics",
    "frequency_response": "mbdgen.mechanics.response",
    "grid": "mbdgen.runtime.ensembles.ensemble_members",
    "inverse_dynamics": "mbdgen.mechanics.inverse_dynamics",
    "kinematic_sensitivities": "mbdgen.runtime.sensitivities.state_sensitivities",
    "linearise": "mbdgen.mechanics.linearise",
    "load": "mbdgen.compiler",
    "load_result": "mbdgen.runtime.results.result_archive",
    "loop": "mbdgen.language.markers.belt_loop",
    "mobility": "mbdgen.mechanics.mobility",
    "modes": "mbdgen.mechanics.modes",
    "nearest": "mbdgen.mechanics.positions",
    "newton_iterates": "mbdgen.mechanics.positions",
    "root_locus": "mbdgen.mechanics.response",
    "settle": "mbdgen.mechanics.statics",
    "simulate": "mbdgen.runtime.simulate",
    "simulate_many": "mbdgen.runtime.ensembles.ensemble_simulation",
    "statics": "mbdgen.mechanics.statics",
    "workspace": "mbdgen.mechanics.workspace",
}

_MODULES = {"functions": "mbdgen.functions", "measures": "mbdgen.runtime.results.measures"}

__all__ = [
    "Checkpoint",
    "EnsembleResult",
    "Equilibrium",
    "Event",
    "LinearModel",
    "Model",
    "Modes",
    "Result",
    "__version__",
    "analyse",
    "assemble",
    "assemblies",
    "bending_frequency",
    "build",
    "circle",
    "damping_factor",
    "equilibrium_sensitivities",
    "forces_along",
    "frequency_response",
    "functions",
    "general_section",
    "grid",
    "inverse_dynamics",
    "kinematic_sensitivities",
    "kinematics",
    "linearise",
    "load",
    "load_result",
    "loop",
    "material",
    "measures",
    "mobility",
    "modes",
    "nearest",
    "newton_iterates",
    "rectangle",
    "root_locus",
    "section_stiffness",
    "settle",
    "simulate",
    "simulate_many",
    "statics",
    "torsion_frequency",
    "tube",
    "verify",
    "workspace",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _HOME:
        raise AttributeError(f"module 'mbdgen' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

"""Capability checks of a backend before code is generated."""

from collections.abc import Callable

from mbdgen.emit.backend import Backend
from mbdgen.errors import BuildError
from mbdgen.limits import Facts, Limit, require
from mbdgen.runtime.methods.run_limits import SINGLE
from mbdgen.symbolic.ir.system_ir import SystemIR


def _unable(feature: str, holds: Callable[[Backend], bool], cause: str, remedy: str) -> Limit:
    return Limit(("backend",), holds, "missing", cause, remedy, feature)


BACKEND_LIMITS = (
    _unable(
        "reactions",
        lambda backend: not backend.reads,
        "Forces of {model} depend on reactions (friction of joints), which the loops of the "
        "backend '{backend.name}' cannot find.",
        "Choose another backend, or give the friction a load that is a number.",
    ),
    _unable(
        "crowds",
        lambda backend: not backend.crowds,
        "The backend '{backend.name}' cannot find the pairs of the many contacts of {model}.",
        "Choose the backend numba.",
    ),
    _unable(
        "charts",
        lambda backend: not backend.switches,
        "The loops of the backend '{backend.name}' cannot switch orientations whose numbers fail, "
        "such as {names} in {model}.",
        "Take coordinates that never fail ('quaternion', 'direction-cosines'), or another backend.",
    ),
    _unable(
        "contacts",
        lambda backend: not backend.switches,
        "{model} has contacts, which the loops of the backend '{backend.name}' cannot open and "
        "close.",
        "Choose another backend.",
    ),
)
INTEGRATOR_LIMITS = (
    Limit(
        ("scheme", "backend"),
        lambda scheme, backend: bool(backend.methods) and scheme.method.name not in backend.methods,
        "missing",
        "There is no method '{scheme.method.name}' with the backend '{backend.name}'.",
        lambda scheme, backend: f"Known are: {', '.join(backend.methods)}.",
    ),
    Limit(
        ("scheme", "backend"),
        lambda scheme, backend: bool(backend.methods) and scheme.formulation is not None,
        "missing",
        "The method '{scheme.method.name}' has no option 'formulation' with the backend "
        "'{backend.name}'.",
        "Leave it away.",
    ),
    Limit(
        ("control", "backend"),
        lambda control, backend: bool(backend.methods) and control == "backward",
        "missing",
        "Integration backward in time is not possible with the backend '{backend.name}'.",
        "Choose an end after the start.",
    ),
    Limit(
        ("control", "backend"),
        lambda control, backend: bool(backend.methods),
        "missing",
        "The method 'newmark' has no option '{control}' with the backend '{backend.name}'.",
        "Leave it away.",
    ),
)
"""Limits of the time integrators that backends print, which refuse in these words themselves."""
IN_PYTHON = "in Python"
"""A run of whatever kind that Python is asked for."""
PYTHON_LIMITS = (
    Limit(
        ("run", "backend"),
        lambda run, backend: backend.load is None and run != SINGLE,
        "missing",
        "Modules of the backend '{backend.name}' do not run in Python.",
        "Generate one with mbdgen build MODEL --backend {backend.name}; its header explains "
        "its use. To simulate here, choose another backend.",
    ),
)
"""Limits of modules in languages that Python does not load; they simulate single runs by
themselves."""


def check_backend_limits(backend: Backend, system: SystemIR) -> None:
    """Reject a mechanism that the backend could print but not run."""
    failing = [body for body in system.roles.displaced if body.attitude >= 0]
    coordinates = system.names["coordinates"]
    turned = [f"'{b.kind}' of body '{coordinates[b.first].rpartition('.')[0]}'" for b in failing]
    facts = Facts.of(
        system.model,
        [
            ("reactions", bool(system.sizes["reads"]), ()),
            ("crowds", bool(system.crowds), ()),
            ("charts", bool(failing), turned),
            ("contacts", bool(system.roles.contacts), ()),
        ],
    )
    require(BACKEND_LIMITS, facts, BuildError, backend=backend)

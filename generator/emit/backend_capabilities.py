"""Capability checks of a backend before code is generated."""

from collections.abc import Callable

from mbdgen.emit.backend import Backend
from mbdgen.errors import BuildError
from mbdgen.limits import Facts, Limit, require
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


def require_able(backend: Backend, system: SystemIR) -> None:
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

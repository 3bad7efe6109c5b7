"""What the loops of a backend cannot do is said before anything is printed."""

from mbdgen.emit.backend import Backend
from mbdgen.errors import BuildError
from mbdgen.symbolic.system_ir import SystemIR


def require_able(backend: Backend, system: SystemIR) -> None:
    """Refuse a mechanism that the backend could print but not run."""
    if system.sizes["reads"] and not backend.reads:
        raise BuildError(
            f"Forces of '{system.model}' depend on reactions (friction of joints), which the loops "
            f"of the backend '{backend.name}' cannot find.",
            "Choose another backend, or give the friction a load that is a number.",
        )
    if system.crowds and not backend.crowds:
        raise BuildError(
            f"The backend '{backend.name}' cannot find the pairs of the many contacts of "
            f"'{system.model}'.",
            "Choose the backend numba.",
        )
    failing = [body for body in system.roles.displaced if body.attitude >= 0]
    if failing and not backend.switches:
        name = system.names["coordinates"][failing[0].first].rpartition(".")[0]
        raise BuildError(
            f"The loops of the backend '{backend.name}' cannot switch orientations whose numbers "
            f"fail, such as '{failing[0].kind}' of body '{name}' in '{system.model}'.",
            "Take coordinates that never fail ('quaternion', 'direction-cosines'), or another "
            "backend.",
        )
    if system.roles.contacts and not backend.switches:
        raise BuildError(
            f"'{system.model}' has contacts, which the loops of the backend '{backend.name}' "
            "cannot open and close.",
            "Choose another backend.",
        )

"""Error messages for invalid inputs (independent coordinates), by the names of the model."""

from collections.abc import Iterable, Mapping, Sequence

from mbdgen.errors import OptionError, meant
from mbdgen.runtime.groups.group_elimination import GroupElimination, Row
from mbdgen.runtime.system.system import System

MOST = 8


def unknown_coordinate(system: System, name: object) -> OptionError:
    """Return the error for an unknown coordinate, listing the known ones."""
    known = system.names.coordinates
    return OptionError(
        f"Model '{system.data.model}' has no coordinate {name!r}, which was named as an input.",
        meant(name, known, f"It has: {_listed(known, MOST)}."),
    )


def contradiction(
    system: System, rows: Mapping[int, Row], found: GroupElimination, inputs: Sequence[int]
) -> OptionError:
    """Return the error for inputs that are not independent of each other."""
    joints = _owners(system, found.contradicted)
    dof = system.n_q - len(found.pivots) - len(found.contradicted)
    concerned = sorted({c for r in found.contradicted for c in rows[r]} & set(inputs)) or inputs
    count = "1 degree" if dof == 1 else f"{dof} degrees"
    return OptionError(
        f"The inputs {_names(system, inputs)} are not independent: model '{system.data.model}' has "
        f"{count} of freedom to give, and {_listed(joints, MOST)} already say what one of them is.",
        f"Give {dof} that can move independently; leave out one of {_names(system, concerned)}.",
    )


def too_many(system: System, driven: Sequence[int], inputs: Sequence[int], dof: int) -> OptionError:
    """Return the error for more drivers and inputs than degrees of freedom."""
    drivers = _owners(system, driven)
    given = f" and the inputs {_names(system, inputs)}" if inputs else ""
    count = "1 degree" if dof == 1 else f"{dof} degrees"
    return OptionError(
        f"Model '{system.data.model}' has {count} of freedom, but the drivers "
        f"{_listed(drivers, MOST)}{given} prescribe {len(driven) + len(inputs)}.",
        f"Leave out {len(driven) + len(inputs) - dof} of them.",
    )


def undetermined(
    system: System, found: GroupElimination, inputs: Sequence[int], free: Sequence[int]
) -> OptionError:
    """Return the error for undetermined bodies, with coordinates that could be inputs."""
    moving = sorted({c for k in free for c in found.moved(k)} - set(inputs))
    bodies = dict.fromkeys(system.names.row_owners[c] for c in moving)
    among = [r for r in found.pivots if r >= system.n_q]
    joints = [
        name
        for name in _owners(system, among)
        if name not in bodies and _touches(system, found, name, set(moving))
    ]
    given = _names(system, inputs) if inputs else "none"
    count = f"{len(free)} more input{'s' if len(free) > 1 else ''}"
    between = f" (between them: {_listed(joints, MOST)})" if joints else ""
    return OptionError(
        f"The inputs ({given}) do not determine model '{system.data.model}': "
        f"{_listed(bodies, MOST)} stay{'s' if len(bodies) == 1 else ''} movable{between}.",
        f"Give {count} out of: {_names(system, moving)}; or drive a joint.",
    )


def _touches(system: System, found: GroupElimination, name: str, moving: set[int]) -> bool:
    """Return whether equations of an element read coordinates that move."""
    owners = system.names.row_owners
    parts = zip(found.pivots, found.reduced, strict=True)
    return any(owners[r] == name and moving & set(row) for r, row in parts)


def _owners(system: System, rows: Iterable[int]) -> list[str]:
    return list(dict.fromkeys(system.names.row_owners[r] for r in rows))


def _names(system: System, columns: Iterable[int]) -> str:
    return _listed([system.names.coordinates[c] for c in columns], MOST)


def _listed(names: Iterable[str], most: int) -> str:
    found = list(names)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(f"'{name}'" for name in found[:most]) + more

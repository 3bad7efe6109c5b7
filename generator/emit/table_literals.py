"""Tables of numbers and names: literals in the module if small, otherwise a separate file."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.emit.array_functions import array_table, moving_types, telling_types
from mbdgen.interface import CROWD
from mbdgen.symbolic.ir.system_ir import HEADER, PER_TYPE, StatedIR, SystemIR
from mbdgen.topology.elements import column_note

LITERAL_LIMIT = 4000  # entries; larger tables go to an .npz file beside the module
WIDTH = 96
MOST_NOTES = 3


@dataclass(frozen=True)
class TableGroup:
    """Group of entries of a table: heading above, count, name beside."""

    heading: str
    size: int
    name: str


@dataclass(frozen=True)
class PrintedTables:
    """Tables of a module.

    Attributes
    ----------
    text : tuple of (name, literal)
        Literals in the module; empty if `arrays` is not.
    arrays : dict
        Stored in a separate file.
    """

    text: tuple[tuple[str, str], ...]
    arrays: dict[str, Any]


def literal(system: SystemIR, limit: int = LITERAL_LIMIT) -> PrintedTables:
    """Return the tables of a mechanism as literals; as arrays if they exceed the limit."""
    arrays = _arrays(system)
    if sum(a.size for a in arrays.values()) > limit:
        return PrintedTables((), arrays)
    # Tables for relative coordinates have entries besides those of the types.
    grouped = {"p": _parameter_groups(system), "m": _integer_groups(system)}
    grouped = {} if system.names["bodies"] else grouped
    grouped["bodies"] = _body_groups(system)
    return PrintedTables(tuple((n, _array(a, grouped.get(n, ()))) for n, a in arrays.items()), {})


def _arrays(system: SystemIR) -> dict[str, Any]:
    velocity_rows = np.array(system.roles.velocity_rows, np.int64)
    return {
        "p": system.p,
        "m": system.m,
        "q0": system.q0,
        "v0": system.v0,
        "indptr": system.indptr,
        "indices": system.indices,
        "p_targets": system.derived.p_targets,
        "q_targets": system.derived.q_targets,
        "v_targets": system.derived.v_targets,
        "constraint_rows": np.array(system.roles.constraint_rows, np.int64),
        "unit_blocks": np.array(system.roles.unit_blocks, np.int64).reshape(-1, 2),
        "fixed": np.array(system.roles.fixed, np.int64),
        "fixed_velocity": np.array(system.roles.fixed_velocity, np.int64),
        "driven": np.array(system.roles.driven, np.int64),
        **({"velocity_rows": velocity_rows} if len(velocity_rows) else {}),
        **_displaced(system),
        **_contacts(system),
        **({"crowds": np.array(system.crowds, np.int64)} if system.crowds else {}),
        **_turns(system),
        **_ranges(system),
        **_stated(system),
        **({"loads": np.array(system.roles.loads, np.int64)} if system.roles.loads else {}),
        **({"moved": np.array(system.roles.moved, np.int64)} if system.roles.moved else {}),
        "bodies": array_table(moving_types(system)),
        **({"along": array_table(telling_types(system))} if system.telling else {}),
    }


def _contacts(system: SystemIR) -> dict[str, Any]:
    """Return the data of contacts that a run reads and writes."""
    if not system.roles.contacts:
        return {}
    return {
        "contacts": np.array(system.roles.contacts, np.int64),
        "memory": np.array(system.roles.memory, np.int64).reshape(-1, 3),
    }


def _turns(system: SystemIR) -> dict[str, Any]:
    """Return the indices of the predictions of unwrapped angles, and which of them may jump."""
    return {"turns": np.array(system.roles.turns, np.int64)} if system.roles.turns else {}


def _ranges(system: SystemIR) -> dict[str, Any]:
    """Return the path coordinates that a run monitors, and the indices of their bounds."""
    return {"ranges": np.array(system.roles.ranges, np.int64)} if system.roles.ranges else {}


def _stated(system: SystemIR) -> dict[str, Any]:
    """Return the stated initial data of bodies whose coordinates are not those of the system."""
    stated = system.roles.stated
    if stated == StatedIR():
        return {}
    return {
        "stated": np.array(stated.coordinates, np.int64).reshape(-1, 3),
        "stated_inertias": np.array(stated.inertias, np.int64).reshape(-1, 2),
        "stated_fixed": np.array(stated.held, np.int64),
        "stated_velocities": np.array(stated.held_velocity, np.int64),
        "stated_twists": np.array(stated.twists, np.int64).reshape(-1, 2),
    }


def _displaced(system: SystemIR) -> dict[str, Any]:
    """Return data of bodies whose virtual displacements are not variations of coordinates."""
    bodies = system.roles.displaced
    if not bodies:
        return {}
    rows = [(b.first, b.n_q, b.n_u, b.attitude, len(b.home)) for b in bodies]
    return {
        "displaced": np.array(rows, np.int64),
        "homes": np.array([x for b in bodies for x in b.home], float),
        "bases": np.array(system.roles.bases, np.int64).reshape(-1, 3),
    }


def derived_notes(system: SystemIR) -> list[str]:
    """Return for each expression of the named parameters the table entries that it determines."""
    found: list[list[str]] = [[] for _ in system.derived.roots]
    for at, k in system.derived.p_targets:
        found[k].append(system.numbers[at])
    for what, targets in (("q0", system.derived.q_targets), ("v0", system.derived.v_targets)):
        for at, k in targets:
            found[k].append(f"{what} of {system.names['coordinates'][at]}")
    return [", ".join(x[:MOST_NOTES]) + (", ..." if len(x) > MOST_NOTES else "") for x in found]


def _parameter_groups(system: SystemIR) -> Iterator[TableGroup]:
    """Yield the parameters of each element, under the columns of its type."""
    for table in system.types:
        columns = (c + _unit(column_note(table.ir.role, c)) for c in table.columns)
        heading = f"{table.title}: {', '.join(columns)}"
        for name in table.instances if table.columns else ():
            yield TableGroup(heading, len(table.columns), name)
            heading = ""
    own = sum(len(table.columns) * len(table.instances) for table in system.types)
    ends = 2 * len(system.roles.ranges)
    if more := len(system.p) - own - ends:
        yield TableGroup("contacts: skin, radii, points and normals of planes, masses", more, "")
    if ends:
        yield TableGroup("paths: where each begins and ends", ends, "")


def _unit(note: str) -> str:
    """Return the unit in a note, in brackets."""
    _, bracket, unit = note.rpartition(" [")
    return f"{bracket}{unit}" if unit != "1]" else ""


def _integer_groups(system: SystemIR) -> Iterator[TableGroup]:
    """Yield sizes, and for each type counts and offsets, then links and scatter maps."""
    yield TableGroup(", ".join(HEADER), len(HEADER), "")
    heading = f"for each type: {', '.join(PER_TYPE)}"
    for table in system.types:
        yield TableGroup(heading, len(PER_TYPE), table.title)
        heading = ""
    for table in system.types:
        heading = f"links of {table.title}: {', '.join(table.ir.link_names())}"
        instances = () if table.crowd else table.instances
        for name in instances:
            yield TableGroup(heading, len(table.ir.link_names()), name)
            heading = ""
        heading = f"scatter maps of {table.title}"
        entries = len(table.ir.entries("matrix"))
        for name in instances if entries else ():
            yield TableGroup(heading, entries, name)
            heading = ""
    for at, end in zip(system.crowds, (*system.crowds[1:], len(system.m)), strict=False):
        yield TableGroup(f"contacts: {', '.join(CROWD)}, then kinds and links", end - at, "")


def _body_groups(system: SystemIR) -> Iterator[TableGroup]:
    """Yield the indices of each body, under headings of their kind."""
    for x in moving_types(system):
        (coordinates,) = x.table.ir.coordinates
        numbers = [f"p of {x.table.columns[k]}" for k in x.function.numbers]
        heading = f"{x.table.title}: number, {', '.join([*coordinates, *numbers])}"
        for name in x.table.instances:
            yield TableGroup(heading, x.places.shape[1], name)
            heading = ""


def wrapped(items: Sequence[object], indent: int = 4) -> str:
    """Return literals of strings or numbers, several on a line.

    Strings are as in JSON, which is valid in Python and JavaScript too.
    """
    texts = [json.dumps(x, ensure_ascii=False) if isinstance(x, str) else repr(x) for x in items]
    return _wrap(texts, indent)


def _array(a: Any, groups: Iterable[TableGroup] = ()) -> str:
    kind = "float" if a.dtype.kind == "f" else "np.int64"
    items = [repr(x) for x in a.ravel().tolist()]
    shape = f".reshape{a.shape}" if a.ndim > 1 else ""
    if len(", ".join(items)) < 70:
        return f"np.array([{', '.join(items)}], {kind}){shape}"
    lines = _grouped(items, groups) or _wrap(items, 8)
    return f"np.array(\n    [\n{lines}\n    ],\n    {kind},\n){shape}"


def _grouped(items: Sequence[str], groups: Iterable[TableGroup]) -> str:
    """Return a table with headings above and names beside its groups."""
    lines: list[str] = []
    first = 0
    for group in groups:
        if group.heading:
            heading = textwrap.wrap(group.heading, WIDTH - 14)
            lines += [f"        # {text}" for text in heading]
        part = _wrap(items[first : first + group.size], 8)
        beside = f"{part}  # {group.name}"
        fits = len(beside.rpartition("\n")[2]) <= WIDTH - 4  # it is indented once more
        lines.append(beside if group.name and fits else part)
        first += group.size
    assert not lines or first == len(items), "the groups of a table are not the table"
    return "\n".join(lines)


def _wrap(items: Sequence[str], indent: int) -> str:
    lines, line = [], " " * indent
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line.rstrip())
            line = " " * indent
        line += item + ", "
    return "\n".join([*lines, line.rstrip()])

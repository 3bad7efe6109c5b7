"""Names and roles of coordinates and rows.

They follow from the model; equations are examined only for the time dependence of joints.
"""

from collections.abc import Callable, Mapping, Sequence

from mbdgen.interface import DISPLACEMENTS, LOOKED_AT, MEMORY
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import BaseEntry
from mbdgen.language.expressions.runtime_values import Changing, Predicted, Remembered
from mbdgen.language.model import Model
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import operands
from mbdgen.symbolic.ir.system_ir import DisplacedIR, Roles, TypeTable
from mbdgen.symbolic.lower.numbering import Numbering
from mbdgen.symbolic.lower.stated_initial_state import stated_words
from mbdgen.topology.elements import ElementSpec


def roles_of(
    model: Model,
    specs: Sequence[ElementSpec],
    irs: Mapping[str, ElementIR],
    numbering: Numbering,
    tables: Sequence[TypeTable],
    changing: Sequence[tuple[int, Changing]],
) -> Roles:
    """Return the roles of rows and coordinates."""
    displaced = _displaced(specs, irs, numbering)
    place = {name: k for k, name in enumerate(displaced)}
    contacts = _contacts(model, numbering)
    number = {name: k for k, name in enumerate(contacts)}
    return Roles(
        constraint_rows=tuple(_constraint_rows(model, numbering)),
        velocity_rows=tuple(_velocity_rows(specs, irs, numbering)),
        unit_blocks=tuple(
            (numbering.coordinates(b)[first], size)
            for b in model.bodies.values()
            if b.kind is not None
            for first, size in b.kind.unit_blocks
        ),
        fixed=_chosen(model, numbering, lambda body: body.fixed),
        fixed_velocity=_chosen(model, numbering, lambda body: body.fixed_velocity),
        stated=stated_words(model, numbering),
        turns=_turns(tables, changing),
        driven=tuple(_driven(specs, irs, numbering)),
        displaced=tuple(displaced.values()),
        bases=tuple((at, place[x.body], x.entry) for at, x in changing if isinstance(x, BaseEntry)),
        contacts=tuple(contacts.values()),
        memory=tuple(
            (at, number[x.owner], MEMORY.index(x.field))
            for at, x in changing
            if isinstance(x, Remembered)
        ),
    )


def names_of(
    model: Model, specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR], numbering: Numbering
) -> dict[str, tuple[str, ...]]:
    """Return the names of all indexed quantities; rows with the name of their element."""
    coordinates: list[str] = []
    rows: list[str] = []
    owners: list[str] = []
    for b in model.bodies.values():
        assert b.kind is not None
        at = numbering.coordinates(b)
        own = [
            k for k, place in enumerate(at) if place >= len(coordinates)
        ]  # shared ones have a name
        coordinates += [f"{b.name}.{b.kind.coordinates[k]}" for k in own]
        rows += [f"{b.name}: {b.kind.all_rows[k]}" for k in own]
        owners += [b.name] * len(own)
    stated: dict[int, tuple[str, int]] = {}
    for spec in specs:
        for k, equation in enumerate(irs[spec.key].kept):
            stated[numbering.multiplier[spec.name] + k] = (spec.name, equation)
    constraints = [stated[k] for k in range(numbering.n_lam)]
    rows += [f"{name}: equation {equation}" for name, equation in constraints]
    owners += [name for name, _ in constraints]
    outputs = [n for o in model.outputs.values() for n in o.names()]
    units = [unit for o in model.outputs.values() for unit in o.units()]
    found = {
        "coordinates": coordinates,
        "multipliers": [f"{name}[{equation}]" for name, equation in constraints],
        "rows": rows,
        "row_owners": owners,
        "outputs": outputs,
        "units": units,
        "bodies": [],
        "moving": [b.name for b in model.bodies.values() if b.kind is not None and b.kind.is_body],
    }
    return {k: tuple(v) for k, v in found.items()}


def _turns(
    tables: Sequence[TypeTable], changing: Sequence[tuple[int, Changing]]
) -> tuple[tuple[int, int, bool], ...]:
    """Return the indices of the prediction of every unwrapped angle, and whether it may jump."""
    jumps = [jumps for t in tables for _ in t.instances for _, jumps in t.ir.turns]
    at = {(x.angle, x.what): k for k, x in changing if isinstance(x, Predicted)}
    return tuple((at[j, 0], at[j, 1], jump) for j, jump in enumerate(jumps))


def _contacts(model: Model, numbering: Numbering) -> dict[str, tuple[int, ...]]:
    """Return the outputs that a run monitors, for every element with memory (contact)."""
    found = {}
    for attached in model.attached.values():
        if attached.element.memory:
            names = model.outputs[attached.name].names()
            first = numbering.output[attached.name]
            places = (names.index(f"{attached.name}.{what}") for what in LOOKED_AT)
            found[attached.name] = tuple(first + k for k in places)
    return found


def _constraint_rows(model: Model, numbering: Numbering) -> list[int]:
    rows: list[int] = []
    for b in model.bodies.values():
        assert b.kind is not None
        rows += numbering.coordinates(b)[b.kind.n_u :]
    return [*rows, *range(numbering.n_q, numbering.n)]


def _velocity_rows(
    specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR], numbering: Numbering
) -> list[int]:
    """Return the nonholonomic rows, the last ones of their joints."""
    found: list[int] = []
    for spec in specs:
        ir = irs[spec.key]
        if ir.n_velocity:
            end = numbering.n_q + numbering.multiplier[spec.name] + ir.n_lam
            found += range(end - ir.n_velocity, end)
    return list(dict.fromkeys(found))  # pieces of a path share them


def _driven(
    specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR], numbering: Numbering
) -> list[int]:
    """Return the multipliers of drivers and of joints whose equations depend on time."""
    timed = {key: _depends_on_time(ir) for key, ir in irs.items()}
    found: list[int] = []
    for spec in specs:
        ir = irs[spec.key]
        if spec.role != "joint" or not ir.n_lam:
            continue
        if timed[spec.key] or spec.parts[0].element.drives:
            first = numbering.multiplier[spec.name]
            found += range(first, first + ir.n_lam)
    return list(dict.fromkeys(found))


def _displaced(
    specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR], numbering: Numbering
) -> dict[str, DisplacedIR]:
    """Return the bodies with the kernel of displacements, by name."""
    found = {}
    for spec in specs:
        if spec.role == "body" and irs[spec.key].entries(DISPLACEMENTS):
            kind, first = spec.bodies[0].kind, numbering.body[spec.name]
            assert kind is not None
            known = kind.attitude
            at, home = (-1, ()) if known is None else (first + known.coordinates, known.home)
            found[spec.name] = DisplacedIR(first, kind.n_q, kind.n_u, kind.name, at, home)
    return found


def _depends_on_time(ir: ElementIR) -> bool:
    """Return whether its equations depend on time, apart from predictions of unwrapped angles."""
    nodes, seen = ir.graph.nodes, set()
    waiting = [node for name in ("residual", "rates") for _, node in ir.entries(name)]
    while waiting:
        k = waiting.pop()
        if nodes[k] == ("input", "t"):
            return True
        if k not in seen and nodes[k][0] != "floor":
            seen.add(k)
            waiting += operands(nodes[k])
    return False


def _chosen(
    model: Model, numbering: Numbering, names: Callable[[Body], frozenset[str]]
) -> tuple[int, ...]:
    """Return the coordinates that the user named for each body."""
    found = []
    for b in model.bodies.values():
        assert b.kind is not None
        places = zip(b.kind.coordinates, numbering.coordinates(b), strict=True)
        found += [k for c, k in places if c in names(b)]
    return tuple(dict.fromkeys(found))

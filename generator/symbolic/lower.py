"""From derived types to the whole mechanism: tables, numbering, pattern and layout.

Input: a model, its elements and their types. Output: a `SystemIR`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mbdgen.bodies.base import row_names
from mbdgen.errors import BuildError
from mbdgen.language.model import Model
from mbdgen.runtime.data import IntArray
from mbdgen.symbolic.expressions import ParameterExpressions
from mbdgen.symbolic.flatten import Whole, flatten
from mbdgen.symbolic.fused import NOT_FUSED, fuse, fuse_reduced
from mbdgen.symbolic.index_1 import index_1_kernel
from mbdgen.symbolic.ir import ElementIR
from mbdgen.symbolic.labels import local_rows
from mbdgen.symbolic.numbering import (
    Group,
    Numbering,
    check_trivial,
    group,
    links,
    number,
    pattern,
)
from mbdgen.symbolic.reduction import reduce
from mbdgen.symbolic.straight import AllCoordinates
from mbdgen.symbolic.system_ir import HEADER, PER_TYPE, FlatKernel, SystemIR, TypeTable
from mbdgen.symbolic.turning import with_sign_of
from mbdgen.topology.elements import ElementSpec, column_meaning
from mbdgen.topology.turns import Turn, turns

STATEMENTS_PER_OPERATION = 0.4  # how many printed statements an operation becomes, on average
REDUCED_SHARE = 4  # fused kernels of a reduced system are a quarter of the size, or less
KERNEL_NAMES = ("residual", "matrix", "rates", "energies", "outputs")


def lower(
    model: Model,
    specs: Sequence[ElementSpec],
    irs: dict[str, ElementIR],
    layout: str,
    freeze: frozenset[str],
    flat_limit: int,
    fuse_limit: int,
    operation_limit: int,
    reduced: bool,
) -> SystemIR:
    """Return the mechanism ready to be printed.

    Parameters
    ----------
    layout : {"auto", "loop", "flat"}
        How kernels are laid out.
    freeze : names of parameters
        Parameters that become numbers.
    flat_limit : int
        Largest number of statements that `auto` prints flat.
    fuse_limit : int
        Largest number of statements for which flat kernels include their own elimination.
    operation_limit : int
        Largest number of operations for which `auto` keeps the flat kernels that came out.
    reduced : bool
        Whether fused kernels leave out the coordinates that a constraint row gives.
    """
    numbering = number(model, specs, irs)
    groups = group(specs, irs)
    book = ParameterExpressions(model, freeze)
    connectivities = [links(g, numbering) for g in groups]
    tables, p = _parameter_tables(groups, connectivities, book)
    indptr, indices, scatter = pattern(numbering, groups, [c for c, _ in connectivities])
    m = _integer_table(numbering, tables, scatter, len(indices), len(p))
    q0, v0 = _initial_state(model, numbering, book)
    statements = _estimate(groups)
    chosen = layout if layout != "auto" else ("flat" if statements <= flat_limit else "loop")
    parametric = {int(k) for k, _ in book.targets("p")}
    names = _names(model, specs, irs, numbering)
    flat: tuple[FlatKernel, ...] = ()
    fused = NOT_FUSED
    if chosen == "flat":
        whole = (tables, scatter, p, parametric, numbering, names)
        flat = flatten(*whole)
        fuse_limit *= REDUCED_SHARE if reduced else 1
        if statements <= fuse_limit:
            rows = _constraint_rows(model, numbering)
            if reduced:
                fused = fuse_reduced(reduce(whole, rows, _turns(specs, irs, numbering, q0)), q0, v0)
            else:
                fused = fuse(lambda: AllCoordinates(Whole(*whole), indptr, indices), rows, q0, v0)
        flat += fused.kernels or (index_1_kernel(Whole(*whole)),)
    if layout == "auto" and _operations(flat) > operation_limit:
        chosen, flat, fused = "loop", (), NOT_FUSED
    if reduced and not fused.kernels:
        raise _not_reduced(model.name, chosen, statements, fuse_limit)
    return SystemIR(
        model=model.name,
        layout=chosen,
        types=tuple(tables),
        flat=flat,
        statements=statements,
        sizes={
            "n": numbering.n,
            "nnz": len(indices),
            "n_q": numbering.n_q,
            "n_lam": numbering.n_lam,
            "n_out": sum(len(o.components) for o in model.outputs.values()),
            "fused": fused.size,
            "powered": int(_is_powered(groups)),
        },
        names=names,
        p=p,
        m=m,
        q0=q0,
        v0=v0,
        indptr=indptr,
        indices=indices,
        constraint_rows=tuple(_constraint_rows(model, numbering)),
        unit_blocks=tuple(
            (numbering.body[b.name] + first, size)
            for b in model.bodies.values()
            if b.kind is not None
            for first, size in b.kind.unit_blocks
        ),
        fixed=tuple(_fixed(model, numbering, "fixed")),
        fixed_velocity=tuple(_fixed(model, numbering, "fixed_velocity")),
        angle_outputs=tuple(
            numbering.output[o.name] + k
            for o in model.outputs.values()
            if o.angle
            for k in range(len(o.components))
        ),
        driven=tuple(_driven(specs, irs, numbering)),
        reduced=fused.reduced,
        derived=book.finish(),
        units={o.name: o.unit for o in model.outputs.values()},
    )


def _operations(kernels: Sequence[FlatKernel]) -> int:
    return sum(k.graph.operation_count([n for _, n in k.outputs]) for k in kernels)


def _not_reduced(name: str, layout: str, statements: int, limit: int) -> BuildError:
    """Say why there are no fused kernels, which a reduced system is made of."""
    what = f"The mechanism '{name}' cannot be reduced:"
    if limit == 0:
        return BuildError(f"{what} this backend has no fused kernels.", "Use the backend c.")
    if layout != "flat":
        return BuildError(f"{what} that needs the layout flat, not {layout}.", "Choose it.")
    if statements > limit:
        size = f"about {statements} statements, at most {limit}"
        return BuildError(f"{what} it is too large ({size}).", "Leave out reduced.")
    cause = "its matrix is singular at the initial state, as with a motion without inertia"
    return BuildError(
        f"{what} {cause}.", "Simulate it without reduced: the error names the motion."
    )


def _parameter_tables(
    groups: Sequence[Group],
    connectivities: Sequence[tuple[IntArray, tuple[str, ...]]],
    book: ParameterExpressions,
) -> tuple[list[TypeTable], Any]:
    """Fill one row of used columns for every element."""
    tables: list[TypeTable] = []
    p: list[float] = []
    for place, (g, (connectivity, names)) in enumerate(zip(groups, connectivities, strict=True)):
        columns = tuple(_used_columns(g))
        offset = len(p)
        defaults: dict[str, dict[str, float]] = {}
        for spec in g.specs:
            values = dict(spec.columns)
            for c in columns:
                what = f"{column_meaning(c)} of {spec.title} '{spec.name}'"
                p.append(book.place(values[c], "p", len(p), what))
            if g.ir.entries("trivial"):
                defaults[spec.name] = {c: book.value(x, c) for c, x in values.items()}
        check_trivial(g, defaults)
        tables.append(
            TypeTable(
                ir=g.ir,
                title=g.title,
                instances=tuple(s.name for s in g.specs),
                columns=columns,
                links=connectivity,
                link_names=names,
                place=place,
                p_offset=offset,
                rows=local_rows(g.specs[0], g.ir),
                statement=g.specs[0].statement,
            )
        )
    return tables, np.array(p, float)


def _used_columns(g: Group) -> list[str]:
    """Return the columns that some quantity needs, in the order of the element's columns."""
    roots = [n for name in KERNEL_NAMES for _, n in g.ir.entries(name)]
    nodes = g.ir.graph.nodes
    used = {nodes[k][1] for k in g.ir.graph.needed(roots) if nodes[k][0] == "input"}
    return [name for name, _ in g.specs[0].columns if name in used]


def _integer_table(
    numbering: Numbering,
    tables: Sequence[TypeTable],
    scatter: Sequence[IntArray],
    nnz: int,
    n_p: int,
) -> IntArray:
    header = [numbering.n, nnz, numbering.n_q, numbering.n_lam]
    at = len(HEADER) + len(PER_TYPE) * len(tables)
    body: list[IntArray] = []
    for table, s in zip(tables, scatter, strict=True):
        links_at = at
        scatter_at = links_at + table.links.size
        at = scatter_at + s.size
        header += [len(table.instances), table.p_offset, links_at, scatter_at]
        body += [table.links.ravel(), s.ravel()]
    return np.concatenate([np.array(header, np.int64), *body])


def _initial_state(model: Model, numbering: Numbering, book: ParameterExpressions) -> Any:
    q0, v0 = np.zeros(numbering.n_q), np.zeros(numbering.n_q)
    for body in model.bodies.values():
        assert body.kind is not None
        first = numbering.body[body.name]
        q, v = body.kind.initial(body.motion)
        for k, (x, y) in enumerate(zip(q, v, strict=True)):
            q0[first + k] = book.place(x, "q", first + k, f"initial state of body '{body.name}'")
            v0[first + k] = book.place(y, "v", first + k, f"initial state of body '{body.name}'")
    return q0, v0


def _is_powered(groups: Sequence[Group]) -> bool:
    """Whether any element states a power: loads, dampers, drivers."""
    return any(index == (2,) for g in groups for index, _ in g.ir.entries("energies"))


def _estimate(groups: Sequence[Group]) -> int:
    """Estimate the number of statements if every instance were printed."""
    total = 0.0
    for g in groups:
        for name in KERNEL_NAMES:
            roots = [n for _, n in g.ir.entries(name)]
            total += len(g.specs) * g.ir.graph.operation_count(roots)
    return int(total * STATEMENTS_PER_OPERATION)


def _turns(
    specs: Sequence[ElementSpec], irs: dict[str, ElementIR], numbering: Numbering, q0: Any
) -> list[tuple[Turn, range]]:
    """Return the orientations that joints give, with the multipliers of each joint."""
    sizes = {spec.name: irs[spec.key].n_lam for spec in specs}
    found = []
    for turn in turns(specs):
        first = numbering.multiplier.get(turn.joint, 0)
        own = range(first, first + sizes[turn.joint])
        found.append((with_sign_of(turn, numbering.body, q0), own))
    return found


def _names(
    model: Model,
    specs: Sequence[ElementSpec],
    irs: dict[str, ElementIR],
    numbering: Numbering,
) -> dict[str, tuple[str, ...]]:
    coordinates: list[str] = []
    rows: list[str] = []
    owners: list[str] = []
    for b in model.bodies.values():
        assert b.kind is not None
        coordinates += [f"{b.name}.{c}" for c in b.kind.coordinates]
        rows += [f"{b.name}: {row}" for row in row_names(b.kind)]
        owners += [b.name] * b.kind.n_q
    multipliers = [""] * numbering.n_lam
    for spec in specs:
        ir = irs[spec.key]
        for k, stated in enumerate(ir.kept):
            at = numbering.multiplier[spec.name] + k
            multipliers[at] = f"{spec.name}[{stated}]"
    rows += [m.replace("[", ": equation ").rstrip("]") for m in multipliers]
    owners += [m.partition("[")[0] for m in multipliers]
    outputs = [n for o in model.outputs.values() for n in o.names()]
    units = [o.unit for o in model.outputs.values() for _ in o.components]
    found = {
        "coordinates": coordinates,
        "multipliers": multipliers,
        "rows": rows,
        "row_owners": owners,
        "outputs": outputs,
        "units": units,
    }
    return {k: tuple(v) for k, v in found.items()}


def _constraint_rows(model: Model, numbering: Numbering) -> list[int]:
    rows: list[int] = []
    for b in model.bodies.values():
        assert b.kind is not None
        first = numbering.body[b.name]
        rows += range(first + len(b.kind.rows), first + b.kind.n_q)
    return [*rows, *range(numbering.n_q, numbering.n)]


def _driven(
    specs: Sequence[ElementSpec], irs: dict[str, ElementIR], numbering: Numbering
) -> list[int]:
    """Return the multipliers of drivers and of joints whose equations contain the time."""
    timed = {key: _depends_on_time(ir) for key, ir in irs.items()}
    found: list[int] = []
    for spec in specs:
        ir = irs[spec.key]
        if spec.role != "joint" or not ir.n_lam:
            continue
        if timed[spec.key] or spec.parts[0].element.drives:
            first = numbering.multiplier[spec.name]
            found += range(first, first + ir.n_lam)
    return found


def _depends_on_time(ir: ElementIR) -> bool:
    roots = [node for _, node in ir.entries("residual")]
    return any(ir.graph.nodes[k] == ("input", "t") for k in ir.graph.needed(roots))


def _fixed(model: Model, numbering: Numbering, what: str) -> list[int]:
    found = []
    for b in model.bodies.values():
        assert b.kind is not None
        for k, c in enumerate(b.kind.coordinates):
            if c in (b.fixed if what == "fixed" else b.fixed_velocity):
                found.append(numbering.body[b.name] + k)
    return found

"""Tables of a mechanism: parameters of all elements, integers, initial conditions.

Entries that depend on named parameters are recorded in `ParameterExpressions` for updates.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.interface import ALONG, ANGLES, DISPLACEMENTS, ELEMENT_KERNELS, MOTION, SECOND_KERNELS
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import initial_of
from mbdgen.language.expressions.runtime_values import Changing, Predicted
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.derive.tape import angle_inputs
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import HEADER, PER_TYPE, TypeTable
from mbdgen.symbolic.lower.instance_labels import local_rows
from mbdgen.symbolic.lower.numbering import ElementGroup, Numbering, links
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.topology.elements import column_meaning

TRIVIAL_TOLERANCE = 1e-9
TOGETHER = 1e-8  # m or m/s: tolerance for the agreement of shared points
INSTANTS = (0.0, 0.1234567, 1.618034)  # trivial constraints must vanish at all times


def parameter_tables(
    groups: Sequence[ElementGroup], numbering: Numbering, book: ParameterExpressions
) -> tuple[list[TypeTable], FloatArray, list[tuple[int, Changing]]]:
    """Return the types with the indices of their instances, and a row of parameters for each.

    The parameters that runs change are returned again, with their indices.
    """
    changing: list[tuple[int, Changing]] = []
    tables: list[TypeTable] = []
    p: list[float] = []
    angles = 0
    for place, g in enumerate(groups):
        columns = tuple(_used_columns(g))
        offset = len(p)
        for e, spec in enumerate(g.specs):
            values = dict(spec.columns) | _predictions(g.ir, angles + e * len(g.ir.turns))
            for c in columns:
                x = values[c]
                if isinstance(x, Changing) and spec.crowd is None:
                    changing.append((len(p), x))
                what = f"{column_meaning(c)} of {spec.title} '{spec.name}'"
                p.append(book.place(x, "p", len(p), what))
        _check_trivial(g, book)
        tables.append(
            TypeTable(
                ir=g.ir,
                title=g.title,
                instances=tuple(s.name for s in g.specs),
                bodies=tuple(tuple(b.name for b in s.bodies) for s in g.specs),
                columns=columns,
                links=links(g, numbering, angles),
                place=place,
                p_offset=offset,
                rows=local_rows(g.specs[0], g.ir),
                statement=g.specs[0].statement,
                crowd=g.specs[0].crowd,
                rule=g.specs[0].rule,
            )
        )
        angles += len(g.specs) * len(g.ir.turns)
    return tables, np.array(p, float), changing


def integer_table(
    sizes: Sequence[int], tables: Sequence[TypeTable], scatter: Sequence[IntArray]
) -> IntArray:
    """Return the table of integers: sizes, offsets, links and scatter maps.

    Parameters
    ----------
    sizes : sequence of int
        The numbers of `HEADER`.
    """
    header = list(sizes)
    at = len(HEADER) + len(PER_TYPE) * len(tables)
    body: list[IntArray] = []
    for table, s in zip(tables, scatter, strict=True):
        links_at = at
        scatter_at = links_at + table.links.size
        at = scatter_at + s.size
        header += [len(table.links), table.p_offset, links_at, scatter_at]
        body += [table.links.ravel(), s.ravel()]
    return np.concatenate([np.array(header, np.int64), *body])


def initial_state(
    model: Model,
    numbering: Numbering,
    book: ParameterExpressions,
    places: Mapping[int, int] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return the initial coordinates and velocities of the model.

    Parameters
    ----------
    places : mapping, optional
        New indices of the requested coordinates, if not all.
    """
    places = {k: k for k in range(numbering.n_q)} if places is None else places
    q0, v0 = np.zeros(len(places)), np.zeros(len(places))
    known = np.zeros((2, numbering.n_q))
    placed: dict[int, str] = {}
    for body in model.bodies.values():
        assert body.kind is not None
        q, v = initial_of(body.kind, body.motion)
        what = f"initial state of body '{body.name}'"
        at = numbering.coordinates(body)
        own = np.array([[book.value(x, what) for x in level] for level in (q, v)])
        _check_together(body, at, own - known[:, at], placed)
        for k, x, y in zip(at, q, v, strict=True):
            if k in placed:
                continue
            placed[k] = body.name
            if k in places:
                j = places[k]
                q0[j], v0[j] = book.place(x, "q", j, what), book.place(y, "v", j, what)
        known[:, at] = own
    return q0, v0


def _check_together(
    body: Body, at: Sequence[int], differences: FloatArray, placed: Mapping[int, str]
) -> None:
    """Reject shared points or vectors with inconsistent initial values in two bodies.

    Raises
    ------
    ModelError
        Naming both bodies, and the distance.
    """
    assert body.kind is not None
    first = 0
    for block in body.kind.blocks:
        own = slice(first, first + block.size)
        other = placed.get(at[first])
        first += block.size
        gap, speed = (float(np.linalg.norm(x)) for x in differences[:, own])
        if other is None or max(gap, speed) <= TOGETHER:
            continue
        how = f"but is {gap:.3g} m away from there" if gap > TOGETHER else ""
        how = how or f"but moves there by {speed:.3g} m/s in another way"
        how = how if block.what == "point" else how.replace(" m", "")
        raise ModelError(
            f"{block.what} '{block.name}' of body '{body.name}' is shared with body '{other}', "
            f"{how} at the start.",
            "Give both bodies positions and velocities that agree in what they share.",
        )


def sizes_of(
    shape: tuple[int, int, int, int],
    names: Mapping[str, Sequence[str]],
    tables: Sequence[TypeTable],
    fused: int,
    reads: bool = False,
) -> dict[str, int]:
    """Return the sizes of a system for templates and loops.

    Parameters
    ----------
    shape : tuple of int
        The numbers of `HEADER`.
    fused : int
        Length of the results of the fused kernels.
    reads : bool
        Whether forces depend on reactions.
    """
    return dict(zip(HEADER, shape, strict=True)) | {
        "n_out": len(names["outputs"]) + len(names["bodies"]),
        "fused": fused,
        "powered": int(_is_powered(tables)),
        "reads": int(reads),
    }


def _is_powered(tables: Sequence[TypeTable]) -> bool:
    """Return whether any element has power: loads, dampers, drivers."""
    return any(index == (2,) for table in tables for index, _ in table.ir.entries("energies"))


def moving_bodies(tables: Sequence[TypeTable]) -> tuple[TypeTable, ...]:
    """Return the types of bodies with a position: all except scalar coordinates."""
    return tuple(table for table in tables if table.ir.entries(MOTION))


def telling_elements(tables: Sequence[TypeTable]) -> tuple[TypeTable, ...]:
    """Return the types of elements with quantities at every point along a flexible body."""
    return tuple(table for table in tables if table.ir.told)


def numbers_of_types(tables: Sequence[TypeTable]) -> tuple[str, ...]:
    """Return the meaning of each entry of the table of parameters."""
    return tuple(
        f"{instance}: {column}"
        for table in tables
        for instance in table.instances
        for column in table.columns
    )


def _used_columns(g: ElementGroup) -> list[str]:
    """Return the columns that equations or the motion need, in order."""
    kernels = (*ELEMENT_KERNELS, *SECOND_KERNELS, DISPLACEMENTS, ANGLES, MOTION, ALONG)
    roots = [n for name in kernels for _, n in g.ir.entries(name)]
    used = g.ir.graph.inputs_of(roots)
    own = [name for name, _ in g.specs[0].columns if name in used]
    return [*own, *_predictions(g.ir, 0)]


def _predictions(ir: ElementIR, first: int) -> dict[str, Predicted]:
    """Return the prediction data of its unwrapped angles, numbered from the first one."""
    pairs = [(j, x) for j, (k, _) in enumerate(ir.turns) for x in enumerate(angle_inputs(k))]
    return {name: Predicted.of(first + j, what) for j, (what, name) in pairs}


def _check_trivial(group: ElementGroup, book: ParameterExpressions) -> None:
    """Check that constraint rows without coordinates vanish by their data.

    Raises
    ------
    ModelError
        If one does not vanish, naming the joint.
    """
    entries = group.ir.entries("trivial")
    if not entries:
        return
    roots = [node for _, node in entries]
    for spec in group.specs:
        numbers = {c: book.value(x, c) for c, x in spec.columns} | _predictions(group.ir, 0)
        found = [evaluate(group.ir.graph, roots, {"t": t, **numbers}) for t in INSTANTS]
        worst = np.abs(found).max()
        if not worst <= TRIVIAL_TOLERANCE:
            raise ModelError(
                f"{spec.title} '{spec.name}' can never close: its bodies leave a gap of "
                f"{worst:.3g} that no coordinate can change.",
                "Check the points and axes on both bodies (for planar bodies, their z).",
            )

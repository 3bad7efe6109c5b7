"""Tables of many contacts, for contact detection (neighbour search) during a run.

Their layout is that of `mbdgen.runtime.monitors.neighbour_lists`.
"""

from collections.abc import Sequence

import numpy as np

from mbdgen.errors import BuildError
from mbdgen.interface import CROWD, CROWD_TABLE
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.crowd import Crowd
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.ir.system_ir import NeighbourTable, TypeTable
from mbdgen.symbolic.lower.numbering import Numbering
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions


def neighbour_tables(
    model: Model, tables: Sequence[TypeTable], numbering: Numbering, first: int
) -> tuple[list[NeighbourTable], list[tuple[str, Scalar]]]:
    """Return the tables of all crowds, and their parameters, appended to ``p``.

    Parameters
    ----------
    first : int
        Index of the first of these parameters.
    """
    found: list[NeighbourTable] = []
    numbers: list[tuple[str, Scalar]] = []
    for crowd in model.crowds.values():
        at = first + len(numbers)
        numbers += _numbers(crowd)
        own = [t for t in tables if t.crowd is not None and t.crowd[0] == crowd.name]
        found.append(_table(crowd, own, numbering, at))
    return found, numbers


def _numbers(crowd: Crowd) -> list[tuple[str, Scalar]]:
    """Return skin and radii, points and normals of the planes, then masses, with their names."""
    named: list[tuple[str, Scalar]] = [(f"{crowd.name}: skin", crowd.skin)]
    named += [(f"{crowd.name}: radius", r) for r in crowd.radii]
    for table in crowd.tables:
        if table.plane is not None:
            named += [(f"{crowd.name}: point", x) for x in table.plane.global_point]
            named += [(f"{crowd.name}: normal", x) for x in table.plane.global_axes[2]]
    firsts = [crowd.species.index(kind) for kind in range(len(crowd.radii))]
    return named + [(f"{crowd.name}: mass", crowd.members[k].motion.mass) for k in firsts]


def _table(
    crowd: Crowd, own: Sequence[TypeTable], numbering: Numbering, numbers: int
) -> NeighbourTable:
    members = [_links(crowd, body, numbering) for body in crowd.members]
    kinds = len(crowd.radii)
    entries: list[int] = []
    rows: list[int] = []
    for table, near in zip(own, crowd.tables, strict=True):
        of_kinds = {pair: k for k, (pair, _) in enumerate(near.laws)}
        width = len(table.columns)
        entries += (table.header, len(table.ir.link_names()))
        pairs = [(s, t) for s in range(kinds) for t in range(1 if near.plane else kinds)]
        rows += [table.p_offset + width * of_kinds.get(pair, 0) for pair in pairs]
    species = np.array(crowd.species, np.int64)[:, None]
    listed = np.hstack([species, np.array(members, np.int64)])
    planes = sum(near.plane is not None for near in crowd.tables)
    header = {
        "members": len(members),
        "width": listed.shape[1],
        "kinds": kinds,
        "tables": len(own),
        "planes": planes,
        "numbers": numbers,
        **{field: own[0].columns.index(field) for field in ("stiffness", "exponent")},
    }
    head = np.array([header.get(name, 0) for name in CROWD], np.int64)
    body = [np.array(entries, np.int64), np.array(rows, np.int64), listed.ravel()]
    assert len(entries) == len(CROWD_TABLE) * len(own)
    return NeighbourTable(crowd.name, np.concatenate([head, *body]))


def _links(crowd: Crowd, body: Body, numbering: Numbering) -> list[int]:
    """Return the first coordinate of every block of a member; the first three are its centre."""
    assert body.kind is not None
    if tuple(body.kind.coordinates[:3]) != ("x", "y", "z"):
        raise BuildError(
            f"Body '{body.name}' of contacts '{crowd.name}' has the coordinates "
            f"'{body.kind.name}', which do not begin with its centre x, y, z.",
            "Use 'point', 'quaternion' or another set of orientations.",
        )
    return list(numbering.blocks[body.name])


def appended(
    p: FloatArray, numbers: Sequence[tuple[str, Scalar]], book: ParameterExpressions
) -> FloatArray:
    """Return the table of parameters with those of crowds appended."""
    more = [book.place(x, "p", len(p) + k, name) for k, (name, x) in enumerate(numbers)]
    return np.concatenate([p, np.array(more, float)])


def behind(m: IntArray, crowds: Sequence[NeighbourTable]) -> tuple[IntArray, tuple[int, ...]]:
    """Return the table of integers with those of crowds appended, and their offsets."""
    places, at = [], len(m)
    for crowd in crowds:
        places.append(at)
        at += len(crowd.integers)
    return np.concatenate([m, *(c.integers for c in crowds)]), tuple(places)

"""Lowering of a mechanism with its linear constraints eliminated.

Input: the mechanism in absolute coordinates. Output: a `SystemIR` with fewer coordinates and
multipliers, in straight-line code; the outputs of the model are followed by the multipliers of
eliminated drivers, then by all coordinates and their rates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.language.expressions.runtime_values import Predicted, Remembered
from mbdgen.language.model import Model
from mbdgen.symbolic.coordinates.eliminated_system import EliminatedSystem, places
from mbdgen.symbolic.coordinates.linear_constraints import LinearElimination, eliminate
from mbdgen.symbolic.fuse.fused_kernels import NOT_FUSED, fuse
from mbdgen.symbolic.fuse.straight_system import AllCoordinates
from mbdgen.symbolic.fuse.substituted_kernels import straight
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.system_ir import Roles, SystemIR
from mbdgen.symbolic.lower.contact_numbering import appended
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism
from mbdgen.symbolic.lower.layout import LayoutLimits, optional_kernels, statements
from mbdgen.symbolic.lower.load_parameters import loads_of
from mbdgen.symbolic.lower.numbering import Numbering, group, pattern
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.symbolic.lower.parameter_tables import (
    initial_state,
    moving_bodies,
    numbers_of_types,
    parameter_tables,
    sizes_of,
    telling_elements,
)
from mbdgen.symbolic.lower.path_ranges import range_numbers, ranges
from mbdgen.symbolic.lower.roles import names_of, roles_of
from mbdgen.symbolic.lower.stated_initial_state import stated_of
from mbdgen.topology.elements import ElementSpec

Names = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Mechanism:
    """Mechanism to be lowered: a model, its elements, their types and indices."""

    model: Model
    specs: Sequence[ElementSpec]
    irs: Mapping[str, ElementIR]
    numbering: Numbering


def lower_eliminated(mechanism: Mechanism, options: BuildOptions, limits: LayoutLimits) -> SystemIR:
    """Lower the mechanism in the independent coordinates of its linear constraints.

    Raises
    ------
    BuildError
        If that is not possible.
    """
    model, specs, irs, numbering = (
        mechanism.model, mechanism.specs, mechanism.irs, mechanism.numbering
    )  # fmt: skip
    book = ParameterExpressions(model, frozenset(options.freeze))
    tables, p, changing = parameter_tables(group(specs, irs), numbering, book)
    indptr, indices, scatter = pattern(numbering, tables)
    names = names_of(model, specs, irs, numbering)
    remembered = [(k, x) for k, x in changing if isinstance(x, Remembered | Predicted)]
    roles = roles_of(model, specs, irs, numbering, tables, remembered)
    parametric = frozenset([*(int(k) for k, _ in book.targets("p")), *(k for k, _ in remembered)])
    instances = Instances(
        model.name, tuple(tables), tuple(scatter), p, parametric, numbering, names, len(indices)
    )

    def all_coordinates() -> AllCoordinates:
        return AllCoordinates(WholeMechanism(instances), indptr, indices)

    kept = sorted(row - numbering.n_q for row in roles.velocity_rows)
    ends = ranges(model, numbering, len(p))
    paths = [at for at, _, _ in ends]
    plain = _plain(model, numbering)
    found = eliminate(instances, all_coordinates(), plain, kept, paths)
    _check_places(model, names, found, paths)
    _check_motion(model, found)
    gone = [k for k in roles.driven if k in found.rows]
    stated, told = stated_of(model, numbering, model.bodies, len(p) + len(range_numbers(model)))
    loads = loads_of(tables, specs, p, parametric)
    roles = replace(roles, ranges=ends, stated=stated, **loads._asdict())
    p = appended(p, [*range_numbers(model), *told], book)
    own_names = _names_left(found, names, gone)
    own_roles = _roles_left(found, roles, numbering, len(names["outputs"]))

    def make() -> EliminatedSystem:
        return EliminatedSystem(found, all_coordinates(), own_names, gone)

    lines = straight(
        make, EliminatedSystem.all_multipliers, len(names["outputs"]), options.second, gone
    )
    q0, v0 = initial_state(model, numbering, book, {k: j for j, k in enumerate(found.free)})
    fused = NOT_FUSED
    if lines.operations <= limits.fuse:
        fused = fuse(make, own_roles.constraint_rows, q0, v0, own_roles.velocity_rows)
    system = make()
    shape = (system.n, len(lines.indices), system.n_q, system.n_lam)
    return SystemIR(
        model=model.name,
        layout="flat",
        types=(),
        bodies=moving_bodies(tables),
        telling=telling_elements(tables),
        flat=(*lines.kernels, *fused.kernels),
        statements=statements(tables),
        sizes=sizes_of(shape, own_names, tables, fused.size),
        names=own_names,
        roles=own_roles,
        p=p,
        m=np.array(shape, np.int64),
        q0=q0,
        v0=v0,
        indptr=lines.indptr,
        indices=lines.indices,
        reduced=None,
        optional=optional_kernels(tables, options.second),
        sensitivities=False,
        numbers=(
            *numbers_of_types(tables),
            *(name for name, _ in (*range_numbers(model), *told)),
        ),
        recursion=None,
        tree=None,
        derived=book.finish(),
    )


def _check_places(
    model: Model, names: Names, found: LinearElimination, paths: Sequence[int]
) -> None:
    """Reject dependent path coordinates: a run has to monitor the ends of their paths."""
    gone = [f"'{names['coordinates'][k]}'" for k in paths if k not in found.free]
    if gone:
        raise BuildError(
            f"Linear constraints of '{model.name}' cannot be eliminated: they determine where "
            f"{', '.join(gone)} is on its path.",
            "Leave out eliminate, or the ends= of the path.",
        )


def _check_motion(model: Model, found: LinearElimination) -> None:
    """Reject mechanisms without remaining unknowns."""
    if not found.free:
        raise BuildError(
            f"Linear constraints of '{model.name}' cannot be eliminated: they determine all of its "
            "coordinates.",
            "Leave out eliminate.",
        )


def _plain(model: Model, numbering: Numbering) -> list[bool]:
    """Return whether the variation of each coordinate is a virtual displacement, with a row."""
    plain = [False] * numbering.n_q
    for body in model.bodies.values():
        kind = body.kind
        assert kind is not None
        at = numbering.coordinates(body)
        for k in range(kind.n_q) if kind.n_q == kind.n_u else kind.position:
            plain[at[k]] = True
    return plain


def _names_left(found: LinearElimination, names: Names, extra: Sequence[int]) -> Names:
    """Return the remaining names.

    Parameters
    ----------
    extra : sequence of int
        Multipliers of eliminated drivers, which become outputs.
    """
    gone, n_q = set(found.rows), len(names["coordinates"])
    multipliers = [k for k in range(len(names["multipliers"])) if k not in gone]
    rows = [*found.free, *(n_q + k for k in multipliers)]
    bodies = [x + end for end in ("", ".dot", ".ddot") for x in names["coordinates"]]
    return {
        **names,
        "coordinates": tuple(names["coordinates"][k] for k in found.free),
        "multipliers": tuple(names["multipliers"][k] for k in multipliers),
        "rows": tuple(names["rows"][k] for k in rows),
        "row_owners": tuple(names["row_owners"][k] for k in rows),
        "outputs": (*names["outputs"], *(names["multipliers"][k] for k in extra)),
        "units": (*names["units"], *("" for _ in extra)),
        "bodies": tuple(bodies),
    }


def _roles_left(found: LinearElimination, roles: Roles, numbering: Numbering, n_out: int) -> Roles:
    gone = set(found.rows)
    told = sum(k in gone for k in roles.driven)
    multipliers = [k for k in range(numbering.n_lam) if k not in gone]
    place = places(found, numbering.n_q, multipliers)
    lam = {k: j for j, k in enumerate(multipliers)}

    def left(rows: Sequence[int], new: Mapping[int, int]) -> tuple[int, ...]:
        return tuple(new[k] for k in rows if k in new)

    return replace(
        roles,
        constraint_rows=left(roles.constraint_rows, place),
        velocity_rows=left(roles.velocity_rows, place),
        unit_blocks=tuple((place[first], size) for first, size in roles.unit_blocks),
        fixed=(),  # fixed as stated for bodies
        fixed_velocity=(),
        driven=left(roles.driven, lam),
        moved=tuple(range(n_out, n_out + told)),
        ranges=tuple((place[at], low, high) for at, low, high in roles.ranges),
    )

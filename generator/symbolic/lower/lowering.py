"""Lowering of derived types to the whole mechanism: numbering, tables, sparsity and layout.

Input: a model, its elements and their types. Output: a `SystemIR`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mbdgen.build_options import BuildOptions
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.coordinates.orientation_elimination import with_sign_of
from mbdgen.symbolic.coordinates.reduction import reduce
from mbdgen.symbolic.fuse.fused_kernels import NOT_FUSED, Fused, fuse, fuse_reduced
from mbdgen.symbolic.fuse.straight_system import AllCoordinates
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.system_ir import Roles, SystemIR
from mbdgen.symbolic.lower.build_limits import check_build_limits
from mbdgen.symbolic.lower.contact_numbering import appended, behind, neighbour_tables
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism
from mbdgen.symbolic.lower.layout import LOOPS, LayoutLimits, lay_out, optional_kernels, statements
from mbdgen.symbolic.lower.load_parameters import loads_of
from mbdgen.symbolic.lower.lower_eliminated import Mechanism, lower_eliminated
from mbdgen.symbolic.lower.lower_relative import RelativeParts, lower_relative
from mbdgen.symbolic.lower.numbering import Numbering, group, number, pattern
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.symbolic.lower.parameter_tables import (
    initial_state,
    integer_table,
    moving_bodies,
    numbers_of_types,
    parameter_tables,
    sizes_of,
    telling_elements,
)
from mbdgen.symbolic.lower.path_ranges import range_numbers, ranges
from mbdgen.symbolic.lower.roles import names_of, roles_of
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.joint_turns import JointTurn, turns
from mbdgen.topology.tree import is_relative


def lower(
    model: Model,
    specs: Sequence[ElementSpec],
    irs: Mapping[str, ElementIR],
    options: BuildOptions,
    limits: LayoutLimits,
) -> SystemIR:
    """Lower a mechanism to its intermediate representation, ready for code generation.

    Parameters
    ----------
    irs : mapping of key to ElementIR
        The type of every element.
    limits : LayoutLimits
        Limits of the backend.
    """
    numbering = number(model, specs, irs)
    relative = is_relative(model, specs)
    check_build_limits(model, specs, irs, options, limits, relative)
    if relative:
        return lower_relative(RelativeParts(model, specs, irs, numbering), options, limits)
    if options.eliminate:
        return lower_eliminated(Mechanism(model, specs, irs, numbering), options, limits)
    book = ParameterExpressions(model, frozenset(options.freeze))
    tables, p, changing = parameter_tables(group(specs, irs), numbering, book)
    indptr, indices, scatter = pattern(numbering, tables)
    q0, v0 = initial_state(model, numbering, book)
    names = names_of(model, specs, irs, numbering)
    roles = roles_of(model, specs, irs, numbering, tables, changing)
    parametric = frozenset([*(int(k) for k, _ in book.targets("p")), *(k for k, _ in changing)])
    instances = Instances(
        model.name, tuple(tables), tuple(scatter), p, parametric, numbering, names, len(indices)
    )

    reads = any(table.ir.role == "force" and table.ir.reads for table in tables)

    def fused() -> Fused:
        if reads:
            return NOT_FUSED  # such reactions need an iteration
        found = _turns(specs, irs, numbering, q0) if options.reduced else None
        return _fuse(instances, roles, (indptr, indices), (q0, v0), found)

    layout = LOOPS if model.crowds else lay_out(instances, options, limits, fused)
    crowds, numbers = neighbour_tables(model, tables, numbering, len(p))
    ends = range_numbers(model)
    roles = replace(roles, ranges=ranges(model, numbering, len(p) + len(numbers)))
    p = appended(p, [*numbers, *ends], book)
    read = parametric.union(np.flatnonzero(p).tolist() if layout is LOOPS else ())
    roles = replace(roles, **loads_of(tables, specs, p, read)._asdict())
    shape = (numbering.n, len(indices), numbering.n_q, numbering.n_lam)
    m, places = behind(integer_table(shape, tables, scatter), crowds)
    return SystemIR(
        model=model.name,
        layout=layout.name,
        types=tuple(tables),
        bodies=moving_bodies(tables),
        telling=telling_elements(tables),
        flat=layout.kernels,
        statements=statements(tables),
        sizes=sizes_of(shape, names, tables, layout.fused.size, reads),
        names=names,
        roles=roles,
        p=p,
        m=m,
        q0=q0,
        v0=v0,
        indptr=indptr,
        indices=indices,
        reduced=layout.fused.reduced,
        optional=optional_kernels(tables, options.second),
        sensitivities=options.sensitivities,
        numbers=(*numbers_of_types(tables), *(name for name, _ in (*numbers, *ends))),
        recursion=None,
        tree=None,
        derived=book.finish(),
        crowds=places,
    )


def _fuse(
    instances: Instances,
    roles: Roles,
    pattern: tuple[IntArray, IntArray],
    state: tuple[FloatArray, FloatArray],
    orientations: Sequence[tuple[JointTurn, range]] | None,
) -> Fused:
    """Return the fused kernels of the mechanism, or of its reduced system if requested.

    Parameters
    ----------
    orientations : sequence of (JointTurn, multipliers), or None
        Orientations given by joints, for a reduced system.
    """
    if orientations is not None:
        return fuse_reduced(reduce(instances, roles.constraint_rows, orientations), *state)
    rows = roles.constraint_rows, *state, roles.velocity_rows
    return fuse(lambda: AllCoordinates(WholeMechanism(instances), *pattern), *rows)


def _turns(
    specs: Sequence[ElementSpec],
    irs: Mapping[str, ElementIR],
    numbering: Numbering,
    q0: FloatArray,
) -> list[tuple[JointTurn, range]]:
    """Return the orientations given by joints, with the multipliers of each joint."""
    sizes = {spec.name: irs[spec.key].n_lam for spec in specs}
    found = []
    for turn in turns(specs):
        first = numbering.multiplier.get(turn.joint, 0)
        own = range(first, first + sizes[turn.joint])
        found.append((with_sign_of(turn, numbering.body, q0), own))
    return found

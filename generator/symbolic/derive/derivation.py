r"""Derivation of an element type: residual, iteration matrix and constraint Jacobian.

Input: an `ElementSpec` (its structure only, no data). Output: an `ElementIR` with

.. math::
    r = M a - f - G^T \lambda, \quad \phi, \quad
    A = c_q \frac{\partial r}{\partial q} + c_v \frac{\partial r}{\partial v}
      + c_a \frac{\partial r}{\partial a}, \quad -G^T, \quad H, \quad \dot\phi, \quad \ddot\phi

and energies; on request also :math:`\dot H`, :math:`\ddot H`, :math:`\dot r`, :math:`\dddot\phi`.
The directions of reactions follow from the equations by virtual work.

Nonholonomic equations :math:`\psi(t, q, v) = 0` have no position level: nothing in the residual,
:math:`\psi` instead of :math:`\dot\phi`, its rate instead of :math:`\ddot\phi`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.interface import ALONG, ANGLES, CONDITIONS, MOTION, SECOND_KERNELS
from mbdgen.symbolic.derive.algebra_engines import Engine
from mbdgen.symbolic.derive.iteration_matrix import Found, iteration_matrix, of_tangent
from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.derive.tape import Tape, angle_inputs
from mbdgen.symbolic.ir.element_ir import ElementIR, Entry
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.reciprocals import with_products
from mbdgen.symbolic.statement.active_conditions import counted, pieces
from mbdgen.symbolic.statement.allowed_dependencies import check, check_smooth
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.error_context import cannot_derive
from mbdgen.symbolic.statement.statements import Statement, state
from mbdgen.topology.elements import ElementSpec

_SPARSE = ("matrix", "energies", "residual", *SECOND_KERNELS)
"""Quantities without entries for zeros."""


def derive(spec: ElementSpec, engine: Engine, second: bool = False) -> ElementIR:
    """Derive the type of an element.

    Parameters
    ----------
    second : bool
        Whether to include second derivatives.

    Raises
    ------
    MbdgenError
        Naming the element: its statement is invalid, or an expression cannot be used.
    """
    what = f"{spec.title} '{spec.name}'"
    try:
        return _derived(ElementContext(spec, engine), second)
    except MbdgenError as error:
        raise type(error)(f"{what}: {error.cause}", error.remedy) from error
    except RecursionError as error:
        raise BuildError(
            f"{what} has an expression that is nested too deeply.", "Write it with fewer levels."
        ) from error
    except Exception as error:  # SymPy and user classes may raise anything
        raise cannot_derive(spec, error) from error


def _derived(context: ElementContext, second: bool) -> ElementIR:
    statement = state(context)
    check(context, statement)
    phi, resting = _split(statement.constraints, context.moving(statement.constraints))
    psi, still = _split(statement.velocities, context.moving(statement.velocities, "v"))
    rows = _dynamics(context, statement, list(phi.values()), list(psi.values()))
    constraints = {**statement.norms, **_numbered_from(context.n_q, phi.values())}
    velocities = _numbered_from(context.n_q + len(phi), psi.values())
    found: dict[str, Found] = {
        "residual": _numbered({**rows, **constraints}),
        "matrix": iteration_matrix(context, rows, constraints, velocities, statement.conservative),
        "rates": _rates(context, constraints, velocities),
        "energies": _energies(context, statement, phi.values(), psi.values()),
        "outputs": [((k,), e) for k, e in enumerate(statement.outputs)],
        "trivial": [((k,), e) for k, e in enumerate([*resting, *still])],
    }
    if statement.displacements:
        found["displacements"] = _displacements(context, statement)
    check_smooth(context, [e for name in ("residual", "rates") for _, e in found[name]])
    if statement.centre is not None:
        found[MOTION] = _motion(context, statement.centre)
    if statement.quantities:
        found[ALONG] = [((k,), x.value) for k, x in enumerate(statement.quantities)]
    for k, (angle, _) in enumerate(context.tape.angles.items()):
        found.setdefault(ANGLES, []).extend(
            [((k, 0), angle), ((k, 1), context.tape.rate(angle, context.seeds))]
        )
    if second:
        found["slopes"] = _slopes(context, found["rates"])
        found["jerks"] = _jerks(context, rows, found["rates"])
    kept = (*phi, *(len(statement.constraints) + k for k in psi))
    quantities = tuple((x.name, x.unit) for x in statement.quantities)
    ir = replace(_finish(context, kept, len(psi), found, statement.acts), told=quantities)
    return with_products(ir) if context.spec.rule else ir


def _split(equations: list[Expr], kept: tuple[int, ...]) -> tuple[dict[int, Expr], list[Expr]]:
    """Return the kept equations, by index, and the others."""
    others = [e for k, e in enumerate(equations) if k not in kept]
    return {k: equations[k] for k in kept}, others


def _dynamics(
    context: ElementContext, statement: Statement, phi: list[Expr], psi: list[Expr]
) -> dict[int, Expr]:
    """Return the dynamics rows by local row: inertia minus applied forces minus reactions."""
    reactions = context.reaction_rows(phi, psi, statement.intrinsic)
    rows = {}
    for row in context.dynamics_rows():
        total = statement.inertia.get(row, 0) - statement.applied.get(row, 0)
        total = total - reactions.get(row, 0)
        if total != 0:
            rows[row] = context.tape.name(f"row_{row}", total)
    return rows


def _numbered_from(first: int, equations: Iterable[Expr]) -> dict[int, Expr]:
    return dict(enumerate(equations, first))


def _numbered(rows: Mapping[int, Expr]) -> Found:
    return [((row,), e) for row, e in sorted(rows.items())]


def _rates(
    context: ElementContext, rows: Mapping[int, Expr], velocities: Mapping[int, Expr]
) -> Found:
    """Return velocity and acceleration level of the constraint rows."""
    tape = context.tape
    found: Found = []
    for row, e in (*sorted(rows.items()), *sorted(velocities.items())):
        value = e if row in velocities else tape.rate(e, context.seeds)
        first = tape.name(f"phi_dot_{row}", value)
        found.append(((0, row), first))
        found.append(((1, row), tape.rate(first, context.seeds)))
    return found


def _slopes(context: ElementContext, rates: Found) -> Found:
    r"""Return :math:`\dot H = \partial\dot\phi/\partial q` and :math:`\ddot H` likewise.

    The latter is also the derivative at fixed velocities and accelerations, and
    :math:`\partial\ddot\phi/\partial v = 2 \dot H`.
    """
    q = context.all("q")
    values = (
        ((*index, k), context.tape.derivative(e, s)) for index, e in rates for k, s in enumerate(q)
    )
    return [(index, value) for index, value in values if value != 0]


def _displacements(context: ElementContext, statement: Statement) -> Found:
    r"""Return B of :math:`\dot u = B \dot q` by rows, :math:`\ddot u`, and data of a switch."""
    tape, v = context.tape, context.all("v")
    values = [tape.derivative(e, s) for e in statement.displacements for s in v]
    values += [tape.rate(e, context.seeds) for e in statement.displacements]
    return [((k,), e) for k, e in enumerate([*values, *statement.switched]) if e != 0]


def _motion(context: ElementContext, centre: Frame) -> Found:
    """Return the quantities of `mbdgen.interface.MOTION_PARTS`, by components."""
    assert centre.body is not None
    alpha = (context.tape.rate(c, context.seeds) for c in centre.w)
    axes = [c for axis in centre.body.axes for c in axis]
    values = [*centre.r, *axes, *centre.v, *centre.w, *centre.acceleration, *alpha]
    return [((k,), e) for k, e in enumerate(values)]


def _jerks(context: ElementContext, rows: Mapping[int, Expr], rates: Found) -> Found:
    r"""Return :math:`\dot r` and :math:`\dddot\phi` for constant accelerations and multipliers."""
    last = {row: e for (level, row), e in rates if level == 1}
    found = {row: context.tape.rate(e, context.seeds) for row, e in {**rows, **last}.items()}
    return [((row,), e) for row, e in sorted(found.items()) if e != 0]


def _energies(
    context: ElementContext, statement: Statement, phi: Iterable[Expr], psi: Iterable[Expr]
) -> Found:
    r"""Return kinetic and potential energy, and power of loads, of :math:`V(t)` and of drivers.

    A driver has the power :math:`-\lambda \cdot \partial\phi/\partial t`, a nonholonomic equation
    :math:`-\lambda \cdot \psi(t, q, v = 0)`.
    """
    power = statement.power
    power = power + context.tape.partial(context.engine.convert(statement.potential), context.time)
    given = [context.tape.partial(context.engine.convert(e), context.time) for e in phi]
    given += [context.at_rest(e) for e in psi]
    for lam, e in zip(context.multipliers, given, strict=True):
        power = power - lam * e
    values = (statement.kinetic, statement.potential, power)
    return [((k,), e) for k, e in enumerate(values) if e != 0]


def _finish(
    context: ElementContext,
    kept: tuple[int, ...],
    n_velocity: int,
    found: Mapping[str, Any],
    acts: Iterable[Expr],
) -> ElementIR:
    """Convert all quantities to one graph; inactive contributions are zero."""
    engine, spec = context.engine, context.spec
    builder = GraphBuilder()
    definitions = {
        engine.to_sympy(s): engine.to_sympy(e) for s, e in context.tape.definitions.items()
    }
    converter = Converter(builder, definitions)
    quantities: list[tuple[str, tuple[Entry, ...]]] = []
    asked = pieces(builder, spec.within)
    asked += [converter.node(engine.to_sympy(engine.convert(relation))) for relation in acts]
    if asked:
        quantities.append((CONDITIONS, tuple(((k,), node) for k, node in enumerate(asked))))
    in_matrix: set[tuple[int, ...]] = set()
    for name, values in found.items():
        entries: list[Entry] = []
        for index, e in values:
            node = converter.node(engine.to_sympy(e))
            if name == "matrix" and index[1] >= context.n_q + len(kept):
                node = of_tangent(builder, node)
            if name in _SPARSE and builder.is_zero(node):
                continue
            if name == "slopes" and index[1:] not in in_matrix:
                continue  # the rate of a zero entry
            if name not in ("trivial", ANGLES):
                node = counted(builder, asked, node)
            entries.append((index, node))
        if name == "matrix":
            in_matrix = {index for index, _ in entries}
        quantities.append((name, tuple(entries)))
    graph = builder.finish()
    quantities, turns = _angles_read(graph, quantities, context.tape)
    return ElementIR(
        title=spec.title,
        role=spec.role,
        labels=spec.labels,
        coordinates=tuple(b.kind.coordinates for b in spec.bodies if b.kind is not None),
        blocks=tuple(b.kind.block_sizes for b in spec.bodies if b.kind is not None),
        n_rows=tuple(len(b.kind.rows) for b in spec.bodies if b.kind is not None),
        kept=kept,
        n_velocity=n_velocity,
        reads=context.reads(),
        graph=graph,
        quantities=tuple(quantities),
        turns=turns,
    )


Quantities = list[tuple[str, tuple[Entry, ...]]]


def _angles_read(
    graph: Graph, quantities: Quantities, tape: Tape
) -> tuple[Quantities, tuple[tuple[int, bool], ...]]:
    """Return the quantities with only those unwrapped angles that are read, and which."""
    roots = [node for name, entries in quantities if name != ANGLES for _, node in entries]
    read = graph.inputs_of(roots)
    jumps = [angle.jumps for angle in tape.angles.values()]
    kept = [k for k in range(len(jumps)) if not read.isdisjoint(angle_inputs(k))]
    place = {k: j for j, k in enumerate(kept)}
    entries = dict(quantities).get(ANGLES, ())
    own = tuple(((2 * place[k] + level,), node) for (k, level), node in entries if k in place)
    others = [(name, found) for name, found in quantities if name != ANGLES]
    return [*others, *([(ANGLES, own)] if own else [])], tuple((k, jumps[k]) for k in kept)

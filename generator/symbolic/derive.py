r"""Derivation of one element type: everything a solver needs, from statements on frames.

Input: an `ElementSpec` (its structure only; no number is looked at). Output: an `ElementIR` with

.. math::
    r = M a - f - G^T \lambda, \quad \phi, \quad
    A = c_q \frac{\partial r}{\partial q} + c_v \frac{\partial r}{\partial v}
      + c_a \frac{\partial r}{\partial a}, \quad -G^T, \quad H, \quad \dot\phi, \quad \ddot\phi

and energies; if asked for also :math:`\dot H`, :math:`\ddot H`, :math:`\dot r`,
:math:`\dddot\phi`. The directions of reactions follow from the equations by virtual work.
"""

from collections.abc import Mapping
from typing import Any

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.interface import SECOND_KERNELS, WEIGHTS
from mbdgen.kinematics.vectors import Expr
from mbdgen.symbolic.allowed import check, check_smooth
from mbdgen.symbolic.blame import cannot_derive
from mbdgen.symbolic.context import Context
from mbdgen.symbolic.convert import Converter
from mbdgen.symbolic.engine import Engine
from mbdgen.symbolic.graph import GraphBuilder
from mbdgen.symbolic.ir import ElementIR, Entry
from mbdgen.symbolic.statements import Statement, state
from mbdgen.topology.elements import ElementSpec

_SPARSE = ("matrix", "energies", "residual", *SECOND_KERNELS)
"""Quantities that have no entries for zeros."""

Found = list[tuple[tuple[int, ...], Expr]]  # local indices and what belongs there


def derive(spec: ElementSpec, engine: Engine, second: bool = False) -> ElementIR:
    """Return the derived type of an element.

    Parameters
    ----------
    second : bool
        Whether second derivatives are wanted too.

    Raises
    ------
    MbdgenError
        Naming the element: what it states is not possible, or an expression cannot be used.
    """
    what = f"{spec.title} '{spec.name}'"
    try:
        return _derived(Context(spec, engine), second)
    except MbdgenError as error:
        raise type(error)(f"{what}: {error.cause}", error.remedy) from error
    except RecursionError as error:
        raise BuildError(
            f"{what} has an expression that is nested too deeply.", "Write it with fewer levels."
        ) from error
    except Exception as error:  # SymPy and users' own classes may raise anything
        raise cannot_derive(spec, error) from error


def _derived(context: Context, second: bool) -> ElementIR:
    statement = state(context)
    check(context, statement)
    kept = context.moving(statement.constraints)
    trivial = [e for k, e in enumerate(statement.constraints) if k not in kept]
    phi = [statement.constraints[k] for k in kept]
    rows = _dynamics(context, statement, kept)
    found: dict[str, Found] = {
        "residual": _numbered({**rows, **_constraint_rows(context, statement.norms, phi)}),
        "matrix": _matrix(context, rows, _constraint_rows(context, statement.norms, phi)),
        "rates": _rates(context, _constraint_rows(context, statement.norms, phi)),
        "energies": _energies(context, statement, kept),
        "outputs": [((k,), e) for k, e in enumerate(statement.outputs)],
        "trivial": [((k,), e) for k, e in enumerate(trivial)],
    }
    if statement.displacements:
        found["displacements"] = _displacements(context, statement)
    check_smooth(context, [e for name in ("residual", "rates") for _, e in found[name]])
    if second:
        found["slopes"] = _slopes(context, found["rates"])
        found["jerks"] = _jerks(context, rows, found["rates"])
    return _finish(context, kept, found)


def _dynamics(context: Context, statement: Statement, kept: tuple[int, ...]) -> dict[int, Expr]:
    """Return the dynamics rows by local row: inertia minus applied forces minus reactions."""
    reactions = context.reaction_rows(statement.constraints, kept, statement.intrinsic)
    rows = {}
    for row in context.dynamics_rows():
        total = statement.inertia.get(row, 0) - statement.applied.get(row, 0)
        total = total - reactions.get(row, 0)
        if total != 0:
            rows[row] = context.tape.name(f"row_{row}", total)
    return rows


def _constraint_rows(
    context: Context, norms: Mapping[int, Expr], phi: list[Expr]
) -> dict[int, Expr]:
    return {**norms, **{context.n_q + k: e for k, e in enumerate(phi)}}


def _numbered(rows: Mapping[int, Expr]) -> Found:
    return [((row,), e) for row, e in sorted(rows.items())]


def _matrix(context: Context, rows: Mapping[int, Expr], constraints: Mapping[int, Expr]) -> Found:
    """Return the local iteration matrix, row by row."""
    tape = context.tape
    c_q, c_v, c_a = (tape.input(w) for w in WEIGHTS)
    q, v, a = context.all("q"), context.all("v"), context.all("a")
    found: Found = []
    for row, e in sorted(rows.items()):
        for k in range(len(q)):
            value = (
                c_q * tape.derivative(e, q[k])
                + c_v * tape.derivative(e, v[k])
                + c_a * tape.derivative(e, a[k])
            )
            if value != 0:
                found.append(((row, k), value))
        for k, lam in enumerate(context.multipliers):
            value = tape.derivative(e, lam)
            if value != 0:
                found.append(((row, context.n_q + k), value))
    for row, e in sorted(constraints.items()):
        for k in range(len(q)):
            value = tape.derivative(e, q[k])
            if value != 0:
                found.append(((row, k), value))
    return found


def _rates(context: Context, rows: Mapping[int, Expr]) -> Found:
    """Return velocity and acceleration level of the constraint rows."""
    found: Found = []
    for row, e in sorted(rows.items()):
        first = context.tape.name(f"phi_dot_{row}", context.tape.rate(e, context.seeds))
        found.append(((0, row), first))
        found.append(((1, row), context.tape.rate(first, context.seeds)))
    return found


def _slopes(context: Context, rates: Found) -> Found:
    r"""Return :math:`\dot H = \partial\dot\phi/\partial q` and :math:`\ddot H` likewise.

    The latter is also the derivative at fixed velocities and accelerations, and
    :math:`\partial\ddot\phi/\partial v = 2 \dot H`.
    """
    q = context.all("q")
    values = (
        ((*index, k), context.tape.derivative(e, s)) for index, e in rates for k, s in enumerate(q)
    )
    return [(index, value) for index, value in values if value != 0]


def _displacements(context: Context, statement: Statement) -> Found:
    r"""Return B of :math:`\dot u = B \dot q` by rows, :math:`\ddot u`, and what a switch needs."""
    tape, v = context.tape, context.all("v")
    values = [tape.derivative(e, s) for e in statement.displacements for s in v]
    values += [tape.rate(e, context.seeds) for e in statement.displacements]
    return [((k,), e) for k, e in enumerate([*values, *statement.switched]) if e != 0]


def _jerks(context: Context, rows: Mapping[int, Expr], rates: Found) -> Found:
    r"""Return :math:`\dot r` and :math:`\dddot\phi` for constant accelerations and multipliers."""
    last = {row: e for (level, row), e in rates if level == 1}
    found = {row: context.tape.rate(e, context.seeds) for row, e in {**rows, **last}.items()}
    return [((row,), e) for row, e in sorted(found.items()) if e != 0]


def _energies(context: Context, statement: Statement, kept: tuple[int, ...]) -> Found:
    r"""Kinetic and potential energy, and power of loads, of :math:`V(t)` and of drivers.

    A driver does the work :math:`-\lambda \cdot \partial\phi/\partial t`.
    """
    power = statement.power
    power = power + context.tape.partial(context.engine.convert(statement.potential), context.time)
    for lam, k in zip(context.multipliers, kept, strict=True):
        equation = context.engine.convert(statement.constraints[k])
        power = power - lam * context.tape.partial(equation, context.time)
    values = (statement.kinetic, statement.potential, power)
    return [((k,), e) for k, e in enumerate(values) if e != 0]


def _finish(context: Context, kept: tuple[int, ...], found: Mapping[str, Any]) -> ElementIR:
    """Convert everything to one graph."""
    engine, spec = context.engine, context.spec
    builder = GraphBuilder()
    definitions = {
        engine.to_sympy(s): engine.to_sympy(e) for s, e in context.tape.definitions.items()
    }
    converter = Converter(builder, definitions)
    quantities: list[tuple[str, tuple[Entry, ...]]] = []
    in_matrix: set[tuple[int, ...]] = set()
    for name, values in found.items():
        entries: list[Entry] = []
        for index, e in values:
            node = converter.node(engine.to_sympy(e))
            if name in _SPARSE and builder.is_zero(node):
                continue
            if name == "slopes" and index[1:] not in in_matrix:
                continue  # the rate of an entry that vanishes
            entries.append((index, node))
        if name == "matrix":
            in_matrix = {index for index, _ in entries}
        quantities.append((name, tuple(entries)))
    return ElementIR(
        title=spec.title,
        role=spec.role,
        labels=spec.labels,
        coordinates=tuple(b.kind.coordinates for b in spec.bodies if b.kind is not None),
        n_rows=tuple(len(b.kind.rows) for b in spec.bodies if b.kind is not None),
        kept=kept,
        reads=context.reads(),
        graph=builder.finish(),
        quantities=tuple(quantities),
    )

"""Equations and contributions of one element type, line by line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy

from mbdgen.language.element import is_option
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.show.document import EquationLine
from mbdgen.show.equation_lines import EquationLines, latex, plain
from mbdgen.show.written_frames import Arrow, Notation, WrittenFrame, vector_text
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import Statement, state
from mbdgen.topology.elements import ElementSpec, PartSpec

LONGEST_JACOBIAN = 1000  # characters


def type_lines(spec: ElementSpec, engine: str, whole: bool) -> list[EquationLine]:
    """Return the equations and contributions of one element type.

    Parameters
    ----------
    whole : bool
        Show the Jacobian of a joint regardless of its length.
    """
    context = ElementContext(spec, make_engine(engine))
    statement = state(context)
    if spec.role == "body":
        return _body(context, statement)
    if spec.role == "joint":
        jacobian = _jacobian(context, statement.constraints, "phi", "q")
        jacobian += _jacobian(context, statement.velocities, "psi", "v")
        size = sum(len(line.text) for line in jacobian)
        if size > LONGEST_JACOBIAN and not whole:
            left_out = f"dphi/dq, {len(jacobian)} lines: --element {spec.name}"
            jacobian = [EquationLine("Jacobian H", left_out, "")]
        return _written(spec) + jacobian
    return _written(spec)


def _written(spec: ElementSpec) -> list[EquationLine]:
    """Return the equations of a joint or force, stated on symbolic frames."""
    part = spec.parts[0]
    notation = Notation()
    element: Any = replace(part.element, **_fields(part, notation))
    frames: list[Any] = [WrittenFrame(label, notation) for label in part.frames]
    lines: list[EquationLine] = []
    if spec.role == "joint":
        lines = _equations(element.equations(*frames), notation, "constraints")
        lines += _equations(element.velocity_equations(*frames), notation, "nonholonomic")
    if spec.role == "force":
        for title, letter, expr in (
            ("potential", "V", element.potential(*frames)),
            ("dissipation", "D", element.dissipation(*frames)),
        ):
            if (e := sympy.sympify(expr)) != 0:
                formula = f"{letter} = {notation.in_latex(e)}"
                lines.append(EquationLine(title, f"{letter} = {plain(e)}", formula))
        for push in element.pushes(*frames, rate=lambda x: _rate(x, notation)):
            along, force = sympy.sympify(push.coordinate), sympy.sympify(push.force)
            text, formula = plain(along), notation.in_latex(along)
            first = f"F along {text} = {plain(force)}"
            below = rf"F_{{{formula}}} = {notation.in_latex(force)}"
            lines.append(EquationLine("push", first, below))
        for load in element.loads(*frames):
            for title, letter, bold, vector in (
                ("force", "F", r"\mathbf{F}", load.force),
                ("torque", "τ", r"\boldsymbol{\tau}", load.torque),
            ):
                if vector is not None and not _is_zero(vector):
                    text, formula = vector_text(vector, notation)
                    end = load.frame.label
                    lines.append(
                        EquationLine(
                            title, f"{letter}_{end} = {text}", f"{bold}_{{{end}}} = {formula}"
                        )
                    )
    for symbol, e in notation.definitions.items():
        formula = f"{notation.latex[symbol]} = {notation.in_latex(e)}"
        lines.append(EquationLine("with", f"{symbol} = {plain(e)}", formula))
    return lines


def _rate(x: Any, notation: Notation) -> Any:
    """Return a symbol for the rate of an expression."""
    e = sympy.sympify(x)
    return notation.symbol(f"d({plain(e)})/dt", rf"\frac{{d}}{{dt}}({notation.in_latex(e)})")


def _fields(part: PartSpec, notation: Notation) -> dict[str, Any]:
    """Return symbols for the fields; those that depend on time or placeholders are kept."""
    inline = dict(part.inline)
    values: dict[str, Any] = {}
    for field in part.element.field_names():
        value = getattr(part.element, field)
        if field in inline or is_option(value):
            values[field] = value
        elif isinstance(value, Matrix):
            names = value.entry_names(field)
            values[field] = value.named([notation.symbol(n, rf"\mathrm{{{n}}}") for n in names])
        elif isinstance(value, tuple):
            values[field] = notation.vector(field, rf"\mathrm{{{field}}}")
        else:
            values[field] = notation.symbol(field, rf"\mathrm{{{field}}}")
    return values


def _equations(equations: Sequence[Any], notation: Notation, title: str) -> list[EquationLine]:
    """Return the equations; three components of one vector become one vector equation."""
    lines, k = [], 0
    while k < len(equations):
        vector = _whole_vector(equations[k : k + 3], notation)
        if vector is not None:
            lines.append(EquationLine(title, f"{vector.text()} = 0", f"{vector.latex()} = 0"))
            k += 3
        else:
            e = sympy.sympify(equations[k])
            lines.append(EquationLine(title, f"{plain(e)} = 0", f"{notation.in_latex(e)} = 0"))
            k += 1
    return lines


def _whole_vector(equations: Sequence[Any], notation: Notation) -> Arrow | None:
    found = [notation.components.get(e) for e in equations]
    if [f[1] if f else -1 for f in found] == [0, 1, 2]:
        arrows = [f[0] for f in found if f]
        if all(x.terms == arrows[0].terms for x in arrows):
            return arrows[0]
    return None


def _is_zero(vector: Any) -> bool:
    return not vector.terms if isinstance(vector, Arrow) else all(c == 0 for c in vector)


def _body(context: ElementContext, statement: Statement) -> list[EquationLine]:
    """Return energies, mass matrix and forces of a body, and its own constraints."""
    (body,) = context.bodies
    lines = EquationLines(context)
    lines.add("kinetic energy", "T = ", "T = ", statement.kinetic)
    lines.add("potential energy", "V = ", "V = ", statement.potential)
    for k, row in statement.inertia.items():
        lines.equation(body.kind.rows[k], row, statement.applied.get(k, 0))
    for k, row in statement.inertia.items():
        for j, a in enumerate(body.a):
            entry = context.tape.derivative(row, a)
            lines.add("mass matrix M", f"M[{k},{j}] = ", f"M_{{{k},{j}}} = ", entry)
    for k, row in statement.inertia.items():
        f = statement.applied.get(k, 0) - lines.at_rest(row)
        lines.add("forces f", f"f[{k}] = ", f"f_{{{k}}} = ", f)
    for e in [*statement.norms.values(), *statement.constraints]:
        lines.add("constraints", "", "", e, " = 0")
    return lines.finish()


def _jacobian(
    context: ElementContext, rows: Sequence[Any], letter: str, level: str
) -> list[EquationLine]:
    """Return the entries of ``H`` of a joint."""
    lines = EquationLines(context)
    for i, equation in enumerate(rows):
        for s in context.all(level):
            below = latex(context.engine.to_sympy(s))
            lines.add(
                "Jacobian H",
                f"d{letter}[{i}]/d{s} = ",
                rf"\partial\{letter}_{{{i}}}/\partial {below} = ",
                context.tape.derivative(equation, s),
            )
    return lines.finish()

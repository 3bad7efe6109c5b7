r"""The equations of a mechanism for people: each statement as text and as LaTeX.

First every element type, once: joints and forces by frames, bodies by coordinates, with the terms
of :math:`M a = f + G^T \lambda,\ \phi = 0` that they contribute. Then the mechanism, put together
by element: which rows, which blocks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from mbdgen.language.model import Model
from mbdgen.show.assembled import assembled_text
from mbdgen.show.lines import Line, Lines, latex
from mbdgen.show.written import Arrow, Notation, WrittenFrame, vector_text
from mbdgen.symbolic.context import Context
from mbdgen.symbolic.engine import make_engine
from mbdgen.symbolic.statements import Statement, state
from mbdgen.topology.elements import ElementSpec, PartSpec


def equations_text(model: Model, specs: Sequence[ElementSpec], engine: str) -> str:
    """Return the equations of a model."""
    first: dict[str, list[ElementSpec]] = {}
    for spec in specs:
        if spec.role != "output":
            first.setdefault(spec.key, []).append(spec)
    parts = [
        f"Equations of '{model.name}'",
        "M a = f + G^T lam, phi(t, q) = 0    $M a = f + G^T \\lambda, \\quad \\phi(t, q) = 0$",
        "a, b: bodies and frames of an element; r, v, ω, e1..e3: point, velocity, angular",
        "velocity, axes of a frame; s_b, l_b_1..3: its point and axes in the body; G = H T.",
    ]
    for found in first.values():
        names = ", ".join(s.name for s in found[:8]) + (", ..." if len(found) > 8 else "")
        title = f"{found[0].title}: {names}"
        parts += ["", title, "-" * len(title), *_shown(type_lines(found[0], engine))]
    parts += ["", assembled_text(model, specs, _constrained(first, engine))]
    return "\n".join(parts)


def _constrained(types: Mapping[str, Sequence[ElementSpec]], engine: str) -> set[str]:
    """Return the bodies with conditions of their own: unit vectors or rigid lengths."""
    found: set[str] = set()
    for specs in types.values():
        if specs[0].role == "body":
            statement = state(Context(specs[0], make_engine(engine)))
            if statement.norms or statement.constraints:
                found.update(s.name for s in specs)
    return found


def type_lines(spec: ElementSpec, engine: str = "sympy") -> list[Line]:
    """Return what one element type states and contributes."""
    context = Context(spec, make_engine(engine))
    statement = state(context)
    if spec.role == "body":
        return _body(context, statement)
    if spec.role == "joint":
        return _written(spec) + _jacobian(context, statement.constraints)
    return _written(spec)


def _shown(lines: Iterable[Line]) -> list[str]:
    shown = []
    for line in lines:
        shown.append(f"  {line.title + ':' if line.title else '':<20} {line.text}")
        if line.latex:
            shown.append(f"  {'':<20} ${line.latex}$")
    return shown


def _written(spec: ElementSpec) -> list[Line]:
    """Let a joint or force state its equations on written frames."""
    part = spec.parts[0]
    notation = Notation()
    element: Any = replace(part.element, **_fields(part, notation))
    frames: list[Any] = [WrittenFrame(label, notation) for label in part.frames]
    lines = _equations(element.equations(*frames), notation) if spec.role == "joint" else []
    if spec.role == "force":
        for title, letter, expr in (
            ("potential", "V", element.potential(*frames)),
            ("dissipation", "D", element.dissipation(*frames)),
        ):
            if (e := sympy.sympify(expr)) != 0:
                lines.append(Line(title, f"{letter} = {e}", f"{letter} = {notation.in_latex(e)}"))
        for load in element.loads(*frames):
            for title, letter, vector in (("force", "F", load.force), ("torque", "M", load.torque)):
                if vector is not None and not _is_zero(vector):
                    text, formula = vector_text(vector, notation)
                    name = f"{letter}_{load.frame.label}"
                    lines.append(Line(title, f"{name} = {text}", f"{name} = {formula}"))
    for symbol, e in notation.definitions.items():
        formula = f"{notation.latex[symbol]} = {notation.in_latex(e)}"
        lines.append(Line("with", f"{symbol} = {e}", formula))
    return lines


def _fields(part: PartSpec, notation: Notation) -> dict[str, Any]:
    """Return symbols for the fields; those that depend on time or placeholders stand as written."""
    inline = dict(part.inline)
    values: dict[str, Any] = {}
    for field in part.element.field_names():
        value = getattr(part.element, field)
        if field in inline or isinstance(value, str | bool):
            values[field] = value
        elif isinstance(value, tuple):
            values[field] = notation.vector(field, rf"\mathrm{{{field}}}")
        else:
            values[field] = notation.symbol(field, rf"\mathrm{{{field}}}")
    return values


def _equations(equations: Sequence[Any], notation: Notation) -> list[Line]:
    """Return the equations; three components of one vector become one vector equation."""
    lines, k = [], 0
    while k < len(equations):
        vector = _whole_vector(equations[k : k + 3], notation)
        if vector is not None:
            lines.append(Line("phi", f"{vector.text()} = 0", f"{vector.latex()} = 0"))
            k += 3
        else:
            e = sympy.sympify(equations[k])
            lines.append(Line("phi", f"{e} = 0", f"{notation.in_latex(e)} = 0"))
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


def _body(context: Context, statement: Statement) -> list[Line]:
    """Return energies, mass matrix and forces of a body, and its own constraints."""
    (body,) = context.bodies
    lines = Lines(context)
    lines.add("kinetic energy", "T = ", "T = ", statement.kinetic)
    lines.add("potential energy", "V = ", "V = ", statement.potential)
    for k, row in statement.inertia.items():
        name = body.kind.rows[k]
        for j, a in enumerate(body.a):
            entry = context.tape.derivative(row, a)
            lines.add(f"M ({name})", f"M[{k},{j}] = ", f"M_{{{k},{j}}} = ", entry)
    for k, row in statement.inertia.items():
        f = statement.applied.get(k, 0) - lines.at_rest(row)
        lines.add(f"f ({body.kind.rows[k]})", f"f[{k}] = ", f"f_{{{k}}} = ", f)
    for e in [*statement.norms.values(), *statement.constraints]:
        lines.add("phi", "", "", e, " = 0")
    return lines.finish()


def _jacobian(context: Context, constraints: Sequence[Any]) -> list[Line]:
    """Return the entries of ``H`` of a joint."""
    lines = Lines(context)
    for i, equation in enumerate(constraints):
        for q in context.all("q"):
            below = latex(context.engine.to_sympy(q))
            lines.add(
                "H",
                f"dphi[{i}]/d{q} = ",
                rf"\partial\phi_{{{i}}}/\partial {below} = ",
                context.tape.derivative(equation, q),
            )
    return lines.finish()

"""Validation of the dependencies of a statement, before its derivation."""

from collections.abc import Iterable, Mapping
from typing import Any

import sympy

from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.symbolic.statement.continuity import STEPS, jumps
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import Statement

_LEVELS = {"v": "velocities", "a": "accelerations"}
_REMEDIES = {
    "constraint": "Constrain positions and axes; prescribe motion with functions of time; "
    "conditions on velocities belong to velocity_equations.",
    "velocity equation": "State velocities of frames; what they shall be are functions of time.",
    "potential": "Use positions, axes and angles; for velocities use force or torque.",
    "coordinate": "A force acts along positions and angles; what it depends on may be velocities.",
    "force": "Use positions, velocities and time; inertia belongs to the bodies.",
}


def check(context: ElementContext, statement: Statement) -> None:
    """Reject equations that do not fit the formulation.

    ``M a = f(t, q, v, lam) + G^T lam``, ``phi(t, q) = 0``, ``V(t, q)``: forces must not depend on
    accelerations, constraints, potentials and coordinates of pushes must not depend on velocities
    and reactions either. Nonholonomic equations must be linear in velocities, because otherwise
    their reactions have no direction.

    Raises
    ------
    ModelError
        With the inadmissible dependency; the caller names the element.
    """
    if context.spec.role not in ("joint", "force"):
        return
    _check_continuous(context, statement.constraints, slopes=True)
    # A potential may be a product of a jump with a factor that vanishes there, as of a contact.
    _check_continuous(context, statement.velocities, slopes=False)
    _depends(context, "constraint", statement.constraints, ("v", "a"))
    _depends(context, "velocity equation", statement.velocities, ("a",))
    _check_linear(context, statement.velocities)
    _depends(context, "potential", [statement.potential], ("v", "a"))
    _depends(context, "coordinate", statement.coordinates, ("v", "a"))
    _depends(context, "force", _values(statement.applied), ("a",))
    _depends(context, "force", statement.acts, ("a",))
    positions = [*statement.constraints, statement.potential, *statement.coordinates]
    if not context.tape.reached(positions).isdisjoint(context.read_multipliers()):
        raise ModelError(
            "a constraint, a potential or a coordinate of it depends on the reactions of a joint.",
            "Only forces and outputs may use reactions.",
        )


def check_smooth(context: ElementContext, expressions: Iterable[Expr]) -> None:
    """Reject derivatives of jumps in forces and in derivatives of constraints.

    In the iteration matrix they may be omitted, because it need not be exact there.
    """
    for s in {*context.tape.reached(expressions)}:
        definition = context.tape.definitions.get(s)
        if definition is not None and is_jump(context.engine.to_sympy(definition)):
            raise _jump()
    if any(is_jump(context.engine.to_sympy(context.engine.convert(e))) for e in expressions):
        raise _jump()


def _check_continuous(context: ElementContext, expressions: Iterable[Expr], slopes: bool) -> None:
    """Reject discontinuous cases: their jumps are missing in all derivatives."""
    listed = [context.engine.convert(e) for e in expressions]
    definitions = context.tape.definitions
    reached = [definitions[s] for s in context.tape.reached(listed) if s in definitions]
    for e in (*listed, *reached):
        plain = context.engine.to_sympy(e)
        if plain.has(sympy.Piecewise, *STEPS) and jumps(plain, slopes):
            raise _jump()


def is_jump(expression: Any) -> bool:
    """Return whether an expression contains the derivative of a jump."""
    return bool(expression.has(sympy.DiracDelta))


def _jump() -> ModelError:
    return ModelError(
        "it needs the derivative of a function that jumps (of sign, Heaviside or the slope of Abs, "
        "Max or Min).",
        "Potentials need one continuous derivative and constraints two: use smooth functions.",
    )


def _check_linear(context: ElementContext, equations: Iterable[Expr]) -> None:
    v, tape = context.all("v"), context.tape
    for e in equations:
        slopes = [tape.derivative(e, s) for s in v]
        if not set(v).isdisjoint(tape.reached(slopes)):
            raise ModelError(
                "its velocity equation is not linear in velocities.",
                "State it as a sum of velocities times functions of positions and time.",
            )


def _values(rows: Mapping[int, Expr]) -> list[Expr]:
    return [e for _, e in sorted(rows.items())]


def _depends(
    context: ElementContext, kind: str, expressions: Iterable[Expr], levels: tuple[str, ...]
) -> None:
    reached = context.tape.reached(expressions)
    for level in levels:
        if any(s in reached for s in context.all(level)):
            raise ModelError(
                f"its {kind} depends on {_LEVELS[level]}.",
                _REMEDIES[kind],
            )

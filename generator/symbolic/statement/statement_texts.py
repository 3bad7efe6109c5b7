"""Statements as text: the identity of the equations of user classes, for the cache.

Their equations may read anything; only the resulting statement identifies them. A statement takes a
hundredth of the time of its derivation.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import sympy

from mbdgen.geometry.frames import Frame
from mbdgen.language.element import SectionQuantity
from mbdgen.symbolic.derive.algebra_engines import Engine
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import state
from mbdgen.topology.elements import ElementSpec


def stated(spec: ElementSpec, engine: Engine) -> str:
    """Return the statement of an element as text, for bodies of mbdgen's kinds.

    The derivation reads further members of body kinds, which their names identify.
    """
    context = ElementContext(spec, engine)
    statement = state(context)
    values = [getattr(statement, field.name) for field in fields(statement)]
    tape = [(str(s), e) for s, e in context.tape.definitions.items()]
    return "\n".join(_texts([spec.title, values, tape, context.reads()], engine))


def _texts(x: Any, engine: Engine) -> Iterator[str]:
    """Yield a value as text without loss of digits."""
    if x is None or isinstance(x, str | bool | Frame):
        yield "" if isinstance(x, Frame) else repr(x)
    elif isinstance(x, Mapping):
        yield from _texts([*x.items()], engine)
    elif isinstance(x, list | tuple | SectionQuantity):
        yield "("
        for part in x:
            yield from _texts(part, engine)
        yield ")"
    else:
        yield sympy.srepr(engine.to_sympy(engine.convert(x)))

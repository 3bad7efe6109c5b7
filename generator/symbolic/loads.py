"""Which numbers of a mechanism are the size of its applied loads: statics lets them grow in steps.

Gravity, and the columns of forces that say so (`mbdgen.language.element.Element.applied`): their
loads are proportional to these columns together, which is tried with numbers.
"""

import random
from collections.abc import Sequence

from mbdgen.symbolic.evaluate import evaluate
from mbdgen.symbolic.ir import ElementIR
from mbdgen.symbolic.system_ir import TypeTable
from mbdgen.topology.elements import ElementSpec, gravity_column

PARAMETER = "par_"
"""What columns of named parameters begin with."""
ROUNDING = 1e-9


def load_places(
    tables: Sequence[TypeTable], specs: Sequence[ElementSpec], read: frozenset[int]
) -> tuple[int, ...]:
    """Return the places of the sizes of loads in the table of parameters.

    Parameters
    ----------
    read : places
        Of numbers that the kernels look up; they know all others.
    """
    by_name = {spec.name: spec for spec in specs}
    found: list[int] = []
    for table in tables:
        if not table.instances or table.crowd is not None:
            continue
        wanted = _columns(table, by_name[table.instances[0]])
        size = len(table.columns)
        for k in range(len(table.instances)):
            at = table.p_offset + k * size
            found += [at + j for j, c in enumerate(table.columns) if c in wanted]
    return tuple(k for k in found if k in read)


def _columns(table: TypeTable, spec: ElementSpec) -> frozenset[str]:
    """Return the columns that loads of a type are proportional to."""
    if spec.role == "body":
        return frozenset(gravity_column(x) for x in "xyz")
    if spec.role != "force":
        return frozenset()
    fields = spec.parts[0].element.applied
    own = {c for c in table.columns for f in fields if c == f or c.startswith(f"{f}_")}
    named = {c for c in table.columns if fields and c.startswith(PARAMETER)}
    for chosen in (own | named, own, named):
        if chosen and _proportional(table.ir, frozenset(chosen)):
            return frozenset(chosen)
    return frozenset()


def _proportional(ir: ElementIR, columns: frozenset[str]) -> bool:
    """Whether an element's forces are proportional to these columns together."""
    rng = random.Random(1)
    roots = [node for _, node in ir.entries("residual")]
    values = {name: rng.uniform(0.5, 1.5) for name in ir.graph.inputs}
    try:
        whole, half = (
            evaluate(
                ir.graph, roots, {k: x * (s if k in columns else 1.0) for k, x in values.items()}
            )
            for s in (1.0, 0.5)
        )
    except (ArithmeticError, ValueError):
        return False
    size = max(map(abs, whole), default=0.0)
    return size > 0.0 and all(
        abs(b - 0.5 * a) <= ROUNDING * size for a, b in zip(whole, half, strict=True)
    )

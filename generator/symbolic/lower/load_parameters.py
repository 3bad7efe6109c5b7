"""Magnitudes of applied loads in the parameters of a mechanism, for load steps in statics.

These are gravity, and the columns that forces declare (`mbdgen.language.element.Element.applied`):
loads are proportional to these columns together, which is verified numerically.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import TypeTable
from mbdgen.topology.elements import ElementSpec, gravity_column

GRAVITY = "gravity"
PARAMETER = "par_"
"""Prefix of columns of named parameters."""
ROUNDING = 1e-9


class Loads(NamedTuple):
    """Magnitudes of applied loads.

    Attributes
    ----------
    loads : tuple of int
        Indices in the table of parameters of those that the kernels read.
    printed_loads : tuple of str
        Owners of those that are constants in the kernels: "gravity", or a force.
    """

    loads: tuple[int, ...]
    printed_loads: tuple[str, ...]


def loads_of(
    tables: Sequence[TypeTable],
    specs: Sequence[ElementSpec],
    p: NDArray[np.float64],
    read: frozenset[int],
) -> Loads:
    """Return the magnitudes of the loads of a system.

    Parameters
    ----------
    p : array
        The table of parameters.
    read : indices
        Indices of parameters that the kernels read; all others are constants in them.
    """
    # An output may have the name of a body.
    by_name = {(spec.role, spec.name): spec for spec in specs}
    found: list[int] = []
    printed: list[str] = []
    for table in tables:
        if not table.instances or table.crowd is not None:
            continue
        wanted = _columns(table, by_name[table.ir.role, table.instances[0]])
        size = len(table.columns)
        for k, name in enumerate(table.instances):
            at = table.p_offset + k * size
            own = [at + j for j, c in enumerate(table.columns) if c in wanted]
            found += [j for j in own if j in read]
            if any(p[j] != 0.0 and j not in read for j in own):
                printed.append(GRAVITY if table.ir.role == "body" else name)
    return Loads(tuple(found), tuple(dict.fromkeys(printed)))


def _columns(table: TypeTable, spec: ElementSpec) -> frozenset[str]:
    """Return the columns to which the loads of a type are proportional."""
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
    """Return whether an element's forces are proportional to these columns together."""
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

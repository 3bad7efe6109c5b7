"""Writing tables of numbers and names: as literals while they are small, else beside the module."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.symbolic.system_ir import SystemIR

LITERAL_LIMIT = 4000  # numbers; larger tables go to an .npz file beside the module
WIDTH = 96


@dataclass(frozen=True)
class Tables:
    """Arrays of a module.

    Attributes
    ----------
    text : tuple of (name, literal)
        Written into the module; empty if `arrays` is not.
    arrays : dict
        Stored beside it.
    """

    text: tuple[tuple[str, str], ...]
    arrays: dict[str, Any]


def literal(system: SystemIR, limit: int = LITERAL_LIMIT) -> Tables:
    """Return the tables of a mechanism as text; as arrays if they are longer than the limit."""
    arrays = {
        "p": system.p,
        "m": system.m,
        "q0": system.q0,
        "v0": system.v0,
        "indptr": system.indptr,
        "indices": system.indices,
        "p_targets": system.derived.p_targets,
        "q_targets": system.derived.q_targets,
        "v_targets": system.derived.v_targets,
        "constraint_rows": np.array(system.roles.constraint_rows, np.int64),
        "unit_blocks": np.array(system.roles.unit_blocks, np.int64).reshape(-1, 2),
        "fixed": np.array(system.roles.fixed, np.int64),
        "fixed_velocity": np.array(system.roles.fixed_velocity, np.int64),
        "angle_outputs": np.array(system.roles.angle_outputs, np.int64),
        "driven": np.array(system.roles.driven, np.int64),
    }
    if sum(a.size for a in arrays.values()) > limit:
        return Tables((), arrays)
    return Tables(tuple((name, _array(a)) for name, a in arrays.items()), {})


def wrapped(items: Sequence[object], indent: int = 4) -> str:
    """Return literals of strings or numbers, several on a line."""
    return _wrap([repr(x).replace("'", '"') for x in items], indent)


def _array(a: Any) -> str:
    kind = "float" if a.dtype.kind == "f" else "np.int64"
    items = [repr(x) for x in a.ravel().tolist()]
    shape = f".reshape{a.shape}" if a.ndim > 1 else ""
    if len(", ".join(items)) < 70:
        return f"np.array([{', '.join(items)}], {kind}){shape}"
    return f"np.array(\n    [\n{_wrap(items, 8)}\n    ],\n    {kind},\n){shape}"


def _wrap(items: Sequence[str], indent: int) -> str:
    lines, line = [], " " * indent
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line.rstrip())
            line = " " * indent
        line += item + ", "
    return "\n".join([*lines, line.rstrip()])

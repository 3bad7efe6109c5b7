"""Addresses of the inputs and results of elements in the arrays of the interface."""

import re
from collections.abc import Sequence

from mbdgen.emit.code_parts import CodeLine
from mbdgen.interface import ANGLES, DISPLACEMENT_ROOM, DISPLACEMENTS, STATE, WEIGHTS
from mbdgen.symbolic.derive.variation import change_of
from mbdgen.symbolic.ir.system_ir import TypeTable
from mbdgen.topology.elements import column_note

SCATTERED = ("matrix", "mass", "slopes")
"""Kernels whose results are written through the scatter map."""


def loads_of(table: TypeTable) -> list[CodeLine]:
    """Return the loads of all inputs of a type, arrays in order."""
    inputs = list(table.ir.inputs())
    lines = [
        CodeLine(x.name, f"{array}[{_at(x.link, x.offset)}]")
        for array in STATE
        for x in inputs
        if x.array == array
    ]
    last = ""
    for i, c in enumerate(table.columns):
        note = column_note(table.ir.role, c)
        lines.append(CodeLine(c, f"p[{_at('j', i)}]", note=note if note != last else ""))
        last = note
    return (
        lines + _loads_of_changes(table) + [CodeLine(w, f"w[{i}]") for i, w in enumerate(WEIGHTS)]
    )


def _loads_of_changes(table: TypeTable) -> list[CodeLine]:
    """Return the loads of variations of inputs, see `mbdgen.interface.VARIATION_KERNELS`."""
    behind = dict.fromkeys(STATE, "m[2]") | {"lam": "m[3]"}
    of_state = [
        CodeLine(change_of(x.name), f"{x.array}[{_at(f'{behind[x.array]} + {x.link}', x.offset)}]")
        for x in table.ir.inputs()
    ]
    of_columns = [CodeLine(change_of(c), f"w[{_at('j', i)}]") for i, c in enumerate(table.columns)]
    return of_state + of_columns


def _at(base: str, k: int) -> str:
    return f"{base} + {k}" if k else base


def used_links(
    table: TypeTable, loads: Sequence[CodeLine], stores: Sequence[CodeLine]
) -> list[CodeLine]:
    """Return the loads of the links that inputs and results use."""
    text = " ".join([line.text for line in loads] + [line.target for line in stores])
    words = set(re.findall(r"\w+", text))
    return [
        CodeLine(name, f"m[{_at('c', i)}]")
        for i, name in enumerate(table.ir.link_names())
        if name in words
    ]


def store_of(table: TypeTable, kernel: str, index: tuple[int, ...]) -> str:
    """Return the address that an entry of a quantity is written to."""
    if kernel in SCATTERED:
        place = f"m[{_at('s', index[0])}]"
        return f"out[m[1] + {place}]" if index[1:] == (1,) else f"out[{place}]"
    if kernel == "energies":
        return f"out[{index[0]}]"
    if kernel == "outputs":
        return f"out[{_at('o', index[0])}]"
    if kernel == ANGLES:
        return f"out[{_at('g', index[0])}]"
    if kernel == DISPLACEMENTS:
        return f"out[{_at(f'{DISPLACEMENT_ROOM}*i_{table.ir.labels[0]}', index[0])}]"
    local = index[-1]
    of_bodies = table.ir.coordinate_links()
    place = _at(*of_bodies[local]) if local < len(of_bodies) else _at("row", local - len(of_bodies))
    if kernel == "rates" and index[0] == 1:
        place = f"m[0] + {place}"
    return f"out[{place}]"

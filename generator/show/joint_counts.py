"""Numbers of linear and nonlinear equations of every joint, and coordinates shared instead."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mbdgen.symbolic.ir.element_ir import ElementIR

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model
    from mbdgen.topology.elements import ElementSpec

BLOCKED = "* slopes of a section there are fixed to a rigid body: the section cannot deform"


def joint_rows(
    model: "Model", specs: Sequence["ElementSpec"], irs: Mapping[str, ElementIR]
) -> list[tuple[str, ...]]:
    """Return a header, and name, kind, form and number of equations of every joint."""
    types = {spec.name: irs[spec.key] for spec in specs}
    rows: list[tuple[str, ...]] = [("joint", "kind", "form", "equations")]
    for attached in model.joints:
        joint = attached.element
        star = "*" if joint.blocks_section(*attached.markers) else ""
        count = counted(types[attached.name]) + star
        common = _in_common(attached)
        rows.append((attached.name, joint.name, joint.stated, f"{count}{common}"))
    return rows


def counted(ir: ElementIR) -> str:
    """Return the number of equations of an element, such as ``3 linear + 2``."""
    linear = linear_equations(ir)
    parts = [
        (sum(linear), " linear"),
        (len(linear) - sum(linear), ""),
        (ir.n_velocity, " of velocities"),
    ]
    return " + ".join(f"{count}{what}" for count, what in parts if count) or "0"


def _in_common(attached: "Attached") -> str:
    """Return the quantities that the bodies of a joint share."""
    shared = attached.element.shares(attached.name, *attached.markers)
    pairs = (f"{x.a[0]}.{x.a[1]} = {x.b[0]}.{x.b[1]}" for x in shared)
    return f", {', '.join(pairs)}" if shared else ""


# Equations of a joint that are linear in the coordinates, independent of time.
def linear_equations(ir: ElementIR) -> list[bool]:
    """Return for every position equation whether its Jacobian is constant."""
    states = {x.name for x in ir.inputs()} | {"t"}
    found = [True] * (ir.n_lam - ir.n_velocity)
    for (row, column), node in ir.entries("matrix"):
        k = row - ir.n_q
        if not 0 <= k < len(found) or column >= ir.n_q:
            continue
        nodes = (ir.graph.nodes[j] for j in ir.graph.needed([node]))
        found[k] &= not any(op == "input" and args[0] in states for op, *args in nodes)
    return found

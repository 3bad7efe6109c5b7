"""Readable output of each stage of the compiler."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mbdgen.view.plain_text import aligned, heading, listed

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.markers.marker import Marker
    from mbdgen.language.model import Model
    from mbdgen.symbolic.ir.element_ir import ElementIR
    from mbdgen.symbolic.ir.system_ir import SystemIR
    from mbdgen.topology.elements import ElementSpec
    from mbdgen.topology.tree import Tree


def value(x: object) -> str:
    """Return a number, an expression or a tuple of them, as short text."""
    if isinstance(x, tuple | list):
        return f"({', '.join(map(value, x))})"
    return f"{x:.6g}" if isinstance(x, float) else str(x)


def marker_text(marker: "Marker") -> str:
    """Return a point of a body, for example ``rod(0.5, 0, 0)``."""
    if all(isinstance(c, float | int) and c == 0 for c in marker.point):
        return marker.body.name
    return f"{marker.body.name}{value(marker.point)}"


def attached_text(attached: "Attached") -> list[str]:
    """Return name, kind, ends and fields of a joint or force."""
    ends = " to ".join(marker_text(m) for m in attached.markers)
    element = attached.element
    fields = [f"{f} = {value(getattr(element, f))}" for f in element.field_names()]
    if element.axis and attached.markers:
        fields.insert(0, f"axis = {value(attached.markers[0].global_axes[2])}")
    return [attached.name, element.name, ends, ", ".join(fields)]


def read_text(model: "Model") -> str:
    """Return the contents of the model file."""
    parts = [heading(f"read: model '{model.name}'"), f"gravity {value(model.gravity)}"]
    parameters = [(p.name, f"{p.value:g} {p.unit}".rstrip()) for p in model.parameters.values()]
    bodies = [row for b in model.bodies.values() for row in _body_rows(b)]
    outputs = [
        (o.name, listed([s for s, _ in o.components if s]), o.unit) for o in model.outputs.values()
    ]
    for title, rows in (
        ("parameters", parameters),
        ("bodies", bodies),
        ("joints", [attached_text(a) for a in model.joints]),
        ("forces", [attached_text(a) for a in model.forces]),
        ("outputs", outputs),
    ):
        if rows:
            parts.append(f"\n{title}\n{aligned(rows, indent=4)}")
    return "\n".join(parts)


def _body_rows(body: "Body") -> list[tuple[str, str, str]]:
    assert body.kind is not None
    m = body.motion
    tensor = tuple(m.inertia[k][k] for k in range(3)) if m.principal else m.inertia
    facts = [
        ("mass", m.mass),
        ("inertia", tensor),
        ("centre of mass", m.centre_of_mass),
        ("position", m.position),
        ("orientation (quaternion)", tuple(m.orientation.q)),
        ("velocity", m.velocity),
        ("angular velocity", m.angular_velocity),
    ]
    name, kind = body.name, body.kind.name
    rows = []
    for what, x in facts:
        rows.append((name, kind, f"{what} {value(x)}"))
        name = kind = ""
    return rows


def analyse_text(specs: Sequence["ElementSpec"]) -> str:
    """Return the element types, with their structure and numerical parameters."""
    members: dict[str, list[ElementSpec]] = {}
    for spec in specs:
        members.setdefault(spec.key, []).append(spec)
    parts = [heading(f"analyse: {len(specs)} elements of {len(members)} types")]
    for found in members.values():
        first = found[0]
        kinds = [b.kind.name for b in first.bodies if b.kind is not None]
        frames = [
            f"{f.label} on {'ground' if f.body < 0 else first.labels[f.body]}" for f in first.frames
        ]
        rows = [
            ("elements", listed([s.name for s in found], 12)),
            ("bodies", listed([f"{a}: {k}" for a, k in zip(first.labels, kinds, strict=True)])),
            ("frames", listed(frames)),
            ("numbers", listed([name for name, _ in first.columns], 16)),
        ]
        parts.append(f"\n{first.title} ({first.role}), {len(found)} times")
        parts.append(aligned([row for row in rows if row[1]], indent=4))
    return "\n".join(parts)


def derive_text(specs: Sequence["ElementSpec"], irs: Mapping[str, "ElementIR"]) -> str:
    """Return the number of entries and operations of each quantity, per type."""
    parts = [heading(f"derive: {len(irs)} types, each derived once")]
    for key, ir in irs.items():
        names = [s.name for s in specs if s.key == key]
        rows = [("quantity", "numbers", "operations")]
        for name, entries in ir.quantities:
            if entries:
                cost = ir.graph.operation_count([node for _, node in entries])
                rows.append((name, str(len(entries)), str(cost)))
        parts.append(f"\n{ir.title} ({ir.role}) {listed(names)}")
        parts.append(f"    {ir.n_q} coordinates, {ir.n_lam} multipliers")
        parts.append(aligned(rows, indent=4, right=(1, 2)))
    return "\n".join(parts)


def tree_rows(tree: "Tree") -> list[tuple[str, str]]:
    """Return tree joints, cut joints and free bodies of relative coordinates."""
    given = [f"{b.joint} ({b.parent.name or 'ground'} to {b.child.name})" for b in tree.branches]
    return [
        ("tree joints", listed(given, 12)),
        ("cut joints", listed(list(tree.cut), 12) or "none"),
        ("free bodies", listed([body.name for body in tree.free], 12) or "none"),
    ]


def lower_text(system: "SystemIR") -> str:
    """Return numbering, tables and layout of the whole mechanism."""
    sizes = system.sizes
    rows = [
        *([] if system.tree is None else tree_rows(system.tree)),
        ("coordinates", str(sizes["n_q"])),
        ("multipliers", str(sizes["n_lam"])),
        ("rows and unknowns", str(sizes["n"])),
        ("matrix entries", f"{sizes['nnz']} of {sizes['n'] ** 2}"),
        ("outputs", str(sizes["n_out"])),
        ("layout", f"{system.layout} (about {system.statements} statements if flat)"),
        ("real table p", f"{len(system.p)} numbers"),
        ("integer table m", f"{len(system.m)} numbers"),
        ("fixed coordinates", str(len(system.roles.fixed))),
        ("changeable parameters", listed(system.derived.names) or "none"),
        ("parameter expressions", str(len(system.derived.roots))),
    ]
    types = [("type", "times", "columns used", "first number in p", "elements")]
    for table in system.types:
        types.append(
            (
                table.title,
                str(len(table.instances)),
                str(len(table.columns)),
                str(table.p_offset),
                listed(table.instances, 6),
            )
        )
    parts = [heading(f"lower: mechanism '{system.model}'"), aligned(rows, indent=4)]
    parts.append("\n" + aligned(types, indent=4, right=(1, 2, 3)))
    for kernel in system.flat:
        cost = kernel.graph.operation_count([node for _, node in kernel.outputs])
        parts.append(
            f"    flat kernel {kernel.name}: {len(kernel.outputs)} numbers, {cost} operations"
        )
    return "\n".join(parts)


def emit_text(name: str, texts: Mapping[str, str]) -> str:
    """Return the files, their sizes and the functions in them."""
    parts = [heading(f"emit: {len(texts)} file{'s' if len(texts) > 1 else ''}")]
    for suffix, text in texts.items():
        lines = text.splitlines()
        functions = [line.split("(")[0][4:] for line in lines if line.startswith("def ")]
        parts.append(f"{name}{suffix}: {len(lines)} lines, {len(text.encode())} bytes")
        if functions:
            parts.append(f"    functions: {listed(functions, 30)}")
        if text.startswith('"""'):
            parts += ["    " + line for line in text.split('"""')[1].strip().splitlines()]
    return "\n".join(parts)

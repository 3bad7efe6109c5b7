"""Graph of a mechanism: bodies are nodes, joints are edges, forces are dashed edges."""

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model

GROUND = "ground"


def graph_text(model: "Model") -> str:
    """Return the spanning tree with the joints that close loops, and Graphviz source."""
    return f"{tree_text(model)}\n\n{dot_text(model)}"


def tree_text(model: "Model") -> str:
    """Return a spanning tree from the ground; joints not in it close loops."""
    joints = [j for j in model.joints if len(_bodies(j)) == 2]
    used: set[str] = set()
    seen: set[str] = set()
    lines: list[str] = []
    for root in (GROUND, *model.bodies):
        if root not in seen:
            lines.append(root if root == GROUND else f"{root}{_kind(model, root)} (free)")
            children = _spanning_tree(root, joints, seen, used)
            lines += _branches(model, root, children, "")
    closing = [j for j in joints if j.name not in used]
    if closing:
        lines.append(f"closing {len(closing)} loop{'s' if len(closing) > 1 else ''}:")
        lines += [f"    {_edge(j)} between {' and '.join(_bodies(j))}" for j in closing]
    others = [j for j in model.joints if len(_bodies(j)) != 2]
    for title, group in (
        ("constraints of one body or of several", others),
        ("forces", model.forces),
    ):
        if group:
            lines.append(f"{title}:")
            lines += [f"    {_edge(a)} {' - '.join(_bodies(a))}".rstrip() for a in group]
    return "\n".join(lines)


def dot_text(model: "Model") -> str:
    """Return the graph in Graphviz dot."""
    lines = [f'graph "{model.name}" {{', "  node [shape=box];", f'  "{GROUND}" [shape=plaintext];']
    lines += [f'  "{name}";' for name in model.bodies]
    for attached in model.attached.values():
        bodies = _bodies(attached)
        style = "" if attached.is_joint else ", style=dashed"
        label = f"{attached.name}\\n{attached.element.name}"
        if len(bodies) == 2:
            first, second = bodies
            lines.append(f'  "{first}" -- "{second}" [label="{label}"{style}];')
        else:
            node = f"{attached.name} "
            lines.append(f'  "{node}" [label="{label}", shape=oval{style}];')
            lines += [f'  "{node}" -- "{body}" [style=dashed];' for body in bodies]
    return "\n".join([*lines, "}"])


def _spanning_tree(
    root: str, joints: list["Attached"], seen: set[str], used: set[str]
) -> dict[str, list[tuple["Attached", str]]]:
    """Return the children of every body, breadth first: short branches are easier to read."""
    at: dict[str, list[Attached]] = {}
    for joint in joints:
        for body in _bodies(joint):
            at.setdefault(body, []).append(joint)
    children: dict[str, list[tuple[Attached, str]]] = {}
    seen.add(root)
    waiting = deque([root])
    while waiting:
        body = waiting.popleft()
        for joint in at.get(body, []):
            first, second = _bodies(joint)
            other = second if body == first else first
            if other not in seen:
                seen.add(other)
                used.add(joint.name)
                children.setdefault(body, []).append((joint, other))
                waiting.append(other)
    return children


def _branches(
    model: "Model", body: str, children: dict[str, list[tuple["Attached", str]]], indent: str
) -> list[str]:
    """Return the lines below a body. Iterative, because a chain may have thousands of bodies."""
    lines: list[str] = []
    stack = [(indent, *child, last) for child, last in _last_first(children.get(body, []))]
    while stack:
        indent, joint, name, last = stack.pop()
        corner, bar = ("└─", "   ") if last else ("├─", "│  ")
        lines.append(f"{indent}{corner} {_edge(joint)} ─ {name}{_kind(model, name)}")
        below = f"{indent}{bar}"
        stack += [(below, *child, end) for child, end in _last_first(children.get(name, []))]
    return lines


def _last_first(
    children: list[tuple["Attached", str]],
) -> list[tuple[tuple["Attached", str], bool]]:
    """Return children in reversed order, for a stack; True marks the last one."""
    return [(child, k == 0) for k, child in enumerate(reversed(children))]


def _bodies(attached: "Attached") -> list[str]:
    return [GROUND if m.body.is_ground else m.body.name for m in attached.markers]


def _edge(attached: "Attached") -> str:
    return f"{attached.name} ({attached.element.name})"


def _kind(model: "Model", name: str) -> str:
    kind = model.bodies[name].kind if name in model.bodies else None
    return f" [{kind.name}]" if kind is not None else ""

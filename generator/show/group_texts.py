"""Structural groups of a mechanism in the order of solution, as text and Graphviz dot."""

from mbdgen.runtime.groups.group_decomposition import Decomposition, StructuralGroup

MOST = 12
"""Number of groups listed; a mechanism may have thousands."""


def groups_text(decomposition: Decomposition) -> str:
    """Return the groups as text, and the diagram for Graphviz."""
    return f"{_listed(decomposition)}\n\n{_dot(decomposition)}"


def _listed(decomposition: Decomposition) -> str:
    inputs = ", ".join(decomposition.input_names[:MOST]) or "drivers only"
    more = " ..." if len(decomposition.input_names) > MOST else ""
    count = len(decomposition.groups)
    lines = [f"structural groups (bodies, mobility), inputs: {inputs}{more}"]
    for k, group in enumerate(decomposition.groups[:MOST]):
        lines.append(f"  SG-{k + 1}  level {group.level}  {_notation(group)}  {_contents(group)}")
    if count > MOST:
        lines.append(f"  and {count - MOST} more; {decomposition.levels} levels")
    return "\n".join(lines)


def _notation(group: StructuralGroup) -> str:
    return f"({len(group.bodies)}, {group.mobility})"


def _contents(group: StructuralGroup) -> str:
    joints = f" by {', '.join(group.joints[:MOST])}" if group.joints else ""
    redundant = f"; {group.redundant} redundant" if group.redundant else ""
    equations = f": {len(group.rows)} equations for {len(group.dependent)} coordinates{redundant}"
    return f"{', '.join(group.bodies[:MOST])}{joints}{equations}"


def _dot(decomposition: Decomposition) -> str:
    """Return the dependencies between groups in Graphviz dot."""
    owner = {
        int(c): k for k, g in enumerate(decomposition.groups) for c in (*g.dependent, *g.inputs)
    }
    lines = [f'digraph "{decomposition.model} groups" {{', "  rankdir=LR; node [shape=box];"]
    for k, group in enumerate(decomposition.groups):
        label = f"SG-{k + 1} {_notation(group)}\\n{', '.join(group.bodies[:MOST])}"
        lines.append(f'  g{k + 1} [label="{label}"];')
        for other in sorted({owner[int(c)] for c in group.known} - {k}):
            lines.append(f"  g{other + 1} -> g{k + 1};")
    return "\n".join([*lines, "}"])

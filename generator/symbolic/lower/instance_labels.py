"""Names of an element's intermediate results in the code of the whole mechanism."""

from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import operands
from mbdgen.topology.elements import ElementSpec

_SHARED = "*"  # depends on several bodies, or on a parameter or multiplier of the element


def owners(ir: ElementIR) -> dict[int, str]:
    """Return the body of every labelled node that depends only on the motion of that body.

    Rotation matrices and angular velocities are shared by all joints of a body.
    """
    body_of = {x.name: x.link.split("_")[1] for x in ir.inputs() if x.array != "lam"}
    found: list[str] = []
    for node in ir.graph.nodes:
        if node[0] == "input":
            found.append(body_of.get(node[1], _SHARED))
        else:
            below = {found[k] for k in operands(node)} - {""}
            found.append(below.pop() if len(below) == 1 else _SHARED if below else "")
    return {k: found[k] for k, _ in ir.graph.labels if found[k] not in ("", _SHARED)}


def labels_of(
    ir: ElementIR, owner: dict[int, str], instance: str, bodies: dict[str, str]
) -> dict[int, str]:
    """Return labels with the instance's name: ``rod_R_1_x`` for ``R_b_1_x``, or ``pin_arm_b_y``.

    Parameters
    ----------
    owner : dict of node to letter
        Body of each node, see `owners`.
    instance : str
        Name of the element.
    bodies : dict of letter to name
        Its bodies.
    """
    found = {}
    for k, label in ir.graph.labels:
        # A body's own results need no letter: they have its name.
        letter = ir.labels[0] if ir.role == "body" else owner.get(k, "")
        name = bodies[letter] if letter else instance
        found[k] = f"{name}_{_without(label, letter)}"
    return found


def local_rows(spec: ElementSpec, ir: ElementIR) -> tuple[str, ...]:
    """Return the meaning of each local row of an element type: ``b: moment z``, ``equation 0``."""
    kinds = [(label, b.kind) for label, b in zip(spec.labels, spec.bodies, strict=True)]
    rows = [f"{label}: {row}" for label, kind in kinds if kind for row in kind.all_rows]
    return (*rows, *(f"equation {k}" for k in ir.kept))


def _without(label: str, letter: str) -> str:
    """Remove the letter of the body, which its name replaces."""
    return "_".join(part for part in label.split("_") if part != letter)

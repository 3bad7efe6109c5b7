"""Equations of the whole mechanism, by element: rows, blocks and their contributions."""

from collections.abc import Iterator, Sequence, Set

from mbdgen.language.model import Model
from mbdgen.show.document import EquationLine, EquationSection, matrix
from mbdgen.show.entry_rows import entry_sections
from mbdgen.show.matrix_entries import MOST_COORDINATES, entries, is_small
from mbdgen.show.stage_texts import attached_text, marker_text
from mbdgen.topology.elements import ElementSpec
from mbdgen.view.plain_text import aligned

MOST_BLOCKS = 12
_LAMBDA = r"\lambda"


def assembled_sections(
    model: Model, specs: Sequence[ElementSpec], constrained: Set[str], engine: str
) -> list[EquationSection]:
    """Return the block structure of ``M a = f + G^T lam, phi = 0``, and small systems in full.

    Parameters
    ----------
    constrained : set of str
        Bodies with constraints of their own.
    """
    sections = [_structure(model, specs, constrained)]
    if is_small(model):
        sections += entry_sections(entries(model, specs, engine))
    return sections


def _structure(
    model: Model, specs: Sequence[ElementSpec], constrained: Set[str]
) -> EquationSection:
    """Return the rows and blocks, by element."""
    bodies = list(model.bodies)
    own = [b for b in bodies if b in constrained]
    constraints = [s for s in specs if s.role == "joint"]
    parts = ["q = (" + ", ".join(_coordinates(model)) + ")"]
    parts.append(f"M = blockdiag({', '.join(f'M_{b}' for b in bodies)})")
    parts += ["", "dynamics rows", aligned(_dynamics(model, specs), indent=2)]
    parts += ["", "constraint rows (phi = 0)", aligned(_constraints(model, specs, own), indent=2)]
    if model.attached:
        rows = [attached_text(a) for a in model.attached.values()]
        parts += ["", "joints and forces", aligned(rows, indent=2)]
    if not is_small(model):
        parts += ["", f"More than {MOST_COORDINATES} coordinates: entries by element only."]
    lines = [EquationLine("rows of bodies", "", x) for x in _sums(model, specs)]
    blocks = [(s.name, [b.name for b in s.bodies]) for s in constraints]
    if len(bodies) <= MOST_BLOCKS and len(blocks) <= MOST_BLOCKS:
        lines += [EquationLine("blocks", "", x) for x in _latex(bodies, blocks, own)]
    return EquationSection("Assembled system", tuple(lines), "\n".join(parts))


def _sums(model: Model, specs: Sequence[ElementSpec]) -> Iterator[str]:
    """Yield the equations of each body as sums over the attached elements."""
    for b in model.bodies.values():
        touching = [s for s in specs if b in s.bodies]
        forces = [_block("f", s.name) for s in touching if s.role == "force"]
        joints = [
            f"{_block('G', s.name, b.name)}^T {_block(_LAMBDA, s.name)}"
            for s in touching
            if s.role == "joint"
        ]
        right = " + ".join([_block("f", b.name), *forces, *joints])
        yield f"{_block('M', b.name)} {_block('a', b.name)} = {right}"


def _coordinates(model: Model) -> list[str]:
    found = []
    for b in model.bodies.values():
        assert b.kind is not None
        found.append(f"{b.name}: {' '.join(b.kind.coordinates)}")
    return found


def _dynamics(model: Model, specs: Sequence[ElementSpec]) -> list[list[str]]:
    rows = []
    for b in model.bodies.values():
        touching = [s for s in specs if b in s.bodies]
        forces = [f"f_{s.name}" for s in touching if s.role == "force"]
        joints = [f"G_{s.name},{b.name}^T lam_{s.name}" for s in touching if s.role == "joint"]
        right = " + ".join([f"f_{b.name}", *forces, *joints])
        rows.append([f"{b.name}:", f"M_{b.name} a_{b.name} = {right}"])
    return rows


def _constraints(model: Model, specs: Sequence[ElementSpec], own: Sequence[str]) -> list[list[str]]:
    rows = [[f"{name}:", f"phi_{name}(q_{name}) = 0", "its own constraint"] for name in own]
    for spec in specs:
        if spec.role == "joint":
            on = ", ".join(f"q_{b.name}" for b in spec.bodies)
            attached = model.attached[spec.name]
            ends = " to ".join(marker_text(m) for m in attached.markers)
            rows.append([f"{spec.name}:", f"phi_{spec.name}({on}) = 0", f"{spec.title} {ends}"])
    return rows


def _latex(bodies: list[str], blocks: list[tuple[str, list[str]]], own: list[str]) -> list[str]:
    """Return the block matrices."""
    everything: list[tuple[str, list[str]]] = [*((name, [name]) for name in own), *blocks]
    mass = [[_block("M", b) if a == b else "0" for a in bodies] for b in bodies]
    jacobian = [
        [_block("H", name, b) if b in on else "0" for b in bodies] for name, on in everything
    ]
    lines = [rf"M = {matrix(mass)}, \quad f = {matrix([[_block('f', b)] for b in bodies])}"]
    if everything:
        phi = matrix([[_block(r"\phi", name)] for name, _ in everything])
        lines.append(rf"\phi = {phi}, \quad H = {matrix(jacobian)}")
    return lines


def _block(letter: str, *names: str) -> str:
    inside = ",".join(rf"\mathrm{{{n}}}".replace("_", r"\_") for n in names)
    return f"{letter}_{{{inside}}}"

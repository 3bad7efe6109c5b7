"""Text of the complete model file."""

import keyword
import re
from collections.abc import Sequence

from mbdgen.language.element_names import LONGEST, RESERVED
from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.write.body_text import bodies, places
from mbdgen.mubodyna.write.call_text import CallGroup, assigned, call, named
from mbdgen.mubodyna.write.element_identifiers import point
from mbdgen.mubodyna.write.force_text import forces, gravity
from mbdgen.mubodyna.write.function_text import functs
from mbdgen.mubodyna.write.joint_text import joints
from mbdgen.mubodyna.write.number_text import number
from mbdgen.mubodyna.write.picture_text import pictures

_METHOD = "rk4"
_FORMULATIONS = {"standard": "", "penalty": "penalty", "augmented": "alf1"}


def model_text(folder: Folder, file: str = "") -> str:
    """Return the text of the model file; `file` is its name."""
    name = identifier(folder.name)
    blocks = [
        [*assigned("m", call("Model", f'"{name}"', named("gravity", gravity(folder)))).lines()],
        _plain(functs(folder)),
        _commented(bodies(folder)),
        _places(folder),
        _commented(joints(folder)),
        _commented(forces(folder)),
        _plain(pictures(folder)),
        _plain(_outputs(folder)),
        _plain([_suggestion(folder)]),
    ]
    body = "\n\n".join("\n".join(block) for block in blocks if block)
    return f"{_title(folder, file or f'{name}.py')}\n\n{_imports(body)}\n\n{body}\n"


def identifier(name: str) -> str:
    """Return a model name for the name of a folder."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "model"
    reserved = keyword.iskeyword(found) or found in RESERVED
    return (f"model_{found}" if found[0].isdigit() or reserved else found)[:LONGEST]


def _title(folder: Folder, file: str) -> str:
    solver = folder.solver
    end, step, formulation = _choices(folder)
    words = f"--t {end} --h {step} --method {_METHOD}"
    words += f" --formulation {formulation}" if formulation else ""
    said = ", ".join(f"{k} = {v if isinstance(v, str) else number(v)}" for k, v in solver.items())
    return f'''"""The model {identifier(folder.name)} of MUBODYNA, read by mbdgen import-mubodyna.

Names are the numbers in its files: P3 is the third point, J1 the first joint.
Its inSolver.m: {said or "no settings"}; command:

    mbdgen run {file} {words}
"""'''


def _choices(folder: Folder) -> tuple[str, str, str]:
    """Return the end time, the step size and the formulation of a run; the last may be empty."""
    given = folder.solver
    end, step = number(given.get("t_final", 10.0)), number(given.get("dt", 0.01))
    return end, step, _FORMULATIONS[given.get("method", "standard")]


def _suggestion(folder: Folder) -> CallGroup:
    """Return the line that makes these the defaults of ``mbdgen run``."""
    end, step, formulation = _choices(folder)
    words = [named("t", end), named("h", step), named("method", f'"{_METHOD}"')]
    words += [named("formulation", f'"{formulation}"')] if formulation else []
    return call("m.suggest", *words)


def _imports(body: str) -> str:
    """Return the imports required by the text."""
    maths = [n for n in ("pi", "radians", "sqrt") if re.search(rf"\b{n}\b", body)]
    turns = [n for n in ("axis_angle", "quaternion") if f"{n}(" in body]
    first = f"from math import {', '.join(maths)}\n\n" if maths else ""
    lines = ["from mbdgen import Model"]
    if re.search(r"\bf\.\w+\(", body):
        lines.append("from mbdgen import functions as f")
    if turns:
        lines.append(f"from mbdgen.language.bodies.orientation import {', '.join(turns)}")
    return first + "\n".join(lines)


def _places(folder: Folder) -> list[str]:
    return [f"{text}  # {note}" for text, note in places(folder)]


def _plain(groups: Sequence[CallGroup]) -> list[str]:
    return [line for group in groups for line in group.lines()]


def _commented(groups: Sequence[tuple[CallGroup, str]]) -> list[str]:
    found: list[str] = []
    for group, note in groups:
        found += [f"# {note}"] * bool(note) + group.lines()
    return found


def _outputs(folder: Folder) -> list[CallGroup]:
    """Return the points of moving bodies."""
    return [
        call("m.output", f'"P{p.number}"', point(folder, p.number))
        for p in folder.points
        if p.get("Bindex", 0)
    ]

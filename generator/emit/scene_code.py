"""Code of the module function that returns the scene of pictures."""

import json
from dataclasses import dataclass

from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import schedule
from mbdgen.symbolic.ir.system_ir import SceneTable


@dataclass(frozen=True)
class SceneCode:
    """Code of the scene, as printed by the template.

    Attributes
    ----------
    assignments : tuple of (name, text)
        Common subexpressions.
    rows : tuple of str
        A literal for every figure.
    inputs : bool
        Whether any value depends on a parameter.
    """

    assignments: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]
    inputs: bool


def scene_code(scene: SceneTable, printer: Printer) -> SceneCode:
    """Return the code of a scene; values that depend on parameters are expressions."""
    code = schedule(scene.derived.graph, scene.derived.roots, printer)
    numbers = [repr(x) for x in scene.numbers]
    for place, k in scene.derived.p_targets:
        numbers[place] = code.results[k]
    rows, first = [], 0
    for kind, name, bodies, colour, size in scene.rows:
        texts = [json.dumps(x, ensure_ascii=False) for x in (kind, name)]
        texts.append(_tuple([json.dumps(x, ensure_ascii=False) for x in bodies]))
        texts += [json.dumps(colour), _tuple(numbers[first : first + size])]
        rows.append(_tuple(texts))
        first += size
    return SceneCode(tuple(code.assignments), tuple(rows), bool(code.inputs))


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"

"""Data of the scene for pictures, as functions of the named parameters."""

from collections.abc import Iterable

from mbdgen.language.model import Model
from mbdgen.symbolic.ir.system_ir import SceneTable
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.topology.stated_scene import figures


def scene(model: Model, freeze: Iterable[str]) -> SceneTable:
    """Return the scene of a model.

    Parameters
    ----------
    freeze : names
        Parameters that become constants.
    """
    # Separate expressions: the equations must not depend on the picture.
    book = ParameterExpressions(model, frozenset(freeze))
    rows, numbers = [], list[float]()
    for figure in figures(model):
        what = f"picture of {figure.kind} '{figure.name}'"
        for x in figure.numbers:
            numbers.append(book.place(x, "p", len(numbers), what))
        size = len(figure.numbers)
        rows.append((figure.kind, figure.name, figure.bodies, figure.colour, size))
    return SceneTable(tuple(rows), tuple(numbers), book.finish())

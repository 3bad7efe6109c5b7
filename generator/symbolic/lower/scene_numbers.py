"""The numbers of a picture, and how they follow the named parameters."""

from collections.abc import Iterable

from mbdgen.language.model import Model
from mbdgen.symbolic.ir.system_ir import SceneTable
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions
from mbdgen.topology.stated_scene import figures


def scene(model: Model, freeze: Iterable[str]) -> SceneTable:
    """Return what pictures of a model show.

    Parameters
    ----------
    freeze : names
        Parameters that become numbers.
    """
    # A book of its own: no number of the equations depends on how a picture looks.
    book = ParameterExpressions(model, frozenset(freeze))
    rows, numbers = [], list[float]()
    for figure in figures(model):
        what = f"picture of {figure.kind} '{figure.name}'"
        for x in figure.numbers:
            numbers.append(book.place(x, "p", len(numbers), what))
        size = len(figure.numbers)
        rows.append((figure.kind, figure.name, figure.bodies, figure.colour, size))
    return SceneTable(tuple(rows), tuple(numbers), book.finish())

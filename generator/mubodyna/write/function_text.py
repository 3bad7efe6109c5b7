"""Functions of time."""

from itertools import pairwise

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.input_checks import kind_of
from mbdgen.mubodyna.items import Item
from mbdgen.mubodyna.places import fault
from mbdgen.mubodyna.write.call_text import CallGroup, assigned, call
from mbdgen.mubodyna.write.number_text import number, numbers


def functs(folder: Folder) -> list[CallGroup]:
    """Return one assignment for each function."""
    return [assigned(f"C{c.number}", _function(c)) for c in folder.functs]


def _function(c: Item) -> CallGroup:
    kind = kind_of(c, "a")
    if kind == "a":
        coefficients = list(c.get("coeff"))
        while len(coefficients) > 1 and coefficients[-1] == 0:
            coefficients.pop()
        return call("f.polynomial", *numbers(coefficients))
    start, top, end = (c.get(n, 0.0) for n in ("x_start", "x_max", "x_end"))
    places = {"x_start": start, "x_end": end}
    if kind == "c":
        places = {"x_start": start, "x_max": top, "x_end": end}
    names = list(places)
    for first, second in pairwise(names):
        if not places[first] < places[second]:
            raise fault(
                c.where(second),
                f"function {c.number} has {second} = {places[second]:g}, not after "
                f"{first} = {places[first]:g}.",
                "The abscissae must increase.",
            )
    before, peak, after = (number(c.get(n, 0.0)) for n in ("f_start", "f_max", "f_end"))
    begins, ends, first, last = number(start), number(end), f"before={before}", f"after={after}"
    if kind == "b":
        return call("f.quintic", begins, ends, first, last)
    return call("f.rise_and_return", begins, number(top), ends, first, f"peak={peak}", last)

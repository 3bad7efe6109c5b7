"""Pictures: lines to points, vectors within a body, and the camera."""

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.write.call_text import CallGroup, call, items, named
from mbdgen.mubodyna.write.element_identifiers import body
from mbdgen.mubodyna.write.number_text import number, numbers, vector

_REST = (0.0, 0.0, 0.0)


def pictures(folder: Folder) -> list[CallGroup]:
    """Return the calls that draw."""
    found = [
        call(f"{body(p.get('Bindex', 0))}.draw.line", _line(p.get("sPp", _REST)))
        for p in folder.drawn
    ]
    for vector2 in folder.vectors2:
        ends = [folder.points[vector2.get(p) - 1] for p in ("iPindex", "jPindex")]
        of = {p.get("Bindex", 0) for p in ends}
        if len(of) == 1:
            line = CallGroup("[", tuple(f"P{p.number}" for p in ends))
            found.append(call(f"{body(of.pop())}.draw.line", line))
    words: list[str | CallGroup] = []
    for field, word in (("AZ", "azimuth"), ("EL", "elevation")):
        if field in folder.box:
            words.append(named(word, number(folder.box[field])))
    for axis in "xyz":
        ends = [folder.box.get(f"{axis}{end}") for end in ("min", "max")]
        known = [e for e in ends if e is not None]
        if len(known) == 2 and known[0] < known[1]:
            words.append(named(axis, items(*numbers(known))))
    return [*found, call("m.view", *words)] if words else found


def _line(to: tuple[float, ...]) -> CallGroup:
    return CallGroup("[", (vector(_REST), vector(to)))

"""Cross-checks between input files: element numbers, types with required fields, the i side."""

from collections.abc import Sequence

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.input_fields import COUNTED, FILES
from mbdgen.mubodyna.items import Item
from mbdgen.mubodyna.places import close_to, fault

JOINTS: dict[str, tuple[str, ...]] = {
    "sph": ("iPindex", "jPindex"),
    "rev": ("iPindex", "jPindex", "iVindex_a", "jVindex_a"),
    "cyl": ("V2index", "iVindex_a", "jVindex_a"),
    "tran": ("V2index", "jVindex_a"),
    "rel-rot": ("iBindex", "jVindex_a"),
    "rel-tran": ("iBindex", "jVindex_a"),
    "fix": ("iBindex",),
    "disk": ("iBindex", "R"),
}
FORCES: dict[str, tuple[str, ...]] = {
    "weight": (),
    "ptp": ("V2index",),
    "zu": ("iPindex", "jPindex"),
    "np": ("iBindex", "np"),
    "sph_pln": ("iPindex", "iBindex", "jBindex", "plane_normal_vector"),
    "sph_sph": ("iPindex", "jPindex"),
}
"""Types with their required fields."""
FUNCTS: dict[str, tuple[str, ...]] = {
    "a": ("coeff",),
    "b": ("x_end", "f_end"),
    "c": ("x_end", "x_max", "f_max"),
}
DISKS = ("xyz", "nz", "tz", "z")
_TABLES = dict(zip(COUNTED, ("bodies", "points", "vectors1", "vectors2", "functs"), strict=True))


def check(folder: Folder) -> None:
    """Refuse inconsistent input.

    Raises
    ------
    ModelError
        With file and line.
    """
    for key, kind in FILES.items():
        if kind.struct:
            for item in getattr(folder, key):
                _indices(folder, key, item)
    for item in folder.vectors2:
        _need(item, ("iPindex", "jPindex"), f"the type-2 vector {item.number}")
        _not_ground(folder, item, item.get("iPindex"), "iPindex", f"vector {item.number}")
    for item in folder.functs:
        _need(item, FUNCTS[_type(item, FUNCTS, "function", "a")], f"function {item.number}")
    for item in folder.joints:
        _joint(folder, item)
    for item in folder.forces:
        _force(folder, item)


def kind_of(item: Item, default: str = "") -> str:
    """Return the type of a joint, force or function; spaces become underscores."""
    return str(item.get("type", default)).strip().replace(" ", "_").replace("rel_", "rel-")


def _joint(folder: Folder, item: Item) -> None:
    what = f"joint {item.number}"
    kind = _type(item, JOINTS, "joint")
    _need(item, JOINTS[kind], f"{what} ('{kind}')")
    _sides(folder, item, what)
    if kind == "disk" and item.get("disk") not in DISKS:
        raise fault(
            item.where("disk"),
            f"{what} has the disk {item.get('disk')!r}.",
            f"Give one of: {', '.join(map(repr, DISKS))}.",
        )
    for side in "ij":
        _own_vector(folder, item, side, what)


def _own_vector(folder: Folder, item: Item, side: str, what: str) -> None:
    """Refuse an axis that belongs to another body than that of its side."""
    field = f"{side}Vindex_a"
    if item.get(field) is None:
        return
    vector, body = folder.vectors1[item.get(field) - 1], _body(folder, item, side)
    if vector.get("Bindex", 0) != body:
        raise fault(
            item.where(field),
            f"{what} takes vector {vector.number} of body {vector.get('Bindex', 0)}.",
            f"Use a vector of its body {side}, which is {body}.",
        )


def _body(folder: Folder, item: Item, side: str) -> int:
    """Return the body number of a side: given, or that of a point or of a vector's end."""
    point = item.get(f"{side}Pindex")
    if point is None and item.get("V2index") is not None:
        point = folder.vectors2[item.get("V2index") - 1].get(f"{side}Pindex")
    found: int = (
        item.get(f"{side}Bindex", 0) if point is None else folder.points[point - 1].get("Bindex", 0)
    )
    return found


def _force(folder: Folder, item: Item) -> None:
    what = f"force {item.number}"
    kind = _type(item, FORCES, "force")
    _need(item, FORCES[kind], f"{what} ('{kind}')")
    _sides(folder, item, what)


def _sides(folder: Folder, item: Item, what: str) -> None:
    """Refuse the ground on the i side: of a body, of a point, of the tail of a vector."""
    if item.get("iBindex") == 0:
        raise _ground(item, "iBindex", what)
    if item.get("iPindex") is not None:
        _not_ground(folder, item, item.get("iPindex"), "iPindex", what)


def _not_ground(folder: Folder, item: Item, point: int, field: str, what: str) -> None:
    if folder.points[point - 1].get("Bindex", 0) == 0:
        raise _ground(item, field, what)


def _ground(item: Item, field: str, what: str) -> Exception:
    return fault(
        item.where(field), f"the i side of {what} is the ground.", "Make the ground side j."
    )


def _type(item: Item, known: dict[str, tuple[str, ...]], what: str, default: str = "") -> str:
    kind = kind_of(item, default)
    if kind not in known:
        raise fault(
            item.where("type"),
            f"{what} {item.number} has the type {item.get('type', '')!r}.",
            close_to(kind, list(known)),
        )
    return kind


def _need(item: Item, fields: Sequence[str], what: str) -> None:
    for name in fields:
        item.need(name, what)


def _indices(folder: Folder, key: str, item: Item) -> None:
    """Refuse numbers of elements that do not exist."""
    for kind in FILES[key].fields:
        if kind.holds in _TABLES and kind.name in item.values:
            table = _TABLES[kind.holds]
            most = len(getattr(folder, table))
            if item.get(kind.name) > most:
                raise fault(
                    item.where(kind.name),
                    f"{kind.name} is {item.get(kind.name)}, but {FILES[table].name}.m has "
                    f"{most} {'elements' if most != 1 else 'element'}.",
                    "Elements are counted in the order of the array at the end of their file.",
                )

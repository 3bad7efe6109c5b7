"""Forces, weight first, because it is a property of the model."""

from collections.abc import Callable

from mbdgen.mubodyna.folder import Folder
from mbdgen.mubodyna.input_checks import kind_of
from mbdgen.mubodyna.items import Item
from mbdgen.mubodyna.places import fault
from mbdgen.mubodyna.write.call_text import CallGroup, call, named
from mbdgen.mubodyna.write.element_identifiers import body, point, tail_and_head
from mbdgen.mubodyna.write.number_text import number, vector

_DOWN = (0.0, 0.0, -1.0)
_LAWS = {"lankarani": "hunt-crossley", "hertz": "hertz", "hunt": "hunt-crossley"}
"""The law that the manual prints for 'lankarani' is that of Hunt and Crossley."""
_FRICTIONS = {"linear": "linear"}
_UNREAD = ("z", "sigma0", "sigma1", "sdw")


def gravity(folder: Folder) -> CallGroup:
    """Return the acceleration of gravity: the sum of all weights."""
    total = [0.0, 0.0, 0.0]
    for s in folder.forces:
        if kind_of(s) == "weight":
            g = s.get("gravity", 9.81)
            total = [a + g * b for a, b in zip(total, s.get("wgt", _DOWN), strict=True)]
    return vector(total)


def forces(folder: Folder) -> list[tuple[CallGroup, str]]:
    """Return a call for each other force, and its comment."""
    return [
        (_BY_TYPE[kind_of(s)](folder, s), s.note) for s in folder.forces if kind_of(s) != "weight"
    ]


def _call(s: Item, method: str, *parts: str | CallGroup) -> CallGroup:
    return call(f"m.{method}", f'"S{s.number}"', *parts)


def _spring(folder: Folder, s: Item) -> CallGroup:
    ends = (s.get("iPindex"), s.get("jPindex"))
    if kind_of(s) == "ptp":
        ends = tail_and_head(folder, s.get("V2index"))
    words = [named("stiffness", number(s.get("k", 0.0))), named("length", number(s.get("el_0", 0)))]
    for field, word in (("c", "damping"), ("f_a", "force")):
        if s.get(field, 0.0):
            words.append(named(word, number(s.get(field))))
    return _call(s, "spring", *(point(folder, p) for p in ends), *words)


def _torque(folder: Folder, s: Item) -> CallGroup:
    torque = named("torque", vector(s.get("np")))
    return _call(s, "torque", body(s.get("iBindex")), torque, 'axes="body"')


def _sphere_plane(folder: Folder, s: Item) -> CallGroup:
    centre, plane = point(folder, s.get("iPindex")), body(s.get("jBindex"))
    words = [named("normal", vector(s.get("plane_normal_vector")))]
    if "sphere_radius" in s.values:
        words.append(named("radius", number(s.get("sphere_radius"))))
    return _call(s, "sphere_plane", centre, plane, *words, *_law(s), *_friction(s))


def _sphere_sphere(folder: Folder, s: Item) -> CallGroup:
    ends = (point(folder, s.get("iPindex")), point(folder, s.get("jPindex")))
    words = []
    for field, word in (("Ri", "radius_a"), ("Rj", "radius_b"), ("K", "stiffness")):
        if field in s.values:
            words.append(named(word, number(s.get(field))))
    return _call(s, "sphere_sphere", *ends, *words, *_law(s), *_friction(s))


def _law(s: Item) -> list[str | CallGroup]:
    model = s.get("force_model", "lankarani")
    if model not in _LAWS:
        raise fault(
            s.where("force_model"),
            f"the force_model {model!r} of force {s.number} is not known.",
            f"Known are: {', '.join(map(repr, _LAWS))}.",
        )
    words: list[str | CallGroup] = [f'law="{_LAWS[model]}"']
    words.append(named("restitution", number(s.get("restitution", 1.0))))
    exponent = s.get("n_exponent", 1.5)
    return [*words, named("exponent", number(exponent))] if exponent != 1.5 else words


def _friction(s: Item) -> list[str | CallGroup]:
    if not s.get("friction", False):
        return []
    model = s.get("fric_model", "linear")
    unread = [name for name in _UNREAD if s.get(name, 0.0)]
    if model not in _FRICTIONS or unread:
        name = unread[0] if unread else "fric_model"
        raise fault(
            s.where(name),
            f"{name} = {s.get(name)!r} of force {s.number} is not supported.",
            "Use the friction 'linear' with mu and mus; add other laws in the model file.",
        )
    words: list[str | CallGroup] = [f'friction="{_FRICTIONS[model]}"']
    for field, word in (("mu", "coefficient"), ("mus", "static"), ("vs", "fade")):
        if s.get(field, 0.0):
            words.append(named(word, number(s.get(field))))
    return words


_BY_TYPE: dict[str, Callable[[Folder, Item], CallGroup]] = {
    "ptp": _spring,
    "zu": _spring,
    "np": _torque,
    "sph_pln": _sphere_plane,
    "sph_sph": _sphere_sphere,
}

"""Hypothesis strategies of recipes: what may be drawn, so that every mechanism makes sense.

Nothing is filtered afterwards. Three families: bodies in space, bodies in the plane, and both.
A planar body is held in its plane, which is a loop through the ground that no joint shows, so
drivers (which could contradict a loop) occur in trees of one family only.
"""

from hypothesis import strategies as st

from tests.random_mechanisms import DRIVERS, GROUND, INTERNAL, LOADS, Link, Load, Recipe
from tests.unit.kernels.scenes import HOLONOMIC, JOINT_CLASSES, PLANAR, STUDIED, legal

# Wheels and balls need a plane at their radius, which a random position does not give, and what
# rolls at a carried point rests on the ground, which floating mechanisms must not touch.
DRAWN = (*HOLONOMIC, "knife_edge")
MOST_BODIES = 3
SEEDS = 2**16
# The simplest comes first: that is where Hypothesis goes when it makes a failure small.
FAMILIES = {
    "plane": ("planar", "natural"),
    "space": ("point", "quaternion", "quaternion", "quaternion"),
    "both": STUDIED,
}
MODES = ("tree", "floating", "floating", "driven", "driven", "loop", "loop")
LIKELY = st.sampled_from((False, True, True, True))


def joints_between(a: str, b: str, driven: bool) -> dict[str, tuple[bool, ...]]:
    """Joints that close between two kinds, and whether their axis may lie across the normal."""
    flat = {a, b} <= {"ground", *PLANAR}
    found = {}
    for name in DRAWN:
        if not legal(name, (a, b)) or (name in DRIVERS.values() and not driven):
            continue
        if a == b == "point" and name != "distance":
            continue  # two point masses are never at one place
        found[name] = (False, True) if {a, b} & {*PLANAR} else (False,)
        if name in ("dot_product", "universal") and not flat:
            # Two axes in the plane: to first order only turning about its normal changes their
            # angle, to second order tilting does too. Two such joints start in a singular position.
            found[name] = (False,)
        if "curve" in JOINT_CLASSES[name].field_names():
            found[name] = (False,)  # an axis in the plane would set the curve upright
        if flat and name in DRIVERS.values():  # turning about the normal, moving along the plane
            found[name] = (name == "translation_driver",)
    return found


def can_be_driven(joint: str, across: bool, kinds: set[str]) -> bool:
    """Whether the freedom that a driver needs is there."""
    if joint not in DRIVERS or not kinds & set(PLANAR):
        return joint in DRIVERS
    return across == (joint == "prismatic")


@st.composite
def recipes(draw: st.DrawFn, part: int = 0) -> Recipe:
    """Trees of one to three bodies, up to two more joints that close loops, up to two loads.

    Parts have no mechanism in common: their numbers differ.
    """
    family = draw(st.sampled_from(tuple(FAMILIES)))
    mode = draw(st.sampled_from(MODES if family != "both" else ("tree", "loop")))
    most = st.integers(1 + (mode in ("loop", "floating")), MOST_BODIES)
    kinds = tuple(draw(st.sampled_from(FAMILIES[family])) for _ in range(draw(most)))
    shape = _Shape(kinds, 0 if mode == "floating" else GROUND, mode == "driven")
    links = [draw(_tree_link(shape, k)) for k in range(len(kinds))]
    if mode in ("loop", "floating"):
        links += draw(st.lists(_loop_link(shape), max_size=2))
    laws = INTERNAL if mode == "floating" else LOADS
    loads = draw(st.lists(_load(shape, laws), max_size=2))
    seed = SEEDS * part + draw(st.integers(0, SEEDS - 1))
    return Recipe(kinds, tuple(filter(None, links)), tuple(loads), mode == "floating", seed)


class _Shape:
    """Bodies that links and loads can be drawn between; `first` is `GROUND` or 0."""

    def __init__(self, kinds: tuple[str, ...], first: int, driven: bool) -> None:
        self.kinds, self.first, self.driven = kinds, first, driven

    def kind(self, body: int) -> str:
        return "ground" if body == GROUND else self.kinds[body]

    def pairs(self, points: bool = True) -> list[tuple[int, int]]:
        """Ordered pairs of bodies, without point masses if those have nothing to hold on to."""
        places = [
            k for k in range(self.first, len(self.kinds)) if points or self.kind(k) != "point"
        ]
        return [(a, b) for a in places for b in places if a != b and b != GROUND]


@st.composite
def _tree_link(draw: st.DrawFn, shape: _Shape, body: int) -> Link | None:
    """A joint to an earlier body or to the ground, or none; its ends in either order."""
    if body == shape.first or not draw(LIKELY):
        return None
    parent = draw(st.integers(shape.first, body - 1))
    ends = draw(st.sampled_from([(parent, body), (body, parent)]))
    return draw(_link(shape, *ends))


@st.composite
def _link(draw: st.DrawFn, shape: _Shape, a: int, b: int) -> Link:
    kinds = shape.kind(a), shape.kind(b)
    known = joints_between(*kinds, shape.driven)
    if shape.driven and draw(LIKELY):
        known = {joint: known[joint] for joint in known if joint in DRIVERS} or known
    joint = draw(st.sampled_from(list(known)))
    across = draw(st.sampled_from(known[joint]))
    possible = shape.driven and can_be_driven(joint, across, set(kinds))
    return Link(joint, a, b, across, possible and draw(LIKELY))


@st.composite
def _loop_link(draw: st.DrawFn, shape: _Shape) -> Link:
    return draw(_link(shape, *draw(st.sampled_from(shape.pairs()))))


@st.composite
def _load(draw: st.DrawFn, shape: _Shape, laws: tuple[str, ...]) -> Load:
    law = draw(st.sampled_from([law for law in laws if _loaded(shape, law)]))
    a, b = draw(st.sampled_from(_loaded(shape, law)))
    return Load(law, a, b)


def _loaded(shape: _Shape, law: str) -> list[tuple[int, int]]:
    return shape.pairs(points=law not in ("torsion_spring", "motor", "torque"))

"""Flexible bodies by mass and stiffness matrices: floating frame, component mode synthesis."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.argument_types import ScalarLike, VectorLike
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.body_builder import describe
from mbdgen.language.expressions.scalars import Scalar, entries, is_number, shown, vector3
from mbdgen.language.flexible.flexible_picture import picture_of
from mbdgen.language.flexible.floating_options import amplitudes_of, damping_of
from mbdgen.language.flexible.modal_motion import BodyModes, ModalMotion, ModalStation
from mbdgen.language.markers.marker import Marker
from mbdgen.language.registry import floating_kind
from mbdgen.modal.craig_bampton import (
    IntArray,
    Interface,
    ReducedModes,
    normal_modes,
)
from mbdgen.modal.craig_bampton import (
    interface as interface_of,
)
from mbdgen.modal.matrix_files import as_matrix
from mbdgen.modal.mode_integrals import integrals
from mbdgen.modal.second_order_drawing import drawn
from mbdgen.modal.structure import Structure, structure

if TYPE_CHECKING:
    from mbdgen.language.model import Model

MOST = 30
"""Largest number of modes: the equations have a term for every pair of them."""
FOLLOWS = ("coordinates", "mass", "inertia", "centre_of_mass", "inertia_about", "length", "points")
"""Arguments of a body that follow from its matrices and must not be given."""


@explains_arguments
@dataclass(frozen=True)
class FlexibleBody:
    """A flexible body of a model in a floating frame of reference; see `Model.flexible_body`.

    Attributes
    ----------
    body : Body
        Its body: markers on it are fixed in the floating frame, those of `node` move with it.
    nodes : mapping
        Names of its interface nodes, with their markers.
    structure : Structure
        Its matrices, mass, centre of mass and inertia.
    modes : ReducedModes
        The reduced modes.
    interface : Interface
        The interface nodes, where joints may be attached.
    """

    drawn_as: ClassVar[str] = "wires"
    body: Body
    nodes: Mapping[Any, Marker]
    structure: Structure
    modes: ReducedModes
    interface: Interface

    @property
    def picture(self) -> tuple[Scalar, ...]:
        """Data of the body for pictures."""
        return picture_of(self)

    @property
    def name(self) -> str:
        """The name."""
        return self.body.name

    @property
    def frame(self) -> Marker:
        """The floating frame, at the origin of the node coordinates."""
        return self.body.origin

    @property
    def frequencies(self) -> Any:
        """Natural frequencies of the modes, Hz."""
        return np.sqrt(np.maximum(self.modes.values, 0)) / (2 * np.pi)

    def node(self, name: Any) -> Marker:
        """Return the frame of an interface node."""
        try:
            return self.nodes[name]
        except (KeyError, TypeError):
            listed = ", ".join(map(repr, self.nodes)) or "none"
            raise ModelError(
                f"The interface of flexible body '{self.name}' has no node {shown(name)}.",
                f"It has: {listed}.",
            ) from None

    def __repr__(self) -> str:
        return f"<flexible body '{self.name}': {len(self.modes.values)} modes>"


def flexible_body(
    model: "Model",
    name: str,
    *,
    mass: Any,
    stiffness: Any,
    nodes: Any,
    interface: Any,
    modes: int | None = None,
    highest: ScalarLike | None = None,
    frame: Any = "mean",
    stiffened: Sequence[int] | None = None,
    damping: ScalarLike | VectorLike = 0.0,
    amplitudes: VectorLike | None = None,
    rates: VectorLike | None = None,
    **description: Any,
) -> FlexibleBody:
    """Return a flexible body of small strains in a floating frame of reference.

    Parameters
    ----------
    mass, stiffness : matrix or path
        Matrices of the free body, in SI units; unknowns node by node, three displacements or these
        and three rotations. Files: ``.npy``, ``.npz`` (also sparse ones of SciPy), ``.mtx``.
    nodes : matrix or path
        Positions of the nodes, in the axes of the body.
    interface : list, or mapping of names to nodes
        Indices of nodes, from 0, for joints, forces and outputs; a list of indices instead of one
        connects these nodes rigidly.
    modes : int, optional
        Number of fixed-interface normal modes kept beside the static constraint modes (Craig and
        Bampton); by default ten, or all if there are fewer.
    highest : scalar, optional
        Cut-off frequency in Hz; modes above are omitted.
    frame : "mean", or a node of the interface
        Reference conditions of the floating frame: the mean of the whole body, or one interface
        node.
    stiffened : list of int, optional
        All nodes of a slender body in their order along it: includes foreshortening due to bending,
        which gives geometric stiffening in rotation.
    damping : scalar, or one for each mode
        Damping ratio.
    amplitudes, rates : scalars, optional
        Initial modal amplitudes and their rates.
    **description
        Initial pose and rigid-body velocity, see `Model.body`: `position` of the origin of
        the nodes, `orientation`, `velocity`, `angular_velocity`, `color`, ...
    """
    what = f"flexible body '{name}'"
    found = structure(
        as_matrix(mass, "mass", what),
        as_matrix(stiffness, "stiffness", what),
        np.asarray(_dense(as_matrix(nodes, "nodes", what))),
        what,
    )
    names, groups = _groups(interface, len(found.nodes), what)
    boundary = interface_of(found, groups, what)
    reference = _reference_node(frame, names, groups, found.size, what)
    if modes is not None and (isinstance(modes, bool) or not isinstance(modes, int) or modes < 0):
        raise ModelError(f"The modes of {what} are {shown(modes)}.", "Give a whole number.")
    limit = _highest(highest, what)
    reduced = normal_modes(found, boundary, modes, reference, limit, what)
    count = len(reduced.values)
    if not 0 < count <= MOST:
        raise ModelError(
            f"{what} would have {count} modes.",
            f"Between 1 and {MOST} are possible: change `modes`, `highest` or the interface.",
        )
    line = _line(stiffened, groups, found, what)
    second = drawn(found, reduced.shapes, line) if line else None
    numbers = integrals(found, reduced.shapes, reference is None, second)
    squares = tuple(map(float, reduced.values))
    table = BodyModes(
        stiffness=squares,
        damping=damping_of(damping, squares, (0.0,) * count, what),
        amplitudes=amplitudes_of(amplitudes, count, f"amplitudes of {what}"),
        rates=amplitudes_of(rates, count, f"rates of {what}"),
        **{key: tuple(map(tuple, x.tolist())) for key, x in vars(numbers).items()},
    )
    known = {"coordinates": "quaternion", "centre_of_mass": tuple(found.centre.tolist())}
    body = describe(model, name, found.weight, found.inertia.tolist(), **{**description, **known})
    body.kind = floating_kind(count, planar=False, stiffened=bool(line))()
    body.motion = ModalMotion(**vars(body.motion), modes=table)
    markers = {
        key: ModalStation(
            body, vector3(position.tolist(), what), shape=_shape(shape) + _drawn_at(second, group)
        )
        for key, position, group, shape in zip(
            names, boundary.places, groups, reduced.at_interface, strict=True
        )
    }
    return FlexibleBody(body, markers, found, reduced, boundary)


def _shape(at_node: Any) -> tuple[float, ...]:
    """Return the displacements mode by mode, then the rotations."""
    return tuple(map(float, [*at_node[:3].T.ravel(), *at_node[3:].T.ravel()]))


def _drawn_at(second: Any, group: IntArray) -> tuple[float, ...]:
    """Return the foreshortening of a node for every pair of modes."""
    if second is None:
        return ()
    pairs = zip(*np.triu_indices(len(second)), strict=True)
    return tuple(float(c) for i, j in pairs for c in second[i, j, group[0]])


def _line(
    given: Any, groups: tuple[IntArray, ...], body: Structure, what: str
) -> tuple[int, ...] | None:
    """Return the nodes of a slender body in their order."""
    if given is None:
        return None
    listed = entries(given) or ()
    count, order = len(body.nodes), tuple(int(k) for k in listed if is_number(k))
    if sorted(order) != list(range(count)) or [*order] != [*listed]:
        raise ModelError(
            f"{what} is stiffened={shown(given)}, which is no order of its {count} nodes.",
            "List all of them as they follow each other along the body.",
        )
    if any(len(group) > 1 for group in groups):
        raise ModelError(
            f"{what} is stiffened and ties nodes of its interface together.",
            "Give single nodes, or leave out stiffened.",
        )
    return order


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if not isinstance(matrix, np.ndarray) else matrix


def _groups(given: Any, count: int, what: str) -> tuple[list[Any], tuple[IntArray, ...]]:
    """Return names and nodes of the interface."""
    pairs = list(given.items()) if isinstance(given, Mapping) else None
    if pairs is None:
        listed = entries(given)
        if listed is None:
            raise ModelError(
                f"The interface of {what} is {shown(given)}.",
                "Give a list of node numbers, or names with node numbers.",
            )
        pairs = [(x if entries(x) is None else tuple(entries(x) or ()), x) for x in listed]
    groups, seen = [], set[int]()
    for _, x in pairs:
        listed = entries(x)
        numbers = [x] if listed is None else list(listed)
        whole = all(is_number(k) and 0 <= k < count and k == int(k) for k in numbers)
        if not numbers or not whole:
            raise ModelError(
                f"The interface of {what} has the node {shown(x)}.",
                f"Its nodes are counted from 0 to {count - 1}.",
            )
        nodes = [int(k) for k in numbers if is_number(k)]
        if len({*nodes}) < len(nodes) or seen & {*nodes}:
            raise ModelError(
                f"The interface of {what} has a node twice: {shown(x)}.", "Name it once."
            )
        seen |= {*nodes}
        groups.append(np.array(nodes, np.int64))
    return [key for key, _ in pairs], tuple(groups)


def _reference_node(
    frame: Any, names: list[Any], groups: tuple[IntArray, ...], size: int, what: str
) -> int | None:
    if isinstance(frame, str) and frame == "mean":
        return None
    if frame not in names:
        listed = ", ".join(map(repr, ("mean", *names)))
        raise ModelError(f"The frame of {what} is {shown(frame)}.", f"Use one of: {listed}.")
    k = names.index(frame)
    if size == 3 and len(groups[k]) == 1:
        raise ModelError(
            f"The frame of {what} is its node {shown(frame)}, which has no turns.",
            "Tie several nodes together there, or use frame='mean'.",
        )
    return k


def _highest(given: Any, what: str) -> float:
    if given is None:
        return math.inf
    if not is_number(given) or not given > 0:
        raise ModelError(f"The highest frequency of {what} is {shown(given)}.", "Give it in Hz.")
    return 2 * math.pi * float(given)

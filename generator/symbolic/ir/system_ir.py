"""Intermediate representation of a whole mechanism: kernels, tables and names."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mbdgen.interface import LEVELS
from mbdgen.interval import Interval
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph
from mbdgen.topology.elements import Rule

if TYPE_CHECKING:
    from mbdgen.symbolic.coordinates.recursion import Recursion
    from mbdgen.topology.tree import Tree

HEADER = ("n", "nnz", "n_q", "n_lam")
PER_TYPE = ("count", "p", "links", "scatter")
"""The integer table begins with `HEADER`, then for each type the instance count and the offsets of
its parameters, links (connectivity) and scatter map."""


@dataclass(frozen=True)
class TypeTable:
    """Element type with all its instances.

    Attributes
    ----------
    ir : ElementIR
        Its equations.
    title : str
        Unique name in generated code.
    instances : tuple of str
        Names of the elements.
    bodies : tuple of tuple of str
        Names of the bodies of each element.
    columns : tuple of str
        Columns that its equations use.
    links : array of int, shape (instances, k)
        Per instance: first coordinate of each block of each body; own first row and multiplier (if
        it has multipliers); first multiplier of each joint it reads; index of its outputs. The
        names of the columns are ``ir.link_names()``.
    place : int
        Index among the types.
    p_offset : int
        Offset of its parameters in ``p``.
    rows : tuple of str
        Meaning of each local row.
    statement : str
        Description of its elements, in a sentence.
    crowd : (str, int), optional
        Name of the many contacts and index of their table, if it is their law: then an instance is
        a row of parameters only, and a run writes the links of the current pairs, each followed by
        the index of its parameters.
    rule : tuple of (abscissa, weight)
        Points and weights of the quadrature, if its elements are integrals: they state integrands.
    """

    ir: ElementIR
    title: str
    instances: tuple[str, ...]
    bodies: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    links: IntArray
    place: int
    p_offset: int
    rows: tuple[str, ...]
    statement: str
    crowd: tuple[str, int] | None = None
    rule: Rule = ()

    @property
    def times(self) -> int:
        """Number of evaluations of its equations."""
        return len(self.instances) * max(1, len(self.rule))

    @property
    def header(self) -> int:
        """Index of its count and offsets in the integer table."""
        return len(HEADER) + len(PER_TYPE) * self.place


@dataclass(frozen=True)
class NeighbourTable:
    """Integers of many contacts, see `mbdgen.interface.CROWD`."""

    name: str
    integers: IntArray


@dataclass(frozen=True)
class FlatKernel:
    """Kernel specialised for the whole mechanism.

    Attributes
    ----------
    name : str
        Kernel kind.
    graph : Graph
        All instances inlined.
    inputs : tuple of (input name, array, index)
        Addresses of the inputs.
    outputs : tuple of (index, node)
        Results and their indices.
    guards : tuple of (node, limit)
        Nodes and their smallest admissible magnitude, otherwise the kernel returns 1 and its result
        is invalid.
    """

    name: str
    graph: Graph
    inputs: tuple[tuple[str, str, int], ...]
    outputs: tuple[tuple[int, int], ...]
    guards: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Bounded:
    """Bounds of an expression of the named parameters.

    Attributes
    ----------
    root : int
        Its node.
    interval : Interval
        Admissible values.
    what, advice : str
        Description, and remedy if it is out of bounds.
    """

    root: int
    interval: Interval
    what: str
    advice: str


@dataclass(frozen=True)
class DerivedValues:
    """Expressions of the named parameters, with the targets and the bounds of their values."""

    names: tuple[str, ...]
    defaults: tuple[float, ...]
    units: tuple[str, ...]
    graph: Graph
    roots: tuple[int, ...]
    p_targets: IntArray
    q_targets: IntArray
    v_targets: IntArray
    bounds: tuple[Bounded, ...]


@dataclass(frozen=True)
class SceneTable:
    """Scene of the mechanism for pictures.

    Attributes
    ----------
    rows : tuple of (kind, name, bodies, colour, count)
        Figures, with the count of their numbers.
    numbers : tuple of float
        Values at the defaults of the parameters.
    derived : DerivedValues
        Expressions of parameters among them; the indices are its ``p_targets``.
    """

    rows: tuple[tuple[str, str, tuple[str, ...], str, int], ...]
    numbers: tuple[float, ...]
    derived: DerivedValues


@dataclass(frozen=True)
class DisplacedIR:
    """Body whose virtual displacements are not variations of coordinates.

    Attributes
    ----------
    first, n_q, n_u : int
        Its first coordinate, and its numbers of coordinates and dynamics rows.
    kind : str
        Name of its coordinates.
    attitude : int
        Its first orientation parameter with a coordinate singularity; -1 if there is none.
    home : tuple of float
        Values of these farthest from the singularity.
    """

    first: int
    n_q: int
    n_u: int
    kind: str
    attitude: int
    home: tuple[float, ...]


@dataclass(frozen=True)
class StatedIR:
    """Initial conditions as stated for bodies: see `mbdgen.runtime.system.system_data.Stated`."""

    coordinates: tuple[tuple[int, int, int], ...] = ()
    inertias: tuple[tuple[int, int], ...] = ()
    held: tuple[int, ...] = ()
    held_velocity: tuple[int, ...] = ()
    twists: tuple[tuple[int, int], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether any initial values of bodies are fixed."""
        return bool(self.held or self.held_velocity or self.twists)


@dataclass(frozen=True)
class Roles:
    """Roles of rows, coordinates, multipliers and outputs.

    Attributes
    ----------
    constraint_rows : tuple of int
        Constraint rows: norms, then those with multipliers.
    velocity_rows : tuple of int
        Nonholonomic ones among them, which constrain velocities only.
    unit_blocks : tuple of (first coordinate, length)
        Coordinates that form a unit vector.
    fixed, fixed_velocity : tuple of int
        Coordinates that assembly must not change.
    turns : tuple of (index in p, index in p, whether it may jump)
        For every unwrapped angle the indices of the data of `mbdgen.interface.TURNS`.
    driven : tuple of int
        Multipliers of drivers and of joints that depend on time: they do work.
    displaced : tuple of DisplacedIR
        Bodies with the kernel of displacements.
    bases : tuple of (index in p, which of these, entry of its base)
        Parameters that a run may change.
    contacts : tuple of outputs
        For every contact the indices of the outputs that a run monitors.
    memory : tuple of (index in p, which contact, which of its variables)
        State variables of contacts that a run may change too.
    ranges : tuple of (coordinate, index in p of the smallest, of the largest value)
        Path coordinates of moving points, with bounds.
    moved : tuple of int
        Outputs that are multipliers of eliminated drivers.
    stated : StatedIR
        Stated initial data of bodies whose coordinates are not those of the system.
    loads : tuple of int
        Indices in p of the magnitudes of loads.
    printed_loads : tuple of str
        Loads whose magnitudes are constants in the kernels.
    """

    constraint_rows: tuple[int, ...]
    velocity_rows: tuple[int, ...]
    unit_blocks: tuple[tuple[int, int], ...]
    fixed: tuple[int, ...]
    fixed_velocity: tuple[int, ...]
    turns: tuple[tuple[int, int, bool], ...]
    driven: tuple[int, ...]
    displaced: tuple[DisplacedIR, ...]
    bases: tuple[tuple[int, int, int], ...]
    contacts: tuple[tuple[int, ...], ...]
    memory: tuple[tuple[int, int, int], ...]
    ranges: tuple[tuple[int, int, int], ...] = ()
    moved: tuple[int, ...] = ()
    stated: StatedIR = StatedIR()
    loads: tuple[int, ...] = ()
    printed_loads: tuple[str, ...] = ()


@dataclass(frozen=True)
class SystemIR:
    """Intermediate representation of a mechanism, as printed by a backend.

    Attributes
    ----------
    model : str
        Name of the model and of the module.
    layout : str
        ``loop`` or ``flat``.
    types : tuple of TypeTable
        Element types.
    bodies : tuple of TypeTable
        Types of bodies, in any layout, for the motion of their bodies. In other coordinates than
        theirs they read the states behind the outputs.
    telling : tuple of TypeTable
        Likewise, types with quantities along flexible bodies.
    flat : tuple of FlatKernel
        Empty in the layout ``loop``.
    statements : int
        Estimated number of statements, by which `auto` decides.
    reduced : (coordinates, multipliers) or None
        Numbers in the reduced system of fused kernels, if any.
    sensitivities : bool
        Whether there are kernels of variations (sensitivities).
    numbers : tuple of str
        Meaning of each entry of the table `p`.
    recursion : Recursion or None
        Loops of relative coordinates, if it has any.
    tree : Tree or None
        Spanning tree, with relative coordinates.
    optional : tuple of str
        Optional kernels of this module.
    scene : SceneTable or None
        Scene for pictures; parts of a mechanism have none.
    crowds : tuple of int
        Offsets of the tables of many contacts in ``m``.
    """

    model: str
    layout: str
    types: tuple[TypeTable, ...]
    bodies: tuple[TypeTable, ...]
    telling: tuple[TypeTable, ...]
    flat: tuple[FlatKernel, ...]
    statements: int
    sizes: dict[str, int]
    names: dict[str, tuple[str, ...]]
    roles: Roles
    p: FloatArray
    m: IntArray
    q0: FloatArray
    v0: FloatArray
    indptr: IntArray
    indices: IntArray
    reduced: tuple[int, int] | None
    sensitivities: bool
    numbers: tuple[str, ...]
    recursion: "Recursion | None"
    tree: "Tree | None"
    optional: tuple[str, ...]
    derived: DerivedValues
    scene: SceneTable | None = None
    crowds: tuple[int, ...] = ()

    @property
    def stated_pairs(self) -> list[int]:
        """Indices in the outputs, and in p, of stated values; positions, then rates."""
        first, size = len(self.names["outputs"]), len(self.names["bodies"]) // len(LEVELS)
        places = self.roles.stated.coordinates
        positions = [x for k, at, _ in places for x in (first + k, at)]
        return positions + [x for k, _, at in places for x in (first + size + k, at)]

"""The whole mechanism, ready to be printed: kernels, tables and names."""

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
    """One element type with all its instances.

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
        Columns that its equations really use.
    links : array of int, shape (instances, k)
        Per instance: first coordinate of each block of each body; own first row and multiplier (if
        it has multipliers); first multiplier of each joint it reads; place of its outputs. The
        names of the columns are ``ir.link_names()``.
    place : int
        Index among the types.
    p_offset : int
        Where its parameters begin.
    rows : tuple of str
        What each local row is.
    statement : str
        What its elements are, in a sentence.
    crowd : (str, int), optional
        Of many contacts and one of their tables, if it is the law of these: then an instance is a
        row of parameters only, and a run writes the links of the pairs that there are, each with
        the place of its parameters behind.
    rule : tuple of (place, weight)
        Of the quadrature, if its elements are integrals: what they state is of one place.
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
        """How often its equations are evaluated."""
        return len(self.instances) * max(1, len(self.rule))

    @property
    def header(self) -> int:
        """Where its count and its offsets stand in the integer table."""
        return len(HEADER) + len(PER_TYPE) * self.place


@dataclass(frozen=True)
class CrowdTable:
    """The integers of many contacts, see `mbdgen.interface.CROWD`."""

    name: str
    integers: IntArray


@dataclass(frozen=True)
class FlatKernel:
    """One kernel specialised for the whole mechanism.

    Attributes
    ----------
    name : str
        Kernel kind.
    graph : Graph
        All instances inlined.
    inputs : tuple of (input name, array, index)
        Where the inputs come from.
    outputs : tuple of (index, node)
        What is written where.
    guards : tuple of (node, limit)
        Magnitudes that must not be smaller, else the kernel returns 1 and its result is void.
    """

    name: str
    graph: Graph
    inputs: tuple[tuple[str, str, int], ...]
    outputs: tuple[tuple[int, int], ...]
    guards: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Bounded:
    """Where an expression of the named parameters must lie.

    Attributes
    ----------
    root : int
        Its node.
    interval : Interval
        Where it must lie.
    what, advice : str
        What it is, and what to do if it lies elsewhere.
    """

    root: int
    interval: Interval
    what: str
    advice: str


@dataclass(frozen=True)
class DerivedValues:
    """Expressions of the named parameters, where their values go and where they must lie."""

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
    """What pictures of the mechanism show.

    Attributes
    ----------
    rows : tuple of (kind, name, bodies, colour, count)
        Of each figure, with how many of the numbers are its.
    numbers : tuple of float
        At the defaults of the parameters.
    derived : DerivedValues
        Expressions of parameters among them; the places are its ``p_targets``.
    """

    rows: tuple[tuple[str, str, tuple[str, ...], str, int], ...]
    numbers: tuple[float, ...]
    derived: DerivedValues


@dataclass(frozen=True)
class DisplacedIR:
    """A body whose virtual displacements are no changes of coordinates.

    Attributes
    ----------
    first, n_q, n_u : int
        Its first coordinate, and how many coordinates and dynamics rows it has.
    kind : str
        Name of its coordinates.
    attitude : int
        Its first number that may fail to describe its orientation; -1 if none does.
    home : tuple of float
        Where these are farthest from failing.
    """

    first: int
    n_q: int
    n_u: int
    kind: str
    attitude: int
    home: tuple[float, ...]


@dataclass(frozen=True)
class StatedIR:
    """What was stated of bodies at the start: see `mbdgen.runtime.system.system_data.Stated`."""

    coordinates: tuple[tuple[int, int, int], ...] = ()
    inertias: tuple[tuple[int, int], ...] = ()
    held: tuple[int, ...] = ()
    held_velocity: tuple[int, ...] = ()
    twists: tuple[tuple[int, int], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether anything of bodies is held."""
        return bool(self.held or self.held_velocity or self.twists)


@dataclass(frozen=True)
class Roles:
    """Rows, coordinates, multipliers and outputs that have a part of their own.

    Attributes
    ----------
    constraint_rows : tuple of int
        Rows that hold constraints: norms, then those with multipliers.
    velocity_rows : tuple of int
        Those among them that constrain velocities only.
    unit_blocks : tuple of (first coordinate, length)
        Coordinates that form a unit vector.
    fixed, fixed_velocity : tuple of int
        Coordinates that assembly must not change.
    turns : tuple of (place in p, place in p, whether it may jump)
        Of every angle with all its turns where the numbers of `mbdgen.interface.TURNS` stand.
    driven : tuple of int
        Multipliers of drivers and of joints that know the time: they do work.
    displaced : tuple of DisplacedIR
        Bodies with the kernel of displacements.
    bases : tuple of (place in p, which of these, entry of its base)
        Numbers that a run may change.
    contacts : tuple of outputs
        For every contact the places of the outputs that a run looks at.
    memory : tuple of (place in p, which contact, which of its numbers)
        Numbers that a run may change too.
    ranges : tuple of (coordinate, place in p of the smallest, of the largest value)
        Numbers of places that move along a path.
    moved : tuple of int
        Outputs that are multipliers of drivers which have been eliminated.
    stated : StatedIR
        Of bodies whose coordinates are not those of the system.
    loads : tuple of int
        Places in p of the sizes of loads.
    printed_loads : tuple of str
        Loads whose sizes are numbers in the kernels.
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
    """Everything that a back end prints.

    Attributes
    ----------
    model : str
        Name of the model and of the module.
    layout : str
        ``loop`` or ``flat``.
    types : tuple of TypeTable
        Element types.
    bodies : tuple of TypeTable
        Types of bodies, in any layout: what the motion of their bodies follows from. In other
        coordinates than theirs they read the states behind the outputs.
    telling : tuple of TypeTable
        Likewise, types that tell something along flexible bodies.
    flat : tuple of FlatKernel
        Empty in the layout ``loop``.
    statements : int
        Estimate that `auto` decides by.
    reduced : (coordinates, multipliers) or None
        How many fused kernels work with, if not with all.
    sensitivities : bool
        Whether there are kernels of variations.
    numbers : tuple of str
        What each number of the table `p` is.
    recursion : Recursion or None
        Loops of relative coordinates, if it has any.
    tree : Tree or None
        Which joints give places, if the coordinates are theirs.
    optional : tuple of str
        Kernels besides those of every module.
    scene : SceneTable or None
        What pictures show; parts of a mechanism have none of their own.
    crowds : tuple of int
        Where the tables of many contacts begin in ``m``.
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
        """Places in what the outputs write, and in p of what was stated; positions, then rates."""
        first, size = len(self.names["outputs"]), len(self.names["bodies"]) // len(LEVELS)
        places = self.roles.stated.coordinates
        positions = [x for k, at, _ in places for x in (first + k, at)]
        return positions + [x for k, _, at in places for x in (first + size + k, at)]

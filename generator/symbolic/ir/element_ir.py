"""Intermediate representation of an element type: a graph with nodes for each quantity.

Quantities are lists of entries, a node with its local indices:

residual  (row,)
matrix    (row, column); behind its own multipliers those that it reads
rates     (level, row), level 0 for phi_dot and 1 for phi_ddot
slopes    (level, row, column), level 0 for d phi_dot/dq and 1 for d phi_ddot/dq (if asked for)
jerks     (row,) of the rate of the residual and of phi_ddot (if asked for)
displacements  (index,): B of du/dt = B dq/dt by rows, rates of du/dt, data of a chart switch
          (bodies whose virtual displacements are not variations of coordinates)
motion    (component,) of r, R by columns, v, w, a, alpha of the centre of mass (bodies only)
along     (index,) of quantities at a point of its body, with the names `told`
energies  (0 kinetic, 1 potential, 2 power,)
outputs   (component,)
angles    (index,) of unwrapped angles, each followed by its rate
conditions  () under which the element is active (`symbolic.statement.active_conditions`)
trivial   constraint rows without coordinates, which must be zero by their data alone

Local rows and columns: coordinates of the element's bodies one after the other, then multipliers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mbdgen.geometry.frames import of_body
from mbdgen.symbolic.ir.graph import Graph

Entry = tuple[tuple[int, ...], int]  # local indices, node


class Input(NamedTuple):
    """Address of one entry of the state: ``array[link + offset]``.

    Links are integers of an instance: the first coordinate of a body or of a block of it, the first
    multiplier of a joint.
    """

    name: str
    array: str
    link: str
    offset: int


@dataclass(frozen=True)
class ElementIR:
    """Derived element type.

    Attributes
    ----------
    title : str
        Name in generated code.
    role : str
        ``body``, ``joint``, ``force`` or ``output``.
    labels : tuple of str
        Letters of the bodies.
    coordinates : tuple of tuple of str
        Coordinate names of each body.
    blocks : tuple of tuple of int
        For each body the sizes of its blocks of contiguous coordinates.
    n_rows : tuple of int
        Number of dynamics rows of each body.
    kept : tuple of int
        Which of the stated equations became constraint rows (others are trivial).
    n_velocity : int
        Number of nonholonomic (velocity) equations among these, the last ones.
    reads : tuple of (label, kept)
        Multipliers of other joints that it reads: part label and their kept equations.
    graph : Graph
        All quantities in one graph.
    quantities : tuple of (name, entries)
        Nodes by quantity.
    told : tuple of (name, unit)
        Quantities along its body.
    turns : tuple of (number, whether it jumps)
        Unwrapped angles that it reads: numbers are those in the names of inputs.
    """

    title: str
    role: str
    labels: tuple[str, ...]
    coordinates: tuple[tuple[str, ...], ...]
    blocks: tuple[tuple[int, ...], ...]
    n_rows: tuple[int, ...]
    kept: tuple[int, ...]
    reads: tuple[tuple[str, tuple[int, ...]], ...]
    graph: Graph
    quantities: tuple[tuple[str, tuple[Entry, ...]], ...]
    n_velocity: int = 0
    told: tuple[tuple[str, str], ...] = ()
    turns: tuple[tuple[int, bool], ...] = ()

    @property
    def n_q(self) -> int:
        """Number of coordinates of all its bodies."""
        return sum(len(c) for c in self.coordinates)

    @property
    def n_lam(self) -> int:
        """Number of multipliers (constraint rows) of its own."""
        return len(self.kept)

    def entries(self, quantity: str) -> tuple[Entry, ...]:
        """Return the entries of a quantity."""
        return dict(self.quantities).get(quantity, ())

    def matrix_places(self) -> dict[tuple[int, ...], int]:
        """Return the index of the matrix entry (row, column) among the entries."""
        return {index: place for place, (index, _) in enumerate(self.entries("matrix"))}

    def link_names(self) -> tuple[str, ...]:
        """Return the names of an instance's links: coordinates, own rows, multipliers, outputs."""
        found = [link for link, _ in self.block_links()]
        if self.n_lam:
            found += ["row", "k"]
        found += [f"k_{label}" for label, _ in self.reads]
        found += ["g"] if self.turns else []
        return (*found, "o") if self.role == "output" else tuple(found)

    def block_links(self) -> list[tuple[str, int]]:
        """Return the link to the first coordinate of every block, and the size of the block."""
        return [
            (f"i_{label}_{k}" if k else f"i_{label}", size)
            for label, sizes in zip(self.labels, self.blocks, strict=True)
            for k, size in enumerate(sizes)
        ]

    def coordinate_links(self) -> list[tuple[str, int]]:
        """Return link and offset of every coordinate."""
        return [(link, k) for link, size in self.block_links() for k in range(size)]

    def inputs(self) -> Iterator[Input]:
        """Yield every input that is an entry of the state."""
        every = zip(self.labels, self.coordinates, strict=True)
        names = [of_body(c, label) for label, coordinates in every for c in coordinates]
        for name, (link, k) in zip(names, self.coordinate_links(), strict=True):
            yield Input(name, "q", link, k)
            yield Input(f"{name}_dot", "v", link, k)
            yield Input(f"{name}_ddot", "a", link, k)
        for k in range(self.n_lam):
            yield Input(f"lam_{k}", "lam", "k", k)
        for label, kept in self.reads:
            for k in range(len(kept)):
                yield Input(f"lam_{label}_{k}", "lam", f"k_{label}", k)

    def to_json(self) -> dict[str, object]:
        """Return plain data for the cache."""
        return {
            "title": self.title,
            "role": self.role,
            "labels": self.labels,
            "coordinates": self.coordinates,
            "blocks": self.blocks,
            "n_rows": self.n_rows,
            "kept": self.kept,
            "n_velocity": self.n_velocity,
            "reads": self.reads,
            "nodes": self.graph.nodes,
            "names": self.graph.labels,
            "quantities": self.quantities,
            "told": self.told,
            "turns": self.turns,
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> "ElementIR":
        """Return the element that `to_json` stored."""
        d = {k: _tuples(v) for k, v in data.items()}
        graph = Graph(d.pop("nodes"), d.pop("names"))  # type: ignore[arg-type]
        return cls(graph=graph, **d)  # type: ignore[arg-type]


def _tuples(x: object) -> object:
    """Convert lists of JSON to tuples."""
    return tuple(_tuples(e) for e in x) if isinstance(x, list) else x

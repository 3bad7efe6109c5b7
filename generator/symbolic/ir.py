"""The element as the back end sees it: a graph and which of its nodes are which quantity."""

from collections.abc import Iterator
from dataclasses import dataclass

from mbdgen.symbolic.graph import Graph

Entry = tuple[tuple[int, ...], int]  # local indices, node

QUANTITIES = ("residual", "matrix", "rates", "energies", "outputs", "trivial")
"""What an element may contribute; each is a list of entries.

residual: (row,); matrix: (row, column); rates: (level, row) with level 0 for phi_dot and 1 for
phi_ddot; energies: (0 kinetic, 1 potential, 2 power); outputs: (component,); trivial: constraint
rows without coordinates, which must be zero by their numbers alone.

Local rows and columns: coordinates of the element's bodies one after the other, then multipliers.
"""


@dataclass(frozen=True)
class ElementIR:
    """One derived element type.

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
    n_rows : tuple of int
        Number of dynamics rows of each body.
    kept : tuple of int
        Which of the stated equations became constraint rows (others are trivial).
    reads : tuple of (label, kept)
        Multipliers of other joints that it reads: part label and their kept equations.
    graph : Graph
        All quantities in one graph.
    quantities : tuple of (name, entries)
        Nodes by quantity.
    """

    title: str
    role: str
    labels: tuple[str, ...]
    coordinates: tuple[tuple[str, ...], ...]
    n_rows: tuple[int, ...]
    kept: tuple[int, ...]
    reads: tuple[tuple[str, tuple[int, ...]], ...]
    graph: Graph
    quantities: tuple[tuple[str, tuple[Entry, ...]], ...]

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

    def state_names(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield (input name, array, body, offset) of every state input."""
        for b, (label, names) in enumerate(zip(self.labels, self.coordinates, strict=True)):
            for k, c in enumerate(names):
                yield f"{c}_{label}", "q", b, k
                yield f"{c}_{label}_dot", "v", b, k
                yield f"{c}_{label}_ddot", "a", b, k

    def to_json(self) -> dict[str, object]:
        """Return plain data for the cache."""
        return {
            "title": self.title,
            "role": self.role,
            "labels": self.labels,
            "coordinates": self.coordinates,
            "n_rows": self.n_rows,
            "kept": self.kept,
            "reads": self.reads,
            "nodes": self.graph.nodes,
            "names": self.graph.labels,
            "quantities": self.quantities,
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> "ElementIR":
        """Return the element that `to_json` stored."""
        d = {k: _tuples(v) for k, v in data.items()}
        graph = Graph(d.pop("nodes"), d.pop("names"))  # type: ignore[arg-type]
        return cls(graph=graph, **d)  # type: ignore[arg-type]


def _tuples(x: object) -> object:
    """JSON has lists where the representation has tuples."""
    return tuple(_tuples(e) for e in x) if isinstance(x, list) else x

"""Equations of a mechanism for fused kernels: residual and iteration matrix at any nodes."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from mbdgen.interface import STATE
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.symbolic.lower.flatten import WholeMechanism

Nodes = list[int]
Entries = dict[tuple[int, int], int]  # (row, column) -> node


class StraightSystem(ABC):
    """Mechanism in one graph, in a set of coordinates.

    Attributes
    ----------
    builder : GraphBuilder
        The graph.
    n_q, n_lam : int
        Numbers of coordinates and multipliers of the set.
    multipliers : sequence of int
        Their indices among the multipliers of a module of these equations.
    """

    n_q: int
    n_lam: int
    multipliers: Sequence[int]

    def __init__(self, whole: WholeMechanism) -> None:
        self._whole = self.whole = whole
        self.builder: GraphBuilder = whole.builder
        self.sources = whole.sources
        self.p = whole.p

    @property
    def n(self) -> int:
        """Number of rows and unknowns."""
        return self.n_q + self.n_lam

    def load(self, name: str, array: str, index: int) -> int:
        """Return the node of an entry of an input array."""
        return self._whole.load(name, array, index)

    def zeros(self, kind: str) -> Nodes:
        """Return zero nodes instead of a state vector."""
        return [self.builder.const(0.0)] * (self.n_lam if kind == "lam" else self.n_q)

    def state(self, **given: Any) -> dict[str, Any]:
        """Return the state that equations are evaluated at: inputs, unless nodes are given."""
        vectors = {kind: self.vector(kind) for kind in STATE if kind not in given}
        return self._whole.state(**vectors, **given)

    def finish(
        self,
        name: str,
        outputs: Sequence[tuple[int, int]],
        guards: Sequence[tuple[int, float]] = (),
    ) -> FlatKernel:
        """Return a kernel that writes the given nodes."""
        return self._whole.finish(name, outputs, guards)

    @abstractmethod
    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a state vector, read from its own array or from another."""

    @abstractmethod
    def residual(self, state: dict[str, Any]) -> dict[int, int]:
        """Return the non-zero rows ``M a - f - G^T lam`` and ``phi``."""

    @abstractmethod
    def rates(self, state: dict[str, Any]) -> dict[int, int]:
        """Return ``phi_dot`` by row and ``phi_ddot`` by ``n`` + row."""

    @abstractmethod
    def power(self, state: dict[str, Any]) -> int:
        """Return the power of loads and drivers."""

    @abstractmethod
    def matrix(self, state: dict[str, Any]) -> Entries:
        """Return the non-zero entries of ``[c_q r_q + c_v r_v + c_a r_a, -G^T; H, 0]``."""


class Substituted(StraightSystem):
    """Mechanism in other coordinates, from which those of its bodies follow."""

    @abstractmethod
    def full(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state in absolute coordinates."""

    @abstractmethod
    def values(
        self, kernel: str, state: dict[str, Any], lam: Nodes | None = None
    ) -> dict[int, int]:
        """Return the results of a kernel that are independent of the choice of coordinates."""

    @property
    @abstractmethod
    def constraint_rows(self) -> frozenset[int]:
        """Constraint rows."""


class AllCoordinates(StraightSystem):
    """Mechanism in the coordinates of its bodies (absolute coordinates).

    Parameters
    ----------
    whole : WholeMechanism
        Mechanism with an empty graph.
    indptr, indices : array of int
        Sparsity pattern of the matrix.
    """

    def __init__(self, whole: WholeMechanism, indptr: IntArray, indices: IntArray) -> None:
        super().__init__(whole)
        self.n_q, self.n_lam = whole.numbering.n_q, whole.numbering.n_lam
        self.multipliers = range(self.n_lam)
        self._indptr, self._indices = indptr, indices

    def vector(self, kind: str, array: str | None = None) -> Nodes:
        """Return the nodes of a state vector, read from its own array or from another."""
        return self._whole.vector(kind, array)

    def residual(self, state: dict[str, Any]) -> dict[int, int]:
        """Return the rows of the residual."""
        return self._whole.values("residual", state, "residual")

    def rates(self, state: dict[str, Any]) -> dict[int, int]:
        """Return the rates of the constraints."""
        return self._whole.values("rates", state, "rates")

    def power(self, state: dict[str, Any]) -> int:
        """Return the power of loads and drivers."""
        return self._whole.values("energies", state).get(2, self.builder.const(0.0))

    def matrix(self, state: dict[str, Any]) -> Entries:
        """Return the entries of the iteration matrix."""
        values = self._whole.values("matrix", state, "matrix")
        return {
            (int(self._indices[at]), c): values[at]
            for c in range(self.n)
            for at in range(self._indptr[c], self._indptr[c + 1])
            if at in values
        }

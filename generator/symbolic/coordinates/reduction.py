r"""Reduction of a mechanism: eliminated coordinates and multipliers, with their formulas.

Two kinds of coordinates are eliminated. Those that a constraint row gives explicitly
(`mbdgen.symbolic.coordinates.explicit_coordinates`):

.. math::
    q_e = -\frac{\phi_k|_{q_e=0}}{c}, \quad v_e = -\frac{\dot\phi_k|_{v_e=0}}{c}, \quad
    a_e = -\frac{\ddot\phi_k|_{a_e=0}}{c}, \quad
    \lambda_k = -\frac{r_e|_{\lambda_k=0}}{\partial r_e/\partial\lambda_k}

and the quaternions that a joint gives (`mbdgen.symbolic.coordinates.orientation_elimination`),
which are replaced by the joint angle. Coordinates are computed outwards from the ground,
multipliers inwards from the tips.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.interface import LEVELS
from mbdgen.symbolic.coordinates.explicit_coordinates import Explicit, explicit_coordinates
from mbdgen.symbolic.coordinates.orientation_elimination import (
    Turned,
    angle_name,
    child_quaternion,
    turned,
)
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism
from mbdgen.topology.joint_turns import JointTurn

Names = dict[str, dict[int, str]]


@dataclass(frozen=True)
class EliminatedMultipliers:
    """Lagrange multipliers eliminated by dynamics rows.

    Attributes
    ----------
    multipliers : tuple of int
        Their indices.
    nodes : tuple of int
        Combinations of dynamics rows, without these multipliers.
    inverse : array
        Inverse of the derivatives of the combinations with respect to the multipliers.
    needs : frozenset of int
        Multipliers in the combinations.
    """

    multipliers: tuple[int, ...]
    nodes: tuple[int, ...]
    inverse: Any
    needs: frozenset[int]


@dataclass(frozen=True)
class Reduction:
    """Reduced mechanism as data.

    Attributes
    ----------
    instances : Instances
        The mechanism.
    graph : Graph
        Graph of all nodes below; its inputs are the state of the mechanism and the new angles.
    sources : mapping
        Inputs other than the state: time and parameters.
    names : mapping of q, v, a, lam to {index: input}
        The indices of new angles follow those of the rows of the mechanism.
    angles : mapping of index to Turned
        The new coordinates.
    given : mapping of q, v, a to {coordinate: node}
        Formulas of eliminated coordinates, each after those that it depends on.
    balances : tuple of EliminatedMultipliers
        Formulas of eliminated multipliers, each after those that it depends on.
    rows : mapping of residual, phi_dot, phi_ddot to {row: node}
        Rows that remain.
    coordinates, multipliers : tuple of int
        Those that remain.
    places : mapping of row to index
        New index of every remaining row; the row of a coordinate has the coordinate's index.
    constraint_rows : tuple of int
        Constraint rows by their index among the remaining rows.
    """

    instances: Instances
    graph: Graph
    sources: Mapping[str, tuple[str, int]]
    names: Names
    angles: Mapping[int, Turned]
    given: Mapping[str, dict[int, int]]
    balances: tuple[EliminatedMultipliers, ...]
    rows: Mapping[str, dict[int, int]]
    coordinates: tuple[int, ...]
    multipliers: tuple[int, ...]
    places: Mapping[int, int]
    constraint_rows: tuple[int, ...]


def reduce(
    instances: Instances,
    constraint_rows: Sequence[int],
    turns: Sequence[tuple[JointTurn, Sequence[int]]] = (),
) -> Reduction:
    """Reduce a mechanism: eliminate explicit coordinates and orientations given by joints.

    Parameters
    ----------
    instances : Instances
        The mechanism.
    constraint_rows : sequence of int
        Rows that hold constraints.
    turns : sequence of (JointTurn, multipliers of its joint)
        Orientations given by joints, parents before children.
    """
    work = _Reducing(instances, constraint_rows, turns)
    found = work.finish()
    if found is None:  # orientations and reactions that depend on each other
        found = _Reducing(instances, constraint_rows, ()).finish()
    assert found is not None, "explicit coordinates alone can always be put in order"
    return found


class _Reducing:
    """Graph of the whole mechanism during the reduction."""

    def __init__(
        self,
        instances: Instances,
        constraint_rows: Sequence[int],
        turns: Sequence[tuple[JointTurn, Sequence[int]]],
    ) -> None:
        self.instances, self.whole = instances, WholeMechanism(instances)
        self.b: GraphBuilder = self.whole.builder
        self.n, self.n_q = self.whole.numbering.n, self.whole.numbering.n_q
        self.state = self.whole.state()
        rates, zero = self.whole.values("rates", self.state), self.b.const(0.0)
        self.rows = {
            "residual": self.whole.values("residual", self.state),
            "phi_dot": {r: rates.get(r, zero) for r in constraint_rows},
            "phi_ddot": {r: rates.get(self.n + r, zero) for r in constraint_rows},
        }
        self.constraints = frozenset(constraint_rows)
        self.turned = [t for turn, own in turns if (t := self._turned(turn, own)) is not None]
        gone = {row for t in self.turned for row in (*t.rows, t.norm)}
        needs: dict[int, frozenset[int]] = {}
        for t in self.turned:
            inner = frozenset(t.parent).union(*(needs.get(k, frozenset()) for k in t.parent))
            needs |= dict.fromkeys(t.quaternion, inner)
        jacobian = self._derivatives(self.constraints - gone, "q", 0)
        self.reactions = self._derivatives(
            self.rows["residual"].keys() - self.constraints, "lam", self.n_q
        )
        graph = self.b.finish()
        self.explicit = explicit_coordinates(graph, self.n_q, jacobian, self.reactions, needs)

    def finish(self) -> Reduction | None:
        """Return the reduction, or None if the multipliers cannot be ordered."""
        names: Names = {
            kind: dict(enumerate(self.whole.variables[kind])) for kind in (*LEVELS, "lam")
        }
        angles = {}
        for k, t in enumerate(t for t in self.turned if t.turn.free):
            angles[self.n + k] = t
            for kind, end in zip(LEVELS, ("", "_dot", "_ddot"), strict=True):
                names[kind][self.n + k] = f"{angle_name(t.turn)}{end}"
        given = self._given(names, {t.turn.child.name: k for k, t in angles.items()})
        balances = _in_order(self._balances())
        if balances is None:
            return None
        solved = {k for balance in balances for k in balance.multipliers}
        empty = {t.norm for t in self.turned} | {self.n_q + k for k in solved}
        rows = {
            level: {r: x for r, x in nodes.items() if r not in given["q"] and r not in empty}
            for level, nodes in self.rows.items()
        }
        for place, t in angles.items():
            assert t.remaining is not None
            (rows["residual"][place],) = self._without([t.remaining], "lam", self._own(t))
        coordinates = tuple(k for k in sorted(names["q"]) if k not in given["q"])
        multipliers = tuple(k for k in sorted(names["lam"]) if k not in solved)
        kept = [*coordinates, *(self.n_q + k for k in multipliers)]
        places = {row: place for place, row in enumerate(kept)}
        return Reduction(
            instances=self.instances,
            graph=self.b.finish(),
            sources={n: s for n, s in self.whole.sources.items() if s[0] in ("t", "p", "w")},
            names=names,
            angles=angles,
            given=given,
            balances=balances,
            rows=rows,
            coordinates=coordinates,
            multipliers=multipliers,
            places=places,
            constraint_rows=tuple(places[r] for r in sorted(self.constraints) if r in places),
        )

    def _turned(self, turn: JointTurn, own: Sequence[int]) -> Turned | None:
        return turned(self.whole, self.state, self.rows["residual"], turn, own)

    def _derivatives(self, rows: Any, kind: str, first: int) -> dict[int, dict[int, int]]:
        one = self.b.const(1.0)
        chosen = sorted(set(rows) & self.rows["residual"].keys())
        seeds = {node: {first + k: one} for k, node in enumerate(self.state[kind])}
        found = gradients(self.b, [self.rows["residual"][r] for r in chosen], seeds)
        return dict(zip(chosen, found, strict=True))

    def _given(self, names: Names, angles: Mapping[str, int]) -> dict[str, dict[int, int]]:
        """Return the formulas of eliminated coordinates at three levels."""
        given: dict[str, dict[int, int]] = {kind: {} for kind in LEVELS}
        for t in self.turned:
            place = angles.get(t.turn.child.name)
            inputs = {
                kind: [self.state[kind][k] for k in t.parent]
                + ([] if place is None else [self.b.input(names[kind][place])])
                for kind in LEVELS
            }
            angle = None if place is None else inputs["q"][-1]
            nodes = child_quaternion(self.b, t.turn, inputs["q"][: len(t.parent)], angle)
            for kind in LEVELS:
                given[kind] |= dict(zip(t.quaternion, nodes, strict=True))
                nodes = self._rate(nodes, inputs)
        for e in self.explicit:
            for kind, level in zip(LEVELS, ("residual", "phi_dot", "phi_ddot"), strict=True):
                node = self.rows[level][e.row]
                (rest,) = self._without([node], kind, [e.coordinate])
                given[kind][e.coordinate] = self.b.div(self.b.neg(rest), self.b.const(e.slope))
        return given

    def _rate(self, nodes: Sequence[int], inputs: Mapping[str, list[int]]) -> list[int]:
        """Return the time derivatives of functions of coordinates and velocities."""
        seeds = {q: {0: v} for q, v in zip(inputs["q"], inputs["v"], strict=True)}
        seeds |= {v: {0: a} for v, a in zip(inputs["v"], inputs["a"], strict=True)}
        return [g.get(0, self.b.const(0.0)) for g in gradients(self.b, nodes, seeds)]

    def _own(self, t: Turned) -> list[int]:
        return [row - self.n_q for row in t.rows]

    def _balances(self) -> list[EliminatedMultipliers]:
        found = [
            self._balance(
                [self.rows["residual"][e.coordinate]], [e.row - self.n_q], [[1.0 / e.reaction]]
            )
            for e in self.explicit
        ]
        return found + [self._balance(t.balances, self._own(t), t.inverse) for t in self.turned]

    def _balance(
        self, nodes: Sequence[int], own: Sequence[int], inverse: Any
    ) -> EliminatedMultipliers:
        rest = self._without(nodes, "lam", own)
        inputs = {node: k for k, node in enumerate(self.state["lam"])}
        needs = frozenset(inputs[k] for k in self.b.finish().needed(rest) if k in inputs)
        return EliminatedMultipliers(tuple(own), tuple(rest), np.array(inverse, float), needs)

    def _without(self, nodes: Sequence[int], kind: str, places: Sequence[int]) -> list[int]:
        """Return nodes with some inputs replaced by zeros."""
        graph = self.b.finish()
        inputs = {name: k for name, k in graph.inputs.items()}
        inputs |= {self.whole.variables[kind][k]: self.b.const(0.0) for k in places}
        return self.b.inline(graph, list(nodes), inputs)


def _in_order(
    balances: Sequence[EliminatedMultipliers],
) -> tuple[EliminatedMultipliers, ...] | None:
    """Return the balances in dependency order; None if there is none."""
    waiting, found = list(balances), []
    unknown = {k for balance in balances for k in balance.multipliers}
    while waiting:
        ready = [x for x in waiting if not x.needs & unknown]
        if not ready:
            return None
        found += ready
        waiting = [x for x in waiting if x not in ready]
        unknown -= {k for x in ready for k in x.multipliers}
    return tuple(found)


__all__ = ["EliminatedMultipliers", "Explicit", "Reduction", "reduce"]

"""Initial conditions of joint coordinates, and the parameters of branches."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from mbdgen.language.bodies.coordinates import initial_of
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.coordinates.branches import TURN_OVER, numbers_of
from mbdgen.symbolic.coordinates.relative_numbering import Joined, Relation
from mbdgen.symbolic.coordinates.relative_state import InitialBranches
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.lower.parameter_expressions import ParameterExpressions

Numbers = dict[str, dict[str, int]]
"""Indices in the table of parameters, by joint and name."""


@dataclass(frozen=True)
class Start:
    """Initial state of a mechanism from its model.

    Attributes
    ----------
    model : Model
        The model.
    book : ParameterExpressions
        Collects values that depend on parameters.
    branches : InitialBranches
        Finds the state of joints.
    """

    model: Model
    book: ParameterExpressions
    branches: InitialBranches

    def of(self, joined: Joined) -> tuple[Any, Any]:
        """Return coordinates and rates of a branch."""
        attached = self.model.attached[joined.branch.joint]
        a, b = attached.markers[:2]
        element: Any = attached.element
        return self.branches.state(joined.branch, element, a, b)

    def state(self, relation: Relation) -> tuple[FloatArray, FloatArray]:
        """Return all coordinates and velocities."""
        q0, v0 = np.zeros(relation.n_q), np.zeros(relation.n_q)
        for body, joined in relation.in_order(self.model):
            assert body.kind is not None
            if joined is None:
                first = relation.free[body.name][1]
                q, v = initial_of(body.kind, body.motion)
            else:
                first = joined.first
                q, v = self.of(joined)
            what = f"initial state of body '{body.name}'"
            for k, (x, y) in enumerate(zip(q, v, strict=True)):
                q0[first + k] = self.book.place(x, "q", first + k, what)
                v0[first + k] = self.book.place(y, "v", first + k, what)
        return q0, v0

    def numbers(self, relation: Relation, p: FloatArray) -> tuple[Numbers, FloatArray]:
        """Append the parameters of all branches to the table of parameters."""
        places: Numbers = {}
        values = p.tolist()
        for joined in relation.joined:
            joint, numbers = joined.branch.joint, numbers_of(joined.branch)
            if joint not in self.model.attached:
                pass  # a free joint: it has the coordinates of the body
            elif TURN_OVER in numbers:
                numbers[TURN_OVER] += self._whole_turns(joined, numbers[TURN_OVER])
            elif self._opposite(joined, numbers):
                # The axes of the child with the opposite sign, so that its own is as at the start.
                end = "a" if joined.branch.backward else "b"
                numbers |= {f"m_{end}{k}": -numbers[f"m_{end}{k}"] for k in range(4)}
            own = places[joint] = {}
            for name, x in numbers.items():
                own[name] = len(values)
                values.append(self.book.place(x, "p", len(values), f"{name} of joint '{joint}'"))
        return places, np.array(values, float)

    def _opposite(self, joined: Joined, numbers: Mapping[str, Any]) -> bool:
        """Return whether a branch gives the initial quaternion of its child with opposite sign."""
        parent, child = joined.branch.parent.body, joined.branch.child.body
        assert child is not None and child.kind is not None and child.kind.quaternion is not None
        inputs = {name: self.book.value(x, name) for name, x in numbers.items()}
        if parent is not None and parent.kind is not None:
            q, _ = initial_of(parent.kind, parent.motion)
            inputs |= {f"p{k}": self.book.value(x, "coordinate") for k, x in enumerate(q)}
        own, _ = self.of(joined)
        inputs |= {f"s{k}": self.book.value(x, "coordinate") for k, x in enumerate(own)}
        first = child.kind.quaternion.coordinates
        nodes = joined.geometry.q[first : first + 4]
        q, _ = initial_of(child.kind, child.motion)
        wanted = [self.book.value(x, "coordinate") for x in q[first : first + 4]]
        given = evaluate(joined.geometry.graph, nodes, inputs)
        return sum(x * y for x, y in zip(given, wanted, strict=True)) < 0.0

    def _whole_turns(self, joined: Joined, offset: Any) -> float:
        """Return the full turns by which planar initial angles differ from the joint's own."""
        branch = joined.branch
        angles = []
        for end in (branch.b, branch.a):
            angle = 0.0 if end.body is None else end.body.motion.plane_angle()
            angles.append(self.book.value(angle, "angle"))
        q, _ = self.of(joined)
        axis = 1.0 - 2.0 * (branch.a.axes[1] ** 2 + branch.a.axes[2] ** 2)
        own = sum(
            axis * self.book.value(x, "angle")
            for x, move in zip(q, branch.moves, strict=True)
            if move.rotates
        )
        return 2.0 * pi * round((angles[0] - angles[1] - own - offset) / (2.0 * pi))

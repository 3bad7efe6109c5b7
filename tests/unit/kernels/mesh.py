"""A straight mesh of equal elements, assembled and solved here: nothing of the runtime is used."""

from typing import Any

import numpy as np
import scipy.linalg as la

from mbdgen import Model
from mbdgen.interface import QUADRATURE
from tests.unit.kernels.element import Array, ElementCase, evaluate_many


class Mesh:
    """Elements along a line that share their nodes; the first node may be clamped."""

    def __init__(self, kind: str, count: int, points: Any, section: Any, law: Any, **more: Any):
        m = Model("mesh")
        beam = m.beam("rod", points, section, law, elements=count, kind=kind, **more)
        name = beam.elements[0].name
        self.strain, self.body = ElementCase(m, f"{name}_strain"), ElementCase(m, name)
        starts = [np.array(b.kind.initial(b.motion)[0], float) for b in beam.elements]
        self.size = len(starts[0]) // 2
        self.q0 = np.concatenate([starts[0][: self.size], *(q[self.size :] for q in starts)])
        self.at = [np.arange(2 * self.size) + k * self.size for k in range(count)]

    def _values(self, case: ElementCase, what: str, q: Array, c: Any) -> Array:
        """Entries of a quantity of all elements at once, summed over the places of a quadrature."""
        ir, columns = case.ir, np.array([q[at] for at in self.at]).T
        inputs: dict[str, Any] = {
            **case.numbers,
            **dict(zip(("c_q", "c_v", "c_a"), c, strict=True)),
        }
        blocks = ir.block_links()
        first = np.cumsum([0, *(size for _, size in blocks)])
        links = {link: first[k] for k, (link, _) in enumerate(blocks)}
        for x in ir.inputs():
            still = x.array != "q"
            inputs[x.name] = 0.0 if still else columns[links[x.link] + x.offset]
        roots = [n for _, n in ir.entries(what)]
        rule = case.spec.rule or ((),)
        at = [inputs | dict(zip(QUADRATURE, place, strict=False)) for place in rule]
        values = sum(evaluate_many(ir.graph, roots, x) for x in at).real
        return np.broadcast_to(values, (len(roots), len(self.at)))

    def forces(self, q: Array) -> Array:
        """What holds the mesh as it is."""
        out = np.zeros(len(q))
        for row, x in zip(
            self.strain.places("residual"),
            self._values(self.strain, "residual", q, (1, 0, 0)),
            strict=True,
        ):
            np.add.at(out, [at[row] for at in self.at], x)
        return out

    def _matrix(self, case: ElementCase, q: Array, c: Any) -> Array:
        out = np.zeros((len(q), len(q)))
        for (place, _), x in zip(
            case.ir.entries("matrix"), self._values(case, "matrix", q, c), strict=True
        ):
            row, column = place
            np.add.at(out, ([at[row] for at in self.at], [at[column] for at in self.at]), x)
        return out

    def stiffness(self, q: Array) -> Array:
        """Its derivative."""
        return self._matrix(self.strain, q, (1, 0, 0))

    def mass(self) -> Array:
        """The constant mass matrix."""
        return self._matrix(self.body, self.q0, (0, 0, 1))

    def bent(self, load: Array, held: Any, stages: int = 1) -> Array:
        """The equilibrium under a dead load on the coordinates, by Newton's method."""
        free, q = np.setdiff1d(np.arange(len(self.q0)), held), self.q0.copy()
        for part in np.linspace(0, 1, stages + 1)[1:]:
            for _ in range(40):
                step = la.solve(
                    self.stiffness(q)[np.ix_(free, free)], (part * load - self.forces(q))[free]
                )
                q[free] += step
                if abs(step).max() < 1e-12 * (1 + abs(q).max()):
                    break
            else:
                raise AssertionError("Newton's method does not converge")
        return q

    def frequencies(self, held: Any = ()) -> Array:
        """Angular frequencies about the straight beam, with some coordinates held."""
        free = np.setdiff1d(np.arange(len(self.q0)), held)
        part = np.ix_(free, free)
        squares = la.eigh(self.stiffness(self.q0)[part], self.mass()[part], eigvals_only=True)
        return np.sqrt(np.maximum(squares, 0))

"""A whole mechanism, evaluated in NumPy from its flat graph for many complex states at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mbdgen.build_options import BuildOptions
from mbdgen.language.model import Model
from mbdgen.stages import derive_types, lower_model
from mbdgen.symbolic.ir.system_ir import FlatKernel
from mbdgen.topology.specify import specify
from tests.unit.kernels.element import STEP, Array, ElementCase, State, close, evaluate_many


class MechanismCase(ElementCase):
    """All elements of a model; the same checks apply as to one of them.

    Attributes
    ----------
    ir : SystemIR
        The mechanism as the flat layout prints it (without fused kernels).
    """

    def __init__(self, model: Model, freeze: Sequence[str] = ()) -> None:
        self.model = model
        specs = specify(model)
        options = BuildOptions("numba", "flat", freeze)
        self.ir: Any = lower_model(model, specs, derive_types(specs, "sympy"), options)
        self.kernels = {kernel.name: kernel for kernel in self.ir.flat}
        self._count([*model.bodies.values()], self.ir.sizes["n_lam"])
        self.psi = list(self.ir.roles.velocity_rows)

    def places(self, quantity: str) -> list[int]:
        """Where each entry of a quantity is written."""
        return [place for place, _ in self.kernels[quantity].outputs]

    def values(self, quantity: str, s: State, weights: Any = (0, 0, 0)) -> Array:
        """Entries of a quantity in their order."""
        kernel = self.kernels[quantity]
        nodes = [node for _, node in kernel.outputs]
        return evaluate_many(kernel.graph, nodes, self._inputs(kernel, s, weights))

    def _inputs(self, kernel: FlatKernel, s: State, weights: Any) -> dict[str, Any]:
        p = self.ir.p.astype(complex)
        arrays = {"t": [s.t], "q": s.q, "v": s.v, "a": s.a, "lam": s.lam, "p": p, "w": weights}
        return {name: arrays[array][k] for name, array, k in kernel.inputs} | {"t": s.t}

    def terms(self, quantity: str, s: State, weights: Any = (0, 0, 0)) -> float:
        """The largest number that the kernel computes on its way at a real state."""
        kernel = self.kernels[quantity]
        needed = list(kernel.graph.needed([node for _, node in kernel.outputs]))
        values = evaluate_many(kernel.graph, needed, self._inputs(kernel, s, weights))
        return float(np.abs(values).max(initial=0.0))

    def whole(self, quantity: str, s: State, size: int, weights: Any = (0, 0, 0)) -> Array:
        """What the kernel writes at a real state."""
        out = np.zeros(size)
        out[self.places(quantity)] = self.values(quantity, s, weights)[:, 0].real
        return out

    def matrix(self, s: State, weights: Any) -> Array:
        """Dense matrix of real numbers at one state."""
        values = self.whole("matrix", s, len(self.ir.indices), weights)
        out = np.zeros((self.n, self.n))
        columns = np.repeat(np.arange(self.n), np.diff(self.ir.indptr))
        out[self.ir.indices, columns] = values
        return out

    @property
    def can_move(self) -> bool:
        """Whether the constraints leave a freedom at the start, by singular values."""
        s = self.initial_state(np.random.default_rng(0))
        h = self.matrix(s, (0, 0, 0))[np.ix_(self.norms + self.phi, range(self.n_q))]
        return len(h) == 0 or bool(np.linalg.matrix_rank(h, 1e-9) < self.n_q)

    def rigid_motions(self, q: Array) -> list[Array]:
        """Coordinate rates of moving everything together: as many as the space has."""
        moves = [*zip(np.eye(6)[:, :3], np.eye(6)[:, 3:], strict=True)]
        if all(kind.planar for kind in self.kinds):
            moves = [moves[k] for k in (0, 1, 5)]
        return [self._moved_together(q, *move) for move in moves]

    def _moved_together(self, q: Array, along: Array, about: Array) -> Array:
        rates, first = np.zeros_like(q), 0
        for kind in self.kinds:
            part, out = q[first : first + kind.n_q], rates[first : first + kind.n_q]
            first += kind.n_q
            if kind.planar:
                unit = {start for start, _ in kind.unit_blocks}  # directions do not translate
                for k in range(0, kind.n_q - 1, 2):
                    turned = about[2] * np.array([-part[k + 1], part[k]])
                    out[k : k + 2] = turned + (0 if k in unit else along[:2, None])
                if kind.name == "planar":
                    out[2] = about[2]
                continue
            out[:3] = along[:, None] + np.cross(about, part[:3].T).T
            if kind.name == "quaternion":
                out[3] = -0.5 * about @ part[4:]
                out[4:] = 0.5 * (np.outer(about, part[3]) + np.cross(about, part[4:].T).T)
        return rates

    def momenta(self, s: State) -> Array:
        r"""Momentum and angular momentum: :math:`\partial T/\partial v` along rigid motions.

        The energy is quadratic in the velocities, so that
        :math:`p_\xi = T(v + \xi) - T(v) - T(\xi)`.
        """

        def kinetic(v: Array) -> Array:
            return self.energies(State(s.t, s.q, v, s.a, s.lam))[0]

        return np.array(
            [kinetic(s.v + xi) - kinetic(s.v) - kinetic(xi) for xi in self.rigid_motions(s.q)]
        )


def check_energy_balance(e: MechanismCase, s: State) -> None:
    r"""At any proper state, :math:`r \cdot u = \dot T + \dot V - P - \lambda \cdot \dot\phi`.

    The rows on which virtual displacements do work are what changes the energy and is not
    accounted for by loads, drivers and the violated velocities.
    """
    rows = e.residual(s).real[e.dynamics, 0] @ e.twist(s)
    change = e.energies(s.moved(t=1, q=s.v, v=s.a)).imag[:2].sum() / STEP
    power = e.energies(s).real[2, 0]
    missed = float(s.lam.real[:, 0] @ e.rates(s)[0].real[e.phi, 0])
    close(np.array(rows), np.array(change - power - missed), "energy balance", 1e-11)


def check_momentum_balance(e: MechanismCase, s: State) -> None:
    r"""Where all forces are internal, :math:`r \cdot u_\xi = \dot p_\xi` for rigid motions.

    Joints have to be closed: reactions at two different points would be a couple.
    """
    change = e.momenta(s.moved(q=s.v, v=s.a))[:, 0].imag / STEP
    rows = e.residual(s).real[e.dynamics, 0]
    found = [rows @ e.twist(State(s.t, s.q, xi, s.a, s.lam)) for xi in e.rigid_motions(s.q)]
    close(np.array(found), change, "momentum balance", 1e-11)

"""One derived element with its numbers, evaluated in NumPy for many complex states at once.

The evaluator is written here and shares nothing with `mbdgen.symbolic.ir.graph_evaluation` but the
graph.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from mbdgen.bodies.quaternion import Quaternion
from mbdgen.geometry.stumpff import value as stumpff_value
from mbdgen.interface import QUADRATURE
from mbdgen.language.bodies.body import Body
from mbdgen.language.expressions.scalars import value_of
from mbdgen.language.model import Model
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.derive.derivation import derive
from mbdgen.symbolic.derive.tape import angle_inputs
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.graph import Graph
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.specify import specify

Array = NDArray[Any]
STEP = 1e-30
TINY = 1e-12


def _atan2(y: Array, x: Array) -> Array:
    # Analytic near the real axis, to first order in the imaginary parts.
    a, b = y.real, x.real
    return np.arctan2(a, b) + 1j * (b * y.imag - a * x.imag) / (a * a + b * b)


_OPERATIONS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "atan2": _atan2,
    "pow": np.power,
    "abs": lambda x: np.where(x.real < 0, -x, x),
    "sign": lambda x: np.sign(x.real) + 0j,
    "floor": lambda x: np.floor(x.real) + 0j,
    "lt": lambda a, b: (a.real < b.real) + 0j,
    "le": lambda a, b: (a.real <= b.real) + 0j,
    "eq": lambda a, b: (a.real == b.real) + 0j,
    "min": lambda a, b: np.where(a.real <= b.real, a, b),
    "max": lambda a, b: np.where(a.real >= b.real, a, b),
    "select": lambda c, a, b: np.where(c != 0, a, b),
}


def evaluate_many(graph: Graph, roots: list[int], inputs: Mapping[str, Any]) -> Array:
    """Values of the roots, shape (roots, batch); inputs are numbers or arrays of the batch."""
    size = np.broadcast_shapes((1,), *(np.shape(x) for x in inputs.values()))
    value: dict[int, Array] = {}
    for k in graph.needed(roots):
        op, *args = graph.nodes[k]
        if op == "const":
            value[k] = np.full(size, args[0], complex)
        elif op == "input":
            value[k] = np.broadcast_to(np.asarray(inputs[args[0]], complex), size)
        else:
            value[k] = _OPERATIONS[op](*(value[a] for a in args))
    return np.array([value[k] for k in roots]).reshape(len(roots), *size)


@cache
def _derived(key: str, engine: str, spec: "_Hidden") -> ElementIR:
    return derive(spec.spec, make_engine(engine))


class _Hidden:
    """A spec that does not take part in the key of the memory."""

    def __init__(self, spec: ElementSpec) -> None:
        self.spec = spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hidden)

    def __hash__(self) -> int:
        return 0


def _columns(x: Any) -> Array:
    x = np.asarray(x, complex)
    return x[:, None] if x.ndim == 1 else x


class State:
    """Arguments (t, q, v, a, lam) of the kernels; each has a batch dimension behind its own."""

    def __init__(self, t: Any, q: Array, v: Array, a: Array, lam: Array) -> None:
        self.t = np.atleast_1d(np.asarray(t, complex))
        self.q, self.v, self.a, self.lam = (_columns(x) for x in (q, v, a, lam))

    def moved(self, t: Any = 0, q: Any = 0, v: Any = 0, a: Any = 0, lam: Any = 0) -> "State":
        """The state after an imaginary step along a direction."""
        step = 1j * STEP
        return State(
            self.t + step * np.asarray(t),
            *(
                x + step * (_columns(d) if np.ndim(d) else d)
                for x, d in ((self.q, q), (self.v, v), (self.a, a), (self.lam, lam))
            ),
        )


class ElementCase:
    """A derived element of a model with the numbers of that model.

    Attributes
    ----------
    n_q, n_lam, n_read : int
        Local coordinates and multipliers, and multipliers of other joints that it reads.
    dynamics, norms, phi, psi : list of int
        Local rows that hold equations of motion, norms, constraints with multipliers, and those of
        the latter that are equations of velocities.
    """

    n_read = 0

    def __init__(self, model: Model, name: str, engine: str = "sympy") -> None:
        self.model = model
        self.spec = next(s for s in specify(model) if s.name == name)
        self.ir = _derived(self.spec.key, engine, _Hidden(self.spec))
        known = model.parameter_defaults
        self.numbers = {c: value_of(x, known, c) for c, x in self.spec.columns}
        self.n_read = sum(len(kept) for _, kept in self.ir.reads)
        self._count(self.spec.bodies, self.ir.n_lam)
        self.psi = self.phi[len(self.phi) - self.ir.n_velocity :]

    def _count(self, bodies: Sequence[Body], n_lam: int) -> None:
        """Number rows and columns: those of the bodies one after the other, then multipliers."""
        self.bodies = tuple(bodies)
        self.kinds = [b.kind for b in bodies]
        self.n_q, self.n_lam = sum(k.n_q for k in self.kinds), n_lam
        self.n = self.n_q + self.n_lam
        self.dynamics, self.norms, first = [], [], 0
        for kind in self.kinds:
            self.dynamics += range(first, first + kind.n_u)
            self.norms += range(first + kind.n_u, first + kind.n_q)
            first += kind.n_q
        self.phi = list(range(self.n_q, self.n))

    # --- states ---------------------------------------------------------------------------------

    def random_state(self, rng: np.random.Generator) -> State:
        """Any numbers at all: derivatives must not need a constraint to hold."""
        q, v, a = rng.uniform(-1, 1, (3, self.n_q))
        return State(rng.uniform(0.1, 1), q, v, a, rng.uniform(-1, 1, self.n_lam + self.n_read))

    def proper_state(self, rng: np.random.Generator) -> State:
        """Random state in which each body fulfils its own norm or length, also in velocities."""
        return self._made_proper(self.random_state(rng))

    def _made_proper(self, s: State) -> State:
        first = 0
        for kind, body in zip(self.kinds, self.bodies, strict=True):
            q, v = s.q[first : first + kind.n_q], s.v[first : first + kind.n_q]
            for start, length in kind.unit_blocks:
                unit, rate = q[start : start + length], v[start : start + length]
                unit /= np.linalg.norm(unit)
                rate -= unit * np.sum(unit * rate)
            if hasattr(kind, "orientation"):
                rate = v[3:].copy()
                q[3:, 0] = closest(kind, q[3:, 0].real)
                v[3:, 0] = turning_map(kind, q[3:, 0].real) @ rate[:3, 0]
            if kind.name == "natural":
                length = value_of(body.motion.length, self.model.parameter_defaults, "length")
                u = (q[2:] - q[:2]) / np.linalg.norm(q[2:] - q[:2])
                q[2:] = q[:2] + length * u
                v[2:] -= u * np.sum(u * (v[2:] - v[:2]))
            first += kind.n_q
        return s

    def initial_state(self, rng: np.random.Generator) -> State:
        """The position that the model describes, with random rates."""
        known = self.model.parameter_defaults
        q = [
            value_of(x, known, "q")
            for b, kind in zip(self.bodies, self.kinds, strict=True)
            for x in kind.initial(b.motion)[0]
        ]
        s = self.random_state(rng)
        return State(0.0, np.array(q), s.v, s.a, s.lam)

    def closed_state(self, rng: np.random.Generator) -> State:
        """The initial state, with rates that keep norms and lengths."""
        return self._made_proper(self.initial_state(rng))

    # --- values ---------------------------------------------------------------------------------

    def values(self, quantity: str, s: State, weights: Any = (0, 0, 0)) -> Array:
        """Entries of a quantity in their order."""
        inputs: dict[str, Any] = {"t": s.t, **self.numbers}
        inputs |= dict(zip(("c_q", "c_v", "c_a"), weights, strict=True))
        blocks = self.ir.block_links()
        first = np.cumsum([0, *(size for _, size in blocks)])
        arrays = {"q": s.q, "v": s.v, "a": s.a, "lam": s.lam}
        links = {link: first[k] for k, (link, _) in enumerate(blocks)} | {"k": 0}
        read = np.cumsum([self.n_lam, *(len(kept) for _, kept in self.ir.reads)])
        links |= {f"k_{label}": read[k] for k, (label, _) in enumerate(self.ir.reads)}
        # Angles are predicted near 0, as at the beginning of a run: within half a turn.
        inputs |= {name: 0.0 for k, _ in self.ir.turns for name in angle_inputs(k)}
        for x in self.ir.inputs():
            inputs[x.name] = arrays[x.array][links[x.link] + x.offset]
        roots = [n for _, n in self.ir.entries(quantity)]
        rule = self.spec.rule or ((),)  # integrals along a body are sums over places
        at = [inputs | dict(zip(QUADRATURE, place, strict=False)) for place in rule]
        return sum(evaluate_many(self.ir.graph, roots, x) for x in at)

    def places(self, quantity: str) -> list[int]:
        """Where each entry of a quantity is written."""
        second = self.n if quantity == "rates" else 0
        return [index[-1] + second * index[0] for index, _ in self.ir.entries(quantity)]

    def _scattered(self, quantity: str, s: State, size: int) -> Array:
        values = self.values(quantity, s)
        out = np.zeros((size, *values.shape[1:]), complex)
        for at, x in zip(self.places(quantity), values, strict=True):
            out[at] += x
        return out

    def residual(self, s: State) -> Array:
        """All local rows."""
        return self._scattered("residual", s, self.n)

    def rates(self, s: State) -> tuple[Array, Array]:
        """phi_dot and phi_ddot in all local rows."""
        both = self._scattered("rates", s, 2 * self.n)
        return both[: self.n], both[self.n :]

    def energies(self, s: State) -> Array:
        """Kinetic, potential, power."""
        return self._scattered("energies", s, 3)

    def matrix(self, s: State, weights: Any) -> Array:
        """Dense local matrix of real numbers at one state."""
        values = self.values("matrix", s, weights)[:, 0]
        out = np.zeros((self.n, self.n + self.n_read))
        seen = set()
        for ((row, column), _), x in zip(self.ir.entries("matrix"), values, strict=True):
            assert (row, column) not in seen, f"entry {row, column} is listed twice"
            seen.add((row, column))
            out[row, column] = x.real
        return out

    @property
    def has_known_twist(self) -> bool:
        """Whether the displacements of all rows are known here: else work cannot be compared."""
        return all(map(has_known_twist, self.kinds))

    # --- kinematics of the body kinds, written here independently ---------------------------------

    def rates_from_twist(self, q: Array) -> Array:
        """T with dq = T du, du in the order of the dynamics rows."""
        t, row, column = np.zeros((self.n_q, len(self.dynamics))), 0, 0
        for kind in self.kinds:
            block = np.eye(kind.n_q, kind.n_u)
            if is_quaternion(kind):
                first = kind.unit_blocks[0][0]
                at = row + first
                block[first:, first:] = 0.5 * body_map(q[at : at + 4].real.ravel()).T
            if hasattr(kind, "orientation"):
                block[3:, 3:] = turning_map(kind, q[row + 3 : row + kind.n_q].real.ravel())
            t[row : row + kind.n_q, column : column + kind.n_u] = block
            row, column = row + kind.n_q, column + kind.n_u
        return t

    def twist(self, s: State) -> Array:
        """u = B(q) v, the velocities that the dynamics rows do power on."""
        found, row = [], 0
        for kind in self.kinds:
            q, v = s.q[row : row + kind.n_q].real, s.v[row : row + kind.n_q].real
            if is_quaternion(kind):
                k = kind.unit_blocks[0][0]
                found.append(np.concatenate([v[:k], 2 * body_map(q[k:].ravel()) @ v[k:]]))
            elif hasattr(kind, "orientation"):
                back = np.linalg.pinv(turning_map(kind, q[3:].ravel()))
                found.append(np.concatenate([v[:3], back @ v[3:]]))
            else:
                found.append(v)
            row += kind.n_q
        return np.concatenate(found).ravel()


def is_quaternion(kind: Any) -> bool:
    """Whether a kind ends with a unit quaternion, whose rows are moments in body axes."""
    return isinstance(kind, Quaternion)


def has_known_twist(kind: Any) -> bool:
    """Whether the displacements of all rows of a kind are known here."""
    return is_quaternion(kind) or hasattr(kind, "orientation") or kind.n_q == kind.n_u


def body_map(q: Array) -> Array:
    """E_bar(q) with omega_body = 2 E_bar dq/dt."""
    q0, e = q[0], q[1:]
    skew = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return np.column_stack([-e, q0 * np.eye(3) - skew])


@cache
def _stated(orientation: Any) -> Any:
    """R by columns, then the norms, as a function of (complex) numbers."""
    o = sympy.symbols(orientation.coordinates, real=True)
    columns = orientation().rotation(o, lambda _, e: sympy.sympify(e))
    numbers = [e for column in columns for e in column] + list(orientation().norms(o))
    modules = [{"Stumpff": stumpff_value}, "numpy"]
    return sympy.lambdify(o, numbers, modules=modules)


def rotation_of(kind: Any, o: Array) -> Array:
    """The rotation matrix of an orientation set."""
    numbers = _stated(kind.orientation)(*o)
    return np.array(numbers[:9]).reshape(3, 3).T


def turning_map(kind: Any, o: Array) -> Array:
    """T of an orientation set: rates of its numbers by angular velocities in body axes."""
    rows = np.zeros((len(o), len(o)))
    for j, unit in enumerate(np.eye(len(o))):
        numbers = np.array(_stated(kind.orientation)(*(o + 1j * STEP * unit)))
        slope = numbers.imag / STEP
        turning = rotation_of(kind, o).T @ slope[:9].reshape(3, 3).T
        rows[:3, j] = turning[2, 1], turning[0, 2], turning[1, 0]
        rows[3:, j] = slope[9:]
    return np.linalg.inv(rows)[:, :3]


def closest(kind: Any, o: Array) -> Array:
    """Numbers that fulfil the norms of a set."""
    if not kind.orientation().norms(o):
        return o
    left, _, right = np.linalg.svd(o.reshape(3, 3))
    return (left @ right * np.linalg.det(left @ right)).ravel()


def close(
    actual: Array, expected: Array, label: str, tolerance: float = TINY, terms: float = 0.0
) -> None:
    """Fail if arrays differ by more than a part of their size, naming the worst entry.

    Where the largest of the terms that they are computed from is known, its round-off is allowed.
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"{label}: {actual.shape} instead of {expected.shape}"
    error = np.abs(actual - expected)
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    allowed = max(tolerance * scale, 16 * np.finfo(float).eps * terms)
    assert error.max(initial=0.0) <= allowed, (
        f"{label}: entry {np.unravel_index(int(error.argmax()), error.shape)} is "
        f"{actual.ravel()[error.argmax()]}, expected {expected.ravel()[error.argmax()]}"
    )


def check_derivatives(e: ElementCase, s: State) -> None:
    """Matrix against the residual, and rates against the constraints, by complex steps."""
    weights = (0.7, -1.3, 0.4)
    axes = np.eye(e.n_q)
    moved = s.moved(q=weights[0] * axes, v=weights[1] * axes, a=weights[2] * axes)
    by_state = e.residual(_grown(moved, e.n_q)).imag / STEP
    jacobian = e.residual(_grown(s.moved(q=axes), e.n_q)).imag / STEP
    n_lam = e.n_lam + e.n_read
    by_lam = e.residual(_grown(s.moved(lam=np.eye(n_lam)), n_lam)).imag / STEP
    expected = np.zeros((e.n, e.n + e.n_read))
    expected[e.dynamics, : e.n_q] = by_state[e.dynamics]
    constraints = e.norms + e.phi
    expected[constraints, : e.n_q] = jacobian[constraints]
    assert not e.residual(s)[e.psi].any()
    moved = s.moved(q=weights[0] / weights[1] * axes, v=axes)
    expected[e.psi, : e.n_q] = (e.rates(_grown(moved, e.n_q))[0].imag / STEP)[e.psi]
    expected[:, e.n_q :] = by_lam
    assert not by_lam[constraints].any()
    close(e.matrix(s, weights), expected, "matrix")
    r = e.residual(s.moved(t=1, q=s.v))
    first, second = e.rates(s)
    positions = sorted({*constraints} - {*e.psi})
    close(first[positions].real, r[positions].imag / STEP, "phi_dot")
    r = e.rates(s.moved(t=1, q=s.v, v=s.a))[0]
    close(second[constraints].real, r[constraints].imag / STEP, "phi_ddot")
    others = np.setdiff1d(np.arange(e.n), constraints)
    assert not first[others].any() and not second[others].any()


def check_reactions(e: ElementCase, s: State) -> None:
    """-dr/dlam = T^T H^T: reactions do no work in any displacement the constraint allows."""
    if not e.has_known_twist:
        return
    matrix = e.matrix(s, (0, 0, 0))
    h = matrix[np.ix_(e.phi, range(e.n_q))]
    g_transposed = -matrix[np.ix_(e.dynamics, range(e.n_q, e.n))]
    close(g_transposed, (h @ e.rates_from_twist(s.q)).T, "G by virtual work")


def check_rank(e: ElementCase, s: State) -> None:
    """No equation of a joint follows from its others: it takes as many freedoms as it has rows."""
    if not e.has_known_twist or not e.n_lam:
        return
    h = e.matrix(s, (0, 0, 0))[np.ix_(e.phi, range(e.n_q))] @ e.rates_from_twist(s.q)
    rows = h / np.linalg.norm(h, axis=1, keepdims=True)
    singular = np.linalg.svd(rows, compute_uv=False)
    assert len(singular) == e.n_lam and singular.min() > 1e-6, f"singular values {singular}"


def check_power(e: ElementCase, s: State) -> None:
    """Reactions do the power -lam . phi_t, which is that of the drivers."""
    if not e.has_known_twist:
        return
    free = State(s.t, s.q, s.v, s.a, 0 * s.lam)
    reactions = (e.residual(free) - e.residual(s)).real[e.dynamics, 0]
    power = float(reactions @ e.twist(s))
    h = e.matrix(s, (0, 0, 0))[np.ix_(e.phi, range(e.n_q))]
    lam_h_v = (s.lam.real.T @ h @ s.v.real).item() if e.n_lam else 0.0
    close(np.array(power), np.array(lam_h_v), "power of reactions", 1e-11)
    phi_dot = e.rates(s)[0].real[e.phi, 0]
    by_driver = (e.energies(s) - e.energies(free)).real[2, 0]
    expected = lam_h_v - float(s.lam.real[:, 0] @ phi_dot)
    close(np.array(by_driver), np.array(expected), "power of the driver", 1e-11)


def _grown(s: State, size: int) -> State:
    """Repeat the parts of a state that a batch did not move."""
    grow = [np.broadcast_to(x, (len(x), size)) for x in (s.q, s.v, s.a, s.lam)]
    return State(np.broadcast_to(s.t, size), *grow)

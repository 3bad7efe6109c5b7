r"""Entries of :math:`M a = f + G^T \lambda,\ \phi = 0` of a small mechanism, in full.

They come from the statements, tape and derivatives that kernels are printed from, with the names
of bodies and the numbers and parameters of the model substituted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from mbdgen.language.model import Model
from mbdgen.show.equation_lines import with_whole_numbers
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import Statement, state
from mbdgen.topology.elements import ElementSpec

MOST_COORDINATES = 14
SIMPLIFIED = 60  # operations up to which simplification is fast
MOST_OPERATIONS = 150  # operations of the longest readable entry

SHORT = 2  # operations of an entry of a rotation matrix that is written in full

Cell = tuple[int, int]
_ROTATION = re.compile(r"R_[a-z][0-9]*_[123]_[xyz]")


@dataclass(frozen=True)
class MatrixEntries:
    """Equations of a mechanism entry by entry; missing entries are zero.

    Attributes
    ----------
    rows : tuple of str
        Names of the dynamics rows.
    q, v, lam : tuple of symbol
        Coordinates, velocities and multipliers.
    M : dict of (row, coordinate) to expression
        Mass matrix.
    f : dict of row to expression
        Applied forces and velocity-quadratic inertia terms.
    G : dict of (multiplier, row) to expression
        Reaction directions, ``H T``.
    phi : tuple of (name, expression)
        Constraints: norm rows of bodies in their order, then rows with multipliers.
    H : dict of (constraint, coordinate) to expression
        Jacobian of `phi`; of nonholonomic constraints with respect to velocities.
    meaning : dict of symbol to expression
        Definitions of named entries of rotation matrices.
    """

    rows: tuple[str, ...]
    q: tuple[Any, ...]
    v: tuple[Any, ...]
    lam: tuple[Any, ...]
    M: dict[Cell, Any]
    f: dict[int, Any]
    G: dict[Cell, Any]
    phi: tuple[tuple[str, Any], ...]
    H: dict[Cell, Any]
    meaning: dict[Any, Any]

    @property
    def operations(self) -> int:
        """Operations of the longest entry."""
        tables = (self.M, self.f, self.G, self.H)
        every = [e for table in tables for e in table.values()] + [e for _, e in self.phi]
        return max((int(sympy.count_ops(e)) for e in every), default=0)


def is_small(model: Model) -> bool:
    """Whether the model is small enough to show all entries."""
    return sum(b.kind.n_q for b in model.bodies.values() if b.kind) <= MOST_COORDINATES


def entries(model: Model, specs: Sequence[ElementSpec], engine: str = "sympy") -> MatrixEntries:
    """Return all entries of a model; short ones are simplified."""
    return _Assembly(model, engine).all_of(specs)


class _Assembly:
    """Sums of the contributions of all elements."""

    def __init__(self, model: Model, engine: str) -> None:
        self._model, self._engine = model, engine
        bodies = [(b, b.kind) for b in model.bodies.values() if b.kind]
        tails = _tails(model)
        self._tails = tails
        self.q: list[Any] = []
        self.v: list[Any] = []
        self.rows: list[str] = []
        self._first: dict[str, tuple[int, int]] = {}
        for body, kind in bodies:
            self._first[body.name] = len(self.q), len(self.rows)
            self.q += [_symbol(c, tails[body.name]) for c in kind.coordinates]
            self.v += [_symbol(c, tails[body.name], "_dot") for c in kind.coordinates]
            self.rows += [f"{body.name}: {row}" for row in kind.rows]
        self.lam: list[Any] = []
        self.M: dict[Cell, Any] = {}
        self.f: dict[int, Any] = {}
        self.G: dict[Cell, Any] = {}
        self._phi: list[tuple[str, Any]] = []
        self._H: list[tuple[int, int, Any]] = []
        self._meaning: dict[Any, Any] = {}

    def all_of(self, specs: Sequence[ElementSpec]) -> MatrixEntries:
        """Return the sums: norm rows first, then rows with multipliers, joints first."""
        stated = [_Stated(s, self._engine) for s in specs if s.role != "output"]
        for x in stated:
            self._dynamics(x)
            self._norms(x)
        for x in sorted(stated, key=lambda x: x.spec.role != "joint"):
            self._constraints(x)
        return MatrixEntries(
            rows=tuple(self.rows),
            q=tuple(self.q),
            v=tuple(self.v),
            lam=tuple(self.lam),
            M=_tidy(self.M),
            f=_tidy(self.f),
            G=_tidy(self.G),
            phi=tuple((name, _short(e)) for name, e in self._phi),
            H=_tidy({(row, column): e for row, column, e in self._H}),
            meaning=dict(sorted(self._meaning.items(), key=str)),
        )

    def _dynamics(self, x: "_Stated") -> None:
        rows, columns = self._places(x)
        for local, e in x.statement.inertia.items():
            for k, a in enumerate(x.context.all("a")):
                _add(self.M, (rows[local], columns[k]), self._global(x, x.derivative(e, a)))
            at_rest = x.written_out(e).xreplace(dict.fromkeys(x.symbols("a"), sympy.Integer(0)))
            _add(self.f, rows[local], -self._global(x, at_rest))
        for local, e in x.statement.applied.items():
            _add(self.f, rows[local], self._global(x, x.written_out(e)))

    def _norms(self, x: "_Stated") -> None:
        for local, e in x.statement.norms.items():
            kind = x.spec.bodies[0].kind
            assert kind is not None
            self._constraint(x, f"{x.spec.name}: {kind.all_rows[local]}", e)

    def _constraints(self, x: "_Stated") -> None:
        rows, _ = self._places(x)
        phi, psi = x.statement.constraints, x.statement.velocities
        kept = [(k, phi[k], "q") for k in x.context.moving(phi)]
        kept += [(len(phi) + k, psi[k], "v") for k in x.context.moving(psi, "v")]
        positions = [e for _, e, level in kept if level == "q"]
        velocities = [e for _, e, level in kept if level == "v"]
        reactions = x.context.reaction_rows(positions, velocities, x.statement.intrinsic)
        first = len(self.lam)
        for number, (k, e, level) in enumerate(kept):
            self._constraint(x, f"{x.spec.name}: equation {k}", e, level)
            self.lam.append(sympy.Symbol(f"lam_{x.spec.name}_{k}", real=True))
            for local, reaction in reactions.items():
                direction = x.derivative(reaction, x.context.multipliers[number])
                _add(self.G, (first + number, rows[local]), self._global(x, direction))

    def _constraint(self, x: "_Stated", name: str, e: Any, level: str = "q") -> None:
        _, columns = self._places(x)
        for k, s in enumerate(x.context.all(level)):
            slope = self._global(x, x.derivative(e, s))
            self._H.append((len(self._phi), columns[k], slope))
        self._phi.append((name, self._global(x, x.written_out(e))))

    def _places(self, x: "_Stated") -> tuple[dict[int, int], list[int]]:
        """Return the global dynamics row of every local one, and the index of every coordinate."""
        rows: dict[int, int] = {}
        columns: list[int] = []
        for body, (symbols, local) in zip(x.spec.bodies, x.context.offsets(), strict=True):
            q, row = self._first[body.name]
            rows.update({local + k: row + k for k in range(symbols.kind.n_u)})
            columns += range(q, q + symbols.kind.n_q)
        return rows, columns

    def _global(self, x: "_Stated", e: Any) -> Any:
        """Substitute global names, numbers and parameters of the model in an expression."""
        named: dict[Any, Any] = {}
        for body, symbols in zip(x.spec.bodies, x.context.bodies, strict=True):
            tail = self._tails[body.name]
            for level, dots in (("q", ""), ("v", "_dot"), ("a", "_ddot")):
                local = [x.context.engine.to_sympy(s) for s in getattr(symbols, level)]
                kind = symbols.kind
                named |= {
                    s: _symbol(c, tail, dots) for s, c in zip(local, kind.coordinates, strict=True)
                }
        for s, definition in x.axes(e):
            label, rest = s.name.removeprefix("R_").split("_", 1)
            body = x.spec.bodies[x.spec.labels.index(label)]
            named[s] = sympy.Symbol(f"R{self._tails[body.name]}_{rest}", real=True)
            self._meaning[named[s]] = definition.subs(named, simultaneous=True)
        columns = {x.symbol(name): sympy.sympify(value) for name, value in x.spec.columns}
        return sympy.sympify(e).subs(columns | named, simultaneous=True)


class _Stated:
    """One element with its context, its statement, and expanded names of the tape."""

    def __init__(self, spec: ElementSpec, engine: str) -> None:
        self.spec = spec
        self.context = ElementContext(spec, make_engine(engine))
        self.statement: Statement = state(self.context)
        self._known: dict[Any, Any] = {}
        self._rotations: dict[Any, Any] = {}

    def symbol(self, name: str) -> Any:
        return self.context.engine.to_sympy(self.context.engine.symbol(name))

    def symbols(self, level: str) -> list[Any]:
        return [self.context.engine.to_sympy(s) for s in self.context.all(level)]

    def derivative(self, e: Any, symbol: Any) -> Any:
        return self.written_out(self.context.tape.derivative(e, symbol))

    def axes(self, e: Any) -> list[tuple[Any, Any]]:
        """Return the entries of rotation matrices in an expression, with their definitions."""
        found = sorted(sympy.sympify(e).free_symbols & self._rotations.keys(), key=str)
        return [(s, self._rotations[s]) for s in found]

    def written_out(self, e: Any) -> Any:
        """Return an expression of inputs and named entries of rotation matrices."""
        engine = self.context.engine
        e = engine.to_sympy(engine.convert(e))
        return e.xreplace({s: self._meaning(s) for s in e.free_symbols})

    def _meaning(self, s: Any) -> Any:
        if s not in self._known:
            definition = self.context.tape.definitions.get(self.context.engine.convert(s))
            self._known[s] = s if definition is None else self.written_out(definition)
            if _ROTATION.fullmatch(s.name) and sympy.count_ops(self._known[s]) > SHORT:
                self._rotations[s], self._known[s] = self._known[s], s
        return self._known[s]


def _tails(model: Model) -> dict[str, str]:
    """Return the suffixes of the coordinates of bodies; none if there is one body."""
    names = {"t", *model.parameters}
    found = {}
    for name, body in model.bodies.items():
        coordinates = body.kind.coordinates if body.kind is not None else ()
        tail = "" if len(model.bodies) == 1 else f"_{name}"
        while names & {f"{c}{tail}" for c in coordinates}:
            tail += f"_{name}"
        found[name] = tail
    return found


def _symbol(coordinate: str, tail: str, dots: str = "") -> Any:
    return sympy.Symbol(f"{coordinate}{tail}{dots}", real=True)


def _add(table: dict[Any, Any], place: Any, e: Any) -> None:
    table[place] = table.get(place, sympy.Integer(0)) + e


def _tidy(table: dict[Any, Any]) -> dict[Any, Any]:
    short = {place: _short(e) for place, e in sorted(table.items())}
    return {place: e for place, e in short.items() if e != 0}


def _short(e: Any) -> Any:
    """Simplify short expressions, and replace integral floats by integers."""
    e = with_whole_numbers(e)
    if sympy.count_ops(e) > SIMPLIFIED:
        return e
    candidates = [e, sympy.expand(e), sympy.factor_terms(e)]
    if e.has(sympy.sin, sympy.cos):
        candidates.append(sympy.trigsimp(e))
    return min(candidates, key=sympy.count_ops)

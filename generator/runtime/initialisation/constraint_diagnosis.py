"""Degrees of freedom, rank of the constraint Jacobian, and redundant constraints."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError
from mbdgen.runtime.initialisation.void_equations import are_void
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

DENSE_LIMIT = 800
DEPENDENT = 1e-7
"""A row is dependent if its part orthogonal to the rows before is below this, relative to it."""
_SPARSE_SHIFT = 1e-13
_SPARSE_PIVOT = 1e-10
_GRAM_LIMIT = 200
_MOST_DEPENDENT = 64


@dataclass(frozen=True)
class Dependency:
    """A redundant constraint equation: it follows from others.

    Attributes
    ----------
    row : int
        Row of the residual.
    owner : str
        The joint or body that it belongs to.
    partners : tuple of str
        The other joints and bodies whose equations imply it (empty if not computed).
    """

    row: int
    owner: str
    partners: tuple[str, ...]


@dataclass(frozen=True)
class Diagnosis:
    """Degrees of freedom, rank and redundant constraints of a mechanism at one position.

    Attributes
    ----------
    n_q, n_phi : int
        Numbers of coordinates and constraint equations (norm equations included).
    rank : int
        Rank of the constraint Jacobian ``H`` at this position.
    dependencies : tuple of Dependency
        The redundant equations; those of earlier bodies and joints are kept.
    driven : bool
        Whether a constraint depends on time.
    locked : int
        Independent nonholonomic constraints, such as those of rolling: by so many the independent
        coordinates outnumber the degrees of freedom.
    """

    n_q: int
    n_phi: int
    rank: int
    dependencies: tuple[Dependency, ...]
    driven: bool
    locked: int = 0

    @property
    def dof(self) -> int:
        """Degrees of freedom ``n_q - rank(H)``: number of independent velocities."""
        return self.n_q - self.rank

    @property
    def position_dof(self) -> int:
        """Number of independent coordinates; above `dof` with nonholonomic constraints."""
        return self.dof + self.locked

    @property
    def count(self) -> int:
        """Mobility by counting equations, ``n_q - n_phi`` (Gruebler)."""
        return self.n_q - self.n_phi

    @property
    def redundant(self) -> int:
        """Number of redundant equations."""
        return self.n_phi - self.rank

    def messages(self, t: float = 0.0) -> list[str]:
        """Return one sentence for every joint with redundant equations."""
        rows: dict[str, int] = {}
        partners: dict[str, list[str]] = {}
        for item in self.dependencies:
            rows[item.owner] = rows.get(item.owner, 0) + 1
            known = partners.setdefault(item.owner, [])
            known.extend(p for p in item.partners if p not in known and p != item.owner)
        rank = f"(rank {self.rank} of {self.n_phi} at t={t:g})"
        texts = []
        for owner, count in rows.items():
            equations = f"{count} equation{'s' if count > 1 else ''} of '{owner}'"
            verb = "follow" if count > 1 else "follows"
            others = ", ".join(f"'{p}'" for p in partners[owner][:6])
            source = f"those of {others}" if others else "the other constraints"
            texts.append(f"{equations} {verb} from {source} {rank}")
        return texts


def diagnose(system: System, t: float, q: FloatArray) -> Diagnosis:
    """Count degrees of freedom and find redundant constraints at a consistent position.

    The rows of ``H`` (equilibrated) are taken in order, nonholonomic ones last; a row whose part
    orthogonal to the ones before (Gram-Schmidt) is below ``1e-7`` is dependent, and so is one
    whose derivatives vanish (`mbdgen.runtime.initialisation.void_equations`). Above 800
    coordinates the dependent rows are those with small pivots in a sparse factorisation of
    ``H H^T``, whose order is not that of the joints.
    """
    owners, keeps = system.names.row_owners, system.work.holonomic[system.work.rows].astype(bool)
    order = np.concatenate([np.flatnonzero(keeps), np.flatnonzero(~keeps)])
    rows = system.work.rows[order]
    jacobian = _without_void(sp.csr_array(system.jacobian(t, q)[order]))
    dependent: list[int] = []
    sources: list[IntArray] = []
    if len(rows) == 0:
        pass  # free bodies
    elif max(jacobian.shape) <= DENSE_LIMIT:
        dependent, sources = _dependent_rows(_equilibrated(jacobian).toarray())
    else:
        dependent = _dependent_rows_sparse(_equilibrated(jacobian))
        sources = [np.zeros(0, np.int64)] * len(dependent)
    dependencies = []
    for row, source in zip(dependent, sources, strict=True):
        owner = owners[rows[row]]
        # Norm equations of bodies take part in every combination; only joints can be removed.
        joints = [k for k in source if rows[k] >= system.n_q]
        names = dict.fromkeys(owners[rows[k]] for k in joints or source)
        dependencies.append(Dependency(int(rows[row]), owner, tuple(names)))
    return Diagnosis(
        n_q=system.n_q,
        n_phi=len(rows),
        rank=len(rows) - len(dependent),
        dependencies=tuple(dependencies),
        driven=_driven(system, t, q),
        locked=_locked(jacobian, int(keeps.sum()), dependent),
    )


def _locked(jacobian: sp.csr_array, keeps: int, dependent: list[int]) -> int:
    """Return the increase of the rank by the nonholonomic rows, after the first ``keeps``."""
    if keeps == jacobian.shape[0]:
        return 0
    if max(jacobian.shape) <= DENSE_LIMIT:  # holonomic rows were taken first
        return int(jacobian.shape[0] - keeps - sum(row >= keeps for row in dependent))
    alone = _dependent_rows_sparse(_equilibrated(sp.csr_array(jacobian[:keeps]))) if keeps else []
    return int(jacobian.shape[0] - len(dependent) - (keeps - len(alone)))


def check_motion(system: System, diagnosis: Diagnosis) -> None:
    """Raise an `AssemblyError` without degrees of freedom or drivers, or with redundant rolling."""
    _check_grip(system, diagnosis)
    if diagnosis.dof > 0 or diagnosis.driven:
        return
    hint = f" {diagnosis.messages()[0]}." if diagnosis.dependencies else ""
    raise AssemblyError(
        f"Model '{system.data.model}' is over-constrained: 0 DOF "
        f"({diagnosis.n_q} coordinates, rank {diagnosis.rank} of "
        f"{diagnosis.n_phi} constraints).{hint}",
        "Remove a joint, replace one by a joint with more freedom, or drive a coordinate.",
    )


def _check_grip(system: System, diagnosis: Diagnosis) -> None:
    """Refuse redundant nonholonomic constraints, such as of wheels on one axle.

    Redundant constraints on positions are harmless: the violation that a step leaves is projected
    out. Nonholonomic constraints have no position to project onto: they become inconsistent during
    the motion, and the distribution of lateral forces over the wheels is indeterminate.
    """
    rolling = system.work.velocity_rows
    wheels = {system.names.row_owners[row] for row in rolling}
    for item in diagnosis.dependencies:
        others = [name for name in item.partners if name in wheels and name != item.owner]
        if item.row not in rolling or (item.partners and not others):
            continue  # harmless, or it repeats constraints of other joints
        whom = "'" + "', '".join([*others, item.owner]) + "'"
        raise AssemblyError(
            f"In model '{system.data.model}' {whom} hold the same slip together: one equation of "
            f"velocities of '{item.owner}' follows from the others (rank {diagnosis.rank} of "
            f"{diagnosis.n_phi}), and reactions and motion would depend on round-off.",
            "Give one of them less to hold: rolling_disc takes grip='sideways', 'forward', 'none'.",
        )


def _driven(system: System, t: float, q: FloatArray) -> bool:
    """Whether ``phi`` depends on time: declared by the module, or ``phi_t`` at some instants."""
    if system.data.drives:
        return True
    zero, rows = np.zeros(system.n_q), system.work.rows
    instants = (t, t + 0.1234567, t + 1.618034, t + 17.32051)
    return any(
        bool(np.abs(system.rates(instant, q, zero, zero)[0][rows]).max(initial=0.0) > 0.0)
        for instant in instants
    )


def _without_void(jacobian: sp.csr_array) -> sp.csr_array:
    """Zero the rows whose derivatives vanish; equilibrated, round-off would count as rank."""
    if min(jacobian.shape) == 0:
        return jacobian
    void = are_void(abs(jacobian).max(axis=1).toarray().ravel())
    if not void.any():
        return jacobian
    return sp.csr_array(sp.diags_array(np.where(void, 0.0, 1.0)) @ jacobian)


def _equilibrated(jacobian: sp.csr_array, sweeps: int = 4) -> sp.csr_array:
    """Equilibrate rows and columns, then normalise rows: the rank must not depend on units."""
    scaled = jacobian.tocsr().astype(float)
    for axis in (1, 0) * sweeps:
        scaled = _scaled(scaled, _inverse_root(scaled, axis), axis)
    length = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
    length[length == 0.0] = 1.0
    return sp.csr_array(sp.diags_array(1.0 / length) @ scaled)


def _inverse_root(matrix: sp.csr_array, axis: int) -> FloatArray:
    largest = abs(matrix).max(axis=axis).toarray().ravel()
    largest[largest == 0.0] = 1.0
    return np.asarray(largest**-0.5)


def _scaled(matrix: sp.csr_array, factor: FloatArray, axis: int) -> sp.csr_array:
    diagonal = sp.diags_array(factor)
    return sp.csr_array(diagonal @ matrix if axis == 1 else matrix @ diagonal)


def _dependent_rows(matrix: FloatArray) -> tuple[list[int], list[IntArray]]:
    """Return dependent rows, and the independent rows that each combines (Gram-Schmidt)."""
    m, n = matrix.shape
    basis = np.zeros((min(m, n), n))
    independent: list[int] = []
    dependent: list[int] = []
    for k in range(m):
        known = basis[: len(independent)]
        rest = matrix[k] - known.T @ (known @ matrix[k])
        rest -= known.T @ (known @ rest)
        length = float(np.linalg.norm(rest))
        if length <= DEPENDENT or len(independent) == n:
            dependent.append(k)
        else:
            basis[len(independent)] = rest / length
            independent.append(k)
    if not dependent:
        return [], []
    index = np.array(independent, np.int64)
    combination = np.linalg.lstsq(matrix[index].T, matrix[dependent].T, rcond=None)[0].T
    return dependent, [index[np.abs(row) > 1e-6] for row in combination]


def _dependent_rows_sparse(matrix: sp.csr_array) -> list[int]:
    """Return the rows with small pivots of ``H H^T + shift``: each is a squared distance."""
    m = matrix.shape[0]
    # A body with thousands of joints causes complete fill-in of H H^T.
    per_column = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(float)
    if (per_column**2).sum() > _GRAM_LIMIT * matrix.nnz:
        dependent = _dependent_rows_by_iteration(matrix)
        if dependent is not None:
            return dependent
    gram = sp.csc_array(matrix @ matrix.T + _SPARSE_SHIFT * sp.eye_array(m))
    lu = splu(
        gram,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    pivots = np.abs(lu.U.diagonal())
    order = np.argsort(lu.perm_c)
    return sorted(int(k) for k in order[pivots <= _SPARSE_PIVOT])


def _dependent_rows_by_iteration(matrix: sp.csr_array) -> list[int] | None:
    """Return dependent rows from the null space of ``H^T``, by inverse iteration.

    ``(H H^T + shift)^-1`` is applied by ``[1, H^T; H, -shift]``, which stays sparse for any ``H``.
    Returns None if more than 64 rows are dependent.
    """
    m, n = matrix.shape
    shift = _SPARSE_PIVOT
    lower = -shift * sp.eye_array(m)
    augmented = sp.block_array([[sp.eye_array(n), matrix.T], [matrix, lower]], format="csc")
    lu = splu(augmented)
    for count in (min(m, 4), min(m, _MOST_DEPENDENT)):
        null = _weak_combinations(matrix, lu, count)
        if null.shape[1] == 0:
            return []
        if null.shape[1] < count or count == m:
            # As many rows as there are combinations: the last ones that can be solved for.
            _, _, order = scipy.linalg.qr(null[::-1].T, mode="economic", pivoting=True)
            return sorted(int(m - 1 - k) for k in order[: null.shape[1]])
    return None


def _weak_combinations(matrix: sp.csr_array, lu: Any, count: int) -> FloatArray:
    """Return up to ``count`` orthonormal ``y`` with ``|H^T y|`` below the rank tolerance."""
    m, n = matrix.shape
    block = np.random.default_rng(1).standard_normal((m, count))
    for _ in range(3):
        block = np.linalg.qr(lu.solve(np.vstack([np.zeros((n, count)), block]))[n:])[0]
    image = matrix.T @ block
    squares, turn = np.linalg.eigh(image.T @ image)
    null: FloatArray = block @ turn[:, squares <= _SPARSE_PIVOT]
    return null

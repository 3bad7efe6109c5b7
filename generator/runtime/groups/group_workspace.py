"""Workspace of a run by groups: tables for accelerations by matrix R and by penalties."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.system.run_workspace import INT_ARRAY, REAL_ARRAY, REAL_TABLE
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

BY_GROUPS, AS_WHOLE = 0, 1
"""Evaluation of kinematics and constraint terms."""
MATRIX_R, PENALTIES = 0, 1
"""Formulations of the equations of motion."""
EQUATIONS, WAY, CONSTANT_MASS = 0, 1, 2
"""Indices of ``chosen``."""
ALPHA, W_1, W_0, TOLERANCE, LIMIT = range(5)
"""Indices of ``weights``."""


class GroupWorkspace(NamedTuple):
    """Tables and workspace of one run.

    Attributes
    ----------
    chosen : array of int
        Codes: equations, mode of evaluation, whether the mass matrix is constant.
    dynamics : array of int
        Rows of the equations of motion.
    codes, values : array
        Matrix of the penalty equations: ``column n_q + row`` of its entries, rising.
    start : array
        Contributions of the mass matrix.
    rest, rest_from : array of int
        Coordinates that no group eliminates by itself, and their entries among ``values``.
    indptr, indices, rest_values, rest_rhs, rest_x : array
        Equations of these, by columns.
    mass_from, mass_to : array of int
        Indices of entries of the mass matrix in ``work.values`` and in the group.
    product_g, product_h, product_to : array of int
        As a whole: products ``-G^T H``, indices of their factors and of the sum; -1 for the one
        before an equation of its own.
    pull_g, pull_row, pull_to : array of int
        As a whole: entries of ``-G^T``, their constraint rows and dynamics rows.
    weights : array
        ``alpha, 2 xi omega, omega^2``; tolerance and most iterations of positions.
    R, MR, small : array, tables
        Matrix R, ``M R``, the equations of the independent accelerations.
    order, rhs, x, base, none : array
        Workspace; ``none`` is zero.
    """

    chosen: IntArray
    dynamics: IntArray
    codes: IntArray
    values: FloatArray
    start: FloatArray
    rest: IntArray
    rest_from: IntArray
    indptr: IntArray
    indices: IntArray
    rest_values: FloatArray
    rest_rhs: FloatArray
    rest_x: FloatArray
    mass_from: IntArray
    mass_to: IntArray
    product_g: IntArray
    product_h: IntArray
    product_to: IntArray
    pull_g: IntArray
    pull_row: IntArray
    pull_to: IntArray
    weights: FloatArray
    R: FloatArray
    MR: FloatArray
    small: FloatArray
    order: IntArray
    rhs: FloatArray
    x: FloatArray
    base: FloatArray
    none: FloatArray


_TABLES = ("R", "MR", "small")
ROOM = types.NamedTuple(
    tuple(
        INT_ARRAY if kind is IntArray else REAL_TABLE if name in _TABLES else REAL_ARRAY
        for name, kind in GroupWorkspace.__annotations__.items()
    ),
    GroupWorkspace,
)


def new_group_workspace(
    system: System,
    q: FloatArray,
    inputs: IntArray,
    equations: int,
    mode: int,
    weights: FloatArray,
    codes: IntArray,
    condensed: IntArray,
) -> GroupWorkspace:
    """Return the workspace of a run.

    Parameters
    ----------
    codes : array
        ``column n_q + row`` of every entry that the groups write with penalties.
    condensed : array
        Coordinates that groups eliminate by themselves.
    """
    work, n_q = system.work, system.n_q
    norms = work.rows[work.rows < n_q]
    dynamics = np.setdiff1d(np.arange(n_q), norms)
    column = np.repeat(np.arange(system.n), np.diff(work.indptr))
    of_mass = np.flatnonzero((column < n_q) & np.isin(work.indices, dynamics))
    constant = _has_constant_mass(system, q, of_mass)
    zero = np.zeros(n_q)
    mass = system.matrix_values(0.0, q, zero, zero, np.zeros(system.n_lam), (0.0, 0.0, 1.0))
    if constant:
        of_mass = of_mass[mass[of_mass] != 0.0]
    mass_codes = column[of_mass] * n_q + work.indices[of_mass]
    products, pulls = _products(system, column, norms) if mode == AS_WHOLE else (_NONE, _NONE)
    every = np.unique(np.concatenate([mass_codes, codes, products[:, 2]]))
    if equations == MATRIX_R:
        every = every[:0]
    rest = np.setdiff1d(np.arange(n_q), condensed)
    kept = np.isin(every % n_q, rest) & np.isin(every // n_q, rest)
    at = every[kept]
    g = len(inputs)
    start, mass_to = np.zeros(len(every)), np.searchsorted(every, mass_codes)
    if equations == PENALTIES:
        start[mass_to] = mass[of_mass]
    return GroupWorkspace(
        chosen=np.array([equations, mode, constant], np.int64),
        dynamics=dynamics.astype(np.int64),
        codes=every,
        values=np.zeros(len(every)),
        start=start,
        rest=rest.astype(np.int64),
        rest_from=np.flatnonzero(kept).astype(np.int64),
        indptr=np.searchsorted(at, np.append(rest, n_q) * n_q).astype(np.int64),
        indices=np.searchsorted(rest, at % n_q).astype(np.int64),
        rest_values=np.zeros(len(at)),
        rest_rhs=np.zeros(len(rest)),
        rest_x=np.zeros(len(rest)),
        mass_from=of_mass.astype(np.int64),
        mass_to=mass_to.astype(np.int64),
        product_g=products[:, 0].copy(),
        product_h=products[:, 1].copy(),
        product_to=np.searchsorted(every, products[:, 2]).astype(np.int64),
        pull_g=pulls[:, 0].copy(),
        pull_row=pulls[:, 1].copy(),
        pull_to=pulls[:, 2].copy(),
        weights=weights,
        R=_independent(n_q, inputs),
        MR=np.zeros((g, n_q)),
        small=np.zeros((g, g)),
        order=np.zeros(g, np.int64),
        rhs=np.zeros(n_q),
        x=np.zeros(n_q),
        base=np.zeros(n_q),
        none=np.zeros(max(n_q, system.n_lam)),
    )


_NONE = np.zeros((0, 3), np.int64)


def _independent(n_q: int, inputs: IntArray) -> FloatArray:
    R = np.zeros((n_q, len(inputs)))
    R[inputs, np.arange(len(inputs))] = 1.0
    return R


def _has_constant_mass(system: System, q: FloatArray, entries: IntArray) -> bool:
    """Return whether the mass matrix is the same, to the last bit, at three positions."""
    zero, wiggle = np.zeros(system.n_q), np.sin(1.7 * np.arange(1, system.n_q + 1))
    first, *others = (
        system.matrix_values(0.0, q + s * wiggle, zero, zero, np.zeros(system.n_lam), (0, 0, 1))
        for s in (0.0, 0.1, 0.3)
    )
    return all(bool((first[entries] == x[entries]).all()) for x in others)


def _products(system: System, column: IntArray, norms: IntArray) -> tuple[IntArray, IntArray]:
    """Return (index of -G^T, index of H, code), and (index of -G^T, constraint row, row)."""
    work, n_q = system.work, system.n_q
    entries = np.arange(len(column))
    shape = (system.n, system.n)
    by_rows = sp.csc_array((entries + 1, work.indices, work.indptr), shape=shape).tocsr()
    products, pulls = [], []
    for row in work.rows:
        mine = slice(by_rows.indptr[row], by_rows.indptr[row + 1])
        kept = by_rows.indices[mine] < n_q
        H, columns = by_rows.data[mine][kept] - 1, by_rows.indices[mine][kept]
        if row in norms:
            G, rows = np.array([-1]), np.array([row])
        else:
            G = entries[work.indptr[row] : work.indptr[row + 1]]
            G = G[work.indices[G] < n_q]
            rows = work.indices[G]
        pulls += [(g, row, r) for g, r in zip(G, rows, strict=True)]
        pairs = np.column_stack([np.repeat(G, len(H)), np.tile(H, len(G))])
        codes = np.tile(columns, len(G)) * n_q + np.repeat(rows, len(H))
        products.append(np.column_stack([pairs, codes]))
    return (
        np.concatenate([_NONE, *products]).astype(np.int64),
        np.array(pulls, np.int64).reshape(-1, 3),
    )

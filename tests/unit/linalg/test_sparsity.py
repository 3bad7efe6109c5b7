"""Entries of the matrix that are zero at every state, and what happens if one is not."""

import numpy as np
import scipy.sparse as sp

from mbdgen import load
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.linalg.linear_solver import OK, REPIVOT, analyse, factorise, solve
from mbdgen.runtime.linalg.sparsity import lasting_entries
from tests.mechanisms import chain


def test_zeros_of_the_numbers_and_of_the_weights_are_found() -> None:
    system = load(chain(8, "quaternion"), layout="loop")
    state = assemble(system)
    kept = lasting_entries(system, state, (0.0, 0.0, 1.0))
    more = lasting_entries(system, state, (1e-6, 1e-3, 1.0))
    assert len(kept) < len(more) < len(system.work.values)
    assert set(kept) <= set(more)
    assert set(system.work.diagonal) <= set(kept)


def test_the_others_are_zero_elsewhere_too() -> None:
    system = load(chain(8, "quaternion"), layout="loop")
    state = assemble(system)
    kept = lasting_entries(system, state, (0.0, 0.0, 1.0))
    rng = np.random.default_rng(5)
    q = state.q + rng.normal(size=system.n_q)
    values = system.index_1_matrix(0.3, q).data
    rest = np.delete(values, kept)
    assert len(rest) > 0
    assert np.abs(rest).max() <= 1e-15 * np.abs(values).max()


def test_a_value_where_there_is_no_room_asks_for_new_pivots() -> None:
    n = 20
    full = np.diag(np.arange(1.0, n + 1)) + np.diag(np.full(n - 1, 0.5), 1)
    pattern = full != 0.0
    pattern[5, 0] = True
    shape = sp.csc_array(pattern)
    indptr, indices = shape.indptr.astype(np.int64), shape.indices.astype(np.int64)
    columns = np.repeat(np.arange(n), np.diff(indptr))
    values = full[indices, columns]
    place = int(np.flatnonzero((indices == 5) & (columns == 0))[0])
    factors = analyse(indptr, indices, values, np.delete(np.arange(len(values)), place))
    x = np.empty(n)
    solve(factors, full @ np.ones(n), x)
    np.testing.assert_allclose(x, 1.0, rtol=1e-13)
    values[place] = 1e-17  # round-off
    assert factorise(factors, values) == OK
    values[place] = 0.5
    assert factorise(factors, values) == REPIVOT
    values[place] = np.nan
    assert factorise(factors, values) not in (OK, REPIVOT)

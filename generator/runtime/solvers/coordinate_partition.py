"""Coordinate partitioning into dependent and independent coordinates, by pivots (Wehage, Haug)."""

from mbdgen.runtime.linalg.gauss_elimination import (
    dependent_unknowns,
    free_directions,
    lower_and_forces,
    triangle,
)
from mbdgen.runtime.linalg.orthonormal_bases import least_multipliers, orthonormal_columns
from mbdgen.runtime.linalg.pivot_reuse import GAUSS_G, GAUSS_H, SMALL, kept_pivots
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import AT_END, DOF, DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import (
    constraint_rows,
    move_along,
    ranks,
    take_apart,
    write_solution,
)
from mbdgen.runtime.system.run_workspace import FACTORISATIONS, OK, RunWorkspace

GOOD = 0.9
"""Ratio of a pivot to its initial size below which the partition changes at the end of a step:
errors of independent coordinates are amplified by its inverse in the dependent ones.
"""


@internal
def eliminate_by_pivots(work: RunWorkspace, dense: DenseWorkspace, least: float) -> int:
    """Solve ``K x = rhs`` for independent unknowns; see `eliminator`.

    The multipliers have least norm, also those of redundant rows (Peters and Wilkinson).
    """
    blocks = take_apart(work, dense)
    rank, rank_g = ranks(blocks, dense)
    work.counters[FACTORISATIONS] += 1
    status, of_h = triangle(blocks.H, rank, kept_pivots(dense, GAUSS_H), least)
    if status != OK:
        return status
    status, of_g = triangle(blocks.G, rank_g, kept_pivots(dense, GAUSS_G), SMALL)
    if status != OK:
        return status
    x = dependent_unknowns(of_h, blocks.c)
    status = move_along(blocks, free_directions(of_h), free_directions(of_g), x)
    if status != OK:
        return status
    lower, w = lower_and_forces(of_g, blocks.A @ x - blocks.f)
    R = orthonormal_columns(lower)
    write_solution(dense, x, blocks.c[:0])
    shares = least_multipliers(lower, R, w)
    for k in range(len(shares)):
        dense.x[len(x) + of_g.rows[k]] = shares[k]
    return OK


@internal
def change_dependent(work: RunWorkspace, dense: DenseWorkspace, least: float) -> int:
    """Solve ``H x = c`` for the dependent coordinates only."""
    H, c = constraint_rows(work, dense)
    rank = H.shape[1] - dense.sizes[DOF]
    status, of_h = triangle(H, rank, kept_pivots(dense, GAUSS_H), least)
    if status == OK:
        write_solution(dense, dependent_unknowns(of_h, c), c[:0])
    return status


@internal
def change_at_step(change: int, work: RunWorkspace, dense: DenseWorkspace) -> int:
    """The same with the partition of the step, regardless of its pivots."""
    return change_dependent(work, dense, 0.0)


@internal
def renew_partition(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Select a new partition at the end of a step if the present one is not `GOOD`.

    Not within a step, which would lose its order if its stages integrated different coordinates;
    but even if no coordinate has to be corrected.
    """
    if dense.sizes[AT_END] == 0:
        return OK
    H, _ = constraint_rows(work, dense)
    status, _ = triangle(H, H.shape[1] - dense.sizes[DOF], kept_pivots(dense, GAUSS_H), GOOD)
    return int(status)

"""Newton's method for dense equations: the loop and the rule that ends it, once for all of them."""

from collections.abc import Callable
from typing import Any, cast

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.compiled import inlined, internal
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.equations import largest
from mbdgen.runtime.work import NEWTON, NOT_CONVERGED, NOT_FINITE, OK, State, Work

EXACT = 1e-4
"""Part of the tolerance that iterations go on to: Jacobians may lack terms of higher order."""
ULPS = 4e-15


@internal
def rests(size: float, before: float, scale: float, tolerance: float) -> bool:
    """Whether a change of this size, after one of size ``before``, was the last one."""
    stalled = size <= tolerance * scale and size > 0.5 * before
    return size <= max(EXACT * tolerance, ULPS) * scale or stalled


def newton_by(improve: Callable[..., tuple[int, float]]) -> Callable[..., int]:
    """Return a compiled ``(kernels, .., dense, tolerance, limit, *given) -> status``.

    It calls ``improve(kernels, work, state, dense, *given) -> (status, size)``, an `internal`
    function, until the changes of ``q`` that this makes vanish. ``improve`` solves the linearised
    equations once and changes the unknowns; what depends on them is brought up to date when it is
    called again, or by the caller.
    """

    @inlined
    def iterate(
        kernels: Kernels,
        work: Work,
        state: State,
        dense: Dense,
        tolerance: float,
        limit: int,
        *given: Any,
    ) -> int:
        before = 1e300
        for _ in range(limit):
            status, size = improve(kernels, work, state, dense, *given)
            if status != OK:
                return status
            if not size <= 1e300:
                return NOT_FINITE
            work.counters[NEWTON] += 1
            if rests(size, before, 1.0 + largest(state.q), tolerance):
                return OK
            before = size
        return NOT_CONVERGED

    return cast("Callable[..., int]", iterate)

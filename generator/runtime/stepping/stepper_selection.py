"""Selection of the compiled loop for a method: generic, or with fused kernels."""

from typing import TYPE_CHECKING, Protocol

from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock
    from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace


class Steps(Protocol):
    """A compiled loop and its own data.

    Attributes
    ----------
    need_pivots : bool
        Whether the first step needs factors, whose pivots are chosen in Python.
    budget : int
        Number of steps of a first call that cost a few times as much as the call overhead.
    """

    need_pivots: bool
    budget: int

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """Data that steps pass on besides the state and ``work.kept``; modifiable in place.

        With these, the state, ``work.kept`` and the factors of an earlier instant, a run continues
        exactly as it did before.
        """

    @property
    def vectors(self) -> tuple[FloatArray, ...]:
        """Parts of `memory` whose columns belong to coordinates, repeated."""

    @property
    def measured(self) -> FloatArray:
        """Quantities measured by the method, in the order of ``Method.measures``."""

    @property
    def left(self) -> FloatArray | None:
        """Data of the last step for its error estimate, if they are kept.

        For an explicit method the accelerations of its stages, one row each, of which the first may
        be missing; for others the rows of the method.
        """

    def restart(self) -> None:
        """Discard all history and factors of earlier equations or coordinates."""

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate until the instant ``last`` or for ``budget`` steps; return a status."""

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: "InitialisationWorkspace",
        block: "MemberBlock",
    ) -> int:
        """Integrate the members of an ensemble up to ``last``."""


def new_steps(system: System, method: Method, state: State) -> Steps:
    """Return the fastest loop for a system and a method.

    Both are imported here, because importing one compiles it or loads its machine code.
    """
    if has_fused_step(system, method):
        from mbdgen.runtime.stepping.fused_run import FusedRun

        return FusedRun(system, method, state)
    from mbdgen.runtime.stepping.generic_run import GenericRun

    return GenericRun(system, method)


def new_scheme_steps(system: System, scheme: Scheme, state: State, dof: int) -> Steps:
    """Return the loop for a scheme, which may combine a formulation with its method."""
    if scheme.formulation is None:
        return new_steps(system, scheme.method, state)
    if scheme.method.library:
        from mbdgen.runtime.external.external_run import LibraryRun

        return LibraryRun(system, scheme, scheme.formulation, state, dof)
    from mbdgen.runtime.solvers.dense_run import GeneralRun

    return GeneralRun(system, scheme, scheme.formulation, state, dof)


def has_fused_step(system: System, method: Method) -> bool:
    """Whether both the system and the method support fused kernels."""
    return not reason_against_fused(system, method)


def reason_against_fused(system: System, method: Method) -> str:
    """Return why steps use single kernels and a linear solver; empty if they do not."""
    data = system.data
    if not method.fused_step:
        return f"the method {method.name} has no step for them"
    if data.fused_size > 0:
        missing = [name for name in method.fused_kernels if name not in system.offers]
        return f"the module has no kernel {missing[0]}" if missing else ""
    if data.reads:
        return "forces depend on reactions"
    if data.layout != "flat":
        return f"the layout {data.layout} has none"
    if not data.fuses:
        return f"the backend {data.backend} has none"
    return "the matrix is singular at the initial state, or the code would be too long"

"""Which compiled loop runs the steps of a method: the generic one, or that of fused kernels."""

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
    """A compiled loop, and what it needs besides the course of a run.

    Attributes
    ----------
    need_pivots : bool
        Whether the first step needs factors, which Python chooses pivots for.
    budget : int
        Steps of a first call that cost a few times as much as the call itself.
    """

    need_pivots: bool
    budget: int

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """What steps hand on besides the state and ``work.kept``; to be changed in place.

        A motion that has these, the state, ``work.kept`` and the factors of an earlier instant goes
        on from there as it did before.
        """

    @property
    def vectors(self) -> tuple[FloatArray, ...]:
        """Those parts of `memory` whose columns belong to coordinates, again and again."""

    @property
    def measured(self) -> FloatArray:
        """What the method has measured so far, in the order of ``Method.measures``."""

    @property
    def left(self) -> FloatArray | None:
        """What the last step has left that tells its error, if it is kept.

        Of an explicit method accelerations of its stages, one row each, of which the first need not
        be here; of others the rows of the method.
        """

    def restart(self) -> None:
        """Forget everything that belongs to earlier equations or numbers of the state."""

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
        """Do so for the members of an ensemble up to ``last``."""


def new_steps(system: System, method: Method, state: State) -> Steps:
    """Return the fastest loop for a system and a method.

    Both are imported here and not above, because importing one compiles it or loads the code.
    """
    if has_fused_step(system, method):
        from mbdgen.runtime.stepping.fused_run import FusedRun

        return FusedRun(system, method, state)
    from mbdgen.runtime.stepping.generic_run import GenericRun

    return GenericRun(system, method)


def new_scheme_steps(system: System, scheme: Scheme, state: State, dof: int) -> Steps:
    """Return the loop for a scheme, which may have a formulation besides its method."""
    if scheme.formulation is None:
        return new_steps(system, scheme.method, state)
    if scheme.method.library:
        from mbdgen.runtime.external.external_run import LibraryRun

        return LibraryRun(system, scheme, scheme.formulation, state, dof)
    from mbdgen.runtime.solvers.dense_run import GeneralRun

    return GeneralRun(system, scheme, scheme.formulation, state, dof)


def has_fused_step(system: System, method: Method) -> bool:
    """Whether both the system and the method know fused kernels."""
    return not reason_against_fused(system, method)


def reason_against_fused(system: System, method: Method) -> str:
    """Return why steps call single kernels and a linear solver; nothing if they do not."""
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

"""Projections onto the constraints: base class; a file with one ``PROJECTOR``.

A projector corrects the end of a step: first the positions until ``phi = 0``, then the velocities
until ``phi_dot = 0``. Projectors differ in the metric or the coordinates kept.
"""

from dataclasses import dataclass

from mbdgen.runtime.solvers.constraint_correction import correct
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunction, eliminates, projects
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace


@eliminates
def leave(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Change nothing."""
    return OK


@dataclass(frozen=True)
class Projector:
    """A projection of the end of a step onto the constraints.

    Attributes
    ----------
    name : str
        User-facing name: ``projection="mass"``.
    text : str
        One-line description for lists.
    source : str
        Original or best reference.
    change, project : SchemeFunction
        Compiled on first use (`mbdgen.runtime.solvers.scheme_functions`): the correction of a
        position or velocity that violates its constraints, and the iteration.
    """

    name: str
    text: str
    source: str
    change: SchemeFunction = leave
    project: SchemeFunction = correct

    def __post_init__(self) -> None:
        where = f"Projector {self.name!r}"
        eliminates.check(where, self.change)
        projects.check(where, self.project)

    def citation(self) -> str:
        """Return the reference of its publication."""
        return self.source

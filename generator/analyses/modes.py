"""Modal analysis: natural frequencies and damping of small vibrations about a state of rest."""

from dataclasses import dataclass

from mbdgen.analyses.analysis_table import Column, Table
from mbdgen.analyses.base import SystemAnalysis
from mbdgen.mechanics.modes import modes
from mbdgen.runtime.system.system import System


@dataclass(frozen=True)
class ModesTable(SystemAnalysis):
    r"""Natural frequencies and damping ratios about the initial state, at rest or steady.

    The equations are linearised and reduced to independent displacements and speeds, ``x_dot = A
    x``; a pair ``s = -zeta w +- i w sqrt(1 - zeta^2)`` of eigenvalues is a mode. The function
    `mbdgen.modes` also gives the shapes.

    Parameters
    ----------
    t : float
        Instant of a model that depends on time.
    """

    name = "modes"

    t: float = 0.0

    def of(self, system: System) -> Table:
        """Return frequency, damping ratio and the eigenvalue of every mode, slowest first."""
        found = modes(system, self.t)
        return Table(
            f"Vibrations of '{system.data.model}' about its state at t = {self.t:g} s",
            (
                Column("frequency", "Hz", found.frequency),
                Column("damping_ratio", "", found.damping_ratio),
                Column("real", "1/s", found.eigenvalues.real),
                Column("imaginary", "rad/s", found.eigenvalues.imag),
            ),
        )

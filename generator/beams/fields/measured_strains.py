"""Names and units of beam strains and their conjugate stresses.

A kind lists the measures shown to users, each as a sum of its strains.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mbdgen.geometry.symbolic_vectors import Expr


@dataclass(frozen=True)
class Measured:
    """A strain and its conjugate stress.

    Attributes
    ----------
    strain, strain_unit : str
        Its user-facing name.
    stress, stress_unit : str
        Likewise of the conjugate stress.
    parts : tuple of (number, factor)
        Strains of the kind whose sum it is.
    """

    strain: str
    strain_unit: str
    stress: str
    stress_unit: str
    parts: tuple[tuple[int, int], ...] = ()

    def of(self, *parts: int | tuple[int, int]) -> "Measured":
        """Return it as a sum of the strains that a kind states: their numbers, and factors."""
        pairs = (p if isinstance(p, tuple) else (p, 1) for p in parts)
        return replace(self, parts=tuple(pairs))

    def strain_of(self, strains: Sequence[Expr]) -> Expr:
        """Return its value for the strains of the kind."""
        return sum(strains[k] * factor for k, factor in self.parts)

    def stress_of(self, stresses: Sequence[Expr]) -> Expr:
        """Return the conjugate stress: a change of it changes each of its parts by its factor."""
        total = sum(stresses[k] * factor for k, factor in self.parts)
        squares = sum(factor**2 for _, factor in self.parts)
        return total if squares == 1 else total / squares


STRETCH = Measured("stretch", "1", "axial_force", "N")
CURVATURE = Measured("curvature", "1/m", "moment", "N m")
SHEAR = Measured("shear", "1", "shear_force", "N")
CURVATURE_Y = Measured("curvature_y", "1/m", "moment_y", "N m")
CURVATURE_Z = Measured("curvature_z", "1/m", "moment_z", "N m")
SHEAR_Y = Measured("shear_y", "1", "shear_force_y", "N")
SHEAR_Z = Measured("shear_z", "1", "shear_force_z", "N")
TWIST = Measured("twist", "1/m", "torque", "N m")


def numbered(count: int) -> tuple[Measured, ...]:
    """Return names for strains that have none of their own."""
    return tuple(
        Measured(f"strain_{k}", "", f"stress_{k}", "").of(k - 1) for k in range(1, count + 1)
    )

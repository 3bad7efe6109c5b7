"""What strains of beams and the stresses against them are called, and measured in.

A kind lists one `Measured` for every strain that it states, in the same order.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """A strain and what is conjugate to it.

    Attributes
    ----------
    strain, strain_unit : str
        Its name, by which users ask for it.
    stress, stress_unit : str
        Likewise, of what works along it.
    """

    strain: str
    strain_unit: str
    stress: str
    stress_unit: str


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
    return tuple(Measured(f"strain_{k}", "", f"stress_{k}", "") for k in range(1, count + 1))

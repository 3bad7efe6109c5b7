"""Planar element of belts: that of Dufva with factors for its stiffnesses.

``axial`` multiplies EA, ``bending`` multiplies what resists bending and shear: a cord in rubber is
stiff along and soft across.
"""

from mbdgen.beams.dufva import Dufva


class Belt(Dufva):
    """As dufva; the options ``axial`` and ``bending`` of a beam scale its stiffnesses."""

    name = "belt"
    modified = True

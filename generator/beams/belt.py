"""Planar belt element: Dufva's ANCF element with stiffness factors.

``axial`` multiplies EA, ``bending`` the bending and shear stiffness: a cord in rubber is axially
stiff and soft in bending.
"""

from mbdgen.beams.dufva import Dufva


class Belt(Dufva):
    """As dufva; the options ``axial`` and ``bending`` of a beam scale its stiffnesses."""

    name = "belt"
    modified = True

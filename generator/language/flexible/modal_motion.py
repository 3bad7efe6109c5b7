r"""Modal data and initial state of a flexible body in a floating frame of reference.

A point of the body is at :math:`R + A\,(s + u)` with :math:`u = \sum_i \varphi_i(s)\, e_i`, counted
from the centre of mass of the body at rest, in the axes of its frame. The modes are normal ones,
:math:`\int \varrho\, \varphi_i \cdot \varphi_j = \delta_{ij}`: their stiffnesses are squares of
frequencies.
"""

from dataclasses import dataclass

from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker

Row = tuple[Scalar, ...]


@dataclass(frozen=True)
class BodyModes:
    r"""Modal integrals (inertia shape integrals), one entry for each mode or pair of modes.

    Attributes
    ----------
    stiffness, damping : tuple of scalar
        :math:`\omega_i^2` and :math:`2 \zeta_i \omega_i`.
    shift : tuple of tuples
        :math:`\int \varrho\, \varphi_i`, in the plane two components.
    turn : tuple of tuples
        :math:`\int \varrho\, s \times \varphi_i`, in the plane one component.
    inertia : tuple of tuples
        First-order change of the inertia tensor (xx, yy, zz, xy, xz, yz); in the plane one moment.
    inertia_2 : tuple of tuples
        Its second-order change for pairs :math:`i \le j`; in the plane only the stiffening terms.
    gyration : tuple of tuples
        :math:`\int \varrho\, \varphi_i \times \varphi_j` of pairs :math:`i < j`.
    shift_2 : tuple of tuples
        :math:`\int \varrho\, b_{ij}` of pairs :math:`i \le j`, where the body is stiffened by
        displacements :math:`\tfrac12 b_{ij} e_i e_j`; else empty.
    amplitudes, rates : tuple of scalar
        Initial modal amplitudes and their rates.
    """

    stiffness: Row
    damping: Row
    shift: tuple[Row, ...]
    turn: tuple[Row, ...]
    inertia: tuple[Row, ...]
    inertia_2: tuple[Row, ...]
    gyration: tuple[Row, ...]
    shift_2: tuple[Row, ...] = ()
    amplitudes: Row = ()
    rates: Row = ()


@dataclass(frozen=True)
class ModalMotion(Motion):
    """Initial state of a flexible body in a floating frame, with its modes."""

    modes: BodyModes = BodyModes((), (), (), (), (), (), ())


@dataclass(frozen=True)
class ModalStation(Marker):
    """A marker on the deformed body, moving in the floating frame; other markers are fixed there.

    Attributes
    ----------
    shape : tuple of scalar
        Displacements and rotations of the point, mode by mode.
    """

    shape: Row = ()


@dataclass(frozen=True)
class Passage(Marker):
    """A piece of a beam in a floating frame that a moving marker passes.

    Attributes
    ----------
    shape : tuple of (str, scalar)
        Its length ``size``; the coefficients of the modes as polynomials of the fraction of it,
        ``x1c0`` for the constant of mode 1 along the beam; and the foreshortening by pairs of
        modes.
    """

    shape: tuple[tuple[str, Scalar], ...] = ()

"""Bushing: elastic connection of two frames in all six degrees of freedom."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, Push, Rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import atan2, sqrt
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix

NAMES = ("x", "y", "z", "rx", "ry", "rz")
NONE = Matrix(len(NAMES))
NO_ENERGY, NO_FORCE = Function(NAMES, 1, (0,)), Function(NAMES, len(NAMES), (0,) * len(NAMES))
# Regularisation of sin^2 of the angle, whose root is not differentiable at zero.
AT_REST = 1e-24


@dataclass(frozen=True)
class Bushing(Force):
    r"""Elastic joint: forces and moments by the deformation between frames, in the axes of a.

    It is unstressed where both frames coincide: give markers, or bodies with `at` and `axis`.

    .. math:: F = -K x - C \dot x - \frac{\partial U}{\partial x} + f(x)

    with the deformation :math:`x = (e_i \cdot (r_b - r_a), \theta_i)`. The rotations
    :math:`\theta_i` are the components of the rotation vector (its length is the angle, up to half
    a revolution), or for ``small=True`` those of its axis times the sine of the angle. `stiffness`
    and `damping` are 6 x 6 matrices, or their diagonals; the symmetric part of K is a potential,
    and so is ``energy=lambda x, y, z, rx, ry, rz: ...``; ``force=lambda ...`` returns six
    nonconservative forces. Forces are conjugate to the deformation: they do the work :math:`F \cdot
    dx`.

    Attributes
    ----------
    stiffness : matrix
        6 x 6 matrix K, or its diagonal.
    damping : matrix
        6 x 6 matrix C, or its diagonal.
    energy : function
        Additional potential U of the deformation.
    force : function
        Six additional nonconservative forces f.
    small : bool
        Whether rotations are small: sines instead of angles.
    """

    name = "bushing"
    measures = dict.fromkeys(NAMES, 1)
    units = {**dict.fromkeys(NAMES[:3], "m"), **dict.fromkeys(NAMES[3:], "rad")}

    stiffness: Matrix = NONE
    damping: Matrix = NONE
    energy: Function = NO_ENERGY
    force: Function = NO_FORCE
    small: bool = False

    def potential(self, *frames: Frame) -> Expr:
        """Return the energy of the symmetric part of the stiffness, and the user's."""
        x = self._deformation(*frames)
        k, n = self.stiffness, range(6)
        elastic = sum(k[i, i] * x[i] ** 2 / 2 for i in n)
        elastic += sum((k[i, j] + k[j, i]) / 2 * x[i] * x[j] for i in n for j in range(i))
        return elastic + self.energy(*x)

    def pushes(self, *frames: Frame, rate: Rate) -> list[Push]:
        """Return nonconservative forces: damping, skew stiffness, and the user's forces."""
        x, n = self._deformation(*frames), range(6)
        forces = list(self.force(*x))
        if not self.stiffness.symmetric:
            k = self.stiffness
            forces = [
                f - sum((k[i, j] - k[j, i]) / 2 * x[j] for j in n) for i, f in enumerate(forces)
            ]
        if self.damping.values:
            v = [frames[0].tape.name("rate", rate(c)) for c in x]
            forces = [f - sum(self.damping[i, j] * v[j] for j in n) for i, f in enumerate(forces)]
        return [Push(c, f) for c, f in zip(x, forces, strict=True) if f != 0]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return a component of the deformation."""
        return self._deformation(*frames)[NAMES.index(name)]

    def _deformation(self, a: Frame, b: Frame) -> list[Expr]:
        d, axes = b.r - a.r, (a.e1, a.e2, a.e3)
        turn = self._rotation(a, b)
        parts = [*(e.dot(d) for e in axes), *(e.dot(turn) for e in axes)]
        return [a.tape.name(f"deformation_{n}", x) for n, x in zip(NAMES, parts, strict=True)]

    def _rotation(self, a: Frame, b: Frame) -> Vec:
        """Return the rotation vector from the axes of a to those of b, in global components."""
        pairs = ((a.e1, b.e1), (a.e2, b.e2), (a.e3, b.e3))
        first, second, third = (x.cross(y) for x, y in pairs)
        sine = (first + second + third) / 2  # axis times the sine of the angle
        if self.small:
            return sine
        size = a.tape.name("sine", sqrt(sine.dot(sine) + AT_REST))
        cosine = (sum(x.dot(y) for x, y in pairs) - 1) / 2
        return sine * a.tape.name("over_sine", atan2(size, cosine) / size)

"""The cosine between e3 of a and e3 of b keeps its value."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.expressions.small_vectors import dot
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class DotProduct(Joint):
    r"""The cosine between e3 of a and e3 of b keeps its value.

    .. math:: a_3 \cdot b_3 - c = 0

    Attributes
    ----------
    cosine : scalar, optional
        Its value c; that of the initial position by default.
    """

    name = "dot_product"
    axis = True

    cosine: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial cosine as default."""
        a, b = markers
        return {"cosine": dot(a.global_axes[2], b.global_axes[2])}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.e3) - self.cosine]

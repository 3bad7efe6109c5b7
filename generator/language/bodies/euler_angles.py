"""Euler angles of a moving body as expressions of its axes, for outputs."""

from collections.abc import Sequence
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.bodies.orientation import EULER_SEQUENCES


def euler_angles(axes: Sequence[Sequence[Any]], sequence: str) -> tuple[Any, Any, Any]:
    r"""Return the angles of body-fixed rotations: :math:`R = R_i(a_1) R_j(a_2) R_k(a_3)`.

    The first and the last count their turns; the second has none.

    Parameters
    ----------
    axes : three vectors
        Columns of the rotation matrix.
    sequence : str
        Lower-case letters, for example ``zxz`` or ``xyz``.
    """
    if sequence not in EULER_SEQUENCES:
        raise ModelError(
            f"The Euler sequence {sequence!r} does not exist.",
            f"Use one of: {', '.join(EULER_SEQUENCES)}.",
        )
    import sympy

    from mbdgen.language.expressions.piecewise_index import Turning

    i, j, last = ("xyz".index(c) for c in sequence)
    k = 3 - i - j
    sign = 1 if (j - i) % 3 == 1 else -1

    def r(row: int, column: int) -> Any:
        return axes[column][row]

    if last == i:
        angles = (
            sympy.atan2(r(j, i), -sign * r(k, i)),
            sympy.atan2(sympy.sqrt(r(i, j) ** 2 + r(i, k) ** 2), r(i, i)),
            sympy.atan2(r(i, j), sign * r(i, k)),
        )
        return Turning(angles[0]), angles[1], Turning(angles[2])
    angles = (
        sympy.atan2(-sign * r(j, k), r(k, k)),
        sympy.atan2(sign * r(i, k), sympy.sqrt(r(i, i) ** 2 + r(i, j) ** 2)),
        sympy.atan2(-sign * r(i, j), r(i, i)),
    )
    return Turning(angles[0]), angles[1], Turning(angles[2])

r"""Shape functions of beam elements: cubic Hermite and linear.

The midline is cubic in positions and slopes (Hermite), section vectors are linear.
"""

from collections.abc import Mapping

from mbdgen.geometry.polynomials import Polynomial

HERMITE = (
    Polynomial((1, 0, -3, 2)),
    Polynomial((0, 1, -2, 1), 1),
    Polynomial((0, 0, 3, -2)),
    Polynomial((0, 0, -1, 1), 1),
)
LINEAR = (Polynomial((1, -1)), Polynomial((0, 1)))


def cubic(position: int, slope: int, per_node: int) -> Mapping[int, Polynomial]:
    """Return the weights of a midline.

    Parameters
    ----------
    position, slope : int
        Indices of these blocks of a node.
    per_node : int
        Number of blocks of a node.
    """
    blocks = (position, slope, per_node + position, per_node + slope)
    return dict(zip(blocks, HERMITE, strict=True))


def linear(block: int, per_node: int) -> Mapping[int, Polynomial]:
    """Return the weights of linear interpolation between the nodes."""
    return dict(zip((block, per_node + block), LINEAR, strict=True))

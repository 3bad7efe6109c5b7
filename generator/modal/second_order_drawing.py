r"""Foreshortening of a slender spatial body by bending (geometric stiffening), second order.

A beam with inextensible midline displaces its points by

.. math:: -\tfrac12 t \int w'^2 = \tfrac12 \sum_{ij} b_{ij} e_i e_j, \qquad
    b_{ij} = -t \int w_i' \cdot w_j'

along itself, w across it. Between nodes w is the cubic of displacements and turns, or a straight
line where nodes have no turns.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mbdgen.modal.structure import FloatArray, Structure


def drawn(body: Structure, shapes: FloatArray, line: Sequence[int]) -> FloatArray:
    """Return :math:`b_{ij}` at all nodes, ``(modes, modes, nodes, 3)``.

    Parameters
    ----------
    shapes : array, shape (unknowns, modes)
        The modes.
    line : sequence of int
        The nodes in their order along the body.
    """
    n = shapes.shape[1]
    at_nodes = shapes.reshape(len(body.nodes), body.size, n).transpose(0, 2, 1)
    found = np.zeros((n, n, len(body.nodes), 3))
    for a, b in pairwise(line):
        along = body.nodes[b] - body.nodes[a]
        length = float(np.linalg.norm(along))
        along = along / length
        across = np.eye(3) - np.outer(along, along)
        jump = (at_nodes[b, :, :3] - at_nodes[a, :, :3]) @ across / length
        slopes = [jump, jump]
        if body.size > 3:
            slopes = [np.cross(at_nodes[k, :, 3:], along) for k in (a, b)]
        found[:, :, b] = found[:, :, a] - along * (length * _product(jump, *slopes))[..., None]
    return found


def _product(jump: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the mean of products of slopes of cubics, by their mean and those at both ends."""
    mixed = jump @ (a + b).T
    ends = a @ b.T
    whole = 36 * jump @ jump.T - 3 * (mixed + mixed.T) + 4 * (a @ a.T + b @ b.T) - ends - ends.T
    return np.asarray(whole / 30, np.float64)

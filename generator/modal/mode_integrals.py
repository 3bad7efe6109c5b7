r"""Inertia shape integrals of the modes of a spatial structure, from its mass matrix.

In the axes of the frame a node has the velocity :math:`\omega \times (s + u) + \dot u` and the
angular velocity :math:`\omega + \dot\psi`. The kinetic energy is :math:`T = \tfrac12 V^T M V`,

.. math:: V = (\Omega + \sum_i e_i G_i)\, \omega + \sum_i \varphi_i \dot e_i,

with the rotations :math:`\Omega` about the centre of mass and
:math:`G_i \omega = \omega \times \varphi_i`.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.modal.structure import AXES, FloatArray, Structure

TENSOR = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class ModeIntegrals:
    """Modal integrals, as those of the same names of `BodyModes`.

    Attributes
    ----------
    shift, turn : array, shape (n, 3)
        Momenta.
    inertia : array, shape (n, 6)
        First-order change of the inertia tensor.
    inertia_2 : array, shape (pairs i <= j, 6)
        Its second-order change.
    gyration : array, shape (pairs i < j, 3)
        Moments of momentum of two modes.
    shift_2 : array, shape (pairs i <= j, 3), or empty
        Momenta of the foreshortening.
    """

    shift: FloatArray
    turn: FloatArray
    inertia: FloatArray
    inertia_2: FloatArray
    gyration: FloatArray
    shift_2: FloatArray


def integrals(
    body: Structure, shapes: FloatArray, central: bool, drawn: FloatArray | None = None
) -> ModeIntegrals:
    """Return the integrals; the momenta of central modes are exactly zero.

    Parameters
    ----------
    drawn : array, shape (modes, modes, nodes, 3), optional
        Foreshortening of the nodes: see `mbdgen.modal.second_order_drawing`.
    """
    n = shapes.shape[1]
    turned = _turned(body, shapes)
    heavy = body.mass @ turned
    omega, momenta = body.rotations(), body.mass @ shapes
    kept = 0.0 if central else 1.0
    first = (omega.T @ heavy).reshape(3, n, 3).transpose(1, 0, 2)
    second = (turned.T @ heavy).reshape(n, 3, n, 3)
    both = first + first.transpose(0, 2, 1)
    mixed = (turned.T @ momenta).reshape(n, 3, n)
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    inertia_2 = np.array([[_pair(second, i, j, a, b) for a, b in TENSOR] for i, j in pairs])
    shift_2 = np.zeros((0, 3))
    if drawn is not None:
        of_drawn, shift_2 = _of_drawn(body, np.array([drawn[i, j] for i, j in pairs]))
        inertia_2 += of_drawn * np.array([[0.5 if i == j else 1.0] for i, j in pairs])
    return ModeIntegrals(
        shift=kept * (body.translations().T @ momenta).T,
        turn=kept * (omega.T @ momenta).T,
        inertia=np.array([[x[a, b] for a, b in TENSOR] for x in both]).reshape(n, 6),
        inertia_2=inertia_2,
        shift_2=shift_2,
        gyration=np.array(
            [(mixed[i, :, j] - mixed[j, :, i]) / 2 for i, j in pairs if i < j]
        ).reshape(-1, 3),
    )


def _of_drawn(body: Structure, fields: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return first change of the inertia tensor and momentum of displacements of the nodes."""
    moved = np.zeros((len(fields), len(body.nodes), body.size))
    moved[:, :, :3] = fields
    shapes = moved.reshape(len(fields), -1).T
    heavy = body.mass @ _turned(body, shapes)
    first = (body.rotations().T @ heavy).reshape(3, len(fields), 3).transpose(1, 0, 2)
    both = first + first.transpose(0, 2, 1)
    inertia = np.array([[x[a, b] for a, b in TENSOR] for x in both])
    return inertia, np.asarray((body.translations().T @ (body.mass @ shapes)).T)


def _pair(second: FloatArray, i: int, j: int, a: int, b: int) -> float:
    """Return the coefficient of two amplitudes in an entry of the tensor."""
    mean = (second[i, a, j, b] + second[i, b, j, a]) / 2
    return float(mean if i == j else 2 * mean)


def _turned(body: Structure, shapes: FloatArray) -> FloatArray:
    """Return the velocities of unit rotations of the displaced nodes, three for each mode."""
    n = shapes.shape[1]
    moved = shapes.reshape(len(body.nodes), body.size, n)[:, :3]
    found = np.zeros((len(body.nodes), body.size, n, 3))
    for k, axis in enumerate(AXES):
        found[:, :3, :, k] = np.cross(axis, moved, axisb=1, axisc=1)
    return found.reshape(-1, 3 * n)

r"""Kinematic map T from virtual displacements to coordinate rates, :math:`\dot q = T u`.

It is the identity except for unit vectors (quaternions), whose map is known in closed form, and for
bodies with the displacement kernel: there the kernel evaluates :math:`u = B \dot q`, the norms have
zero rates, and :math:`T` is the first columns of the inverse of both together.
"""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.interface import DISPLACEMENT_ROOM
from mbdgen.runtime.system.system_data import Displaced, FloatArray
from mbdgen.runtime.system.unit_vectors import unit_map

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System


def rates_of_displacements(system: "System", t: float, q: FloatArray) -> FloatArray:
    """Return T with a column for every row; columns of norm equations are zero."""
    full = np.eye(len(q))
    for first, block in maps(system, t, q).items():
        own = slice(first, first + len(block))
        full[own, own] = block
    return full


def maps(system: "System", t: float, q: FloatArray) -> dict[int, FloatArray]:
    """Return the square blocks of T that are not the identity, by their first coordinate."""
    found = {
        int(first): unit_map(q[first : first + size]) for first, size in system.data.unit_blocks
    }
    if not system.data.displaced:
        return found
    rest = np.zeros(len(q))
    out = system.displacements(t, q, rest, rest)
    jacobian = None
    for body in system.data.displaced:
        rates = slopes_of(body, out)
        if body.n_q > body.n_u:
            jacobian = system.jacobian(t, q).toarray() if jacobian is None else jacobian
            norms = np.isin(
                system.work.rows, np.arange(body.first + body.n_u, body.first + body.n_q)
            )
            columns = slice(body.first, body.first + body.n_q)
            rates = np.vstack([rates, jacobian[norms, columns]])
        finite = np.isfinite(rates).all()
        block: FloatArray = np.full(rates.T.shape, np.nan)
        if finite:
            block[:] = np.linalg.pinv(rates)
        block[:, body.n_u :] = 0.0
        found[body.first] = block
    return found


def slopes_of(body: Displaced, out: FloatArray) -> FloatArray:
    r"""Return B of a body from the output of the kernel."""
    at = DISPLACEMENT_ROOM * body.first
    return out[at : at + body.n_u * body.n_q].reshape(body.n_u, body.n_q)


def accelerations_of(body: Displaced, out: FloatArray) -> FloatArray:
    r"""Return :math:`\dot u` of a body from the output of the kernel."""
    at = DISPLACEMENT_ROOM * body.first + body.n_u * body.n_q
    return out[at : at + body.n_u]


def switched_of(body: Displaced, out: FloatArray) -> FloatArray:
    """Return the quantities by which a body switches its chart, from the output of the kernel."""
    at = DISPLACEMENT_ROOM * body.first + body.n_u * (body.n_q + 1)
    return out[at : at + (9 if body.rebased else len(body.home))]

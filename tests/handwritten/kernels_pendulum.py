"""A point mass on a rod, ``phi = (x^2 + y^2 - L^2) / (2 L)``, as five kernels written by hand."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE, Kernels
from mbdgen.runtime.program.pointers import vector
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import Names, Parameters, Pattern, SystemData, Tables


@separate(KERNEL_SIGNATURE)
def residual(t, q, v, a, lam, w, p, m, out):
    mass, length, gravity = p[0], p[1], p[2]
    out[0] = mass * a[0] - q[0] / length * lam[0]
    out[1] = mass * a[1] + mass * gravity - q[1] / length * lam[0]
    out[2] = (q[0] * q[0] + q[1] * q[1] - length * length) / (2.0 * length)
    return 0


@separate(KERNEL_SIGNATURE)
def matrix(t, q, v, a, lam, w, p, m, out):
    mass, length = p[0], p[1]
    values = vector(out, 9)
    values[:] = 0.0
    values[0] = w[2] * mass - w[0] * lam[0] / length
    values[2] = q[0] / length
    values[4] = w[2] * mass - w[0] * lam[0] / length
    values[5] = q[1] / length
    values[6] = -q[0] / length
    values[7] = -q[1] / length
    return 0


@separate(KERNEL_SIGNATURE)
def rates(t, q, v, a, lam, w, p, m, out):
    length = p[1]
    values = vector(out, 6)
    values[:] = 0.0
    values[2] = (q[0] * v[0] + q[1] * v[1]) / length
    values[5] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / length
    return 0


@separate(KERNEL_SIGNATURE)
def energies(t, q, v, a, lam, w, p, m, out):
    out[0] = 0.5 * p[0] * (v[0] * v[0] + v[1] * v[1])
    out[1] = p[0] * p[2] * q[1]
    out[2] = 0.0
    return 0


@separate(KERNEL_SIGNATURE)
def outputs(t, q, v, a, lam, w, p, m, out):
    out[0] = np.arctan2(q[0], -q[1])
    out[1] = -lam[0]
    return 0


KERNELS = Kernels(residual, matrix, rates, energies, outputs)


def pendulum(x=-1.0, y=0.0, vx=0.0, vy=0.0, fixed=(False, False), fixed_velocity=(False, False)):
    data = SystemData(
        model="pendulum",
        backend="hand",
        layout="flat",
        n_q=2,
        n_lam=1,
        names=Names(
            coordinates=("ball.x", "ball.y"),
            multipliers=("rod[0]",),
            rows=("ball: force along x", "ball: force along y", "rod: length"),
            row_owners=("ball", "ball", "rod"),
            outputs=("angle", "tension"),
            units=("rad", "N"),
        ),
        tables=Tables(
            p=np.array([1.0, 1.0, 9.81]),
            m=np.zeros(0, np.int64),
            q0=np.array([x, y]),
            v0=np.array([vx, vy]),
        ),
        pattern=Pattern(np.array([0, 3, 6, 9]), np.array([0, 1, 2] * 3)),
        parameters=Parameters(
            names=("L", "m"),
            defaults=(1.0, 1.0),
            derived=lambda values: [values[0], values[1], -values[0]],
            p_targets=np.array([[0, 1], [1, 0]]),
            q_targets=np.array([[0, 2]]),
        ),
        constraint_rows=np.array([2]),
        unit_blocks=np.zeros((0, 2), np.int64),
        fixed=np.array(fixed),
        fixed_velocity=np.array(fixed_velocity),
    )
    return System(data, KERNELS)

"""Planar bodies (x, y, theta) with revolute joints, gravity, a torque and a damper, by hand.

Table ``p``: gravity, torque on body 0, damping of body 0, then (mass, inertia) of the bodies, then
(ax, ay, bx, by) of the joints in body axes. Table ``m``: bodies, joints, entries, then (a, b) of
the joints (-1: ground), then the places of the matrix entries in the order of writing.
"""

import numpy as np
from scipy.sparse import coo_array

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE, Kernels
from mbdgen.runtime.program.pointers import vector
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import Names, Parameters, Pattern, SystemData, Tables


@separate(KERNEL_SIGNATURE)
def residual(t, q, v, a, lam, w, p, m, out):
    bodies, joints = m[0], m[1]
    for i in range(bodies):
        mass, inertia = p[3 + 2 * i], p[4 + 2 * i]
        out[3 * i] = mass * a[3 * i]
        out[3 * i + 1] = mass * (a[3 * i + 1] + p[0])
        out[3 * i + 2] = inertia * a[3 * i + 2]
    out[2] += -p[1] + p[2] * v[2]
    for k in range(joints):
        row = 3 * bodies + 2 * k
        out[row] = 0.0
        out[row + 1] = 0.0
        for side in range(2):
            body, sign = m[3 + 2 * k + side], 1.0 - 2.0 * side
            at = 3 + 2 * bodies + 4 * k + 2 * side
            sx, sy = p[at], p[at + 1]
            if body < 0:
                out[row] += sign * sx
                out[row + 1] += sign * sy
            else:
                o = 3 * body
                c, s = np.cos(q[o + 2]), np.sin(q[o + 2])
                dx, dy = c * sx - s * sy, s * sx + c * sy
                out[row] += sign * (q[o] + dx)
                out[row + 1] += sign * (q[o + 1] + dy)
                out[o] -= sign * lam[2 * k]
                out[o + 1] -= sign * lam[2 * k + 1]
                out[o + 2] -= sign * (-dy * lam[2 * k] + dx * lam[2 * k + 1])
    return 0


@separate(KERNEL_SIGNATURE)
def matrix(t, q, v, a, lam, w, p, m, out):
    bodies, joints, size = m[0], m[1], m[2]
    values = vector(out, size)
    values[:] = 0.0
    place = 3 + 2 * joints
    for i in range(bodies):
        for j in range(3):
            values[m[place + j]] += w[2] * (p[3 + 2 * i] if j < 2 else p[4 + 2 * i])
        place += 3
    values[m[3 + 2 * joints + 2]] += w[1] * p[2]
    for k in range(joints):
        for side in range(2):
            body, sign = m[3 + 2 * k + side], 1.0 - 2.0 * side
            if body < 0:
                continue
            at = 3 + 2 * bodies + 4 * k + 2 * side
            sx, sy = p[at], p[at + 1]
            c, s = np.cos(q[3 * body + 2]), np.sin(q[3 * body + 2])
            dx, dy = sign * (c * sx - s * sy), sign * (s * sx + c * sy)
            values[m[place]] += w[0] * (dx * lam[2 * k] + dy * lam[2 * k + 1])
            entries = (sign, sign, -dy, dx)
            for j in range(4):
                values[m[place + 1 + j]] += entries[j]
                values[m[place + 5 + j]] -= entries[j]
            place += 9
    return 0


@separate(KERNEL_SIGNATURE)
def rates(t, q, v, a, lam, w, p, m, out):
    bodies, joints = m[0], m[1]
    n = 3 * bodies + 2 * joints
    values = vector(out, 2 * n)
    values[:] = 0.0
    for k in range(joints):
        row = 3 * bodies + 2 * k
        for side in range(2):
            body, sign = m[3 + 2 * k + side], 1.0 - 2.0 * side
            if body < 0:
                continue
            at, o = 3 + 2 * bodies + 4 * k + 2 * side, 3 * body
            sx, sy = p[at], p[at + 1]
            c, s = np.cos(q[o + 2]), np.sin(q[o + 2])
            dx, dy = c * sx - s * sy, s * sx + c * sy
            om, al = v[o + 2], a[o + 2]
            values[row] += sign * (v[o] - dy * om)
            values[row + 1] += sign * (v[o + 1] + dx * om)
            values[n + row] += sign * (a[o] - dy * al - dx * om * om)
            values[n + row + 1] += sign * (a[o + 1] + dx * al - dy * om * om)
    return 0


@separate(KERNEL_SIGNATURE)
def energies(t, q, v, a, lam, w, p, m, out):
    out[0] = 0.0
    out[1] = 0.0
    for i in range(m[0]):
        o, mass, inertia = 3 * i, p[3 + 2 * i], p[4 + 2 * i]
        out[0] += 0.5 * (mass * (v[o] ** 2 + v[o + 1] ** 2) + inertia * v[o + 2] ** 2)
        out[1] += mass * p[0] * q[o + 1]
    out[2] = (p[1] - p[2] * v[2]) * v[2]
    return 0


@separate(KERNEL_SIGNATURE)
def outputs(t, q, v, a, lam, w, p, m, out):
    o = 3 * (m[0] - 1)
    out[0] = q[o]
    out[1] = q[o + 1]
    return 0


KERNELS = Kernels(residual, matrix, rates, energies, outputs)


def planar(q0, v0, masses, inertias, joints, gravity=9.81, torque=0.0, damping=0.0, fixed=()):
    """``joints``: tuples (body a, body b, point in a, point in b), -1 is ground."""
    bodies = len(masses)
    n_q, n_lam = 3 * bodies, 2 * len(joints)
    rows, columns = list(range(n_q)), list(range(n_q))
    for k, (a, b, _, _) in enumerate(joints):
        for body in (a, b):
            if body >= 0:
                o, r = 3 * body, n_q + 2 * k
                first, second = [r, r + 1, r, r + 1], [o, o + 1, o + 2, o + 2]
                rows += [o + 2, *first, *second]
                columns += [o + 2, *second, *first]
    written = len(rows)
    rows += range(n_q, n_q + n_lam)
    columns += range(n_q, n_q + n_lam)
    n = n_q + n_lam
    keys, places = np.unique(np.array(columns) * n + np.array(rows), return_inverse=True)
    pattern = coo_array((np.ones(len(keys)), (keys % n, keys // n)), shape=(n, n)).tocsc()
    names = [f"j{k}" for k in range(len(joints))]
    data = SystemData(
        model="planar",
        backend="hand",
        layout="loop",
        n_q=n_q,
        n_lam=n_lam,
        names=Names(
            coordinates=tuple(f"b{i}.{c}" for i in range(bodies) for c in ("x", "y", "theta")),
            multipliers=tuple(f"{name}[{i}]" for name in names for i in range(2)),
            rows=(
                *(f"b{i}: {c}" for i in range(bodies) for c in ("fx", "fy", "moment")),
                *(f"{name}: {c}" for name in names for c in "xy"),
            ),
            row_owners=(
                *(f"b{i}" for i in range(bodies) for _ in range(3)),
                *(name for name in names for _ in range(2)),
            ),
            outputs=("last.x", "last.y"),
            units=("m", "m"),
        ),
        tables=Tables(
            p=np.array(
                [gravity, torque, damping]
                + [x for pair in zip(masses, inertias, strict=True) for x in pair]
                + [x for _, _, pa, pb in joints for x in (*pa, *pb)]
            ),
            m=np.array(
                [bodies, len(joints), len(keys)]
                + [body for a, b, _, _ in joints for body in (a, b)]
                + list(places[:written])
            ),
            q0=np.array(q0, float),
            v0=np.array(v0, float),
        ),
        pattern=Pattern(pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64)),
        parameters=Parameters(),
        constraint_rows=np.arange(n_q, n),
        unit_blocks=np.zeros((0, 2), np.int64),
        fixed=np.isin(np.arange(n_q), fixed),
        fixed_velocity=np.zeros(n_q, bool),
    )
    return System(data, KERNELS)


def four_bars(loops=2, redundant=False, speed=1.0):
    """Benchmark A02: verticals hinged at (i, 0), horizontals join their tops."""
    up = np.pi / 2
    q0, v0, joints = [], [], []
    for i in range(loops + 1):
        q0 += [i, 0.5, up]
        v0 += [0.5 * speed, 0.0, -speed]
        joints.append((-1, i, (float(i), 0.0), (-0.5, 0.0)))
    for i in range(loops):
        bar = loops + 1 + i
        q0 += [i + 0.5, 1.0, 0.0]
        v0 += [speed, 0.0, 0.0]
        joints.append((i, bar, (0.5, 0.0), (-0.5, 0.0)))
        joints.append((bar, i + 1, (0.5, 0.0), (0.5, 0.0)))
    if redundant:
        joints.append(joints[-1])
    bars = 2 * loops + 1
    return planar(q0, v0, [1.0] * bars, [1.0 / 12.0] * bars, joints)


def chain(bars, angle=0.0):
    """Bars of 1 m hanging on each other from the origin, straight at ``angle``."""
    c, s = np.cos(angle), np.sin(angle)
    q0 = [x for i in range(bars) for x in ((i + 0.5) * c, (i + 0.5) * s, angle)]
    joints = [(i - 1, i, (0.5 if i else 0.0, 0.0), (-0.5, 0.0)) for i in range(bars)]
    return planar(q0, np.zeros(3 * bars), [1.0] * bars, [1.0 / 12.0] * bars, joints)

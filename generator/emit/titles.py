"""What each kernel computes, in words and equations: docstrings of generated functions."""

TITLES = {
    "residual": "r: M a - f - G^T lam in dynamics rows, phi(t, q) in constraint rows",
    "matrix": "A = [c_q dr/dq + c_v dr/dv + c_a dr/da, -G^T; H, 0], values of the sparse pattern",
    "mass": "[M, -G^T; H, 0] in the places of the matrix, which it is for c_q = c_v = 0, c_a = 1",
    "rates": "phi_dot = H v + phi_t in n rows, then phi_ddot = H a - gamma in n rows",
    "energies": "kinetic energy, potential energy, power of loads and drivers",
    "outputs": "named results",
    "newton": "x of [c_q r_q + c_v r_v + r_a, -G^T; H, eps] x = -[r; phi/c_q], then max |phi|",
    "consistent": "v on phi_dot = 0, a, lam, max |phi|, factors of [M, -G^T; H, eps]",
    "accelerations": "a of [M, -G^T; H, 0] [a; lam] = [f; gamma], then factors for retract",
    "retract": "d of [M, -G^T; H, eps] [d; mu] = [0; -phi], then max |phi|; in the place of a it "
    "reads what accelerations wrote behind its result",
    "finish": "what consistent writes but max |phi|; v is first corrected along the reactions of "
    "an earlier state: in the place of a it reads what consistent or finish wrote there",
    "power": "power of loads and drivers",
    "expand": "all coordinates, velocities, accelerations and multipliers of the mechanism",
    "gather": "the reduced coordinates, velocities, accelerations and multipliers of a whole state",
}

_CONTRIBUTIONS = {
    "body": {
        "residual": "M a - f, and phi of conditions of its own",
        "matrix": "c_q d(M a - f)/dq + c_v d(M a - f)/dv + c_a M, and H of conditions of its own",
        "mass": "M, and H of conditions of its own",
        "energies": "kinetic energy and potential energy of gravity",
    },
    "joint": {
        "residual": "-G^T lam to the rows of its bodies, phi to its own",
        "matrix": "-c_q d(G^T lam)/dq, -G^T and H",
        "mass": "-G^T and H",
        "energies": "power -lam . phi_t of a driver",
    },
    "force": {
        "residual": "-f to the rows of its bodies",
        "matrix": "-c_q df/dq - c_v df/dv",
        "mass": "-df/da",
        "energies": "potential energy and power",
    },
    "output": {},
}


def contribution(role: str, kernel: str) -> str:
    """Return what an element of that role adds in a kernel."""
    return _CONTRIBUTIONS[role].get(kernel, TITLES[kernel])

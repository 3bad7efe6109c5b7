"""What each kernel computes, in words and equations: docstrings of generated functions."""

from mbdgen.interface import RESULTS

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
    return _CONTRIBUTIONS[role].get(kernel, RESULTS[kernel])

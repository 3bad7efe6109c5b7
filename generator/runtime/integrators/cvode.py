"""CVODE of SUNDIALS (Adams, BDF) on the ODE of any formulation; needs scikit-sundae."""

from mbdgen.runtime.external.solver_names import CVODE
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option import choice

METHOD = Method(
    name="cvode",
    formulation="index1",
    order=5,
    general="mbdgen.runtime.external.sundials_cvode",
    library=True,
    kind="implicit",
    options=(choice("family", CVODE, "multistep family"),),
    text="BDF or Adams methods of SUNDIALS, variable order and step size",
    source="A. C. Hindmarsh and others: SUNDIALS: suite of nonlinear and differential/algebraic "
    "equation solvers, ACM Trans. Math. Softw. 31 (2005) 363-396.",
)

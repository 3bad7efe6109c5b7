"""IDA of SUNDIALS (BDF for DAE) with Lagrange multipliers, index 1 to 3; needs scikit-sundae."""

from mbdgen.runtime.external.solver_names import IDA
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option import choice

METHOD = Method(
    name="ida",
    formulation="index2",
    order=5,
    general="mbdgen.runtime.external.sundials_ida",
    library=True,
    needs="stages",
    redundant=False,
    options=(choice("stabilised", IDA, "stabilisation of index2 by further multipliers"),),
    text="BDF of SUNDIALS for the DAE with multipliers, variable order and step size",
    source="A. C. Hindmarsh and others: SUNDIALS: suite of nonlinear and differential/algebraic "
    "equation solvers, ACM Trans. Math. Softw. 31 (2005) 363-396.",
)

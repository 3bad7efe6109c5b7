"""IDA of SUNDIALS on the equations with multipliers, of index 1 or 2; needs scikit-sundae."""

from mbdgen.runtime.integrators.base import Method

METHOD = Method(
    name="ida",
    formulation="index2",
    order=5,
    general="mbdgen.runtime.library.ida",
    library=True,
    needs="stages",
    text="backward differentiation of SUNDIALS on implicit equations with multipliers",
    source="A. C. Hindmarsh and others: SUNDIALS: suite of nonlinear and differential/algebraic "
    "equation solvers, ACM Trans. Math. Softw. 31 (2005) 363-396.",
)

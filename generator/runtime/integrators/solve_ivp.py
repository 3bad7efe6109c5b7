"""``scipy.integrate.solve_ivp``: its solvers on the ODE of any formulation."""

from mbdgen.runtime.external.solver_names import SCIPY
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option import choice

METHOD = Method(
    name="solve-ivp",
    formulation="index1",
    order=5,
    general="mbdgen.runtime.external.scipy_solvers",
    library=True,
    kind="explicit or implicit",
    options=(choice("solver", SCIPY, "class of scipy.integrate"),),
    text="solvers of SciPy with step-size control",
    source="P. Virtanen and others: SciPy 1.0: fundamental algorithms for scientific computing in "
    "Python, Nature Methods 17 (2020) 261-272.",
)

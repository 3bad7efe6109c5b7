"""Integrators: one file per formula, discovered automatically.

The name of the file, with hyphens for underscores, is the name of the method. A file is imported
(and compiled, once per installation) only when its method is used.
"""

from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods import plugins

_PAIR = "'dopri5', the formulas of Dormand and Prince"
ELSEWHERE = {
    "rk45": f"{_PAIR} (or 'solve-ivp', whose solver RK45 is that of SciPy)",
    "ode45": _PAIR,
    "rk23": "'solve-ivp' with solver='RK23'",
    "lsoda": "'solve-ivp' with solver='LSODA'",
    "odeint": "'solve-ivp' with solver='LSODA'",
    "ode15s": "'bdf', or 'ida' of SUNDIALS",
    "daspk": "'ida' of SUNDIALS",
    "dassl": "'ida' of SUNDIALS",
    "rk": "'rk4'",
    "runge-kutta": "'rk4', or 'dopri5' with rtol",
    "explicit-euler": "'euler'",
    "forward-euler": "'euler'",
    "implicit-euler": "'backward-euler'",
    "crank-nicolson": "'trapezoidal'",
    "leapfrog": "'verlet'",
    "stormer-verlet": "'verlet'",
}
"""Names of integrators in other programs, and their equivalents here."""


def known() -> list[str]:
    """Names of all integrators."""
    return plugins.names_in(__name__)


def method(name: str) -> Method:
    """Return one of the integrators of `known`."""
    return plugins.load(__name__, name, Method, "method", ELSEWHERE)

"""Results of sensitivity analysis: series of derivatives over time, with units."""

from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.system.system_data import FloatArray, Names


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Derivatives of all recorded series with respect to one parameter; axes are (time, n).

    Attributes
    ----------
    name, unit : str
        The parameter or initial value of differentiation.
    t : array
        Recorded instants.
    q, v, a, lam, outputs, energies : array
        Derivatives of the arrays of the result that have these names.
    """

    name: str
    unit: str
    t: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray
    outputs: FloatArray
    energies: FloatArray


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Derivatives of a motion with respect to several parameters or initial values.

    Attributes
    ----------
    names : Names
        Of the system.
    by : tuple of Sensitivity
        In the order in which they were asked for.
    """

    names: Names
    by: tuple[Sensitivity, ...]

    def find(self, parameter: str) -> Sensitivity:
        """Return the derivatives by one number.

        Raises
        ------
        OptionError
            If the run was not asked for it.
        """
        for one in self.by:
            if one.name == parameter:
                return one
        raise OptionError(
            f"The motion was not differentiated by '{parameter}'.",
            f"It has derivatives by {', '.join(one.name for one in self.by)}; name others in "
            "simulate(..., sensitivities=[...]).",
        )

    def series(self, output: str, parameter: str) -> FloatArray:
        """Return derivatives of a series ``(n_t,)`` or of all of a group ``(n_t, k)``."""
        one = self.find(parameter)
        found, single = naming.Directory(self.names).select(output)
        values = naming.matrix(one, found)
        return np.ascontiguousarray(values[:, 0]) if single else values

    def unit(self, output: str, parameter: str) -> str:
        """Return the unit of a derivative; empty if one of the two is unknown."""
        found, _ = naming.Directory(self.names).select(output)
        units = {column.unit for column in found}
        return quotient(units.pop() if len(units) == 1 else "", self.find(parameter).unit)


def quotient(above: str, below: str) -> str:
    """Return the unit of a quotient.

    >>> quotient("m", "kg"), quotient("m", "m"), quotient("rad", "N m/rad"), quotient("m", "1")
    ('m/kg', '1', 'rad/(N m/rad)', 'm')
    """
    if not above or not below:
        return ""
    if above == below:
        return "1"
    if below == "1":
        return above
    return f"{above}/({below})" if set(below) & set(" /*") else f"{above}/{below}"


def missing() -> OptionError:
    """Return what is wrong with a result that has no sensitivities."""
    return OptionError(
        "This result has no sensitivities: the run was not asked for any.",
        "Name parameters: simulate(..., sensitivities=['L']).",
    )

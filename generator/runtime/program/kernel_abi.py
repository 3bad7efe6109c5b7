"""Kernel ABI: one C signature for all kernels of a generated module.

``int64 kernel(double t, double *q, double *v, double *a, double *lam, double *w,
double *p, int64 *m, double *out)``

A kernel reads the state (time, coordinates, velocities, accelerations, Lagrange multipliers), the
weights ``w = (c_q, c_v, c_a)`` (followed by ``eps`` of every multiplier), the table of real
parameters ``p`` and the table of integers ``m`` (connectivity and scatter maps), writes ``out`` and
returns 0. Kernels with fixed pivots return 1 if these do not suit the state. Every backend with
such functions runs with the same compiled loops.
"""

from types import FunctionType
from typing import Any, NamedTuple

from mbdgen.interface import (
    ANGLES,
    DISPLACEMENTS,
    FUSED_KERNELS,
    SECOND_KERNELS,
    VARIATION_KERNELS,
)
from mbdgen.runtime.program.function_addresses import AddressedFunction
from mbdgen.subset import types

_REAL = types.CPointer(types.float64)
_INT = types.CPointer(types.int64)

KERNEL_SIGNATURE = types.int64(types.float64, _REAL, _REAL, _REAL, _REAL, _REAL, _REAL, _INT, _REAL)
KERNEL = types.FunctionPointer(KERNEL_SIGNATURE)

ELEMENT_SIGNATURE = types.void(*KERNEL_SIGNATURE.args)
"""Functions of element types, called by kernels: same arguments, they add to ``out``."""


class Kernels(NamedTuple):
    """Compiled functions of one mechanism (all of type ``KERNEL``): `mbdgen.interface.KERNELS`.

    `mass` is `matrix` for the weights (0, 0, 1), in systems without fused kernels.
    `slopes` and `jerks` exist in modules built with second derivatives,
    those of variations in modules built with sensitivities.
    `displacements` exists if virtual displacements of a body are not coordinate variations.
    `angles` exists if something reads an unwrapped angle.
    A fused kernel returns 1 if its fixed pivots do not suit the state: the caller then uses the
    other kernels and a factorisation.
    """

    residual: Any
    matrix: Any
    rates: Any
    energies: Any
    outputs: Any
    mass: Any = None
    newton: Any = None
    consistent: Any = None
    finish: Any = None
    accelerations: Any = None
    retract: Any = None
    power: Any = None
    expand: Any = None
    gather: Any = None
    slopes: Any = None
    jerks: Any = None
    residual_variation: Any = None
    mass_variation: Any = None
    rates_variation: Any = None
    energies_variation: Any = None
    outputs_variation: Any = None
    displacements: Any = None
    angles: Any = None

    def complete(self) -> "Kernels":
        """Return the tuple with every field filled, as compiled code requires.

        Python functions, which compiled code cannot call, are unchanged.
        """
        mass = self.mass or self.matrix
        optional = (*FUSED_KERNELS, *SECOND_KERNELS, *VARIATION_KERNELS, DISPLACEMENTS, ANGLES)
        missing = [name for name in optional if getattr(self, name) is None]
        full = self._replace(mass=mass, **dict.fromkeys(missing, self.residual))
        return Kernels(
            *(k if isinstance(k, FunctionType) else AddressedFunction.of(k, KERNEL) for k in full)
        )


KERNELS = types.NamedUniTuple(KERNEL, len(Kernels._fields), Kernels)

"""The contract between kernels and loops: one plain C signature for every kernel kind.

``int64 kernel(double t, double *q, double *v, double *a, double *lam, double *w,
double *p, int64 *m, double *out)``

A kernel reads the state, the weights ``w = (c_q, c_v, c_a)`` (behind them ``eps`` of every
multiplier), the table of real parameters ``p`` and the table of integers ``m`` (connectivity and
scatter maps), writes ``out`` and returns 0. Kernels with fixed pivots return 1 where these do not
suit the state.
Any backend that can offer such functions runs under the same compiled loops.
"""

from types import FunctionType
from typing import Any, NamedTuple

from numba import types

from mbdgen.interface import (
    ANGLES,
    DISPLACEMENTS,
    FUSED_KERNELS,
    SECOND_KERNELS,
    VARIATION_KERNELS,
)
from mbdgen.runtime.program.function_addresses import AddressedFunction, FunctionPointer

_REAL = types.CPointer(types.float64)
_INT = types.CPointer(types.int64)

KERNEL_SIGNATURE = types.int64(types.float64, _REAL, _REAL, _REAL, _REAL, _REAL, _REAL, _INT, _REAL)
KERNEL = FunctionPointer(KERNEL_SIGNATURE)

ELEMENT_SIGNATURE = types.void(*KERNEL_SIGNATURE.args)
"""What kernels call for each element type: same arguments, adds to ``out``."""


class Kernels(NamedTuple):
    """The compiled functions of one mechanism (all of type ``KERNEL``): `mbdgen.interface.KERNELS`.

    `mass` is `matrix` for the weights (0, 0, 1); systems without fused kernels have it.
    `slopes` and `jerks` are there if the module was asked for second derivatives,
    those of variations if it was asked for sensitivities.
    `displacements` is there if a body has virtual displacements that are no changes of coordinates.
    `angles` is there if something reads an angle with all its turns.
    A fused kernel returns 1 where its fixed pivots do not suit the state: the caller then does the
    same with the other kernels and a factorisation.
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
        """Return the tuple with a function in every place, as compiled code wants it.

        Functions of Python, which nothing compiled can call, stay what they are.
        """
        mass = self.mass or self.matrix
        optional = (*FUSED_KERNELS, *SECOND_KERNELS, *VARIATION_KERNELS, DISPLACEMENTS, ANGLES)
        missing = [name for name in optional if getattr(self, name) is None]
        full = self._replace(mass=mass, **dict.fromkeys(missing, self.residual))
        return Kernels(
            *(k if isinstance(k, FunctionType) else AddressedFunction.of(k, KERNEL) for k in full)
        )


KERNELS = types.NamedUniTuple(KERNEL, len(Kernels._fields), Kernels)

"""Data and kernels of one type of structural groups."""

from dataclasses import dataclass

from mbdgen.grouping.condensing import Condensing
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.system_ir import FlatKernel


@dataclass(frozen=True)
class GroupKernels:
    """Kernels and index data of one type of structural groups.

    Attributes
    ----------
    name : str
        Name of the type.
    kernels : tuple of FlatKernel
        ``block`` and ``penalty``, and the straight-line solutions unless they would be too long.
    dependent, known : tuple of int
        Local indices of dependent and known coordinates.
    rows : int
        Number of equations.
    pattern : tuple of (row, column)
        Local indices of the entries that ``penalty`` writes; the right-hand sides of ``pulled``
        follow.
    pulled : tuple of int
        Local rows of the right-hand side.
    coordinates, parameters : array of int, one row for each group
        Global indices of local coordinates, and indices of parameters in the table ``p``.
    levels : array of int
        Levels of the groups.
    first : tuple of str
        Bodies of the first group, for comments.
    symmetric : bool
        Whether ``G = H``: constraint forces conjugate to coordinates.
    condensing : Condensing or None
        Elimination of its own unknowns, which is one of the kernels.
    """

    name: str
    kernels: tuple[FlatKernel, ...]
    dependent: tuple[int, ...]
    known: tuple[int, ...]
    rows: int
    pattern: tuple[tuple[int, int], ...]
    pulled: tuple[int, ...]
    coordinates: IntArray
    parameters: IntArray
    levels: IntArray
    first: tuple[str, ...]
    symmetric: bool
    condensing: Condensing | None

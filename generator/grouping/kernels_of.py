"""What is known about one type of structural group once its kernels have been made."""

from dataclasses import dataclass

from mbdgen.grouping.condensing import Condensing
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.system_ir import FlatKernel


@dataclass(frozen=True)
class GroupKernels:
    """Everything about one type of group.

    Attributes
    ----------
    name : str
        Its name.
    kernels : tuple of FlatKernel
        ``block`` and ``penalty``, and the straight solutions unless they would be too long.
    dependent, known : tuple of int
        Local coordinates.
    rows : int
        Number of equations.
    pattern : tuple of (row, column)
        Local places of what ``penalty`` writes; the right-hand sides of ``pulled`` follow.
    pulled : tuple of int
        Local rows.
    coordinates, parameters : array of int, one row for each group
        Global numbers of local coordinates, and places of parameters in the table ``p``.
    levels : array of int
        Levels of the groups.
    first : tuple of str
        Bodies of the first group, for comments.
    symmetric : bool
        Whether constraint forces act along coordinates.
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

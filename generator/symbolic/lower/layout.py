"""Layout of a module: loops over the instances of each type, or straight-line (flat) code.

Straight-line code runs faster and compiles longer. Three limits of the backend decide, given by
compile time: on an estimate before inlining, on the actual count (folding reduces some mechanisms
to a tenth of their estimate), and on the length of fused kernels.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.interface import ANGLES, DISPLACEMENTS, ELEMENT_KERNELS, SECOND_KERNELS
from mbdgen.symbolic.derive.variation import vary
from mbdgen.symbolic.fuse.fused_kernels import NOT_FUSED, Fused
from mbdgen.symbolic.fuse.index1_kernel import index_1_kernel
from mbdgen.symbolic.ir.system_ir import FlatKernel, TypeTable
from mbdgen.symbolic.lower.flatten import Instances, WholeMechanism, flatten

STATEMENTS_PER_OPERATION = 0.4  # printed statements per operation, on average
REDUCED_SHARE = 4  # fused kernels of a reduced system are a quarter of the size, or less


@dataclass(frozen=True)
class LayoutLimits:
    """Code sizes that the compilers of a backend can handle in acceptable time.

    Attributes
    ----------
    flat : int
        Largest number of statements for which `auto` prints straight-line code.
    fuse : int
        Largest number of statements for which there are fused kernels.
    operations : int
        Largest number of operations for which `auto` keeps the straight-line code.
    recursive : bool
        Whether it prints relative coordinates as loops.
    name : str
        Name of the backend.
    """

    flat: int
    fuse: int = 0
    operations: int = sys.maxsize
    recursive: bool = False
    name: str = ""

    @property
    def fuses(self) -> bool:
        """Whether there are fused kernels at all."""
        return self.fuse > 0


@dataclass(frozen=True)
class Layout:
    """Chosen layout.

    Attributes
    ----------
    name : str
        ``loop`` or ``flat``.
    kernels : tuple of FlatKernel
        Empty for ``loop``.
    fused : Fused
        Fused kernels, or `NOT_FUSED`.
    """

    name: str
    kernels: tuple[FlatKernel, ...]
    fused: Fused


LOOPS = Layout("loop", (), NOT_FUSED)


def lay_out(
    instances: Instances, options: BuildOptions, limits: LayoutLimits, fuse: Callable[[], Fused]
) -> Layout:
    """Return the requested layout, or for `auto` the one that suits the size.

    Parameters
    ----------
    fuse : callable
        Factory of the fused kernels; not called for mechanisms that are too large.

    Raises
    ------
    BuildError
        If a reduced system was requested and is not possible.
    """
    size = statements(instances.tables)
    most = limits.fuse * (REDUCED_SHARE if options.reduced else 1)
    chosen = LOOPS
    if options.layout == "flat" or (options.layout == "auto" and size <= limits.flat):
        fused = fuse() if size <= most else NOT_FUSED
        rest = fused.kernels or (index_1_kernel(WholeMechanism(instances)),)
        second = flatten(instances, optional_kernels(instances.tables, options.second))
        varied = vary(instances) if options.sensitivities else ()
        chosen = Layout("flat", (*flatten(instances), *rest, *second, *varied), fused)
    if options.layout == "auto" and _operations(chosen.kernels) > limits.operations:
        chosen = LOOPS
    if options.reduced and not chosen.fused.kernels:
        raise _not_reduced(instances.model, chosen.name, size, most)
    return chosen


def optional_kernels(tables: Sequence[TypeTable], second: bool) -> tuple[str, ...]:
    """Return the optional kernels that are requested or needed."""
    needed = [x for x in (DISPLACEMENTS, ANGLES) if any(t.ir.entries(x) for t in tables)]
    return (*(SECOND_KERNELS if second else ()), *needed)


def statements(tables: Sequence[TypeTable]) -> int:
    """Estimate the number of statements of the flat layout."""
    total = 0.0
    for table in tables:
        for name in (*ELEMENT_KERNELS, *SECOND_KERNELS):
            roots = [n for _, n in table.ir.entries(name)]
            total += table.times * table.ir.graph.operation_count(roots)
    return int(total * STATEMENTS_PER_OPERATION)


def _operations(kernels: Sequence[FlatKernel]) -> int:
    return sum(k.graph.operation_count([n for _, n in k.outputs]) for k in kernels)


def _not_reduced(name: str, layout: str, statements: int, limit: int) -> BuildError:
    """Return the error that there are no fused kernels, which a reduced system needs."""
    what = f"The mechanism '{name}' cannot be reduced:"
    if layout != "flat":
        return BuildError(f"{what} that needs the layout flat, not {layout}.", "Choose it.")
    if statements > limit:
        size = f"about {statements} statements, at most {limit}"
        return BuildError(f"{what} it is too large ({size}).", "Leave out reduced.")
    cause = "its matrix is singular at the initial state, as with a motion without inertia"
    return BuildError(
        f"{what} {cause}.", "Simulate it without reduced: the error names the motion."
    )

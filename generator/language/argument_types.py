"""Type aliases of the arguments of model methods, as shown by annotations and ``help``."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsFloat, TypeAlias

ScalarLike: TypeAlias = SupportsFloat
"""A number of Python or NumPy, or an expression of parameters, time and placeholders."""


class VectorLike(Protocol):
    """Several scalars: a tuple, list or array, or a vector of SymPy."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> SupportsFloat: ...


VectorsLike: TypeAlias = Sequence[VectorLike] | VectorLike
"""Several vectors, or an array of them."""

MatrixLike: TypeAlias = SupportsFloat | VectorLike | Sequence[VectorLike]
"""A square matrix in full, its diagonal, or one number for the whole diagonal."""

FormulaLike: TypeAlias = Callable[..., Any] | SupportsFloat | VectorLike
"""A function of named arguments that returns expressions, or constant expressions."""

if TYPE_CHECKING:
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.bodies.mass_properties import Inertia, MassProperties
    from mbdgen.language.markers.marker import Marker

    End: TypeAlias = Body | Marker
    MassLike: TypeAlias = SupportsFloat | MassProperties
    InertiaLike: TypeAlias = SupportsFloat | VectorLike | Sequence[VectorLike] | Inertia
else:
    End = MassLike = InertiaLike = Any

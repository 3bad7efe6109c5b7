"""Right-handed orthonormal triads about an axis, for joints given by their axis only."""

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import Defaults, Vec3, is_number, value_of, vector3
from mbdgen.language.expressions.small_vectors import cross, dot, minus, norm, normalised, scaled

COORDINATE_AXES: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

# Closer to parallel than this, a reference direction is ill-conditioned.
PARALLEL = 1e-6


def direction(axis: object, what: str, defaults: Defaults | None = None) -> Vec3:
    """Return ``axis / |axis|``.

    Parameters
    ----------
    axis : sequence of 3 scalars
        Any length but zero.
    what : str
        Which axis, for the message.
    defaults : mapping of Symbol to float, optional
        If given, an axis of expressions is checked at these values too.

    Raises
    ------
    ModelError
        If the axis is zero.
    """
    u = vector3(axis, what)
    known = defaults is not None or all(is_number(x) for x in u)
    if known and all(value_of(x, defaults, what) == 0 for x in u):
        raise ModelError(f"{what} is the zero vector.", "Give a direction.")
    x, y, z = normalised(u)
    return x, y, z


def triad(
    axis: object,
    reference: object = None,
    *,
    defaults: Defaults | None = None,
    what: str = "axis",
) -> tuple[Vec3, Vec3, Vec3]:
    """Return unit vectors ``e1, e2, e3`` with ``e3`` along `axis` and ``e3 = e1 x e2``.

    ``e1`` is along the part of `reference` that is normal to the axis. Without a reference, the
    coordinate axis furthest from `axis` is taken (x before y before z if equally far), so an axis
    along a coordinate axis keeps the whole triad on coordinate axes: z gives (x, y, z).

    Parameters
    ----------
    axis, reference : sequence of 3 scalars
        Any length but zero.
    defaults : mapping of Symbol to float, optional
        Values that decide the choice when `axis` contains parameters.
    what : str
        Which axis, for the message.

    Raises
    ------
    ModelError
        If the axis is zero, or the reference is zero or parallel to the axis.
    """
    e3 = direction(axis, what, defaults)
    if reference is None:
        reference = COORDINATE_AXES[_furthest([value_of(x, defaults, what) for x in e3])]
    r = direction(reference, f"reference direction of the {what}", defaults)
    across = minus(r, scaled(dot(r, e3), e3))
    if _is_parallel(across, defaults, what):
        raise ModelError(
            f"reference direction of the {what} is parallel to it.", "Give one across the axis."
        )
    x, y, z = normalised(across)
    e1 = (x, y, z)
    return e1, cross(e3, e1), e3


def _furthest(e3: list[float]) -> int:
    # The margin keeps the choice for (1, 1, 1) and the like independent of rounding.
    smallest = min(abs(x) for x in e3)
    return next(k for k, x in enumerate(e3) if abs(x) <= smallest + 1e-9)


def _is_parallel(across: Vec3, defaults: Defaults | None, what: str) -> bool:
    length = norm(across)
    if defaults is None and not is_number(length):
        return False
    return value_of(length, defaults, f"reference direction of the {what}") < PARALLEL

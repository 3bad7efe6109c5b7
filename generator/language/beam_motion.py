"""What is known of an element of a beam at the start: its two ends, and its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Defaults, Scalar, Vec3, value_of

_ZERO: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class End:
    """A node at the start.

    Attributes
    ----------
    position, velocity : 3 scalars
        Global.
    slopes, rates : three vectors
        Derivatives of the position by the places along the beam, and along the section's y and z.
    """

    position: Vec3
    slopes: tuple[Vec3, Vec3, Vec3]
    velocity: Vec3 = _ZERO
    rates: tuple[Vec3, Vec3, Vec3] = (_ZERO, _ZERO, _ZERO)


@dataclass(frozen=True)
class BeamMotion(Motion):
    """Initial state of an element of a beam; `length` is the natural one.

    Attributes
    ----------
    ends : tuple of End
        Its nodes.
    numbers : tuple of (name, scalar)
        Of section and material, see `beam_numbers`.
    damped : bool
        Whether the material has a viscous law.
    rest : tuple of End
        Its nodes without load, wherever that is; none of an element that is straight then.
    """

    ends: tuple[End, ...] = ()
    numbers: tuple[tuple[str, Scalar], ...] = ()
    damped: bool = False
    rest: tuple[End, ...] = ()

    def valued(self, defaults: Defaults, what: str) -> "BeamMotion":
        """Return the same place with numbers: where many points are asked for, sums are floats."""

        def vector(v: Vec3) -> Vec3:
            x, y, z = (value_of(c, defaults, what) for c in v)
            return x, y, z

        def end(e: End) -> End:
            along, up, out = (vector(s) for s in e.slopes)
            return replace(e, position=vector(e.position), slopes=(along, up, out))

        length = value_of(self.length, defaults, what)
        return replace(self, ends=tuple(end(e) for e in self.ends), length=length)

    def global_point(self, point: Sequence[Scalar]) -> Vec3:
        """Return the position of a point given by its place along the element and across it."""
        (x, y, z), (a, b) = point, self.ends
        xi = x / self.length
        weights = (
            1 - 3 * xi**2 + 2 * xi**3,
            self.length * (xi - 2 * xi**2 + xi**3),
            3 * xi**2 - 2 * xi**3,
            self.length * (xi**3 - xi**2),
        )
        along = (a.position, a.slopes[0], b.position, b.slopes[0])
        across = [
            (1 - xi) * (y * a.slopes[1][k] + z * a.slopes[2][k])
            + xi * (y * b.slopes[1][k] + z * b.slopes[2][k])
            for k in range(3)
        ]
        r = [sum(w * v[k] for w, v in zip(weights, along, strict=True)) for k in range(3)]
        return r[0] + across[0], r[1] + across[1], r[2] + across[2]

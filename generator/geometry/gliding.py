r"""Points that slide along a straight planar beam that is described in a floating frame.

On a piece of the beam, of length l, the displacements of mode i are polynomials of :math:`\xi =
s'/l`. They are summed first,

.. math::
    w = \sum_n W_n \xi^n, \quad W_n = \sum_i c_{in} e_i, \qquad
    d = d_0 - \frac{1}{2 l} \sum_{n, m} \frac{n m}{n + m - 1} W_n W_m\, \xi^{n + m - 1}

so that the axial shortening d by bending w (foreshortening) needs no other data than its value at
the start of the piece, :math:`d_0`.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from mbdgen.geometry.frames import BodySymbols, Glide
from mbdgen.geometry.functions import rational
from mbdgen.geometry.stations import Station
from mbdgen.geometry.symbolic_vectors import Expr, Vec


class Gliding(Station):
    """Station at a position that changes with time.

    Parameters
    ----------
    label, body, point, local_axes
        See `Frame`; the point depends on the path coordinate.
    displacement, turn : Vec
        See `Station`, at the current position.
    glide : Glide
        Motion along the beam.
    tangent : Vec
        Tangent of the beam there, in the axes of the floating frame.
    """

    def __init__(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        displacement: Vec,
        turn: Vec,
        glide: Glide,
        tangent: Vec,
    ) -> None:
        super().__init__(label, body, point, local_axes, displacement, turn)
        self.number, self._glide, self._tangent = glide.number, glide, tangent

    @cached_property
    def turn_rate(self) -> Vec:
        """Angular velocity relative to the floating frame, that of the tangent if used."""
        if not self._glide.tangent:
            return super().turn_rate
        t = self._tangent
        return t.cross(Vec(*(self.tape.rate(c, self.body.seeds) for c in t)))

    @cached_property
    def turned_axes(self) -> tuple[Expr, Expr]:
        """Cosine and sine of the angle of the tangent, or of the section."""
        return (self._tangent[0], self._tangent[1]) if self._glide.tangent else super().turned_axes


def gliding(
    label: str,
    body: BodySymbols,
    point: Vec,
    local_axes: tuple[Vec, Vec, Vec],
    place: Mapping[str, Expr],
    glide: Glide,
) -> Gliding:
    """Return the frame of a point on one piece, by the data of `mbdgen.floating.plane`."""
    tape, size, modes = body.tape, place["size"], body.kind.deformations
    xi = tape.name(f"xi_{label}", glide.along / size)
    u, w = (_summed(label, c, body, place) for c in "xy")
    moved = [tape.name(f"{c}_moved_{label}", _value(x, xi)) for c, x in (("x", u), ("y", w))]
    slopes = [
        tape.name(f"{c}_slope_{label}", _value(_derived(x), xi) / size)
        for c, x in (("x", u), ("y", w))
    ]
    along = 1 + slopes[0]
    if "bx1_1" in place:
        drawn = -_value(_squared(_derived(w)), xi) / (2 * size)
        for j in range(1, modes + 1):
            for k in range(j, modes + 1):
                pair = body.q[j - 1] * body.q[k - 1] / (2 if j == k else 1)
                drawn = drawn + place[f"bx{j}_{k}"] * pair
        moved[0] = moved[0] + drawn
        along = along - slopes[1] ** 2 / 2
    tangent = tape.vector(f"tangent_{label}", Vec(along, slopes[1], 0).direction())
    at = Vec(point[0] + glide.number.q[0], point[1], point[2])
    displaced, turn = Vec(moved[0], moved[1], 0), Vec(0, 0, slopes[1])
    return Gliding(label, body, at, local_axes, displaced, turn, glide, tangent)


def _summed(label: str, c: str, body: BodySymbols, place: Mapping[str, Expr]) -> list[Expr]:
    """Return the polynomial coefficients of the sum of all modes along an axis."""
    sums: list[Expr] = []
    for k, e in enumerate(body.q[: body.kind.deformations], 1):
        powers = [name for name in place if name.startswith(f"{c}{k}c")]
        sums += [0] * (len(powers) - len(sums))
        for n, name in enumerate(powers):
            sums[n] = sums[n] + place[name] * e
    return [body.tape.name(f"{c}{n}_{label}", total) for n, total in enumerate(sums)]


def _value(coefficients: Sequence[Expr], xi: Expr) -> Expr:
    value: Expr = 0
    for c in reversed(coefficients):
        value = value * xi + c
    return value


def _derived(coefficients: Sequence[Expr]) -> list[Expr]:
    return [n * c for n, c in enumerate(coefficients) if n]


def _squared(coefficients: Sequence[Expr]) -> list[Expr]:
    """Return the integral of the square of a polynomial."""
    found: list[Expr] = [0] * (2 * len(coefficients))
    for n, a in enumerate(coefficients):
        for m, b in enumerate(coefficients):
            found[n + m + 1] = found[n + m + 1] + a * b * rational(1, n + m + 1)
    return found

"""Prescribed motion of a mechanism, by drivers and by functions of time for coordinates.

`Guided` follows the motion from one instant to another by the constraints alone (kinematics):
``phi(t, q) = 0``, ``H v + phi_t = 0``, ``H a = gamma``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, KINEMATICS
from mbdgen.mechanics.fixed_coordinates import held, places, rates_that_follow
from mbdgen.mechanics.given_motion import eliminated_drivers
from mbdgen.mechanics.mobility import driven_rows
from mbdgen.mechanics.spaces import Space, space
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.stepping.number_arguments import finite
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.runtime.system.system_features import features_of

Law = Callable[[float], tuple[float, float, float]]
"""Prescribed motion of a coordinate: value, rate and second rate as a function of time."""

SHORTEST = 1e-13
"""Smallest step, relative to the time, or to one second."""
MOST = 150
"""Maximum number of attempts between two instants; near a dead point steps become ever shorter."""
STRAY = 0.3
"""A position farther from the predicted one than this fraction of the step is rejected."""


class PrescribedState(NamedTuple):
    """Positions, velocities and accelerations at an instant."""

    t: float
    q: FloatArray
    v: FloatArray
    a: FloatArray


class Blocked(Exception):
    """The motion cannot be continued beyond a position."""

    def __init__(self, place: PrescribedState, reason: str) -> None:
        super().__init__(reason)
        self.place, self.reason = place, reason


@dataclass(frozen=True)
class Guided:
    """System with prescribed coordinates.

    Attributes
    ----------
    system : System
        A copy in which the prescribed coordinates are fixed.
    given : array of int
        Indices of these coordinates.
    laws : tuple of callable
        Their prescribed motions.
    """

    way: ClassVar[str] = "constraints alone"
    """Name of the method in results."""

    system: System
    given: IntArray
    laws: tuple[Law, ...]

    @staticmethod
    def of(system: System, prescribed: Mapping[str, Law]) -> "Guided":
        """Prescribe coordinates of a system, in addition to its drivers."""
        require(ANALYSIS_LIMITS, features_of(system), run=KINEMATICS)
        given = places(system, prescribed)
        return Guided(held(system, given), given, tuple(prescribed.values()))

    def prescribed(self, t: float) -> FloatArray:
        """Return values, rates and second rates of the given coordinates, shape (3, n)."""
        rows = []
        for name, law in zip(self.given, self.laws, strict=True):
            said = law(t)
            numbers = [finite(x) for x in said] if np.shape(said) == (3,) else []
            if len(numbers) != 3 or None in numbers:
                raise OptionError(
                    f"The motion of '{self.system.names.coordinates[name]}' is {said!r} at "
                    f"t = {t:g}.",
                    "Give a function of time that returns value, rate and second rate.",
                )
            rows.append(numbers)
        return np.array(rows, np.float64).reshape(len(rows), 3).T

    def start(self, t: float) -> PrescribedState:
        """Assemble the first position near ``q0``."""
        zero = np.zeros(self.system.n_q)
        return self._place(t, self.system.q0.copy(), zero, zero)

    def advance(
        self, place: PrescribedState, t: float, way: list[PrescribedState] | None = None
    ) -> PrescribedState:
        """Follow the motion to an instant, in shorter steps where its curvature is large.

        Parameters
        ----------
        way : list of PrescribedState, optional
            The end of every step is appended to it.

        Raises
        ------
        Blocked
            If the motion cannot be followed that far; with the last position reached.
        """
        h = t - place.t
        for attempt in range(MOST):
            if place.t == t:
                break
            h = h if abs(h) < abs(t - place.t) else t - place.t
            end = t if h == t - place.t else place.t + h
            try:
                place, h = self._step(place, end), 2.0 * h
                if way is not None:
                    way.append(place)
            except AssemblyError as error:
                h *= 0.5
                if abs(h) <= SHORTEST * (1.0 + abs(place.t)) or attempt == MOST - 1:
                    raise Blocked(place, error.cause) from error
        if place.t != t:
            raise Blocked(place, f"Steps became too short near t = {place.t:g}.")
        return place

    def jacobian(self, place: PrescribedState) -> FloatArray:
        """Return the constraint Jacobian ``H`` for the coordinates that are not given."""
        free = np.setdiff1d(np.arange(self.system.n_q), self.given)
        matrix: FloatArray = self.system.jacobian(place.t, place.q).toarray()[:, free]
        return matrix

    def passive(self, place: PrescribedState) -> Space:
        """Return the null space of the constraints without drivers, in all coordinates."""
        rows = np.setdiff1d(np.arange(len(self.system.work.rows)), driven_rows(self.system))
        return space(self.system.jacobian(place.t, place.q).toarray()[rows])

    def _step(self, place: PrescribedState, t: float) -> PrescribedState:
        h = t - place.t
        expected = place.q + h * (place.v + 0.5 * h * place.a)
        found = self._place(t, expected, place.v + h * place.a, place.a)
        free = np.setdiff1d(np.arange(self.system.n_q), self.given)
        stray = np.abs((found.q - expected)[free]).max(initial=0.0)
        way = np.abs(found.q - place.q).max(initial=0.0)
        if stray > STRAY * way + 1e-9:
            raise AssemblyError(f"The motion turns too sharply near t = {t:g}.")
        return found

    def position(self, t: float, q: FloatArray) -> FloatArray:
        """Assemble near a guess."""
        self.system.q0[:] = q
        self.system.q0[self.given] = self.prescribed(t)[0]
        return positions(self.system, t)

    def rates(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Solve for velocities and accelerations from those of the given coordinates."""
        return rates_that_follow(self.system, t, q, v, a, self.given)

    def rank(self, places: Sequence[PrescribedState]) -> int:
        """Return the maximum rank at some positions: the number of dependent coordinates."""
        return max(space(self.jacobian(place)).rank for place in some(places))

    def margin(self, place: PrescribedState, rank: int) -> float:
        """Return the smallest non-zero singular value, relative to the largest."""
        if rank == 0:
            return 1.0
        return float(space(self.jacobian(place)).singular_values[rank - 1])

    def _place(self, t: float, q: FloatArray, v: FloatArray, a: FloatArray) -> PrescribedState:
        _, rate, second = self.prescribed(t)
        q, v, a = self.position(t, q), v.copy(), a.copy()
        v[self.given], a[self.given] = rate, second
        return PrescribedState(t, q, *self.rates(t, q, v, a))


def some(places: Sequence[PrescribedState]) -> Sequence[PrescribedState]:
    """Return a sample of positions, most of which are regular."""
    return places[:: max(1, len(places) // 7)]


def check_drivers(guided: Guided, place: PrescribedState) -> None:
    """Raise an error unless the prescribed motions match the degrees of freedom."""
    system = guided.system
    mobility = system.n_q - guided.passive(place).rank
    drivers = len(system.data.driven) + len(guided.given)
    if drivers == mobility:
        return
    has = f"Model '{system.data.model}' has mobility {mobility} and {drivers} driver"
    has += "" if drivers == 1 else "s"
    gone = eliminated_drivers(system)
    has += f" besides {', '.join(gone)}, which are eliminated" if gone else ""
    if drivers < mobility:
        raise OptionError(
            f"{has}: {mobility - drivers} missing.",
            "Add drivers to the model, prescribe coordinates, or allow the least motion of what is "
            "left (least=True, --least).",
        )
    raise OptionError(
        f"{has}: {drivers - mobility} too many.",
        "Remove drivers or prescribed coordinates until there are as many as freedoms.",
    )

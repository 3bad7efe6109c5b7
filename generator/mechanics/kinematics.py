"""Kinematic simulation: position, velocity and acceleration analysis without masses."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.mechanics.inverse_dynamics import forces_of
from mbdgen.mechanics.prescribed_motion import (
    Blocked,
    Guided,
    Law,
    PrescribedState,
    check_drivers,
)
from mbdgen.mechanics.prescribed_motion_by_groups import GuidedByGroups
from mbdgen.mechanics.singular import Singular, kind, singular_positions
from mbdgen.runtime.groups.grouped_system import GroupedSystem
from mbdgen.runtime.monitors.angle_unwrapping import forget_turns, next_turns, take_turns, turns_of
from mbdgen.runtime.results.body_motion import places_of
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.scene_figures import scene_of
from mbdgen.runtime.stepping.progress import progress_bar
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@dataclass(frozen=True, eq=False)
class Kinematics:
    """Result of a kinematic simulation.

    Attributes
    ----------
    motion : Result
        As of a simulation; multipliers are zero unless reactions were requested. Not successful if
        the drivers could not continue; then it ends there.
    singular : tuple of Singular
        Singular positions along the motion, including the one that stopped it.
    forces : array, shape (n_t, n)
        Forces on prescribed coordinates, if reactions were requested; otherwise zero.
    """

    motion: Result
    singular: tuple[Singular, ...]
    forces: FloatArray

    def __getitem__(self, key: str) -> FloatArray:
        return self.motion[key]


@takes_model
def kinematics(
    system: System | GroupedSystem,
    t: ArrayLike,
    prescribed: Mapping[str, Law] | None = None,
    *,
    reactions: bool = False,
    least: bool = False,
    progress: bool | str = False,
) -> Kinematics:
    """Solve ``phi = 0``, ``H v + phi_t = 0`` and ``H a = gamma`` at many instants.

    Parameters
    ----------
    system : System, GroupedSystem or model
        With drivers, or without; ``q0`` is the initial guess of the first position. Compiled
        structural groups (``mbdgen.grouping.group_loading.load_groups``) are solved one after the
        other, from their given coordinates.
    t : array
        Times; shorter steps are taken where needed.
    prescribed : mapping, optional
        Functions of time by coordinate, which return value, rate and second rate: ``{"crank.theta":
        lambda t: (2 * t, 2.0, 0.0)}``.
    reactions : bool
        Whether Lagrange multipliers are computed, by inverse dynamics; otherwise they, and outputs
        that depend on them, are NaN.
    least : bool
        Whether undriven degrees of freedom are allowed; their motion is of minimum norm.
    progress : "auto", "lines" or bool
        Progress bar on stderr, or lines for another program.

    Raises
    ------
    OptionError
        If there are fewer or more drivers than degrees of freedom.
    AssemblyError
        If the first position cannot be assembled.
    """
    instants = _instants(t)
    began = time.process_time(), time.perf_counter()
    guided = _guided(system, prescribed or {}, least)
    places = [_start(guided, float(instants[0]), least)]
    turns = [_turns_on(guided.system, places)]
    if reactions and least:
        raise OptionError(
            "Reactions are not determined where freedoms move as little as possible.",
            "Drive all of them, or leave the reactions away.",
        )
    message, stopped = "", None
    ends = float(instants[0]), float(instants[-1])
    with progress_bar(progress, guided.system.data.model, *ends) as report:
        for instant in instants[1:].tolist():
            way = places[-1:]
            try:
                places.append(guided.advance(places[-1], instant, way))
                turns.append(_turns_on(guided.system, way))
            except Blocked as blocked:
                message, stopped = blocked.reason, blocked.place
                break
            report(instant)
    rank = guided.rank(places)
    singular = singular_positions(guided, places, rank)
    if stopped is not None:
        passive = max(guided.passive(place).rank for place in places)
        singular = (*singular, Singular(stopped.t, kind(guided, stopped, passive)))
        message = (
            f"The mechanism cannot be driven beyond t = {stopped.t:.9g} s, a "
            f"{singular[-1].kind}. {message}"
        )
    seconds = {"solve_s": time.process_time() - began[0], "run_s": time.perf_counter() - began[1]}
    found = _result(guided, places, turns, singular, (reactions, message, seconds, rank))
    forget_turns(guided.system)
    return found


def _turns_on(system: System, way: Sequence[PrescribedState]) -> FloatArray:
    """Unwrap angles from position to position; the first one is done already unless alone."""
    if len(way) == 1:
        forget_turns(system)
        next_turns(system, 0.0, *way[0][:3])
    for before, place in pairwise(way):
        if not next_turns(system, place.t - before.t, *place[:3]):
            raise OptionError(
                f"Turns of an angle cannot be counted near t = {place.t:g} s: it turns too fast.",
                "Give instants that are nearer to each other.",
            )
    return turns_of(system)


def _guided(system: System | GroupedSystem, prescribed: Mapping[str, Law], least: bool) -> Guided:
    if not isinstance(system, GroupedSystem):
        return Guided.of(system, prescribed)
    if least:
        raise OptionError(
            "Structural groups leave no freedom that could move as little as possible.",
            "Drive all freedoms, or give the system without groups.",
        )
    return GuidedByGroups.by_groups(system, prescribed)


def _start(guided: Guided, t: float, least: bool) -> PrescribedState:
    """Assemble the first position; contradictory drivers are reported before assembly fails."""
    try:
        place = guided.start(t)
    except AssemblyError:
        guess = guided.system.q0
        if not (least or isinstance(guided, GuidedByGroups)):
            check_drivers(
                guided, PrescribedState(t, guess, np.zeros_like(guess), np.zeros_like(guess))
            )
        raise
    if not (least or isinstance(guided, GuidedByGroups)):  # decomposed with these drivers
        check_drivers(guided, place)
    return place


def _instants(t: ArrayLike) -> FloatArray:
    instants = np.atleast_1d(np.asarray(t, np.float64))
    steps = np.diff(instants)
    ordered = (steps > 0.0).all() or (steps < 0.0).all()
    if instants.ndim != 1 or not len(instants) or not np.isfinite(instants).all() or not ordered:
        raise OptionError(
            "The instants are no rising (or falling) row of finite numbers.",
            "Give np.linspace(start, end, number), for instance.",
        )
    return instants


def _result(
    guided: Guided,
    places: Sequence[PrescribedState],
    turns: Sequence[FloatArray],
    singular: tuple[Singular, ...],
    facts: tuple[bool, str, dict[str, float], int],
) -> Kinematics:
    reactions, message, seconds, rank = facts
    system, n = guided.system, len(places)
    # Without inverse dynamics reactions, and outputs that read them, are unknown: NaN.
    lam, forces = np.full((n, system.n_lam), np.nan), np.zeros((n, len(guided.given)))
    outputs, energies = np.zeros((n, system.names.n_out)), np.zeros((n, 3))
    for k, place in enumerate(places):
        take_turns(system, turns[k])
        if reactions:
            lam[k], forces[k] = forces_of(system, place, guided.given)
        outputs[k] = system.outputs(*place, lam[k])
        energies[k] = system.energies(*place, lam[k])
    # The work follows from the energy balance; integrating the power would be less accurate.
    energies[:, 2] = energies[:, :2].sum(axis=1) - energies[0, :2].sum()
    motion = Result(
        t=np.array([place.t for place in places]),
        q=np.array([place.q for place in places]),
        v=np.array([place.v for place in places]),
        a=np.array([place.a for place in places]),
        lam=lam,
        outputs=outputs,
        energies=energies,
        names=system.names,
        success=not message,
        status=-1 if message else 0,
        message=message or "The end was reached.",
        counters=_residuals(system, places),
        info=_info(guided, places[-1].t, rank),
        timings={**dict(system.data.build_seconds), **seconds},
        scene=scene_of(system),
        places=places_of(system),
    )
    return Kinematics(motion, singular, forces)


def _residuals(system: System, places: Sequence[PrescribedState]) -> Counters:
    rows, lam = system.work.rows, np.zeros(system.n_lam)
    largest = np.zeros(3)
    for place in places:
        levels = (system.residual(*place, lam), *system.rates(*place))
        largest = np.maximum(largest, [np.abs(x[rows]).max(initial=0.0) for x in levels])
    phi, phi_dot, phi_ddot = largest.tolist()
    return Counters(steps=len(places) - 1, max_phi=phi, max_phi_dot=phi_dot, max_phi_ddot=phi_ddot)


def _info(guided: Guided, t_end: float, rank: int) -> RunInfo:
    system, given = guided.system, len(guided.given)
    return RunInfo(
        model=system.data.model,
        method="kinematics",
        formulation=guided.way,
        backend=system.data.backend,
        layout=system.data.layout,
        reduced=False,
        dof=system.n_q - given - rank,
        n_q=system.n_q,
        n_phi=len(system.work.rows),
        redundant=len(system.work.rows) - rank,
        h=None,
        t_end=t_end,
        parameters=system.parameters,
    )

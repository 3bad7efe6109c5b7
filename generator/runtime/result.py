"""The result of a simulation: arrays with the time first, and access by name."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime import columns as naming
from mbdgen.runtime.data import FloatArray, Names
from mbdgen.runtime.words import listed

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from mbdgen.runtime.along import LineMotion, Lines, Profile, StoredLines
    from mbdgen.runtime.body_motion import BodyMotion, Places
    from mbdgen.runtime.checkpoint import Checkpoint
    from mbdgen.runtime.contacts import Impact
    from mbdgen.runtime.motion import Motion
    from mbdgen.runtime.scene import Scene
    from mbdgen.runtime.sensitivities.series import Sensitivities
    from mbdgen.runtime.switches import Switch
    from mbdgen.view.animation import Animation

STATE_ARRAYS = ("q", "v", "a", "lam", "outputs", "energies")


@dataclass(frozen=True)
class Counters:
    """What the run cost and how well it kept the equations.

    Attributes
    ----------
    steps, newton_iterations, factorisations : int
        Work done.
    max_phi, max_phi_dot, max_phi_ddot : float
        Largest constraint residual of position, velocity and acceleration after any step.
    energy_drift : float
        Largest ``|E(t) - E(0) - W(t)|`` with ``E = T + V`` and ``W`` the work of drivers and
        non-conservative loads.
    generic_steps : int
        Steps that fused kernels refused, because their pivots did not suit, and the generic loop
        made.
    accepted, rejected : int
        Steps that belong to the motion, and steps whose error was too large. Where the error is
        found by doubling, each costs three of ``steps``.
    """

    steps: int = 0
    newton_iterations: int = 0
    factorisations: int = 0
    max_phi: float = float("nan")
    max_phi_dot: float = float("nan")
    max_phi_ddot: float = float("nan")
    energy_drift: float = float("nan")
    generic_steps: int = 0
    accepted: int = 0
    rejected: int = 0

    @property
    def evaluations(self) -> int:
        """Evaluations of the equations of motion: at the beginning, and in the steps.

        One for every iteration of Newton and one for the accelerations at the end of a step, or one
        for every stage of a method that has no iterations.
        """
        return 1 + max(self.factorisations, self.newton_iterations + self.steps)


@dataclass(frozen=True)
class RunInfo:
    """What was simulated and how.

    Attributes
    ----------
    model, method, formulation, backend, layout : str
        Names of the choices made.
    reduced : bool
        Whether steps left out the coordinates that joints give: methods without a fused step
        cannot, also if the system was built for it.
    dof, n_q, n_phi, redundant : int
        Degrees of freedom, coordinates, constraint equations, and how many of these depend on
        others.
    h : float or None
        Step size (None if the method chose it).
    t_end : float
        Time reached.
    parameters : dict of str to float
        Values of the named parameters.
    t_start : float
        Time of the beginning.
    corrections : dict of str to float
        Largest change of a coordinate and of a velocity (``rod.x.dot``) that made the initial
        values fulfil the constraints; empty if they did.
    redundancy : str
        Which equations depend on others and what was done about them; empty if none do.
    """

    model: str
    method: str
    formulation: str
    backend: str
    layout: str
    reduced: bool
    dof: int
    n_q: int
    n_phi: int
    redundant: int
    h: float | None
    t_end: float
    parameters: dict[str, float] = field(default_factory=dict)
    t_start: float = 0.0
    corrections: dict[str, float] = field(default_factory=dict)
    redundancy: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Recorded motion of one simulation; every array has axes ``(time, n)``.

    Attributes
    ----------
    t : array, shape (n_t,)
        Recorded instants.
    q, v, a : array, shape (n_t, n_q)
        Coordinates and their first and second time derivatives.
    lam : array, shape (n_t, n_lam)
        Multipliers.
    outputs : array, shape (n_t, n_out)
        Outputs of the model.
    energies : array, shape (n_t, 3)
        Kinetic energy, potential energy, work of drivers and non-conservative loads.
    names : Names
        Names of all these columns.
    success, status, message
        As in ``scipy.integrate.solve_ivp``: status 0 means that the end was reached.
    counters : Counters
        Work and accuracy.
    timings : dict
        Seconds per stage: ``derive_s``, ``emit_s``, ``compile_s``, ``solve_s``, ...
    info : RunInfo
        What was simulated and how.
    t_events : list of array
        Instants of every event.
    measures : dict of str to float
        What the method has measured of the run, by the names in ``Method.measures``.
    sensitivities : Sensitivities or None
        What `sensitivity` returns; of files, npz has it.
    last : Checkpoint or None
        What `checkpoint` returns; files of results do not have it.
    switches : tuple of Switch
        When the numbers of an orientation were switched, and of which body.
    scene : Scene or None
        What pictures of the mechanism show.
    contacts : tuple of Impact
        When contacts began and ended, and how fast.
    lines : Lines, StoredLines or None
        What `along` follows from, or what a file knows of it.
    places : Places, BodyMotion or None
        What `bodies` follows from, or the motion itself where it was read from a file.

    Examples
    --------
    ``result["tip.y"]`` is one series, ``result["tip"]`` all components; `mbdgen.runtime.columns`
    lists the names of velocities, multipliers and energies.
    """

    t: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray
    outputs: FloatArray
    energies: FloatArray
    names: Names
    success: bool
    status: int
    message: str
    counters: Counters
    info: RunInfo
    timings: dict[str, float] = field(default_factory=dict)
    t_events: list[FloatArray] = field(default_factory=list)
    measures: dict[str, float] = field(default_factory=dict)
    sensitivities: "Sensitivities | None" = None
    last: "Checkpoint | None" = None
    switches: tuple["Switch", ...] = ()
    scene: "Scene | None" = None
    contacts: tuple["Impact", ...] = ()
    places: "Places | BodyMotion | None" = None
    lines: "Lines | StoredLines | None" = None

    def __post_init__(self) -> None:
        widths = {
            "q": len(self.names.coordinates),
            "v": len(self.names.coordinates),
            "a": len(self.names.coordinates),
            "lam": len(self.names.multipliers),
            "outputs": self.names.n_out,
            "energies": 3,
        }
        for name, width in widths.items():
            shape = np.shape(getattr(self, name))
            if shape != (len(self.t), width):
                raise ValueError(f"{name} has shape {shape}, expected {(len(self.t), width)}")

    @cached_property
    def bodies(self) -> "BodyMotion":
        """Where the bodies are and how they move, whatever their coordinates.

        Raises
        ------
        OptionError
            If neither a module nor a file has told it.
        """
        from mbdgen.runtime.body_motion import BodyMotion

        if self.places is None:
            raise OptionError(
                "This result does not know where bodies are: what moves are numbers without a "
                "place, or the module is of an earlier version.",
                "Plot the coordinates, or build the module again.",
            )
        if isinstance(self.places, BodyMotion):
            return self.places
        return self.places.recorded(self.q, self.v, self.a, self.outputs)

    @cached_property
    def directory(self) -> naming.Directory:
        """All named series, for access by name."""
        bodies = () if self.places is None else self.places.names
        derived = (naming.BALANCE, naming.STRAIN) if self.beams else (naming.BALANCE,)
        return naming.Directory(self.names, bodies=bodies, derived=derived)

    @property
    def beams(self) -> tuple[str, ...]:
        """Names of the beams, for `along`."""
        from mbdgen.runtime.along import Lines

        if self.lines is None:
            return ()
        return tuple(self.lines.beams if isinstance(self.lines, Lines) else self.lines.motions)

    def line(
        self, beam: str, rows: Any = slice(None), places: Sequence[float] | None = None
    ) -> "LineMotion":
        """Return all that is known along a beam at recorded instants.

        Parameters
        ----------
        rows : slice or array of int
            Which of them.
        places : sequence of float, optional
            Where in every element, from 0 to 1; by default at both ends and in the middle, and
            results from files have no others.

        Raises
        ------
        OptionError
            If there is no such beam.
        """
        from mbdgen.runtime.along import PLACES, Lines, require_beam

        require_beam(self.beams, beam)
        if not isinstance(self.lines, Lines):
            assert self.lines is not None
            if places is not None:
                raise OptionError(
                    "A result from a file knows beams at the ends and in the middles of elements.",
                    "Leave out the places, or simulate again.",
                )
            return self.lines.motions[beam].rows(rows)
        state = [x[rows] for x in (self.q, self.v, self.a)]
        if self.lines.n_states:
            states = self.outputs[rows, self.outputs.shape[1] - self.lines.n_states :]
            state = np.split(states, 3, axis=1)
        levels = state[0], state[1], state[2]
        return self.lines.motion(beam, self.t[rows], levels, PLACES if places is None else places)

    @cached_property
    def strain_energy(self) -> FloatArray:
        """Strain energy of all beams, ``(n_t,)``."""
        from mbdgen.runtime.along import StoredLines, strain_energy

        if isinstance(self.lines, StoredLines):
            return self.lines.strain_energy
        return strain_energy(self)

    def along(self, beam: str, what: str, t: float | None = None) -> "Profile":
        """Return a quantity along a beam: ``along("beam", "moment", t=0.5)``.

        What is known is listed where beams are described; a prefix such as ``r`` is a vector.

        Parameters
        ----------
        t : float, optional
            The recorded instant that is nearest to it; all of them by default.
        """
        if t is None:
            return self.line(beam).profile(what, beam)
        row = int(np.argmin(np.abs(self.t - t)))
        found = self.line(beam, slice(row, row + 1)).profile(what, beam)
        return found._replace(values=found.values[0])

    def __getitem__(self, key: str) -> FloatArray:
        """Return a series ``(n_t,)`` or, for a prefix, all its components ``(n_t, k)``."""
        if key == "t":
            return self.t
        found, single = self.directory.select(key)
        values = naming.matrix(self, found)
        return values[:, 0] if single else values

    def __contains__(self, key: object) -> bool:
        return key == "t" or key in self.directory

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        """List the names of all series: time, outputs, coordinates, velocities, ..., energies."""
        return ["t", *(column.name for column in self.directory.everything)]

    def unit(self, name: str) -> str:
        """Return the unit of a series or group (empty if unknown or mixed)."""
        if name == "t":
            return "s"
        units = {column.unit for column in self.directory.select(name)[0]}
        return units.pop() if len(units) == 1 else ""

    def at(self, t: float | Sequence[float]) -> "Motion":
        """Interpolate the motion between recorded instants: see `mbdgen.runtime.motion`."""
        from mbdgen.runtime.motion import between

        return between(self, t)

    def eval(self, expression: str) -> FloatArray:
        """Return the values of an expression of series: ``norm(tip.v)``, ``2*acos(rod.p.e0)``.

        Nothing is executed but arithmetic, see `mbdgen.runtime.expression`.

        Returns
        -------
        array
            ``(n_t,)``, ``(n_t, k)`` of a vector, or one number without axes (``max(tip.y)``).
        """
        from mbdgen.runtime.expression import evaluate

        return evaluate(self, expression)

    def checkpoint(self) -> "Checkpoint":
        """Return all that ``simulate(..., start=...)`` needs to go on bit by bit as one run would.

        Raises
        ------
        OptionError
            If the run failed, or the result was read from a file.
        """
        if self.last is None:
            raise OptionError(
                "This result has no checkpoint: the run failed, or the result is from a file.",
                "Take the checkpoint of a run that succeeded, or put a recorded q and v into "
                "system.q0 and system.v0.",
            )
        return self.last

    def sensitivity(self, output: str, parameter: str) -> FloatArray:
        """Return the derivative of a series by a parameter or an initial value, over time.

        It is that of the numbers of this result, exact but for round-off. The run must have been
        asked for it: ``simulate(..., sensitivities=["L"])``.

        Parameters
        ----------
        output : str
            A series or a group, as in ``result[output]``; the shape is the same.
        parameter : str
            ``L`` of a parameter, ``rod.x`` of an initial coordinate, ``rod.x.dot`` of its velocity.
        """
        return self._differentiated.series(output, parameter)

    def sensitivity_unit(self, output: str, parameter: str) -> str:
        """Return the unit of such a derivative; empty if one of the two is unknown."""
        return self._differentiated.unit(output, parameter)

    @property
    def _differentiated(self) -> "Sensitivities":
        if self.sensitivities is None:
            from mbdgen.runtime.sensitivities.series import missing

            raise missing()
        return self.sensitivities

    def summary(self) -> dict[str, Any]:
        """Return a flat dictionary of the run: choices, counters, timings, final outputs."""
        from mbdgen.runtime.export import summary

        return summary(self)

    def plot(
        self,
        names: str | Sequence[str] | None = None,
        ax: "Axes | None" = None,
        against: str = "t",
        beside: "Result | Sequence[Result]" = (),
        labels: Sequence[str] = (),
    ) -> "Axes":
        """Plot series and return the matplotlib axes; nothing is shown.

        Parameters
        ----------
        names : str or sequence of str, optional
            Series, groups or expressions (see `eval`); all outputs by default.
        ax : Axes, optional
            Where to draw; a new figure by default.
        against : str
            What is to the right: the time, or any series or expression (a phase plot).
        beside : Result or sequence of Result
            Another run, or several, to be drawn in the same axes.
        labels : sequence of str
            What this run and the others are called; by default what distinguishes them.
        """
        from mbdgen.view.plots import plot_results

        others = [beside] if isinstance(beside, Result) else beside
        return plot_results([self, *others], names, labels, against, ax)

    def plot_along(
        self,
        beam: str,
        names: str | Sequence[str],
        t: float | Sequence[float] | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """Plot quantities over the length of a beam and return the matplotlib axes.

        Parameters
        ----------
        names : str or sequence of str
            As in `along`.
        t : float or sequence of float, optional
            Instants; by default the last one.
        ax : Axes, optional
            Where to draw; a new figure by default.
        """
        from mbdgen.view.profile_plots import plot_profiles

        return plot_profiles(self, beam, names, t, ax)

    def animate(self, height: int = 560) -> "Animation":
        """Return the animation: notebooks show it, ``.save("motion.html")`` writes it.

        Parameters
        ----------
        height : int
            Of the frame in a notebook, in pixels.
        """
        from mbdgen.view.animation import Animation

        return Animation(self, height)

    def to_pandas(self) -> "pandas.DataFrame":
        """Make a table of all series with the time as index; units in ``frame.attrs["units"]``."""
        from mbdgen.runtime.export import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> "xarray.Dataset":
        """Make a data set with one variable per output, the labelled state arrays, and units."""
        from mbdgen.runtime.export import to_xarray

        return to_xarray(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result in the format of the suffix: npz, csv, parquet, nc, mat or json.

        The file appears complete or not at all. Only npz can be read back by `load_result`; json
        holds `summary`.
        """
        from mbdgen.runtime.export import save

        save(self, path)

    def __repr__(self) -> str:
        rows = [
            ("message", self.message),
            ("success", str(self.success)),
            ("status", str(self.status)),
            ("t", _span(self.t)),
            *((name, _shape(getattr(self, name), labels)) for name, labels in self._labels()),
            ("counters", _counters(self.counters)),
            ("timings", ", ".join(f"{k} {s:.3g}" for k, s in self.timings.items())),
        ]
        if self.t_events:
            rows.append(("t_events", f"{sum(map(len, self.t_events))} instants"))
        head = f"Result of '{self.info.model}' by {self.info.method}, axes are (time, n)"
        return "\n".join([head, *(f"{name:>10}: {text}" for name, text in rows)])

    def _labels(self) -> list[tuple[str, tuple[str, ...]]]:
        coordinates = self.names.coordinates
        labels = (coordinates, (), (), self.names.multipliers, self.names.outputs)
        return list(zip(STATE_ARRAYS, (*labels, ("kinetic", "potential", "work")), strict=True))


def _span(t: FloatArray) -> str:
    return f"({len(t)},) from {t[0]:.6g} to {t[-1]:.6g} s" if len(t) else "(0,)"


def _shape(array: FloatArray, labels: tuple[str, ...]) -> str:
    return f"({array.shape[0]}, {array.shape[1]}) {listed(labels, 6)}".rstrip()


def _counters(counters: Counters) -> str:
    return (
        f"{counters.steps} steps, {counters.newton_iterations} Newton iterations, "
        f"{counters.factorisations} factorisations, max |phi| {counters.max_phi:.2g}, "
        f"energy drift {counters.energy_drift:.2g} J"
    )

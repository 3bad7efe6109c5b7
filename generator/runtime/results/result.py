"""The result of a simulation: arrays with the time first, and access by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.result_accuracy import Accuracy
from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.results.export_methods import Handed
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.system_data import FloatArray, Names

if TYPE_CHECKING:
    from mbdgen.runtime.accuracy.verification import Verification
    from mbdgen.runtime.monitors.chart_switch_log import Switch
    from mbdgen.runtime.monitors.contact_events import Impact
    from mbdgen.runtime.results.beam_results import (
        BeamMotions,
        BeamProfile,
        LineMotion,
        StoredLines,
    )
    from mbdgen.runtime.results.body_motion import BodyMotion, BodyPlaces
    from mbdgen.runtime.results.dense_output import DenseOutput
    from mbdgen.runtime.results.scene_figures import Scene
    from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivities
    from mbdgen.runtime.stepping.checkpoint import Checkpoint

STATE_ARRAYS = ("q", "v", "a", "lam", "outputs", "energies")


@dataclass(frozen=True, eq=False, repr=False)
class Result(Handed):
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
        As in ``scipy.integrate.solve_ivp``: status 0 means that the end was reached. A motion that
        is none, because constraints or energy do not hold or an output is not finite, is no success
        (status -106), though everything is there.
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
    lines : BeamMotions, StoredLines or None
        What `along` follows from, or what a file knows of it.
    accuracy : Accuracy
        How wrong the run is, as far as it knows itself.
    warnings : tuple of str
        What a user should know before he believes this motion.
    verification : Verification or None
        What a second, more exact run has said about it (`mbdgen.verify`); files do not have it.
    places : BodyPlaces, BodyMotion or None
        What `bodies` follows from, or the motion itself where it was read from a file.

    Examples
    --------
    ``result["tip.y"]`` is one series, ``result["tip"]`` all components;
    `mbdgen.runtime.results.result_series` lists the names of velocities, multipliers and energies.
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
    places: "BodyPlaces | BodyMotion | None" = None
    lines: "BeamMotions | StoredLines | None" = None
    accuracy: Accuracy = field(default_factory=Accuracy)
    warnings: tuple[str, ...] = ()
    verification: "Verification | None" = None

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
        from mbdgen.runtime.results.body_motion import BodyMotion

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
        from mbdgen.runtime.results.beam_results import BeamMotions

        if self.lines is None:
            return ()
        return tuple(
            self.lines.beams if isinstance(self.lines, BeamMotions) else self.lines.motions
        )

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
        from mbdgen.runtime.results.beam_results import line_of

        return line_of(self, beam, rows, places)

    @cached_property
    def strain_energy(self) -> FloatArray:
        """Strain energy of all beams, ``(n_t,)``."""
        from mbdgen.runtime.results.beam_results import StoredLines, strain_energy

        if isinstance(self.lines, StoredLines):
            return self.lines.strain_energy
        return strain_energy(self)

    def along(self, beam: str, what: str, t: float | None = None) -> "BeamProfile":
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

    def at(self, t: float | Sequence[float]) -> "DenseOutput":
        """Interpolate the motion between recorded instants: see `dense_output`."""
        from mbdgen.runtime.results.dense_output import between

        return between(self, t)

    def eval(self, expression: str) -> FloatArray:
        """Return the values of an expression of series: ``norm(tip.v)``, ``2*acos(rod.p.e0)``.

        Nothing is executed but arithmetic, see `mbdgen.runtime.results.series_expressions`.

        Returns
        -------
        array
            ``(n_t,)``, ``(n_t, k)`` of a vector, or one number without axes (``max(tip.y)``).
        """
        from mbdgen.runtime.results.series_expressions import evaluate

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
            from mbdgen.runtime.sensitivities.sensitivity_series import missing

            raise missing()
        return self.sensitivities

    def __repr__(self) -> str:
        from mbdgen.runtime.results.result_repr import described

        return described(self)

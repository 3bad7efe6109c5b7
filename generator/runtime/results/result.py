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
        Lagrange multipliers.
    outputs : array, shape (n_t, n_out)
        Outputs of the model.
    energies : array, shape (n_t, 3)
        Kinetic energy, potential energy, work of drivers and nonconservative loads.
    names : Names
        Names of all these columns.
    success, status, message
        As in ``scipy.integrate.solve_ivp``: status 0 means that the end was reached. An invalid
        motion, which violates constraints or the energy balance or has an output that is not
        finite, is no success (status -106), but keeps all data.
    counters : Counters
        Solver statistics and constraint violations.
    timings : dict
        Seconds per stage: ``derive_s``, ``emit_s``, ``compile_s``, ``solve_s``, ...
    info : RunInfo
        Model, scheme and sizes of the run.
    t_events : list of array
        Instants of every event.
    measures : dict of str to float
        Quantities measured by the method during the run, by the names in ``Method.measures``.
    sensitivities : Sensitivities or None
        Data of `sensitivity`; stored in npz files only.
    last : Checkpoint or None
        Data of `checkpoint`; not stored in result files.
    switches : tuple of Switch
        Switches of orientation charts: time and body.
    scene : Scene or None
        Figures for pictures of the mechanism.
    contacts : tuple of Impact
        Contacts: start and end, and their normal velocities.
    lines : BeamMotions, StoredLines or None
        Data of `along`: evaluated on request, or read from a file.
    accuracy : Accuracy
        Error estimates of the run.
    warnings : tuple of str
        Warnings about the validity of the motion.
    verification : Verification or None
        Comparison with a second, more accurate run (`mbdgen.verify`); not stored in files.
    places : BodyPlaces, BodyMotion or None
        Data of `bodies`: evaluated on request, or read from a file.

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
        """Motion of all bodies: positions, orientations, velocities, accelerations.

        Raises
        ------
        OptionError
            If neither the module nor a file provides it.
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
        """Return all quantities along a beam at recorded instants.

        Parameters
        ----------
        rows : slice or array of int
            Selection of recorded instants.
        places : sequence of float, optional
            Coordinates in every element, from 0 to 1; by default both ends and the middle. Results
            from files have no others.

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

        The quantities are listed in the description of beams; a prefix such as ``r`` is a vector.

        Parameters
        ----------
        t : float, optional
            Time; the nearest recorded instant is taken. All of them by default.
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

        The expression is parsed, not executed: see `mbdgen.runtime.results.series_expressions`.

        Returns
        -------
        array
            ``(n_t,)``, ``(n_t, k)`` of a vector, or one number without axes (``max(tip.y)``).
        """
        from mbdgen.runtime.results.series_expressions import evaluate

        return evaluate(self, expression)

    def checkpoint(self) -> "Checkpoint":
        """Return the checkpoint for ``simulate(..., start=...)``: a bitwise identical continuation.

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

        It is the derivative of the computed (discrete) solution, exact up to round-off. The run
        must have been requested with it: ``simulate(..., sensitivities=["L"])``.

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

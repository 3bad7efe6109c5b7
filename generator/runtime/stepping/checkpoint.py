"""Checkpoints: the complete state of a run for a bitwise continuation, and its file."""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.numpy_files import DAMAGED, arrays_of
from mbdgen.runtime.linalg.factor_storage import Factors
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.angle_unwrapping import angles_in, forget_turns
from mbdgen.runtime.monitors.events import Knot
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.stepping.resume_validation import check_alike, check_factors, damaged
from mbdgen.runtime.system.run_workspace import State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, integers

FORMAT = 3
PARTS = ("state", "begin", "tables", "parameters", "numbers", "outputs", "direction")
"""Parts that every run needs; a run in the same direction also needs those of `HANDED_ON`."""
HANDED_ON = ("kept", "memory", "tangent", "mass", "control")
"""Data that steps pass on besides the state; invalid if the direction of time is reversed."""

Arrays = tuple[Any, ...]  # floating-point or integer


class Snapshot(NamedTuple):
    """Everything that a step changes: motion, progress, and memory of the method."""

    state: Arrays
    progress: Arrays
    kept: Arrays
    memory: Arrays

    @property
    def knot(self) -> Knot:
        """State as event location reads it."""
        clock, *vectors = self.state
        return Knot(float(clock[0]), *vectors)


@dataclass(frozen=True)
class Checkpoint:
    """State at the end of a step, with all data that the next step uses.

    Attributes
    ----------
    identity : mapping of str to str
        The model, its parameters and the scheme; a continuation must have the same.
    groups : mapping of str to tuple of array
        ``state``: time, q, v, a, lam; ``begin``: time and position at which the degrees of freedom
        were counted; ``tables``: ``eps`` and memory of ``Work``; ``parameters``:
        ``p`` of ``Work``; ``numbers``: energies, work and largest constraint violations;
        ``outputs``: the last ones, with counted revolutions; ``direction``: sign of the steps; and
        the parts in `HANDED_ON`, including the factors with their pivots.
    """

    identity: Mapping[str, str]
    groups: Mapping[str, Arrays]

    @property
    def t(self) -> float:
        """Time of the state."""
        return float(self.groups["state"][0][0])

    @property
    def state(self) -> State:
        """Copy of the state."""
        arrays = self.groups["state"]
        state = new_state(len(arrays[1]), len(arrays[4]))
        assign(state, arrays)
        return state

    def factors(self, name: str) -> Factors:
        """Return a copy of the factors ``tangent`` or ``mass``."""
        return Factors(*(array.copy() for array in self.groups[name]))

    def towards(self, end: float) -> "Checkpoint":
        """Return the checkpoint for a run to ``end``; a reversal of time drops `HANDED_ON`."""
        if (end - self.t) * float(self.groups["direction"][0][0]) > 0.0:
            return self
        groups = {name: arrays for name, arrays in self.groups.items() if name not in HANDED_ON}
        return Checkpoint(self.identity, groups)

    def check(self, system: System, scheme: Scheme, start: float) -> None:
        """Raise unless model, scheme and start time agree with the checkpoint."""
        for what, ours in identity(system, scheme).items():
            theirs = self.identity.get(what)
            if theirs != ours:
                raise OptionError(
                    f"The checkpoint was made with the {what} '{theirs}', not '{ours}'.",
                    "Continue with the same model, parameters, method and options; or begin anew: "
                    "checkpoint.set_initial(system) makes its state the initial one.",
                )
        self._check_parts(system)
        if start != self.t:
            raise OptionError(
                f"The time span starts at {start!r}, but the checkpoint is at t = {self.t!r}.",
                "Give (checkpoint.t, end).",
            )

    def set_initial(self, system: System) -> None:
        """Use position, velocities and counted revolutions as initial conditions of a system.

        Statics and linear models of the system start there, too.
        """
        state, (p,) = self.state, self.groups["parameters"]
        if len(state.q) != system.n_q or len(p) != len(system.work.p):
            raise OptionError(
                f"The checkpoint is of another model than '{system.data.model}'.",
                "Give the system that it was made with.",
            )
        system.q0[:], system.v0[:] = state.q, state.v
        system.angles0[:] = angles_in(system.data.turns, p, self.t)
        forget_turns(system)

    def _check_parts(self, system: System) -> None:
        """Raise if a part is missing or damaged, before any of it is used."""
        handed_on = (name for name in HANDED_ON if name not in ("control", "memory"))
        for name in (*PARTS, *handed_on):
            if name not in self.groups:
                raise damaged(name)
        data, work = system.data, system.work
        q = np.zeros(data.n_q)
        expected = {
            "state": (np.zeros(1), q, q, q, np.zeros(data.n_lam)),
            "begin": (np.zeros(1), q),
            "tables": (work.eps, work.memory),
            "parameters": (work.p,),
            "direction": (np.zeros(1),),
        }
        for name, arrays in expected.items():
            check_alike(name, self.groups[name], arrays)
        outputs = self.groups["outputs"]
        if len(outputs) != 1 or outputs[0].shape != (data.names.n_out,):
            raise damaged("outputs")
        for name in ("tangent", "mass"):
            check_factors(name, self.groups[name], work)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the checkpoint as npz, atomically."""
        if Path(path).suffix.lower() != ".npz":
            raise OptionError(f"A checkpoint is no '{path}'.", "Give a name that ends with .npz.")
        arrays: dict[str, Any] = {
            f"{name}.{k}": array
            for name, group in self.groups.items()
            for k, array in enumerate(group)
        }
        head = {"checkpoint": FORMAT, "identity": dict(self.identity), "sum": _sum(arrays)}
        header = json.dumps(head)
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, header=np.array(header), **arrays)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "Checkpoint":
        """Read a checkpoint written by `save`.

        Raises
        ------
        OptionError
            If the file is missing or is no checkpoint.
        """
        try:
            with arrays_of(path) as stored:
                header = json.loads(str(stored["header"]))
                form = header["checkpoint"]
                arrays = {name: stored[name] for name in stored.files if name != "header"}
                identity = {str(k): str(v) for k, v in header["identity"].items()}
        except OSError as error:
            reason = error.strerror or "it is not a numpy archive"
            raise OptionError(f"Cannot read '{path}': {reason}.", _REMEDY) from error
        except DAMAGED as error:
            raise OptionError(f"'{path}' is not a checkpoint of mbdgen.", _REMEDY) from error
        if form != FORMAT:
            raise OptionError(
                f"'{path}' is a checkpoint of the format {form}; this mbdgen has the {FORMAT}.",
                "Continue it with the mbdgen that wrote it, or begin the run anew.",
            )
        try:
            if header["sum"] != _sum(arrays):
                raise ValueError("another checksum")
            return Checkpoint(identity, _grouped(arrays))
        except DAMAGED as error:
            raise OptionError(f"The checkpoint '{path}' is damaged.", _REMEDY) from error


_REMEDY = "Give a file written by result.checkpoint().save('name.npz') or mbdgen run --checkpoint."


def assign(targets: Arrays, sources: Arrays) -> None:
    """Overwrite arrays in place, each by one of the same length."""
    for target, source in zip(targets, sources, strict=True):
        target[...] = source


def copies(arrays: Arrays) -> Arrays:
    """Return copies of arrays."""
    return tuple(array.copy() for array in arrays)


def identity(system: System, scheme: Scheme) -> dict[str, str]:
    """Return the identity (model, parameters, scheme) that a run and its continuation share."""
    data = system.data
    small = "" if data.reduced is None else " reduced"
    projection = scheme.projector.name if scheme.projector is not None else "none"
    return {
        "model": data.model,
        "structure": _short(repr(data.names).encode(), data.pattern.indices, data.pattern.indptr),
        "code": f"{data.backend} {data.layout}{small}",
        "set of equations": data.digest[:12],
        "set of numbers": _short(b"", _unchanged(system), integers(data.tables.m)),
        "method": scheme.method.name,
        "formulation": f"{scheme.text}, {projection} projection",
        "set of options": ", ".join(f"{x:.17g}" for x in scheme.values + scheme.formulation_values),
    }


def _unchanged(system: System) -> FloatArray:
    """Return the parameters, with those that runs change reset to their initial values."""
    p = system.work.p.copy()
    for body in system.data.displaced:
        p[body.bases[:, 0]] = system.data.tables.p[body.bases[:, 0]]
    p[system.data.turns[:, :2]] = 0.0
    remembered = system.data.memory[:, 0]
    p[remembered] = system.data.tables.p[remembered]
    return p


def _short(text: bytes, *arrays: Any) -> str:
    h = hashlib.sha256(text)
    for array in arrays:
        h.update(np.ascontiguousarray(array).tobytes())
    return h.hexdigest()[:12]


def _sum(arrays: Mapping[str, Any]) -> str:
    """Return the checksum of named arrays."""
    h = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        h.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        h.update(np.ascontiguousarray(array).tobytes())
    return h.hexdigest()


def _grouped(stored: Mapping[str, Any]) -> dict[str, Arrays]:
    found: dict[str, dict[int, Any]] = defaultdict(dict)
    for key in stored:
        name, dot, index = key.rpartition(".")
        if dot:
            found[name][int(index)] = stored[key]
    groups = {name: tuple(group[k] for k in sorted(group)) for name, group in found.items()}
    # A group without arrays leaves no trace in the file.
    return {"memory": (), **groups} if "kept" in groups else groups

"""Blocks of members for other processes: serialisable tasks and their execution."""

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import BuildError, OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import BlockOutcome, Job
from mbdgen.runtime.ensembles.worker_selection import new_worker
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.cache_folders import cache_folder
from mbdgen.runtime.results.result_series import SeriesColumn
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.system.module_loading import load_module
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

_LOADING = threading.Lock()


@dataclass(frozen=True)
class Module:
    """A generated module that another process can load, on this machine or on another one.

    Attributes
    ----------
    path : str
        Where it lies here. If it lies there too, its compiled code is found beside it.
    files : tuple of (str, bytes)
        Names and contents of the module and of the files that belong to it.
    """

    path: str
    files: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Task:
    """A block of members, as it is sent.

    Attributes
    ----------
    module, parameters, q0, v0, angles0
        The system: generated module, present parameters and initial values.
    method, options, plan, h, series
        See `mbdgen.runtime.ensembles.job.Job`; methods travel by name.
    members : Members
        The block.
    """

    module: Module
    parameters: Mapping[str, float]
    q0: FloatArray
    v0: FloatArray
    angles0: FloatArray
    method: str
    options: tuple[float, ...]
    plan: Schedule
    h: float
    series: tuple[SeriesColumn, ...]
    members: Members


def module_of(system: System) -> Module:
    """Pack the generated module that a system comes from.

    Raises
    ------
    OptionError
        If it comes from no file.
    """
    source = system.data.source
    if source is None or not source.is_file():
        raise OptionError(
            f"The system of '{system.data.model}' comes from no file that others could load.",
            "Take it from mbdgen.load or from a generated module, or leave executor away.",
        )
    beside = (source.with_suffix(suffix) for suffix in (".py", ".c", ".h", ".npz"))
    files = tuple((path.name, path.read_bytes()) for path in beside if path.is_file())
    return Module(str(source.absolute()), files)


def task(system: System, module: Module, job: Job, members: Members) -> Task:
    """Describe a block so that it can be sent."""
    if job.method is not _registered(job.method.name):
        raise OptionError(
            f"Method '{job.method.name}' is not one of mbdgen's: other processes do not know it.",
            f"Take one of {', '.join(integrators.known())}, or leave executor away.",
        )
    return Task(
        module,
        system.parameters,
        system.q0.copy(),
        system.v0.copy(),
        system.angles0.copy(),
        job.method.name,
        job.options,
        job.plan,
        job.h,
        job.series,
        members,
    )


def compute(sent: Task) -> tuple[NDArray[np.float64], BlockOutcome]:
    """Do a task; this is what an executor calls in the other process."""
    system = _loaded(sent.module).copy()
    system.set(**sent.parameters)
    system.q0[:], system.v0[:], system.angles0[:] = sent.q0, sent.v0, sent.angles0
    method = integrators.method(sent.method)
    job = Job(method, sent.options, sent.plan, sent.h, sent.series)
    shape = (len(sent.members), int(sent.plan.keep.sum()), len(sent.series))
    values = np.empty(shape)
    return values, new_worker(system, job).run(sent.members, values)


def _registered(name: str) -> object:
    return integrators.method(name) if name in integrators.known() else None


def _loaded(module: Module) -> System:
    """Load a module, once in every process, whichever of its threads asks first."""
    with _LOADING:
        return _load(module)


@cache
def _load(module: Module) -> System:
    path = Path(module.path)
    here = all(_same(path.with_name(name), content) for name, content in module.files)
    system = vars(load_module(path if here else _written(module))).get("system")
    if not isinstance(system, System):
        raise BuildError(f"{path} contains no system.", "Delete it and build it again.")
    return system


def _same(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _written(module: Module) -> Path:
    """Write the files of a module that this machine does not have into its cache."""
    digest = hashlib.sha256(b"".join(content for _, content in module.files)).hexdigest()
    folder = cache_folder() / "modules" / digest[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in module.files:
        if not _same(folder / name, content):
            with replacing(folder / name) as temporary:
                temporary.write_bytes(content)
    return folder / Path(module.path).name

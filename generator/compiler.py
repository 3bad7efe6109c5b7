"""The compiler: five stages, each a function with an input and an output, timed and logged.

read     file or name   -> Model          (`mbdgen.language.read`)
analyse  Model          -> elements       (`mbdgen.topology.specify`): structure and data
derive   element type   -> ElementIR      (`symbolic.derive.derivation`): SymPy, cached per type
lower    types, tables  -> SystemIR       (`symbolic.lower.lowering`): numbering, sparsity, layout
emit     SystemIR       -> files          (`mbdgen.emit`): Jinja2, code printer
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, overload

from mbdgen import cache
from mbdgen.build_options import BuildOptions
from mbdgen.digests import digest, module_digest
from mbdgen.emit.backend import Backend, Loader
from mbdgen.emit.backend_capabilities import IN_PYTHON, PYTHON_LIMITS
from mbdgen.emit.backends import find_backend
from mbdgen.emit.module_files import (
    check_folder,
    check_ours,
    checksum,
    folder_path,
    header_summary,
    is_generated,
    is_whole,
    make_folder,
    signed,
    write_module,
)
from mbdgen.emit.module_header import facts_of
from mbdgen.emit.table_literals import literal
from mbdgen.errors import OptionError
from mbdgen.interface import SECOND_KERNELS, VARIATION_KERNELS
from mbdgen.language.model import Model
from mbdgen.language.model_files import source_path
from mbdgen.language.read import read
from mbdgen.limits import require
from mbdgen.runtime.program.activity import activity
from mbdgen.runtime.system.system import System
from mbdgen.stages import derive_types, emit_text, identify, lower_model
from mbdgen.topology.specify import specify

logger = logging.getLogger(__name__)

STAGES = {
    "analyse": "analysing the model",
    "derive": "deriving the equations",
    "lower": "numbering unknowns and equations",
    "emit": "writing the code",
}
"""Descriptions of the stages, for progress messages."""


@dataclass
class Report:
    """Report of a build.

    Attributes
    ----------
    path : Path
        Path of the generated module.
    seconds : dict
        Wall time of each stage in seconds.
    fresh : bool
        False if an existing module was still current.
    summary : str
        Numbers of unknowns and layout in one line, as in the module's header.
    """

    path: Path
    seconds: dict[str, float] = field(default_factory=dict)
    fresh: bool = True
    summary: str = ""


@overload
def build(
    model: Model,
    out: "str | Path" = "generated",
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
) -> Path: ...


@overload
def build(
    model: "str | Path",
    out: "str | Path" = "generated",
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
    **model_arguments: Any,
) -> Path: ...


def build(
    model: "Model | str | Path",
    out: "str | Path" = "generated",
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
    **model_arguments: Any,
) -> Path:
    """Compile a model to an importable module and return the module's path.

    Parameters
    ----------
    model : Model, path or str
        Model, model file, or name of a shipped model.
    out : path
        Folder of the module.
    backend, layout, freeze, engine, reduced, second, sensitivities, eliminate
        See `mbdgen.build_options.BuildOptions`.
    coordinates : str or class, optional
        Generalised coordinates of all spatial rigid bodies, overriding the model (``gibbs``, a
        class of your own); ``relative``: joint coordinates; ``auto`` chooses.
    **model_arguments
        Arguments of the file's function ``model``.
    """
    options = BuildOptions(
        backend, layout, freeze, engine, reduced, second, sensitivities, eliminate
    )
    return build_report(model, options, folder_path(out), model_arguments, coordinates).path


def build_report(
    model: "Model | str | Path",
    options: BuildOptions,
    out: Path,
    arguments: Mapping[str, Any],
    coordinates: str | type[Any] | None = None,
) -> Report:
    """Compile a model like `build` and return a report with the time of each stage."""
    find_backend(options.backend)
    start = time.perf_counter()
    described = read(model, arguments, coordinates)
    seconds = time.perf_counter() - start
    report = compile_model(described, options, out)
    report.seconds = {"read": seconds, **report.seconds}
    return report


@overload
def load(
    model: Model,
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
) -> System: ...


@overload
def load(
    model: "str | Path",
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
    **model_arguments: Any,
) -> System: ...


def load(
    model: "Model | str | Path",
    backend: str = "numba",
    layout: str = "auto",
    freeze: Sequence[str] = (),
    engine: str = "sympy",
    reduced: bool = False,
    second: bool = False,
    sensitivities: bool = False,
    coordinates: str | type[Any] | None = None,
    eliminate: bool = False,
    **model_arguments: Any,
) -> System:
    """Return the system of a model, compiling it into the cache if necessary.

    Parameters
    ----------
    model : Model, path or str
        As for `build`, or the path of a generated module.
    """
    chosen = find_backend(backend)
    loader = _loader(chosen)
    if not isinstance(model, Model) and is_generated(source_path(model)):
        if model_arguments:
            raise OptionError(
                f"'{model}' is a generated module and takes no model arguments.",
                "Give the model file, or change parameters of the system.",
            )
        _check_plain(model, layout, freeze, (reduced, eliminate), coordinates)
        system = _load(loader, Report(Path(model)))
        if second and not system.offers.issuperset(SECOND_KERNELS):
            raise _chosen_when_built(model, "second")
        if sensitivities and not system.offers.issuperset(VARIATION_KERNELS):
            raise _chosen_when_built(model, "sensitivities")
        return system
    options = BuildOptions(
        backend, layout, freeze, engine, reduced, second, sensitivities, eliminate
    )
    start = time.perf_counter()
    described = read(model, model_arguments, coordinates)
    seconds = time.perf_counter() - start
    report = compile_cached(described, options)
    report.seconds = {"read": seconds, **report.seconds}
    return _load(loader, report)


def _check_plain(
    path: "str | Path",
    layout: str,
    freeze: Sequence[str],
    leave_out: tuple[bool, bool],
    coordinates: str | type[Any] | None,
) -> None:
    """Reject build options for a module that is already generated."""
    reduced, eliminate = leave_out
    asked = [
        ("reduced", reduced),
        ("eliminate", eliminate),
        ("layout", layout != "auto"),
        ("freeze", bool(freeze)),
    ]
    asked.append(("coordinates", coordinates is not None))
    if names := [name for name, given in asked if given]:
        raise _chosen_when_built(path, names[0])


def _chosen_when_built(path: "str | Path", option: str) -> OptionError:
    return OptionError(
        f"'{path}' is a generated module: its {option} was chosen when it was built.",
        f"Give the model file, or build the module again with {option}.",
    )


def compile_cached(model: Model, options: BuildOptions) -> Report:
    """Compile a model into the cache, unless an identical module exists."""
    return _compile(model, options, None)


def compile_model(model: Model, options: BuildOptions, out: Path) -> Report:
    """Compile a model into a folder, unless an identical module exists."""
    return _compile(model, options, out)


def _loader(backend: Backend) -> Loader:
    """Return the module loader of a backend; raise an error before compilation if it has none."""
    require(PYTHON_LIMITS, run=IN_PYTHON, backend=backend)
    assert backend.load is not None
    return backend.load


def _load(load: Loader, report: Report) -> System:
    """Load a module and pass the build times of the stages to its system."""
    start = time.perf_counter()
    with activity("compiling kernels"):
        system = load(report.path)
    report.seconds["compile"] = time.perf_counter() - start
    seconds = tuple((f"{stage}_s", s) for stage, s in report.seconds.items())
    system.data = replace(system.data, build_seconds=seconds)
    return system


def _compile(model: Model, options: BuildOptions, out: Path | None) -> Report:
    backend = find_backend(options.backend)
    report = Report(Path())
    modules = cache.cache_folder() / "modules"
    with _timed(report, "analyse"):
        specs, ours = identify(specify(model), options.engine, options.second)
        key = module_digest(model, specs, options)
    in_cache = out is None
    file = f"{model.name}{backend.suffixes[0]}"
    # The name of the cache folder is the hash of the sources of the module.
    if in_cache and ours and is_whole(modules / key[:16] / file, backend.suffixes):
        return _current(report, modules / key[:16] / file)
    out = out or modules / key[:16]
    remedy = "Let MBDGEN_CACHE name another folder." if in_cache else ""
    check_folder(out, remedy)
    if not in_cache:
        check_ours(out, model.name, backend.suffixes, tables=False)
    if in_cache:  # fail early: derived types could not be stored either
        make_folder(cache.cache_folder(), remedy)
    with _timed(report, "derive"):
        irs = derive_types(specs, options.engine, options.second)
    with _timed(report, "lower"):
        system = lower_model(model, specs, irs, options)
    with _timed(report, "emit"):
        facts = facts_of(model, system, options)
        texts = signed(emit_text(system, backend, facts))
        report.summary = facts["summary"]
        arrays = literal(system, backend.table_limit).arrays
        if in_cache and not ours:  # the printed text is authoritative
            out = modules / digest([*texts.values(), checksum(arrays)])[:16]
            if is_whole(out / file, backend.suffixes):
                return _current(report, out / file)
        report.path = out / file
        report.fresh = write_module(out, model.name, texts, arrays, in_cache)
    logger.info(
        "%s: %d bodies, %s, about %d statements, %s",
        model.name,
        len(model.bodies),
        system.layout,
        system.statements,
        ", ".join(f"{k} {s:.2f} s" for k, s in report.seconds.items()),
    )
    return report


def _current(report: Report, path: Path) -> Report:
    """Return the report for an existing, current module."""
    logger.info("%s: up to date", path)
    report.path, report.fresh, report.summary = path, False, header_summary(path)
    return report


@contextmanager
def _timed(report: Report, stage: str) -> Iterator[None]:
    start = time.perf_counter()
    with activity(STAGES[stage]):
        yield
    report.seconds[stage] = time.perf_counter() - start

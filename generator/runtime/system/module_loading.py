"""Loading of generated modules, and construction of their `System`.

`make_system` is long because it names everything that a module contains.
"""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.results.scene_figures import Row
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import (
    BodyType,
    Displaced,
    IntArray,
    Names,
    Parameters,
    Pattern,
    SectionFunction,
    Stated,
    SystemData,
    Tables,
    integers,
    reals,
)


def make_system(
    model: str,
    backend: str,
    layout: str,
    names: tuple[tuple[str, ...], ...],
    tables: Mapping[str, Any],
    parameters: Mapping[str, float],
    derived: Callable[[Sequence[float]], list[float]],
    kernels: Kernels,
    bounded: Callable[[Sequence[float]], list[tuple[float, str, str, str]]] | None = None,
    fuses: bool = False,
    fused_size: int = 0,
    powered: bool = True,
    reads: bool = False,
    printed_loads: tuple[str, ...] = (),
    operations: Mapping[str, int] | None = None,
    reduced: tuple[int, int] | None = None,
    variation: tuple[Any, tuple[str, ...]] | None = None,
    kinds: tuple[str, ...] = (),
    picture: Callable[[Sequence[float]], tuple[Row, ...]] | None = None,
    bodies: tuple[str, ...] = (),
    motions: tuple[tuple[Callable[..., None], int, int, int], ...] = (),
    along: tuple[tuple[Callable[..., None], int, int, int, Sequence[str], int], ...] = (),
) -> System:
    """Return the system of a generated module.

    Parameters
    ----------
    names : tuple
        The fields of `Names`, in order.
    tables : mapping
        Arrays by name.
    parameters : mapping
        Defaults of the named parameters.
    derived : callable
        Evaluates the expressions of the parameters.
    kernels : Kernels
        Compiled kernels.
    bounded : callable, optional
        Returns values that depend on parameters and must lie in intervals.
    fuses : bool
        Whether the backend generates fused kernels for small systems.
    fused_size : int
        Length of the output of the fused kernels.
    powered : bool
        Whether non-conservative loads or drivers can do work.
    reads : bool
        Whether forces depend on reactions.
    printed_loads : tuple of str
        Loads whose values are literals in the kernels.
    operations : mapping
        Number of arithmetic operations in one call of each kernel.
    reduced : (int, int), optional
        Numbers of coordinates and multipliers in the fused kernels, if reduced.
    variation : (callable, tuple of str), optional
        Evaluates directional derivatives of the parameter expressions; units of the parameters.
    kinds : tuple of str
        Coordinates of each body in the table ``displaced``.
    picture : callable, optional
        Returns the figures of pictures, for values of the parameters.
    bodies : tuple of str
        Names of all bodies and point masses.
    motions : tuple of (function, bodies, coordinates, numbers)
        Motion function of the bodies of each type, and their number of columns in ``bodies``.
    along : tuple of (function, elements, coordinates, numbers, names with units, places)
        Likewise of the table ``along``: quantities of elements along flexible bodies.
    """
    named = Names(*names)
    vary, units = variation or (_unvaried, ())
    n_q = len(named.coordinates)
    data = SystemData(
        model=model,
        backend=backend,
        layout=layout,
        n_q=n_q,
        n_lam=len(named.multipliers),
        names=named,
        tables=Tables(*(tables[k] for k in ("p", "m", "q0", "v0"))),
        pattern=Pattern(tables["indptr"], tables["indices"]),
        parameters=Parameters(
            tuple(parameters),
            tuple(parameters.values()),
            derived,
            p_targets=tables["p_targets"],
            q_targets=tables["q_targets"],
            v_targets=tables["v_targets"],
            bounded=bounded or _unbounded,
            variation=vary,
            units=units,
        ),
        constraint_rows=tables["constraint_rows"],
        unit_blocks=tables["unit_blocks"],
        fixed=_marked(n_q, tables["fixed"]),
        fixed_velocity=_marked(n_q, tables["fixed_velocity"]),
        driven=tables["driven"],
        velocity_rows=tables.get("velocity_rows", np.zeros(0, np.int64)),
        crowds=tables.get("crowds", np.zeros(0, np.int64)),
        displaced=_displaced(kinds, tables) if kinds else (),
        contacts=tables.get("contacts", NO_CONTACTS),
        memory=tables.get("memory", NO_CONTACTS),
        ranges=tables.get("ranges", NO_CONTACTS),
        loads=tables.get("loads", np.zeros(0, np.int64)),
        moved=tables.get("moved", np.zeros(0, np.int64)),
        stated=Stated(*(tables[name] for name in STATED)) if "stated" in tables else Stated(),
        turns=tables.get("turns", NO_CONTACTS),
        fuses=fuses,
        fused_size=fused_size,
        powered=powered,
        reads=reads,
        printed_loads=printed_loads,
        operations=tuple((operations or {}).items()),
        reduced=reduced,
        picture=picture,
        bodies=bodies,
        motions=_motions(motions, tables) if motions else (),
        along=_along(along, tables) if along else (),
        source=Path(inspect.getfile(derived)),
        digest=str(getattr(derived, "__globals__", {}).get("DIGEST", "")),
    )
    return System(data, kernels)


STATED = ("stated", "stated_inertias", "stated_fixed", "stated_velocities", "stated_twists")
"""Tables of `Stated`, in its order."""
NO_CONTACTS = np.zeros((0, 3), np.int64)


def _unbounded(values: Sequence[float]) -> list[tuple[float, str, str, str]]:
    """Return no bounds: all parameters are valid."""
    return []


def _unvaried(values: Sequence[float], changes: Sequence[float]) -> list[float]:
    """Return no derivatives: the module was built without sensitivities."""
    return []


def _displaced(kinds: Sequence[str], tables: Mapping[str, Any]) -> tuple[Displaced, ...]:
    """Return the bodies whose virtual displacements are not coordinate variations."""
    found, at = [], 0
    for k, kind in enumerate(kinds):
        first, n_q, n_u, attitude, size = (int(x) for x in tables["displaced"][k])
        home = reals(tables["homes"][at : at + size])
        bases = tables["bases"][tables["bases"][:, 1] == k][:, ::2]
        found.append(Displaced(kind, first, n_q, n_u, attitude, home, integers(bases)))
        at += size
    return tuple(found)


def _motions(
    motions: Sequence[tuple[Callable[..., None], int, int, int]], tables: Mapping[str, Any]
) -> tuple[BodyType, ...]:
    """Return the types of bodies with the indices of their values."""
    found, at = [], 0
    for function, count, n_q, n_p in motions:
        size = count * (1 + n_q + n_p)
        rows = integers(tables["bodies"][at : at + size]).reshape(count, -1)
        found.append(BodyType(function, rows[:, 0], rows[:, 1 : 1 + n_q], rows[:, 1 + n_q :]))
        at += size
    return tuple(found)


def _along(
    types: Sequence[tuple[Callable[..., None], int, int, int, Sequence[str], int]],
    tables: Mapping[str, Any],
) -> tuple[SectionFunction, ...]:
    """Return the types of elements with quantities along flexible bodies."""
    types_along = _motions([row[:4] for row in types], {"bodies": tables["along"]})
    quantities = [tuple(_with_unit(text) for text in row[4]) for row in types]
    return tuple(
        SectionFunction(x.motion, x.bodies, x.coordinates, x.numbers, names, row[5])
        for x, names, row in zip(types_along, quantities, types, strict=True)
    )


def _with_unit(text: str) -> tuple[str, str]:
    name, _, unit = text.partition(" [")
    return name, unit.removesuffix("]")


def _marked(n: int, indices: IntArray) -> NDArray[np.bool_]:
    """Return True at the indices."""
    marks = np.zeros(n, np.bool_)
    marks[indices] = True
    return marks


def load_module(path: Path) -> ModuleType:
    """Import a generated module from its file, under a private name.

    Raises
    ------
    BuildError
        If the file is missing, damaged or written by another version.
    """
    if not path.is_file():
        raise BuildError(f"There is no generated module {path}.", "Build it: mbdgen build MODEL.")
    try:
        return _execute(path)
    except MbdgenError:
        raise  # with the cause
    except Exception as error:
        raise BuildError(
            f"The generated module {path} cannot be loaded ({type(error).__name__}: {error}).",
            "Delete it and build it again.",
        ) from error


def _execute(path: Path) -> ModuleType:
    name = f"_mbdgen_file_{path.stem}"  # private: shadows no module of the user
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module

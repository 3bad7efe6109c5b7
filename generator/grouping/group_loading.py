"""Loading of structural groups: decomposition, derivation from elements, compilation, cache."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen import cache
from mbdgen.build_options import BuildOptions
from mbdgen.compiler import load
from mbdgen.digests import digest
from mbdgen.emit.module_files import is_generated, signed, write_module
from mbdgen.errors import BuildError, OptionError
from mbdgen.grouping.condensing import Condensing
from mbdgen.grouping.fronts import fronts, mass_pattern
from mbdgen.grouping.group_kernels import group_kernels
from mbdgen.grouping.group_members import group_types, members_of
from mbdgen.grouping.kernels_of import GroupKernels
from mbdgen.grouping.printing import module_text
from mbdgen.language.model import Model
from mbdgen.language.model_files import source_path
from mbdgen.language.read import read
from mbdgen.limits import Limit, is_one_of, require
from mbdgen.runtime.groups.group_decomposition import Decomposition, decompose
from mbdgen.runtime.groups.group_tables import GroupSolver, LoadedGroupType
from mbdgen.runtime.groups.grouped_system import GroupedSystem, positions_nearby
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.methods.run_limits import GROUP_LIMITS, GROUPS
from mbdgen.runtime.system.module_loading import load_module
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.runtime.system.system_features import features_of
from mbdgen.stages import derive_types, identify, lower_model
from mbdgen.symbolic.lower.build_limits import ELIMINATED, KEPT
from mbdgen.topology.specify import specify

LOG = logging.getLogger("mbdgen.grouping")

WORTHWHILE, LARGE = 20, 60
"""Minimum number of coordinates for groups to pay, and maximum number in one group."""
LARGEST = 20_000
"""Largest number of operations of a kernel; LLVM would compile longer ones for minutes."""
BUILT_LIMITS = (
    Limit(
        ("run", "constraints"),
        is_one_of(GROUPS, ELIMINATED),
        "missing",
        "Structural groups of {model} are groups of its bodies, of which coordinates have been "
        "eliminated.",
        "Leave out eliminate (--eliminate), or --solver groups.",
    ),
)


def load_groups(
    model: "Model | str | Path",
    inputs: Sequence[str] | None = None,
    backend: str = "numba",
    engine: str = "sympy",
    **model_arguments: Any,
) -> GroupedSystem:
    """Return a model with compiled structural groups.

    Parameters
    ----------
    model : Model, path or str
        As for `mbdgen.load`, except a generated module, which has no elements.
    inputs : sequence of str, optional
        Given (input) coordinates, see `mbdgen.runtime.groups.group_decomposition.decompose`.
    **model_arguments
        Arguments of the file's function ``model``.
    """
    if not isinstance(model, Model) and is_generated(source_path(model)):
        raise OptionError(
            f"'{model}' is a generated module, which has no structural groups.",
            "Give the model file.",
        )
    described = read(model, model_arguments)
    system = load(described, backend=backend, layout="loop", engine=engine)
    return compile_groups(described, system, inputs, engine)


def groups_pay(system: System, inputs: Sequence[str] | None = None) -> bool:
    """Return whether a mechanism is faster by groups: several, none large (decision 084).

    It is false where groups cannot determine the motion: see decision 186.
    """
    data = system.data
    if (
        data.reads
        or system.n_q < WORTHWHILE
        or data.displaced
        or len(data.contacts)
        or len(data.crowds)
    ):
        return False
    groups = decompose(system, 0.0, assemble(system).q, inputs).groups
    return max(len(g.dependent) for g in groups) <= LARGE


def compile_groups(
    model: Model, system: System, inputs: Sequence[str] | None = None, engine: str = "sympy"
) -> GroupedSystem:
    """Return a loaded system with compiled groups, decomposed at an assembled position."""
    facts = features_of(system)
    require(GROUP_LIMITS, facts, run=GROUPS)
    state = assemble(system)
    specs, _ = identify(specify(model), engine)
    lowered = lower_model(
        model, specs, derive_types(specs, engine), BuildOptions(layout="loop", engine=engine)
    )
    left = system.names.coordinates != tuple(lowered.names["coordinates"])
    require(BUILT_LIMITS, facts, run=GROUPS, constraints=ELIMINATED if left else KEPT)
    decomposition = decompose(system, 0.0, state.q, inputs)
    types = group_types(members_of(lowered, decomposition))
    here = [(0.0, state.q)]
    blocks = [group_kernels(lowered, same, here, straight=False) for same in types]
    _check_short(blocks, model.name)
    tried = _linked(model.name, blocks, decomposition, system)
    samples = positions_nearby(tried, state.q)
    read = fronts(blocks, _mass_pattern(system, samples))
    kernels = [
        group_kernels(lowered, same, samples, True, front)
        for same, front in zip(types, read, strict=True)
    ]
    found = _linked(model.name, kernels, decomposition, system)
    found.samples = samples
    return found


def _mass_pattern(system: System, samples: Sequence[tuple[float, FloatArray]]) -> IntArray:
    """Return rows and columns of the entries of the mass matrix non-zero at some positions."""
    work, n, zero = system.work, system.n_q, np.zeros(system.n_q)
    column = np.repeat(np.arange(system.n), np.diff(work.indptr))
    places = np.flatnonzero((column < n) & (work.indices < n))
    none = np.zeros(system.n_lam)
    values = [
        system.matrix_values(t, q, zero, zero, none, (0.0, 0.0, 1.0))[places] for t, q in samples
    ]
    return mass_pattern(work.indices[places], column[places], values)


def _linked(
    name: str, kernels: Sequence[GroupKernels], decomposition: Decomposition, system: System
) -> GroupedSystem:
    """Return the mechanism with these kernels, which are compiled on demand."""
    functions = _functions(name, kernels)
    kinds = [
        LoadedGroupType(
            kernels={
                kernel.name: functions[f"{same.name}_{kernel.name}"] for kernel in same.kernels
            },
            coordinates=same.coordinates,
            parameters=same.parameters,
            levels=same.levels,
            dependent=np.array(same.dependent, np.int64),
            known=np.array(same.known, np.int64),
            rows=same.rows,
            pattern=np.array(same.pattern, np.int64).reshape(-1, 2),
            pulled=np.array(same.pulled, np.int64),
            **_places_of(same.condensing),
        )
        for same in kernels
    ]
    return GroupedSystem(system, GroupSolver(decomposition, kinds))


def _places_of(found: Condensing | None) -> dict[str, IntArray]:
    front, added, border = (
        ((), (), ()) if found is None else (found.front, found.added, found.border)
    )
    return {
        "front": np.array(front, np.int64).reshape(-1, 2),
        "added": np.array(added, np.int64).reshape(-1, 2),
        "border": np.array(border, np.int64),
    }


def _check_short(kernels: Sequence[GroupKernels], model: str) -> None:
    for same in kernels:
        for kernel in same.kernels:
            operations = kernel.graph.operation_count([n for _, n in kernel.outputs])
            if operations > LARGEST:
                bodies = ", ".join(f"'{b}'" for b in same.first[:6])
                raise BuildError(
                    f"A structural group of '{model}' has {len(same.first)} bodies ({bodies}, "
                    f"...) and {operations} operations: too many for a kernel of its own.",
                    "Use the global solver, or inputs that cut the mechanism into smaller groups.",
                )


def _functions(name: str, kernels: Sequence[GroupKernels]) -> dict[str, Callable[..., int]]:
    """Write the module of the groups into the cache, unless present, and load it."""
    texts = signed({".py": module_text(name, kernels)})
    folder = cache.cache_folder() / "modules" / digest(texts.values())[:16]
    fresh = write_module(folder, f"{name}_groups", texts, {}, in_cache=True)
    LOG.info("%s: %d types of groups%s", name, len(kernels), "" if fresh else ", up to date")
    functions = vars(load_module(folder / f"{name}_groups.py"))["KERNELS"]
    return {function.__name__: function for function in functions}


__all__ = ["GroupedSystem", "compile_groups", "groups_pay", "load_groups"]

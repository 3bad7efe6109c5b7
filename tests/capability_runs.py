"""What a cell of the table of capabilities says, done: a small model, a few steps, a reference."""

import re
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.linalg import null_space, qr

from mbdgen import (
    build,
    equilibrium_sensitivities,
    inverse_dynamics,
    kinematics,
    linearise,
    load,
    mobility,
    modes,
    simulate,
    simulate_many,
    statics,
)
from mbdgen.build_options import BuildOptions
from mbdgen.capabilities.axes import IMPLIED, axis_values
from mbdgen.capabilities.capability_table import Cell, cells
from mbdgen.cli.command_options import Request
from mbdgen.cli.solver_choice import check_solver
from mbdgen.emit.backend_capabilities import check_backend_limits
from mbdgen.emit.backends import find_backend
from mbdgen.errors import MbdgenError
from mbdgen.grouping.group_loading import compile_groups, load_groups
from mbdgen.language.read import read
from mbdgen.limits import FEATURES
from mbdgen.mechanics.prescribed_motion import Law
from mbdgen.mechanics.statics import settle
from mbdgen.runtime.groups.group_options import Options
from mbdgen.runtime.groups.group_simulation import simulate_by_groups
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.methods.scheme import Scheme, choose
from mbdgen.runtime.system.system import System
from mbdgen.stages import derive_types, lower_model
from mbdgen.topology.specify import specify
from tests.backends.node import evaluate
from tests.features import EXAMPLES, LINEAR, PLAIN, Example

END, STEP = 0.04, 1e-3
COORDINATES: Mapping[str, dict[str, Any]] = {
    "bodies": {},
    "relative": {"coordinates": "relative"},
}
CONSTRAINTS: Mapping[str, dict[str, Any]] = {"kept": {}, "eliminated": {"eliminate": True}}
SOFT = {"staggered": {"epsilon": 1e-3, "tau": 1e-3}}
"""Options of formulations whose stiffness explicit methods must resolve."""
_LINEAR = "linear"
"""Not a feature: what of a model can be eliminated."""
NEAR = 0.03
"""Part of the way that the end may be beside the reference: steps are long for methods of order 1,
and penalties give way."""


class SimulationFailed(MbdgenError):
    """A run that was not refused, but failed."""


class JavaScriptRefused(MbdgenError):
    """What JavaScript refuses, in its own words."""


def sentence(cell: Cell) -> str:
    """Return the pattern of what a refused cell says of a model in particular."""
    texts = [re.escape(f"{x.reason} {x.remedy}") for x in (cell, *_implied(cell))]
    for example in ["'MODEL'", *(feature.example for feature in FEATURES.values())]:
        texts = [text.replace(re.escape(example), ".*") for text in texts]
    return f"^({'|'.join(texts)})$"


_table = cache(cells)


def _implied(cell: Cell) -> list[Cell]:
    """Return what refuses the module that a combination needs, before that can be run."""
    if cell.axes not in (("scheme", "feature"), ("run", "feature")):
        return []
    what, feature = cell.values
    needs = _scheme(what).method.kernels if cell.axes[0] == "scheme" else ()
    kernels = "second" if needs else IMPLIED.get(what, {}).get("kernels")
    found = ("kernels", "feature"), (kernels, feature)
    return [x for x in _table() if (x.axes, x.values) == found and x.verdict != "works"]


def do(cell: Cell) -> None:
    """Do what a cell combines, and compare with the reference; raises what refuses it."""
    chosen = dict(zip(cell.axes, cell.values, strict=True))
    action(cell)(**chosen)


def _example(feature: str) -> Example:
    return {**EXAMPLES, "": PLAIN, _LINEAR: LINEAR}[feature]


@cache
def loaded(feature: str, **options: Any) -> System:
    """Return the example of a feature, or without any a plain one."""
    example = _example(feature)
    return load(example.make(), **{**example.options, **options})


@cache
def reference(feature: str, soft: str = "") -> tuple[float, float]:
    """Return the height at the beginning of a motion, and at its end.

    A formulation whose joints give way has a motion of its own: only methods can be compared then,
    with an implicit one, which needs no regular mass matrix, or dop853 where there is no tangent.
    """
    method = "newmark" if soft and feature != "crowds" else "dop853"
    by = {"method": method, **({"formulation": soft, **SOFT[soft]} if soft else {})}
    found = simulate(loaded(feature), (0, END), h=STEP / 4, **by)
    assert found.success, found.message
    return found["height"][0], found["height"][-1]


def compare(height: float, feature: str = "", scheme: Scheme | None = None) -> None:
    """Compare the end of a motion with the reference."""
    used = "" if scheme is None or scheme.formulation is None else scheme.formulation.name
    start, end = reference(feature, used if used in SOFT else "")
    assert abs(end - start) > 1e-3, (feature, start, end)
    assert abs(height - end) <= NEAR * abs(end - start), (height, start, end)


def _scheme(name: str) -> Scheme:
    found = axis_values("scheme")[name]
    assert isinstance(found, Scheme)
    return found


def _arguments(scheme: Scheme) -> dict[str, Any]:
    named = scheme.formulation.name if scheme.formulation is not None else ""
    return {**scheme.arguments, **SOFT.get(named, {})}


def _method_and_formulation(method: str, formulation: str) -> None:
    _run(choose(method, formulation))


def _method_and_projection(method: str, projection: str) -> None:
    _run(choose(method, None, projection))


def _formulation_and_projection(formulation: str, projection: str) -> None:
    explicit = axis_values("formulation")[formulation].slope is not None  # type: ignore[attr-defined]
    _run(choose("rk4" if explicit else "newmark", formulation, projection))


def _run(scheme: Scheme, feature: str = "", named: str | None = None, **options: Any) -> None:
    second = {"second": True} if scheme.method.kernels else {}
    system = loaded(feature, **second, **options)
    found = simulate(system, (0, END), h=STEP, **_arguments(scheme))
    if not found.success:
        raise SimulationFailed(found.message)
    compare(found["height"][-1], feature, scheme)


def _scheme_and_feature(scheme: str, feature: str) -> None:
    _run(_scheme(scheme), feature)


def _scheme_and_run(scheme: str, run: str) -> None:
    _RUNS[run](_scheme(scheme), "", named=scheme.partition(" + ")[2] or None)


def _ensemble(scheme: Scheme, feature: str, named: str | None = None, **options: Any) -> None:
    second = {"second": True} if scheme.method.kernels else {}
    system = loaded(feature, **second, **options)
    chosen: dict[str, Any] = {**_arguments(scheme), "method": scheme.method.name}
    chosen |= {"formulation": named}
    chosen.pop("projection", None)
    many = simulate_many(system, (0, END), {}, h=STEP, series="all", q0=system.q0[None], **chosen)
    assert (many.status >= 0).all(), many.messages
    compare(many["height"][0, -1], feature, scheme)


def _sensitivities(scheme: Scheme, feature: str, named: str | None = None, **options: Any) -> None:
    second = {"second": True} if scheme.method.kernels else {}
    system = loaded(feature, sensitivities=True, **second, **options)
    arguments: dict[str, Any] = _arguments(scheme)
    name = next(iter(system.parameters), f"{system.names.coordinates[0]}.dot")
    found = simulate(system, (0, END), h=STEP, sensitivities=[name], **arguments)
    assert found.success, found.message
    compare(found["height"][-1], feature, scheme)
    assert np.isfinite(found.sensitivity(system.names.coordinates[0], name)).all()


def _groups(scheme: Scheme, feature: str, named: str | None = "matrix-r", **options: Any) -> None:
    chosen = Options(scheme.method.name, named)
    example = _example(feature)
    model = read(example.make(), {}, options.pop("coordinates", None))
    grouped = compile_groups(model, load(model, **{**example.options, **options}))
    found = simulate_by_groups(grouped, (0, END), STEP, chosen)
    assert found.success, found.message
    compare(found["height"][-1], feature, scheme)


_RUNS: Mapping[str, Callable[..., None]] = {
    "single": lambda scheme, feature, **options: _run(scheme, feature, **options),
    "ensemble": _ensemble,
    "sensitivities": _sensitivities,
    "groups": _groups,
}
_USUAL = {"groups": ("trapezoidal", "matrix-r")}


def _scheme_and_control(scheme: str, control: str) -> None:
    _controlled(_scheme(scheme), control)


def _controlled(scheme: Scheme, control: str, backend: str = "numba") -> None:
    second = {"second": True} if scheme.method.kernels else {}
    system, arguments = loaded("", backend=backend, **second), _arguments(scheme)
    if control == "start":
        half = simulate(system, (0, END / 2), h=STEP, **arguments)
        found = simulate(system, (END / 2, END), h=STEP, start=half.checkpoint(), **arguments)
    elif control == "backward":
        found = simulate(system, (0, -END), h=STEP, **arguments)  # from rest: the same way
    else:
        found = simulate(system, (0, END), h=STEP, **_asked(control), **arguments)
    assert found.success, found.message
    compare(found["height"][-1], scheme=scheme)


def _asked(control: str) -> dict[str, Any]:
    seen: list[float] = []
    return {
        "rtol": {"rtol": 1e-5},
        "events": {"events": lambda t, q, v: t - 0.7 * END},
        "callback": {"callback": lambda t, q, v: seen.append(t)},
        "start": {"start": object()},
    }[control]


def _run_and_control(run: str, control: str) -> None:
    system, span = loaded(""), (0, -END) if control == "backward" else (0, END)
    asked = {} if control == "backward" else _asked(control)
    if run == "single":
        _controlled(choose("newmark"), control)
    elif run == "sensitivities":
        varied = loaded("", sensitivities=True)
        found = simulate(varied, span, h=STEP, sensitivities=["m"], **asked)
        assert found.success, found.message
        compare(found["height"][-1])
    elif run == "ensemble":
        simulate_many(system, span, {"m": [1.0]}, h=STEP, **asked)
    elif control == "backward":
        simulate_by_groups(load_groups(PLAIN.make()), span, STEP)
    else:
        order = Request((0, END), STEP, "trapezoidal", "matrix-r", None, {}, {})
        check_solver("groups", order, None, asked, [])


def _run_and_feature(run: str, feature: str, **options: Any) -> None:
    if run in _RUNS:
        _RUNS[run](choose(*_USUAL.get(run, ("rk4",))), feature, **options)
        return
    kernels = IMPLIED.get(run, {}).get("kernels")
    wanted = {str(kernels): True} if kernels else {}
    _ANALYSES[run](loaded(feature, **wanted, **options))


def _inputs(system: System) -> object:
    drivers = [name.partition("[")[0] for name in system.names.outputs if name.endswith("]")]
    first = system.names.multipliers[0].partition("[")[0] if len(system.data.driven) else None
    return linearise(system, inputs=[first or (drivers or [system.names.rows[0]])[0]])


def _modes(system: System) -> None:
    """Find the modes about the equilibrium."""
    before = system.q0.copy()
    settle(system)
    try:
        modes(system)
    finally:
        system.q0[:] = before


def _given(system: System) -> dict[str, Law]:
    """Let as many coordinates stay where they are as there are degrees of freedom."""
    q = assemble(system).q
    moves = null_space(system.jacobian(0.0, q).toarray())
    _, _, order = qr(moves.T, pivoting=True)
    held = order[: moves.shape[1]].tolist()
    return {system.names.coordinates[k]: lambda t, x=float(q[k]): (x, 0.0, 0.0) for k in held}


_ANALYSES: Mapping[str, Callable[[System], object]] = {
    "statics": statics,
    "linear model": linearise,
    "modes": _modes,
    "kinematics": lambda system: kinematics(system, [0.0, 0.01], _given(system)),
    "inverse dynamics": lambda system: inverse_dynamics(system, [0.0, 0.01], _given(system)),
    "mobility": mobility,
    "linear model with drivers as inputs": _inputs,
    "sensitivities of states": lambda system: equilibrium_sensitivities(
        system, statics(system).state, [*system.parameters][:1]
    ),
}


def _run_and_coordinates(run: str, coordinates: str) -> None:
    _run_and_feature(run, "", **COORDINATES[coordinates])


def _run_and_constraints(run: str, constraints: str) -> None:
    _run_and_feature(run, _LINEAR, **CONSTRAINTS[constraints])


def _scheme_and_backend(scheme: str, backend: str) -> None:
    if backend != JAVASCRIPT:
        _run(_scheme(scheme), backend=backend)
        return
    method, _, formulation = scheme.partition(" + ")
    _in_javascript("", method=method, **({"formulation": formulation} if formulation else {}))


def _run_and_backend(run: str, backend: str) -> None:
    if (run, backend) == ("single", JAVASCRIPT):
        _in_javascript("")
    else:
        _run_and_feature(run, "", backend=backend)


def _control_and_backend(control: str, backend: str) -> None:
    if backend != JAVASCRIPT:
        _controlled(choose("newmark"), control, backend)
    elif control == "backward":
        _in_javascript("", span=(0, -END))
    else:
        _in_javascript("", **{control: 1e-5})


def _in_javascript(
    feature: str,
    built: Mapping[str, Any] | None = None,
    span: tuple[float, float] = (0, END),
    **options: Any,
) -> None:
    """Write a model as JavaScript, simulate it in Node, and compare its end."""
    example = _example(feature)
    with tempfile.TemporaryDirectory() as folder:
        given = {**example.options, **(built or {})}
        module = str(build(example.make(), Path(folder), backend=JAVASCRIPT, **given))
        asked = {"span": span, "options": {"h": STEP, **options}, "name": "height"}
        (height,) = evaluate([{"task": "series", "module": module, **asked}])
    if isinstance(height, dict):
        raise JavaScriptRefused(height["thrown"].partition(": ")[2])
    compare(height[-1], feature)


def _built(example: Example, backend: str = "numba", **options: Any) -> None:
    """Derive, lower and print: what a build refuses is refused there."""
    given = {**example.options, **options}
    model = read(example.make(), {}, given.pop("coordinates", None))
    specs = specify(model)
    chosen = BuildOptions(backend, **given)
    system = lower_model(model, specs, derive_types(specs, "sympy"), chosen)
    check_backend_limits(find_backend(backend), system)


JAVASCRIPT = "js"
_OPTIONS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "coordinates": lambda name: COORDINATES[name],
    "constraints": lambda name: CONSTRAINTS[name],
    "steps": lambda name: {"backend": "c", "reduced": True} if name == "reduced" else {},
    "layout": lambda name: {"layout": name},
    "kernels": lambda name: {name: True},
    "backend": lambda name: {"backend": name},
}


def _options(**chosen: str) -> dict[str, Any]:
    """Return options of a build, with the backend c where none is chosen and it can."""
    loops = chosen.get("coordinates") == "relative" and chosen.get("layout") == "loop"
    numba = loops or chosen.get("feature") == "crowds"
    given: dict[str, Any] = {"backend": "numba" if numba else "c"}
    for axis in chosen.keys() & _OPTIONS.keys() - {"backend"}:
        given |= _OPTIONS[axis](chosen[axis])
    return given | ({"backend": chosen["backend"]} if "backend" in chosen else {})


def _feature(**chosen: str) -> str:
    linear = _LINEAR if chosen.get("constraints") == "eliminated" else ""
    return chosen.get("feature", linear)


def built(cell: Cell) -> None:
    """Only build what a cell of two options of a build combines."""
    chosen = dict(zip(cell.axes, cell.values, strict=True))
    _built(_example(_feature(**chosen)), **_options(**chosen))


def _build_and_run(**chosen: str) -> None:
    feature, options = _feature(**chosen), _options(**chosen)
    if options["backend"] == JAVASCRIPT:
        del options["backend"]
        _in_javascript(feature, options, method="rk4")
    else:
        _run(choose("rk4"), feature, **options)


_ACTIONS: Mapping[tuple[str, str], Callable[..., None]] = {
    ("method", "formulation"): _method_and_formulation,
    ("method", "projection"): _method_and_projection,
    ("formulation", "projection"): _formulation_and_projection,
    ("scheme", "feature"): _scheme_and_feature,
    ("scheme", "run"): _scheme_and_run,
    ("scheme", "control"): _scheme_and_control,
    ("run", "control"): _run_and_control,
    ("run", "feature"): _run_and_feature,
    ("run", "coordinates"): _run_and_coordinates,
    ("run", "constraints"): _run_and_constraints,
    ("scheme", "backend"): _scheme_and_backend,
    ("run", "backend"): _run_and_backend,
    ("control", "backend"): _control_and_backend,
}


def action(cell: Cell) -> Callable[..., None]:
    """Return what does a cell."""
    return _ACTIONS.get(cell.axes, _build_and_run)

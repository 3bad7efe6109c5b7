"""Kinds of runs (single, ensemble, sensitivities, groups) and their limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mbdgen.limits import Limit, is_one_of

if TYPE_CHECKING:
    from mbdgen.runtime.methods.scheme import Scheme

SINGLE, ENSEMBLE, SENSITIVITIES, GROUPS = "single", "ensemble", "sensitivities", "groups"
SIMULATIONS = (SINGLE, ENSEMBLE, SENSITIVITIES, GROUPS)
"""simulate, simulate_many, simulate with sensitivities, and simulate_by_groups."""
OF_STATES = "sensitivities of states"
CONTROLS = ("rtol", "events", "start", "callback", "backward")
"""Further requests of a run: arguments of simulate, and integration backward in time."""
GROUP_METHODS, GROUP_FORMULATIONS = ("trapezoidal", "rk4"), ("matrix-r", "penalty")
"""Methods and formulations of structural groups; the first of each is the default."""


def controls_of(given: Mapping[str, object], span: tuple[float, float]) -> list[str]:
    """Return which of `CONTROLS` are requested by arguments that are not None, and by the span."""
    named = ["rtol" if name == "atol" else name for name, x in given.items() if x is not None]
    backward = ["backward"] if span[1] < span[0] else []
    return [name for name in CONTROLS if name in (*named, *backward)]


def methods_with_sensitivities() -> list[str]:
    """Return the names of the methods that have steps with sensitivities."""
    from mbdgen.runtime import integrators

    return [name for name in integrators.known() if integrators.method(name).varied_step]


def _sensitive_methods(run: str, scheme: "Scheme") -> str:
    able = ", ".join(methods_with_sensitivities())
    return f"These have, with their usual treatment of the constraints: {able}."


def _served_by_groups(scheme: "Scheme") -> bool:
    named = scheme.formulation.name if scheme.formulation is not None else ""
    return scheme.method.name in GROUP_METHODS and named in GROUP_FORMULATIONS


RUN_SCHEME_LIMITS = (
    Limit(
        ("run", "scheme"),
        lambda run, scheme: run == ENSEMBLE and scheme.formulation is not None,
        "missing",
        "Ensembles run the steps that methods have by themselves, not '{scheme.name}'.",
        "Take a method with a step of its own, or run simulate in a loop.",
    ),
    Limit(
        ("run", "scheme"),
        lambda run, scheme: run == SENSITIVITIES and not scheme.method.varied_step,
        "missing",
        "Method '{scheme.method.name}' has no sensitivities.",
        _sensitive_methods,
    ),
    Limit(
        ("run", "scheme"),
        lambda run, scheme: run == SENSITIVITIES and scheme.formulation is not None,
        "missing",
        "Method '{scheme.method.name}' with a formulation or projection of its own has no "
        "sensitivities.",
        _sensitive_methods,
    ),
    Limit(
        ("run", "scheme"),
        lambda run, scheme: run == GROUPS and not _served_by_groups(scheme),
        "missing",
        "Structural groups do not support method '{scheme.method.name}' with '{scheme.text}'.",
        f"Choose --method {' or '.join(GROUP_METHODS)} and --formulation "
        f"{' or '.join(GROUP_FORMULATIONS)}, or --solver global.",
    ),
)
SCHEME_CONTROL_LIMITS = (
    Limit(
        ("scheme", "control"),
        lambda scheme, control: control == "rtol" and not scheme.method.varies,
        "missing",
        "Method '{scheme.method.name}' has steps of one length and takes no rtol or atol.",
        "Choose h instead, or another method (mbdgen methods).",
    ),
    Limit(
        ("scheme", "control"),
        lambda scheme, control: control == "backward" and not scheme.method.backward,
        "missing",
        "Method '{scheme.method.name}' cannot go back in time.",
        lambda scheme, control: f"These can: {', '.join(_methods_that_go_back())}.",
    ),
    Limit(
        ("scheme", "control"),
        lambda scheme, control: control == "backward" and scheme.damps_constraint_errors,
        "theory",
        "With formulation '{scheme.formulation.name}' constraint errors decay forward in time, and "
        "grow without bound backward in time.",
        "Choose another formulation, such as index1, or add a projection.",
    ),
)
RUN_CONTROL_LIMITS = (
    Limit(
        ("run", "control"),
        lambda run, control: run == SENSITIVITIES and control in ("rtol", "events", "start"),
        "missing",
        "Sensitivities and {control} do not go together: steps and their end would depend on what "
        "is varied, or the beginning would not.",
        "Leave {control} away; steps are of equal length then.",
    ),
    Limit(
        ("run", "control"),
        is_one_of(ENSEMBLE, *CONTROLS),
        "missing",
        "Ensembles take no {control}: their members make steps of one length to the same end.",
        "Leave {control} away, or run simulate in a loop.",
    ),
    Limit(
        ("run", "control"),
        is_one_of(GROUPS, *CONTROLS),
        "missing",
        "Structural groups take no {control}: they make steps of one length, without events and "
        "checkpoints.",
        "Leave {control} away, or take the global solver.",
    ),
)


def _methods_that_go_back() -> list[str]:
    from mbdgen.runtime import integrators

    return [name for name in integrators.known() if integrators.method(name).backward]


def _refused(run: str, feature: str, cause: str, remedy: str) -> Limit:
    return Limit(("run",), is_one_of(run), "missing", cause, remedy, feature)


_OR_GLOBAL = "Use the global solver, or give the friction a load that is a number."
GROUP_LIMITS = (
    _refused(
        GROUPS,
        "crowds",
        "Contacts of {model} find their pairs while they run, so that structural groups do not "
        "know them.",
        "Leave out --solver groups, or name single contacts of two bodies.",
    ),
    _refused(
        GROUPS,
        "contacts",
        "{model} has contacts, which a solver by groups cannot open and close.",
        "Leave out --solver groups.",
    ),
)
"""Limits of everything that structural groups are compiled for."""
RUN_LIMITS = (
    *GROUP_LIMITS,
    Limit(
        ("run",),
        is_one_of(SENSITIVITIES, OF_STATES),
        "missing",
        "Forces of {model} depend on reactions (friction of joints), so its motion has no "
        "sensitivities.",
        "Give the friction a load of its own (load=...), or take differences of two runs.",
        "reactions",
    ),
    Limit(
        ("run",),
        is_one_of(OF_STATES),
        "theory",
        "Equilibria of {model} are not isolated: {names} constrains velocities, and leaves it "
        "indifferent where it rests.",
        "Vary the motion instead: simulate(sensitivities=...).",
        "rolling",
    ),
    _refused(
        SENSITIVITIES,
        "contacts",
        "{model} has contacts, which a run with sensitivities cannot open and close.",
        "Take differences of two runs with rtol=1e-9.",
    ),
    _refused(
        GROUPS,
        "reactions",
        "Forces of {model} depend on reactions (friction of joints), which structural groups "
        "eliminate.",
        _OR_GLOBAL,
    ),
    _refused(
        GROUPS,
        "displacements",
        "Structural groups cannot move {names}.",
        "Give the bodies planar, natural or quaternion coordinates, or take the global solver.",
    ),
)

"""Compatibility of methods, formulations, projections and models: limits and their reasons.

Methods and formulations declare their capabilities as attributes; the limits follow from them.
"""

from typing import TYPE_CHECKING

from mbdgen.limits import Limit

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.integrators.base import Method
    from mbdgen.runtime.methods.scheme import Scheme
    from mbdgen.runtime.projections.base import Projector


def _imposes_no_accelerations(formulation: "Formulation") -> bool:
    values = tuple(option.default for option in formulation.options)
    return formulation.slope is None and formulation.imposed_level(values) != "acceleration"


def _no_slope(method: "Method", formulation: "Formulation") -> bool:
    return method.needs in ("slope", "jerk") and formulation.slope is None


def _unsolved(method: "Method", formulation: "Formulation") -> bool:
    further = formulation.begin is not None and not method.relates_z
    return method.needs == "solve" and (formulation.solve is None or further)


def _works_with(method: "Method", formulation: "Formulation") -> str:
    from mbdgen.runtime.methods.scheme import formulations_for

    return f"'{method.name}' works with: {', '.join(f.name for f in formulations_for(method))}."


def _own_treatment(axis: str) -> tuple[Limit, Limit]:
    """Return the limits of methods that accept no formulation, or no projection."""
    cause = (
        "Method '{method.name}' brings its own treatment of the constraints "
        f"({{method.formulation}}) and takes no '{{{axis}.name}}'."
    )
    remedy = "Leave formulation and projection away, or choose another method."

    def states_constraints(method: "Method", part: object) -> bool:
        return method.needs == "nothing"

    def has_no_general_step(method: "Method", part: object) -> bool:
        return not method.general

    axes = ("method", axis)
    return (
        Limit(axes, states_constraints, "theory", cause, remedy),
        Limit(axes, has_no_general_step, "missing", cause, remedy),
    )


FORMULATION_LIMITS = (
    *_own_treatment("formulation"),
    Limit(
        ("method", "formulation"),
        lambda method, formulation: (
            _no_slope(method, formulation) and _imposes_no_accelerations(formulation)
        ),
        "theory",
        "Formulation '{formulation.name}' does not constrain accelerations, so there are no "
        "explicit ones, which method '{method.name}' needs.",
        _works_with,
    ),
    Limit(
        ("method", "formulation"),
        _no_slope,
        "missing",
        "Formulation '{formulation.name}' has no explicit accelerations, which method "
        "'{method.name}' needs.",
        _works_with,
    ),
    Limit(
        ("method", "formulation"),
        lambda method, formulation: method.needs == "jerk" and not formulation.is_levels,
        "missing",
        "Formulation '{formulation.name}' gives no rates of accelerations, which method "
        "'{method.name}' needs.",
        _works_with,
    ),
    Limit(
        ("method", "formulation"),
        _unsolved,
        "missing",
        "Formulation '{formulation.name}' cannot be solved with the implicit relation of method "
        "'{method.name}'.",
        _works_with,
    ),
    Limit(
        ("method", "formulation"),
        lambda method, formulation: method.needs == "stages" and not formulation.is_levels,
        "missing",
        "Formulation '{formulation.name}' is more than weights of constraint levels, which method "
        "'{method.name}' needs.",
        _works_with,
    ),
)


def _needs_whole(formulation: "Formulation", projection: "Projector") -> bool:
    return not formulation.whole and projection.name != "none"


PROJECTION_LIMITS = (
    *_own_treatment("projection"),
    Limit(
        ("formulation", "projection"),
        _needs_whole,
        "missing",
        "Formulation '{formulation.name}' has no matrix of the whole mechanism, which the "
        "projection '{projection.name}' needs.",
        "Leave projection away, or choose another formulation.",
    ),
)


def _closes_positions(scheme: "Scheme") -> bool:
    return scheme.alone and not scheme.method.velocities


def _closes_velocities(scheme: "Scheme") -> str:
    takes = scheme.method.needs != "nothing"
    first = f"Give '{scheme.method.name}' a formulation (index1), or take" if takes else "Take"
    return f"{first} newmark, generalized-alpha, rk4, dopri5, radau, bdf or dimcd."


def _finds_no_reactions(scheme: "Scheme") -> bool:
    """Whether a scheme needs the forces before it solves for the reactions.

    Steps with Lagrange multipliers of their own solve for both simultaneously, and so do
    formulations that solve all equations at once, in implicit relations and at a given state.
    Eliminations, penalty formulations and steps that state the constraints themselves do not.
    """
    if scheme.formulation is None:
        return scheme.method.step is None
    return scheme.method.needs not in ("slope", "solve") or not scheme.formulation.is_levels


def _finds_reactions(scheme: "Scheme") -> str:
    from mbdgen.runtime.methods.scheme import formulations_for

    method, remedy = scheme.method, f"Use {', '.join(_own_steps())} as they are."
    if method.needs in ("slope", "solve"):
        names = [f.name for f in formulations_for(method) if f.is_levels]
        remedy += f" '{method.name}' works with formulation {', '.join(names)}." if names else ""
    return remedy


def _own_steps() -> list[str]:
    from mbdgen.runtime import integrators

    return [n for n in integrators.known() if integrators.method(n).step is not None]


def _needs_tangent(scheme: "Scheme") -> bool:
    """Whether a scheme needs the tangent: the derivatives of forces by positions, velocities."""
    method = scheme.method
    if scheme.formulation is None:
        return tuple(method.tangent_weights(1e-3, scheme.numbers)) != (0.0, 0.0, 1.0)
    return method.needs not in ("slope", "jerk") or bool(scheme.step_alone)


PAIRS_UNKNOWN = (
    "Take an explicit method (rk4, heun, central-difference with formulation='blocks'), or "
    "name single contacts of two bodies."
)
"""Remedy for contacts among many bodies, which have no tangent."""
_PAIRS = "Contacts of {model} find their pairs while they run, so that "
TANGENT_LIMITS = (
    Limit(
        (),
        lambda: True,
        "missing",
        f"{_PAIRS}there is no tangent of stiffness and damping.",
        PAIRS_UNKNOWN,
        "crowds",
    ),
)
"""Limits of analyses that need derivatives of forces."""
_DEPENDENT = (
    "Method '{scheme.method.name}' with '{scheme.text}' wants independent constraints: {names}."
)
_TOO_MANY = "; or remove the equations that are too many."


def _redundant_formulations(scheme: "Scheme") -> str:
    from mbdgen.runtime.methods.scheme import formulations_for

    able = [f.name for f in formulations_for(scheme.method) if f.redundant]
    return f"Take one of: {', '.join(able)}{_TOO_MANY}"


def _solves_stages(scheme: "Scheme") -> bool:
    return scheme.method.needs == "stages" and scheme.formulation is not None


def _regular_formulations(scheme: "Scheme") -> str:
    from mbdgen.runtime.methods.scheme import formulations_for

    able = ", ".join(f.name for f in formulations_for(scheme.method) if f.massless)
    return (
        "Give every body mass and inertia in all directions, take an implicit method, or one of "
        f"these formulations: {able}."
    )


MASS_LIMITS = (
    Limit(
        ("scheme",),
        lambda scheme: (
            scheme.formulation is not None
            and not scheme.formulation.massless
            and scheme.method.needs == "slope"
        ),
        "theory",
        "The mass matrix of {model} is singular, but formulation '{scheme.text}' needs a regular "
        "one with method '{scheme.method.name}'.",
        _regular_formulations,
        "massless",
    ),
)
"""Limits of time integration with a singular mass matrix."""
SCHEME_LIMITS = (
    Limit(
        ("scheme",),
        _closes_positions,
        "missing",
        "Method '{scheme.method.name}' closes positions, but {names} constrains velocities.",
        _closes_velocities,
        "rolling",
    ),
    Limit(
        ("scheme",),
        _finds_no_reactions,
        "missing",
        "Forces of {model} depend on reactions (friction of joints), which {scheme.method.name} "
        "with {scheme.text} cannot find.",
        _finds_reactions,
        "reactions",
    ),
    Limit(
        ("scheme",),
        lambda scheme: scheme.formulation is not None and not scheme.formulation.timed,
        "missing",
        "Drivers of {model} have been eliminated, so that its reactions point where the time says: "
        "formulation '{scheme.formulation.name}' does not know such ones.",
        "Leave out eliminate (--eliminate), or take another formulation.",
        "eliminated-drivers",
    ),
    Limit(
        ("scheme",),
        lambda scheme: scheme.method.library,
        "missing",
        "{model} has contacts, which the library's method '{scheme.method.name}' cannot open and "
        "close.",
        "Choose a method of mbdgen, such as 'rk4' or 'newmark', with rtol= or h=.",
        "contacts",
    ),
    Limit(
        ("scheme",),
        _needs_tangent,
        "missing",
        f"{_PAIRS}the implicit method '{{scheme.method.name}}' has no tangent.",
        PAIRS_UNKNOWN,
        "crowds",
    ),
    Limit(
        ("scheme",),
        lambda scheme: scheme.formulation is not None and not scheme.formulation.whole,
        "missing",
        _DEPENDENT,
        f"Take another formulation, such as nullspace-qr{_TOO_MANY}",
        "redundant",
    ),
    Limit(
        ("scheme",),
        lambda scheme: _solves_stages(scheme) and not scheme.method.redundant,
        "missing",
        _DEPENDENT,
        f"Take another method, such as newmark or cvode{_TOO_MANY}",
        "redundant",
    ),
    Limit(
        ("scheme",),
        lambda scheme: _solves_stages(scheme) and not scheme.formulation.redundant,
        "missing",
        _DEPENDENT,
        _redundant_formulations,
        "redundant",
    ),
)

"""Capability limits of coordinates, layouts and optional kernels of modules."""

from collections.abc import Mapping, Sequence

from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.interface import DISPLACEMENTS
from mbdgen.language.model import Model
from mbdgen.limits import Facts, Limit, is_one_of, quoted, require
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.lower.layout import LayoutLimits
from mbdgen.topology.elements import ElementSpec

BODIES, RELATIVE = COORDINATES = ("bodies", "relative")
"""Coordinates: absolute, of the bodies, or relative, of joints."""
KEPT, ELIMINATED = CONSTRAINTS = ("kept", "eliminated")
"""Whether the coordinates that linear constraints determine are eliminated with them."""
USUAL, REDUCED = STEPS = ("usual", "reduced")
"""Whether fused steps eliminate the coordinates that a joint gives explicitly."""
LOOP, FLAT = LAYOUTS = ("loop", "flat")
SECOND, VARIATIONS = KERNELS = ("second", "sensitivities")
"""Optional kernels of a module: second derivatives, variations (sensitivities)."""


def _no_relative(axes: tuple[str, ...], others: str, obstacle: str, feature: str = "") -> Limit:
    values = [RELATIVE, others] if others else [RELATIVE]
    cause = f"The mechanism {{model}} has no relative coordinates: {obstacle}."
    remedy = "Use the coordinates of its bodies: leave coordinates='relative' (--coordinates) away."
    return Limit(axes, is_one_of(*values), "missing", cause, remedy, feature)


def _not_eliminated(axes: tuple[str, ...], others: str, obstacle: str, feature: str = "") -> Limit:
    values = [ELIMINATED, others] if others else [ELIMINATED]
    cause = f"Linear constraints of {{model}} cannot be eliminated: {obstacle}."
    remedy = "Leave out eliminate, or what stands against it."
    return Limit(axes, is_one_of(*values), "missing", cause, remedy, feature)


def _not_reduced(obstacle: str, remedy: str, feature: str) -> Limit:
    cause = f"The mechanism {{model}} cannot be reduced: {obstacle}."
    return Limit(("steps",), is_one_of(REDUCED), "missing", cause, remedy, feature)


def _without_pairs(axis: str, value: str, what: str) -> Limit:
    """Return the limit of an option that needs all contact pairs at build time."""
    cause = (
        "The contacts {names} of {model} find their pairs while they run, for which there is no "
        f"such thing as {what}."
    )
    remedy = "Leave that away, or name single contacts of two bodies."
    return Limit((axis,), is_one_of(value), "missing", cause, remedy, "crowds")


BUILD_LIMITS = (
    _without_pairs("coordinates", RELATIVE, "coordinates of joints"),
    _without_pairs("layout", FLAT, "the layout flat"),
    _without_pairs("steps", REDUCED, "a reduced system"),
    _without_pairs("constraints", ELIMINATED, "an elimination of constraints"),
    _without_pairs("kernels", SECOND, "a module with second derivatives"),
    _without_pairs("kernels", VARIATIONS, "a module with sensitivities"),
    _no_relative(("coordinates",), "", "{names} constrains velocities (rolling)", "rolling"),
    _no_relative(("coordinates",), "", "{names} is described by no quaternion", "displacements"),
    _no_relative(
        ("coordinates",),
        "",
        "force {names} depends on reactions, which they leave out",
        "reactions",
    ),
    _no_relative(("coordinates",), "", "bodies {names} share points or vectors", "shared"),
    _no_relative(("coordinates", "kernels"), VARIATIONS, "they have no sensitivities"),
    _not_eliminated(("constraints", "layout"), LOOP, "it is done in straight lines, not in loops"),
    _not_eliminated(("constraints",), "", "{names} depends on reactions", "reactions"),
    _not_eliminated(("constraints",), "", "{names} is described by no quaternion", "displacements"),
    _not_eliminated(("constraints", "kernels"), VARIATIONS, "there would be no sensitivities"),
    _not_eliminated(("constraints", "steps"), REDUCED, "reduced leaves out other coordinates"),
    Limit(
        ("coordinates", "constraints"),
        is_one_of(RELATIVE, ELIMINATED),
        "missing",
        "{model} has coordinates of joints, from which no linear constraints are eliminated.",
        "Leave out eliminate, or coordinates='relative'.",
    ),
    Limit(
        ("coordinates", "layout", "backend"),
        lambda coordinates, layout, backend: (
            (coordinates, layout) == (RELATIVE, LOOP) and not backend.recursive
        ),
        "missing",
        "The mechanism {model} has no loops in relative coordinates: the backend {backend.name} "
        "has none.",
        "Choose the layout flat, the backend numba, or other coordinates.",
    ),
    Limit(
        ("coordinates", "layout", "kernels"),
        is_one_of(RELATIVE, LOOP, SECOND),
        "missing",
        "The mechanism {model} has no loops in relative coordinates: they have no second "
        "derivatives.",
        "Choose the layout flat, or other coordinates.",
    ),
    _not_reduced(
        "{names} constrains velocities",
        "Leave out reduced: fused kernels know such joints, reduced ones do not.",
        "rolling",
    ),
    Limit(
        ("coordinates", "steps"),
        is_one_of(RELATIVE, REDUCED),
        "missing",
        "The mechanism {model} cannot be reduced: it has coordinates of joints already, of which "
        "none is left out.",
        "Leave out reduced, or coordinates='relative'.",
    ),
    _not_reduced("forces {names} depend on reactions", "Leave out reduced.", "reactions"),
    Limit(
        ("steps", "backend"),
        lambda steps, backend: steps == REDUCED and not backend.fuses,
        "missing",
        "The mechanism {model} cannot be reduced: the backend {backend.name} has no fused kernels.",
        "Use the backend c.",
    ),
    Limit(
        ("steps", "layout"),
        is_one_of(REDUCED, LOOP),
        "missing",
        "The mechanism {model} cannot be reduced: that needs the layout flat, not loop.",
        "Choose it.",
    ),
)


def check_build_limits(
    model: Model,
    specs: Sequence[ElementSpec],
    irs: Mapping[str, ElementIR],
    options: BuildOptions,
    limits: LayoutLimits,
    relative: bool,
) -> None:
    """Raise an error for options that cannot be built for a model.

    Raises
    ------
    BuildError
        Naming the obstacle.
    """
    way: dict[str, object] = {
        "coordinates": RELATIVE if relative else BODIES,
        "constraints": ELIMINATED if options.eliminate else KEPT,
        "steps": REDUCED if options.reduced else USUAL,
        "layout": options.layout,
        "backend": limits,
    }
    wanted = [name for name in KERNELS if getattr(options, name)]
    facts = facts_of(model, specs, irs)
    for kernels in wanted or [""]:
        require(BUILD_LIMITS, facts, BuildError, **way, kernels=kernels)


def facts_of(model: Model, specs: Sequence[ElementSpec], irs: Mapping[str, ElementIR]) -> Facts:
    """Return the features of a model that limit build options."""
    parts = [(spec.name, spec.role, irs[spec.key]) for spec in specs]
    rolling = [name for name, _, ir in parts if ir.n_velocity]
    reading = [name for name, role, ir in parts if role == "force" and ir.reads]
    turned = [name for name, _, ir in parts if ir.entries(DISPLACEMENTS)]
    kinds = {name: body.kind.name for name, body in model.bodies.items() if body.kind is not None}
    others = [f"body '{name}' with coordinates '{kinds[name]}'" for name in turned]
    shared = sorted({end[0] for pair in model.shared for end in (pair.a, pair.b)})
    return Facts.of(
        model.name,
        [
            ("crowds", bool(model.crowds), quoted(model.crowds)),
            ("rolling", bool(rolling), quoted(rolling)),
            ("displacements", bool(turned), others),
            ("reactions", bool(reading), quoted(reading)),
            ("shared", bool(shared), quoted(shared)),
        ],
    )

"""Option ``--solver`` of ``run`` and ``kinematics``: global solver or structural groups."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from mbdgen.cli.command_options import Request, described
from mbdgen.errors import OptionError
from mbdgen.limits import require
from mbdgen.runtime.methods.run_limits import (
    GROUP_FORMULATIONS,
    GROUP_METHODS,
    GROUPS,
    RUN_CONTROL_LIMITS,
    RUN_LIMITS,
    RUN_SCHEME_LIMITS,
    controls_of,
)

if TYPE_CHECKING:
    from mbdgen.runtime.groups.grouped_system import GroupedSystem
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.system.system import System

SOLVERS = ("global", "groups", "auto")
OPTIONS = ("tolerance", "penalty", "omega", "xi")


def served(method: str, formulation: str | None, chosen: bool) -> tuple[str, str | None]:
    """Return method and formulation of a run by groups, with defaults for what the user left open.

    Parameters
    ----------
    method, formulation : str
        Choices of a run with the global solver.
    chosen : bool
        Whether the user chose the method.
    """
    taken = method if chosen or method in GROUP_METHODS else GROUP_METHODS[0]
    by = formulation
    if by is None or (not chosen and by not in GROUP_FORMULATIONS):
        by = GROUP_FORMULATIONS[0] if taken in GROUP_METHODS else formulation
    if (taken, by) != (method, formulation):
        typer.echo(f"--solver groups: method {taken} with formulation {by}", err=True)
    return taken, by


def check_solver(
    solver: str,
    asked: Request,
    given: Sequence[str] | None,
    controls: Mapping[str, object],
    others: Sequence[object],
) -> None:
    """Refuse unknown solvers and unsupported options of a solver.

    Parameters
    ----------
    controls : mapping
        By names of `mbdgen.runtime.methods.run_limits.CONTROLS`; None if not requested.
    others : sequence
        --projection and --record-every.
    """
    check_solver_name(solver)
    if given and solver == "global":
        raise OptionError(
            "--input names coordinates for structural groups only.", "Add --solver groups."
        )
    if solver != "groups":
        return
    from mbdgen.runtime.methods.scheme import choose

    scheme = choose(asked.method, asked.formulation)
    require(RUN_SCHEME_LIMITS, run=GROUPS, scheme=scheme)
    for control in controls_of(controls, (0.0, 0.0)):
        require(RUN_CONTROL_LIMITS, run=GROUPS, control=control)
    if any(other for other in others):
        raise OptionError(
            "--solver groups records every step and has no projection.",
            "Omit --projection and --record-every.",
        )


def check_solver_name(solver: str) -> None:
    """Refuse unknown solvers."""
    if solver not in SOLVERS:
        raise OptionError(f"There is no solver {solver!r}.", f"Use one of: {', '.join(SOLVERS)}.")


def groups_of_drivers(
    solver: str, model: str, system: "System", arguments: Mapping[str, Any]
) -> "GroupedSystem | None":
    """Return compiled groups whose motion the drivers prescribe, or None for the global solver."""
    if solver == "global":
        return None
    from mbdgen.grouping.group_loading import compile_groups, groups_pay

    if solver == "auto":
        try:
            if not groups_pay(system, []):
                return None
        except (
            OptionError
        ):  # drivers that do not fit; the global solver reports them without groups
            return None
    return compile_groups(described(model, arguments), system, [])


def groups_of(
    solver: str,
    model: str,
    system: "System",
    asked: Request,
    given: Sequence[str] | None,
    arguments: Mapping[str, Any],
    engine: str,
) -> "GroupedSystem | None":
    """Return compiled groups if requested, or if they are faster; None for the global solver."""
    fits = asked.method in GROUP_METHODS and asked.formulation in GROUP_FORMULATIONS
    if solver == "global" or (solver == "auto" and not fits):
        return None
    from mbdgen.grouping.group_loading import compile_groups, groups_pay
    from mbdgen.runtime.system.system_features import features_of

    model_described = described(model, arguments)
    if solver == "auto" and not groups_pay(system, given):
        return None
    require(RUN_LIMITS, features_of(system), run=GROUPS)
    return compile_groups(model_described, system, given, engine)


def run_by_groups(
    grouped: "GroupedSystem", asked: Request, instants: Sequence[float] | None = None
) -> "Result":
    """Simulate by groups, and record every step or some instants."""
    from mbdgen.runtime.groups.group_simulation import Options, simulate_by_groups

    unknown = [name for name in asked.scheme_options if name not in OPTIONS]
    if unknown:
        raise OptionError(
            f"The solver by groups has no option '{unknown[0]}'.",
            f"Its options are: {', '.join(OPTIONS)}.",
        )
    values: dict[str, Any] = {k: float(value) for k, value in asked.scheme_options.items()}
    options = Options(method=asked.method, formulation=str(asked.formulation), **values)
    return simulate_by_groups(grouped, asked.span, asked.h, options, instants)

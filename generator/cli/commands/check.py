"""``mbdgen check``: validation and initial assembly of a model."""

from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging

if TYPE_CHECKING:
    from mbdgen.language.model import Model
    from mbdgen.runtime.system.run_workspace import State
    from mbdgen.runtime.system.system import System

LISTED = 20
"""Largest number of rows of a table."""
METHOD, STEP = "newmark", 1e-3
"""Defaults of a run; used to factorise the iteration matrix of a first step."""


def check(
    model: command_options.Model,
    t: command_options.Instant = 0.0,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Parameter of the model; repeatable."),
    ] = None,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    engine: command_options.Engine = "sympy",
    verbose: command_options.Verbose = 0,
) -> None:
    """Validate a model: degrees of freedom, redundancy, initial residuals, assembly."""
    set_up_logging(verbose)
    arguments = command_options.model_arguments(o, coordinates)
    values = command_options.numbers(parameters, "--set")

    from mbdgen.compiler import load
    from mbdgen.runtime.initialisation.assembly import assemble
    from mbdgen.runtime.initialisation.constraint_diagnosis import check_motion, diagnose
    from mbdgen.runtime.initialisation.initial_correction import doubtful_start

    described = command_options.described(model, arguments)
    typer.echo(_overview(described))
    if described.joint_coordinates:
        typer.echo(_tree(described, engine))
    if described.joints:
        typer.echo(_joints(described, engine))
    system = load(described, backend=backend, layout=layout, engine=engine)
    system.set(**values)
    typer.echo("\nResiduals of the initial values as given, by joint or body:")
    typer.echo(_residuals(system, t, None))
    state = assemble(system, t)
    typer.echo(f"\nAssembled at t = {t:g} s: {_moved(system, state)}.")
    for text in doubtful_start(system, t, state.q, state.v):
        typer.echo(f"warning: {text}")
    typer.echo(_residuals(system, t, state))
    found = diagnose(system, t, state.q)
    typer.echo("")
    rows = [
        ("coordinates", f"{found.n_q}"),
        ("constraint equations", f"{found.n_phi}"),
        ("DOF by counting (Gruebler)", f"{found.count}"),
        ("rank of the constraints", f"{found.rank}"),
        ("redundant equations", f"{found.redundant}"),
        ("degrees of freedom", f"{found.dof}" + (", driven" if found.driven else "")),
    ]
    if found.locked:
        rows.append(("independent positions", f"{found.position_dof}"))
    from mbdgen.view.plain_text import aligned

    typer.echo(aligned(rows))
    for message in found.messages(t):
        typer.echo(f"redundant: {message}")
    kinetic, potential, _ = system.energies(t, state.q, state.v, state.a, state.lam)
    typer.echo(f"energy: kinetic {kinetic:.6g} J, potential {potential:.6g} J")
    check_motion(system, found)
    _check_finite(system, state)
    _check_factors(system, state, described)
    typer.echo(f"'{described.name}' is sound.")


def _check_finite(system: "System", state: "State") -> None:
    """Refuse a model with energies or outputs that are not finite in the initial state."""
    import numpy as np

    from mbdgen.errors import ModelError

    here = float(state.clock[0]), state.q, state.v, state.a, state.lam
    names = ("the kinetic energy", "the potential energy", "the power of loads and drivers")
    values = dict(zip(names, system.energies(*here).tolist(), strict=True))
    outputs = system.named_outputs(*here)
    values |= {f"output '{name}'": value for name, value in outputs.items()}
    bad = [f"{what} is {value:g}" for what, value in values.items() if not np.isfinite(value)]
    if bad:
        raise ModelError(
            f"'{system.data.model}' is not sound at t = {here[0]:g} s: {', '.join(bad[:4])}.",
            "Correct the expression, or begin where it has a value.",
        )


def _check_factors(system: "System", state: "State", model: "Model") -> None:
    """Refuse a model whose first step has a singular iteration matrix, as a run does.

    The mass matrix may be regular although the iteration matrix of a step is singular.
    """
    from mbdgen.runtime.linalg.run_factors import factors_at
    from mbdgen.runtime.methods.scheme import choose_own
    from mbdgen.runtime.system.run_workspace import INDEX_1

    factors_at(system, state, INDEX_1)
    if model.suggested.method in (None, METHOD):
        method, numbers = choose_own(METHOD, {})
        weights = method.tangent_weights(model.suggested.h or STEP, numbers)
        factors_at(system, state, weights)


def _overview(model: "Model") -> str:
    return (
        f"'{model.name}' is valid: {len(model.bodies)} bodies, {len(model.joints)} joints, "
        f"{len(model.forces)} forces, {len(model.parameters)} parameters, "
        f"{len(model.outputs)} outputs."
    )


def _tree(model: "Model", engine: str) -> str:
    """Return the joints whose relative coordinates determine body positions, if there are any."""
    from mbdgen.show.stage_texts import tree_rows
    from mbdgen.stages import derive_types
    from mbdgen.symbolic.statement.verify_joint_moves import joints_with_wrong_moves
    from mbdgen.topology.specify import specify
    from mbdgen.topology.tree import grow, is_relative
    from mbdgen.view.plain_text import aligned

    specs = specify(model)
    if not is_relative(model, specs):
        return "It is not a tree: coordinates are those of the bodies."
    return aligned(
        tree_rows(grow(specs, joints_with_wrong_moves(model, specs, derive_types(specs, engine))))
    )


def _joints(model: "Model", engine: str) -> str:
    """Return the number of constraint equations of every joint."""
    from mbdgen.show.joint_counts import BLOCKED, joint_rows
    from mbdgen.stages import derive_types
    from mbdgen.topology.specify import specify
    from mbdgen.view.plain_text import aligned

    specs = specify(model)
    rows = joint_rows(model, specs, derive_types(specs, engine))
    shown = rows[: LISTED + 1]
    if len(rows) > len(shown):
        shown.append((f"and {len(rows) - len(shown)} more", *[""] * (len(rows[0]) - 1)))
    blocked = any("*" in row[-1] for row in shown)
    return f"\n{aligned(shown, indent=4)}" + (f"\n    {BLOCKED}" if blocked else "")


def _residuals(system: "System", t: float, state: "State | None") -> str:
    """Return the largest ``|phi|, |phi_dot|`` (and ``|phi_ddot|``) of every owner."""
    import numpy as np

    from mbdgen.view.plain_text import aligned

    zero, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    q, v, a = (system.q0, system.v0, zero) if state is None else (state.q, state.v, state.a)
    phi = system.residual(t, q, v, a, lam)
    phi_dot, phi_ddot = system.rates(t, q, v, a)
    levels = [("|phi|", phi), ("|phi_dot|", phi_dot)]
    if state is not None:
        levels.append(("|phi_ddot|", phi_ddot))
    worst: dict[str, list[float]] = {}
    for row in system.work.rows:
        found = worst.setdefault(system.names.row_owners[row], [0.0] * len(levels))
        for k, (_, values) in enumerate(levels):
            size = abs(float(values[row]))
            found[k] = size if np.isnan(size) else max(found[k], size)
    if not worst:
        return "    there are no constraints"
    ranking = sorted(worst.items(), key=lambda item: -np.nan_to_num(max(item[1]), nan=np.inf))
    table = [("", *(name for name, _ in levels))]
    table += [(owner, *(f"{x:.2e}" for x in sizes)) for owner, sizes in ranking[:LISTED]]
    if len(ranking) > LISTED:
        table.append((f"and {len(ranking) - LISTED} more, all smaller", *[""] * len(levels)))
    return aligned(table, indent=4, right=range(1, len(levels) + 1))


def _moved(system: "System", state: "State") -> str:
    """Describe the changes of the initial values by assembly."""
    from mbdgen.runtime.initialisation.initial_correction import corrections

    changes = corrections(system, state.q, state.v)
    parts = [
        f"{'velocity' if name.endswith('.dot') else 'coordinate'} of {name.removesuffix('.dot')} "
        f"changed by {abs(change):.3g}"
        for name, change in changes.items()
    ]
    return "; ".join(parts) if parts else "the initial values were consistent"

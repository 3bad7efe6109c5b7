"""``mbdgen show``: output of the stages of the compiler for a model."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbdgen.cli import command_options
from mbdgen.cli.error_reports import set_up_logging
from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.build_options import BuildOptions
    from mbdgen.language.model import Model
    from mbdgen.runtime.groups.group_decomposition import Decomposition


@dataclass(frozen=True)
class EquationChoice:
    """Selection and format of the equations to show."""

    elements: tuple[str, ...] = ()
    assembled: bool = False
    latex: bool = False


class Stage(StrEnum):
    """Stages of the compiler."""

    READ = "read"
    ANALYSE = "analyse"
    DERIVE = "derive"
    LOWER = "lower"
    EMIT = "emit"


def show(
    model: command_options.Model,
    stage: Annotated[Stage | None, typer.Option(help="Output of one stage.")] = None,
    equations: Annotated[
        bool, typer.Option("--equations", help="Equations that are solved.")
    ] = False,
    element: Annotated[
        list[str] | None,
        typer.Option("--element", help="With --equations: this element only; repeatable."),
    ] = None,
    assembled: Annotated[
        bool, typer.Option("--assembled", help="With --equations: the whole mechanism.")
    ] = False,
    latex: Annotated[
        bool, typer.Option("--latex", help="With --equations: a LaTeX document.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write instead of stdout; --graph draws groups as .svg."),
    ] = None,
    code: Annotated[bool, typer.Option("--code", help="Generated module.")] = False,
    graph: Annotated[
        bool, typer.Option("--graph", help="Tree, Graphviz dot and structural groups.")
    ] = False,
    given: command_options.Inputs = None,
    pattern: Annotated[
        bool, typer.Option("--pattern", help="Sparsity pattern of the iteration matrix.")
    ] = False,
    o: command_options.Arguments = None,
    coordinates: command_options.Coordinates = None,
    backend: command_options.Backend = "numba",
    layout: command_options.Layout = "auto",
    freeze: command_options.Freeze = None,
    engine: command_options.Engine = "sympy",
    reduced: command_options.Reduced = False,
    eliminate: command_options.Eliminate = False,
    second: command_options.Second = False,
    sensitivities: command_options.Sensitivities = False,
    verbose: command_options.Verbose = 0,
) -> None:
    """Show the output of a compiler stage, the equations, the code or the graph of a model."""
    set_up_logging(verbose)
    flags = {"equations": equations, "code": code, "graph": graph, "pattern": pattern}
    wanted = [name for name, given in flags.items() if given]
    if stage is not None:
        wanted.insert(0, stage.value)
    if not wanted:
        raise OptionError(
            "There is nothing to show without an option.",
            "Give --stage read|analyse|derive|lower|emit, --equations, --code, --graph or "
            "--pattern.",
        )
    wish = EquationChoice(tuple(element or ()), assembled, latex)
    _check(wish, wanted, out)
    arguments = command_options.model_arguments(o, coordinates)

    from mbdgen.build_options import BuildOptions

    frozen = tuple(freeze or ())
    chosen = BuildOptions(
        backend, layout, frozen, engine, reduced, second, sensitivities, eliminate
    )
    described = command_options.described(model, arguments)
    if given and not graph:
        raise OptionError("--input applies to structural groups.", "Add --graph.")
    if out is not None and out.suffix == ".svg":
        shown = picture(described, chosen, given)
    else:
        shown = "\n".join(text(described, name, chosen, wish, given) for name in wanted)
    if out is None:
        typer.echo(shown)
        return
    from mbdgen.runtime.program.atomic_files import replacing

    with replacing(out) as temporary:
        temporary.write_text(shown.rstrip("\n") + "\n", "utf-8")


def _check(wish: EquationChoice, wanted: list[str], out: Path | None) -> None:
    """Refuse options without effect, and files that cannot be written."""
    given = {"element": wish.elements, "assembled": wish.assembled, "latex": wish.latex}
    ignored = [f"--{name}" for name, value in given.items() if value]
    if ignored and "equations" not in wanted:
        raise OptionError(f"{', '.join(ignored)} needs --equations.", "Add --equations.")
    if wish.latex and len(wanted) > 1:
        raise OptionError(
            "--latex applies to --equations alone.",
            "Show other things without it.",
        )
    if out is not None:
        command_options.check_target(out, "--out", ())
        if out.suffix == ".svg" and wanted != ["graph"]:
            raise OptionError(
                f"--out {out} would be a picture, and only --graph has one.",
                "Give another file, or --graph and nothing else.",
            )


def text(
    model: "Model",
    what: str,
    chosen: "BuildOptions",
    wish: EquationChoice,
    given: list[str] | None = None,
) -> str:
    """Return the requested text about a model."""
    from mbdgen.show import stage_texts
    from mbdgen.show.mechanism_graph import graph_text

    if what == "read":
        return stage_texts.read_text(model)
    if what == "graph":
        return f"{graph_text(model)}\n\n{_groups(model, chosen, given)}"

    from mbdgen.emit.backends import find_backend
    from mbdgen.emit.module_header import facts_of
    from mbdgen.stages import derive_types, emit_text, lower_model
    from mbdgen.topology.specify import specify

    specs = specify(model)
    if what == "analyse":
        return stage_texts.analyse_text(specs)
    if what == "equations":
        from mbdgen.show.equations_text import equations_text

        return equations_text(
            model, specs, chosen.engine, wish.elements, wish.assembled, wish.latex
        )
    irs = derive_types(specs, chosen.engine, chosen.second)
    if what == "derive":
        return stage_texts.derive_text(specs, irs)
    system = lower_model(model, specs, irs, chosen)
    if what == "lower":
        return stage_texts.lower_text(system)
    if what == "pattern":
        from mbdgen.show.pattern import pattern_text

        return pattern_text(system)
    texts = emit_text(system, find_backend(chosen.backend), facts_of(model, system, chosen))
    if what == "code":
        return "\n".join(texts.values()).rstrip()
    return stage_texts.emit_text(model.name, texts)


def picture(model: "Model", chosen: "BuildOptions", given: list[str] | None) -> str:
    """Return the structural diagram as SVG."""
    from mbdgen.show.group_diagram import groups_svg

    found = _decomposed(model, chosen, given)
    if isinstance(found, str):
        raise OptionError(f"There is nothing to draw: {found}.", "Correct the model.")
    return groups_svg(found)


def _groups(model: "Model", chosen: "BuildOptions", given: list[str] | None) -> str:
    """Return the structural groups as text, or the reason why there are none."""
    from mbdgen.show.group_texts import groups_text

    found = _decomposed(model, chosen, given)
    return found if isinstance(found, str) else groups_text(found)


def _decomposed(
    model: "Model", chosen: "BuildOptions", given: list[str] | None
) -> "Decomposition | str":
    """Return the structural groups of the assembled mechanism, or the reason why there are none."""
    from mbdgen.compiler import load
    from mbdgen.errors import AssemblyError, SingularSystemError
    from mbdgen.runtime.groups.group_decomposition import decompose
    from mbdgen.runtime.initialisation.assembly import assemble

    if not model.bodies:
        return "no structural groups: there is no body"
    system = load(model, layout="loop", engine=chosen.engine)
    try:
        state = assemble(system)
    except (AssemblyError, SingularSystemError) as error:
        return f"no structural groups: {error}"
    return decompose(system, 0.0, state.q, given)

"""``mbdgen methods``: integrators, formulations and projections, and their combinations."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.integrators.base import Method
    from mbdgen.runtime.methods.option import Option
    from mbdgen.runtime.projections.base import Projector

WIDTH = 100
_STEPS = {
    "no": "fixed",
    "doubling": "fixed, or controlled by rtol (step doubling)",
    "embedded": "fixed, or controlled by rtol (embedded error estimate)",
    "library": "controlled by rtol, within the library",
}


@dataclass(frozen=True)
class Known:
    """Methods, formulations and projections: all of them, or those of one name."""

    methods: tuple["Method", ...]
    formulations: tuple["Formulation", ...]
    projections: tuple["Projector", ...]


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Details of one, with its citation.")
    ] = None,
    citations: Annotated[bool, typer.Option("--citations", help="Show the publications.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List integrators, formulations and projections with their order, kind and combinations."""
    every = _all()
    shown = every if name is None else _named(every, name)
    if json:
        from json import dumps

        typer.echo(dumps(_as_data(shown, every), indent=2))
        return
    cited = citations or name is not None
    heads = "integrators (--method)", "formulations (--formulation)", "projections (--projection)"
    blocks = (
        [_method_lines(method, every, cited) for method in shown.methods],
        [_formulation_lines(one, every, cited) for one in shown.formulations],
        [[_line(one.name, one.text), *_cited(cited, one.citation())] for one in shown.projections],
    )
    texts = [
        "\n".join([head, *(line for lines in block for line in lines)])
        for head, block in zip(heads, blocks, strict=True)
        if block
    ]
    typer.echo("\n\n".join(texts))


def _all() -> Known:
    from mbdgen.runtime import formulations, integrators, projections

    return Known(
        tuple(integrators.method(name) for name in integrators.known()),
        tuple(formulations.formulation(name) for name in formulations.known()),
        tuple(projections.projector(name) for name in projections.known()),
    )


def _named(every: Known, name: str) -> Known:
    """Select one name; a formulation and a projection may share it."""
    wanted = name.replace("_", "-")
    found = Known(
        tuple(method for method in every.methods if method.name == wanted),
        tuple(one for one in every.formulations if one.name == wanted),
        tuple(one for one in every.projections if one.name == wanted),
    )
    if not (found.methods or found.formulations or found.projections):
        raise OptionError(
            f"There is no method, formulation or projection '{name}'.",
            "mbdgen methods lists them all.",
        )
    return found


def _method_lines(method: "Method", every: Known, cited: bool) -> list[str]:
    from mbdgen.runtime.methods import method_summary

    steps = _STEPS[method_summary.adaptive(method)] + ("" if method.backward else ", forwards only")
    needed = f"; needs kernels: {', '.join(method.kernels)} (--second)" if method.kernels else ""
    of = f"order {method.order}, {method_summary.kind(method)}, {method_summary.equations(method)}"
    fitting = method_summary.fitting(method, every.formulations)
    lines = [_line(method.name, f"{of}. {method.text}"), _line("", f"steps: {steps}{needed}")]
    lines += _wrapped(f"by itself: {method.formulation}{_projected(method)}")
    lines += _wrapped(f"formulations: {', '.join(fitting)}") if fitting else []
    return [*lines, *_options(method.options, method.presets), *_cited(cited, method.citation())]


def _projected(method: "Method") -> str:
    """Return the projection that the method uses with its own formulation."""
    from mbdgen.runtime.methods import method_summary

    if method_summary.brings_own(method):
        return ""
    return f" with {method.projection} projection"


def _formulation_lines(formulation: "Formulation", every: Known, cited: bool) -> list[str]:
    fitting = ", ".join(_methods_of(formulation, every))
    lines = [_line(formulation.name, formulation.text), *_wrapped(f"methods: {fitting}")]
    if formulation.projection != "none":
        lines.append(_line("", f"projection: {formulation.projection}"))
    if not formulation.exact:
        lines.append(
            _line("", "converges to the motion of the mechanism through its options, not through h")
        )
    if not formulation.massless:
        lines.append(_line("", "explicit methods: need a regular mass matrix"))
    return [*lines, *_options(formulation.options, ()), *_cited(cited, formulation.citation())]


def _methods_of(formulation: "Formulation", every: Known) -> list[str]:
    from mbdgen.runtime.methods import method_summary

    return [
        method.name for method in every.methods if method_summary.fitting(method, [formulation])
    ]


def _line(name: str, text: str) -> str:
    return f"  {name:<20} {text}"


def _wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return [_line("", line) for line in wrap(text, WIDTH - 23, subsequent_indent="  ")]


def _options(options: "Iterable[Option]", presets: Iterable[str]) -> list[str]:
    lines = [_line("", f"  {o.name}={o.default:g}: {o.text}") for o in options]
    return lines + ([_line("", f"  preset={'|'.join(presets)}")] if presets else [])


def _cited(wanted: bool, citation: str) -> list[str]:
    return _wrapped(f"[{citation}]") if wanted and citation else []


def _as_data(shown: Known, every: Known) -> dict[str, Any]:
    """Return the list as plain data for JSON."""
    return {
        "methods": [_method_data(method, every) for method in shown.methods],
        "formulations": [
            {
                "name": one.name,
                "text": one.text,
                "levels": one.levels,
                "projection": one.projection,
                "exact": one.exact,
                "massless": one.massless,
                "methods": _methods_of(one, every),
                "options": {o.name: o.default for o in one.options},
                "citation": one.citation(),
            }
            for one in shown.formulations
        ],
        "projections": [
            {"name": one.name, "text": one.text, "citation": one.citation()}
            for one in shown.projections
        ],
    }


def _method_data(method: "Method", every: Known) -> dict[str, Any]:
    from mbdgen.runtime.methods import method_summary

    return {
        "name": method.name,
        "order": method.order,
        "kind": method_summary.kind(method),
        "equations": method_summary.equations(method),
        "adaptive": method_summary.adaptive(method),
        "backward": method.backward,
        "kernels": method.kernels,
        "text": method.text,
        "own": method_summary.brings_own(method),
        "formulation": method.formulation,
        "formulations": method_summary.fitting(method, every.formulations),
        "options": {o.name: o.default for o in method.options},
        "presets": {name: dict(values) for name, values in method.presets.items()},
        "citation": method.citation(),
    }

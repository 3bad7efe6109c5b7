"""``mbdgen methods``: integrators, formulations and projections, and what works with what."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.integrators.base import Method
    from mbdgen.runtime.option import Option
    from mbdgen.runtime.projectors.base import Projector


def methods(
    citations: Annotated[
        bool, typer.Option("--citations", help="Where each of them was published.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON, for other programs.")] = False,
) -> None:
    """List integrators, formulations and projections, with order, kind and what fits.

    The first list after an installation takes some seconds: own steps of methods are compiled.
    """
    from mbdgen.runtime import formulations, integrators, projectors

    found = [integrators.method(name) for name in integrators.known()]
    stated = [formulations.formulation(name) for name in formulations.known()]
    ends = [projectors.projector(name) for name in projectors.known()]
    if json:
        _as_json(found, stated, ends)
        return
    typer.echo("integrators (--method)")
    for method in found:
        typer.echo(f"  {method.name:<20} order {method.order}, {kind(method)}. {method.text}")
        typer.echo(f"  {'':<20} {_with(method)}")
        _options(method.options, method.presets)
        _cited(citations, method.citation())
    typer.echo("\nformulations (--formulation)")
    for formulation in stated:
        typer.echo(f"  {formulation.name:<20} {formulation.text}")
        typer.echo(f"  {'':<20} for {_needed(formulation)} methods")
        _options(formulation.options, ())
        _cited(citations, formulation.citation())
    typer.echo("\nprojections (--projection)")
    for projector in ends:
        typer.echo(f"  {projector.name:<20} {projector.text}")
        _cited(citations, projector.citation())


def kind(method: "Method") -> str:
    """Whether a method is explicit or implicit, or brings its own equations."""
    return {
        "slope": "explicit",
        "jerk": "explicit",
        "solve": "implicit",
        "stages": "implicit",
        "nothing": "with equations of its own",
    }[method.needs]


def _with(method: "Method") -> str:
    if not method.general or method.needs == "nothing":
        return f"by itself: {method.formulation}"
    if method.step_alone:
        return f"by itself: equations of its own; with any formulation for {kind(method)} methods"
    usual = method.formulation
    if method.step is None:
        usual = f"{method.formulation} with {method.projection} projection"
    what = "any formulation for" if method.needs != "stages" else "formulations as weights for"
    return f"by itself: {usual}; with {what} {kind(method)} methods"


def _needed(formulation: "Formulation") -> str:
    parts = (formulation.slope and "explicit", formulation.solve and "implicit")
    return " and ".join(part for part in parts if part)


def _options(options: "tuple[Option, ...]", presets: Iterable[str]) -> None:
    for option in options:
        typer.echo(f"  {'':<22} {option.name}={option.default:g}: {option.text}")
    if presets:
        typer.echo(f"  {'':<22} preset={'|'.join(presets)}")


def _cited(wanted: bool, citation: str) -> None:
    if wanted and citation:
        typer.echo(f"  {'':<22} [{citation}]")


def _as_json(found: list["Method"], stated: list["Formulation"], ends: list["Projector"]) -> None:
    from json import dumps

    typer.echo(
        dumps(
            {
                "methods": [
                    {
                        "name": m.name,
                        "order": m.order,
                        "kind": kind(m),
                        "text": m.text,
                        "own": m.step is not None or bool(m.step_alone) or m.needs == "nothing",
                        "formulation": m.formulation,
                        "formulations": _fitting(m, stated),
                        "options": {o.name: o.default for o in m.options},
                        "presets": {name: dict(v) for name, v in m.presets.items()},
                        "citation": m.citation(),
                    }
                    for m in found
                ],
                "formulations": [
                    {
                        "name": f.name,
                        "text": f.text,
                        "levels": f.levels,
                        "options": {o.name: o.default for o in f.options},
                        "citation": f.citation(),
                    }
                    for f in stated
                ],
                "projections": [
                    {"name": p.name, "text": p.text, "citation": p.citation()} for p in ends
                ],
            },
            indent=2,
        )
    )


def _fitting(method: "Method", stated: list["Formulation"]) -> list[str]:
    from mbdgen.runtime.scheme import fits

    if not method.general or method.needs == "nothing":
        return []
    return [f.name for f in stated if fits(method, f)]

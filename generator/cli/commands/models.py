"""``mbdgen models``: shipped models, and the arguments and options of one."""

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.cli import command_options

if TYPE_CHECKING:
    from mbdgen.language.model import Model
    from mbdgen.language.model_outline import Outline


def models(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="Shipped model, or a model file.")
    ] = None,
    o: command_options.Arguments = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the shipped models with their arguments, or everything that can be chosen for one."""
    from mbdgen.language.model_files import find, shipped
    from mbdgen.language.model_outline import outline

    if model is None:
        found = {name: outline(find(name)) for name in shipped()}
        typer.echo(_as_json([_data(*x) for x in found.items()]) if json else _listed(found))
        return
    path = find(model)
    arguments = command_options.model_arguments(o)
    with redirect_stdout(sys.stderr):  # output printed by a model is not part of the description
        choices = _choices(model, arguments)
    data = _data(path.stem, outline(path)) | choices
    typer.echo(_as_json(data) if json else _text(data))


def _listed(found: "dict[str, Outline]") -> str:
    lines = []
    for name, of in found.items():
        lines += [name, f"    {of.title}"]
        if of.arguments:
            lines.append(f"    arguments: {', '.join(map(str, of.arguments))}")
    return "\n".join(lines)


def _as_json(data: object) -> str:
    from json import dumps

    return dumps(data, indent=2)


def _data(name: str, of: "Outline") -> dict[str, Any]:
    arguments = [{"name": a.name, "default": a.default, "text": a.text} for a in of.arguments]
    return {"name": name, "title": of.title, "arguments": arguments}


def _choices(model: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return choices that are known only once the model has been made."""
    described = command_options.described(model, arguments)
    known = described.parameters.values()
    return {
        "parameters": [{"name": p.name, "value": float(p.value), "unit": p.unit} for p in known],
        "bodies": list(described.bodies),
        "outputs": list(described.outputs),
        "coordinates": _coordinates(described),
        "suggested": described.suggested.given(),
    }


def _coordinates(model: "Model") -> list[str]:
    """Return the names that ``--coordinates`` accepts for a model."""
    from mbdgen.language.model import JOINT_COORDINATES
    from mbdgen.language.recoordinate import possible

    return [*possible(model), *JOINT_COORDINATES]


def _text(data: dict[str, Any]) -> str:
    lines = [data["name"], f"    {data['title']}"]
    for a in data["arguments"]:
        value = "" if a["default"] is None else f" = {a['default']}"
        lines.append(f"    argument {a['name']}{value}  {a['text']}".rstrip())
    lines += [
        f"    parameter {p['name']} = {p['value']:g} {p['unit']}".rstrip()
        for p in data["parameters"]
    ]
    choices = [f"{name} = {value}" for name, value in data["suggested"].items()]
    lines += [f"    suggested: {', '.join(choices)}"] if choices else []
    lines += [
        f"    {what}: {', '.join(data[what]) or 'none'}"
        for what in ("bodies", "outputs", "coordinates")
    ]
    return "\n".join(lines)

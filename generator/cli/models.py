"""``mbdgen models``: what is shipped."""

import ast
from pathlib import Path

import typer


def models() -> None:
    """List the shipped models with their arguments."""
    from importlib.resources import files

    folder = Path(str(files("mbdgen.models")))
    found = sorted(p for p in folder.glob("*.py") if not p.stem.startswith("_"))
    for path in found:
        title, arguments = describe(path.read_text("utf-8"))
        typer.echo(path.stem)
        typer.echo(f"    {title}")
        if arguments:
            typer.echo(f"    arguments: {arguments}")


def describe(source: str) -> tuple[str, str]:
    """Return title and arguments of a model file, without executing it."""
    tree = ast.parse(source)
    paragraph = (ast.get_docstring(tree) or "").split("\n\n")[0]
    functions = [x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "model"]
    arguments = ast.unparse(functions[0].args) if functions else ""
    return " ".join(paragraph.split()), arguments

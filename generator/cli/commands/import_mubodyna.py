"""``mbdgen import-mubodyna``: conversion of a MUBODYNA model to a model file."""

from pathlib import Path
from typing import Annotated

import typer

from mbdgen.cli.command_options import check_target


def import_mubodyna(
    folder: Annotated[
        Path, typer.Argument(help="Folder with inBodies.m and the eight other input files.")
    ],
    out: Annotated[Path | None, typer.Option("--out", help="Model file to write (py).")] = None,
) -> None:
    """Write a model file from a model of MUBODYNA.

    Without --out it goes to stdout. Missing and ignored parts are reported with file and line.
    """
    if out is not None:
        check_target(out, "--out", (".py",))

    from mbdgen.mubodyna.importer import import_mubodyna as imported

    text = imported(folder, out.name if out is not None else "")
    if out is None:
        typer.echo(text, nl=False)
        return
    from mbdgen.runtime.program.atomic_files import replacing

    with replacing(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
    typer.echo(f"wrote {out}", err=True)

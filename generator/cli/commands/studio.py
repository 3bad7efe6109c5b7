"""``mbdgen studio``: a page in the browser for everything that ``mbdgen run`` does."""

from pathlib import Path
from typing import Annotated

import typer


def studio(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="Model shown first.")] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on this machine; 0: any free one.")
    ] = 8765,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address without opening a browser.")
    ] = False,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of further models (Python files).")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time limit of a run.")] = 300.0,
    memory: Annotated[float, typer.Option(help="Memory limit of a run in GB.")] = 4.0,
) -> None:
    """Serve a page on this machine to choose, run and animate models.

    It offers shipped models, MODEL, and those of FOLDER; Ctrl-C ends it.
    """
    from mbdgen.studio.catalogue import Catalogue
    from mbdgen.studio.run_bounds import RunBounds
    from mbdgen.studio.serve import serve

    def ready(url: str) -> None:
        typer.echo(f"mbdgen studio: {url}")
        typer.echo("Ctrl-C ends it.", err=True)

    serve(Catalogue(models, model), RunBounds(seconds, memory), port, ready, browser=not no_browser)

"""``mbdgen clean``: delete the cache."""

import typer


def clean() -> None:
    """Delete the cache of derived types and compiled modules.

    Everything in it is made again when needed. Other files in its folder are left alone.
    """
    from mbdgen.cache import chosen_folder
    from mbdgen.cache import clean as delete
    from mbdgen.cli.error_reports import USER_ERROR, complain

    folder = chosen_folder()
    deleted, kept, others = delete()
    typer.echo(f"{deleted} files deleted from {folder}")
    if others:
        typer.echo(f"{others} other files are left there.")
    if kept:
        complain(
            f"{kept} files of the cache in {folder} cannot be deleted.",
            "Change the permissions of the folder, or let its owner delete it.",
        )
        raise typer.Exit(USER_ERROR)

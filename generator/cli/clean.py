"""``mbdgen clean``: delete the cache."""

import typer


def clean() -> None:
    """Delete the cache of derived types and compiled modules.

    It is only a cache: everything in it is made again when needed.
    """
    from mbdgen.cache import cache_folder
    from mbdgen.cache import clean as delete

    folder = cache_folder()
    count = delete()
    typer.echo(f"{count} files deleted from {folder}")

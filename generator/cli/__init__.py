"""Command-line interface: one module per command, imported only when `main` runs."""


def main() -> None:
    """Run the command line and exit: 0 done, 2 user error, 3 failed simulation, 1 our error."""
    from mbdgen.cli.app import run

    run()

"""Run the command line interface by ``python -m mbdgen``."""

from mbdgen.cli import main

if __name__ == "__main__":
    main()

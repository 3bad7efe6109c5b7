"""Run the command line by ``python -m mbdgen``."""

from mbdgen.cli import main

if __name__ == "__main__":
    main()

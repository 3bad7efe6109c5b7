"""Order of the test files: two workers compile nothing twice, and end together.

Compiled functions are shared through files, so what one worker has compiled the other one loads,
but not while it is being compiled. Therefore one worker begins with all integrators and
formulations, while the other one tests what derives equations and compiles none.
"""

import pytest

COMPILING = ("tests/physics/methods/test_schemes.py",)
"""Files that compile what most of the others run."""
DERIVING = (
    "tests/unit/kernels/",
    "tests/unit/language/",
    "tests/unit/errors/",
    "tests/unit/functions/",
    "tests/unit/compiler/",
    "tests/unit/symbolic/",
    "tests/unit/mubodyna/",
)
"""Folders whose tests need little of the runtime."""
LONG = (
    "tests/unit/project/test_capabilities.py",
    "tests/studio/",
    "tests/properties/",
    "tests/cli/",
    "tests/docs/",
)
"""What takes long and would otherwise be left to one worker at the end."""


def place(item: pytest.Item) -> int:
    """Return the place of a test by its file."""
    for number, names in enumerate((COMPILING, DERIVING, LONG)):
        if item.nodeid.startswith(names):
            return number
    return 3


def put_in_order(items: list[pytest.Item]) -> None:
    """Sort tests by their files; those of a file stay as they are."""
    items.sort(key=place)

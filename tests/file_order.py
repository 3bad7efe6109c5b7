"""Order of the test files: two workers compile nothing twice, and end together.

Compiled functions are shared through files, so what one worker has compiled the other one loads,
but not while it is being compiled. Therefore one worker begins with all integrators and
formulations, while the other one tests what derives equations and compiles none.
"""

import pytest

OTHERS = ""
ORDER = (
    "tests/physics/methods/test_schemes.py",  # compiles what most of the others run
    "tests/unit/kernels/",
    "tests/unit/errors/",
    "tests/unit/language/",
    "tests/unit/symbolic/",
    "tests/unit/functions/",
    "tests/unit/mubodyna/",
    "tests/unit/compiler/",
    "tests/unit/project/test_capabilities.py",  # long: not for one worker alone at the end
    "tests/studio/",
    "tests/properties/",
    "tests/docs/",
    "tests/cli/",
    OTHERS,
)
"""Beginnings of names, in the order in which tests are done."""


def place(item: pytest.Item) -> int:
    """Return the place of a test by its file."""
    found = (k for k, name in enumerate(ORDER) if name and item.nodeid.startswith(name))
    return next(found, ORDER.index(OTHERS))


def put_in_order(items: list[pytest.Item]) -> None:
    """Sort tests by their files; those of a file stay as they are."""
    items.sort(key=place)

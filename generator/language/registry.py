"""Finding what the folders `bodies`, `joints` and `forces` contain: a new file is enough."""

import importlib
import inspect
import pkgutil
from functools import cache
from typing import Any


def classes(package: str, base: type) -> dict[str, type[Any]]:
    """Return the concrete subclasses of `base` in the modules of a package, by their `name`."""
    home = importlib.import_module(package)
    found: dict[str, type[Any]] = {}
    for info in sorted(pkgutil.iter_modules(home.__path__), key=lambda i: i.name):
        module = importlib.import_module(f"{package}.{info.name}")
        for _, cls in inspect.getmembers(module, inspect.isclass):
            mine = cls.__module__ == module.__name__ and issubclass(cls, base)
            if mine and "name" in vars(cls) and not inspect.isabstract(cls):
                found[vars(cls)["name"]] = cls
    return found


@cache
def body_kinds() -> dict[str, type[Any]]:
    """Return the body kinds by name."""
    from mbdgen.bodies.base import BodyKind

    return dict(classes("mbdgen.bodies", BodyKind))


@cache
def elements() -> dict[str, type[Any]]:
    """Return joints and forces by name: each is a method of `Model`."""
    from mbdgen.language.element import Element

    return {**classes("mbdgen.joints", Element), **classes("mbdgen.forces", Element)}

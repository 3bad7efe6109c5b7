"""Finding what a folder of the package contains: a new file is enough."""

import importlib
import inspect
import pkgutil
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

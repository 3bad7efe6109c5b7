"""Discovery of classes (plug-ins) in folders of the package: a new file is enough."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from mbdgen.errors import BuildError
from mbdgen.usable import check_usable, file_of, lacks, raised_at, short, title


def classes(package: str, base: type) -> dict[str, type[Any]]:
    """Return the concrete subclasses of `base` in the modules of a package, by their `name`.

    Raises
    ------
    BuildError
        If a file cannot be imported, or two classes have one name.
    ModelError
        If a class has fields but is not a dataclass.
    """
    found = [cls for cls in _derived(package, base) if not _missing(cls)]
    for cls in found:
        check_usable(cls)
    return by_name(found)


def by_name(found: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """Return classes by their `name`, which must be unique."""
    named: dict[str, type[Any]] = {}
    for cls in found:
        name = vars(cls)["name"]
        other = named.setdefault(name, cls)
        if other is not cls:
            raise BuildError(
                f"{title(other)} and {title(cls)} have the same name {name!r}.",
                "Give one of them another name.",
            )
    return named


def unfinished(package: str, base: type) -> list[str]:
    """Describe abstract classes of a package that are derived from `base`.

    A class with subclasses is a base class, and not reported.
    """
    return [
        f"{short(file_of(cls))}: class {cls.__name__} lacks {', '.join(_missing(cls))}."
        for cls in list(_derived(package, base))  # all, before subclasses are looked for
        if _missing(cls) and not cls.__subclasses__()
    ]


def _missing(cls: type) -> tuple[str, ...]:
    # An inherited name belongs to the base class.
    nameless = "name" not in vars(cls) and "name" not in lacks(cls)
    return (*(["name"] if nameless else []), *lacks(cls))


def _derived(package: str, base: type) -> Iterator[type[Any]]:
    for module in sorted(_modules(importlib.import_module(package)), key=_stem):
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if cls.__module__ == module.__name__ and issubclass(cls, base):
                yield cls


def _modules(home: ModuleType) -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(home.__path__):
        module = _imported(home, info.name)
        if info.ispkg:
            yield from _modules(module)
        else:
            yield module


def _stem(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def _imported(home: ModuleType, name: str) -> ModuleType:
    try:
        return importlib.import_module(f"{home.__name__}.{name}")
    except Exception as error:  # a user's file may raise anything
        file = Path(home.__path__[0]) / f"{name}.py"
        place = raised_at(error, file) or short(file)
        raise BuildError(
            f"{place} cannot be imported ({type(error).__name__}: {error}).",
            "Mend the file, or take it out of the folder.",
        ) from error

"""The models that can be picked: those that are shipped, and those of one folder.

A request names a model by its place in this list. No part of a request ever becomes a path, so
there is no name that leads out of the folder.
"""

from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from mbdgen.errors import ModelError, OptionError
from mbdgen.language.model_files import find, shipped
from mbdgen.language.model_outline import Argument, Outline, outline
from mbdgen.studio.reply import Refusal

OWN, SHIPPED = "own/", "shipped/"
LARGEST_FILE = 1_000_000
"""Bytes of a Python file that is looked at."""


@dataclass(frozen=True)
class CatalogueEntry:
    """One model.

    Attributes
    ----------
    key : str
        How requests name it: ``shipped/pendulum`` or ``own/crane``.
    source : str
        What the command line calls it.
    path : Path or None
        Its file, if it is an own one.
    outline : Outline or None
        What is known of it; None if the file cannot be read.
    fault : str
        Why not.
    """

    key: str
    source: str
    path: Path | None
    outline: Outline | None
    fault: str = ""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.key.partition("/")[2]

    @property
    def changed(self) -> str:
        """When its file was changed last, if it is an own one."""
        try:
            return "" if self.path is None else str(self.path.stat().st_mtime_ns)
        except OSError:
            return ""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Arguments of its function."""
        return self.outline.arguments if self.outline else ()


class Catalogue:
    """All models that this studio may run.

    Parameters
    ----------
    folder : Path, optional
        Own models are the Python files in it, not in folders below.
    first : str, optional
        A shipped name or a file that the user named himself: the page begins with it.
    """

    def __init__(self, folder: Path | None = None, first: str | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise OptionError(
                f"There is no folder '{folder}' of models.", "Name an existing folder."
            )
        self._folder = folder
        path = find(first) if first is not None else None
        self._named = path if path is not None and first not in shipped() else None
        if self._named is not None and not outline(self._named).is_model:
            raise ModelError(
                f"'{self._named.name}' describes no model.",
                "Name a file that assigns a Model, or a function that returns one, to `model`.",
            )
        if path is None:
            self.first = f"{SHIPPED}pendulum"
        elif self._named is None:
            self.first = f"{SHIPPED}{first}"
        else:
            self.first = f"{OWN}{path.stem}"

    def entries(self) -> dict[str, CatalogueEntry]:
        """Return all models by key, as the folder is now: own ones first."""
        every = (self._entry(key, path) for key, path in self._paths().items())
        return {entry.key: entry for entry in every if _offered(entry)}

    def find(self, key: object) -> CatalogueEntry:
        """Return the model of a request.

        Raises
        ------
        Refusal
            If it is not in the list.
        """
        path = self._paths().get(key) if isinstance(key, str) else None
        if isinstance(key, str) and path is not None:
            entry = self._entry(key, path)
            if _offered(entry):
                return entry
        raise Refusal(
            HTTPStatus.NOT_FOUND,
            f"There is no model {ascii(key)[:80]} in this studio.",
            "Pick one of the list; own models are the files of the folder given by --models.",
        )

    def _paths(self) -> dict[str, Path]:
        """Return the files by the keys of the models in them."""
        own = {f"{OWN}{path.stem}": path for path in self._files()}
        return own | {f"{SHIPPED}{name}": find(name) for name in shipped()}

    def _entry(self, key: str, path: Path) -> CatalogueEntry:
        own = key.startswith(OWN)
        source, place = (str(path), path.resolve()) if own else (path.stem, None)
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise ModelError(f"'{path.name}' is too long for a model.", "Shorten it.")
            return CatalogueEntry(key, source, place, outline(path))
        except (ModelError, OSError) as error:
            return CatalogueEntry(key, source, place, None, str(error))

    def _files(self) -> list[Path]:
        """Python files directly in the folder, and the one that the user named."""
        named = [self._named] if self._named is not None else []
        if self._folder is None:
            return named
        inside = sorted(p for p in self._folder.glob("*.py") if not p.name.startswith(("_", ".")))
        home = self._folder.resolve()
        # A link that leads out of the folder is no file of the folder.
        return [p for p in inside if p.is_file() and p.resolve().parent == home] + named


def _offered(entry: CatalogueEntry) -> bool:
    """Whether to show it: files that cannot be read are shown with their fault."""
    return entry.outline is None or entry.outline.is_model

"""Catalogue of models: those that are shipped, and those of one folder.

A request names a model by its key in this list. No part of a request ever becomes a path, so no
name can lead out of the folder.
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
"""Largest size in bytes of a Python file that is read."""


@dataclass(frozen=True)
class CatalogueEntry:
    """One model.

    Attributes
    ----------
    key : str
        Name in requests: ``shipped/pendulum`` or ``own/crane``.
    source : str
        Name on the command line.
    path : Path or None
        File of a model of the folder.
    outline : Outline or None
        Description of the model; None if the file cannot be read.
    fault : str
        Reason why the file cannot be read.
    """

    key: str
    source: str
    path: Path | None
    outline: Outline | None
    fault: str = ""

    @property
    def name(self) -> str:
        """Name on the page."""
        return self.key.partition("/")[2]

    @property
    def changed(self) -> str:
        """Time of the last change of the file of a model of the folder."""
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
        Folder of Python files with models; its subfolders are ignored.
    first : str, optional
        Model given on the command line, a shipped name or a file: the page shows it first.
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
                f"'{self._named.name}' does not define a model.",
                "Name a file that assigns a Model, or a function that returns one, to `model`.",
            )
        if path is None:
            self.first = f"{SHIPPED}pendulum"
        elif self._named is None:
            self.first = f"{SHIPPED}{first}"
        else:
            self.first = f"{OWN}{path.stem}"

    def entries(self) -> dict[str, CatalogueEntry]:
        """Return all models by key, from the current content of the folder, which comes first."""
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
            "Choose one of the list; further models are the files of the folder given by --models.",
        )

    def _paths(self) -> dict[str, Path]:
        """Return the files by the keys of their models."""
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
        """Python files directly in the folder, and the one given on the command line."""
        named = [self._named] if self._named is not None else []
        if self._folder is None:
            return named
        inside = sorted(p for p in self._folder.glob("*.py") if not p.name.startswith(("_", ".")))
        home = self._folder.resolve()
        # A link that leads out of the folder is not a file of the folder.
        return [p for p in inside if p.is_file() and p.resolve().parent == home] + named


def _offered(entry: CatalogueEntry) -> bool:
    """Whether to list the model: unreadable files are listed with the reason."""
    return entry.outline is None or entry.outline.is_model

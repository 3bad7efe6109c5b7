"""Location of model files: user paths, and the example models shipped with mbdgen."""

import os
from importlib.resources import files
from pathlib import Path

from mbdgen.errors import ModelError, OptionError, meant
from mbdgen.language.expressions.scalars import shown


def shipped() -> list[str]:
    """Return the names of the models that come with mbdgen."""
    folder = Path(str(files("mbdgen.models")))
    return sorted(p.stem for p in folder.glob("*.py") if not p.stem.startswith("_"))


def find(source: "str | Path") -> Path:
    """Return the path of a model file or of a shipped model.

    Raises
    ------
    ModelError
        If there is neither.
    """
    path = source_path(source)
    if is_file(path):
        return path
    names = shipped()
    if str(source) in names:
        return Path(str(files("mbdgen.models"))) / f"{source}.py"
    hint = meant(path.stem, names, "")
    listed = f"Check the path; `mbdgen models` lists the {len(names)} shipped models."
    raise ModelError(
        f"There is no model file {shown(str(source))} and no shipped model of that name.",
        f"{hint} {listed}".strip(),
    )


def source_path(source: "str | Path") -> Path:
    """Return the user's argument as a path."""
    if not isinstance(source, str | os.PathLike):
        raise OptionError(
            f"{shown(source)} is not a model.",
            "Give a Model, the path of a model file, or the name of a shipped model.",
        )
    return Path(source)


def is_file(path: Path) -> bool:
    """Return whether a file exists; invalid file names are no error."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False

"""Stage `read`: from a file, a shipped model's name or a `Model` to a `Model`."""

import inspect
import runpy
import traceback
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from mbdgen.errors import MbdgenError, ModelError, OptionError
from mbdgen.language.model import Model


def read(source: "Model | str | Path", arguments: Mapping[str, Any] | None = None) -> Model:
    """Return the model.

    Parameters
    ----------
    source : Model, path or str
        A model, a model file, or the name of a shipped model. A file exposes ``model`` (a `Model`
        or a function that returns one), or contains exactly one `Model`.
    arguments : mapping
        Arguments of the model function.
    """
    arguments = dict(arguments or {})
    if isinstance(source, Model):
        if arguments:
            raise OptionError("A Model object takes no model arguments.", "Pass a model file.")
        return source
    path = find(source)
    found = _execute(path)
    entry = found.get("model")
    if entry is None:
        entry = _only_model(found, path)
    if isinstance(entry, Model):
        if arguments:
            raise OptionError(
                f"Model file {path.name} takes no arguments, but got {', '.join(arguments)}.",
                "Write `def model(name=default): ...` in the file to accept them.",
            )
        return entry
    if not callable(entry):
        raise ModelError(
            f"In {path.name}, `model` is a {type(entry).__name__}.",
            "Make it a Model or a function that returns one.",
        )
    return _call(entry, arguments, path)


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
    path = Path(source)
    if path.is_file():
        return path
    names = shipped()
    if str(source) in names:
        return Path(str(files("mbdgen.models"))) / f"{source}.py"
    close = get_close_matches(path.stem, names)
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    raise ModelError(
        f"There is no model file '{source}' and no shipped model of that name.",
        f"Check the path.{hint} Shipped models: {', '.join(names)}.",
    )


def _execute(path: Path) -> dict[str, Any]:
    try:
        return runpy.run_path(str(path), run_name="__mbdgen_model__")
    except MbdgenError as error:
        raise ModelError(f"{_where(error, path)}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{_where(error, path)}: the model file stopped with {type(error).__name__}: {error}.",
            "Correct the file.",
        ) from error


def _call(function: Any, arguments: dict[str, Any], path: Path) -> Model:
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        known = ", ".join(str(p) for p in inspect.signature(function).parameters.values())
        raise OptionError(
            f"The model of {path.name} cannot take these arguments ({error}).",
            f"It takes: {known or 'none'}.",
        ) from error
    try:
        result = function(**arguments)
    except MbdgenError as error:
        raise ModelError(f"{_where(error, path)}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{_where(error, path)}: the model function stopped with "
            f"{type(error).__name__}: {error}.",
            "Check the arguments and the file.",
        ) from error
    if not isinstance(result, Model):
        raise ModelError(
            f"The function `model` of {path.name} returned a {type(result).__name__}.",
            "Return the Model.",
        )
    return result


def _only_model(found: Mapping[str, Any], path: Path) -> Model:
    models = {id(x): x for x in found.values() if isinstance(x, Model)}
    if len(models) != 1:
        count = "no Model" if not models else f"{len(models)} Models"
        raise ModelError(
            f"{path.name} contains {count} and no name `model`.",
            "Assign the Model to the name `model`.",
        )
    return next(iter(models.values()))


def _where(error: BaseException, path: Path) -> str:
    """Return file and line of the user's code that an error came from."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{path.name}, line {error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == path.name
    ]
    return f"{path.name}, line {lines[-1]}" if lines else path.name

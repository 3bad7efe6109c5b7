"""Reading of models (stage `read`): from a file, a shipped model's name or a `Model`."""

import inspect
import runpy
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mbdgen.errors import MbdgenError, ModelError, OptionError, meant
from mbdgen.language.expressions.scalars import shown
from mbdgen.language.model import JOINT_COORDINATES, Model
from mbdgen.language.model_files import find, is_file, shipped, source_path


def read(
    source: "Model | str | Path",
    arguments: Mapping[str, Any] | None = None,
    coordinates: str | type[Any] | None = None,
) -> Model:
    """Return the model.

    Parameters
    ----------
    source : Model, path or str
        A model, a model file, or the name of a shipped model. A file exposes ``model`` (a `Model`
        or a function that returns one), or contains exactly one `Model`.
    arguments : mapping
        Arguments of the model function.
    coordinates : str or class, optional
        One of `mbdgen.language.model.JOINT_COORDINATES` for any model. Others are given to a model
        function with an argument of that name; otherwise all spatial rigid bodies are converted
        (`mbdgen.language.recoordinate`).
    """
    arguments = dict(arguments or {})
    if coordinates is None and arguments.get("coordinates") in JOINT_COORDINATES:
        coordinates = arguments.pop("coordinates")
    if coordinates is None:
        return _as_described(source, arguments)
    if isinstance(coordinates, str) and coordinates in JOINT_COORDINATES:
        return _as_described(source, arguments).with_joint_coordinates(coordinates)
    if not isinstance(source, Model) and "coordinates" in arguments_of(source):
        return _as_described(source, {**arguments, "coordinates": coordinates})
    from mbdgen.language.recoordinate import recoordinated

    return recoordinated(_as_described(source, arguments), coordinates)


def _as_described(source: "Model | str | Path", arguments: dict[str, Any]) -> Model:
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


def arguments_of(source: "str | Path") -> list[str]:
    """Return the names of the arguments that a model file's function takes."""
    path = source_path(source)
    if not is_file(path) and str(source) not in shipped():
        return []
    entry = _execute(find(source)).get("model")
    if isinstance(entry, Model) or not callable(entry):
        return []
    try:
        return list(inspect.signature(entry).parameters)
    except ValueError:
        return []


def _execute(path: Path) -> dict[str, Any]:
    with _explained(path, "the model file"), _neighbours(path):
        return runpy.run_path(str(path), run_name="__mbdgen_model__")


def _call(function: Any, arguments: dict[str, Any], path: Path) -> Model:
    try:
        signature = inspect.signature(function)
    except ValueError as error:
        raise ModelError(
            f"In {path.name}, `model` is {shown(function)}.",
            "Make it a Model or a function that returns one.",
        ) from error
    try:
        signature.bind(**arguments)
    except TypeError as error:
        known = ", ".join(str(p) for p in signature.parameters.values())
        unknown = [name for name in arguments if name not in signature.parameters]
        listed = f"It takes: {known or 'none'}."
        raise OptionError(
            f"The model of {path.name} cannot take these arguments ({error}).",
            meant(unknown[0], signature.parameters, listed) if unknown else listed,
        ) from error
    with _explained(path, "the model function"), _neighbours(path):
        result = function(**arguments)
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


@contextmanager
def _neighbours(path: Path) -> Iterator[None]:
    """Allow a model file to import modules of its folder, like a Python script."""
    folder = str(path.parent.absolute())
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


@contextmanager
def _explained(path: Path, what: str) -> Iterator[None]:
    """Convert exceptions of user code into errors with file and line number."""
    try:
        yield
    except MbdgenError as error:
        # A file that reads itself would accumulate one prefix per level.
        known = error.cause.startswith(f"{path.name}, line ")
        where = "" if known else f"{_where(error, path)}: "
        raise ModelError(f"{where}{error.cause}", error.remedy) from error
    except SystemExit as error:
        raise ModelError(
            f"{_where(error, path)}: {what} ended the program.", "Remove exit() from it."
        ) from error
    except Exception as error:
        raise ModelError(
            f"{_where(error, path)}: {what} stopped with {type(error).__name__}: {error}.",
            _remedy(error) or "Correct the file, or the arguments that it was given.",
        ) from error


_NUMERIC = (
    "Cannot convert expression to float",
    "cannot determine truth value",
    "loop of ufunc does not support",
)
"""Messages of SymPy and NumPy when a numeric function gets a symbol."""


def _remedy(error: Exception) -> str:
    """Return the remedy for a common mistake; an empty string for others."""
    text = str(error)
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        public = [name for name in dir(error.obj) if not name.startswith("_")]
        return meant(error.name, public, "")
    if not isinstance(error, TypeError) or not any(part in text for part in _NUMERIC):
        return ""
    if "truth value" in text:
        return (
            "The time and parameters are symbols without a value yet: instead of `if` write "
            "sympy.Piecewise or functions.piecewise."
        )
    return (
        "The time and parameters are symbols, which functions of math and NumPy do not know: "
        "write sympy.sin(m.t), sympy.sqrt(k) and so on (import sympy)."
    )


def _where(error: BaseException, path: Path) -> str:
    """Return file, line number and source line of user code that raised an error."""
    if isinstance(error, SyntaxError) and _same(error.filename, path):
        line, text = error.lineno, error.text
    else:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if _same(frame.filename, path)
        ]
        if not frames:
            return path.name
        line, text = frames[-1].lineno, frames[-1].line
    return f"{path.name}, line {line}" + (f" `{text.strip()}`" if text and text.strip() else "")


def _same(name: str | None, path: Path) -> bool:
    return name is not None and Path(name).absolute() == path.absolute()

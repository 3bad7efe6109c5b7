"""Conversion of an order to a command line, which does all computation."""

import shlex

from mbdgen.studio.order import Described, Order
from mbdgen.studio.request_fields import written

STEM = "result"
"""Stem of the files that a run writes into its folder."""
OPTIONS = "html", "npz", "csv", "json"
"""Suffixes with an option of their own; others are written by ``--save``."""


def of_description(model: Described) -> list[str]:
    """Return the command that lists parameters and coordinates of a model."""
    return ["models", _source(model), *_arguments(model), "--json"]


def of_code(model: Described, backend: str) -> list[str]:
    """Return the command that writes the code of a model into the working directory."""
    return ["build", _source(model), *_choices(model), "--backend", backend, "--out", "."]


def of_run(order: Order) -> list[str]:
    """Return the options of the simulation, without the model's name and the files."""
    end = f"{order.start + order.duration:.15g}"  # 0.3, not 0.1 + 0.2
    span = end if order.start == 0.0 else f"{written(order.start)}:{end}"
    words = [*_choices(order.model), "--t", span, "--h", written(order.h), "--method", order.method]
    pairs = (
        ("--formulation", order.formulation),
        ("--projection", order.projection),
        ("--rtol", None if order.rtol is None else written(order.rtol)),
    )
    words += [word for key, value in pairs if value is not None for word in (key, value)]
    settings = [f"{key}={written(value)}" for key, value in order.parameters]
    words += [word for text in settings for word in ("--set", text)]
    options = [f"{key}={value}" for key, value in order.options]
    return words + [word for text in options for word in ("--method-option", text)]


def shown(order: Order) -> str:
    """Return the command as typed where `mbdgen studio` was started."""
    entry = order.model.entry
    return shlex.join(["mbdgen", "run", entry.source, *of_run(order), *_files(order, entry.name)])


def executed(order: Order) -> list[str]:
    """Return the command as executed by the studio in the folder of the run."""
    files = _files(order, STEM)
    return ["run", _source(order.model), *of_run(order), *files, "--progress-lines"]


def _files(order: Order, stem: str) -> list[str]:
    words = []
    for suffix in order.files:
        option = f"--{suffix}" if suffix in OPTIONS else "--save"
        words += [option, f"{stem}.{suffix}"]
    return words


def _source(model: Described) -> str:
    """Return the source of the model, independent of the working directory."""
    entry = model.entry
    return entry.source if entry.path is None else str(entry.path)


def _choices(model: Described) -> list[str]:
    coordinates = ["--coordinates", model.coordinates] if model.coordinates else []
    return [*_arguments(model), *coordinates]


def _arguments(model: Described) -> list[str]:
    return [word for key, value in model.arguments for word in ("-o", f"{key}={value}")]

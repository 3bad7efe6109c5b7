"""Options shared by several commands, and parsing of their values."""

from ast import literal_eval
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbdgen.errors import OptionError

if TYPE_CHECKING:
    from mbdgen.language import model as language


def finite_instant(number: float | None) -> float | None:
    """Refuse an instant that is NaN or infinite."""
    if number is not None and not isfinite(number):
        raise typer.BadParameter(f"{number} is not a finite number. Give an instant in seconds.")
    return number


MOST_INSTANTS = 10_000_000
MODEL, COMPILER, INTEGRATION, FILES = "Model", "Compiler", "Integration", "Files"
"""Groups of options in the help of commands."""

Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="Model file or name of a shipped model.")
]
Arguments = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        metavar="KEY=VALUE",
        help="Argument of the model function; repeatable.",
        rich_help_panel=MODEL,
    ),
]
Backend = Annotated[str, typer.Option(help="Target language.", rich_help_panel=COMPILER)]
Layout = Annotated[str, typer.Option(help="auto, loop or flat.", rich_help_panel=COMPILER)]
Reduced = Annotated[
    bool,
    typer.Option(
        "--reduced",
        help="Solve only for coordinates that no joint gives explicitly.",
        rich_help_panel=COMPILER,
    ),
]
Eliminate = Annotated[
    bool,
    typer.Option(
        "--eliminate", help="Eliminate coordinates by linear constraints.", rich_help_panel=COMPILER
    ),
]
Second = Annotated[
    bool,
    typer.Option(
        "--second", help="Also write the kernels of second derivatives.", rich_help_panel=COMPILER
    ),
]
Sensitivities = Annotated[
    bool,
    typer.Option(
        "--sensitivities", help="Also write the kernels of variations.", rich_help_panel=COMPILER
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Processors to use; default: all.", rich_help_panel=COMPILER
    ),
]
Coordinates = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Coordinates of bodies, or relative; auto chooses.",
        rich_help_panel=COMPILER,
    ),
]
Engine = Annotated[
    str, typer.Option(help="Computer algebra system: sympy or symengine.", rich_help_panel=COMPILER)
]
Freeze = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Parameter compiled as a constant; repeatable.",
        rich_help_panel=COMPILER,
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=NUMBER",
        help="Parameter of the model; repeatable.",
        rich_help_panel=MODEL,
    ),
]
Instant = Annotated[float, typer.Option(help="Instant in seconds.", callback=finite_instant)]
Span = Annotated[
    str,
    typer.Option(
        metavar="END|START:END", help="Time span in seconds.", rich_help_panel=INTEGRATION
    ),
]
Step = Annotated[float, typer.Option(help="Step size in seconds.", rich_help_panel=INTEGRATION)]
Method = Annotated[str, typer.Option(help="Integrator.", rich_help_panel=INTEGRATION)]
MethodOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=NUMBER",
        help="Option of the integrator; repeatable.",
        rich_help_panel=INTEGRATION,
    ),
]
Formulation = Annotated[
    str | None,
    typer.Option(
        help="Formulation of the constraints (mbdgen methods); default: that of the method.",
        rich_help_panel=INTEGRATION,
    ),
]
Projection = Annotated[
    str | None,
    typer.Option(
        help="Projection of each step onto the constraints (mbdgen methods).",
        rich_help_panel=INTEGRATION,
    ),
]
RelativeTolerance = Annotated[
    float | None,
    typer.Option(
        help="Relative tolerance of step-size control, for q and v.",
        rich_help_panel=INTEGRATION,
    ),
]
AbsoluteTolerance = Annotated[
    float | None,
    typer.Option(
        help="Absolute tolerance of step-size control; default: as --rtol.",
        rich_help_panel=INTEGRATION,
    ),
]
Solver = Annotated[
    str,
    typer.Option(
        help="global, groups (structural groups, one after the other) or auto.",
        rich_help_panel=INTEGRATION,
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="COORDINATE",
        help="Input coordinate of structural groups; repeatable.",
        rich_help_panel=INTEGRATION,
    ),
]
ProgressLines = Annotated[
    bool, typer.Option("--progress-lines", help="Machine-readable progress on stderr.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only write the files.")]
Verbose = Annotated[
    int,
    typer.Option("-v", "--verbose", count=True, help="Show progress; -vv: all details."),
]


@dataclass(frozen=True)
class Request:
    """Validated settings of an integration.

    Attributes
    ----------
    span : (float, float)
        Start and end time.
    h : float
        Step size.
    method : str
        Integrator.
    formulation, projection : str or None
        Treatment of the constraints.
    scheme_options : mapping
        Options of the method and of the formulation.
    parameters : mapping
        Remaining assignments of ``--set``: parameters of the model.
    """

    span: tuple[float, float]
    h: float
    method: str
    formulation: str | None
    projection: str | None
    scheme_options: dict[str, Any]  # Any: passed on as keyword arguments beside others
    parameters: dict[str, float]

    @property
    def needs_second(self) -> bool:
        """Whether the method calls kernels of second derivatives."""
        from mbdgen.runtime.integrators import method

        return bool(method(self.method).kernels)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of ``simulate``."""
        chosen = {"formulation": self.formulation, "projection": self.projection}
        return {"method": self.method, "h": self.h, **chosen, **self.scheme_options}


def progress(lines: bool, quiet: bool) -> bool | str:
    """Return the value of ``progress`` for `mbdgen.runtime.stepping.progress.progress_bar`."""
    return "lines" if lines else "auto" if not quiet else False


def request(
    t: str,
    h: float,
    method: str,
    method_option: Iterable[str] | None,
    formulation: str | None = None,
    projection: str | None = None,
    settings: Iterable[str] | None = None,
    *,
    still: bool = False,
) -> Request:
    """Parse and validate the settings of an integration; ``settings`` are those of ``--set``.

    On the first run after an installation this compiles the integrator. ``--set`` assigns
    parameters of the model, and options of the method and of the formulation, by name. ``still``
    permits a span of a single instant.
    """
    span = as_span(t)
    from mbdgen.runtime.methods.scheme import choose
    from mbdgen.runtime.stepping.argument_validation import step_size, time_span

    time_span(span, backward=True, still=still)
    step_size(h)
    known, words = option_names(method, formulation, projection)
    given = scheme_options(method_option, "--method-option", words)
    both = assignments(settings, "--set")
    for name in [name for name in both if name in known]:
        if name in given:
            raise OptionError(f"--set and --method-option both give '{name}'.", "Give it once.")
        given |= scheme_options([f"{name}={both.pop(name)}"], "--set", words)
    choose(method, formulation, projection, given)
    parameters = {name: as_number(value, f"--set {name}") for name, value in both.items()}
    return Request(span, h, method, formulation, projection, given, parameters)


def option_names(
    method: str, formulation: str | None, projection: str | None
) -> tuple[set[str], set[str]]:
    """Return option names of a method and its formulation, and the subset that takes strings."""
    from mbdgen.runtime.methods.scheme import choose

    scheme = choose(method, formulation, projection)
    words = {"preset", *(option.name for option in scheme.options if option.choices)}
    names = {option.name for option in scheme.options}
    return names | {"preset"}, words


def check_unambiguous(given: Iterable[str], known: Iterable[str], owner: str) -> None:
    """Refuse a name that is both a parameter of the model and an option of a method."""
    for name in sorted(set(known) & set(given)):
        raise OptionError(
            f"'{name}' is a parameter of the model and an option of {owner}.",
            "Rename the parameter of the model.",
        )


def scheme_options(
    texts: Iterable[str] | None, option: str, words: Container[str] = ("preset",)
) -> dict[str, Any]:
    """Parse options of a scheme: numbers, or strings where the option takes them."""
    return {
        name: value if name in words else as_number(value, f"{option} {name}")
        for name, value in assignments(texts, option).items()
    }


def assignments(texts: Iterable[str] | None, option: str) -> dict[str, str]:
    """Split ``key=value`` texts.

    Raises
    ------
    OptionError
        If a text has another form, or a key is repeated.
    """
    found: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        parts = key.strip().replace("-", "_").split(".")
        if not equals or not all(part.isidentifier() for part in parts):
            raise OptionError(f"{option} {text!r} is not of the form name=value.", "Correct it.")
        if key.strip() in found:
            raise OptionError(f"{option} gives '{key.strip()}' twice.", "Give it once.")
        found[key.strip()] = value.strip()
    return found


def model_arguments(texts: Iterable[str] | None, coordinates: str | None = None) -> dict[str, Any]:
    """Parse the arguments of a model function: Python literals; everything else is a string.

    Parameters
    ----------
    coordinates : str or None
        Value of ``--coordinates``, added as an argument.
    """
    given = {key: _literal(value) for key, value in assignments(texts, "-o").items()}
    if coordinates is None:
        return given
    if "coordinates" in given:
        raise OptionError("--coordinates and -o both give coordinates.", "Give them once.")
    return {**given, "coordinates": coordinates}


def described(model: str, arguments: Mapping[str, Any]) -> "language.Model":
    """Load a model with its arguments, in the coordinates given among them."""
    from mbdgen.language.read import read

    others = {name: value for name, value in arguments.items() if name != "coordinates"}
    return read(model, others, arguments.get("coordinates"))


def numbers(texts: Iterable[str] | None, option: str) -> dict[str, float]:
    """Parse ``name=number``."""
    return {
        key: as_number(value, f"{option} {key}")
        for key, value in assignments(texts, option).items()
    }


def as_number(text: str, what: str) -> float:
    """Parse a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise OptionError(f"{what} = {text!r} is not a number.", "Give a number.") from None
    if not isfinite(value):
        raise OptionError(f"{what} = {text} is not a finite number.", "Give a finite number.")
    return value


def as_span(text: str) -> tuple[float, float]:
    """Parse ``10`` as (0, 10) and ``2:10`` as (2, 10)."""
    start, colon, end = text.partition(":")
    if not colon:
        return 0.0, as_number(start, "--t")
    return as_number(start, "start of --t"), as_number(end, "end of --t")


def multiples(span: tuple[float, float], every: float) -> list[float]:
    """Return both ends of a span, and its start plus all multiples of an interval in between.

    Raises
    ------
    OptionError
        If the interval is not positive, or there would be too many instants.
    """
    from math import floor

    start, end = span
    if not every > 0.0 or not isfinite(every):
        raise OptionError(
            f"--record-every {every:g} is not an interval.", "Give a positive number."
        )
    count = abs(end - start) / every
    if count > MOST_INSTANTS:
        raise OptionError(
            f"--record-every {every:g} asks for {count:.0g} instants.", "Give a longer interval."
        )
    whole = floor(count + 1e-9)
    way = every if end >= start else -every
    found = [start + k * way for k in range(whole + 1)]
    if abs(found[-1] - end) <= 1e-9 * every:
        found[-1] = end
    return found if found[-1] == end else [*found, end]


def check_target(path: Path, option: str, suffixes: tuple[str, ...]) -> None:
    """Check before any computation that an output file can be written.

    Raises
    ------
    OptionError
        If its suffix is unknown, or its folder is missing or not writable.
    """
    import os

    if suffixes and path.suffix.lower() not in suffixes:
        raise OptionError(
            f"{option} '{path}' has the suffix {path.suffix!r}, which is not supported.",
            f"Use one of: {', '.join(suffixes)}.",
        )
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        reason = (
            "it is a folder"
            if path.is_dir()
            else f"the folder '{folder}' "
            + ("is not writable" if folder.is_dir() else "is missing")
        )
        raise OptionError(
            f"{option} '{path}' cannot be written: {reason}.",
            "Give a file name in an existing, writable folder.",
        )


def _literal(text: str) -> Any:
    lowered = {"true": True, "false": False, "none": None}
    if text.lower() in lowered:
        return lowered[text.lower()]
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text

"""Reading of the nine files of a folder."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.mubodyna.assignment_values import evaluate
from mbdgen.mubodyna.input_fields import BOX, DERIVED, FILES, SOLVER, FieldKind, InputFile
from mbdgen.mubodyna.items import Item, item
from mbdgen.mubodyna.parse import parse
from mbdgen.mubodyna.places import SourcePlace, close_to, fault
from mbdgen.mubodyna.values import InputElement, InputEntry, is_numeric


@dataclass(frozen=True)
class Folder:
    """MUBODYNA model as read; lists are numbered from 1, like its elements.

    Attributes
    ----------
    name : str
        Name of the folder.
    bodies, points, drawn, vectors1, vectors2, forces, joints, functs : list of Item
        Elements; `drawn` are points for pictures only.
    box : dict
        Limits and angles of pictures, as far as given.
    solver : dict
        ``t_final``, ``dt``, ``method``, ``correct_ic``, as far as given.
    """

    name: str
    bodies: list[Item] = field(default_factory=list)
    points: list[Item] = field(default_factory=list)
    drawn: list[Item] = field(default_factory=list)
    vectors1: list[Item] = field(default_factory=list)
    vectors2: list[Item] = field(default_factory=list)
    forces: list[Item] = field(default_factory=list)
    joints: list[Item] = field(default_factory=list)
    functs: list[Item] = field(default_factory=list)
    box: dict[str, float] = field(default_factory=dict)
    solver: dict[str, Any] = field(default_factory=dict)


def read_folder(path: Path) -> Folder:
    """Return the model defined by the files of a folder.

    Raises
    ------
    ModelError
        For missing or unsupported input, with file and line.
    """
    if not path.is_dir():
        raise ModelError(f"There is no folder {path}.", "Give the folder of a MUBODYNA model.")
    sources = {key: _source(path, kind) for key, kind in FILES.items()}
    found: dict[str, Any] = {}
    for key, kind in FILES.items():
        file, text = sources[key]
        statements = parse(file, text)
        known = evaluate(statements, [kind.struct] if kind.struct else [])
        if kind.struct:
            found[key] = _items(kind, file, known) if statements else []
        if key == "drawn":
            found["box"] = {n: _scalar(n, known[n]) for n in BOX if n in known}
        if key == "solver":
            found["solver"] = _solver(known)
    return Folder(path.resolve().name, **found)


def _source(folder: Path, kind: InputFile) -> tuple[str, str]:
    for name in kind.names:
        path = folder / f"{name}.m"
        if path.is_file():
            try:
                return path.name, path.read_text("utf-8-sig")
            except UnicodeDecodeError:
                return path.name, path.read_text("latin-1")
    raise ModelError(
        f"The file {kind.name}.m is missing in {folder}.",
        "A model consists of all nine files, even if some are empty.",
    )


def _items(kind: InputFile, file: str, known: dict[str, InputEntry]) -> list[Item]:
    outputs = [name for name in kind.outputs if name in known]
    if not outputs:
        if not any(isinstance(x.value, InputElement) for x in known.values()):
            return []
        raise fault(
            file,
            f"{kind.outputs[0]} is not assigned.",
            f"End the file with {kind.outputs[0]} = [...]; of its elements.",
        )
    listed = known[outputs[0]].value
    elements = [listed] if isinstance(listed, InputElement) else listed
    if not isinstance(elements, list):
        raise fault(
            known[outputs[0]].place, f"{outputs[0]} contains no elements.", "List them: [B1 B2]."
        )
    return [_checked(kind, k, element) for k, element in enumerate(elements, 1)]


def _checked(kind: InputFile, number: int, element: InputElement) -> Item:
    spelled = {s: f for f in kind.fields for s in (f.name, *f.aliases)}
    entries: dict[str, tuple[FieldKind, InputEntry]] = {}
    for name, entry in element.entries.items():
        if name not in spelled:
            raise _unknown(kind, name, entry.place)
        entries[spelled[name].name] = (spelled[name], entry)
    return item(number, element.place, element.note, entries)


def _unknown(kind: InputFile, name: str, place: SourcePlace) -> ModelError:
    if name in DERIVED:
        return fault(place, f"the field {name!r} is computed by the program.", "Omit it.")
    names = [f.name for f in kind.fields]
    return fault(place, f"{kind.struct} has no field {name!r}.", close_to(name, names))


def _scalar(name: str, entry: InputEntry) -> float:
    if not is_numeric(entry.value) or entry.value.size != 1:
        raise fault(entry.place, f"{name} is not a number.", "Give one number.")
    return float(entry.value.item())


def _solver(known: dict[str, InputEntry]) -> dict[str, Any]:
    texts = {"correct_ic": ("y", "n"), "method": ("standard", "penalty", "augmented")}
    found: dict[str, Any] = {}
    for name in (n for n in SOLVER if n in known):
        entry = known[name]
        if name not in texts:
            found[name] = _scalar(name, entry)
            if found[name] < 0 or (name == "dt" and found[name] == 0):
                raise fault(entry.place, f"{name} is {found[name]:g}.", "Give a positive number.")
        elif entry.value in texts[name]:
            found[name] = entry.value
        else:
            listed = ", ".join(map(repr, texts[name]))
            raise fault(entry.place, f"{name} is {entry.value!r}.", f"Give one of: {listed}.")
    return found

"""The verdict on a damaged file: what reads it heals it, or refuses it; nothing else changes."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from mbdgen import Model, simulate
from mbdgen.language.read import read
from mbdgen.mubodyna.importer import import_mubodyna
from mbdgen.runtime.system.system_data import FloatArray
from tests.fuzz import damages, estate, kept
from tests.fuzz.estate import SYSTEMS, Estate, outputs, system_of
from tests.fuzz.verdicts import Case, Verdict, refusal

BYSTANDERS = ("thesis.txt", "cache/thesis.txt", "cache/modules/notes.py", "models/swing.npz")
"""Files of the user's that lie about, where nobody may touch them."""


def judge(whole: Estate, seed: int, number: int) -> Case:
    """Damage a file of a copy of everything, and use it."""
    random = Random(f"files {seed} {number}")
    kind = random.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name) / "work"
        shutil.copytree(whole.folder, folder, symlinks=True)
        for bystander in BYSTANDERS:
            (folder / bystander).write_text(f"of the user: {bystander}")
        os.environ["MBDGEN_CACHE"] = str(folder / "cache")
        os.chdir(folder)
        told: list[str] = []
        case = _used(KINDS[kind][1], whole, folder, random, told)
        lost = [b for b in BYSTANDERS if not _is_there(folder / b, f"of the user: {b}")]
        os.chdir("/")
    if lost and not case.verdict.is_fault:
        case = Case(Verdict.LOST, ", ".join(lost))
    return Case(case.verdict, f"{kind}: {'; '.join(told)}: {case.detail}")


def _is_there(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


Use = Callable[[Estate, Path, Random, list[str]], Case]


def _used(use: Use, whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    try:
        return use(whole, folder, random, told)
    except Exception as error:
        return refusal(error)


def _same(found: FloatArray, expected: FloatArray) -> Case:
    """The verdict on numbers that came out in spite of the damage."""
    if found.shape == expected.shape and found.tobytes() == expected.tobytes():
        return Case(Verdict.HEALED)
    if found.shape != expected.shape:
        return Case(Verdict.WRONG, f"{found.shape} instead of {expected.shape}")
    if not np.isfinite(found).all():
        return Case(Verdict.NAN, "outputs")
    return Case(Verdict.WRONG, f"outputs differ by {np.abs(found - expected).max():.2e}")


def _pick(folder: Path, random: Random, told: list[str], pattern: str = "*") -> Path:
    """A file below a folder that is not the user's."""
    files = [p for p in sorted(folder.rglob(pattern)) if p.is_file()]
    files = [p for p in files if p.name not in ("thesis.txt", "notes.py")]
    path = random.choice(files)
    told.append(str(path.relative_to(folder.parent)))
    return path


def _damage(path: Path, random: Random, told: list[str], crafts: float = 0.0) -> None:
    before = path.read_bytes()
    if path.suffix == ".npz" and random.random() < crafts:
        way = damages.lie if random.random() < 0.15 else damages.craft
        told.append(way(path, random))
    else:
        told.append(damages.damage(path, random))
    if path.is_file() and path.read_bytes() == before:
        told.append("unchanged")


def of_types(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """A derived type, from which modules are made again."""
    _damage(_pick(folder / "cache" / "types", random, told), random, told)
    for path in (folder / "cache" / "modules").iterdir():
        if path.is_dir():
            shutil.rmtree(path)
    k = random.choice((0, 2, 3))
    return _same(outputs(system_of(folder, *SYSTEMS[k])), whole.motions[k])


def of_modules(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """A file of a generated module, its library or the bytes that Python keeps of it."""
    path = _pick(folder / "cache" / "modules", random, told)
    _damage(path, random, told, 0.3)
    at = [k for k, (name, *_) in enumerate(SYSTEMS) if path.name.startswith(name)]
    k = random.choice(at or range(len(SYSTEMS)))
    return _same(outputs(system_of(folder, *SYSTEMS[k])), whole.motions[k])


def of_machine(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """Machine code of a kernel."""
    _damage(_pick(folder / "cache" / "machine", random, told), random, told)
    return _same(outputs(system_of(folder, *SYSTEMS[1])), whole.motions[1])


def of_programs(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """An entry of the index of compiled functions; a new process would read it."""
    _damage(_pick(folder / "cache" / "programs", random, told), random, told)
    return _same(outputs(system_of(folder, *SYSTEMS[1])), whole.motions[1])


def of_checkpoints(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """A checkpoint that a run continues from; a crafted one may be another sound motion."""
    path = _pick(folder / "checkpoints", random, told)
    _damage(path, random, told, 0.5)
    crafted = ":" in told[-1] or "claims" in told[-1]
    found = estate.go_on(folder, path.stem)
    if crafted and np.isfinite(found).all():
        return Case(Verdict.SOUND)
    return _same(found, whole.continued[path.stem])


def of_results(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """A saved result; what was crafted may have other numbers."""
    path = _pick(folder / "results", random, told)
    expected = estate.read_result(whole.folder, path.stem)
    _damage(path, random, told, 0.5)
    found = estate.read_result(folder, path.stem)
    if ":" in told[-1] or "claims" in told[-1] or len({*told}) == 1:
        return Case(Verdict.SOUND)
    return _same(found, expected)


def of_models(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """A model file: another model, or none."""
    path = _pick(folder / "models", random, told, "*.py")
    _damage(path, random, told)
    try:
        return _of_model(read(path), folder)
    except Exception as error:
        return refusal(error, theirs=True)


def _of_model(model: Model, folder: Path) -> Case:
    from mbdgen import build, load

    build(model, folder / "built", backend="c")
    result = simulate(load(model, backend="c"), (0.0, 0.1), h=0.01, progress=False)
    if not result.success:
        return Case(Verdict.TOLD, result.message[:100])
    if getattr(result, "warnings", ()):
        return Case(Verdict.WARNED)
    return Case(Verdict.SOUND if np.isfinite(result.outputs).all() else Verdict.NAN)


def of_mubodyna(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """An input file of MUBODYNA."""
    path = _pick(folder / "mubodyna", random, told, "*.m")
    _damage(path, random, told)
    text = import_mubodyna(path.parent, "imported.py")
    try:
        compile(text, "imported.py", "exec")
    except SyntaxError as error:
        return Case(Verdict.WRONG, f"the text of the model has no sense: {error}")
    (folder / "imported.py").write_text(text)
    read(folder / "imported.py")
    return Case(Verdict.SOUND)


def of_data(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """Matrices of a flexible body, or a table of parameters."""
    path = _pick(folder / "data", random, told)
    _damage(path, random, told, 0.5)
    if path.suffix == ".csv":
        from mbdgen.cli.parameter_sets import read_table

        table = read_table(path)
        fine = all(np.isfinite(x).all() for x in table.values())
        return Case(Verdict.SOUND if fine else Verdict.NAN, f"{[*table]}")
    given = {"mass": "mass.mtx", "stiffness": "stiffness.mtx", "nodes": "nodes.npy"}
    swapped = {"both": ("mass", "stiffness"), "sparse": ("stiffness",), "mass": ("mass",)}
    given |= {key: path.name for key in swapped.get(path.stem, ())}
    places = {key: folder / "data" / name for key, name in given.items()}
    nodes = np.load(places.pop("nodes")) if path.stem != "nodes" else places.pop("nodes")
    body = Model("one").flexible_body("part", nodes=nodes, interface=[0, 6], **places)
    fine = np.isfinite(body.frequencies).all()
    return Case(Verdict.SOUND if fine else Verdict.NAN, "frequencies")


def of_ensembles(whole: Estate, folder: Path, random: Random, told: list[str]) -> Case:
    """The file of an ensemble, or the unfinished file of a sweep that was killed."""
    return _same(kept.of_ensembles(folder, random, told), whole.members)


KINDS: dict[str, tuple[float, Use]] = {
    "derived type": (20, of_types),
    "module": (24, of_modules),
    "machine code": (7, of_machine),
    "checkpoint": (18, of_checkpoints),
    "result": (11, of_results),
    "model file": (5, of_models),
    "MUBODYNA": (8, of_mubodyna),
    "data": (7, of_data),
    "ensemble": (8, of_ensembles),
    "index of machine code": (2, of_programs),
}
"""With how often they are drawn."""

"""Content hashes (cache keys) of derived element types and generated modules.

Equal hashes mean that a cached result is valid, so the sources of mbdgen itself are hashed too:
after an update, or an edit of one file, no stale type or module is reused.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from mbdgen.build_options import BuildOptions
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import initial_of
from mbdgen.language.model import Model
from mbdgen.topology.elements import ElementSpec
from mbdgen.topology.stated_scene import figures
from mbdgen.version import __version__

_ELSEWHERE = frozenset(
    "analyses bench cli compare emit grouping mechanics modal models runtime show stability "
    "templates view".split()
)
"""Folders that do not affect equations. A folder missing here costs a superfluous derivation; one
missing in a list of the others would leave stale equations in the cache."""


def digest(parts: Iterable[str]) -> str:
    """Return a short content hash."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.encode())
        h.update(b"\0")
    return h.hexdigest()[:32]


def type_digest(structure: str, engine: str, second: bool = False) -> str:
    """Return the hash of everything that the derived type of a structure depends on.

    Parameters
    ----------
    second : bool
        Whether the type has second derivatives.
    """
    parts = [structure, engine, package_source(), library_version("sympy")]
    return digest([*parts, "second"] if second else parts)


def module_digest(model: Model, specs: Sequence[ElementSpec], options: BuildOptions) -> str:
    """Return the hash of all inputs of a generated module, including the sources of mbdgen."""
    outputs = model.outputs.values()
    types = {s.key: type_digest(s.key, options.engine, options.second) for s in specs}
    return digest(
        [
            __version__,
            package_source(),
            printing_source(),
            library_version("sympy"),
            options.text(),
            model.name,
            *([model.joint_coordinates] if model.joint_coordinates else []),
            *(f"{p.name}={p.value!r}" for p in model.parameters.values()),
            *map(_described, model.bodies.values()),
            *map(repr, model.shared),
            *map(repr, figures(model)),
            *map(str, model.crowds.values()),
            *(f"{o.name}:{[s for s, _ in o.components]}:{o.units()}" for o in outputs),
            *(f"{s.name}:{types[s.key]}:{_connections(s)}:{s.columns!r}" for s in specs),
        ]
    )


def _connections(spec: ElementSpec) -> tuple[list[str], list[str]]:
    """Return the names of an element's bodies and joints; its structure contains indices only."""
    return [b.name for b in spec.bodies], [p.owner for p in spec.parts]


def _described(body: Body) -> str:
    """Return the data of a body in a module besides equations and parameters, as text."""
    assert body.kind is not None
    initial = initial_of(body.kind, body.motion)
    fixed = f"{sorted(body.fixed)}{sorted(body.fixed_velocity)}"
    return f"{body.name}:{body.kind.name}:{fixed}:{initial!r}"


@cache
def package_source() -> str:
    """Return the hash of the sources of mbdgen that derive equations."""
    root = Path(__file__).parent
    folders = (f for f in root.iterdir() if f.is_dir() and f.name not in _ELSEWHERE)
    found = sorted(p for folder in folders for p in folder.rglob("*.py"))
    return digest(p.read_text("utf-8") for p in (root / "interface.py", *found))


@cache
def printing_source() -> str:
    """Return the hash of the sources and templates of mbdgen that emit code."""
    root = Path(__file__).parent
    templates = Path(str(files("mbdgen.templates")))
    found = [*sorted((root / "emit").rglob("*.py")), *sorted(templates.rglob("*.jinja"))]
    return digest(p.read_text("utf-8") for p in found)


@cache
def library_version(name: str) -> str:
    """Return the version of an installed library without importing it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"

"""Rendering of Jinja2 templates with the prepared variables that each of them uses.

A template can include those of its own and of all other folders, so that the common parts of all
Python modules (names, tables, the system) are defined once, in `templates/python`.
"""

import textwrap
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import meta

from mbdgen.emit.array_functions import array_functions, moving_types, telling_types
from mbdgen.emit.backend import Backend
from mbdgen.emit.element_kernels import element_kernels
from mbdgen.emit.notes import as_comment
from mbdgen.emit.parameters import (
    bounded_code,
    derived_code,
    derived_variation_code,
    parameter_change_names,
)
from mbdgen.emit.recursive import (
    branches,
    calls_by_kernel,
    recursive_elements,
    recursive_kernels,
)
from mbdgen.emit.scene_code import scene_code
from mbdgen.emit.system_kernels import system_kernels
from mbdgen.emit.table_literals import derived_notes, literal, wrapped
from mbdgen.errors import BuildError
from mbdgen.interface import MOTION_PARTS, RESULTS
from mbdgen.runtime.initialisation.void_equations import NO_DERIVATIVE
from mbdgen.symbolic.ir.system_ir import SystemIR


def render(system: SystemIR, backend: Backend, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of all files by suffix.

    Parameters
    ----------
    system : SystemIR
        Intermediate representation of the mechanism.
    backend : Backend
        Target language.
    facts : mapping
        Provenance for the header: versions, options, digest, stage times.
    """
    elements = element_kernels(system, backend.printer)
    printed = []
    if system.recursion is not None:
        elements += recursive_elements(system, backend.printer)
        printed = branches(system.recursion, backend.printer)
        kernels = recursive_kernels(system, elements, printed)
    else:
        kernels = system_kernels(system, elements, backend.printer, backend.part_size)
    moving, telling = moving_types(system), telling_types(system)
    values: dict[str, Any] = {
        "system": system,
        "facts": facts,
        "elements": elements,
        "kernels": kernels,
        "branches": printed,
        "element_calls": calls_by_kernel(elements),
        "results": RESULTS,
        "no_derivative": NO_DERIVATIVE,
        "derived": derived_code(system, backend.module_printer),
        "bounded": bounded_code(system, backend.module_printer),
        "derived_notes": derived_notes(system),
        "derived_variation": derived_variation_code(system, backend.module_printer),
        "parameter_changes": parameter_change_names(system),
        "tables": literal(system, backend.table_limit),
        "backend": backend.name,
        "fuses": backend.fuses,
        "moving_types": moving,
        "motion_functions": array_functions(moving),
        "telling_types": telling,
        "telling_functions": array_functions(telling),
        "motion_parts": tuple(MOTION_PARTS),
        "wrapped": wrapped,
        "scene": scene_code(system.scene, backend.module_printer) if system.scene else None,
    }
    environment = environment_of(backend.name)
    environment.filters["variable"] = backend.module_printer.variable
    return {suffix: _render(environment, name, values) for name, suffix in backend.templates}


def environment_of(folder: str) -> jinja2.Environment:
    """Return the Jinja2 environment of a template folder."""
    # FileSystemLoader: PackageLoader does not find mapped packages in editable installs.
    root = Path(str(files("mbdgen.templates")))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([root / folder, root]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["fold"] = _fold
    environment.filters["beside"] = _beside
    environment.filters["comment"] = as_comment
    return environment


def _fold(text: str, width: int = 100, brackets: bool = False) -> str:
    """Wrap a long statement at spaces.

    Parameters
    ----------
    brackets : bool
        Put an assigned expression in brackets (languages in which the end of a line matters).
    """
    if len(text) <= width:
        return text
    before = " " * (len(text) - len(text.lstrip()))
    more = before + "    "
    if brackets:
        target, _, value = text.partition("= ")
        folded = textwrap.fill(
            value,
            width,
            initial_indent=more,
            subsequent_indent=more,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return f"{target}= (\n{folded}\n{before})"
    return textwrap.fill(
        text, width, subsequent_indent=more, break_long_words=False, break_on_hyphens=False
    )


def _beside(text: str, note: str, start: str = "#", end: str = "") -> str:
    """Append a comment to a statement, if the line is short enough."""
    line = f"{text}  {start} {note} {end}".rstrip()
    return line if note and len(line) <= 100 and "\n" not in text else text


def _render(environment: jinja2.Environment, name: str, values: Mapping[str, Any]) -> str:
    wanted = _wanted(environment, name)
    missing = sorted(wanted - set(values))
    if missing:
        raise BuildError(f"Template {name} uses {missing}, which it is not given.")
    return environment.get_template(name).render({k: values[k] for k in wanted})


def _wanted(environment: jinja2.Environment, name: str) -> set[str]:
    """Return the names that a template and those it includes use."""
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, name)[0])
    wanted = set(meta.find_undeclared_variables(tree))
    for other in meta.find_referenced_templates(tree):
        assert other is not None, f"{name} includes a template whose name is computed"
        wanted |= _wanted(environment, other)
    return wanted

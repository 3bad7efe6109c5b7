r"""Equations of a mechanism as text or LaTeX.

First every element type, once: joints and forces by frames, bodies by coordinates, with the terms
of :math:`M a = f + G^T \lambda,\ \phi = 0` that they contribute. Then the mechanism: its rows and
blocks, and for small mechanisms every entry.
"""

from collections.abc import Iterable, Mapping, Sequence

from mbdgen.errors import OptionError, meant
from mbdgen.language.model import Model
from mbdgen.show.assembled_equations import assembled_sections
from mbdgen.show.document import EquationLine, EquationSection, as_latex, as_text
from mbdgen.show.equation_lines import latex, plain, with_whole_numbers
from mbdgen.show.type_equations import type_lines
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import state
from mbdgen.topology.elements import ElementSpec

FORMULA = r"M(q)\,a = f(t, q, v) + G(q)^T \lambda, \quad \phi(t, q) = 0"
NOTES = (
    "M a = f + G^T lam, phi(t, q) = 0",
    "a, b: bodies and frames of an element; r, v, ω, e1..e3: point, velocity, angular",
    "velocity, axes of a frame; s_b, l_b_1..3: its point and axes in the body; G = H T.",
)

LATEX_NOTE = r"""Bodies and frames of an element are $a$, $b$. Of a frame, $\mathbf{r}$ is the
point, $\mathbf{v}$ its velocity, $\boldsymbol{\omega}$ the angular velocity and
$\mathbf{e}_1, \mathbf{e}_2, \mathbf{e}_3$ are the axes; $s$ and $l$ are its point and axes in
the body. $H = \partial\phi/\partial q$, $G = H T$ with $\dot{q} = T u$."""


def equations_text(
    model: Model,
    specs: Sequence[ElementSpec],
    engine: str,
    elements: Sequence[str] = (),
    assembled: bool = False,
    in_latex: bool = False,
) -> str:
    """Return the equations of a model.

    Parameters
    ----------
    elements : sequence of str
        Elements to show; by default, without `assembled`, everything.
    assembled : bool
        Show the assembled mechanism.
    in_latex : bool
        Return a LaTeX document.

    Raises
    ------
    OptionError
        If there is no such element.
    """
    sections = equation_sections(model, specs, engine, elements, assembled)
    title = f"Equations of '{model.name}'"
    if in_latex:
        return as_latex(title, FORMULA, LATEX_NOTE, sections)
    return as_text(title, NOTES, sections)


def equation_sections(
    model: Model,
    specs: Sequence[ElementSpec],
    engine: str,
    elements: Sequence[str] = (),
    assembled: bool = False,
) -> list[EquationSection]:
    """Return the equations of a model in sections; parameters as for `equations_text`."""
    stated = {s.name: s for s in specs if s.role != "output"}
    for name in elements:
        if name not in stated:
            raise _unknown(name, model, list(stated))
    everything = not elements and not assembled
    sections = [_element(stated[name], engine) for name in dict.fromkeys(elements)]
    types = _types(stated.values())
    if everything:
        sections += [_type(found, engine) for found in types.values()]
    if everything or assembled:
        sections += assembled_sections(model, specs, _constrained(types, engine), engine)
    return sections


def _unknown(name: str, model: Model, known: Sequence[str]) -> OptionError:
    """Return the error for an unknown element, with the known ones."""
    if name in model.outputs:
        return OptionError(
            f"'{name}' is an output, which has no equations.", "Name a body, joint or force."
        )
    listed = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    remedy = meant(name, known, f"It has: {listed}.")
    return OptionError(f"Model '{model.name}' has no element '{name}'.", remedy)


def _types(specs: Iterable[ElementSpec]) -> dict[str, list[ElementSpec]]:
    found: dict[str, list[ElementSpec]] = {}
    for spec in specs:
        found.setdefault(spec.key, []).append(spec)
    return found


def _type(found: Sequence[ElementSpec], engine: str) -> EquationSection:
    """Return the equations of a type under the names of its elements."""
    names = ", ".join(s.name for s in found[:8]) + (", ..." if len(found) > 8 else "")
    return EquationSection(f"{found[0].title}: {names}", tuple(type_lines(found[0], engine, False)))


def _element(spec: ElementSpec, engine: str) -> EquationSection:
    """Return the equations of one element with its own parameter values."""
    on = ", ".join(f"{x} = {b.name}" for x, b in zip(spec.labels, spec.bodies, strict=True))
    numbers = [
        EquationLine("numbers", f"{name} = {plain(value)}", f"{latex(name)} = {latex(value)}")
        for name, value in ((n, with_whole_numbers(x)) for n, x in spec.columns)
    ]
    title = f"{spec.title} '{spec.name}'" + (f" ({on})" if on else "")
    return EquationSection(title, (*type_lines(spec, engine, True), *numbers))


def _constrained(types: Mapping[str, Sequence[ElementSpec]], engine: str) -> set[str]:
    """Return the bodies with constraints of their own: unit vectors or rigid lengths."""
    found: set[str] = set()
    for specs in types.values():
        if specs[0].role == "body":
            statement = state(ElementContext(specs[0], make_engine(engine)))
            if statement.norms or statement.constraints:
                found.update(s.name for s in specs)
    return found

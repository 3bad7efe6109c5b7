"""Tables of the documents, made from the code they are about.

``python docs/scripts/tables.py`` writes them between ``<!-- table: NAME -->`` and ``<!-- end -->``;
a test checks that they are current. The file is long because it has one function for each table;
they have nothing in common but `table`.
"""

import ast
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from inspect import Parameter, getsource, signature
from pathlib import Path
from textwrap import dedent
from typing import Any

from package_graph import excused, layers
from package_graph import packages as found_packages
from package_graph import rooms as found_rooms

from mbdgen import Model, functions
from mbdgen.analyses.base import SystemAnalysis
from mbdgen.analyses.by_name import analyses as known_analyses
from mbdgen.bodies.oriented import Oriented
from mbdgen.capabilities.axes import SHEETS
from mbdgen.capabilities.capability_table import VERDICTS, cells, counts
from mbdgen.contact_laws.base import contact_laws
from mbdgen.friction_laws.base import friction_laws
from mbdgen.joints.base import Joint
from mbdgen.joints.formed import FormedJoint
from mbdgen.language.bodies import homogeneous_shapes
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.registry import beam_kinds, body_kinds, elements
from mbdgen.limits import FEATURES
from mbdgen.quantities import markdown_table
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime import projections as projectors
from mbdgen.runtime.methods import method_summary
from mbdgen.runtime.results.body_series import QUANTITIES
from mbdgen.runtime.results.expression_functions import FUNCTIONS
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.symbolic.statement.statements import state
from mbdgen.topology.specify import specify

DOCS = Path(__file__).parents[1]
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", flags=re.DOTALL)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    safe = [[cell.replace("|", r"\|") for cell in cells] for cells in lines]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in safe)


def first_sentence(thing: Any) -> str:
    """Return the first line of a docstring without its full stop."""
    return (thing.__doc__ or "").strip().splitlines()[0].rstrip(".")


def code(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def options(element: Any) -> str:
    """Fields of an element or analysis with their defaults."""
    return code([_option(f.name, f.default) for f in fields(element)])


def _option(name: str, default: Any) -> str:
    """A field with its default; a function shows its arguments."""
    if isinstance(default, Function):
        return f"{name}({', '.join(default.arguments)})"
    return name if default in (None, MISSING) else f"{name}={default!r}"


def rows_in_space(element: Any) -> int:
    """Count the equations of a joint between two spatial bodies."""
    m = Model("table")
    a = m.body("one", 1, (1, 1, 1))
    b = m.body("two", 1, (1, 1, 1), position=(1, 0, 0))
    placing = {"axis_a": (0, 0, 1), "axis_b": (0, 1, 0)} if element.axis else {}
    m.add("joint", element, *(a, b)[: len(element.ends)], **placing, **_needed(element, a.at().x))
    (spec,) = (s for s in specify(m) if s.role == "joint")
    found = state(ElementContext(spec, make_engine("sympy")))
    return len(found.constraints) + len(found.velocities)


def _needed(element: Any, anything: Any) -> dict[str, Any]:
    """Return some value for every field that has no default."""
    given = {f.name: anything for f in fields(element) if f.default is MISSING}
    for f in fields(element):
        if isinstance(f.default, Function):
            given[f.name] = lambda *x, n=f.default.size: tuple(x[0] for _ in range(n))
    return given


def equations(element: Any) -> str:
    """Return what a joint keeps at zero, as its source says it, without local names."""
    if element.equations is FormedJoint.equations:
        stated = ["`b.r - a.r`"] * element.meets
        for name in ("guides", "directions", "besides"):
            part = getattr(element, name)
            stated += returned(part) if part is not getattr(FormedJoint, name) else []
    else:
        stated = returned(element.equations)
    if element.velocity_equations is not Joint.velocity_equations:
        stated += returned(element.velocity_equations)
    return "<br>".join(stated)


def returned(method: Any) -> list[str]:
    """Return the expressions of the list that a method returns."""
    function = ast.parse(dedent(getsource(method))).body[0]
    assert isinstance(function, ast.FunctionDef)
    local: dict[str, ast.expr] = {}
    for statement in function.body:
        if isinstance(statement, ast.Assign):
            (target,) = statement.targets
            names, values = _parts(target), _parts(statement.value)
            if isinstance(target, ast.Name) or isinstance(statement.value, ast.Tuple):
                local |= {ast.unparse(n): v for n, v in zip(names, values, strict=True)}
    last = function.body[-1]
    assert isinstance(last, ast.Return) and isinstance(last.value, ast.List)
    texts = [ast.unparse(_Inlined(local).visit(e)) for e in last.value.elts]
    return [f"`{text.replace('self.', '').removeprefix('*')}`" for text in texts]


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


class _Inlined(ast.NodeTransformer):
    def __init__(self, local: dict[str, ast.expr]) -> None:
        self.local = local

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.local.get(node.id, node)


def joints() -> str:
    found = sorted((n, e) for n, e in elements().items() if e.role == "joint")
    return table(
        ("method", "what it is", "number", "kept at zero", "axis", "options", "measures"),
        [
            (
                f"`{name}`",
                first_sentence(e),
                str(rows_in_space(e)),
                equations(e),
                "yes" if e.axis else "",
                options(e),
                code(sorted(e.measures)),
            )
            for name, e in found
        ],
    )


def forces() -> str:
    found = sorted((n, e) for n, e in elements().items() if e.role == "force")
    return table(
        ("method", "what it is", "ends", "axis", "options", "measures"),
        [
            (
                f"`{name}`",
                first_sentence(e),
                str(len(e.ends)),
                "yes" if e.axis else "",
                options(e),
                code(sorted(e.measures)),
            )
            for name, e in found
        ],
    )


def outputs() -> str:
    found = sorted((n, e) for n, e in elements().items() if e.role == "output")
    return table(
        ("method", "what it is", "components", "unit", "ends", "axis", "options"),
        [
            (
                f"`{name}`",
                first_sentence(e),
                str(e.components),
                e.unit,
                str(len(e.ends)),
                "yes" if e.axis else "",
                options(e),
            )
            for name, e in found
        ],
    )


def analyses() -> str:
    return table(
        ("name", "what it finds", "of", "choices"),
        [
            (
                f"`{name}`",
                first_sentence(a),
                "a mechanism" if issubclass(a, SystemAnalysis) else "a motion",
                options(a),
            )
            for name, a in sorted(known_analyses().items())
        ],
    )


def bodies() -> str:
    return table(
        ("`coordinates=`", "what it is", "coordinates", "dynamics rows", "variables of its own"),
        [
            (
                f"`{name}`",
                first_sentence(kind),
                code(kind.coordinates),
                str(len(kind.rows)),
                code(_variables(kind)),
            )
            for name, kind in sorted(body_kinds().items())
            if not issubclass(kind, Oriented)
        ],
    )


def beam_kinds_() -> str:
    return table(
        ("`kind=`", "what it is", "where", "a node has"),
        [
            (
                f"`{name}`",
                first_sentence(kind),
                "plane" if kind.planar else "space",
                code([block.name[:-1] for block in kind.blocks if block.name.endswith("1")]),
            )
            for name, kind in sorted(beam_kinds().items())
        ],
    )


def orientations() -> str:
    sets = [kind for kind in body_kinds().values() if issubclass(kind, Oriented)]
    return table(
        ("`coordinates=`", "what it is", "numbers", "reach", "singular at", "there a run takes"),
        [
            (
                f"`{kind.name}`",
                first_sentence(kind),
                code(kind.orientation.coordinates),
                kind.orientation.reach,
                kind.orientation.singular,
                _remedy(kind),
            )
            for kind in sorted(sets, key=lambda kind: kind.name)
        ],
    )


def contact_laws_() -> str:
    return table(
        ("`law=`", "what it is", "resistance", "exponent n"),
        [
            (f"`{name}`", first_sentence(law), f"`{law.formula}`", f"{law.exponent:g}")
            for name, law in sorted(contact_laws().items())
        ],
    )


def friction_laws_() -> str:
    return table(
        ("`friction=`", "what it is", "coefficient"),
        [
            (f"`{name}`", first_sentence(law), f"`{law.formula}`".replace("|", r"\|"))
            for name, law in sorted(friction_laws().items())
        ],
    )


def _remedy(kind: type[Oriented]) -> str:
    if kind.attitude is None:
        return ""
    return "another base" if kind.attitude.rebased else "other numbers"


def _variables(kind: Any) -> list[str]:
    m = Model("table", coordinates=kind.name)
    m.body("body", 1, None)
    (spec,) = specify(m)
    context = ElementContext(spec, make_engine("sympy"))
    return list(kind().variables(context.bodies[0]))


def shape_functions() -> str:
    names = [n for n, f in vars(homogeneous_shapes).items() if f.__class__.__name__ == "function"]
    own = [
        n
        for n in names
        if getattr(homogeneous_shapes, n).__module__ == homogeneous_shapes.__name__ and n[0] != "_"
    ]
    return table(
        ("`mbdgen.language.bodies.homogeneous_shapes`", "mass and inertia"),
        [
            (
                f"`{_call(getattr(homogeneous_shapes, n))}`",
                _after_return(getattr(homogeneous_shapes, n)),
            )
            for n in own
        ],
    )


def _call(function: Any) -> str:
    given = signature(function).parameters.values()
    return f"{function.__name__}({', '.join(map(_bare, given))})"


def _bare(parameter: Parameter) -> str:
    """An argument without its type where that says nothing or much."""
    return str(parameter.replace(annotation=Parameter.empty))


def _after_return(function: Any) -> str:
    return first_sentence(function).removeprefix("Return ")


def functions_() -> str:
    """Functions of time, as they are called."""
    made = [getattr(functions, name) for name in functions.__all__ if name.islower()]
    return table(
        ("function", "what it is"),
        [(f"`{_call(f)}`", _after_return(f)) for f in made],
    )


def methods() -> str:
    found = [integrators.method(name) for name in integrators.known()]
    return table(
        ("method", "order", "kind", "equations", "steps by `rtol`", "formulation", "options"),
        [
            (
                f"`{m.name}`",
                str(m.order),
                method_summary.kind(m),
                method_summary.equations(m),
                method_summary.adaptive(m),
                m.formulation,
                "; ".join(f"`{o.name}={o.default:g}` {o.text}" for o in m.options),
            )
            for m in found
        ],
    )


def _schemes() -> dict[str, dict[str, dict[str, Any]]]:
    """Return what `schemes.py` has measured: scheme, problem, findings."""
    return dict(json.loads((DOCS / "scripts" / "schemes.json").read_text("utf-8")))


def formulations_() -> str:
    known = [formulations.formulation(name) for name in formulations.known()]
    return table(
        ("formulation", "what it does", "methods", "keeps", "projection", "options"),
        [
            (
                f"`{f.name}`",
                f.text,
                " and ".join(
                    word for word, part in (("explicit", f.slope), ("implicit", f.solve)) if part
                ),
                ", ".join(f.levels) or "no level",
                f.projection,
                "; ".join(f"`{o.name}={o.default:g}` {o.text}" for o in f.options),
            )
            for f in known
        ],
    )


def projections() -> str:
    known = [projectors.projector(name) for name in projectors.known()]
    return table(("projection", "what it does"), [(f"`{p.name}`", p.text) for p in known])


def citations() -> str:
    found = [
        *(integrators.method(name) for name in integrators.known()),
        *(formulations.formulation(name) for name in formulations.known()),
        *(projectors.projector(name) for name in projectors.known()),
    ]
    return "".join(f"- `{f.name}`: {f.citation()}\n" for f in found if f.citation())


def scheme_orders() -> str:
    """Observed orders of every scheme, its largest violations, and why it did not run."""
    return _orders(_schemes())


def own_scheme_orders() -> str:
    """Likewise of methods by themselves only."""
    return _orders(_by_themselves())


def _by_themselves() -> dict[str, dict[str, dict[str, Any]]]:
    return {text: found for text, found in _schemes().items() if " + " not in text}


def _orders(measured: dict[str, dict[str, dict[str, Any]]]) -> str:
    rows = []
    for text, problems in measured.items():
        done = {p: found for p, found in problems.items() if "failed" not in found}
        failed = {p: found["failed"] for p, found in problems.items() if "failed" in found}
        rows.append(
            (
                text,
                str(integrators.method(text.partition(" + ")[0]).order),
                *(_order(found) for found in problems.values()),
                _worst(done, "phi"),
                _worst(done, "phi_dot"),
                "; ".join(dict.fromkeys(failed.values())),
            )
        )
    problems = tuple(next(iter(measured.values())))
    return table(("scheme", "order", *problems, "phi", "phi_dot", "where it did not run"), rows)


def _order(found: dict[str, Any]) -> str:
    if "failed" in found:
        return "-"
    return "round-off" if found["order"] is None else f"{found['order']:.2f}"


def _worst(done: dict[str, dict[str, Any]], key: str) -> str:
    return f"{max((found[key] for found in done.values()), default=0.0):.0e}" if done else ""


def scheme_costs() -> str:
    """Microseconds of a step of every scheme."""
    return _costs(_schemes())


def own_scheme_costs() -> str:
    """Likewise of methods by themselves only."""
    return _costs(_by_themselves())


def _costs(measured: dict[str, dict[str, dict[str, Any]]]) -> str:
    problems = tuple(next(iter(measured.values())))
    return table(
        ("scheme", *problems),
        [
            (text, *(f"{found['us']:g}" if "us" in found else "-" for found in rows.values()))
            for text, rows in measured.items()
        ],
    )


def body_quantities() -> str:
    """Vectors of a body, by the names that a result knows them by."""
    rows = [
        (f"`rod.{x.name}`", x.meaning, x.unit, code([f"rod.{x.name}.{c}" for c in x.components]))
        for x in QUANTITIES
    ]
    return table(("name", "what it is", "unit", "components"), rows)


def expressions_() -> str:
    """Functions of expressions, as they are written."""
    return f"{code([x.usage for x in FUNCTIONS.values()])}\n"


def capability_counts() -> str:
    every = cells()
    rows = []
    for sheet in SHEETS:
        found = counts([cell for cell in every if cell.axes == sheet.axes])
        rows.append((" x ".join(sheet.axes), *(str(found[verdict]) for verdict in VERDICTS)))
    rows.append(("all", *(str(x) for x in counts(every).values())))
    return table(("combined", *VERDICTS), rows)


def features() -> str:
    return table(
        ("feature", "what it is", "also called"),
        [(f"`{name}`", found.text, ", ".join(found.words)) for name, found in FEATURES.items()],
    )


def limits() -> str:
    refused = [cell for cell in cells() if cell.limit is not None]
    first = {id(cell.limit): cell for cell in reversed(refused)}
    rows = [
        (" x ".join(f"`{value}`" for value in cell.values), cell.verdict, cell.reason)
        for cell in reversed(first.values())
    ]
    return table(("such as", "verdict", "message"), rows)


def rooms() -> str:
    return table(
        ("room", "what it holds", "modules"),
        [
            (f"`{name}`", text, ", ".join(f"`{m}`" for m in files))
            for name, text, files in found_rooms()
        ],
    )


def packages() -> str:
    found = found_packages()
    order = [name for layer in layers() for name in layer]

    def imports(name: str) -> str:
        known = [other for other in order if other in found[name].imports]
        marked = [f"`{o}` (up)" if (name, o) in excused() else f"`{o}`" for o in known]
        return ", ".join(marked) or "nothing"

    return table(
        ("package", "what it holds", "imports"),
        [(f"`{name}`", found[name].text, imports(name)) for name in order],
    )


TABLES: dict[str, Callable[[], str]] = {
    "quantities": markdown_table,
    "joints": joints,
    "forces": forces,
    "outputs": outputs,
    "analyses": analyses,
    "bodies": bodies,
    "beam_kinds": beam_kinds_,
    "orientations": orientations,
    "contact_laws": contact_laws_,
    "friction_laws": friction_laws_,
    "functions": functions_,
    "shapes": shape_functions,
    "methods": methods,
    "formulations": formulations_,
    "projections": projections,
    "citations": citations,
    "own_scheme_orders": own_scheme_orders,
    "own_scheme_costs": own_scheme_costs,
    "scheme_orders": scheme_orders,
    "scheme_costs": scheme_costs,
    "capability_counts": capability_counts,
    "features": features,
    "limits": limits,
    "packages": packages,
    "rooms": rooms,
    "body_quantities": body_quantities,
    "expressions": expressions_,
}


def renewed(text: str) -> str:
    """Return a page with current tables."""
    return _TABLE.sub(lambda m: f"{m[1]}{TABLES[m[2]]()}{m[3]}", text)


def main() -> None:
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        new = renewed(text)
        if new != text:
            page.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{page}\n")


if __name__ == "__main__":
    main()

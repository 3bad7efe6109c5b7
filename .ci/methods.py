"""Write the typed methods: `python .ci/methods.py`; with `--check` only compare.

`generator/language/methods` holds a method of `Model` for every body, joint, force and output, with
the signature and the documentation of the class or function that states it, and a type for what it
returns, with its measures. `generator/runtime/methods/option_keywords.py` holds the options of all
methods and formulations as keywords, `generator/analyses/choice_keywords.py` those of analyses.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent, wrap
from typing import Any

from mbdgen.analyses.analysis_choices import kinds
from mbdgen.analyses.by_name import analyses
from mbdgen.language import method_signatures as stated
from mbdgen.language.attached import measures_of, units_of
from mbdgen.language.beams.beam import beam
from mbdgen.language.bodies.body_builder import describe
from mbdgen.language.element import Element
from mbdgen.language.flexible.flexible_body import FOLLOWS as OF_MATRICES
from mbdgen.language.flexible.flexible_body import flexible_body
from mbdgen.language.flexible.floating_beam import FOLLOWS as OF_POINTS
from mbdgen.language.flexible.floating_beam import floating_beam
from mbdgen.language.registry import elements
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime.methods.option import Option

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "generator" / "language" / "methods"
LONGEST = 100
TOLD: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "    "}
TOLD |= {"break_on_hyphens": False}
WRITTEN = "Written by ``python tasks.py methods``: change the classes that state it instead."
TYPES = {
    "mbdgen.language.beams.forces_along": ("Along",),
    "mbdgen.language.argument_types": (
        *("End", "FormulaLike", "InertiaLike", "MassLike", "MatrixLike", "ScalarLike"),
        *("VectorLike", "VectorsLike"),
    ),
    "mbdgen.language.beams.beam": ("Beam",),
    "mbdgen.language.bodies.body": ("Body",),
    "mbdgen.language.beams.cross_section": ("CrossSection", "Material"),
    "mbdgen.language.bodies.crowd": ("Crowd",),
    "mbdgen.language.flexible.flexible_body": ("FlexibleBody",),
    "mbdgen.language.flexible.floating_beam": ("FloatingBeam",),
    "mbdgen.language.markers.belt_loop": ("Loop",),
    "mbdgen.language.markers.marker": ("Marker",),
    "mbdgen.language.beams.section_stiffness": ("SectionStiffness",),
}
"""Names in annotations, and where they are from."""


@dataclass(frozen=True)
class Argument:
    """A parameter as source text."""

    name: str
    kind: str
    default: str = ""
    by_name: bool = True


@dataclass(frozen=True)
class Method:
    """A method as source text: its parameters, its docstring, and what it returns."""

    name: str
    arguments: list[Argument]
    doc: str
    returns: str
    call: list[str]
    overloads: list[tuple[dict[str, str], str]] = field(default_factory=list)


def method_text(method: Method) -> str:
    """Return the source of a method."""
    parts = [
        "    @overload\n" + head(method, replaced, returns).rstrip("\n") + " ...\n"
        for replaced, returns in method.overloads
    ]
    raw = "r" if "\\" in method.doc else ""
    body = indent(f'{raw}"""{method.doc}\n"""\n', " " * 8)
    first, *rest = method.call
    body += f"        return self.{first}(\n" + "".join(f"            {x},\n" for x in rest)
    return "\n".join([*parts, head(method, {}, method.returns) + body + "        )\n"])


def head(method: Method, replaced: dict[str, str], returns: str) -> str:
    """Return the line or lines of ``def``."""
    lines = ["self,"]
    by_name = False
    for a in method.arguments:
        if a.by_name and not by_name:
            lines.append("*,")
            by_name = True
        lines += argument_lines(a, replaced.get(a.name, a.kind))
    listed = "".join(f"        {line}\n" for line in lines)
    return f"    def {method.name}(\n{listed}    ) -> {returns}:\n"


def argument_lines(argument: Argument, kind: str) -> list[str]:
    """Return a parameter, its type broken where the line would be too long."""
    default = f" = {argument.default}" if argument.default else ""
    line = f"{argument.name}: {kind}{default},"
    if len(line) + 8 <= LONGEST:
        return [line]
    first, *others = kind.split(" | ")
    lines = [f"{argument.name}: {first}"]
    if len(lines[0]) + 8 > LONGEST:
        inner = first.removeprefix("Literal[").removesuffix("]")
        lines = [f"{argument.name}: Literal[", f"    {inner}", "]"]
    lines += [f"| {other}" for other in others]
    return [*lines[:-1], f"{lines[-1]}{default},"]


def element_method(element: type[Element]) -> Method:
    """Return the method of a joint, force or output."""
    _, *parameters = stated.signature_of(element).parameters.values()
    arguments = [
        Argument(
            p.name,
            p.annotation,
            "" if p.default is p.empty else literal(p.default),
            p.kind is p.KEYWORD_ONLY,
        )
        for p in parameters
    ]
    ends = ", ".join(element.ends) + ("," if len(element.ends) == 1 else "")
    given = [f"{a.name}={a.name}" for a in arguments if a.by_name]
    handle = stated.handle_name(element)
    overloads, returns = [], handle
    if element.distributed:
        first, returns = element.ends[0], f"{handle} | Along"
        arguments[1] = Argument(first, "End | Beam", by_name=False)
        overloads = [({first: "End"}, handle), ({first: "Beam"}, "Along")]
    call = ["_attached", literal(element.name), "name", f"({ends})", *given]
    return Method(
        element.name, arguments, stated.documentation_of(element), returns, call, overloads
    )


def literal(value: object) -> str:
    """Return a default as it is written."""
    text = repr(value)
    return f'"{value}"' if isinstance(value, str) else text.replace("e+", "e")


def arguments_of(function: Callable[..., Any]) -> dict[str, Argument]:
    """Return the parameters of a function as its source has them, without the model."""
    (tree,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(tree, ast.FunctionDef)
    places, named = tree.args.args, tree.args.kwonlyargs
    defaults: list[ast.expr | None] = [None] * (len(places) - len(tree.args.defaults))
    defaults += [*tree.args.defaults, *tree.args.kw_defaults]
    found = {}
    for k, (a, default) in enumerate(zip([*places, *named], defaults, strict=True)):
        kind = source(a.annotation)
        found[a.arg] = Argument(a.arg, kind, source(default), by_name=k >= len(places))
    found.pop("model")
    return found


def source(node: ast.expr | None) -> str:
    """Return an expression as ruff writes it."""
    return "" if node is None else ast.unparse(node).replace("'", '"')


def body_methods() -> list[Method]:
    """Return what adds bodies and contacts."""
    said = arguments_of(describe)
    told = {name: text for name, text in entries(describe)}
    of_body = [a for a in said.values() if a.by_name]
    first = [
        Argument("name", "str", by_name=False),
        Argument("mass", said["mass"].kind, "None", by_name=False),
        Argument("inertia", said["inertia"].kind, "None", by_name=False),
    ]
    methods = []
    for name, kind, summary, leading in (
        ("body", "None", "Add a body.", first),
        ("planar_body", '"planar"', PLANAR, first),
        ("point_mass", '"point"', "Add a point mass.", first[:2]),
    ):
        arguments = [*leading, *(with_default(a, "coordinates", kind) for a in of_body)]
        doc = document(summary, arguments, told, "Body", BODY)
        methods.append(Method(name, arguments, doc, "Body", forwarded("_body", arguments)))
    for function, summary, leave, returns in (
        (beam, "Add a flexible beam.", None, BEAM),
        (floating_beam, STRAIGHT, OF_POINTS, FLOATING),
        (flexible_body, "Add a flexible body by its matrices.", OF_MATRICES, FLEXIBLE),
    ):
        methods.append(flexible(function, summary, leave, returns, of_body, told))
    return [*methods, contacts()]


PLANAR = "Add a body that moves in the plane z = 0, with coordinates x, y and theta."
STRAIGHT = "Add a straight beam in a floating frame, of small strains."
BODY = "Its points are markers: ``body.at(x, y, z)``."
BEAM = "Its ``start``, ``end``, ``node(k)`` and ``at(s)`` are markers."
FLOATING = "Its ``start``, ``end`` and ``at(s)`` are markers; ``body`` is its frame."
FLEXIBLE = "Its ``node(name)`` are markers, for the nodes of its `interface`."


def flexible(
    function: Callable[..., Any],
    summary: str,
    leave: Iterable[str] | None,
    returns: str,
    of_body: list[Argument],
    told: dict[str, str],
) -> Method:
    """Return the method of a beam or flexible body, which may say of a body what is left to say."""
    own = arguments_of(function)
    own["name"] = Argument("name", "str", by_name=False)
    more = [] if leave is None else [a for a in of_body if a.name not in {*leave, *own}]
    arguments = [*own.values(), *more]
    handle = inspect.signature(function).return_annotation
    handle = handle if isinstance(handle, str) else handle.__name__
    words = {**told, **dict(entries(function))}
    doc = document(summary, arguments, words, handle, returns)
    call = forwarded(f"_{function.__name__}", arguments)
    return Method(function.__name__, arguments, doc, handle, call)


def contacts() -> Method:
    """Return the method of contacts between many spheres, with the fields of their law."""
    kind = elements()["sphere_sphere"]
    fields = {f.name: f for f in stated.settable(elements()["sphere_plane"])}
    law = [
        Argument(f.name, stated.annotation(kind, f), literal(f.default))
        for f in stated.settable(kind)
        if f.name in fields and f.name not in ("radius", "events")
    ]
    arguments = [
        Argument("name", "str", by_name=False),
        Argument("bodies", "Iterable[Body]", by_name=False),
        Argument("planes", "Sequence[Marker] | None", "None", by_name=False),
        Argument("skin", "ScalarLike | None", "None", by_name=False),
        *law,
    ]
    told = {
        "bodies": "bodies : list of bodies\n    All with a ``radius``.",
        "planes": "planes : list of markers, optional\n    On the ground, ``e3`` pointing to the "
        "spheres, which touch these and not each other.",
        "skin": "skin : scalar, optional\n    Gap up to which a run keeps two of them in its list "
        "of pairs.",
    }
    told |= dict(zip([f.name for f in stated.settable(kind)], field_entries(kind), strict=True))
    equation = stated.documentation_of(kind).split("\n\n")[1]
    summary = f"Let many spheres touch each other, or planes.\n\n{equation}\n\n"
    summary += "The law is that of ``sphere_sphere``, or of ``sphere_plane``: see these."
    doc = document(summary, arguments, told, "Crowd", "What may touch.")
    return Method("contacts", arguments, doc, "Crowd", forwarded("_contacts", arguments))


def with_default(argument: Argument, name: str, default: str) -> Argument:
    """Return a parameter, with another default if it has that name."""
    if argument.name != name:
        return argument
    return Argument(name, argument.kind, default, argument.by_name)


def forwarded(call: str, arguments: list[Argument]) -> list[str]:
    """Return a call that hands all parameters on."""
    return [call, *(f"{a.name}={a.name}" if a.by_name else a.name for a in arguments)]


def document(
    summary: str, arguments: list[Argument], told: dict[str, str], handle: str, returns: str
) -> str:
    """Return a docstring with the entries of all parameters, each once."""
    told = {**told, "name": "name : str\n    A name of its own in the model."}
    listed = dict.fromkeys(told.get(a.name, f"{a.name}") for a in arguments)
    given = {a.name for a in arguments}
    parts = [only(entry, given) for entry in listed]
    text = "Parameters\n----------\n" + "\n".join(parts)
    return f"{summary}\n\n{text}\n\nReturns\n-------\n{handle}\n    {returns}"


def only(entry: str, given: set[str]) -> str:
    """Leave out names that a method does not take."""
    head, _, text = entry.partition("\n")
    names, colon, kind = head.partition(" : ")
    kept = ", ".join(name for name in names.split(", ") if name in given)
    return f"{kept}{colon}{kind}\n{text}".rstrip()


def entries(function: Callable[..., Any]) -> Iterable[tuple[str, str]]:
    """Return what a docstring says of each parameter; of several together the same."""
    doc = inspect.getdoc(function) or ""
    section = doc.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    blocks: list[list[str]] = []
    for line in section.splitlines():
        if line.startswith(" "):
            blocks[-1].append(line.strip())
        else:
            blocks.append([line])
    for title, *text in blocks:
        lines = wrap(" ".join(text), stated.WIDTH - 4, break_on_hyphens=False)
        entry = "\n".join([title, *(f"    {line}" for line in lines)])
        for name in title.partition(" : ")[0].split(", "):
            yield name, entry


def field_entries(element: type[Element]) -> list[str]:
    """Return what the documentation of an element says of each of its fields."""
    doc = stated.documentation_of(element)
    section = doc.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    blocks: list[list[str]] = []
    for line in section.splitlines():
        if line.startswith(" "):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    names = [f.name for f in stated.settable(element)]
    found = {block[0].partition(" : ")[0]: "\n".join(block) for block in blocks}
    return [found[name] for name in names]


def class_text(name: str, doc: str, methods: list[Method]) -> str:
    """Return the source of a class of methods."""
    listed = "\n".join(map(method_text, methods))
    return f'@explains_arguments\nclass {name}(StatedMethods):\n    """{doc}"""\n\n{listed}'


def module_text(what: str, name: str, methods: list[Method]) -> str:
    """Return a module with a class of methods."""
    body = class_text(name, f"Methods of `Model` that add {what}.", methods)
    kinds = " ".join(a.kind for m in methods for a in m.arguments)
    kinds += " ".join(f" {m.returns} {list(m.overloads)}" for m in methods)
    names = set(re.findall(r"[A-Za-z]\w*", kinds))
    typing = ["TYPE_CHECKING", *(x for x in ("Any", "Literal") if x in names)]
    typing += ["overload"] if "@overload" in body else []
    abstract = [x for x in ("Iterable", "Sequence") if x in names]
    handles = sorted(x for x in names if x.startswith("Attached"))
    known = {**TYPES, "mbdgen.language.methods.attached_types": handles}
    checked = "".join(
        block(module, [x for x in known[module] if x in names]) for module in sorted(known)
    )
    lines = [f'"""Methods of `Model` that add {what}.', "", WRITTEN, '"""', ""]
    lines += ["from __future__ import annotations", ""]
    lines += [f"from collections.abc import {', '.join(abstract)}"] if abstract else []
    lines += [f"from typing import {', '.join(typing)}", ""]
    lines += ["from mbdgen.language.argument_words import explains_arguments"]
    lines += ["from mbdgen.language.methods.base import StatedMethods", "", "if TYPE_CHECKING:"]
    return "\n".join(lines) + "\n" + indent(checked, "    ") + "\n\n" + body


def block(module: str, names: list[str]) -> str:
    """Return an import, in one line or one name to a line."""
    if not names:
        return ""
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) + 4 <= LONGEST + 1:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


def handles_text(found: Iterable[type[Element]]) -> str:
    """Return the types of what is attached, with the measures of each."""
    classes = []
    for element in found:
        lines = [f"class {stated.handle_name(element)}(Attached):"]
        lines += [f'    """What `Model.{element.name}` returns."""', ""]
        units = units_of(element)
        for name, count in measures_of(element).items():
            kind = "Any" if count == 1 else "Components"
            lines.append(f"    {name}: {kind}" + (f"  # {units[name]}" if units.get(name) else ""))
        classes.append("\n".join(lines).rstrip() + "\n")
    head = (
        f'"""Types of what joints, forces and outputs return, with their measures.\n\n{WRITTEN}\n'
    )
    head += 'At run time each is an `Attached`, whose measures are found by their names.\n"""\n\n'
    head += "from typing import Any\n\nfrom mbdgen.language.attached import Attached\n"
    head += "from mbdgen.language.expressions.placeholders import Components\n\n\n"
    return head + "\n\n".join(classes)


def meaning(option: Option) -> str:
    """Return what an option means, without the names of its values."""
    return option.text.partition(":")[0] if option.choices else option.text


def options_text() -> str:
    """Return the keywords of all methods and formulations."""
    found: dict[str, list[Option]] = {}
    owners: dict[str, list[str]] = {}
    of_methods = [(n, integrators.method(n).options) for n in integrators.known()]
    of_others = [(n, formulations.formulation(n).options) for n in formulations.known()]
    for owner, options in [*of_methods, *of_others]:
        for option in options:
            found.setdefault(option.name, []).append(option)
            owners.setdefault(option.name, []).append(owner)
    lines = ["from typing import Literal, TypedDict", "", ""]
    lines += ["class MethodOptions(TypedDict, total=False):"]
    lines += ['    """Options of methods and formulations, and the name of a set of them."""', ""]
    lines += ["    preset: str"]
    for name, options in sorted(found.items()):
        words = sorted({word for option in options for word in option.choices})
        kind = "float" + (f" | Literal[{', '.join(map(literal, words))}] | str" if words else "")
        lines += [f"    {name}: {kind}"]
        texts = dict.fromkeys(meaning(option) for option in options)
        text = f"{'; '.join(texts)} ({', '.join(owners[name])})."
        lines += wrap(f'"""{text[0].upper()}{text[1:]}"""', LONGEST, **TOLD)
    head = f'"""Keywords of `simulate` that are options of methods.\n\n{WRITTEN}\n"""\n\n'
    return head + "\n".join(lines) + "\n"


def choices_text() -> str:
    """Return the keywords of all analyses."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, analysis in sorted(analyses().items()):
        for choice, kind in kinds(analysis).items():
            found.setdefault(choice, {}).setdefault(kind.__name__, []).append(name)
    lines = ["from typing import TypedDict", "", "", "class Choices(TypedDict, total=False):"]
    lines += ['    """Choices of analyses."""', ""]
    for choice, by_kind in sorted(found.items()):
        lines += [f"    {choice}: {' | '.join(by_kind)}"]
        owners = ", ".join(name for names in by_kind.values() for name in names)
        lines += [f'    """Of {owners}."""']
    head = f'"""Keywords of `analyse` that are choices of analyses.\n\n{WRITTEN}\n"""\n\n'
    return head + "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    """Return the text of every generated file."""
    found = sorted(elements().values(), key=lambda e: str(e.name))
    texts = {FOLDER / "attached_types.py": handles_text(found)}
    for role in ("joint", "force", "output"):
        methods = [element_method(e) for e in found if e.role == role]
        name = f"{role.title()}Methods"
        texts[FOLDER / f"{role}_methods.py"] = module_text(f"{role}s", name, methods)
    methods = body_methods()
    texts[FOLDER / "body_methods.py"] = module_text("bodies and contacts", "BodyMethods", methods)
    texts[ROOT / "generator" / "runtime" / "methods" / "option_keywords.py"] = options_text()
    texts[ROOT / "generator" / "analyses" / "choice_keywords.py"] = choices_text()
    return texts


def main(words: list[str]) -> int:
    """Write the files, or say which are not current."""
    texts = files()
    old = [path for path in texts if not path.exists() or path.read_text("utf-8") != texts[path]]
    for path in old:
        shown = path.relative_to(ROOT)
        if words == ["--check"]:
            sys.stdout.write(f"{shown} is not current: run python tasks.py methods\n")
        else:
            path.write_text(texts[path], encoding="utf-8")
            sys.stdout.write(f"written: {shown}\n")
    return int(bool(old) and words == ["--check"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

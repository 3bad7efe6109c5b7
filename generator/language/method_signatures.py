"""Signatures and docstrings of the methods of `Model`, generated from element classes.

One description serves the generated modules in `mbdgen.language.methods`, which ``python tasks.py
methods`` writes, and the methods of classes added by plug-ins.
"""

import re
from dataclasses import MISSING, Field, fields
from inspect import Parameter, Signature, cleandoc
from textwrap import wrap
from typing import Any

from mbdgen.language.attached import measures_of, units_of
from mbdgen.language.element import Element
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix

WIDTH = 92
"""Columns of a method's docstring."""
PLACING = {
    "at": "Initial global point of the ends, where these are bodies; by default their origins.",
    "axis": "Direction of e3 of the ends, in global axes, where these are bodies.",
    "axis_a": "The same of the end a alone.",
    "axis_b": "The same of the end b alone.",
    "reference": "Direction that e1 comes closest to.",
}
_SECTION = re.compile(r"\n(\w+)\n-+\n")


def signature_of(element: type[Element]) -> Signature:
    """Return the signature: name and ends, then position keywords and fields by keyword."""
    ends = [_parameter(end, "End", named=False) for end in element.ends]
    placing = [_parameter(name, "VectorLike | None", None) for name in placing_of(element)]
    given = [_parameter(f.name, annotation(element, f), *_default(f)) for f in settable(element)]
    first = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    name = _parameter("name", "str", named=False)
    returned = handle_name(element)
    return Signature([*first, name, *ends, *placing, *given], return_annotation=returned)


def placing_of(element: type[Element]) -> list[str]:
    """Return the position and axis keywords of an element."""
    if not element.ends:
        return []
    axes = [f"axis_{end}" for end in element.ends if f"axis_{end}" in PLACING]
    return ["at", element.axis_name, *(axes if len(axes) > 1 else []), "reference"]


def settable(element: type[Element]) -> list[Field[Any]]:
    """Return the user's fields, without those written by runs."""
    return [f for f in fields(element) if f.name not in element.memory]


def annotation(element: type[Element], field: Field[Any]) -> str:
    """Return the type annotation of a field, from its default.

    Editors complete what is literal; a variable is any text, which is checked at run time.
    """
    default = field.default
    if isinstance(default, Function):
        return "FormulaLike" if _required(field) else "FormulaLike | None"
    if isinstance(default, Matrix):
        return "MatrixLike | None"
    if isinstance(default, bool) or field.type in (bool, bool | None):
        return "bool | None" if default is None else "bool"
    if field.name in element.choices:
        values = ", ".join(f'"{value}"' for value in element.choices[field.name])
        return f"Literal[{values}] | str" + (" | None" if default is None else "")
    if isinstance(default, str):
        return "str"
    if element.takes_vector(field.name):
        return "VectorLike | None" if default is None else "VectorLike"
    if default is MISSING:
        return "ScalarLike | VectorLike"
    return "ScalarLike | None" if default is None else "ScalarLike"


def handle_name(element: type[Element]) -> str:
    """Return the name of the return type of the method, which lists the measures."""
    return f"Attached{element.__name__}"


def documentation_of(element: type[Element]) -> str:
    """Return the docstring of the method, from that of the class, in numpydoc sections."""
    description, sections = _split(cleandoc(element.__doc__ or ""))
    said = _descriptions(element)
    lines = ["name : str", f"    Of the {element.role}."]
    if element.ends:
        beam = "Beam, " if element.distributed else ""
        lines += [f"{', '.join(element.ends)} : {beam}Body or Marker"]
        lines += _indented(f"Markers, or bodies with `at`. {_notation(element)}")
    for name in placing_of(element):
        text = PLACING["axis" if name == element.axis_name else name]
        lines += [f"{name} : 3 scalars, optional", f"    {text}"]
    for field in settable(element):
        lines += _entry(f"{field.name} : {_words(element, field)}", said.get(field.name, ""))
    parts = [_wrapped(description), _titled("Parameters", lines), _returned(element)]
    parts += [_titled(name, text.splitlines()) for name, text in sections.items()]
    return "\n\n".join(parts)


def _returned(element: type[Element]) -> str:
    units = units_of(element)
    listed = [
        f"`{name}` ({units[name]})" if units.get(name) else f"`{name}`"
        for name in measures_of(element)
    ]
    what = f"With the attributes {', '.join(listed)}: placeholders for expressions."
    text = what if listed else "It has nothing that expressions could use."
    return _titled("Returns", [handle_name(element), *_indented(text)])


def _notation(element: type[Element]) -> str:
    """Return the notation of points and axes of the ends in equations."""
    if len(element.ends) != 2:
        return ""
    a, b = element.ends
    points, axes = f":math:`r_{a}, r_{b}`", f":math:`{a}_i, {b}_i`"
    return f"Equations call their points {points}, and their axes e1, e2, e3 {axes}."


def _parameter(name: str, kind: str, default: Any = MISSING, named: bool = True) -> Parameter:
    parameter_kind = Parameter.KEYWORD_ONLY if named else Parameter.POSITIONAL_OR_KEYWORD
    default = Parameter.empty if default is MISSING else default
    return Parameter(name, parameter_kind, default=default, annotation=kind)


def _required(field: Field[Any]) -> bool:
    default = field.default
    return default is MISSING or (isinstance(default, Function) and not default.values)


def _default(field: Field[Any]) -> tuple[Any, ...]:
    if _required(field):
        return ()
    return (None,) if isinstance(field.default, Function | Matrix) else (field.default,)


def _entry(title: str, text: str) -> list[str]:
    """Return the description of a field, with a list of its values if these are many."""
    before, brace, rest = title.partition("{")
    values, _, after = rest.rpartition("}")
    if brace and len(title) > WIDTH - 8:
        return [f"{before}str{after}", *_indented(f"{text} One of {values}.".strip())]
    return [title, *_indented(text)]


def _words(element: type[Element], field: Field[Any]) -> str:
    """Return the type of a field in words: ``scalar, default 0.0``."""
    kind = annotation(element, field).removesuffix(" | None").removesuffix(" | str")
    if kind.startswith("Literal"):
        kind = "{" + kind.removeprefix("Literal[").removesuffix("]") + "}"
    known = {"ScalarLike": "scalar", "VectorLike": "3 scalars", "MatrixLike": "matrix"}
    kind = {**known, "FormulaLike": "function", "ScalarLike | VectorLike": "scalar"}.get(kind, kind)
    if _required(field):
        return kind
    default = _default(field)[0]
    return f"{kind}, optional" if default is None else f"{kind}, default {default!r}"


def _descriptions(element: type[Element]) -> dict[str, str]:
    """Return the descriptions of fields in the sections ``Attributes`` of a class and its bases."""
    found: dict[str, str] = {}
    for cls in reversed(element.__mro__):
        _, sections = _split(cleandoc(vars(cls).get("__doc__") or ""))
        name = ""
        for line in _listed(sections.get("Attributes", "")):
            if not line.startswith(" "):
                name = line.partition(" :")[0]
                found.update(dict.fromkeys(name.split(", "), ""))
            else:
                for each in name.split(", "):
                    found[each] = f"{found[each]} {line.strip()}".strip()
    return found


def _listed(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _split(text: str) -> tuple[str, dict[str, str]]:
    """Return the part of a docstring before its sections, and the sections by title."""
    description, *rest = _SECTION.split("\n" + text)
    return description.strip("\n"), dict(zip(rest[::2], rest[1::2], strict=True))


def _titled(title: str, lines: list[str]) -> str:
    return "\n".join([title, "-" * len(title), *lines]).rstrip()


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in wrap(text, WIDTH - 4)]


def _wrapped(text: str) -> str:
    """Rewrap the paragraphs of a text; formulas and tables are kept."""
    return "\n\n".join(map(_paragraph, text.split("\n\n")))


def _paragraph(text: str) -> str:
    plain = not any(line.startswith((" ", "=", ".. ", "- ")) for line in text.splitlines())
    return "\n".join(wrap(text, WIDTH, break_on_hyphens=False)) if plain else text


__all__ = [
    "annotation",
    "documentation_of",
    "handle_name",
    "placing_of",
    "settable",
    "signature_of",
]

"""Support of one feature of models: what serves it, and why the rest does not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill

from mbdgen.capabilities.axes import SHEETS
from mbdgen.capabilities.capability_table import WIDTH, Cell
from mbdgen.errors import OptionError, meant
from mbdgen.limits import FEATURES, Limit


@dataclass(frozen=True)
class FeatureSupport:
    """Values of one axis that serve a feature, and those that do not.

    Attributes
    ----------
    axis : str
        Name of the axis; of schemes, ``method`` for methods by themselves and ``formulation`` for
        formulations with a method.
    served : tuple of str
        Values that serve it; of formulations that serve it with some methods only, all with the
        same methods and these.
    refused : tuple of (Limit, cells)
        Combinations that are refused, by the limit that refuses them.
    """

    axis: str
    served: tuple[str, ...]
    refused: tuple[tuple[Limit, tuple[Cell, ...]], ...]


def feature_named(word: str) -> str:
    """Return the name of a feature, by itself or by what it is called elsewhere.

    Raises
    ------
    OptionError
        If there is no such feature, or several.
    """
    asked = _plain(word)
    found = [name for name, x in FEATURES.items() if asked in map(_plain, (name, *x.words))]
    found = found or [name for name, x in FEATURES.items() if asked and asked in _plain(x.text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise OptionError(f"'{word}' may be one of several features.", meant_of(found))
    known = [*FEATURES, *(other for feature in FEATURES.values() for other in feature.words)]
    listed = f"There are: {', '.join(FEATURES)}."
    raise OptionError(f"There is no feature '{word}' of models.", meant(word, known, listed))


def meant_of(names: Iterable[str]) -> str:
    """Return the question which of some features is meant."""
    return f"Did you mean {' or '.join(map(repr, names))}?"


def cells_of_feature(feature: str, table: Sequence[Cell]) -> list[Cell]:
    """Return the cells that combine a feature with something."""
    return [cell for cell in table if (cell.axes[1], cell.values[1]) == ("feature", feature)]


def feature_support(feature: str, table: Sequence[Cell]) -> list[FeatureSupport]:
    """Return the support of a feature by methods, formulations, runs, backends and so on."""
    asked = cells_of_feature(feature, table)
    schemes = [cell for cell in asked if cell.axes[0] == "scheme"]
    alone = [cell for cell in schemes if " + " not in cell.values[0]]
    combined = [cell for cell in schemes if " + " in cell.values[0]]
    found = [_support("method", alone), _support_by_formulations(combined)]
    for sheet in sorted(SHEETS, key=lambda sheet: sheet.axes[0] != "run"):
        if sheet.axes[1] == "feature" and sheet.axes[0] != "scheme":
            own = [cell for cell in asked if cell.axes == sheet.axes]
            found.append(_support(sheet.axes[0], own))
    return [support for support in found if support.served or support.refused]


def _support(axis: str, cells: Sequence[Cell]) -> FeatureSupport:
    served = tuple(cell.values[0] for cell in cells if cell.limit is None)
    return FeatureSupport(axis, served, _by_limit(cells))


def _support_by_formulations(cells: Sequence[Cell]) -> FeatureSupport:
    """Return the support by formulations, those with the same methods in one entry."""
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(_formulation(cell) for cell in cells):
        own = [cell for cell in cells if _formulation(cell) == name]
        able = [cell.values[0].partition(" + ")[0] for cell in own if cell.limit is None]
        if able:
            methods = "" if len(able) == len(own) else f" with {', '.join(able)}"
            alike.setdefault(methods, []).append(name)
    served = tuple(f"{', '.join(names)}{methods}" for methods, names in alike.items())
    return FeatureSupport("formulation", served, _by_limit(cells))


def _formulation(cell: Cell) -> str:
    return cell.values[0].partition(" + ")[2]


def _by_limit(cells: Iterable[Cell]) -> tuple[tuple[Limit, tuple[Cell, ...]], ...]:
    found: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.limit is not None:
            found.setdefault(id(cell.limit), []).append(cell)
    return tuple((some[0].limit, tuple(some)) for some in found.values() if some[0].limit)


def text_of_feature(feature: str, table: Sequence[Cell]) -> str:
    """Return the support of a feature as text."""
    lines = [f"{feature}: {FEATURES[feature].text}"]
    for support in feature_support(feature, table):
        between = "; " if support.axis == "formulation" else ", "
        lines += ["", _filled(f"{support.axis}: {between.join(support.served) or 'none'}", 0)]
        for limit, cells in support.refused:
            names = _refused_names(support, cells)
            lines.append(_filled(f"not {', '.join(names)} ({limit.verdict})", 2))
            lines.append(_filled(f"{cells[0].reason} {cells[0].remedy}", 6))
    return "\n".join(lines)


def _refused_names(support: FeatureSupport, cells: Iterable[Cell]) -> list[str]:
    """Return the values that are refused; of formulations, those that no method serves."""
    if support.axis != "formulation":
        return [cell.values[0] for cell in cells]
    partly = {name for entry in support.served for name in entry.partition(" with ")[0].split(", ")}
    names = dict.fromkeys(_formulation(cell) for cell in cells)
    others = ["others with other methods"] if partly & names.keys() else []
    return [*(name for name in names if name not in partly), *others]


def _filled(text: str, indent: int) -> str:
    further = " " * (indent + (0 if indent == 6 else 4))
    return fill(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=further,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    return text.casefold().replace("-", " ").replace("_", " ").strip()

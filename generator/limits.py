"""What does not work with what: limits, each declared once by the part that has it.

A way to run a model is one value of every axis: a method, a formulation, a backend, a kind of run
and so on. A model has features, such as contacts. A `Limit` names the combinations of these that
are refused, by a verdict: *theory*, it cannot be, or *missing*, nobody has made it. The stage that
first knows all parts of a combination calls `require` with its limits; the table of
``mbdgen capabilities`` is made from the same limits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from mbdgen.errors import MbdgenError, OptionError

Verdict = Literal["theory", "missing"]


class Feature(NamedTuple):
    """A property of models that not every way to run them supports.

    Attributes
    ----------
    text : str
        What it is, for tables.
    example : str
        What has it, in sentences about no model in particular.
    """

    text: str
    example: str


FEATURES: Mapping[str, Feature] = {
    "contacts": Feature("contacts of two bodies, which open and close", "'CONTACT'"),
    "crowds": Feature("contacts of many bodies, whose pairs are found", "'CONTACTS'"),
    "reactions": Feature("forces that depend on reactions (friction of joints)", "'FORCE'"),
    "rolling": Feature("constraints of velocities", "'JOINT'"),
    "displacements": Feature(
        "orientations in other coordinates than quaternions",
        "body 'BODY' with coordinates 'gibbs'",
    ),
    "charts": Feature("orientations in three numbers, which switch", "'gibbs' of body 'BODY'"),
    "paths": Feature("places that move along paths with ends", "'PLACE'"),
    "shared": Feature("bodies that share points or vectors", "'BODY'"),
    "eliminated-drivers": Feature("drivers that were eliminated", "'DRIVER'"),
    "turns": Feature("angles that count their turns", "'ANGLE'"),
    "redundant": Feature("constraints that depend on each other", "equations follow from others"),
    "massless": Feature("mass matrices that are singular", "'BODY'"),
}
"""By the names that ``mbdgen capabilities`` uses."""


@dataclass(frozen=True)
class Facts:
    """The features of one model.

    Attributes
    ----------
    model : str
        Its name; empty for any model.
    features : mapping
        By name of the feature, what has it in words; nothing if that is not known.
    """

    model: str = ""
    features: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: str, found: Iterable[tuple[str, bool, Iterable[str]]]) -> "Facts":
        """Collect features from triples (feature, whether it is present, what has it)."""
        present = {name: tuple(dict.fromkeys(who)) for name, there, who in found if there}
        assert present.keys() <= FEATURES.keys(), present
        return cls(model, present)

    def having(self, feature: str, words: Iterable[str]) -> "Facts":
        """Return these facts and one more feature, with what has it."""
        return replace(self, features={**self.features, feature: tuple(words)})

    def names(self, feature: str) -> str:
        """Return what has a feature, or an example."""
        return ", ".join(self.features.get(feature, ())) or FEATURES[feature].example

    @property
    def title(self) -> str:
        """The model in a sentence."""
        return f"'{self.model or 'MODEL'}'"


NO_FEATURES = Facts()
"""A model of which nothing is known that limits anything."""


@dataclass(frozen=True)
class Limit:
    """Combinations that are refused, and why.

    Attributes
    ----------
    axes : tuple of str
        Whose values decide; two at most in tables.
    holds : callable
        ``holds(*values) -> bool``, whether the values of these axes are refused.
    verdict : {"theory", "missing"}
        Whether it cannot be, or has not been made.
    cause : str
        One sentence, formatted with ``model``, ``names`` and the axes by their names.
    remedy : str or callable
        One sentence, formatted likewise, or ``remedy(*values)``.
    feature : str
        Only models with it are concerned; empty: all.
    """

    axes: tuple[str, ...]
    holds: Callable[..., bool]
    verdict: Verdict
    cause: str
    remedy: str | Callable[..., str]
    feature: str = ""

    def concerns(self, way: Mapping[str, object], facts: Facts) -> bool:
        """Whether a way to run a model is refused by this limit."""
        if self.feature and self.feature not in facts.features:
            return False
        if not all(axis in way for axis in self.axes):
            return False
        return self.holds(*(way[axis] for axis in self.axes))

    def sentences(self, way: Mapping[str, object], facts: Facts) -> tuple[str, str]:
        """Return cause and remedy for one way and model."""
        names = facts.names(self.feature) if self.feature else ""
        words = {**way, "model": facts.title, "names": names}
        remedy = self.remedy
        if not isinstance(remedy, str):
            return self.cause.format_map(words), remedy(*(way[axis] for axis in self.axes))
        return self.cause.format_map(words), remedy.format_map(words)


def refusal(
    limits: Iterable[Limit], way: Mapping[str, object], facts: Facts = NO_FEATURES
) -> Limit | None:
    """Return the first limit that refuses a way to run a model; None if it works."""
    return next((limit for limit in limits if limit.concerns(way, facts)), None)


def require(
    limits: Iterable[Limit],
    facts: Facts = NO_FEATURES,
    error: type[MbdgenError] = OptionError,
    **way: object,
) -> None:
    """Refuse a combination that is known not to work.

    Parameters
    ----------
    limits : iterable of Limit
        Those of the stage; of several that hold the first one is told.
    facts : Facts
        Features of the model. Without them only limits of every model are looked at.
    error : type
        What is raised.
    **way : object
        Values by the names of their axes.
    """
    found = refusal(limits, way, facts)
    if found is not None:
        raise error(*found.sentences(way, facts))


def quoted(names: Iterable[object]) -> list[str]:
    """Return names as messages quote them."""
    return [f"'{name}'" for name in names]


def is_one_of(*values: object) -> Callable[..., bool]:
    """Return a function that says whether all its arguments are among some values."""
    return lambda *given: all(value in values for value in given)

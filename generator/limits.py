"""Capability limits: combinations that are not supported, each declared once where it arises.

A way to run a model is one value of every axis: a method, a formulation, a backend, a kind of run
and so on. A model has features, such as contacts. A `Limit` names the combinations of these that
are refused, with a verdict: *theory*, impossible in principle, or *missing*, not implemented. The
stage that first has all parts of a combination calls `require` with its limits; the table of
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
        Description, for tables.
    example : str
        Typical part of a model that has it, for messages without a particular model.
    words : tuple of str
        What users call it, for ``mbdgen capabilities --feature``.
    """

    text: str
    example: str
    words: tuple[str, ...]


FEATURES: Mapping[str, Feature] = {
    "contacts": Feature(
        "contacts of two bodies, which open and close",
        "'CONTACT'",
        ("contact", "impact", "collision", "unilateral constraints", "contact friction"),
    ),
    "crowds": Feature(
        "contacts of many bodies, whose pairs are found",
        "'CONTACTS'",
        ("many contacts", "contact detection", "collision detection", "granular", "particles"),
    ),
    "reactions": Feature(
        "forces that depend on reactions (friction of joints)",
        "'FORCE'",
        ("friction", "joint friction", "friction in joints", "Coulomb friction", "dry friction"),
    ),
    "rolling": Feature(
        "constraints of velocities",
        "'JOINT'",
        ("nonholonomic", "non-holonomic", "nonholonomic constraints", "wheel", "rolling disc"),
    ),
    "displacements": Feature(
        "orientations in other coordinates than quaternions",
        "body 'BODY' with coordinates 'gibbs'",
        ("direction cosines", "rotation matrix", "orientation sets", "quasi-velocities"),
    ),
    "charts": Feature(
        "orientations in three numbers, which switch",
        "'gibbs' of body 'BODY'",
        ("Euler angles", "Cardan angles", "rotation vector", "Rodrigues", "gimbal lock"),
    ),
    "paths": Feature(
        "places that move along paths with ends",
        "'PLACE'",
        ("path", "curve", "sliding along a curve", "bead", "track"),
    ),
    "shared": Feature(
        "bodies that share points or vectors",
        "'BODY'",
        ("natural coordinates", "shared points", "share"),
    ),
    "eliminated-drivers": Feature(
        "drivers that were eliminated",
        "'DRIVER'",
        ("drivers", "rheonomic constraints", "prescribed motion"),
    ),
    "turns": Feature(
        "angles that count their turns",
        "'ANGLE'",
        ("revolutions", "torsion spring", "large rotations", "winding"),
    ),
    "redundant": Feature(
        "constraints that depend on each other",
        "equations follow from others",
        ("redundant constraints", "overconstrained", "dependent constraints"),
    ),
    "massless": Feature(
        "mass matrices that are singular",
        "'BODY'",
        ("massless bodies", "singular mass matrix", "no inertia"),
    ),
}
"""Features of models, by their names in ``mbdgen capabilities``."""


@dataclass(frozen=True)
class Facts:
    """The features of one model.

    Attributes
    ----------
    model : str
        Its name; empty for any model.
    features : mapping
        By name of the feature, the parts of the model that have it in words; empty if not known.
    """

    model: str = ""
    features: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: str, found: Iterable[tuple[str, bool, Iterable[str]]]) -> "Facts":
        """Collect features from triples (feature, whether it is present, parts that have it)."""
        present = {name: tuple(dict.fromkeys(who)) for name, there, who in found if there}
        assert present.keys() <= FEATURES.keys(), present
        return cls(model, present)

    def having(self, feature: str, words: Iterable[str]) -> "Facts":
        """Return these facts and one more feature, with the parts that have it."""
        return replace(self, features={**self.features, feature: tuple(words)})

    def names(self, feature: str) -> str:
        """Return the parts that have a feature, or an example."""
        return ", ".join(self.features.get(feature, ())) or FEATURES[feature].example

    @property
    def title(self) -> str:
        """The model as it is called in a sentence."""
        return f"'{self.model or 'MODEL'}'"


NO_FEATURES = Facts()
"""An unknown model, without features that limit anything."""


@dataclass(frozen=True)
class Limit:
    """Combinations that are refused, with the reason.

    Attributes
    ----------
    axes : tuple of str
        Axes whose values decide; at most two in tables.
    holds : callable
        ``holds(*values) -> bool``, whether the values of these axes are refused.
    verdict : {"theory", "missing"}
        Impossible in principle, or not implemented.
    cause : str
        One sentence, formatted with ``model``, ``names`` and the axes by their names.
    remedy : str or callable
        One sentence, formatted likewise, or ``remedy(*values)``.
    feature : str
        Only models with this feature are concerned; empty: all.
    """

    axes: tuple[str, ...]
    holds: Callable[..., bool]
    verdict: Verdict
    cause: str
    remedy: str | Callable[..., str]
    feature: str = ""

    def concerns(self, way: Mapping[str, object], facts: Facts) -> bool:
        """Return whether a way to run a model is refused by this limit."""
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
    """Raise an error for an unsupported combination.

    Parameters
    ----------
    limits : iterable of Limit
        Limits of the stage; the first one that holds is reported.
    facts : Facts
        Features of the model. Without them only limits for all models are checked.
    error : type
        Exception that is raised.
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
    """Return a predicate: whether all its arguments are among some values."""
    return lambda *given: all(value in values for value in given)

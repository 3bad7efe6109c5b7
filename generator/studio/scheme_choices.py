"""Integrators, formulations and projections that a run may name."""

import json
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SchemeChoices:
    """What ``mbdgen methods --json`` lists.

    Attributes
    ----------
    methods, formulations, projections : sequence of str
        Names.
    text : str
        The list itself, for the page.
    """

    methods: Sequence[str]
    formulations: Sequence[str]
    projections: Sequence[str]
    text: str


def read_choices(text: str) -> SchemeChoices:
    """Read the list."""
    listed = json.loads(text)

    def names(kind: str) -> tuple[str, ...]:
        return tuple(str(one["name"]) for one in listed[kind])

    return SchemeChoices(names("methods"), names("formulations"), names("projections"), text)

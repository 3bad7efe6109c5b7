"""Integrators, formulations and projections available to a run."""

import json
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SchemeChoices:
    """Output of ``mbdgen methods --json``.

    Attributes
    ----------
    methods, formulations, projections : sequence of str
        Names.
    text : str
        JSON text, for the page.
    """

    methods: Sequence[str]
    formulations: Sequence[str]
    projections: Sequence[str]
    text: str


def read_choices(text: str) -> SchemeChoices:
    """Parse the list."""
    listed = json.loads(text)

    def names(kind: str) -> tuple[str, ...]:
        return tuple(str(one["name"]) for one in listed[kind])

    return SchemeChoices(names("methods"), names("formulations"), names("projections"), text)

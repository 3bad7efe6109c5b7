"""Running checks on many random mechanisms, the same ones for every property."""

from collections.abc import Callable

from hypothesis import given, seed, settings

from tests.properties.strategies import recipes
from tests.random_mechanisms import Recipe

PARTS = 20
EACH = 27
"""The slow tier: 20 parts of 27 mechanisms; 500 are left when equal ones count once."""


def on_random_mechanisms(check: Callable[[Recipe], None], part: int, count: int) -> None:
    """Run a check on mechanisms that depend on nothing but the number of the part.

    Hypothesis makes a failing mechanism as small as it can, and prints its recipe.
    """

    @seed(part)
    @settings(max_examples=count, derandomize=False, database=None, deadline=None, print_blob=True)
    @given(recipes(part))
    def run(recipe: Recipe) -> None:
        check(recipe)

    run()

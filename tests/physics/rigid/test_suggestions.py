"""Shipped models pass their own verification with the step, method and span that they suggest."""

import pytest

from tests.suggestions import NAMES, verified


def test_all_models_are_there() -> None:
    assert len(NAMES) > 35 and {"pendulum", "andrews", "sphere_box"} <= set(NAMES)


@pytest.mark.representatives(model="pendulum")
@pytest.mark.parametrize("model", ["pendulum", "falling_ball"])
def test_some_suggestions_pass(model: str) -> None:
    found = verified(model)
    assert found.passed, found.line


@pytest.mark.slow
@pytest.mark.parametrize("model", NAMES)
def test_suggestions_pass(model: str) -> None:
    found = verified(model)
    assert found.passed, found.line

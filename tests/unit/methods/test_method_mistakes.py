"""Mistakes of those who write integrators: what is wrong, in which file, what to do."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.integrators.base import Option, compiled_step
from mbdgen.runtime.integrators.newmark import METHOD


def undecorated(*arguments: Any) -> int:
    return 0


def option(name: str, default: float = 0.5) -> Option:
    return Option(name, default, 0.0, 1.0, "a number")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": (option("h"),)}, "option 'h', which users cannot give"),
        ({"options": (option("workers"),)}, "option 'workers', which users cannot give"),
        ({"options": (option("two words"),)}, "'two words', which users cannot give"),
        ({"options": (option("rho"), option("rho"))}, "2 options 'rho'"),
        ({"options": (option("rho", 2.0),)}, "default 2 of option 'rho' .* 0 to 1"),
        ({"options": (option("rho", float("nan")),)}, "default nan of option 'rho'"),
        ({"tangent_weights": lambda h, values: (0.0, 1.0)}, "Return three numbers"),
        ({"tangent_weights": lambda h, values: (0.0, 1.0, None)}, "Return three numbers"),
        ({"tangent_weights": lambda h, values: None}, "Return three numbers"),
        ({"tangent_weights": lambda h: (0.0, 0.0, 1.0)}, "Return three numbers"),
        ({"kept": 1}, "a fused step does not know"),
        ({"kept": -1, "fused_step": ""}, "keeps -1 rows"),
    ],
)
def test_wrong_method(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        replace(METHOD, **changes)
    assert "'newmark' (step in '" in str(caught.value) and "newmark.py'" in str(caught.value)


def test_no_step_at_all() -> None:
    with pytest.raises(OptionError, match="'newmark' has no step"):
        replace(METHOD, step=None, general="", fused_step="")


@pytest.mark.parametrize("step", [undecorated, compiled_step, 3])
def test_step_that_is_not_compiled(step: Any) -> None:
    with pytest.raises(OptionError, match="@compiled_step") as caught:
        replace(METHOD, step=step)
    if step is undecorated:
        assert __file__ in str(caught.value)


def too_few(kernels: Any, work: Any) -> int:
    return 0


def nothing_returned(
    kernels: Any, work: Any, state: Any, h: Any, options: Any, tangent: Any, mass: Any
) -> None:
    state.clock[0] += h


def unknown_field(
    kernels: Any, work: Any, state: Any, h: Any, options: Any, tangent: Any, mass: Any
) -> int:
    return int(work.remembered[0])


@pytest.mark.parametrize("function", [too_few, nothing_returned, unknown_field])
def test_step_that_cannot_be_compiled(function: Any) -> None:
    step = compiled_step(function)
    with pytest.raises(OptionError, match="must be step") as caught:
        step.compiled  # noqa: B018
    assert __file__ in str(caught.value) and "tangent: Factors" in str(caught.value)
    if function is unknown_field:
        assert "remembered" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "defines no METHOD"),
        ("METHOD = 'newmark'", "it is a str"),
        ("from mbdgen.runtime.integrators.newmark import METHOD", "calls itself 'newmark'"),
    ],
)
def test_wrong_file(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trapezoid.py").write_text(text)
    monkeypatch.setattr(integrators, "__path__", [*integrators.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{integrators.__name__}.trapezoid", raising=False)
    assert "trapezoid" in integrators.known()
    with pytest.raises(OptionError, match=message) as caught:
        integrators.method("trapezoid")
    assert str(tmp_path / "trapezoid.py") in str(caught.value)
    del sys.modules[f"{integrators.__name__}.trapezoid"]
    vars(integrators).pop("trapezoid")

"""A second, more exact run says which digits to trust."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen import load, simulate, verify
from mbdgen.cli.app import app
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System


@pytest.fixture(scope="module")
def pendulum() -> System:
    return load("pendulum")


@pytest.mark.parametrize("chosen", [{"h": 1e-2}, {"method": "dopri5", "rtol": 1e-5}])
def test_errors_are_those_against_a_fine_run(pendulum: System, chosen: dict[str, float]) -> None:
    result = verify(pendulum, (0.0, 3.0), **chosen)
    fine = simulate(pendulum, (0.0, 3.0), "rk4", 1e-3, result.t)
    assert result.verification is not None and result.verification.passed
    for k, name in enumerate(result.names.outputs[:2]):
        error = float(np.abs(result.outputs[:, k] - fine.outputs[:, k]).max())
        assert result.verification.outputs[name].error == pytest.approx(error, rel=0.2)
        assert 10.0 ** -result.verification.outputs[name].digits >= error


def test_what_changes_with_the_step_is_not_trusted(pendulum: System) -> None:
    result = verify(pendulum, (0.0, 10.0), h=0.1)
    assert result.verification is not None and not result.verification.passed
    assert any("Not verified: with h = 0.05" in text for text in result.warnings)


def test_a_callback_is_refused(pendulum: System) -> None:
    with pytest.raises(OptionError, match="callback"):
        verify(pendulum, (0.0, 1.0), callback=print)


def test_the_command_prints_digits(tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    command = ["run", "pendulum", "--t", "1", "--h", "0.01", "--verify", f"--json={file}"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert "Verified with h = 0.005: passed." in done.stdout and "digits" in done.stdout
    found = json.loads(file.read_text(encoding="utf-8"))["verification"]
    assert found["passed"] and found["outputs"]["tip.x"]["digits"] >= 3


@pytest.mark.slow
def test_outputs_of_round_off_are_compared_with_those_of_their_unit() -> None:
    """A disc that rolls: its slip is 1e-17 m/s in one run, and another 1e-17 m/s in the next."""
    result = verify(load("rolling_disc", backend="c"), (0, 0.5), h=1e-3, progress=False)
    verification = result.verification
    assert verification is not None and verification.passed, verification
    assert np.abs(result["slip"]).max() < 1e-9

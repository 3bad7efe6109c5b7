"""Plots of a result and the table at the end of a run."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mbdgen.errors import OptionError
from mbdgen.view.plots import plot_results, save_plot
from mbdgen.view.summary import log, outcome_rows, set_up_rows
from tests.sample_result import make


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    yield plt
    plt.close("all")


def test_plot_draws_what_was_asked_for(pyplot, monkeypatch) -> None:
    monkeypatch.setattr(pyplot, "show", lambda: pytest.fail("show was called"))
    result = make()
    axes = result.plot("tip")
    assert [line.get_label() for line in axes.lines] == ["tip.x", "tip.y"]
    assert axes.get_xlabel() == "t [s]" and axes.get_ylabel() == "tip [m]"
    assert np.array_equal(axes.lines[1].get_ydata(), result["tip.y"])
    assert result.plot("rod.x.dot").get_ylabel() == "rod.x.dot [m/s]"
    mixed = result.plot()
    assert mixed.get_ylabel() == "[m, J]" and result.plot("pin").get_ylabel() == "pin"
    assert [line.get_label() for line in mixed.lines] == ["tip.x [m]", "tip.y [m]", "E [J]"]
    assert result.plot(["tip.x", "tip"], ax=mixed) is mixed and len(mixed.lines) == 5
    assert len(make(outputs=()).plot().lines) == 3


def test_phase_plots_and_expressions(pyplot) -> None:
    result = make()
    axes = result.plot("rod.x.dot", against="rod.x")
    assert axes.get_xlabel() == "rod.x [m]" and axes.get_ylabel() == "rod.x.dot [m/s]"
    assert np.array_equal(axes.lines[0].get_xdata(), result["rod.x"])
    speed = result.plot("norm(arm.rd)", against="2*t")
    assert speed.get_ylabel() == "norm(arm.rd)" and speed.get_xlabel() == "2*t"
    wanted = np.sqrt((result.bodies.v[:, 1] ** 2).sum(axis=1))
    assert np.abs(speed.lines[0].get_ydata() - wanted).max() < 1e-14
    both = result.plot(["arm.r", "cross(arm.r, rod.r)", "t"])
    names = [line.get_label() for line in both.lines]
    assert names[0] == "arm.r.x [m]" and names[3] == "cross(arm.r, rod.r) x" and len(names) == 7
    with pytest.raises(OptionError, match=r"'tip' has 2 components, .* such as tip.x"):
        result.plot("E", against="tip")


def test_runs_beside_each_other(pyplot) -> None:
    one, other = make(), make(11)
    axes = one.plot("tip.y", beside=[other], labels=["fine", "coarse"])
    assert [line.get_label() for line in axes.lines] == ["fine", "coarse"]
    assert len({line.get_color() for line in axes.lines}) == 2
    assert np.array_equal(axes.lines[1].get_xdata(), other.t)
    axes = plot_results([one, replace(other, info=replace(other.info, h=0.02))], "tip")
    labels = [line.get_label() for line in axes.lines]
    assert labels == [f"tip.{c} (h = {h} s)" for h in (0.01, 0.02) for c in "xy"]
    styles = [(line.get_color(), line.get_linestyle()) for line in axes.lines]
    assert len(set(styles)) == 4 and styles[0][0] == styles[2][0]
    assert [line.get_label() for line in plot_results([one, one], "E").lines] == ["run 1", "run 2"]
    with pytest.raises(OptionError, match="1 labels for 2 results"):
        one.plot("E", beside=[other], labels=["fine"])
    with pytest.raises(OptionError, match="nothing to plot"):
        plot_results([])


def test_plot_errors(pyplot) -> None:
    with pytest.raises(OptionError, match="Did you mean 'tip"):
        make().plot(["tip", "tipx"])
    with pytest.raises(OptionError, match=r"nothing to plot"):
        make().plot([])
    assert not pyplot.get_fignums()


def test_save_plot_writes_a_picture_or_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    save_plot(make(), "tip", tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match="suffix is unknown"):
        save_plot(make(), "tip", tmp_path / "p.txt")
    with pytest.raises(OptionError, match=r"Cannot write"):
        save_plot(make(), "tip", tmp_path / "missing" / "p.png")
    assert [path.name for path in tmp_path.iterdir()] == ["p.png"]


def test_log_shows_work_and_accuracy() -> None:
    from rich.console import Console

    result = replace(make(), message="stopped at [rod] pin[x]")
    rows = dict(outcome_rows(result))
    assert rows["steps"] == "20" and rows["max |phi|"].endswith("|phi_ddot| 3.00e-11")
    assert rows["energy drift"] == "4.00e-06 J" and rows["wall time"].startswith("0.12 s")
    assert rows["termination"] == "normal: stopped at [rod] pin[x]"
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(log("[title]", outcome_rows(result)))
    shown = console.export_text()
    assert "stopped at [rod] pin[x]" in shown and shown.startswith("[title]\n")


def test_log_tells_what_assembly_changed_and_what_was_not_given() -> None:
    made = make()
    rows = dict(set_up_rows(made, {"h": "of the model", "method": "default"}))
    assert rows["initial values"] == "consistent as given"
    assert rows["method"].startswith(f"{made.info.method} (default): ")
    assert rows["time span"].endswith("(of the model)") and rows["redundancy"] == "none"
    changes = {"rod.x": -0.01, "rod.theta.dot": 2.5}
    rows = dict(set_up_rows(replace(made, info=replace(made.info, corrections=changes))))
    assert rows["initial values"] == (
        "corrected: positions by up to 0.01 m (rod.x), "
        "velocities by up to 2.5 rad/s (rod.theta.dot)"
    )
    assert "default" not in rows["time span"]

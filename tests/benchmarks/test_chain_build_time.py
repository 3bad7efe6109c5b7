"""Derivation and emission do not grow with the number of bodies beyond the tables.

The default suite shows the same without a clock: equal types and equal code (tests/physics).
"""

from pathlib import Path

import pytest

from mbdgen.build_options import BuildOptions
from mbdgen.compiler import compile_model
from tests.mechanisms import chain


@pytest.mark.slow
def test_a_chain_of_1000_is_derived_and_emitted_as_fast_as_one_of_10(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both from a cold cache, best of five, in turn, so that load on the machine hits both."""
    best = {10: float("inf"), 1000: float("inf")}
    models = {n: chain(n, "quaternion") for n in best}
    for attempt in range(5):
        for n, model in models.items():
            folder = tmp_path / f"{n}_{attempt}"
            monkeypatch.setenv("MBDGEN_CACHE", str(folder / "cache"))
            report = compile_model(model, BuildOptions(layout="loop"), folder)
            best[n] = min(best[n], report.seconds["derive"] + report.seconds["emit"])
    assert best[1000] <= 2.0 * best[10], best

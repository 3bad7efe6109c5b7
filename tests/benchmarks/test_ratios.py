"""Ratios to another program, in one run, against those of the baseline.

Ratios of processor times in one run move with the load of the machine, but not by a factor of two.
"""

import importlib.util
import json
from pathlib import Path

import pytest

from mbdgen.bench.benchmark_rows import ratios
from mbdgen.bench.problems import chosen

BASELINE = json.loads(Path(__file__).with_name("baseline.json").read_text("utf-8"))["ratios"]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("exudyn") is None, reason="Exudyn is not installed")
@pytest.mark.parametrize("name", ["A01", "A02-2", "A03", "A05", "T"])
def test_ratio_is_kept(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from mbdgen.bench.benchmark_run import measure

    (rows,) = measure(chosen([name]), ["c"], True, 1, lambda text: None)
    found = ratios(rows)
    assert found, "both programs must meet the limit"
    with capsys.disabled():
        print(f"\n{name}: {found[0]['ratio']:.1f} times faster, baseline {BASELINE[name]}")
    assert found[0]["ratio"] >= 0.5 * BASELINE[name]

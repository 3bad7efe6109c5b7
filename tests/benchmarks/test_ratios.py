"""Ratios to another program, printed and never asserted: no clock is right on a busy machine."""

import importlib.util

import pytest

from mbdgen.bench.problems import chosen
from mbdgen.bench.rows import ratios


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("exudyn") is None, reason="Exudyn is not installed")
@pytest.mark.parametrize("name", ["A02-2", "A03", "T"])
def test_ratio_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from mbdgen.bench.run import measure

    (rows,) = measure(chosen([name]), ["c"], True, 1, lambda text: None)
    found = ratios(rows)
    assert found, "both programs must meet the limit"
    with capsys.disabled():
        print(f"\n{name}: {found[0]['ratio']:.1f} times faster")

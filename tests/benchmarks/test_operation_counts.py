"""No kernel of a shipped model may cost more than the baseline without saying so.

A change that makes one more expensive by over 2 % on purpose commits the new baseline with it:
``pytest tests/benchmarks --update-baseline``. What got cheaper is written at the same occasion.
"""

import json
from pathlib import Path

import pytest

from mbdgen.bench.counts import operation_counts
from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError
from mbdgen.language.model_files import shipped
from mbdgen.language.read import read

BASELINE = Path(__file__).with_name("baseline.json")
GROWTH = 1.02
LAYOUTS = ("flat", "loop", "reduced")
FEW = [
    *("andrews-flat", "andrews-loop", "andrews-reduced", "bricard-flat", "cantilever-loop"),
    *("falling_ball-flat", "n_four_bar-loop", "pendulum-flat", "rolling_disc-flat"),
]
"""What the default run counts."""
SMALL = {"sphere_box": {"n": 8}, "belt_drive": {"elements": 10, "points": 1}}
Counts = dict[str, dict[str, int]]


def growth(old: Counts, new: Counts) -> list[str]:
    """What grew by more than the allowed part, or has no baseline."""
    found = []
    for kernel, counts in new.items():
        for what, count in counts.items():
            before = old.get(kernel, {}).get(what)
            if before is None:
                found.append(f"{kernel}: {what} have no baseline")
            elif count > GROWTH * before:
                found.append(f"{kernel}: {what} grew from {before} to {count}")
    return found


@pytest.mark.representatives(id=FEW)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", shipped())
def test_nothing_costs_more_than_its_baseline(
    name: str, layout: str, request: pytest.FixtureRequest
) -> None:
    reduced = layout == "reduced"
    options = BuildOptions(backend="c", layout="flat" if reduced else layout, reduced=reduced)
    model = read(name, SMALL.get(name, {}))
    if model.beams and layout != "loop":
        pytest.skip("beams are loops: straight lines repeat every place of a quadrature")
    try:
        counts = operation_counts(model, options)
    except BuildError as error:
        assert "cannot be reduced" in error.cause or "find their pairs" in error.cause
        pytest.skip(error.cause)
    key, known = f"{name}, {layout}", json.loads(BASELINE.read_text("utf-8"))
    if request.config.getoption("--update-baseline"):
        known["counts"][key] = counts
        known["counts"] = dict(sorted(known["counts"].items()))
        BASELINE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
        return
    assert not growth(known["counts"].get(key, {}), counts), (
        f"{key}: if it is meant, run pytest tests/benchmarks --update-baseline"
    )


def test_growth_is_noticed() -> None:
    old = {"residual": {"operations": 100}}
    assert not growth(old, {"residual": {"operations": 102}})
    assert growth(old, {"residual": {"operations": 103}}) == [
        "residual: operations grew from 100 to 103"
    ]
    assert growth(old, {"residual": {"operations": 100, "statements": 1}, "share": {}})

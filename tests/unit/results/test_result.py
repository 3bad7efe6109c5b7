"""Access to a result by name."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime.results.result_series import columns
from mbdgen.runtime.system.system_data import Names
from tests.sample_result import make


def test_names_lead_to_their_arrays() -> None:
    result = make()
    assert np.array_equal(result["t"], result.t)
    assert np.array_equal(result["tip.y"], result.outputs[:, 1])
    assert np.array_equal(result["rod.theta"], result.q[:, 2])
    assert np.array_equal(result["rod.x.dot"], result.v[:, 0])
    assert np.array_equal(result["rod.x.ddot"], result.a[:, 0])
    assert np.array_equal(result["pin[1]"], result.lam[:, 1])
    assert np.array_equal(result["energy.kinetic"], result.energies[:, 0])
    assert np.array_equal(result["energy.work"], result.energies[:, 2])
    assert np.array_equal(result["energy.total"], result.energies[:, 0] + result.energies[:, 1])


def test_prefixes_lead_to_all_components() -> None:
    result = make()
    assert np.array_equal(result["tip"], result.outputs[:, :2])
    assert np.array_equal(result["rod"], result.q)
    assert np.array_equal(result["rod.dot"], result.v)
    assert np.array_equal(result["rod.ddot"], result.a)
    assert np.array_equal(result["pin"], result.lam)
    assert result["energy"].shape == (21, 4)


def test_every_key_works_and_is_contained() -> None:
    result = make()
    assert list(result) == result.keys()
    assert len(set(result.keys())) == 1 + 3 + 9 + 2 + 4
    assert set(dict(result)) == set(result.keys())
    for name in result:
        assert name in result and result[name].shape == (21,)
    assert "tip" in result and "nothing" not in result and 3 not in result


@pytest.mark.parametrize("name", ["tip.", "", "tipp.y", "pin[7]", "rod.x.dddot", 0, None, "[", "."])
def test_unknown_names_are_our_error_with_a_remedy(name) -> None:
    with pytest.raises(OptionError, match=r"nothing called .*(Did you mean|It has)"):
        make()[name]


def test_close_matches_are_listed() -> None:
    with pytest.raises(OptionError, match=r"Did you mean 'tip\.y"):
        make()["tip_y"]


def test_an_output_may_be_called_like_a_coordinate_or_the_time() -> None:
    result = make(outputs=("rod.x", "t", "energy"))
    assert np.array_equal(result["rod.x"], result.outputs[:, 0])
    assert np.array_equal(result["q.rod.x"], result.q[:, 0])
    assert np.array_equal(result["outputs.t"], result.outputs[:, 1])
    assert np.array_equal(result["energy"], result.outputs[:, 2])
    assert result["rod"].shape == (21, 1)
    assert len(set(result.keys())) == len(result.keys())


def test_units() -> None:
    result = make()
    names = ("t", "tip.x", "tip", "E", "rod.x.dot", "rod.theta.ddot", "rod", "pin[0]", "energy")
    expected = ("s", "m", "m", "J", "m/s", "rad/s^2", "", "", "J")
    assert tuple(map(result.unit, names)) == expected


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="lam has shape"):
        replace(make(), lam=np.zeros((21, 5)))


def test_repr_says_the_axes_and_stays_short() -> None:
    text = repr(make())
    assert "axes are (time, n)" in text and "(21, 3) rod.x" in text and "reached t" in text
    assert len(text.splitlines()) < 20
    assert "(0,)" in repr(make(0))


def test_many_names_stay_quick() -> None:
    bodies = tuple(f"b{k}.{c}" for k in range(1000) for c in ("x", "y", "theta"))
    assert len(columns(Names(bodies, (), (), (), (), ()))) == 9004


def test_runtime_needs_no_optional_library() -> None:
    code = (
        "import sys, mbdgen.view.plots\n"
        "import mbdgen.runtime.results.result, mbdgen.runtime.results.result_export\n"
        "optional = 'sympy jinja2 pandas xarray pyarrow matplotlib rich'.split()\n"
        "found = set(optional) & set(sys.modules)\n"
        "sys.exit(f'{found}' if found else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

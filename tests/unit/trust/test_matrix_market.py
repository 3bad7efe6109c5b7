"""Files of Matrix Market: what is sound is read as SciPy reads it, what is damaged is refused."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmread, mmwrite

from mbdgen.errors import ModelError
from mbdgen.modal.matrix_files import as_matrix
from mbdgen.modal.matrix_market import read_matrix_market
from tests.fuzz import damages
from tests.unit.language.test_flexible_body import MASS, STIFFNESS

HEAD = "%%MatrixMarket matrix {}\n"
SYMMETRIC = HEAD.format("coordinate real symmetric")
FULL = HEAD.format("array real general")
BROKEN = {
    "symmetric without a square": HEAD.format("array real symmetric") + "2 300\n" + "1.0\n" * 600,
    "fewer entries": SYMMETRIC + "2 2 2\n1 1 1.0\n",
    "more entries": SYMMETRIC + "2 2 1\n1 1 1.0\n2 2 1.0\n",
    "more than none": SYMMETRIC + "2 2 0\n1 1 1.0\n",
    "an entry at 0": SYMMETRIC + "2 2 2\n1 1 1.0\n0 0 1.0\n",
    "an entry outside": SYMMETRIC + "2 2 2\n1 1 1.0\n3 2 1.0\n",
    "half a number": SYMMETRIC + "2 2 2\n1 1 1.0\n1.5 2 1.0\n",
    "a number beyond all": SYMMETRIC + "2 2 2\n1 1 1.0\n" + "9" * 30 + " 2 1.0\n",
    "two numbers in a line": FULL + "2 2\n1.0 2.0\n3.0\n4.0\n5.0\n",
    "pairs": FULL + "2 2\n1.0 2.0\n3.0 4.0\n5.0 6.0\n7.0 8.0\n",
    "huge": SYMMETRIC + "999999999 999999999 1\n1 1 1.0\n",
    "a size below 0": FULL + "-1 -1\n1.0\n",
    "complex": HEAD.format("coordinate complex general") + "1 1 1\n1 1 1.0 0.0\n",
    "a pattern": HEAD.format("coordinate pattern general") + "1 1 1\n1 1\n",
    "another symmetry": HEAD.format("coordinate real symmetri") + "1 1 1\n1 1 1.0\n",
    "not finite": SYMMETRIC + "1 1 1\n1 1 nan\n",
    "text": "mass\n1.0\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_broken_files_are_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mass.mtx"
    path.write_text(text)
    with pytest.raises(ModelError, match=r"mass\.mtx") as caught:
        as_matrix(path, "mass", "body 'part'")
    assert caught.value.remedy


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("kept", [np.asarray, sparse.coo_matrix], ids=["full", "sparse"])
def test_sound_files_are_read_as_scipy_reads_them(
    tmp_path: Path, symmetry: str, kept: type
) -> None:
    square = np.random.default_rng(1).normal(size=(5, 5))
    sign = {"general": 0.0, "symmetric": 1.0, "skew-symmetric": -1.0}[symmetry]
    path = tmp_path / "m.mtx"
    shapes = [square + sign * square.T, np.arange(6.0).reshape(2, 3), np.zeros((2, 2))]
    for matrix in shapes[: 3 if symmetry == "general" else 1]:
        mmwrite(path, kept(matrix), comment="a\nb", precision=17, symmetry=symmetry)
        found, known = (
            sparse.coo_array(x).toarray() for x in (read_matrix_market(path), mmread(path))
        )
        np.testing.assert_array_equal(found, known)


@pytest.mark.slow
def test_random_damages_are_refused_or_give_finite_numbers(tmp_path: Path) -> None:
    ways = (damages.flip, damages.cut, damages.noise, damages.zeros, damages.append,
            damages.change_number, damages.lose_line, damages.nest)  # fmt: skip
    refused, path = 0, tmp_path / "x.mtx"
    for number in range(300):
        random = Random(number)
        symmetry = random.choice(("symmetric", "general"))
        mmwrite(path, sparse.coo_matrix(random.choice((MASS, STIFFNESS))), symmetry=symmetry)
        random.choice(ways)(path, random)
        try:
            found = as_matrix(path, "mass", "body 'part'")
        except ModelError:
            refused += 1
        else:
            assert np.isfinite(found.data).all()
    assert refused > 150

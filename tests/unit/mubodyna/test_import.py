"""Folders of MUBODYNA as model files: their text, and faults by file and line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mbdgen.errors import ModelError
from mbdgen.language.read import read
from mbdgen.mubodyna.importer import import_mubodyna
from mbdgen.mubodyna.write.number_text import number

CORPUS = Path(__file__).parents[2] / "mubodyna"
FOLDERS = sorted(p.name for p in CORPUS.iterdir() if p.is_dir())
COUNTS = {
    "falling_ball": (1, 0, 1),
    "five_body_chain": (5, 5, 0),
    "incline": (2, 1, 1),
    "rssr": (3, 5, 1),
    "spinning_cone": (1, 1, 0),
    "tricycle": (5, 8, 1),
    "two_spheres_plane": (3, 1, 3),
    "v_groove": (3, 2, 2),
}
"""Bodies, joints, forces beside the weight."""


def test_all_folders_are_here() -> None:
    assert sorted(COUNTS) == FOLDERS


@pytest.mark.parametrize("name", FOLDERS)
def test_model_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(import_mubodyna(CORPUS / name), "utf-8")
    model = read(path)
    assert (len(model.bodies), len(model.joints), len(model.forces)) == COUNTS[name]
    assert model.name == name


@pytest.mark.representatives(id="88")
@pytest.mark.parametrize("width", ["88", "100"])
def test_text_is_as_ruff_writes_it(tmp_path: Path, width: str) -> None:
    """Formatted for both usual widths, without a finding, and the same in another process."""
    for name in FOLDERS:
        (tmp_path / f"{name}.py").write_text(import_mubodyna(CORPUS / name), "utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["format", "--check", "--diff"], ["check", "--select", "E,F,I,W,UP,B"]):
        call = [*ruff, *command, "--isolated", "--line-length", width, str(tmp_path)]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    script = (
        "from mbdgen.mubodyna.importer import import_mubodyna;"
        f"print(import_mubodyna({str(CORPUS / 'rssr')!r}), end='')"
    )
    again = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert again.stdout == (tmp_path / "rssr.py").read_text("utf-8")


def test_text_is_readable() -> None:
    text = import_mubodyna(CORPUS / "rssr", "fourbar.py")
    for line in (
        "    mbdgen run fourbar.py --t 6 --h 0.01 --method rk4 --formulation alf1",
        "C1 = f.polynomial(0, 2 * pi)",
        "# coupler",
        "    orientation=axis_angle((1, 0, 0), radians(51.34)),",
        "V4 = (sqrt(2) / 2, sqrt(2) / 2, 0)  # ground",
        'm.revolute("J4", m.ground.at(*P7, axis=V4), body3.at(*P6, axis=V3))',
        'm.relative_angle("J5", m.ground, body1, axis=V2, function=C1(m.t))',
        'm.spring("S2", body1.at(*P1), body2.at(*P4), stiffness=50, length=8)',
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (4.0, "4"),
        (0.027, "0.027"),
        (290e9, "2.9e11"),
        (-3.141592653589793, "-pi"),
        (0.5235987755982988, "pi / 6"),
        (6.283185307179586, "2 * pi"),
        (-17.320508075688775, "-10 * sqrt(3)"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-7, "1e-07"),
        (100000.0, "100000"),
    ],
)
def test_numbers(x: float, text: str) -> None:
    assert number(x) == text


CHANGES = [
    ("inBodies", "B1.mass = 0.5;", "B1.mas = 0.5;", r"inBodies.m:7: .* no field 'mas'"),
    ("inBodies", "B1.mass = 0.5;", "B1.mass = -1;", "inBodies.m:7: the mass of body 1 is -1"),
    ("inBodies", "B1.mass = 0.5;", "B1.A = eye(3);", "inBodies.m:7: .*computed by the program"),
    ("inBodies", "B1.mass = 0.5;", "B1.mass = 1e999;", "inBodies.m:7: 1e999 is too large"),
    ("inBodies", "[0; 2; 4.5]", "[0; 2]", "inBodies.m:14: r has 2x1 numbers"),
    ("inBodies", "cos(fi/2);", "2;", "inBodies.m:15: the Euler parameters of body 2"),
    ("inBodies", "Bodies = [B1 B2 B3];", "", "inBodies.m: Bodies is not assigned"),
    ("inBodies", "Bodies = [B1 B2 B3];", "Bodies = 3;", "inBodies.m:23: Bodies contains no el"),
    (
        "inPoints",
        "P5.Bindex = 3",
        "P5.Bindex = 4",
        "inPoints.m:8: Bindex is 4, but inBodies.m has 3",
    ),
    ("inPoints", "P5.Bindex = 3", "P5.Bindex = 1.5", "inPoints.m:8: Bindex is 1.5"),
    ("inVectors2", "iPindex = 1", "iPindex = 7", "inVectors2.m:5: the i side of vector 1 is the g"),
    ("inJoints", "J1.jPindex = 3", "J1.jPindex = 9", "inJoints.m:4: jPindex is 9, .* has 8"),
    ("inJoints", "J3.iPindex = 1", "J3.iPindex = 8", "inJoints.m:7: the i side of joint 3 is"),
    ("inJoints", "J5.iBindex = 1", "J5.iBindex = 0", "inJoints.m:11: the i side of joint 5 is"),
    ("inJoints", "J3.type = 'rev'", "J3.type = 'hinge'", "inJoints.m:6: joint 3 has the type 'hin"),
    ("inJoints", "J1.iPindex = 2; ", "", "inJoints.m:4: joint 1 .'sph'. has no iPindex"),
    ("inJoints", "J5.jBindex_a = 2", "J5.jBindex_a = 1", "inJoints.m:11: .* vector 1 of body 1"),
    ("inJoints", "J3.iVindex_a = 1", "J3.iVindex_a = 3", "inJoints.m:7: .* vector 3 of body 3"),
    ("inJoints", "J3.jVindex_a = 2", "J3.jVindex_a = 1", "inJoints.m:7: .* vector 1 of body 1"),
    ("inJoints", "J5.iFunct = 1", "J5.iFunct = 0", "inJoints.m:11: iFunct is 0"),
    ("inForces", "'ptp'", "'spring'", "inForces.m:10: force 2 has the type 'spring'"),
    ("inForces", "S2.V2index = 1", "S2.V2index = 2", "inForces.m:11: V2index is 2, .* 1 element"),
    ("inForces", "S2.k = 50", "S2.k = 'stiff'", "inForces.m:12: k is not a number"),
    ("inFuncts", "'a'", "'d'", "inFuncts.m:5: function 1 has the type 'd'"),
    ("inFuncts", "'a'", "'b'", "inFuncts.m:4: function 1 has no x_end"),
    ("inSolver", "'augmented'", "'newton'", "inSolver.m:7: method is 'newton'"),
    ("inSolver", "0.01", "0", "inSolver.m:6: dt is 0"),
    ("inAnimate", "xmax = 5", "xmax = 'wide'", "inAnimate.m:5: xmax is not a number"),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), CHANGES)
def test_faults_by_file_and_line(file: str, old: str, new: str, words: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(CORPUS / "rssr", folder)
    path = folder / f"{file}.m"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ModelError, match=words):
        import_mubodyna(folder)


def test_files(tmp_path: Path) -> None:
    """Each of the nine is needed, may be empty, and the functions have three names."""
    folder = tmp_path / "model"
    shutil.copytree(CORPUS / "spinning_cone", folder)
    text = import_mubodyna(folder)
    for path in sorted(folder.iterdir()):
        kept = path.read_text("utf-8")
        path.unlink()
        with pytest.raises(ModelError, match=f"{path.name} is missing"):
            import_mubodyna(folder)
        path.write_text(kept, "utf-8")
    (folder / "inVectors1.m").write_text("", "utf-8")
    (folder / "inFuncts.m").rename(folder / "inFunctions.m")
    assert import_mubodyna(folder) == text
    with pytest.raises(ModelError, match="There is no folder"):
        import_mubodyna(tmp_path / "nothing")


CAM = """
C1 = Funct_struct; C1.type = 'b';
C1.x_start = 0; C1.x_end = 0.8; C1.f_start = 0; C1.f_end = 0.8;
C2 = Funct_struct; C2.coeff = [5 2 1.5];
C3 = Funct_struct; C3.type = 'c'; C3.x_max = 0.9; C3.x_end = 0.8; C3.f_max = 1;
Functs = [C1 C2];
"""


def test_functions(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(CORPUS / "spinning_cone", folder)
    (folder / "inFuncts.m").write_text(CAM, "utf-8")
    lines = import_mubodyna(folder).splitlines()
    assert "C1 = f.quintic(0, 0.8, before=0, after=0.8)" in lines
    assert "C2 = f.polynomial(5, 2, 1.5)" in lines
    (folder / "inFuncts.m").write_text(CAM.replace("[C1 C2]", "[C1 C2 C3]"), "utf-8")
    with pytest.raises(ModelError, match=r"inFuncts\.m:5: .* x_end = 0\.8, not after"):
        import_mubodyna(folder)

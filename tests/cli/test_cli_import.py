"""``mbdgen import-mubodyna``: what it writes, where, and its exit codes."""

import shutil
from pathlib import Path

from tests.cli.conftest import Call

CORPUS = Path(__file__).parents[1] / "mubodyna"


def test_model_file(call: Call) -> None:
    """To a file, or to stdout with the name that the folder gives."""
    done = call("import-mubodyna", CORPUS / "falling_ball", "--out", "ball.py")
    assert done.exit_code == 0 and "wrote ball.py" in done.stderr and done.stdout == ""
    text = Path("ball.py").read_text("utf-8")
    shown = call("import-mubodyna", CORPUS / "falling_ball")
    assert shown.stdout == text.replace("ball.py", "falling_ball.py", 1)
    checked = call("check", "ball.py")
    assert checked.exit_code == 0, checked.output


def test_wrong_input(call: Call) -> None:
    """Exit code 2, file and line, no traceback, and nothing written."""
    shutil.copytree(CORPUS / "falling_ball", "wrong")
    path = Path("wrong/inForces.m")
    path.write_text(path.read_text("utf-8").replace("S2.iPindex = 1", "S2.iPindex = 2"), "utf-8")
    done = call("import-mubodyna", "wrong", "--out", "model.py")
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert "inForces.m:11: iPindex is 2, but inPoints.m has 1 element." in done.stderr
    Path("wrong/inForces.m").unlink()
    done = call("import-mubodyna", "wrong", "--out", "model.py")
    assert done.exit_code == 2 and "The file inForces.m is missing in wrong." in done.stderr
    assert not Path("model.py").exists()
    for arguments, words in (
        (("nowhere",), "There is no folder nowhere"),
        ((CORPUS / "rssr", "--out", "model.m"), "has the suffix '.m'"),
        ((CORPUS / "rssr", "--out", "nowhere/model.py"), "is missing"),
    ):
        done = call("import-mubodyna", *arguments)
        assert done.exit_code == 2 and words in done.stderr

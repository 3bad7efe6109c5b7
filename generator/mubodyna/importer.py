"""From a folder to the text of a model."""

from pathlib import Path

from mbdgen.mubodyna.folder import read_folder
from mbdgen.mubodyna.input_checks import check
from mbdgen.mubodyna.write.model_text import model_text


def import_mubodyna(folder: Path | str, file: str = "") -> str:
    """Return the model file for a folder of MUBODYNA's input files.

    Parameters
    ----------
    folder : path
        With the nine files ``inBodies.m``, ...
    file : str
        What the model file will be called.

    Raises
    ------
    ModelError
        With file and line of what is missing, wrong or not read.
    """
    found = read_folder(Path(folder))
    check(found)
    return model_text(found, file)

"""Conversion of a folder to the text of a model file."""

from pathlib import Path

from mbdgen.mubodyna.folder import read_folder
from mbdgen.mubodyna.input_checks import check
from mbdgen.mubodyna.write.model_text import model_text


def import_mubodyna(folder: Path | str, file: str = "") -> str:
    """Return the model file for a folder of MUBODYNA's input files.

    Parameters
    ----------
    folder : path
        Folder with the nine files ``inBodies.m``, ...
    file : str
        Name of the model file.

    Raises
    ------
    ModelError
        For missing, wrong or unsupported input, with file and line.
    """
    found = read_folder(Path(folder))
    check(found)
    return model_text(found, file)

"""Animation of mode shapes as an HTML page: points of bodies and complex displacements."""

import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from mbdgen.mechanics.modes import Modes, without_round_off
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.animation_page import embedded

PAGE, PLACE = "html/modes.html", "/*DATA*/"
SMALL = 1e-6
"""Displacement for finite differences of positions."""


def save_animation(
    found: Modes,
    system: System,
    bones: Mapping[str, Sequence[str]],
    path: str | os.PathLike[str],
) -> None:
    """Write a self-contained HTML page with an animation of every mode.

    Parameters
    ----------
    found : Modes
        Modes of the system.
    system : System
        System whose outputs are the points.
    bones : mapping of str to sequence of str
        For each body the outputs that are points of it; lines connect the first to the others.
    path : path
        Path of the html file.
    """
    names = [name for points in bones.values() for name in points]
    columns = [[system.names.outputs.index(f"{n}.{axis}") for axis in "xyz"] for n in names]

    def places(q: FloatArray) -> FloatArray:
        zero = np.zeros(system.n_q)
        at = found.linear.at
        values: FloatArray = system.outputs(float(at.clock[0]), q, zero, zero, at.lam)[columns]
        return values

    def moved(mode: int, phase: float) -> FloatArray:
        ahead, behind = (places(found.displaced(mode, x, phase)) for x in (SMALL, -SMALL))
        return (ahead - behind) / (2.0 * SMALL)

    data = {
        "model": system.data.model,
        "bodies": {name: [names.index(n) for n in points] for name, points in bones.items()},
        "points": places(found.linear.at.q).tolist(),
        "modes": [
            {
                "frequency": float(found.frequency[k]),
                "damping": without_round_off(found.damping_ratio[k]),
                "real": float(found.eigenvalues[k].real),
                "re": moved(k, 0.0).tolist(),
                "im": moved(k, -0.5 * np.pi).tolist(),
            }
            for k in range(len(found))
        ],
    }
    page = (Path(str(files("mbdgen.templates"))) / PAGE).read_text("utf-8")
    text = embedded(data)
    with replacing(path) as temporary:
        temporary.write_text(page.replace(PLACE, text), encoding="utf-8")

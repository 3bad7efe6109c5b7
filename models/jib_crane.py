"""Slewing crane: the jib is a body by the matrices of its finite elements, the load hangs on it.

The matrices are files in the format Matrix Market beside this one: 11 nodes of six unknowns.
Craig and Bampton's reduction leaves a few modes of the jib that is held at its foot; it turns by a
quarter, and load and jib sway on.
"""

from math import pi
from pathlib import Path

from mbdgen import Model, functions

FILES = Path(__file__).parent / "jib_crane_matrices"


def model(load=100.0, rope=1.0, time=5.0, highest=40.0, damping=0.01):
    """Return the model.

    Parameters
    ----------
    load, rope : float
        Mass in kg, and length in metres.
    time : float
        Of the quarter turn, in seconds.
    highest : float
        Frequency of the last mode that is taken along, in Hz.
    damping : float
        Ratio of each mode.
    """
    mech = Model("jib_crane", gravity=(0, 0, -9.81))
    jib = mech.flexible_body(
        "jib",
        mass=FILES / "mass.mtx",
        stiffness=FILES / "stiffness.mtx",
        nodes=FILES / "nodes.mtx",
        interface={"foot": 0, "tip": 10},
        frame="foot",
        modes=2,
        highest=highest,
        damping=damping,
    )
    weight = mech.point_mass("weight", load, position=(3, 0, 2 - rope), radius=0.15)
    foot = jib.node("foot")
    mech.revolute("column", mech.ground.at(), foot, axis=(0, 0, 1))
    turn = functions.quintic(0, time, 0, pi / 2)(mech.t)
    mech.rotation_driver("slewing", mech.ground.at(), foot, axis=(0, 0, 1), angle=turn)
    mech.distance("rope", jib.node("tip"), weight.at())
    mech.displacement("tip", foot, jib.node("tip"))
    mech.output("weight", weight.at())
    mech.suggest(t=8, h=2e-3)
    return mech

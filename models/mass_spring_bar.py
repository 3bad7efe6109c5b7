"""A wave in a bar: n masses and n - 1 springs between them, one end moved by a single soft push.

The speed of that end rises to 1 m/s and falls to 0 again like half a sine. The pulse runs along the
bar, and the free end answers with twice the speed. Few masses ring behind it, many do not.
"""

from sympy import Piecewise, cos, pi

from mbdgen import Model
from mbdgen.language.beams.bars import Bar, chain_of_masses


def model(n=20, m=0.04, k=10.0, L=1.8, T=0.04, peak=1.0):
    """Return the model.

    Parameters
    ----------
    n : int
        Number of masses; the first one is moved.
    m, k, L : float
        Mass, stiffness and length of the bar: `mbdgen.language.beams.bars.bar` has them from
        density, Young's modulus and cross-section.
    T, peak : float
        Duration of the push in s, and its largest speed in m/s.
    """
    mech = Model("mass_spring_bar", gravity=(0, 0, 0))
    chain = chain_of_masses(mech, "mass", Bar(m, k, L), n)

    # the velocity is half a sine; the acceleration jumps where it begins and where it ends
    pushed = peak * T / pi * Piecewise((1 - cos(pi * mech.t / T), mech.t < T), (2, True))
    first, last = chain.masses[0], chain.masses[-1]
    push = mech.translation_driver("push", mech.ground, first, axis=(1, 0, 0), distance=pushed)

    mech.output("base_speed", first.at().vx, unit="m/s")
    mech.output("middle_speed", chain.masses[n // 2].at().vx, unit="m/s")
    mech.output("free_speed", last.at().vx, unit="m/s")
    mech.output("base_force", push.force)
    mech.suggest(t=1, h=1e-4)
    return mech

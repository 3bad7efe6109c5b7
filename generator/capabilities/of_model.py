"""Detection of the features of a model, from its elements and its compiled system."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.compiler import load
from mbdgen.limits import Facts
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_features import features_of
from mbdgen.stages import derive_types
from mbdgen.symbolic.lower.build_limits import facts_of
from mbdgen.topology.specify import specify

if TYPE_CHECKING:
    from mbdgen.language.model import Model


def features_of_model(model: "Model") -> Facts:
    """Return the features of a model, with the names of the parts that have them."""
    specs = specify(model)
    stated = facts_of(model, specs, derive_types(specs, "sympy"))
    system = load(model)
    running = features_of(system, diagnose(system, 0.0, assemble(system).q))
    found = replace(running, features={**running.features, **stated.features})
    return found.having("massless", ()) if _massless(system) else found


def _massless(system: System) -> bool:
    """Return whether the mass matrix is singular at the initial state."""
    n, zero = system.n_q, np.zeros(system.n_q)
    none, weights = np.zeros(system.n_lam), (0.0, 0.0, 1.0)
    q = assemble(system).q
    mass = system.matrix(0.0, q, zero, zero, none, weights)[:n, :n].toarray()
    return int(np.linalg.matrix_rank(mass)) < n

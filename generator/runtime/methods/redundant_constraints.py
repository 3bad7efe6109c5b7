"""Redundant constraints: their treatment by formulations and integration methods.

Formulations use a rank-revealing elimination (`mbdgen.runtime.solvers.rank_revealing_solve`).
Methods that solve several instants together have an elimination of their own, which is not rank
revealing. Explicit methods by themselves have the regularisation of
`mbdgen.runtime.linalg.multiplier_regularisation` only: between its stages the motion is off the
constraints, and equations that are inconsistent there increase the error of a step by some orders
of magnitude.
"""

from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis
from mbdgen.runtime.methods.scheme import Scheme


def redundancy(scheme: Scheme, diagnosis: Diagnosis) -> str:
    """Return the redundant equations, and their treatment by the scheme; empty without any."""
    if not diagnosis.redundant:
        return ""
    formulation = scheme.formulation
    if formulation is None:
        done = "they are kept, and reactions are the smallest ones that do the same"
    elif any(option.name == "penalty" for option in formulation.options):
        done = f"penalties of '{formulation.name}' share the reactions among them"
    else:
        done = f"'{formulation.name}' leaves them out by rank"
    return f"{'; '.join(diagnosis.messages())}: {done}"


def advice(scheme: Scheme, diagnosis: Diagnosis) -> str:
    """Return a recommendation for methods that lose accuracy by redundant constraints."""
    if not diagnosis.redundant or scheme.formulation is not None or scheme.method.needs != "slope":
        return ""
    return (
        f" Constraints depend on each other, by which '{scheme.method.name}' by itself loses "
        "accuracy: formulation 'nullspace-qr' does not."
    )

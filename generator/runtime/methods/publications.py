"""Publications shared by several methods."""

CENTRAL_DIFFERENCES = (
    "G. Urkullu Martin: Integration of the equations of multibody dynamics by second-order "
    "central differences (in Spanish), PhD thesis, University of the Basque Country UPV/EHU, 2019; "
    "G. Urkullu, I. Fernandez de Bustos, V. Garcia-Marina, H. Uriarte: Direct integration of the "
    "equations of multibody dynamics using central differences and linearization, "
    "Mech. Mach. Theory 133 (2019) 432-458."
)
NULL_SPACE = (
    "I. Fernandez de Bustos, H. Uriarte, G. Urkullu, V. Garcia-Marina: A non-damped stabilization "
    "algorithm for multibody dynamics, Meccanica 57 (2022) 371-399"
)


def conditionally_explicit(source: str) -> str:
    """Return the source of the family `mbdgen.runtime.steps.conditionally_explicit_step`."""
    return f"{NULL_SPACE}, and {source} of the PhD thesis on it, UPV/EHU."

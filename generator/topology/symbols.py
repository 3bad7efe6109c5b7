"""Error for an unknown or inadmissible symbol in an expression."""

from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.model import Model


def unknown_symbol(model: Model, s: Any, where: str, fixed: bool = False) -> ModelError:
    """Return the error for a symbol in an expression.

    Parameters
    ----------
    where : str
        Name of the expression, for the message.
    fixed : bool
        Whether the expression must be constant: only parameters may appear in it.
    """
    alike = dict.fromkeys(model.parameters, "the symbol that parameter(...) returned")
    alike["t"] = "model.t"
    if s == model.t or s in model.book:
        cause, remedy = f"{where} depends on '{s}', but must not change.", "Use parameters only."
    elif s.name in alike:
        cause = f"{where} contains a symbol '{s}' that only looks like one of the model."
        remedy = f"Use {alike[s.name]}: symbols with other assumptions are different symbols."
    else:
        kinds = "parameters" if fixed else "model.t, parameters and placeholders"
        cause = f"{where} contains the unknown symbol '{s}'."
        remedy = f"Use {kinds} of this model; declare others with model.parameter(name, value)."
    return ModelError(cause, remedy)

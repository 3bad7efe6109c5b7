"""Python for whole arrays: what modules evaluate for all instants and bodies of a type at once."""

from typing import ClassVar

from mbdgen.emit.printer import Printer


class NumpyPrinter(Printer):
    """Writes Python expressions with functions of NumPy."""

    functions: ClassVar[dict[str, str]] = {
        "sqrt": "np.sqrt",
        "sin": "np.sin",
        "cos": "np.cos",
        "tan": "np.tan",
        "asin": "np.arcsin",
        "acos": "np.arccos",
        "atan": "np.arctan",
        "atan2": "np.arctan2",
        "sinh": "np.sinh",
        "cosh": "np.cosh",
        "tanh": "np.tanh",
        "exp": "np.exp",
        "log": "np.log",
        "abs": "np.abs",
        "sign": "np.sign",
        "pow": "np.power",
        "min": "np.minimum",
        "max": "np.maximum",
    }

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a choice, made number by number: both sides are evaluated everywhere."""
        return f"np.where({condition}, {yes}, {no})"

"""Validation of plug-ins: methods, formulations, projectors, and their compiled functions.

Errors in such a file are reported when it is loaded or first used, with the cause, the location
and a remedy, and not by a run that fails.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.compiled_functions import Separate
from mbdgen.runtime.stepping.number_arguments import finite
from mbdgen.subset.scope import TranslationError
from mbdgen.subset.types import Signature

F = TypeVar("F", bound=Callable[..., object])

_BOTH = frozenset("system span method h formulation projection preset t_eval progress".split())
OF_RUNS = frozenset("rtol atol events callback start sensitivities rebase".split())
"""Arguments of ``simulate`` alone."""
OF_ENSEMBLES = frozenset("parameters q0 v0 every series workers out executor resume".split())
"""Arguments of ``simulate_many`` alone."""
RESERVED = _BOTH | OF_RUNS | OF_ENSEMBLES
"""Arguments of ``simulate`` and ``simulate_many``, and the word for a set of options: names that
options cannot have."""


def check_options(where: str, options: tuple[Option, ...]) -> None:
    """Refuse options with reserved or duplicate names, or with a default out of range."""
    for name, count in Counter(option.name for option in options).items():
        if count > 1:
            raise OptionError(f"{where} has {count} options '{name}'.", "Rename one of them.")
        if name in RESERVED or not name.isidentifier():
            raise OptionError(
                f"{where} has an option '{name}', which users cannot give: it is no name, or "
                "that of an argument of simulate or simulate_many.",
                "Rename the option.",
            )
    for option in options:
        if not option.low <= option.default <= option.high:
            raise OptionError(
                f"{where}: the default {option.default:g} of option '{option.name}' is outside "
                f"its range, {option.low:g} to {option.high:g}.",
                "Change one of them.",
            )


def returned_numbers(
    where: str, call: str, numbers: Callable[[], Iterable[float]], count: int, advice: str
) -> tuple[float, ...]:
    """Return the values of a plug-in function, checked to be finite and of the right number.

    Parameters
    ----------
    where, call : str
        Owner of the function, and its call: ``weights(values)``.
    numbers : callable
        Calls the function.
    count : int
        Number of values expected.
    advice : str
        Remedy: what to return.
    """
    name = call.partition("(")[0]
    try:
        found = tuple(numbers())
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:
        raise OptionError(f"{call} of {where} fails: {error}.", advice) from error
    if len(found) != count or any(finite(number) is None for number in found):
        raise OptionError(f"{name} of {where} returns {found}.", advice)
    return found


class Deferred:
    """A function compiled at its first use, so that listing methods compiles nothing.

    Parameters
    ----------
    function : callable
        Its Python source.
    signature, role, wanted
        As for `compiled_for`.
    """

    def __init__(
        self, function: Callable[..., object], signature: Signature, role: str, wanted: str
    ) -> None:
        self.function, self.signature = function, signature
        self._words = role, wanted

    @property
    def __code__(self) -> CodeType:
        return self.function.__code__

    @cached_property
    def compiled(self) -> Any:
        """Compiled function, called by its address."""
        return compiled_for(self.signature, self.function, *self._words)


def compiled_for(signature: Signature, function: F, role: str, wanted: str) -> F:
    """Compile a function that is called by its address, or explain why compilation fails.

    Parameters
    ----------
    signature : Signature
        Argument and return types.
    function : callable
        Its Python source.
    role, wanted : str
        Purpose, and the signature as it is written in a plug-in.
    """
    try:
        made = Separate(cast("FunctionType", function), signature)
        made.make()
        return cast("F", made)
    except TranslationError as error:
        raise OptionError(
            f"'{function.__name__}' in '{function.__code__.co_filename}' cannot be compiled as "
            f"{role}: {str(error).strip()}",
            f"It must be {wanted}, in a file, in the solver language, and return a status.",
        ) from error

"""What the generated methods of `Model` call."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from mbdgen.language.element import Element
from mbdgen.language.registry import elements


class StatedMethods:
    """Base of the generated classes; `Model` has the methods that are abstract here."""

    @abstractmethod
    def add(self, *given: Any, **named: Any) -> Any:
        """Add an element by its class."""

    @abstractmethod
    def _body(self, *given: Any, **named: Any) -> Any: ...

    @abstractmethod
    def _beam(self, *given: Any, **named: Any) -> Any: ...

    @abstractmethod
    def _floating_beam(self, *given: Any, **named: Any) -> Any: ...

    @abstractmethod
    def _flexible_body(self, *given: Any, **named: Any) -> Any: ...

    @abstractmethod
    def _contacts(self, *given: Any, **named: Any) -> Any: ...

    def _attached(self, word: str, name: str, ends: tuple[Any, ...], **given: Any) -> Any:
        return self.add(name, elements()[word], *ends, **given)


def method_of(model: StatedMethods, element: type[Element]) -> Callable[..., Any]:
    """Return the method of an element for which none has been generated."""
    from mbdgen.language.method_signatures import documentation_of, signature_of

    def method(name: Any = None, *ends: Any, **given: Any) -> Any:
        return model.add(name, element, *ends, **given)

    method.__name__ = method.__qualname__ = element.name
    method.__doc__ = documentation_of(element)
    signature = signature_of(element)
    _, *parameters = signature.parameters.values()
    vars(method)["__signature__"] = signature.replace(
        parameters=parameters, return_annotation="Attached"
    )
    return method

"""Calls from Python: arguments in slots, results taken from slots."""

import ctypes
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.translated_values import kinds
from mbdgen.subset.typed_tree import Expression, TypedFunction, Variable

_ITEMS = {
    "int": np.dtype(np.int64),
    "real": np.dtype(np.float64),
    "bool": np.dtype(np.bool_),
    "int32": np.dtype(np.int32),
    "uint32": np.dtype(np.uint32),
}


def entry_of(function: TypedFunction, signature: types.Signature) -> TypedFunction:
    """Return a function of the address of slots that calls another one.

    The slots of the arguments are followed by those of the result. Arrays are allocated in a frame
    of the caller.
    """
    slots = Variable("slots", tree.SLOTS, True)
    arguments: list[Expression] = []
    at = 0

    def take(kind: types.Type) -> None:
        nonlocal at
        if isinstance(kind, types.RecordType):
            if types.slots(kind):
                arguments.append(tree.Behind(slots, tree.integer(at), tree.SLOTS))
                at += types.slots(kind)
            return
        if isinstance(kind, types.Tuple):
            for item in kind.items:
                take(item)
            return
        for part in kinds(kind):
            arguments.append(tree.RecordField(slots, at, part))
            at += 1

    for kind in signature.arguments:
        take(kind)
    body: list[tree.Statement]
    if function.result is not None:
        call = tree.FunctionCall(function, tuple(arguments), function.result)
        body = [tree.StoreSlot(slots, at, call)]
    else:
        if types.slots(signature.result):
            arguments.append(tree.Behind(slots, tree.integer(at), tree.SLOTS))
        body = [tree.Do(tree.FunctionCall(function, tuple(arguments), None))]
    return TypedFunction(
        f"call_{function.name}",
        function.where,
        [slots],
        None,
        body,
        separate=True,
        frame="caller",
    )


class Entry:
    """A compiled function that Python calls.

    Parameters
    ----------
    address : int
        Address of a function made by `entry_of`.
    signature : Signature
        Types of the function.
    free : int
        Address of a function that frees a frame.
    name : str
        Its name, for error messages.
    nogil : bool
        Whether it releases the global interpreter lock.
    """

    def __init__(
        self, address: int, signature: types.Signature, free: int, name: str, nogil: bool = False
    ) -> None:
        kind = ctypes.CFUNCTYPE if nogil else ctypes.PYFUNCTYPE
        self._call = kind(None, ctypes.c_void_p, ctypes.c_void_p)(address)
        self._free = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(free)
        self._signature, self._name = signature, name
        formats = "".join(map(_format, signature.arguments))
        self._inputs = struct.Struct(f"={formats}")
        self._outputs = struct.Struct("=" + _format(signature.result))
        self._size = self._inputs.size + self._outputs.size
        self._packers = [_packer(kind, f"{name}") for kind in signature.arguments]
        self._holds_arrays = "P" in "".join(
            "P" if isinstance(kind, types.Pointer) else "" for kind in kinds(signature.result)
        )

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        if len(arguments) != len(self._packers):
            raise TypeError(f"{self._name} takes {len(self._packers)} arguments")
        values: list[int | float] = []
        for pack, argument in zip(self._packers, arguments, strict=True):
            pack(argument, values)
        slots = ctypes.create_string_buffer(self._size)
        self._inputs.pack_into(slots, 0, *values)
        frame = ctypes.c_void_p()
        self._call(slots, ctypes.addressof(frame))
        found = iter(self._outputs.unpack_from(slots, self._inputs.size))
        result = _unpacked(self._signature.result, found)
        if frame:
            self._free(ctypes.addressof(frame))
        return result


def _format(kind: types.Type) -> str:
    return "".join("d" if part == types.float64 else "q" for part in kinds(kind))


Packer = Callable[[Any, list[int | float]], None]


def _packer(kind: types.Type, name: str) -> Packer:
    """Return a function that appends the slots of a value to a list."""
    match kind:
        case types.Array(item, ndim, contiguous):
            return _array_packer(_ITEMS[item.name], ndim, contiguous, f"{name}: {kind}")
        case types.RecordType(cls, fields):
            packers = [_packer(x, f"{name}: {f}") for x, f in zip(fields, cls._fields, strict=True)]  # type: ignore[attr-defined]
        case types.Tuple(items):
            packers = [_packer(x, name) for x in items]
        case types.FunctionPointer():
            return _pack_function
        case types.NumberType(text):
            convert = float if text == "real" else int
            return lambda value, values: values.append(convert(value))
        case types.Pointer():
            return lambda value, values: values.append(int(value))
        case _:
            return lambda value, values: None

    def pack(value: Any, values: list[int | float]) -> None:
        for packer, part in zip(packers, value, strict=True):
            packer(part, values)

    return pack


def _pack_function(value: Any, values: list[int | float]) -> None:
    values.append(value.address)


def _array_packer(dtype: Any, ndim: int, contiguous: bool, name: str) -> Packer:
    def pack(value: Any, values: list[int | float]) -> None:
        if value.dtype != dtype or value.ndim != ndim:
            raise TypeError(f"{name}, not {value.dtype} with {value.ndim} axes")
        if contiguous:
            if not value.flags.c_contiguous:
                raise TypeError(f"{name}, not an array with strides")
            values.append(value.__array_interface__["data"][0])
            values.extend(value.shape)
            return
        values.append(value.__array_interface__["data"][0])
        values.extend(value.shape)
        values.extend(stride // value.itemsize for stride in value.strides)

    return pack


def _unpacked(kind: types.Type, found: Iterator[Any]) -> Any:
    """Return a result; arrays are copied."""
    match kind:
        case types.Array(item, ndim, contiguous):
            address = next(found)
            shape = tuple(next(found) for _ in range(ndim))
            if not contiguous:
                raise TypeError("results are contiguous arrays")
            dtype = _ITEMS[item.name]
            count = int(np.prod(shape))
            if count == 0:
                return np.zeros(shape, dtype)
            data = ctypes.string_at(address, count * dtype.itemsize)
            return np.frombuffer(data, dtype).reshape(shape).copy()
        case types.RecordType(cls, fields):
            return cls(*(_unpacked(x, found) for x in fields))
        case types.Tuple(items):
            return tuple(_unpacked(x, found) for x in items)
        case types.Nothing():
            return None
        case types.NumberType("bool"):
            return bool(next(found))
    return next(found)


def type_of_argument(value: Any) -> types.Type:
    """Return the type of an argument that Python passes."""
    if isinstance(value, bool | np.bool_):
        return types.boolean
    if isinstance(value, int | np.integer):
        return types.int64
    if isinstance(value, float | np.floating):
        return types.float64
    if isinstance(value, np.ndarray):
        (item,) = (types.NumberType(name) for name, dtype in _ITEMS.items() if dtype == value.dtype)
        return types.Array(item, value.ndim, value.flags.c_contiguous)
    if isinstance(value, tuple):
        parts = tuple(map(type_of_argument, value))
        return types.Tuple(parts) if type(value) is tuple else types.RecordType(type(value), parts)
    return value.kind if isinstance(value.kind, types.FunctionPointer) else types.StaticType(value)

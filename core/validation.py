"""Validation of function arguments against their type hints.

The module does not import numpy, because QGIS may start without it.
"""

from __future__ import annotations

import ast
import inspect
import numbers
from collections.abc import Mapping, Set, Sized
from functools import cache, wraps
from types import FunctionType
from typing import Any, Callable, NamedTuple, TypeVar, cast

from randcrowns.core.errors import InputError

_Public = TypeVar("_Public", bound=Callable[..., Any])
#: Result of a converter for a value that it does not accept.
_REJECTED = object()
#: Longest value that an error message quotes, characters.
_MAX_QUOTED = 60
#: Integers of at least this size are rejected: they do not fit into 64 bits.
_INTEGER_LIMIT = 2**63


def is_row(values: Any) -> bool:
    """Return True for ordered collections: arrays with dimensions, lists, columns.

    Texts, mappings and sets are no rows.

    >>> is_row([1, 2]), is_row("text"), is_row({1, 2})
    (True, False, False)
    """
    is_collection = isinstance(values, Sized) and getattr(values, "ndim", 1) > 0
    return is_collection and not isinstance(values, (str, bytes, Mapping, Set))


def validate_arguments(public: _Public) -> _Public:
    """Decorate a function or dataclass so that it checks its arguments against its type hints.

    Numbers, texts, arrays, sequences, mappings and instances of classes are checked; arguments with
    other hints are passed on. Numbers of any library are converted to Python numbers.

    Raises:
        InputError: by the decorated function, if an argument does not match its hint.

    >>> import numpy as np
    >>> @validate_arguments
    ... def half(value: float) -> float:
    ...     return value / 2
    >>> half(np.int64(3))
    1.5
    >>> half("3")
    Traceback (most recent call last):
    ...
    randcrowns.core.errors.InputError: half: value must be a number, not '3'.
    """
    if isinstance(public, type):
        public.__init__ = validate_arguments(public.__init__)  # type: ignore[misc]
        return cast(_Public, public)
    function = cast(FunctionType, public)
    signature = inspect.signature(function)
    display_name = function.__qualname__.replace(".__init__", "").rpartition("<locals>.")[2]
    hints = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, str)
    }

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            if name in hints:
                bound.arguments[name] = _convert(
                    value, hints[name], function.__globals__, f"{display_name}: {name}"
                )
        return function(*bound.args, **bound.kwargs)

    return cast(_Public, checked)


class _Alternative(NamedTuple):
    """One alternative of a union type hint."""

    name: str  #: the type, as ``Sequence``.
    items: str  #: the type in brackets, as ``int`` in ``Sequence[int]``; "" without one.


def _convert(value: Any, hint: str, namespace: Mapping[str, Any], name: str) -> Any:
    """Return a value converted as the first alternative of its type hint that accepts it.

    The value is returned unchanged if an alternative cannot be checked.

    Args:
        value: argument of the decorated function.
        hint: type hint as text.
        namespace: global names of the function's module, to look up classes.
        name: what the argument is called in errors.

    Raises:
        InputError: if no alternative accepts the value.
    """
    expected = []
    for alternative in _alternatives(hint):
        declared = namespace.get(alternative.name)
        if alternative.name in _CONVERTERS:
            converted = _convert_as(value, alternative)
        elif isinstance(declared, type) and declared is not Any:
            converted = value if isinstance(value, declared) else _REJECTED
        else:
            return value
        if converted is not _REJECTED:
            return converted
        expected.append(_describe(alternative))
    raise InputError(
        "argument.wrong_type",
        "{name} must be {expected}, not {value}.",
        name=name,
        expected=" or ".join(expected),
        value=_quote(value),
    )


def _convert_as(value: Any, alternative: _Alternative) -> Any:
    """Return a value converted as one alternative of a type hint.

    Args:
        value: argument of the decorated function.
        alternative: alternative whose name is in :data:`_CONVERTERS`.

    Returns:
        The converted value, _REJECTED if the alternative does not accept it. A sequence is returned
        unchanged if the alternative accepts all its items.
    """
    _, converter = _CONVERTERS[alternative.name]
    converted = converter(value)
    if converted is _REJECTED or alternative.items not in _ITEM_DESCRIPTIONS:
        return converted
    _, convert_item = _CONVERTERS[alternative.items]
    has_rejected_item = any(convert_item(item) is _REJECTED for item in value)
    return _REJECTED if has_rejected_item else value


def _describe(alternative: _Alternative) -> str:
    """Return what an alternative of a type hint accepts, such as "a list of texts"."""
    description, _ = _CONVERTERS.get(alternative.name, (alternative.name, None))
    return description + _ITEM_DESCRIPTIONS.get(alternative.items, "")


def _quote(value: Any) -> str:
    """Return a short value as Python writes it, else its type."""
    is_simple = value is None or isinstance(value, (str, bytes, int, float, complex))
    text = repr(value) if is_simple else ""
    return text if 0 < len(text) <= _MAX_QUOTED else f"a {type(value).__name__}"


@cache
def _alternatives(hint: str) -> tuple[_Alternative, ...]:
    """Return the alternatives of a type hint, such as ``int | Sequence[int] | None``, in order."""
    pending = [ast.parse(hint, mode="eval").body]
    alternatives = []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BinOp):
            pending += [node.right, node.left]
        elif isinstance(node, ast.Subscript):
            alternatives.append(_Alternative(ast.unparse(node.value), ast.unparse(node.slice)))
        else:
            alternatives.append(_Alternative(ast.unparse(node), ""))
    return tuple(alternatives)


def _plain(value: Any) -> Any:
    """Return the number in a numpy scalar or 0-dimensional array; other values unchanged."""
    is_scalar = getattr(value, "ndim", None) == 0 and hasattr(value, "item")
    return value.item() if is_scalar else value


def _instance_of(kind: type) -> Callable[[Any], Any]:
    """Return a converter that accepts instances of a class."""
    return lambda value: value if isinstance(value, kind) else _REJECTED


def _to_float(value: Any) -> Any:
    """Return a real number as float; _REJECTED for anything else."""
    number = _plain(value)
    try:
        return float(number) if isinstance(number, numbers.Real) else _REJECTED
    except OverflowError:
        return _REJECTED


def _to_int(value: Any) -> Any:
    """Return a whole number of at most 64 bits as int; _REJECTED for anything else."""
    number = _plain(value)
    is_whole_float = isinstance(number, float) and number == number // 1
    is_whole = isinstance(number, numbers.Integral) or is_whole_float
    return int(number) if is_whole and abs(number) < _INTEGER_LIMIT else _REJECTED


def _to_bool(value: Any) -> Any:
    """Return a Boolean as bool; _REJECTED for anything else."""
    flag = _plain(value)
    return flag if isinstance(flag, bool) else _REJECTED


def _check_array(value: Any) -> Any:
    """Return a number, array or row unchanged; _REJECTED for anything else."""
    is_single = isinstance(value, numbers.Number) or hasattr(value, "__array__")
    return value if is_single or is_row(value) else _REJECTED


def _check_row(value: Any) -> Any:
    """Return a row unchanged; _REJECTED for anything else."""
    return value if is_row(value) else _REJECTED


#: Description of the items of a sequence, by type; items of other types are not checked.
_ITEM_DESCRIPTIONS = {"int": " of whole numbers", "float": " of numbers", "str": " of texts"}
#: Description and converter of each type hint that can be checked.
_CONVERTERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "None": ("None", _instance_of(type(None))),
    "float": ("a number", _to_float),
    "int": ("a whole number", _to_int),
    "bool": ("True or False", _to_bool),
    "str": ("text", _instance_of(str)),
    "ArrayLike": ("an array", _check_array),
    **dict.fromkeys(("Floats", "Ints", "Bools", "Objects", "Array"), ("an array", _check_array)),
    "Sequence": ("a list", _check_row),
    "Mapping": ("a dict", _instance_of(Mapping)),
}

"""Arguments as their type hints say: whatever a caller gives is looked at before anything is computed.

Numpy is not imported here: QGIS starts without it.
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
#: What stands for a value that an alternative of a type hint does not allow.
_NO = object()
_SHOWN = 60
#: Whole numbers beyond 64 bits count nothing.
_MOST = 2**63


def is_row(values: Any) -> bool:
    """Whether the values are several in an order: an array with dimensions, a list, a column; no text, dict or set."""
    several = isinstance(values, Sized) and getattr(values, "ndim", 1) > 0
    return several and not isinstance(values, (str, bytes, Mapping, Set))


def as_declared(public: _Public) -> _Public:
    """The function (or dataclass), which raises InputError where an argument is not what its type hint says.

    Whole and real numbers of any library become Python's own; everything else is handed on as it is. Numbers, texts,
    arrays, sequences, mappings and classes are checked; arguments with other hints pass.

    >>> import numpy as np
    >>> @as_declared
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
        public.__init__ = as_declared(public.__init__)  # type: ignore[misc]
        return cast(_Public, public)
    function = cast(FunctionType, public)
    signature = inspect.signature(function)
    called = function.__qualname__.replace(".__init__", "").rpartition("<locals>.")[2]
    hints = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, str)
    }

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            if name in hints:
                given.arguments[name] = _as_hinted(
                    value, hints[name], function.__globals__, f"{called}: {name}"
                )
        return function(*given.args, **given.kwargs)

    return cast(_Public, checked)


class _Alternative(NamedTuple):
    """One of the kinds that a type hint allows: its name, and what is in the brackets after it."""

    name: str
    items: str


def _as_hinted(value: Any, hint: str, known: Mapping[str, Any], name: str) -> Any:
    """The value where one alternative of the hint allows it, or where one is of no kind that can be checked."""
    wanted = []
    for alternative in _alternatives(hint):
        kind, take = _KINDS.get(alternative.name, ("", None))
        declared = known.get(alternative.name)
        if take is not None:
            found = take(value)
            if found is not _NO and alternative.items in _OF:
                take = _KINDS[alternative.items][1]
                found = _NO if any(take(item) is _NO for item in value) else value
        elif isinstance(declared, type) and declared is not Any:
            found = value if isinstance(value, declared) else _NO
        else:
            return value
        if found is not _NO:
            return found
        wanted.append((kind or alternative.name) + _OF.get(alternative.items, ""))
    shown = (
        repr(value) if isinstance(value, (str, bytes, int, float, complex)) or value is None else ""
    )
    shown = shown if 0 < len(shown) <= _SHOWN else f"a {type(value).__name__}"
    raise InputError(
        "{name} must be {wanted}, not {shown}.", name=name, wanted=" or ".join(wanted), shown=shown
    )


@cache
def _alternatives(hint: str) -> tuple[_Alternative, ...]:
    left, found = [ast.parse(hint, mode="eval").body], []
    while left:
        node = left.pop()
        if isinstance(node, ast.BinOp):
            left += [node.right, node.left]
        elif isinstance(node, ast.Subscript):
            found.append(_Alternative(ast.unparse(node.value), ast.unparse(node.slice)))
        else:
            found.append(_Alternative(ast.unparse(node), ""))
    return tuple(found)


def _plain(value: Any) -> Any:
    """The one number in an array without dimensions, or of a library, as Python's own; everything else as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def _is_a(kind: type) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, kind) else _NO


def _real(value: Any) -> Any:
    number = _plain(value)
    try:
        return float(number) if isinstance(number, numbers.Real) else _NO
    except OverflowError:
        return _NO


def _whole(value: Any) -> Any:
    number = _plain(value)
    whole = isinstance(number, numbers.Integral) or (
        isinstance(number, float) and number == number // 1
    )
    return int(number) if whole and abs(number) < _MOST else _NO


def _array(value: Any) -> Any:
    single = isinstance(value, numbers.Number) or hasattr(value, "__array__")
    return value if single or is_row(value) else _NO


#: How the items of a list are called, where they are checked.
_OF = {"int": " of whole numbers", "float": " of numbers", "str": " of texts"}
#: How each kind of type hint is called, and what takes a value of it.
_KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "None": ("None", _is_a(type(None))),
    "float": ("a number", _real),
    "int": ("a whole number", _whole),
    "bool": ("True or False", lambda value: _is_a(bool)(_plain(value))),
    "str": ("text", _is_a(str)),
    "ArrayLike": ("an array", _array),
    **dict.fromkeys(("Floats", "Ints", "Bools", "Objects", "Array"), ("an array", _array)),
    "Sequence": ("a list", lambda value: value if is_row(value) else _NO),
    "Mapping": ("a dict", _is_a(Mapping)),
}

"""Messages to the user as data: a key, a severity, a template and its values.

Code decides on keys, never on English text. The sentence is formatted, and translated, where it is
displayed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:  # QGIS may start without numpy.
    import numpy as np


#: Value of a message that is the name of a layer.
_LAYER = "layer"


class Translate(Protocol):
    """Function that formats a template in a language; see :func:`format_english`."""

    def __call__(self, template: str, /, *, one: str = "", **values: Any) -> str:
        """Return the template with its values filled in."""


def format_english(template: str, /, *, one: str = "", **values: Any) -> str:
    """Return an English template with its values filled in.

    Args:
        template: text with the names of the values in braces; returned unchanged if there are no
            values.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: numbers and texts; the items of a tuple are separated by commas.

    >>> format_english("{count} crowns in {layers}.", count=2, layers=("a", "b"))
    '2 crowns in a, b.'
    """
    if one and values.get("count") == 1:
        template = one
    if not values:
        return template
    texts: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Real):
            texts[name] = _TidyNumber(value)
        else:
            texts[name] = ", ".join(map(str, value)) if isinstance(value, tuple) else value
    return template.format(**texts)


class _TidyNumber(NamedTuple):
    """Number that is filled into a template as :func:`tidy_number` writes it."""

    number: Any

    def __format__(self, spec: str) -> str:
        return tidy_number(format(self.number, spec))


#: Number with an exponent as Python formats it: mantissa and exponent.
_EXPONENT = re.compile(r"(\d)e([+-]\d+)$")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Size from which a number with significant digits is written without a power of ten.
MIN_PLAIN_NUMBER = 0.001
#: The same if other numbers of the table are above that size.
_MIN_NUMBER_BESIDE_PLAIN = 1e-4


def needs_powers(numbers: Iterable[float]) -> bool:
    """Return True if numbers with significant digits need powers of ten, to be in one notation.

    This is so if all of them are below 0.001, or one of them is below 0.0001.

    Args:
        numbers: numbers that stand together, such as those of a table. NaN and 0 do not count.

    >>> needs_powers([0.019, 7.2e-4]), needs_powers([4.7e-4, 7.2e-4]), needs_powers([0.019, 2e-5])
    (False, True, True)
    """
    sizes = [abs(number) for number in numbers if number and number == number]
    if not sizes:
        return False
    return max(sizes) < MIN_PLAIN_NUMBER or min(sizes) < _MIN_NUMBER_BESIDE_PLAIN


def tidy_number(number: str) -> str:
    r"""Return a number formatted by Python as reports and messages write it.

    A space, which does not break a line, is before the percent sign, as the SI recommends. The
    exponent of a small or large number is a power of ten.

    >>> tidy_number("5%"), tidy_number("3.2e-08"), tidy_number("1.2e+03"), tidy_number("0.85")
    ('5\xa0%', '3.2\xa0×\xa010⁻⁸', '1.2\xa0×\xa010³', '0.85')
    """
    if number.endswith("%"):
        return f"{number[:-1]}\N{NO-BREAK SPACE}%"
    exponent = _EXPONENT.search(number)
    if exponent is None:
        return number
    power = str(int(exponent[2])).translate(_SUPERSCRIPTS)
    times = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10"
    return f"{number[: exponent.start() + 1]}{times}{power}"


class Severity(str, Enum):
    """Severity of a message."""

    #: The results are unusable or doubtful.
    WARNING = "warning"
    #: The input is unusual, or the numbers refer to something else than one would expect.
    NOTE = "note"
    #: Background information.
    INFO = "info"


@dataclass(frozen=True)
class Message:
    """Message to the user; two messages are equal if their keys and values are.

    >>> note("input.empty", "Layer '{layer}' is empty.", layer="crowns").sentence()
    "Layer 'crowns' is empty."
    """

    key: str  #: identifier for code, ``topic.name``.
    severity: Severity  #: severity of the message.
    #: English sentence with the names of the values in braces.
    template: str = field(compare=False)
    #: Numbers and texts by name. A message, or a RandCrownsError, stands for its sentence; the
    #: items of a tuple are separated by commas.
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: Template used instead if the value ``count`` is 1; "" if one template is enough.
    one: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "values", {name: _plain(value) for name, value in self.values.items()}
        )

    @property
    def is_warning(self) -> bool:
        """True if the results are unusable or doubtful."""
        return self.severity is Severity.WARNING

    @property
    def is_notice(self) -> bool:
        """True if the message is more than background information."""
        return self.severity is not Severity.INFO

    @property
    def topic(self) -> str:
        """Subject of the message: the part of the key before the first point."""
        return self.key.partition(".")[0]

    def sentence(self, translate: Translate = format_english) -> str:
        """Return the sentence in the language of ``translate``.

        >>> text = "{count:,} crowns were repaired."
        >>> print(note("input.repaired", text, one="1 crown was repaired.", count=1200))
        1,200 crowns were repaired.
        """
        values = {name: _to_text(value, translate) for name, value in self.values.items()}
        return translate(self.template, one=self.one, **values)

    def __str__(self) -> str:
        return self.sentence()


def warning(key: str, template: str, *, one: str = "", **values: Any) -> Message:
    """Return a message with severity WARNING: the results are unusable or doubtful.

    Args:
        key: identifier for code, ``topic.name``.
        template: English sentence with the names of the values in braces.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: numbers and texts by name.

    >>> warning("input.empty", "Layer '{layer}' is empty.", layer="crowns").is_warning
    True
    """
    return Message(key=key, severity=Severity.WARNING, template=template, values=values, one=one)


def note(key: str, template: str, *, one: str = "", **values: Any) -> Message:
    """Return a message with severity NOTE; the arguments are those of :func:`warning`.

    >>> note("input.repaired", "{count} crowns were repaired.", count=3).topic
    'input'
    """
    return Message(key=key, severity=Severity.NOTE, template=template, values=values, one=one)


def info(key: str, template: str, *, one: str = "", **values: Any) -> Message:
    """Return a message with severity INFO; the arguments are those of :func:`warning`.

    >>> info("run.plots", "Plot by plot.").is_notice
    False
    """
    return Message(key=key, severity=Severity.INFO, template=template, values=values, one=one)


class TranslatableText(str):
    """English text of a table cell that can be translated: a template with its values.

    Args:
        template: English text with the names of the values in braces.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: numbers and texts by name.

    >>> why = TranslatableText("only {count:,} pixels", count=1200)
    >>> why, why.message.values
    ('only 1,200 pixels', {'count': 1200})
    """

    __slots__ = ("message",)
    message: Message

    def __new__(cls, template: str, /, *, one: str = "", **values: Any) -> TranslatableText:
        """Create the English text and attach the message that translates it."""
        message = info("said", template, one=one, **values)
        text = super().__new__(cls, message.sentence())
        text.message = message
        return text

    def sentence(self, translate: Translate = format_english) -> str:
        """Return the text in the language of ``translate``."""
        return self.message.sentence(translate)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(
            TranslatableText, self.message.template, one=self.message.one, **self.message.values
        ), ()


def default_decimals(value: float) -> int:
    """Return the number of decimal places that suits the size of a number.

    Numbers below 2 have four decimals; larger ones have one, or none if they are whole.

    >>> default_decimals(0.51234), default_decimals(12.3), default_decimals(12)
    (4, 1, 0)
    """
    if abs(value) < 2:
        return 4
    return 0 if float(value).is_integer() else 1


def abbreviate(
    items: Sequence[Any] | np.ndarray[Any, Any], max_items: int = 5
) -> tuple[Any, ...] | Message:
    """Return the first items as the value of a message: ``3, 17, 20 and 4 more``.

    Args:
        items: the items, for example row numbers.
        max_items: maximum number of items that are listed.

    >>> print(abbreviate([3, 17, 20], max_items=2))
    3, 17 and 1 more
    """
    first = tuple(items[:max_items])
    n_more = len(items) - max_items
    if n_more <= 0:
        return first
    return info("list.some", "{shown} and {rest:,} more", shown=first, rest=n_more)


def merge_layer_messages(messages: Iterable[Message]) -> list[Message]:
    """Return each message once; those that differ only in the layer become one message.

    The message is that on the first layer, followed by the names of the other layers.

    Args:
        messages: messages, in any order.

    >>> text = "Layer '{layer}' is empty."
    >>> (message,) = merge_layer_messages(note("input.none", text, layer=name) for name in "abc")
    >>> print(message)
    Layer 'a' is empty. The same applies to 2 other layers: b, c.
    """
    messages_by_text: dict[Message, list[Message]] = {}
    for message in dict.fromkeys(messages):
        others = {name: value for name, value in message.values.items() if name != _LAYER}
        text = replace(message, values=others) if len(others) < len(message.values) else message
        messages_by_text.setdefault(text, []).append(message)
    merged = []
    for first, *others_of_text in messages_by_text.values():
        layers = tuple(message.values[_LAYER] for message in others_of_text)
        if layers:
            listed = info(
                "layers.same",
                "{said} The same applies to {count} other layers: {layers}.",
                one="{said} The same applies to layer {layers}.",
                said=first,
                count=len(layers),
                layers=layers,
            )
            # The key and the severity stay, because code decides on them.
            first = replace(listed, key=first.key, severity=first.severity)
        merged.append(first)
    return merged


def separate_layer_messages(messages: Iterable[Message]) -> list[Message]:
    """Return messages with one message per layer, the inverse of :func:`merge_layer_messages`.

    >>> text = "Layer '{layer}' is empty."
    >>> layers = [note("input.none", text, layer=name) for name in "abc"]
    >>> separate_layer_messages(merge_layer_messages(layers)) == layers
    True
    """
    separate: list[Message] = []
    for message in messages:
        first = message.values.get("said")
        if not isinstance(first, Message) or "layers" not in message.values:
            separate.append(message)
            continue
        separate.append(first)
        others = [{**first.values, _LAYER: layer} for layer in message.values["layers"]]
        separate += [replace(first, values=values) for values in others]
    return separate


def plain_spelling(name: str) -> str:
    """Return a name without upper case, spaces, and the different encodings of accents.

    An accented letter is one code point, or a letter and an accent. Both look alike.

    >>> plain_spelling("Ha\u0308nge  Birke") == plain_spelling("H\u00e4ngebirke")
    True
    """
    folded = unicodedata.normalize("NFD", name).casefold()
    return "".join(unicodedata.normalize("NFC", folded).split())


def similar_names(names: Iterable[str]) -> list[str]:
    """Return the names that differ from another one in their spelling only.

    Args:
        names: names, compared by :func:`plain_spelling`.

    >>> similar_names(["oak", "Oak", "ash"])
    ['Oak', 'oak']
    """
    names_by_spelling: dict[str, set[str]] = {}
    for name in names:
        names_by_spelling.setdefault(plain_spelling(name), set()).add(name)
    unclear_names = []
    for names_of_spelling in names_by_spelling.values():
        if len(names_of_spelling) > 1:
            unclear_names += sorted(names_of_spelling)
    return unclear_names


def messages_to_json(messages: Iterable[Message]) -> str:
    """Return messages as JSON text for :func:`messages_from_json`.

    >>> messages_to_json([])
    '[]'
    """
    return json.dumps([_to_json_data(message) for message in messages], ensure_ascii=False)


def messages_from_json(text: str) -> tuple[Message, ...]:
    """Return the messages in a JSON text of :func:`messages_to_json`; none for an empty text.

    >>> messages = (warning("input.empty", "Layer '{layer}' is empty.", layer="crowns"),)
    >>> messages_from_json(messages_to_json(messages)) == messages
    True
    """
    return tuple(_from_json_data(entry) for entry in json.loads(text or "[]"))


def _plain(value: Any) -> Any:
    """Return a value as number, text, message or tuple of these, which can be serialised."""
    if isinstance(value, (list, tuple)):
        return tuple(_plain(item) for item in value)
    # A numpy scalar has the shape (); the classes of numpy scalars have another kind of shape.
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    else:
        value = getattr(value, "message", value)
    if value is None or isinstance(value, (str, int, float, Message)):
        return value
    return str(value)


def _to_text(value: Any, translate: Translate) -> Any:
    """Return a value of a message for a template: messages as their translated sentences."""
    if isinstance(value, Message):
        return value.sentence(translate)
    if isinstance(value, tuple):
        return tuple(_to_text(item, translate) for item in value)
    return value


def _to_json_data(value: Any) -> Any:
    """Return a value of a message as JSON data.

    A value is a plain value, a message, which becomes an object, or a tuple, which becomes a list.
    :func:`_from_json_data` is the inverse.
    """
    if isinstance(value, Message):
        return _message_to_json_data(value)
    if isinstance(value, tuple):
        return [_to_json_data(item) for item in value]
    return value


def _message_to_json_data(message: Message) -> dict[str, Any]:
    """Return a message with its values as a JSON object."""
    values_by_name = message.values
    data = {
        "key": message.key,
        "severity": message.severity.value,
        "template": message.template,
        "values": {name: _to_json_data(item) for name, item in values_by_name.items()},
    }
    singular_template = message.one
    if singular_template:
        data["one"] = singular_template
    return data


def _from_json_data(value: Any) -> Any:
    """Return the value of a message in JSON data, the inverse of :func:`_to_json_data`."""
    if isinstance(value, dict):
        values = {name: _from_json_data(item) for name, item in value["values"].items()}
        return Message(
            key=value["key"],
            severity=Severity(value["severity"]),
            template=value["template"],
            values=values,
            one=value.get("one", ""),
        )
    if isinstance(value, list):
        return tuple(_from_json_data(item) for item in value)
    return value

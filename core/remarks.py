"""What a user must know beside a result, as data: code decides on keys, and the sentence is made where it is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # QGIS starts without it
    import numpy as np


class Translate(Protocol):
    """Gives the sentence of a template with its values, in a language; see :func:`english`."""

    def __call__(self, template: str, /, *, one: str = "", **values: Any) -> str: ...


def english(template: str, /, *, one: str = "", **values: Any) -> str:
    """The sentence as it is written in the code; without values the template itself, braces and all.

    ``one`` is the template where the value ``count`` is 1; empty where the other one fits.
    """
    template = one if one and values.get("count") == 1 else template
    listed = {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in values.items()
    }
    return template.format(**listed) if values else template


class Severity(str, Enum):
    """How much a remark matters."""

    #: The results are useless, or doubtful.
    WARNING = "warning"
    #: The input was odd, or the numbers are about something else than one would expect.
    NOTE = "note"
    #: Good to know.
    INFO = "info"


@dataclass(frozen=True)
class Remark:
    """One thing to know. Remarks are equal when their keys and values are."""

    key: str  #: ``topic.what``, for code to look at.
    severity: Severity  #: how much it matters.
    #: The sentence in plain English, with the names of the values in braces.
    template: str = field(compare=False)
    #: Numbers and text; a remark, or an error of ours, stands for its sentence, a tuple for its items with commas
    #: between them.
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: The template where the value ``count`` is 1; empty where the other one fits.
    one: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "values", {name: _plain(value) for name, value in self.values.items()}
        )

    @property
    def is_warning(self) -> bool:
        """Whether the results are useless, or doubtful."""
        return self.severity is Severity.WARNING

    @property
    def is_odd(self) -> bool:
        """Whether it is more than good to know."""
        return self.severity is not Severity.INFO

    @property
    def topic(self) -> str:
        """What it is about: the beginning of the key."""
        return self.key.partition(".")[0]

    def sentence(self, translate: Translate = english) -> str:
        """The sentence, in the language of ``translate``.

        >>> print(note("input.repaired", "{count:,} crowns were repaired.", one="1 crown was repaired.", count=1200))
        1,200 crowns were repaired.
        """
        values = {name: _shown(value, translate) for name, value in self.values.items()}
        return translate(self.template, one=self.one, **values)

    def __str__(self) -> str:
        return self.sentence()


def warning(key: str, template: str, *, one: str = "", **values: Any) -> Remark:
    """A remark that the results are useless, or doubtful."""
    return Remark(key, Severity.WARNING, template, values, one)


def note(key: str, template: str, *, one: str = "", **values: Any) -> Remark:
    """A remark on odd input, or on what the numbers are about."""
    return Remark(key, Severity.NOTE, template, values, one)


def info(key: str, template: str, *, one: str = "", **values: Any) -> Remark:
    """A remark that is good to know."""
    return Remark(key, Severity.INFO, template, values, one)


class Said(str):
    """A text for a table that can be said in other languages: the sentence of a template with its values.

    >>> why = Said("only {count:,} pixels", count=1200)
    >>> why, why.remark.values
    ('only 1,200 pixels', {'count': 1200})
    """

    __slots__ = ("remark",)
    remark: Remark

    def __new__(cls, template: str, /, *, one: str = "", **values: Any) -> Said:
        remark = info("said", template, one=one, **values)
        made = super().__new__(cls, remark.sentence())
        made.remark = remark
        return made

    def sentence(self, translate: Translate = english) -> str:
        """The sentence, in the language of ``translate``."""
        return self.remark.sentence(translate)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Said, self.remark.template, one=self.remark.one, **self.remark.values), ()


def decimals_of(value: float) -> int:
    """Decimal places that the size of a number asks for: four below 2, above it one, and none of a whole number."""
    return 4 if abs(value) < 2 else 0 if float(value).is_integer() else 1


def some(items: Sequence[Any] | np.ndarray[Any, Any], most: int = 5) -> tuple[Any, ...] | Remark:
    """The first items as the value of a remark: ``3, 17, 20 and 4 more``."""
    shown, rest = tuple(items[:most]), len(items) - most
    return (
        info("list.some", "{shown} and {rest:,} more", shown=shown, rest=rest)
        if rest > 0
        else shown
    )


def remarks_to_json(remarks: Iterable[Remark]) -> str:
    """The remarks as text that :func:`remarks_from_json` reads again."""
    return json.dumps([_packed(remark) for remark in remarks], ensure_ascii=False)


def remarks_from_json(text: str) -> tuple[Remark, ...]:
    """The remarks in a text; none in an empty one.

    >>> told = (warning("input.empty", "Layer '{layer}' is empty.", layer="crowns"),)
    >>> remarks_from_json(remarks_to_json(told)) == told
    True
    """
    return tuple(map(_unpacked, json.loads(text or "[]")))


def _plain(value: Any) -> Any:
    """The value as numbers, text and remarks, which go to other processes and into files."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_plain, value))
    single = getattr(value, "shape", None) == () and hasattr(
        value, "item"
    )  # of numpy, whose types have a shape too
    value = value.item() if single else getattr(value, "remark", value)
    return value if value is None or isinstance(value, (str, int, float, Remark)) else str(value)


def _shown(value: Any, translate: Translate) -> Any:
    if isinstance(value, Remark):
        return value.sentence(translate)
    return tuple(_shown(item, translate) for item in value) if isinstance(value, tuple) else value


def _packed(value: Any) -> Any:
    if isinstance(value, Remark):
        values = {name: _packed(one) for name, one in value.values.items()}
        return {
            "key": value.key,
            "severity": value.severity.value,
            "template": value.template,
            "values": values,
        } | ({"one": value.one} if value.one else {})
    return list(map(_packed, value)) if isinstance(value, tuple) else value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        values = {name: _unpacked(one) for name, one in value["values"].items()}
        return Remark(
            value["key"],
            Severity(value["severity"]),
            value["template"],
            values,
            value.get("one", ""),
        )
    return tuple(map(_unpacked, value)) if isinstance(value, list) else value

"""Exceptions with messages for users, and the exception of a cancelled job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from randcrowns.core.messages import Message, Severity, Translate, format_english

AnyError = TypeVar("AnyError", bound="RandCrownsError")


class RandCrownsError(Exception):
    """Base class of all errors whose message is meant for the user.

    ``str(error)`` is the English message; :meth:`sentence` translates it.

    Args:
        key: identifier for code and tests, ``topic.name``; the same condition has the same key.
        template: English message with the names of the values in braces.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: numbers and texts, see :class:`randcrowns.core.messages.Message`.

    >>> text = "{name}: {count:,} geometries are not valid."
    >>> error = InputError("crowns.invalid_geometry", text, name="crowns", count=1200)
    >>> print(error)
    crowns: 1,200 geometries are not valid.
    >>> error.key, error.values["count"]
    ('crowns.invalid_geometry', 1200)
    """

    def __init__(self, key: str, template: str, /, *, one: str = "", **values: Any) -> None:
        self.message = Message(
            key=key, severity=Severity.WARNING, template=template, values=values, one=one
        )
        super().__init__(str(self.message))

    @classmethod
    def from_message(cls: type[AnyError], message: Message) -> AnyError:
        """Return an error with the key, the template and the values of a message."""
        return cls(message.key, message.template, one=message.one, **message.values)

    @property
    def key(self) -> str:
        """Identifier of the condition, ``topic.name``."""
        return self.message.key

    @property
    def values(self) -> Mapping[str, Any]:
        """Numbers and texts of the message by name."""
        return self.message.values

    def sentence(self, translate: Translate = format_english) -> str:
        """Return the message in the language of ``translate``."""
        return self.message.sentence(translate)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_message, (self.message,), self.__dict__


class InputError(RandCrownsError, ValueError):
    """Input that cannot be used; the message names the problem, the place and the remedy."""


class MissingLibraryError(RandCrownsError, ImportError):
    """A missing optional library; the message names the command that installs it."""


class Cancelled(RandCrownsError):
    """A job that the user cancelled."""

    def __init__(
        self, key: str = "run.cancelled", template: str = "", /, *, one: str = "", **values: Any
    ) -> None:
        super().__init__(key, template, one=one, **values)

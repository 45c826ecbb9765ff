"""Exceptions with messages for users, and the exception of a cancelled job."""

from __future__ import annotations

from typing import Any

from randcrowns.core.messages import Message, Severity, Translate, format_english


class RandCrownsError(Exception):
    """Base class of all errors whose message is meant for the user.

    ``str(error)`` is the English message; :meth:`sentence` translates it.

    Args:
        template: English message with the names of the values in braces.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: numbers and texts, see :class:`randcrowns.core.messages.Message`.

    >>> print(InputError("{name}: {count:,} geometries are not valid.", name="crowns", count=1200))
    crowns: 1,200 geometries are not valid.
    """

    def __init__(self, template: str = "", /, *, one: str = "", **values: Any) -> None:
        self.message = Message("error", Severity.WARNING, template, values, one)
        super().__init__(str(self.message))

    def sentence(self, translate: Translate = format_english) -> str:
        """Return the message in the language of ``translate``."""
        return self.message.sentence(translate)


class InputError(RandCrownsError, ValueError):
    """Input that cannot be used; the message names the problem, the place and the remedy."""


class MissingLibraryError(RandCrownsError, ImportError):
    """A missing optional library; the message names the command that installs it."""


class Cancelled(RandCrownsError):
    """A job that the user cancelled."""

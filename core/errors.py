"""The errors a user can cause, and the one a user asks for."""

from __future__ import annotations

from typing import Any

from randcrowns.core.remarks import Remark, Severity, Translate, english


class RandCrownsError(Exception):
    """Base of every error whose sentence is meant for the user.

    Its text is English; :meth:`sentence` says the same in another language.

    Args:
        template: the sentence in plain English, with the names of the values in braces.
        one: the template where the value ``count`` is 1; empty where the other one fits.
        values: as those of a :class:`~randcrowns.core.remarks.Remark`.

    >>> print(InputError("{name}: {count:,} geometries are not valid.", name="crowns", count=1200))
    crowns: 1,200 geometries are not valid.
    """

    def __init__(self, template: str = "", /, *, one: str = "", **values: Any) -> None:
        self.remark = Remark("error", Severity.WARNING, template, values, one)
        super().__init__(str(self.remark))

    def sentence(self, translate: Translate = english) -> str:
        """The sentence, in the language of ``translate``."""
        return self.remark.sentence(translate)


class InputError(RandCrownsError, ValueError):
    """The input cannot be used; the sentence says what is wrong, where, and what to do."""


class MissingLibraryError(RandCrownsError, ImportError):
    """An optional library is not installed; the sentence says how to install it."""


class Cancelled(RandCrownsError):
    """The user cancelled the work."""

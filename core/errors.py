"""The errors a user can cause, and the one a user asks for."""

from __future__ import annotations


class RandCrownsError(Exception):
    """Base of every error whose sentence is meant for the user."""


class InputError(RandCrownsError, ValueError):
    """The input cannot be used; the sentence says what is wrong, where, and what to do."""


class MissingLibraryError(RandCrownsError, ImportError):
    """An optional library is not installed; the sentence says how to install it."""


class Cancelled(RandCrownsError):
    """The user cancelled the work."""

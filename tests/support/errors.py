"""Assertions about errors and messages: by key and values, so that texts can change freely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

import pytest

from randcrowns.core.errors import RandCrownsError
from randcrowns.core.messages import Message


class ExpectedError:
    """Context manager that expects an error of RandCrowns; it can be used several times."""

    def __init__(self, key: str, values: Mapping[str, Any]) -> None:
        self.key = key
        self.values = values

    def __enter__(self) -> pytest.ExceptionInfo[RandCrownsError]:
        self._context = pytest.raises(RandCrownsError)
        self._caught = self._context.__enter__()
        return self._caught

    def __exit__(self, *error: Any) -> bool:
        is_expected = bool(self._context.__exit__(*error))
        if is_expected:
            assert_message(self._caught.value.message, self.key, **self.values)
        return is_expected


def raises(key: str, /, **values: Any) -> ExpectedError:
    """Return a context manager which asserts that an error has a key and values.

    Args:
        key: key of the error.
        values: values that the error must have, among others; see :func:`assert_message`.
    """
    return ExpectedError(key, values)


def assert_message(message: Message, key: str, /, **values: Any) -> None:
    """Assert that a message has a key and values; it may have further values.

    Args:
        message: the message, such as ``error.message``.
        key: the expected key.
        values: the expected values. A list stands for a tuple, a path for its text, and the key of
            a message for the message.
    """
    assert message.key == key, f"{message.key!r} instead of {key!r}: {message}"
    found = {name: _plain(message.values.get(name)) for name in values}
    assert found == {name: _plain(value) for name, value in values.items()}, str(message)


def find_message(messages: Iterable[Message], key: str, /, **values: Any) -> Message:
    """Return the only message with a key, after comparing its values."""
    candidates = list(messages)
    found = [message for message in candidates if message.key == key]
    assert len(found) == 1, [message.key for message in candidates]
    assert_message(found[0], key, **values)
    return found[0]


def _plain(value: Any) -> Any:
    """Return a value as a number, a text or a list of these; a message as its key or its text."""
    if isinstance(value, Message):  # TranslatableText has no key of its own.
        return str(value) if value.key == "said" else value.key
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value

"""Fixtures of the tests of promises."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from torture.promises import Promise


@pytest.fixture
def promise(request, told_slots):
    """Return an object that tests a promise; see :class:`torture.promises.Promise`."""
    return Promise(request.node.nodeid.partition("torture/")[2], told_slots)


@pytest.fixture
def folders(tmp_path):
    """Return paths of folders that do not exist yet, one after another."""
    return (Path(tmp_path, str(number)) for number in count())

"""What the promises are tried on."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from torture.promises import Promise


@pytest.fixture
def promise(request, told_slots):
    """Tries a promise; see :class:`torture.promises.Promise`."""
    return Promise(request.node.nodeid.partition("torture/")[2], told_slots)


@pytest.fixture
def folders(tmp_path):
    """Paths of folders that are not there yet, one after another."""
    return (Path(tmp_path, str(number)) for number in count())

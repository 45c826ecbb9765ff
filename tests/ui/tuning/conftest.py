"""A search on page Parameters for all tests of a file that look at one."""

from __future__ import annotations

import pytest
from support.searching import put_back, searched_page, three_layers


@pytest.fixture(scope="module")
def shared(qgis_iface):
    with searched_page(qgis_iface, three_layers()) as page:
        yield page


@pytest.fixture
def searched(shared):
    """The page as after a search; no plot has been drawn before a test of the file looks at one."""
    put_back(shared)
    return shared

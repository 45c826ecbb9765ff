"""Preferences in the profile: those of another version, or of anybody else, do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QByteArray, QPoint, QVariant
from qgis.PyQt.QtGui import QColor

from randcrowns.layers.spreadsheets import escapes_formulas
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.services.save_dialog import preferred_folder
from randcrowns.ui.services.settings import preference
from randcrowns.ui.shell.dock import PAGES

#: Every preference that the plugin reads.
_NAMES = ("defaults", "escape_formulas", "folder", "page", "panel_is_open", "reviewer")
_NO_TEXTS = (
    *(QVariant(), [], ["a", "b"], {}, {"a": 1}, 5, -0.5, 1e308, float("nan"), True),
    *(QByteArray(b"\xff\x00"), QPoint(1, 2), QColor("red")),
)
_TEXTS = ("", "\0", "x" * 100_000, "None", "[1", '{"alpha": [{}]}', "/no/such/folder")


def describe_value(value):
    """Return a short id for a test; the repr of Qt's values has their address, new in each process."""
    is_qt = type(value).__module__.startswith("PyQt")
    return type(value).__name__ if is_qt else repr(value)[:20]


@pytest.fixture
def store(qgis_app):
    """Store a value as all preferences."""
    settings = QgsSettings()

    def store_all(value):
        for name in _NAMES:
            settings.setValue(f"RandCrowns/{name}", value)

    yield store_all
    for name in _NAMES:
        settings.remove(f"RandCrowns/{name}")


@pytest.mark.parametrize("value", _NO_TEXTS, ids=describe_value)
def test_what_is_no_text_is_not_used(store, value):
    store(value)
    assert preference("reviewer", "nobody") == "nobody"
    assert preferred_folder() == Path.home()
    assert escapes_formulas()


@pytest.mark.parametrize("value", _TEXTS, ids=describe_value)
def test_any_text_leaves_the_defaults(store, value):
    store(value)
    assert preference("reviewer", "nobody") == value
    assert preferred_folder() == Path.home()
    assert escapes_formulas()


@pytest.mark.parametrize("stored", [False, "false"])
def test_the_option_for_formulas_is_off_as_it_was_stored(store, stored):
    store(stored)
    assert not escapes_formulas()


@pytest.fixture(params=[*_NO_TEXTS, *_TEXTS], ids=describe_value)
def damaged_profile(store, request):
    """A profile in which all preferences have an unusual value."""
    store(request.param)


def test_the_dock_and_the_options_open(damaged_profile, dock):
    assert dock.page.key == PAGES[0].key
    OptionsPage().deleteLater()

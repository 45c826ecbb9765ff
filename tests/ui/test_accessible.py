"""A screen reader has a name for every widget that takes the focus, on all pages and in all dialogs.

Those of results are looked at where all pages run, in test_room.
"""

from __future__ import annotations

import pytest
from qgis.PyQt.QtWidgets import QWidget
from support.accessible import nameless
from support.layers import load_sample
from support.qt import spin

from randcrowns.layers.libraries import LIBRARIES, NEEDED, Trouble
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.review.side_by_side import SideBySide
from randcrowns.ui.services.libraries import LibrariesDialog
from randcrowns.ui.shell.dock import PAGES


def unfold(page: QWidget) -> None:
    for box in getattr(getattr(page, "form", None), "boxes", ()):
        box.setCollapsed(False)
    spin()


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.key)
def test_every_field_of_a_page_has_a_name(project, dock, entry):
    page = dock.show_page(entry.key)
    assert set(nameless(dock)) == set()
    load_sample(project)
    unfold(page)
    assert set(nameless(dock)) == set()


def test_so_have_the_dialogs(qgis_app, qgis_iface):
    missing = (Trouble(LIBRARIES[NEEDED][1], "not installed"),)
    for window in (OptionsPage(), LibrariesDialog(missing, NEEDED), SideBySide()):
        assert set(nameless(window)) == set()
        window.deleteLater()

"""A screen reader has a name for every widget that takes the focus, on all pages and in all
dialogs.

Those of results are looked at where all pages run, in test_room.
"""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QWidget
from support.accessible import nameless
from support.layers import load_sample
from support.qt import spin

from randcrowns.layers.libraries import LIBRARIES, REQUIRED, LibraryProblem
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.review.side_by_side import SideBySideWindow
from randcrowns.ui.services.libraries_dialog import LibrariesDialog
from randcrowns.ui.shell.dock import PAGES


def unfold(page: QWidget) -> None:
    for box in getattr(getattr(page, "form", None), "group_boxes", ()):
        box.setCollapsed(False)
    spin()


def test_every_field_of_a_page_has_a_name(project, dock):
    for entry in PAGES:
        dock.show_page(entry.key)
        assert set(nameless(dock)) == set(), entry.key
    load_sample(project)
    for entry in PAGES:
        unfold(dock.show_page(entry.key))
        assert set(nameless(dock)) == set(), entry.key


def test_so_have_the_dialogs(qgis_app, qgis_iface):
    missing = (LibraryProblem(LIBRARIES[REQUIRED][1], "not installed"),)
    for window in (OptionsPage(), LibrariesDialog(missing, REQUIRED), SideBySideWindow()):
        assert set(nameless(window)) == set()
        window.deleteLater()

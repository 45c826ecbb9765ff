"""The keys of the dock, which QGIS's dialog of shortcuts lists, and the help of each page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from qgis.core import Qgis
from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QDesktopServices, QKeyEvent, QKeySequence
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QAction, QApplication, QToolButton, QWidget
from support.qt import spin

from randcrowns.layers.guide import guide_page
from randcrowns.ui.shell.dock import PAGES, PageButtons, RandCrownsDock
from randcrowns.ui.widgets.parts import guide_section_of


@pytest.fixture
def listed(qgis_iface, monkeypatch):
    """Actions in the dialog of shortcuts, with the keys of the user in place of ours."""
    keys = {"RandCrowns: run the current page": "Ctrl+Alt+R"}
    actions: dict[str, QAction] = {}

    def register(action, key):
        assert action.text() not in actions, "the dialog has one action of a name"
        actions[action.text()] = action
        action.setShortcut(QKeySequence(keys.get(action.text(), key)))
        return True

    monkeypatch.setattr(qgis_iface, "registerMainWindowAction", register, raising=False)
    unregister = lambda action: actions.pop(action.text())  # noqa: E731
    monkeypatch.setattr(qgis_iface, "unregisterMainWindowAction", unregister, raising=False)
    return actions


def test_the_dialog_of_shortcuts_lists_what_the_dock_does_while_it_is_there(
    listed, algorithms, project, qgis_iface
):
    made = RandCrownsDock(qgis_iface)
    made.show_page("review")
    names = ["Accept", "Comment", "Fixed", "Next", "Previous", "Reject", "Unsure", "Wrong class"]
    own = ["RandCrowns: help on the current page", "RandCrowns: run the current page"]
    assert sorted(listed) == [*(f"RandCrowns review: {name}" for name in names), *own]
    assert listed["RandCrowns: run the current page"].shortcut().toString() == "Ctrl+Alt+R"
    assert listed["RandCrowns review: Next"].shortcut().toString() == "N"
    made.close_down()
    assert listed == {}
    made.deleteLater()
    spin()


def test_the_key_runs_the_page_on_show(page, dock):
    (run,) = (
        action for action in dock.actions() if action.text() == "RandCrowns: run the current page"
    )
    assert run.shortcut().toString() == "Ctrl+Return"
    assert run.shortcutContext() == Qt.ShortcutContext.WidgetWithChildrenShortcut
    run.trigger()
    assert page.run is not None
    page.run_bar.cancel_requested.emit()


def test_each_page_has_its_page_of_the_guide(dock, browser):
    (button,) = (
        one for one in dock.findChild(PageButtons).findChildren(QToolButton) if one.text() == "Help"
    )
    for entry in PAGES:
        dock.show_page(entry.key)
        button.click()
        assert browser == [guide_page(entry.key)], entry.key
        browser.clear()


def test_a_guide_that_is_missing_is_told(dock, browser, qgis_iface):
    guide_page("score").unlink()
    dock.show_page("score")
    dock.show_help()
    (said,) = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert str(guide_page("score")) in said


def test_f1_in_the_dock_is_the_docks_own(two_layers, dock, browser):
    """QGIS's own help has that key; it is left alone once a widget takes it."""
    page = dock.show_page("instances")
    spin()
    for widget in filter(QWidget.isVisible, page.findChildren(QWidget)):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        browser.clear()
        override = QKeyEvent(
            QEvent.Type.ShortcutOverride, Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier
        )
        override.ignore()
        QApplication.sendEvent(widget, override)
        assert override.isAccepted(), widget
        QTest.keyClick(widget, Qt.Key.Key_F1)
        assert browser == [guide_page("instances")], widget
    letter = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier)
    letter.ignore()
    QApplication.sendEvent(dock, letter)
    assert not letter.isAccepted()


@pytest.fixture
def opened_sections(browser, monkeypatch):
    """Page and section of the guide that the browser opened."""
    opened: list[tuple[str, str]] = []

    def open_url(url):
        opened.append((url.fileName(), url.fragment()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return opened


def test_f1_opens_the_section_about_the_widget_with_the_focus(
    page, run, dock, opened_sections, monkeypatch
):
    run(page)
    focused = [None]
    monkeypatch.setattr(QApplication, "focusWidget", lambda: focused[0])
    expected = {
        page.form.lengths_field: "the-regions",
        page.form.target_picker.combo: "what-the-page-presets",
        page.results.answer_view.counts: "intervals",
        page.results.summary_table.view: "the-summary",
        page.results.crown_table.view: "results",
        page.results.live_switch: "score-while-drawing",
        dock.findChild(PageButtons): "",
    }
    for widget, section in expected.items():
        focused[0] = widget
        dock.show_help()
        assert opened_sections.pop() == ("score.html", section), widget


def heading_id(heading):
    """The id that the guide gives to a heading."""
    words = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


def test_the_sections_that_f1_opens_exist(dock):
    """The headings of the guide have these ids."""
    docs = Path(__file__).parents[3] / "docs"
    count = 0
    for entry in PAGES:
        page = dock.show_page(entry.key)
        text = (docs / f"{entry.key}.md").read_text(encoding="utf-8")
        headings = re.findall(r"(?m)^#+ (.*)$", text)
        ids = set(map(heading_id, headings))
        for widget in (page, *page.findChildren(QWidget)):
            section = guide_section_of(widget)
            if section:
                count += 1
                assert section in ids, (entry.key, section)
    assert count > 100

"""A screen reader has a name for every widget that takes the focus, on all pages and in all dialogs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QFrame,
    QGroupBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QWidget,
)
from support.layers import load_sample
from support.qt import spin, wait_until

from randcrowns.algorithms.detectors.choices import DRAWS
from randcrowns.algorithms.tuning.choices import ALPHAS, OMEGAS
from randcrowns.layers.libraries import LIBRARIES, NEEDED, Trouble
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.review.side_by_side import SideBySide
from randcrowns.ui.services.libraries import LibrariesDialog
from randcrowns.ui.shell.dock import PAGES


def read_out(widget: QWidget, labels: dict[QWidget, str]) -> str:
    """What Qt tells a screen reader of a widget."""
    own = widget.accessibleName() or labels.get(widget, "")
    if isinstance(widget, QAbstractButton):
        return own or widget.text()
    return own or (widget.title() if isinstance(widget, QGroupBox) else "")


def nameless(window: QWidget) -> Iterator[str]:
    """Widgets that take the focus and that nothing is read out of."""
    labels = {label.buddy(): label.text() for label in window.findChildren(QLabel) if label.buddy() is not None}
    for widget in window.findChildren(QWidget):
        around = widget.parentWidget()
        part = isinstance(around, (QAbstractScrollArea, QFrame)) or widget.focusProxy() is not None
        itself = isinstance(widget, (QLabel, QScrollArea, QTabBar))  # read out as what is in them
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or part or itself or widget.objectName().startswith("qt_"):
            continue
        if not any(map(str.isalpha, read_out(widget, labels))):
            place = [type(one).__name__ for one in (widget, around, around.parentWidget()) if one is not None]
            yield f"{' in '.join(place)}: {widget.objectName() or widget.toolTip()}"


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


@pytest.mark.parametrize("key", [entry.key for entry in PAGES if entry.key not in ("review", "report")])
def test_so_have_the_results_of_a_run(project, dock, run, key):
    load_sample(project)
    page = dock.show_page(key)
    if key == "parameters":
        page.form.field(ALPHAS).show_value((0.3, 0.9, 0.3))
        page.form.field(OMEGAS).show_value((0.5, 1.5, 0.5))
    if key == "detectors":
        page.form.choose(DRAWS, 10)
    run(page)
    wait_until(lambda: not page.runs.beside)
    for number in range(page.results.tabs.count()):
        page.results.tabs.setCurrentIndex(number)
        spin(20)
    assert set(nameless(dock)) == set()
    if key == "score":
        dock.show_page("review")
        assert set(nameless(dock)) == set()


def test_so_have_the_dialogs(qgis_app, qgis_iface):
    missing = (Trouble(LIBRARIES[NEEDED][1], "not installed"),)
    for window in (OptionsPage(), LibrariesDialog(missing, NEEDED), SideBySide()):
        assert set(nameless(window)) == set()
        window.deleteLater()

"""Numbers typed in the languages of users, in every field of the dock that takes one."""

from __future__ import annotations

import pytest
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import QLocale, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QDoubleSpinBox, QLineEdit, QSpinBox
from support.layers import TARGET_BOXES, box_layer

from randcrowns.algorithms.common_parameters import ALPHA
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS
from randcrowns.ui.review.queue_form import QueueForm
from randcrowns.ui.shell.dock import PAGES
from randcrowns.ui.widgets.boxes import FieldBox
from randcrowns.ui.widgets.editors import create_editor
from randcrowns.ui.widgets.number_boxes import DecimalBox, IntegerBox

LANGUAGES = ("en_US", "de_DE", "tr_TR", "ar_EG", "fr_FR")
#: Value before something is typed.
BEFORE = 7
#: By typed text: the number that it is in each of the languages. It is BEFORE where a group
#: separator is misplaced, so that the text is no number in that language.
NUMBERS = {
    "0.35": (0.35, 0.35, 0.35, 0.35, 0.35),
    "0,35": (BEFORE, 0.35, 0.35, BEFORE, 0.35),
    "1.000": (1, 1000, 1000, 1, 1),
    "2 * 0.5": (1, 1, 1, 1, 1),
    "": (BEFORE,) * 5,
    "NULL": (BEFORE,) * 5,
    "1/0": (BEFORE,) * 5,
}


@pytest.fixture
def language(request, qgis_app):
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


def typed(box, text):
    """The value of a box once that is typed."""
    box.selectAll()
    if text:
        QTest.keyClicks(box, text)
    else:
        QTest.keyClick(box, Qt.Key.Key_Delete)
    QTest.keyClick(box, Qt.Key.Key_Return)
    return box.value()


@pytest.mark.parametrize("language", LANGUAGES, indirect=True)
@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("suffix", ["", " m"])
def test_decimals(language, text, suffix):
    box = DecimalBox()
    box.setSuffix(suffix)
    box.setRange(0, 5000)
    box.setValue(BEFORE)
    assert typed(box, text) == NUMBERS[text][LANGUAGES.index(language)]


@pytest.mark.parametrize("language", ["ar_EG"], indirect=True)
def test_digits_of_the_language(language):
    box = DecimalBox()
    box.setRange(0, 5000)
    box.findChild(QLineEdit).setText("٠٫٣٥")
    box.interpretText()
    assert box.value() == 0.35


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en_US", "1000", 1000),
        ("en_US", "1,000", 1000),
        ("en_US", "2.5", 3),
        ("de_DE", "1.000", 1000),
        ("de_DE", "2,5", 3),
        ("de_DE", "3 * 4", 12),
        ("fr_FR", "1.000", 1),
        ("de_DE", "", BEFORE),
        ("de_DE", "1e99", 5000),
    ],
    indirect=["language"],
)
def test_whole_numbers(language, text, expected):
    box = IntegerBox()
    box.setRange(0, 5000)
    box.setValue(BEFORE)
    assert typed(box, text) == expected


@pytest.mark.parametrize("language", ["de_DE"], indirect=True)
def test_a_length_and_a_range_of_numbers(language):
    length = create_editor(ALPHA)
    typed(length.widget, "0.35")
    assert length.value() == 0.35
    values = create_editor(ALPHAS)
    for box, text in zip(values.widget.boxes, ("0.35", "0,75", "0.05")):
        typed(box, text)
    assert values.value() == (0.35, 0.75, 0.05)


@pytest.mark.parametrize("language", ["de_DE"], indirect=True)
def test_the_filter_of_a_review(language):
    form = QueueForm()
    assert form.max_score_box.text() == "any score"
    assert typed(form.max_score_box, "0.35") == 0.35
    assert typed(form.max_score_box, "0") == 0
    assert form.max_score_box.text() == "any score"
    assert typed(form.sample_size_box, "1.000") == 1000


def test_no_field_of_the_dock_is_a_spin_box_of_qt(dock):
    for entry in PAGES:
        page = dock.show_page(entry.key)
        for kind in (QSpinBox, QDoubleSpinBox):
            for box in page.findChildren(kind):
                assert isinstance(box, (DecimalBox, IntegerBox)), box.objectName()


def test_no_number_and_no_field_of_the_dock_is_blank(two_layers, dock):
    """Spin boxes of QGIS show nothing at their minimum if the text in its place is empty."""
    count = 0
    for entry in PAGES:
        page = dock.show_page(entry.key)
        for box in page.findChildren((DecimalBox, IntegerBox)):
            value = box.value()
            box.setValue(box.minimum())
            assert box.text(), (entry.key, box.accessibleName())
            box.setValue(value)
            count += 1
        for box in page.findChildren(QgsFieldComboBox):
            assert isinstance(box, FieldBox), (entry.key, box.accessibleName())
    assert count > 40


def test_a_box_of_fields_says_that_no_field_is_selected(qgis_app):
    layer = box_layer("crowns", TARGET_BOXES, fields="&field=plot:string")
    pictures = []
    for kind in (FieldBox, QgsFieldComboBox):
        box = kind()
        box.setAllowEmptyFieldName(True)
        box.setLayer(layer)
        box.setField("")
        box.resize(160, 24)
        pictures.append(box.grab().toImage())
        if kind is FieldBox:
            assert box.displayed_text == "no field"
            box.setField("plot")
            assert box.displayed_text == "plot"
    assert pictures[0] != pictures[1]

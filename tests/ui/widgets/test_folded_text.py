"""Messages of a run in one line."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QLabel
from support.qt import spin

from randcrowns.ui.widgets.folded_text import ElidedLabel, FoldedText
from randcrowns.ui.widgets.parts import make_wrapped_label


@pytest.mark.parametrize(
    ("direction", "arrow"),
    [
        (Qt.LayoutDirection.LeftToRight, Qt.ArrowType.RightArrow),
        (Qt.LayoutDirection.RightToLeft, Qt.ArrowType.LeftArrow),
    ],
)
def test_the_arrow_of_folded_messages_points_to_their_beginning(qgis_app, direction, arrow):
    text = FoldedText()
    text.setLayoutDirection(direction)
    text.show_texts(["one", "two"])
    text.show()
    spin()
    assert text.fold_button.arrowType() == arrow
    text.fold_button.click()
    assert text.fold_button.arrowType() == Qt.ArrowType.DownArrow
    text.deleteLater()


def test_a_label_breaks_no_french_number(qgis_app):
    label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
    label.setText("<b>12\u202f345</b> m²")
    assert QLabel.text(label) == "<b>12\u00a0345</b> m²"
    plain = make_wrapped_label("12\u202f345 m²")
    assert plain.text() == "12\u202f345 m²"


def test_a_cut_text_fits_into_a_label_with_a_frame(qgis_app):
    """Night Mapping gives labels a frame, and Qt indents their text."""
    label = ElidedLabel()
    label.setStyleSheet("QLabel { border: 1px solid; }")
    label.resize(150, 24)
    label.show()
    label.setText("No study area was chosen: the rectangle of the image was used.")
    width_of = label.fontMetrics().horizontalAdvance
    assert label.frameWidth() > 0
    assert QLabel.text(label).endswith("…")
    room = label.contentsRect().width() - width_of("x") // 2
    assert width_of(QLabel.text(label)) <= room

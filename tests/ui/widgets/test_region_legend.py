"""Legend of the regions of a score: one line with the longest names that fit."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtGui import QTextDocument
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget
from support.qt import spin

from randcrowns.ui.widgets.crown_list import RegionLegend


@pytest.mark.parametrize(
    ("width", "names"),
    [
        (900, "covered (a) ■ not covered (d) ■ outside (c) ■ free (b)"),
        (0, "covered ■ not covered ■ outside ■ free"),
        (200, "a ■ d ■ c ■ b"),
    ],
)
def test_a_compact_legend_has_words_where_they_fit_into_one_line(qgis_app, width, names):
    window = QWidget()
    legend = RegionLegend(compact=True)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(legend)
    column.addStretch()
    metrics = legend.fontMetrics()
    # The middle width has room for the words, but not for the letters after them.
    words_width = metrics.horizontalAdvance(f"▬ target ▬ delineation ■ {names}") + 20
    window.resize(width or words_width, 100)
    window.show()
    spin()
    document = QTextDocument()
    document.setHtml(legend.text())
    assert document.toPlainText().replace("\u00a0", " ").endswith(f"■ {names}")
    if width != 200:
        assert legend.heightForWidth(legend.width()) < 2 * metrics.lineSpacing()
    window.close()

"""Names of layers in tables are written without what all of them share; tooltip and CSV have
the whole.
"""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import spin

from randcrowns.ui.agreement.disagreement_table import with_short_names
from randcrowns.ui.widgets.table_model import TableColumn


def test_names_are_cut_after_what_they_share(project, dock, run):
    names = [f"annotator_of_the_long_name_{number:02}" for number in (1, 2, 3)]
    project.addMapLayers(
        [box_layer(name, shifted(TARGET_BOXES, by)) for by, name in enumerate(names)]
    )
    page = dock.show_page("annotators")
    spin()
    run(page)
    model = page.results.annotator_table.model
    assert [model.data(model.index(row, 1)) for row in range(3)] == [
        f"annotator_of…ong_name_{number:02}" for number in (1, 2, 3)
    ]
    assert names[0] in model.data(model.index(0, 1), Qt.ItemDataRole.ToolTipRole)
    assert names[2] in model.to_csv()


def test_lists_of_names_are_cut_after_what_all_share():
    column = with_short_names(
        TableColumn("yes", "Marked by"), ["annotator_01", "annotator_02", "annotator_12"]
    )
    assert column.format_value("annotator_01, annotator_12") == "01, 12"
    assert column.format_value(None) == ""
    assert column.format_value('"a, b", annotator_02') == '"a, b", 02'

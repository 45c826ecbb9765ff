"""Tables of page Instances: words, ids, files, and what cannot be said of few targets."""

from __future__ import annotations

import pandas as pd
from support.layers import box_layer, shifted

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.algorithms.instances.schema.outputs import MATCHED_TARGETS
from randcrowns.ui.instances.results import matched_columns
from randcrowns.ui.widgets.table_model import FrameModel
from randcrowns.ui.widgets.table_view import TableView


def test_long_ids_are_whole_wherever_they_stand(qgis_app):
    n = 200
    ids = [*range(n - 1), 123_456_789_012]
    frame = pd.DataFrame(
        {
            "target_id": ids,
            "status": "true_positive",
            "plot": ["a"] * (n - 1) + ["a very long plot"],
        }
    )
    view = TableView(FrameModel(), "crowns")
    view.frame_model.set_frame(frame, matched_columns(MATCHED_TARGETS, frame.columns))
    view.fit_columns()
    measure = view.fontMetrics().horizontalAdvance
    assert view.columnWidth(0) > measure("123456789012")
    assert view.columnWidth(2) > measure("a very long plot")


def test_enough_targets_have_one(project, dock, run):
    boxes = [(20.0 * i, 0.0, 20.0 * i + 8, 8.0) for i in range(10)]
    layers = [box_layer("trees", boxes), box_layer("found", shifted(boxes[:-2], 0.5))]
    project.addMapLayers(layers)
    page = dock.show_page("instances")
    page.form.field(parameters.TARGETS).select_layer(layers[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(layers[1].id())
    run(page)
    row = page.results.results.summary.iloc[0]
    assert row["recall_low"] < row["recall"] < row["recall_high"]
    assert "95 % intervals over instances" in page.results.answer_view.answer.toolTip()

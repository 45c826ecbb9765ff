"""Tables of page Instances: words, ids, files, and what cannot be said of few targets."""

from __future__ import annotations

import pandas as pd
import pytest
from support.boxes import TARGET_BOXES, box_layer, shifted

from randcrowns.algorithms.instances import choices
from randcrowns.algorithms.instances.outputs import MATCHED_TARGETS
from randcrowns.ui.instances.results import matched_columns
from randcrowns.ui.widgets.table_model import FrameModel
from randcrowns.ui.widgets.table_view import TableView


@pytest.fixture
def matched(two_layers, dock, run):
    page = dock.show_page("instances")
    page.form.field(choices.TARGETS).pick(two_layers[0].id())
    page.form.field(choices.PREDICTIONS).pick(two_layers[1].id())
    run(page)
    return page


def titles(crowns):
    return [column.title for column in crowns.model.columns]


def test_the_filter_finds_the_words_shown(matched):
    crowns = matched.results.targets
    crowns.filter.setText("not found")
    assert crowns.model.rowCount() == 1
    place = titles(crowns).index("Status")
    assert place == 1
    assert crowns.model.data(crowns.model.index(0, place)) == "not found"
    assert "1&nbsp;not&nbsp;found" in matched.results.headline.counts.text()


def test_files_have_the_layers_names_and_whole_ids(matched, tmp_path):
    for side, first in (("targets", "target_id"), ("predictions", "prediction_id")):
        getattr(matched.results, side).view.export(str(tmp_path / f"{side}.csv"))
        saved = pd.read_csv(tmp_path / f"{side}.csv", dtype=str)
        assert saved.columns[:3].tolist() == [first, "status", "match_id"]
        for column in (first, "match_id"):
            assert not saved[column].str.contains(".", regex=False, na=False).any()
        assert set(saved["status"]) <= {"true_positive", "false_negative", "false_positive"}


def test_long_ids_are_whole_wherever_they_stand(qgis_app):
    n = 200
    ids = [*range(n - 1), 123_456_789_012]
    frame = pd.DataFrame({"target_id": ids, "status": "true_positive", "group": ["a"] * (n - 1) + ["a very long plot"]})
    view = TableView(FrameModel(), "crowns")
    view.frame_model.set_frame(frame, matched_columns(MATCHED_TARGETS, frame.columns))
    view.fit_columns()
    measure = view.fontMetrics().horizontalAdvance
    assert view.columnWidth(0) > measure("123456789012")
    assert view.columnWidth(2) > measure("a very long plot")


def test_few_targets_have_no_interval_and_the_reason(matched):
    assert len(TARGET_BOXES) < 10
    summary = matched.results.summary.model
    place = [column.name for column in summary.columns].index("precision_between")
    assert summary.data(summary.index(0, place)) == "n/a"
    assert "none for fewer than 10 of them" in summary.columns[place].tooltip
    assert "none for fewer than 10 of them" in matched.results.headline.answer.toolTip()
    assert "nan" not in matched.results.headline.answer.toolTip()


def test_enough_targets_have_one(project, dock, run):
    boxes = [(20.0 * i, 0.0, 20.0 * i + 8, 8.0) for i in range(10)]
    layers = [box_layer("trees", boxes), box_layer("found", shifted(boxes[:-2], 0.5))]
    project.addMapLayers(layers)
    page = dock.show_page("instances")
    page.form.field(choices.TARGETS).pick(layers[0].id())
    page.form.field(choices.PREDICTIONS).pick(layers[1].id())
    run(page)
    row = page.results.results.summary.iloc[0]
    assert row["recall_low"] < row["recall"] < row["recall_high"]
    assert "95 % intervals over instances" in page.results.headline.answer.toolTip()

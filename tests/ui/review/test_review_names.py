"""What crowns are called in the lists of pages Score and Review."""

from __future__ import annotations

import pytest
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import empty_project, opened_dock, run_page
from support.reviewing import layer_named

from randcrowns.algorithms.scoring.schema.parameters import PLOT_FIELD


def titles(table) -> list[str]:
    return [column.title for column in table.model.columns]


@pytest.fixture(scope="module")
def scored(qgis_iface):
    """Page Score after two runs on trees that have a name and a plot."""
    rows = [(f"oak {number}", "ab"[number % 2]) for number in range(len(TARGET_BOXES))]
    trees = box_layer(
        "trees", TARGET_BOXES, fields="&field=called:string&field=plot:string", rows=rows
    )
    plots = [(one[1],) for one in rows]
    drawn = box_layer("drawn", shifted(TARGET_BOXES, 0.5), fields="&field=plot:string", rows=plots)
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        project.addMapLayers([trees, drawn])
        project.setCrs(trees.crs())
        page = dock.show_page("score")
        page.form.set_roles(trees.id(), drawn.id())
        page.form.set_value(PLOT_FIELD, "plot")
        for _ in range(2):
            run_page(page)
        yield page


def show_named(page, display: str):
    """Page Score with the last run, and page Review, after the trees were given a display name."""
    layer_named("trees").setDisplayExpression(display)
    page.history.show(page.history.runs()[0])
    review = page.window().show_page("review")
    review.crown_table.filter.setText("")
    review.queue_form.layer_changed.emit()
    return page.results, review


def test_crowns_are_told_by_their_display_name_and_plot_in_every_list(scored):
    results, review = show_named(scored, "upper(called)")
    assert titles(results.crown_table)[:2] == ["Id", "Name"]
    assert "Plot" in titles(results.crown_table)
    scored.history.compare(scored.history.runs()[1])
    assert titles(results.changes_tab)[:3] == ["Id", "Name", "Plot"]
    assert titles(review.crown_table)[:3] == ["Id", "Name", "Plot"]
    tables = {
        results.crown_table: "target_id",
        results.changes_tab: "feature_id",
        review.crown_table: "feature_id",
    }
    for table, known in tables.items():
        frame = table.model.frame
        assert frame["name"].tolist() == [f"OAK {number - 1}" for number in frame[known]]
    listed = review.crown_table.model.frame
    assert listed["plot"].tolist() == ["ab"[(one - 1) % 2] for one in listed["feature_id"]]
    review.crown_table.filter.setText('Name="oak 3"')
    assert review.crown_table.model.rowCount() == 1


@pytest.mark.parametrize("display", ["$id", "'one for all'", '"plot"', "no field"])
def test_names_that_do_not_tell_crowns_apart_have_no_column(scored, display):
    results, review = show_named(scored, display)
    for table in (results.crown_table, review.crown_table):
        assert "Name" not in titles(table)
        assert "Plot" in titles(table)

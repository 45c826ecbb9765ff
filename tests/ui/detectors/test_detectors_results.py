"""What page Detectors shows of a run, on the map as well."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtCore import Qt
from support.layers import TARGET_BOXES
from support.panel import empty_project, errors, opened_dock, run_page
from support.qt import spin, wait_until
from support.ranking import add_detectors, areas, choose, drawn, gone_to, table_texts
from support.shown import shows

from randcrowns.algorithms.detectors.schema.outputs import AREAS, AUCR, CROWNS, CURVES, RANKINGS
from randcrowns.algorithms.detectors.schema.parameters import BOOTSTRAP_SAMPLES, MAX_SKEW
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.detectors.results import make_certainty_table, rank_colour


@pytest.fixture(scope="module")
def ranked(qgis_iface):
    """The page after a run, and the layers that it read."""
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        layers = add_detectors(project)
        page = dock.show_page("detectors")
        page.form.field(BOOTSTRAP_SAMPLES).setValue(50)
        run_page(page)
        assert errors(page) == []
        assert page.results.unit_box.value() == CROWNS
        yield page, layers


@pytest.fixture
def page(ranked):
    """As it is after a run: whole crowns are shown, in the first tab, and nothing is on the map."""
    page, layers = ranked
    for layer in layers.values():
        layer.rollBack()
    choose(page, MAX_SKEW, 0.5)
    page.results.tabs.setCurrentIndex(0)
    page.results.unit_box.set_value(CROWNS)
    page.leave()
    return page


@pytest.fixture
def layers(ranked):
    return ranked[1]


def test_a_run_ranks_says_and_shows(page):
    assert errors(page) == []
    crowns, areas = page.results.conclusion_label.text().split("<br>")
    assert (
        crowns == "<b>Whole crowns: good 1.000, bad 0.000 (AP, all points). good can be called "
        "better.</b>"
    )
    # Two annotators, who differ, are too few to claim it of areas.
    assert re.fullmatch(
        r"<b>Areas: good 0\.\d+, bad 0\.\d+ \(AUCR\)\. good cannot be called better\.</b>", areas
    )
    page.results.unit_box.set_value(AREAS)
    frame = page.results.score_table.model.frame
    assert frame["truth"].tolist()[:3] == ["person 0", "person 1", "Any-GT"]
    good, bad = (page.results.results.detectors.index(name) for name in ("good", "bad"))
    assert frame["skew"].iloc[0] == pytest.approx(8 * 16 / (34.3 * 14.0), abs=1e-6)
    assert (frame[f"value_{good}"].dropna() > frame[f"value_{bad}"].dropna()).all()
    assert page.results.ranking_table.model.frame["ranking_1"].tolist()[:2] == ["good", "bad"]
    assert page.results.certainty_table.model.rowCount() == 2
    assert page.results.correlation_table.model.rowCount() == 2
    lsml = frame[frame["truth"] == "LSML"].iloc[0]
    assert np.isnan(lsml[f"value_{good}"])
    assert "pixel" in lsml["reason"]


def test_ranks_are_shaded(page):
    page.results.unit_box.set_value(AREAS)
    model = page.results.score_table.model
    place = next(n for n, column in enumerate(model.columns) if column.title == "good")
    index = model.index(0, place)
    assert model.data(index, Qt.ItemDataRole.BackgroundRole).color().name() == rank_colour(1)
    missing = next(
        row for row in range(model.rowCount()) if model.data(model.index(row, place)) == "n/a"
    )
    assert model.data(model.index(missing, place), Qt.ItemDataRole.BackgroundRole) is None


def test_tables_are_added_to_the_project_and_not_offered_again(page):
    project = QgsProject.instance()
    made = [
        layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)
    ]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in made} >= {
        AUCR.id,
        RANKINGS.id,
        CURVES.id,
    }
    (group,) = project.layerTreeRoot().findGroups()
    assert "detectors" in group.name()
    assert len(page.form.detector_list.checked_ids()) == 2


def test_a_score_shows_its_detector_and_its_ground_truth(page):
    page.results.unit_box.set_value(AREAS)
    panel = page.results
    each = len(TARGET_BOXES) * 16.0
    assert "Click a cell" in panel.map_label.text()
    gone_to(panel.score_table, 0, "good")
    assert areas(page) == [each, each]
    for name, colour in (("good", DELINEATION_COLOUR), ("person 0", TARGET_COLOUR)):
        assert re.search(rf"color:{colour};[^<]*>■</span>&nbsp;{name}", panel.map_label.text())
    good, person = (shape.boundingBox().xMinimum() for shape in drawn(page).values())
    assert good - person == pytest.approx(0.1)
    row = panel.score_table.model.frame["truth"].tolist().index("Any-GT")
    gone_to(panel.score_table, row, "bad")
    assert areas(page) == [each, len(TARGET_BOXES) * 4 * 4.3]
    gone_to(panel.score_table, row, "Ground truth")
    assert areas(page) == [None, len(TARGET_BOXES) * 4 * 4.3]
    assert DELINEATION_COLOUR not in panel.map_label.text()
    panel.unit_box.set_value(CROWNS)
    assert page.highlight.bands == []
    gone_to(panel.score_table, 1, "bad")
    assert areas(page) == [each, each]
    page.leave()
    assert page.highlight.bands == []
    assert "Click a cell" in panel.map_label.text()
    gone_to(panel.score_table, 1, "bad")
    assert areas(page) == [each, each]


def test_rankings_and_certainty_show_what_they_are_about(page):
    panel = page.results
    panel.tabs.setCurrentWidget(panel.ranking_table)
    gone_to(panel.ranking_table, 1, "Ranking 1")
    last = panel.ranking_table.model.frame["ranking_1"].iloc[-1]
    assert last.startswith("person 0")
    bad, person = (shape.boundingBox().xMinimum() for shape in drawn(page).values())
    assert bad - person == pytest.approx(2.5)
    gone_to(panel.ranking_table, 2, "Ranking 1")
    assert drawn(page)["detector"] is None
    assert drawn(page)["truth"] is not None
    panel.tabs.setCurrentIndex(3)
    assert page.highlight.bands == []
    gone_to(panel.certainty_table, 0, "Detector")
    assert drawn(page)["detector"] is not None
    assert drawn(page)["truth"] is None
    page.start()
    assert page.highlight.bands == []
    page.runs.cancel()
    wait_until(lambda: page.run is None)


def test_every_table_is_saved_as_csv(page, tmp_path):
    panel = page.results
    for name, table in (
        ("scores", panel.score_table),
        ("rankings", panel.ranking_table),
        ("agreement", panel.correlation_table),
    ):
        table.view.export(str(tmp_path / name))
        lines = (tmp_path / name).read_text(encoding="utf-8-sig").splitlines()
        assert len(lines) == table.model.rowCount() + 1
    assert not panel.score_table.save_button.isHidden()


def test_crowns_and_areas_can_be_switched(page):
    panel = page.results
    assert [panel.unit_box.itemData(n) for n in range(panel.unit_box.count())] == [CROWNS, AREAS]
    assert panel.score_table.model.frame["truth"].tolist() == ["person 0", "person 1"]
    assert panel.curve_box.isHidden()
    assert panel.full_conclusion_label.text().startswith("good can be called better than bad. ")
    assert "AP (all points) of good is 1.000 higher" in panel.full_conclusion_label.text()
    assert table_texts(panel.certainty_table)["Value"] == ["1.000", "0.000"]
    certainty, agreement = (
        panel.tabs.indexOf(one) for one in (panel.certainty_tab, panel.correlation_table)
    )
    assert panel.tabs.isTabEnabled(certainty)
    assert not panel.tabs.isTabEnabled(agreement)
    assert "about areas" in panel.tabs.tabToolTip(agreement)
    panel.unit_box.set_value(AREAS)
    assert panel.full_conclusion_label.text().startswith("good cannot be called better than bad. ")
    assert "The AUCR of good is " in panel.full_conclusion_label.text()
    assert all(map(panel.tabs.isTabEnabled, (certainty, agreement)))
    assert "About areas" not in panel.tabs.tabToolTip(agreement)
    panel.unit_box.set_value(CROWNS)
    assert panel.score_table.model.frame["crowns"].tolist() == [len(TARGET_BOXES)] * 2


def test_curves_are_drawn_and_saved(page, tmp_path):
    page.results.unit_box.set_value(AREAS)
    panel = page.results
    panel.tabs.setCurrentIndex(1)
    spin(50)
    axes = panel.plot.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == panel.results.detectors
    assert len(axes.collections) == 2
    for kind in range(panel.curve_box.count()):
        panel.curve_box.setCurrentIndex(kind)
    panel.truth_box.setCurrentIndex(1)
    assert axes.get_title() == "person 0"
    panel.unit_box.set_value(CROWNS)
    panel.plot.save(str(tmp_path / "curves.svg"))
    panel.plot.save(str(tmp_path / "curves.png"))
    assert (tmp_path / "curves.svg").stat().st_size > 1000
    assert (tmp_path / "curves.png").stat().st_size > 1000


def test_results_grow_old_with_a_choice_or_a_layer(page, layers):
    assert not page.results.is_stale
    choose(page, MAX_SKEW, 0.6)
    assert page.results.is_stale
    choose(page, MAX_SKEW, 0.5)
    assert not page.results.is_stale
    layers["good"].startEditing()
    layers["good"].deleteFeature(next(layers["good"].getFeatures()).id())
    assert page.results.is_stale
    layers["good"].rollBack()


def test_a_map_that_has_no_place_for_them_is_told(page, elsewhere):
    gone_to(page.results.score_table, 0, "good")
    assert page.highlight.bands == []
    assert shows(
        page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1], "crs.no_place_on_map"
    )


def test_coco_and_thresholds_stand_in_tabs_of_their_own(page):
    panel = page.results
    assert all(
        map(
            panel.tabs.isTabEnabled,
            map(panel.tabs.indexOf, (panel.coco_table, panel.threshold_table)),
        )
    )
    frame = panel.coco_table.model.frame.set_index(["detector", "truth"])
    assert frame.loc[("good", "person 0"), "ap"] > frame.loc[("bad", "person 0"), "ap"]
    thresholds = panel.threshold_table.model.frame.set_index("iou")
    assert len(thresholds) == 18
    place = panel.results.detectors.index("good")
    mean = frame.loc["good", "ap50"].mean()
    assert thresholds.loc[0.5, f"ap_{place}"] == pytest.approx(mean)
    chosen = []
    panel.cell_selected.connect(lambda detector, truth: chosen.append((detector, truth)))
    panel.tabs.setCurrentWidget(panel.threshold_table)
    panel.threshold_table.view.setCurrentIndex(
        panel.threshold_table.view.model().index(0, 1 + place)
    )
    assert chosen[-1] == ("good", "")
    panel.coco_table.view.setCurrentIndex(panel.coco_table.view.model().index(0, 0))
    assert chosen[-1][0] in ("good", "bad")
    assert chosen[-1][1].startswith("person")


def test_the_certainty_of_the_ranking_by_classes_follows_that_of_crowns():
    certainty = pd.DataFrame(
        {
            "counted": ["areas", "crowns", "crowns", "classes", "classes"],
            "detector": ["a", "a", "b", "b", "a"],
            "value": [0.9, 0.8, 0.7, 0.6, 0.5],
            "rank_1": [1, 0.75, 0.25, 0.5, 0.5],
            "rank_2": [np.nan, 0.25, 0.75, 0.5, 0.5],
            "beats_next": [np.nan, 0.75, np.nan, 0.5, np.nan],
        }
    )
    rows, columns = make_certainty_table(certainty, CROWNS)
    assert rows["value"].tolist() == [0.8, 0.7, 0.6, 0.5]
    names = ["counted", "detector", "value", "rank_1", "rank_2", "beats_next"]
    assert [column.name for column in columns] == names
    rows, columns = make_certainty_table(certainty[certainty["counted"] != "classes"], CROWNS)
    assert rows["value"].tolist() == [0.8, 0.7]
    assert columns[0].name == "detector"

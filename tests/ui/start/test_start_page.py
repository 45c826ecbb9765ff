"""Page Start: jobs that open their pages, and what the project still needs for each."""

from __future__ import annotations

import pytest
from qgis.core import QgsVectorLayer
from support.layers import TARGET_BOXES, box_layer
from support.qt import spin

from randcrowns.layers.guide import guide_page
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.start.jobs import JOBS

PAGE_KEYS = ["score", "annotators", "detectors", "report"]


@pytest.fixture
def start(project, dock):
    return dock.show_page("start")


def needs(start) -> dict[str, str]:
    """Key of a page -> what its job still needs, as the page shows it."""
    return {
        row.job.page_key: "" if row.need_label.isHidden() else row.need_label.text()
        for row in start.job_rows
    }


def test_each_job_opens_its_page(start, dock):
    assert [job.page_key for job in JOBS] == PAGE_KEYS
    for row in start.job_rows:
        dock.show_page("start")
        row.button.click()
        assert dock.page.key == row.job.page_key


def test_a_job_leaves_the_parameters_of_its_page_as_they_are(project, dock):
    layers = [box_layer(name, TARGET_BOXES) for name in ("a", "b", "c")]
    project.addMapLayers(layers)
    score = dock.show_page("score")
    score.form.target_picker.select_layer(layers[2].id())
    before = score.settings()
    dock.show_page("start").job_rows[0].button.click()
    assert dock.page is score
    assert score.settings() == before


def test_an_empty_project_needs_something_for_every_job(start):
    assert all(text.startswith("Still needed: ") for text in needs(start).values())
    assert needs(start)["score"] == "Still needed: target crowns, and a layer with your crowns."


def test_one_layer_needs_a_second_one(start, project):
    project.addMapLayer(box_layer("crowns", TARGET_BOXES))
    spin()
    shown = needs(start)
    assert "second polygon layer" in shown["score"]
    assert "second polygon layer" in shown["detectors"]
    assert "second person" in shown["annotators"]
    row = start.job_rows[0]
    assert shown["score"] in row.button.accessibleDescription()


def test_two_layers_suffice_for_all_but_a_report(start, project):
    project.addMapLayers([box_layer(name, TARGET_BOXES) for name in ("crowns", "drawn")])
    spin()
    assert [key for key, need in needs(start).items() if need] == ["report"]
    assert start.job_rows[0].button.accessibleDescription() == JOBS[0].description


def test_results_suffice_for_a_report(start, project):
    result = QgsVectorLayer("None?field=a:int", "summary", "memory")
    result.setCustomProperty(RESULT_PROPERTY, "SUMMARY")
    project.addMapLayer(result)
    spin()
    assert not needs(start)["report"]
    assert needs(start)["score"]


def test_the_question_about_pages_opens_the_guide_at_its_drawing(start, browser):
    start.guide_button.click()
    assert browser == [guide_page("start")]

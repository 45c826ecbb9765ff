"""The choices of page Detectors."""

from __future__ import annotations

import pytest
from qgis.core import QgsField
from qgis.PyQt.QtCore import Qt, QVariant
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QLabel
from support.qt import spin
from support.ranking import add_detectors, choose
from support.shown import shows

from randcrowns.algorithms.common_parameters import ALPHA, CORNER_STYLE, GAMMA, OMEGA
from randcrowns.algorithms.detectors.schema.parameters import (
    ALL_DRAWN,
    CONSENSUS_METHODS,
    CROWN_PRESET,
    CROWN_SCORE,
    MIN_SKEW,
    RESOLUTION,
    SCORE_FIELD,
    SKEW_LIMITS,
    STUDY_AREA,
    TOLERANCE,
    TRAINING,
)
from randcrowns.algorithms.estimation_parameters import ANSWERS, CALIBRATION_CUTOFF
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.agreement.consensus import COOKE
from randcrowns.layers.vector.guesses import LayerRole, set_imported_role
from randcrowns.ui.services.settings import read_parameters


@pytest.fixture
def layers(project):
    return add_detectors(project)


@pytest.fixture
def page(layers, one_dock):
    return one_dock.show_page("detectors")


def ids(layers, *names):
    return {layers[name].id() for name in names}


def test_the_usual_layers_are_checked(page, layers):
    assert set(page.form.detector_list.checked_ids()) == ids(layers, "good", "bad")
    assert set(page.form.annotator_list.checked_ids()) == ids(layers, "person 0", "person 1")
    assert page.form.settings()[SCORE_FIELD] == "score"
    assert page.form.settings()[TRAINING] == page.form.settings()[STUDY_AREA].layer == ""
    assert page.run_bar.run_button.text() == "Rank 2 detectors"
    assert page.run_bar.run_button.isEnabled()


def test_imported_targets_are_checked_if_there_are_no_annotators(page, layers):
    set_imported_role(layers["person 0"], LayerRole.TARGETS)
    page.form.reload_layers()
    assert set(page.form.annotator_list.checked_ids()) == ids(layers, "person 1")
    set_imported_role(layers["person 1"], LayerRole.DETECTOR)
    page.form.reload_layers()
    assert set(page.form.annotator_list.checked_ids()) == ids(layers, "person 0")


def test_a_layer_that_is_a_detector_no_more_is_an_annotator_again(page, layers):
    form = page.form
    person, other = (layers[f"person {k}"].id() for k in (0, 1))
    detectors = form.detector_list.checked_ids()
    score = layers["person 0"].dataProvider()
    score.addAttributes([QgsField("score", QVariant.Double)])
    layers["person 0"].updateFields()
    field = layers["person 0"].fields().lookupField("score")
    assert score.changeAttributeValues(
        {crown.id(): {field: 0.5} for crown in layers["person 0"].getFeatures()}
    )
    form.reload_layers()

    def tick(checklist, layer_id, wanted):
        items = map(checklist.topLevelItem, range(checklist.topLevelItemCount()))
        item = next(item for item in items if item.data(0, Qt.ItemDataRole.UserRole) == layer_id)
        item.setCheckState(0, Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    form.detector_list.check_layers(detectors)
    # With a score it is an annotator only where it was chosen as one.
    for annotators in ({other}, {person, other}):
        if person in annotators:
            form.annotator_list.check_layers(tuple(annotators))
        assert set(form.annotator_list.checked_ids()) == annotators
        tick(form.detector_list, person, True)
        assert set(form.annotator_list.checked_ids()) == {other}
        tick(form.detector_list, person, False)
        assert set(form.annotator_list.checked_ids()) == annotators
    tick(form.annotator_list, person, False)
    tick(form.detector_list, person, True)
    tick(form.detector_list, person, False)
    assert set(form.annotator_list.checked_ids()) == {other}


def test_what_is_missing_is_said_on_the_button(page, layers):
    page.form.annotator_list.check_layers(())
    assert shows(page.run_bar.run_button.toolTip(), "annotators.no_layer_or_raster")
    assert not page.run_bar.run_button.isEnabled()
    page.form.annotator_list.check_layers((layers["person 0"].id(),))
    choose(page, TOLERANCE, 0.5)
    assert shows(page.run_problem(), "tolerance.no_pixel_size")
    choose(page, RESOLUTION, 0.1)
    assert page.run_problem() == ""
    choose(page, MIN_SKEW, 0.6)
    assert shows(page.run_problem(), "skew.invalid_limits")
    choose(page, SKEW_LIMITS, "truths")
    assert page.run_problem() == ""
    page.form.detector_list.check_layers(())
    assert shows(page.run_problem(), "detectors.not_chosen")


def test_cookes_weights_require_answers(page, tmp_path):
    form = page.form
    assert form.field(ANSWERS).isHidden()
    choose(page, CONSENSUS_METHODS, ("any", COOKE))
    assert not any(form.field(choice).isHidden() for choice in (ANSWERS, CALIBRATION_CUTOFF))
    assert shows(page.run_problem(), "cooke.no_file")
    choose(page, ANSWERS, str(tmp_path / "answers.csv"))
    assert page.run_problem() == ""


def test_choices_are_kept_in_the_project(page, project):
    choose(page, TOLERANCE, 0.4)
    choose(page, CONSENSUS_METHODS, ("any", "staple"))
    choose(page, ALL_DRAWN, False)
    wanted = page.form.settings()
    page.store_parameters()
    assert read_parameters("detectors")["tolerance"] == pytest.approx(0.4)
    choose(page, TOLERANCE, 0.0)
    choose(page, CONSENSUS_METHODS, ("any",))
    choose(page, ALL_DRAWN, True)
    page.load_parameters()
    assert page.form.settings() == wanted


def test_training_areas_and_the_study_area_are_no_annotators(page, project):
    form = page.form
    everybody = form.annotator_list.checked_ids()
    form.field(TRAINING).select_layer(everybody[0])
    assert form.annotator_list.checked_ids() == everybody[1:]
    form.field(STUDY_AREA).set_area(AreaValue("layer", everybody[1]))
    assert form.annotator_list.checked_ids() == everybody[2:]


def test_own_lengths_can_be_chosen_where_randcrowns_decides(page):
    form = page.form
    assert form.field(ALPHA).isHidden()
    choose(page, CROWN_PRESET, "own")
    assert form.field(ALPHA).isHidden()
    choose(page, CROWN_SCORE, "randcrowns")
    assert not any(form.field(choice).isHidden() for choice in (ALPHA, OMEGA, GAMMA, CORNER_STYLE))
    choose(page, OMEGA, 2.5)
    assert page.parameters(form.settings())["OMEGA"] == 2.5
    assert page.parameters(form.settings())["PRESET"] == 2


@pytest.mark.parametrize("width", [300, 360])
def test_nothing_of_the_form_is_cut_in_a_narrow_dock(page, one_dock, width):
    for box in page.form.group_boxes:
        box.setCollapsed(False)
    choose(page, CROWN_SCORE, "randcrowns")
    choose(page, CROWN_PRESET, "own")
    one_dock.resize(width, 900)
    spin(50)
    assert one_dock.width() == width
    assert page.form.width() <= page.form.parentWidget().width()
    headings = [
        label.text() for label in page.form.findChildren(QLabel) if label.text().startswith("<b>")
    ]
    assert headings == ["<b>Curve</b>", "<b>Crowns</b>", "<b>Certainty</b>", "<b>Consensus</b>"]


def test_a_click_on_its_words_checks_a_box(page):
    box, words = page.form.field(ALL_DRAWN), page.form.label(ALL_DRAWN)
    assert words.text() == ALL_DRAWN.label
    QTest.mouseClick(words, Qt.MouseButton.LeftButton)
    assert not box.isChecked()
    assert not page.form.settings()[ALL_DRAWN]

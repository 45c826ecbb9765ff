"""Settings > Options > RandCrowns: what the pages begin with."""

from __future__ import annotations

import pytest
from qgis.core import QgsSettings

from randcrowns.algorithms.common_parameters import PRESET
from randcrowns.algorithms.report.schema.parameters import CROWNS, PARTS
from randcrowns.layers.spreadsheets import escapes_formulas, set_escapes_formulas
from randcrowns.ui.options import page as options
from randcrowns.ui.options.form import DEFAULT_PARAMETERS
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, LIVE_SCORING
from randcrowns.ui.services.settings import Settings, read_parameters, user_defaults
from randcrowns.ui.shell.dock import PAGES
from randcrowns.ui.widgets.editors import REPLACE_LAST

OWN = {
    PRESET: "field_polygons",
    DESTINATION: FIELDS,
    REPLACE_LAST: True,
    CROWNS: 4,
    PARTS: ("tables", "plots"),
    LIVE_SCORING: True,
}


@pytest.fixture(autouse=True)
def no_habits():
    yield
    for name in ("defaults", "reviewer"):
        QgsSettings().remove(f"RandCrowns/{name}")


@pytest.fixture
def kept(qgis_app):
    """The options after somebody changed some and pressed OK."""
    made = OptionsPage()
    made.form.set_settings(Settings.from_stored(DEFAULT_PARAMETERS).with_values(OWN))
    made.reviewer.setText(" Anna ")
    made.apply()
    made.deleteLater()


def test_pages_of_a_new_project_begin_with_the_users_defaults(kept, two_layers, dock):
    settings = dock.show_page("score").settings()
    assert {choice: settings[choice] for choice in (PRESET, DESTINATION)} == {
        PRESET: "field_polygons",
        DESTINATION: FIELDS,
    }
    assert dock.show_page("detectors").settings()[REPLACE_LAST] is True
    report = dock.show_page("report").settings()
    assert (report[CROWNS], report[PARTS]) == (4, ("tables", "plots"))
    assert dock.show_page("review").reviewer_field.text() == "Anna"


def test_a_project_keeps_what_was_chosen_in_it(kept, two_layers, dock):
    page = dock.show_page("score")
    page.form.set_value(PRESET, "idtrees")
    page.store_parameters()
    assert read_parameters("score")["preset"] == "idtrees"
    page.load_parameters()
    assert page.settings()[PRESET] == "idtrees"


def test_the_first_results_are_followed_where_the_user_wants_it(kept, page, run):
    page.form.set_value(DESTINATION, "new_layers")
    run(page)
    assert page.live_scoring.is_on
    page.results.live_switch.setChecked(False)
    run(page)
    assert not page.live_scoring.is_on


def test_without_options_nothing_is_followed(page, run):
    run(page)
    assert not page.live_scoring.is_on


def test_the_options_show_what_was_kept_and_keep_nothing_that_is_usual(kept):
    assert set(user_defaults()) == {choice.key for choice in OWN}
    made = OptionsPage()
    assert (
        made.form.settings()
        == Settings.from_stored(DEFAULT_PARAMETERS, {})
        == Settings({**Settings.from_stored(DEFAULT_PARAMETERS), **OWN})
    )
    assert made.reviewer.text() == "Anna"
    made.form.set_settings(Settings({choice: choice.default for choice in DEFAULT_PARAMETERS}))
    made.apply()
    assert user_defaults() == {}


@pytest.mark.parametrize(
    "damaged", ["[1", "[1]", '{"preset": 5, "crowns": "many", "parts": 3}', "{" * 5000]
)
def test_options_that_cannot_be_read_are_the_usual_ones(qgis_app, damaged):
    QgsSettings().setValue("RandCrowns/defaults", damaged)
    assert Settings.from_stored(DEFAULT_PARAMETERS) == Settings(
        {choice: choice.default for choice in DEFAULT_PARAMETERS}
    )
    made = OptionsPage()
    assert made.form.settings() == Settings(
        {choice: choice.default for choice in DEFAULT_PARAMETERS}
    )
    made.deleteLater()


def test_no_other_choice_of_a_page_has_the_key_of_one_of_these(three_people, dock):
    keys = {choice.key: choice for choice in DEFAULT_PARAMETERS}
    for entry in PAGES:
        form = getattr(dock.show_page(entry.key), "form", None)
        for choice in () if form is None else form.parameters:
            assert choice.key not in keys or type(choice) is type(keys[choice.key]), (
                entry.key,
                choice.key,
            )


def test_the_option_for_texts_in_csv_is_stored(qgis_app):
    made = OptionsPage()
    assert made.formula_box.isChecked()
    assert escapes_formulas()
    try:
        made.formula_box.setChecked(False)
        assert escapes_formulas()
        made.apply()
        assert not escapes_formulas()
        assert not OptionsPage().formula_box.isChecked()
    finally:
        set_escapes_formulas(True)
    made.deleteLater()


def test_missing_libraries_are_told_instead(qgis_app, monkeypatch):
    monkeypatch.setattr(options, "libraries_message", lambda: "shapely is missing.")
    made = OptionsPage()
    assert made.form is None
    made.apply()

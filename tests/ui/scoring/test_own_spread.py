"""Page Score with a consensus whose crowns have a spread as targets."""

from __future__ import annotations

import pytest
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin
from support.shown import shows

from randcrowns.algorithms.common_parameters import IDTREES, PRESET, TARGETS
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS, SPREAD_FIELD
from randcrowns.layers.vector.write import RESULT_PROPERTY


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(project, dock):
    spreads = [(0.1 + 0.02 * number,) for number in range(len(TARGET_BOXES))]
    consensus = box_layer("consensus", TARGET_BOXES, fields="&field=spread:double", rows=spreads)
    consensus.setCustomProperty(RESULT_PROPERTY, "CONSENSUS")
    drawn = box_layer("drawn", shifted(TARGET_BOXES, 0.4))
    project.addMapLayers([consensus, drawn])
    project.setCrs(drawn.crs())
    made = dock.show_page("score")
    made.form.field(TARGETS).select_layer(consensus.id())
    made.form.field(DELINEATIONS).check_layers((drawn.id(),))
    spin()
    return made


def test_the_spread_of_a_consensus_is_preset_and_stands_beside_the_result(page, run):
    assert page.form.settings()[SPREAD_FIELD] == "spread"
    run(page)
    assert errors(page) == []
    assert shows(page.results.notes.text(), "scoring.own_spread", layer="drawn", count=8)


def test_the_preset_of_a_competition_has_no_own_spread(page):
    settings = page.form.settings()
    page.form.set_settings(settings.with_values({PRESET: IDTREES}))
    spin()
    assert page.form.settings()[SPREAD_FIELD] == ""


def test_a_layer_that_is_no_consensus_presets_nothing(page, project):
    drawn = next(layer for layer in project.mapLayers().values() if layer.name() == "drawn")
    page.form.field(TARGETS).select_layer(drawn.id())
    spin()
    assert page.form.settings()[SPREAD_FIELD] == ""

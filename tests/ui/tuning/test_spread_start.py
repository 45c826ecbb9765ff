"""Page Parameters starts from the spread of a consensus crown by crown."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from support.layers import layer_of
from support.shown import shows

from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS
from randcrowns.layers.vector.write import RESULT_PROPERTY


@pytest.fixture
def dock(same_dock):
    return same_dock


def add_consensus(spreads):
    layer = layer_of(
        "Consensus",
        ["Polygon((0 0, 1 0, 1 1, 0 0))"] * len(spreads),
        fields="&field=spread:double",
        rows=[[spread] for spread in spreads],
    )
    layer.setCustomProperty(RESULT_PROPERTY, "CONSENSUS")
    QgsProject.instance().addMapLayer(layer)
    return layer


def test_alpha_and_omega_start_around_the_spread(parameters_page):
    form = parameters_page.form
    assert form.spread_button.isHidden()
    add_consensus([0.2, 0.3, None, 0.4])
    form.reload_layers()
    assert not form.spread_button.isHidden()
    form.spread_button.click()
    # 1.645 sqrt(pi / 2) 0.3 = 0.618; a quarter of it is 0.15.
    settings = form.settings()
    for parameter in (ALPHAS, OMEGAS):
        assert settings[parameter] == pytest.approx((0.15, 1.05, 0.15))
    assert "0.62 m" in form.spread_notice.text()
    assert "3 crowns" in form.spread_notice.text()


def test_a_consensus_without_a_spread_says_why(parameters_page):
    form = parameters_page.form
    before = form.settings()[ALPHAS]
    add_consensus([None, None])
    form.reload_layers()
    form.spread_button.click()
    assert form.settings()[ALPHAS] == before
    assert shows(form.spread_notice.text(), "spread.none")

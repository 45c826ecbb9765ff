"""Runs of page Score that tests of page Review open copies of."""

from __future__ import annotations

import pytest
from qgis.core import QgsFillSymbol, QgsSingleSymbolRenderer
from support.layers import TARGET_BOXES, box_layer, shifted
from support.reviewing import make_runs


@pytest.fixture(scope="session")
def one_run(qgis_iface, tmp_path_factory):
    """Target crowns; delineations that fit, leave one crown out, and have one extra."""
    drawn = [*shifted(TARGET_BOXES[:-1], 0.5), (60.0, 60.0, 64.0, 64.0)]
    layers = [box_layer("crowns", TARGET_BOXES), box_layer("drawn", drawn)]
    return make_runs(qgis_iface, tmp_path_factory.mktemp("one_run"), layers)


@pytest.fixture(scope="session")
def run_of_two(qgis_iface, tmp_path_factory):
    """The same, and a second annotator without the last two; both have colours of their own."""
    drawn = [*shifted(TARGET_BOXES[:-1], 0.5), (60.0, 60.0, 64.0, 64.0)]
    people = [box_layer("drawn", drawn), box_layer("second", shifted(TARGET_BOXES[:-2], 1.0))]
    for layer, colour in zip(people, ("#123456", "#654321")):
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": colour})))
    return make_runs(
        qgis_iface, tmp_path_factory.mktemp("two"), [box_layer("crowns", TARGET_BOXES), *people]
    )

"""How the toolbox shows the algorithms: in groups by topic, each with the guide's page on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.PyQt.QtCore import QUrl

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.layers.guide import guide_page
from randcrowns.ui.shell.dock import PAGES

#: Group -> its algorithms, in the order of the catalogue.
GROUPS = {
    "Score": ["scorecrowns", "targetregions"],
    "Detectors": ["rankdetectors"],
    "Annotators": ["compareannotators", "consensus"],
    "Parameters": ["annotatorvariance", "tuneparameters"],
    "Instances": ["evaluateinstances", "evaluatepointcloud"],
    "Import and export": ["importcrowns", "exportcrowns", "exportlayers"],
    "Report": ["report"],
}


@pytest.mark.parametrize("later", [False, True], ids=["at once", "imported when used"])
def test_algorithms_stand_in_groups_with_their_page_of_the_guide(qgis_app, later):
    provider = RandCrownsProvider((lambda: "") if later else None)
    provider.refreshAlgorithms()
    groups = {}
    for entry in ALGORITHMS:
        shown = provider.algorithm(entry.key)
        groups.setdefault(shown.group(), []).append(entry.key)
        made = shown.create()
        assert (made.group(), made.groupId(), made.helpUrl()) == (
            shown.group(),
            shown.groupId(),
            shown.helpUrl(),
        )
        assert Path(QUrl(shown.helpUrl()).toLocalFile()) == guide_page(shown.groupId())
    assert groups == GROUPS


def test_a_page_and_its_algorithms_have_one_page_of_the_guide():
    pages = {entry.key: entry.title for entry in PAGES}
    topics = {
        entry.topic.key: entry.topic.label for entry in ALGORITHMS if entry.topic.key != "exchange"
    }
    assert {key: pages[key] for key in topics} == topics


#: Layers for a closer look: loaded, but not drawn until they are checked.
NOT_DRAWN = {
    "scorecrowns": {"SCORED_DELINEATIONS", "PAIRS", "REGIONS"},
    "compareannotators": {"DISAGREEMENTS", "AGREEMENT_RASTER"},
    "consensus": {"PROBABILITY", "CONSENSUS_RASTER"},
    "rankdetectors": {"TRUTH_POLYGONS"},
    "annotatorvariance": {"DELINEATIONS", "EXCLUDED"},
}


def test_what_is_loaded_without_being_drawn(algorithms):
    found = {
        one.name(): {
            output.id
            for output in one.outputs
            if not output.is_visible and output.kind not in ("picture", "table")
        }
        for one in algorithms.algorithms()
        if hasattr(one, "outputs")
    }
    assert {name: ids for name, ids in found.items() if ids} == NOT_DRAWN

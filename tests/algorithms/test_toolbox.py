"""How the toolbox shows the algorithms: in groups by topic, each with the guide's page on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
)
from qgis.PyQt.QtCore import QUrl
from support.processing import Listener

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS, AlgorithmEntry
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
    "Report": ["report", "explore"],
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
    "scorecrowns": {"PAIRS", "REGIONS"},
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


@pytest.fixture
def broken(qgis_app):
    """A provider whose algorithms cannot be imported, beside the one of other tests."""

    class Broken(RandCrownsProvider):
        def id(self):
            return "broken"

    provider = Broken(lambda: "shapely is not here.")
    registry = QgsApplication.processingRegistry()
    registry.addProvider(provider)
    yield provider
    registry.removeProvider(provider)


def run_in_python(name, listener):
    import processing

    return processing.run(name, {"TARGETS": "somewhere"}, feedback=listener)


def run_in_a_model(name, listener):
    model = QgsProcessingModelAlgorithm("m", "m")
    model.addChildAlgorithm(QgsProcessingModelChildAlgorithm(name))
    _, fine = model.run({}, QgsProcessingContext(), listener)
    assert not fine


def run_alone(name, listener):
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(name)
    _, fine = algorithm.run({}, QgsProcessingContext(), listener)
    assert not fine


@pytest.mark.parametrize("run", [run_in_python, run_in_a_model, run_alone])
def test_without_its_libraries_a_run_fails_with_the_sentence_of_the_dialog(broken, run):
    for algorithm in broken.algorithms():
        listener = Listener()
        if run is run_in_python:
            with pytest.raises(QgsProcessingException, match="shapely is not here"):
                run(algorithm.id(), listener)
        else:
            run(algorithm.id(), listener)
        assert "shapely is not here." in "\n".join(listener.errors)


def test_a_plugin_with_a_module_missing_says_what_to_do(broken, monkeypatch):
    """As while an upgrade replaces its files."""
    monkeypatch.setattr(broken.algorithms()[0], "_library_problem", lambda: "")

    def fail(_entry):
        raise ModuleNotFoundError("No module named 'randcrowns.core.new'")

    monkeypatch.setattr(AlgorithmEntry, "create_algorithm", fail)
    algorithm = broken.algorithms()[0].create()
    usable, why = algorithm.canExecute()
    assert not usable
    assert why == (
        "RandCrowns cannot be used (ModuleNotFoundError: No module named 'randcrowns.core.new'). "
        "Restart QGIS. If that does not help, install the plugin again."
    )

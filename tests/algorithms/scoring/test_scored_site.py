"""A live run that starts from the crowns and scores of a run equals one that scores all crowns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas
import pandas as pd
import pytest
import shapely
from qgis.core import QgsFeature, QgsProcessingContext, QgsProject, QgsVectorLayer
from support.batch import random_layers

from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.scoring import scored_site as scored_site_module
from randcrowns.algorithms.scoring.live_run import LiveRun
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns, ScoreSettings
from randcrowns.algorithms.scoring.scored_site import ScoredSite
from randcrowns.core.progress import no_progress
from randcrowns.core.scoring import live as live_scores

EXTENT = "404003,404030,3285002,3285028 [EPSG:32617]"


@pytest.fixture
def layers(tmp_path: Path) -> list[QgsVectorLayer]:
    paths = random_layers(tmp_path, 5, 60, 50.0, (True, True)).paths
    return [QgsVectorLayer(str(path), path.stem, "ogr") for path in paths]


def _settings(layers: list[QgsVectorLayer], **values: Any) -> ScoreSettings:
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    raw_values = {"TARGETS": layers[0], "DELINEATIONS": layers[1:], **values}
    algorithm = ScoreCrowns().create()
    return algorithm.read_settings(RunParameters(algorithm, raw_values, context))


def _scored_site(settings: ScoreSettings) -> ScoredSite | None:
    algorithm = ScoreCrowns()
    site = algorithm.read_layers(settings, no_progress)
    findings = algorithm.compute(settings, site, no_progress)
    return algorithm.results_to_keep(settings, site, findings)


def _check_equal(run: LiveRun, expected: LiveRun) -> None:
    """Assert that two live runs have the same summary, rows and unmatched crowns."""
    pd.testing.assert_frame_equal(run.summary(["drawn"]), expected.summary(["drawn"]), rtol=1e-9)
    (change,), (expected_change,) = run.all_rows(), expected.all_rows()
    rows, expected_rows = (
        pd.DataFrame(one.rows).sort_values("target_id", ignore_index=True)
        for one in (change, expected_change)
    )
    pd.testing.assert_frame_equal(rows, expected_rows, rtol=1e-9)
    assert set(change.unmatched_ids) == set(expected_change.unmatched_ids)
    assert change.status_counts == expected_change.status_counts
    assert change.status_counts == {
        status: (expected_rows["status"] == status).sum() for status in change.status_counts
    }


@pytest.mark.parametrize("values", [{}, {"EXTENT": EXTENT}, {"PLOT_FIELD": "plot"}], ids=str)
def test_the_scores_of_the_run_are_taken_over(algorithms, layers, values, monkeypatch) -> None:
    settings = _settings(layers, **values)
    expected = LiveRun.start(settings, no_progress)
    scored_site = _scored_site(settings)
    assert scored_site is not None
    assert scored_site.has_current_files()
    monkeypatch.setattr(live_scores, "score_candidates", None)
    _check_equal(LiveRun.from_scored_site(settings, scored_site), expected)


@pytest.mark.parametrize("values", [{}, {"EXTENT": EXTENT}, {"PLOT_FIELD": "plot"}], ids=str)
def test_only_crowns_that_changed_are_scored(algorithms, layers, values, monkeypatch) -> None:
    """Crowns are moved, added and deleted, one is moved to another plot."""
    scored_site = _scored_site(_settings(layers, **values))
    for layer in layers:
        layer.startEditing()
        moved, deleted, renamed = list(layer.getFeatures())[3:6]
        geometry = moved.geometry()
        geometry.translate(1.0, 0.5)
        layer.changeGeometry(moved.id(), geometry)
        layer.deleteFeature(deleted.id())
        layer.changeAttributeValue(renamed.id(), layer.fields().indexOf("plot"), "plot 9")
        added = QgsFeature(layer.fields())
        geometry.translate(5.0, 5.0)
        added.setGeometry(geometry)
        layer.addFeature(added)
    settings = _settings(layers, **values)
    expected = LiveRun.start(settings, no_progress)
    monkeypatch.setattr(live_scores, "score_candidates", None)
    _check_equal(LiveRun.start(settings, no_progress, scored_site), expected)


def test_all_crowns_are_scored_after_another_area_or_many_edits(
    algorithms, layers, monkeypatch
) -> None:
    whole = _scored_site(_settings(layers))
    assert whole is not None
    clipped = _settings(layers, EXTENT=EXTENT)
    site = ScoreCrowns().read_layers(clipped, no_progress)
    assert whole.find_edits(site) is None
    _check_equal(LiveRun.start(clipped, no_progress, whole), LiveRun.start(clipped, no_progress))
    layers[0].startEditing()
    layers[0].deleteFeature(1)
    site = ScoreCrowns().read_layers(_settings(layers), no_progress)
    edits = whole.find_edits(site)
    assert edits is not None
    assert [len(one.ids) for one in edits] == [1, 0]
    monkeypatch.setattr(scored_site_module, "_MAX_EDITS", 0)
    assert whole.find_edits(site) is None


def test_changes_of_the_files_by_others_and_unsaved_crowns_are_noticed(algorithms, layers) -> None:
    scored_site = _scored_site(_settings(layers))
    assert scored_site is not None
    path = Path(layers[1].source())
    frame = geopandas.read_file(path)
    assert scored_site.has_current_files()
    frame.iloc[:-1].to_file(path)
    assert not scored_site.has_current_files()

    layers[0].startEditing()
    added = QgsFeature(layers[0].fields())
    added.setGeometry(next(layers[0].getFeatures()).geometry())
    layers[0].addFeature(added)
    unsaved = _scored_site(_settings(layers))
    assert unsaved is not None
    assert not unsaved.has_current_files()


def test_too_many_vertices_are_not_kept(algorithms, layers, monkeypatch) -> None:
    settings = _settings(layers)
    site = ScoreCrowns().read_layers(settings, no_progress)
    n_vertices = shapely.get_num_coordinates(site.all_polygons).sum()
    monkeypatch.setattr(scored_site_module, "_MAX_VERTICES", n_vertices)
    assert _scored_site(settings) is not None
    monkeypatch.setattr(scored_site_module, "_MAX_VERTICES", n_vertices - 1)
    assert _scored_site(settings) is None

"""Rankings by rasters with overviews, and annotators who looked at a part only."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsRasterLayer
from support.layers import layer_of
from support.processing import run_algorithm
from support.rasters import NORTH, WEST, write_raster

from randcrowns.algorithms.detectors.schema.parameters import CONSENSUS_METHODS
from randcrowns.core.detectors.ranking import rank_detectors

METHODS = [option.key for option in CONSENSUS_METHODS.options]


@pytest.fixture
def rank(algorithms, qgis_new_project):
    def run_it(outputs=("AUCR",), **parameters):
        given = {"COUNTED_UNITS": 1, "BOOTSTRAP_SAMPLES": 0, "CONSENSUS_METHODS": [0], **parameters}
        done = run_algorithm("rankdetectors", given, outputs=outputs)
        assert done.ok, done.refused or done.error
        return done

    return run_it


def aucr_of(done):
    rows = done.table("AUCR")
    return {(row["truth"], row["detector"]): row["value"] for _, row in rows.iterrows()}


def raster(folder, name, values, **how):
    return QgsRasterLayer(str(write_raster(folder / f"{name}.tif", values, **how)), name)


def test_a_score_is_judged_where_an_annotator_looked_in_any_order(rank, tmp_path):
    rng = np.random.default_rng(1)
    truth = rng.random((40, 60)) < 0.3
    score = truth + rng.normal(0, 0.6, truth.shape)
    parts = {"whole": slice(0, 60), "part": slice(20, 60)}
    layers = {
        name: raster(tmp_path, name, truth[:, columns], west=WEST + columns.start)
        for name, columns in parts.items()
    }
    detector = raster(tmp_path, "d", score)
    found = []
    for order in permutations(layers):
        done = rank(DETECTORS=[detector], ANNOTATORS=[layers[name] for name in order])
        assert "agreement.missing_ratings" in done.keys
        found.append(aucr_of(done))
    assert found[0] == pytest.approx(found[1])
    for name, columns in parts.items():
        alone = rank_detectors({"d": score[:, columns]}, {"t": truth[:, columns]})
        assert found[0][name, "d"] == pytest.approx(alone.aucr.loc["d", "t"], abs=1e-9)


def test_scores_are_never_read_from_overviews(rank, tmp_path):
    rng = np.random.default_rng(2)
    truth = rng.random((40, 40)) < 0.3
    score = np.kron(truth, np.ones((8, 8))) + rng.normal(0, 0.6, (320, 320))
    plain = write_raster(tmp_path / "d.tif", score, 0.125, kind=gdal.GDT_Float32)
    cog = tmp_path / "cog.tif"
    gdal.Translate(
        str(cog), str(plain), format="COG", creationOptions=["RESAMPLING=AVERAGE", "BLOCKSIZE=128"]
    )
    assert gdal.Open(str(cog)).GetRasterBand(1).GetOverviewCount() > 0
    annotators = [raster(tmp_path, "ann", truth)]
    values = [
        aucr_of(rank(DETECTORS=[QgsRasterLayer(str(path), "d")], ANNOTATORS=annotators))
        for path in (plain, cog)
    ]
    assert values[0] == values[1]
    alone = rank_detectors({"d": score[4::8, 4::8].astype(np.float32)}, {"ann": truth})
    assert values[0]["ann", "d"] == pytest.approx(alone.aucr.loc["d", "ann"], abs=1e-6)


def test_an_undeclared_value_for_no_data_is_no_score(rank, tmp_path):
    rng = np.random.default_rng(3)
    truth = rng.random((40, 40)) < 0.3
    score = truth + rng.normal(0, 0.6, truth.shape)
    spoiled = score.copy()
    spoiled[:, :10] = -9999
    annotators = [raster(tmp_path, "ann", truth)]
    done = rank(DETECTORS=[raster(tmp_path, "d", spoiled)], ANNOTATORS=annotators)
    assert "marks.undeclared_nodata" in done.keys
    alone = rank_detectors({"d": score[:, 10:]}, {"ann": truth[:, 10:]})
    assert aucr_of(done)["ann", "d"] == pytest.approx(alone.aucr.loc["d", "ann"], abs=1e-9)


#: Areas that two annotators have reviewed, by columns of 60; the third has reviewed everything.
PARTS = {"ann": slice(0, 45), "ben": slice(20, 60)}
SHAPE = (24, 60)


def squares(mask, score=None):
    """Return the pixels of a mask as squares of 1 m."""
    row, column = np.nonzero(mask)
    left, top = WEST + column, NORTH - row
    return shapely.box(left, top - 1, left + 1, top)


def reviewed_layer(parts):
    boxes = [
        shapely.box(WEST + part.start, NORTH - SHAPE[0], WEST + part.stop, NORTH)
        for part in parts.values()
    ]
    return layer_of(
        "reviewed", boxes, "EPSG:32617", "Polygon", "&field=annotator:string", [[n] for n in parts]
    )


@pytest.mark.parametrize("kind", ["exact", "pixels"])
def test_polygons_have_missing_ratings_outside_their_reviewed_area(rank, kind):
    rng = np.random.default_rng(4)
    truth = rng.random(SHAPE) < 0.3
    marks = {name: truth ^ (rng.random(SHAPE) < 0.1) for name in ("ann", "ben", "cleo")}
    score = np.round(truth + rng.normal(0, 0.6, SHAPE), 1)
    looked = {name: np.zeros(SHAPE, dtype=bool) for name in marks}
    for name in marks:
        looked[name][:, PARTS.get(name, slice(0, 60))] = True
    everywhere = np.ones(SHAPE, dtype=bool)
    detector = layer_of(
        "d",
        squares(everywhere),
        "EPSG:32617",
        "Polygon",
        "&field=score:double",
        [[float(value)] for value in score[np.nonzero(everywhere)]],
    )
    area = shapely.box(WEST, NORTH - SHAPE[0], WEST + SHAPE[1], NORTH)
    given = {
        "DETECTORS": [detector],
        "EXTENT_LAYER": layer_of("area", [area], "EPSG:32617", "Polygon"),
        "SCORE_FIELD": "score",
        "REVIEWED": reviewed_layer(PARTS),
        "CONSENSUS_METHODS": [METHODS.index("each"), METHODS.index("0.5")],
    }
    if kind == "pixels":
        given["RESOLUTION"] = 1.0
    votes = sum((marks[name] & looked[name]).astype(int) for name in marks)
    n_looked = sum(looked[name].astype(int) for name in marks)
    half = (2 * votes >= n_looked) & (votes > 0)
    found = []
    for order in permutations(marks):
        layers = [layer_of(name, squares(marks[name]), "EPSG:32617", "Polygon") for name in order]
        done = rank(ANNOTATORS=layers, outputs=("AUCR", "CORRELATIONS"), **given)
        assert "agreement.missing_ratings" in done.keys
        found.append(aucr_of(done))
        correlation = done.table("CORRELATIONS").iloc[0]["cci"]
        expected = np.corrcoef((votes / n_looked).ravel(), score.ravel())[0, 1]
        assert correlation == pytest.approx(expected, abs=1e-6)
    assert all(other == pytest.approx(found[0], abs=1e-9) for other in found)
    for name, is_looked in looked.items():
        alone = rank_detectors({"d": score[is_looked]}, {"t": marks[name][is_looked]})
        assert found[0][name, "d"] == pytest.approx(alone.aucr.loc["d", "t"], abs=1e-9)
    consensus = rank_detectors({"d": score}, {"t": half})
    assert found[0]["0.5-GT", "d"] == pytest.approx(consensus.aucr.loc["d", "t"], abs=1e-9)


def test_crowns_outside_a_reviewed_area_are_not_judged_under_its_annotator(rank):
    """By hand: 'part' reviewed the western two of four trees, of which the detector has all."""
    trees = [shapely.box(WEST + x, NORTH - 5, WEST + x + 4, NORTH - 1) for x in (0, 10, 20, 30)]
    false_alarm = shapely.box(WEST + 34.5, NORTH - 20, WEST + 38, NORTH - 15)
    detector = layer_of(
        "d",
        [*trees, false_alarm],
        "EPSG:32617",
        "Polygon",
        "&field=score:double",
        [[0.5], [0.6], [0.7], [0.8], [0.9]],
    )
    annotators = [
        layer_of("part", trees[:2], "EPSG:32617", "Polygon"),
        layer_of("whole", trees, "EPSG:32617", "Polygon"),
    ]
    given = {
        "DETECTORS": [detector],
        "SCORE_FIELD": "score",
        "COUNTED_UNITS": 2,
        "REVIEWED": reviewed_layer({"part": slice(0, 16)}),
    }
    for layers in permutations(annotators):
        done = rank(ANNOTATORS=list(layers), outputs=("CURVES", "AUCR", "COCO"), **given)
        coco = done.table("COCO").set_index("truth")["ap50"]
        # Under 'part' both detections are right; under 'whole' the best-scored one is wrong.
        assert coco["part"] == pytest.approx(1.0)
        assert coco["whole"] == pytest.approx(0.8)
    without = rank(ANNOTATORS=annotators, outputs=("COCO",), **{**given, "REVIEWED": None})
    assert without.table("COCO").set_index("truth")["ap50"]["part"] < 0.7

"""Rankings by rasters with overviews, and annotators who looked at a part only."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import QgsRasterLayer
from support.processing import run_algorithm
from support.rasters import WEST, write_raster

from randcrowns.core.detectors.ranking import rank_detectors


@pytest.fixture
def rank(algorithms, qgis_new_project):
    def run_it(**parameters):
        given = {"COUNTED_UNITS": 1, "BOOTSTRAP_SAMPLES": 0, "CONSENSUS_METHODS": [0], **parameters}
        done = run_algorithm("rankdetectors", given, outputs=("AUCR",))
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

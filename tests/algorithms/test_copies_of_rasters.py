"""Any raster gives the numbers of its copies with overviews, as COG, in tiles, or as VRT."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from osgeo import gdal
from qgis.core import QgsRasterLayer
from support.examples import examples
from support.processing import run_algorithm
from support.rasters import write_raster

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors.curves import aucr

COPIES = ("overviews", "external overviews", "cog", "tiled", "vrt")
SIDE = 24


def copy_raster(path: Path, kind: str, resampling: str) -> Path:
    """Write a copy of a raster and return its path."""
    copy = path.with_name(f"copy.{'vrt' if kind == 'vrt' else 'tif'}")
    levels = [2, 4, 8]
    if kind == "cog":
        options = [f"OVERVIEW_RESAMPLING={resampling}", "OVERVIEW_COUNT=3", "BLOCKSIZE=128"]
        assert gdal.Translate(str(copy), str(path), format="COG", creationOptions=options)
    elif kind == "tiled":
        options = ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]
        assert gdal.Translate(str(copy), str(path), creationOptions=options)
    elif kind == "vrt":
        source = path.with_name("source.tif")
        assert gdal.Translate(str(source), str(path))
        gdal.Open(str(source), gdal.GA_Update).BuildOverviews(resampling, levels)
        assert gdal.Translate(str(copy), str(source), format="VRT")
    else:
        assert gdal.Translate(str(copy), str(path))
        mode = gdal.GA_ReadOnly if kind.startswith("external") else gdal.GA_Update
        gdal.Open(str(copy), mode).BuildOverviews(resampling, levels)
        assert copy.with_suffix(".tif.ovr").exists() is kind.startswith("external")
    return copy


def raster_layer(path: Path, name: str) -> QgsRasterLayer:
    layer = QgsRasterLayer(str(path), name)
    assert layer.isValid()
    return layer


def run(name: str, outputs: tuple[str, ...], **parameters: object):
    done = run_algorithm(name, {"BOOTSTRAP_SAMPLES": 2, **parameters}, outputs=outputs)
    assert done.ok, done.refused or done.error
    return done


@given(
    seed=st.integers(0, 10_000),
    factor=st.sampled_from([1, 4, 8]),
    kind=st.sampled_from(COPIES),
    resampling=st.sampled_from(["AVERAGE", "NEAREST", "MODE"]),
)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_copies_give_the_same_numbers_on_every_page(
    qgis_new_project, algorithms, seed, factor, kind, resampling
):
    """The other raster has pixels ``factor`` times as large, onto which both are read."""
    rng = np.random.default_rng(seed)
    shape = (SIDE, SIDE + 3)
    coarse = rng.random(shape) < 0.4
    fine = np.kron(coarse, np.ones((factor, factor), dtype=bool))
    fine = fine ^ (rng.random(fine.shape) < 0.3)
    scores = np.round(fine + rng.normal(0, 0.5, fine.shape), 2)
    # A coarse pixel has the value of the fine one south-east of its centre.
    centre = factor // 2
    seen = fine[centre::factor, centre::factor]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        size = 1.0 / factor
        reference = raster_layer(write_raster(folder / "coarse.tif", coarse), "coarse")
        marks = write_raster(folder / "marks.tif", fine, size, kind=gdal.GDT_Byte)
        marks_copy = raster_layer(copy_raster(marks, kind, resampling), "copy")

        # The mask against itself, and against the other raster.
        itself = run(
            "compareannotators",
            ("ANNOTATOR_PAIRS",),
            ANNOTATORS=[raster_layer(marks, "plain"), marks_copy, reference],
        )
        pairs = itself.table("ANNOTATOR_PAIRS").set_index(["first", "second"])["f1"]
        votes = VoteTable.from_stack([seen, coarse])
        expected = measures.pairwise_f1(votes)[0, 1]
        assert pairs["plain", "copy"] == 1
        assert pairs["plain", "coarse"] == pytest.approx(expected, abs=1e-12)
        assert pairs["copy", "coarse"] == pytest.approx(expected, abs=1e-12)

        consensus = run("consensus", ("CONSENSUS",), ANNOTATORS=[marks_copy, reference], METHOD=3)
        assert consensus.results["MARKED"] == np.count_nonzero(seen & coarse)

        (folder / "scores").mkdir()
        detector = write_raster(folder / "scores" / "d.tif", scores, size, kind=gdal.GDT_Float32)
        ranking = run(
            "rankdetectors",
            ("AUCR",),
            DETECTORS=[raster_layer(copy_raster(detector, kind, resampling), "d")],
            ANNOTATORS=[reference],
            COUNTED_UNITS=1,
            CONSENSUS_METHODS=[0],
        )
        seen_scores = scores[centre::factor, centre::factor].astype(np.float32)
        (value,) = ranking.table("AUCR")["value"]
        assert value == pytest.approx(aucr(seen_scores.ravel(), coarse.ravel()), abs=1e-6)
        del marks_copy, reference

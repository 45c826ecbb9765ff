"""randcrowns:rankdetectors with rasters as annotators and masks, without a georeference."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsRasterLayer, QgsVectorLayer
from scipy.ndimage import maximum_filter
from shapely import affinity
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.marks import aucr, image_case, plain_raster, plain_rasters
from support.processing import run_algorithm
from support.rasters import write_raster
from support.shown import shows

OUTPUTS = ("AUCR", "RANKINGS", "CORRELATIONS", "TRUTH_POLYGONS")


@pytest.fixture
def rank(algorithms, qgis_new_project):
    def run_it(**parameters):
        return run_algorithm(
            "rankdetectors", {"BOOTSTRAP_SAMPLES": 0, **parameters}, outputs=OUTPUTS
        )

    return run_it


def aucr_of(done):
    assert done.ok, done.refused or done.error
    table = done.table("AUCR")
    return {
        (row["truth"], row["detector"]): row["value"]
        for _, row in table[table["measure"] == "AUCR"].iterrows()
    }


def test_detectors_are_ranked_on_pixels_without_a_georeference(rank, tmp_path):
    case = image_case(11)
    people, found = (
        plain_rasters(tmp_path, case.annotators),
        plain_rasters(tmp_path, case.detectors),
    )
    done = rank(ANNOTATORS=people, DETECTORS=found)
    values = aucr_of(done)
    votes = sum(marks.astype(int) for marks in case.annotators.values())
    truths = {**case.annotators, "0.5-GT": 2 * votes >= len(case.annotators), "Any-GT": votes > 0}
    for truth, marks in truths.items():
        for name, score in case.detectors.items():
            assert values[truth, name] == pytest.approx(
                aucr(score.astype(np.float32), marks), abs=2e-4
            )
    assert shows(done.warnings, "ranking.pixels", pixels=5400, width=1, height=1, unit="px")
    assert done.results["UNIT"] == "px"
    assert not done.layer("TRUTH_POLYGONS").crs().isValid()


def test_a_mask_of_training_and_a_field_of_view_are_rasters(rank, tmp_path):
    case = image_case(12)
    people, found = (
        plain_rasters(tmp_path, case.annotators),
        plain_rasters(tmp_path, case.detectors),
    )
    rows, columns = np.indices((60, 90))
    view, trained = np.hypot(rows - 30, columns - 45) < 29, (columns < 40) & (rows % 7 < 4)
    masks = (
        plain_raster(tmp_path / "view.tif", view),
        plain_raster(tmp_path / "trained.tif", trained),
    )
    done = rank(
        ANNOTATORS=people, DETECTORS=found, EXTENT_RASTER=masks[0], TRAINING_RASTER=masks[1]
    )
    values, counted = aucr_of(done), view & ~trained
    for truth, marks in case.annotators.items():
        for name, score in case.detectors.items():
            expected = aucr(score.astype(np.float32)[counted], marks[counted])
            assert values[truth, name] == pytest.approx(expected, abs=2e-4)


def test_a_tolerance_is_a_number_of_pixels_without_a_georeference(rank, tmp_path):
    case = image_case(13, people=2, detectors=2)
    people, found = (
        plain_rasters(tmp_path, case.annotators),
        plain_rasters(tmp_path, case.detectors),
    )
    done = rank(ANNOTATORS=people, DETECTORS=found, TOLERANCE=1.5)
    values = aucr_of(done)
    for truth, marks in case.annotators.items():
        far = marks | ~maximum_filter(marks, 3)
        for name, score in case.detectors.items():
            near = np.where(
                marks, maximum_filter(score.astype(np.float32), 3), score.astype(np.float32)
            )
            assert values[truth, name] == pytest.approx(aucr(near[far], marks[far]), abs=2e-4)
    assert '"words": "1.5 px"' in done.results["PROVENANCE"]
    told = {"ANNOTATORS": people, "DETECTORS": found, "CONSENSUS_METHODS": [0]}
    assert shows(
        rank(**told, TOLERANCE=0.5).warnings, "areas.tolerance", unit="px", width=1, height=1
    )
    lines = rank(**told, THIN=True, TOLERANCE=2)
    assert shows(lines.said("ranking.lines"), "ranking.lines", distance=2, unit="px")


def places_of(done):
    """Return the members and reviewers of the places that no annotator marked."""
    assert done.ok, done.refused or done.error
    table = done.table("LOOK_AGAIN")
    return dict(zip(table["members"], table["looked"]))


def test_places_that_no_raster_marks_are_listed(algorithms, qgis_new_project, tmp_path):
    # Four trees of 8 m. The raster marks the first and has no data at the last.
    trees = [shapely.box(x, y, x + 8, y + 8) for x, y in ((1, 1), (21, 1), (1, 21), (21, 21))]
    trees = [affinity.translate(tree, EAST, NORTH) for tree in trees]
    marks = np.zeros((32, 32), dtype=np.uint8)
    marks[23:31, 1:9] = 1
    marks[:16, 16:] = 255
    raster = write_raster(tmp_path / "ann.tif", marks, 1.0, EAST, NORTH + 32, nodata=255)
    detectors = [
        layer_of(name, trees, fields="&field=score:double", rows=[(score,) for score in scores])
        for name, scores in (("net", (0.9, 0.8, 0.7, 0.6)), ("lidar", (0.6, 0.7, 0.8, 0.9)))
    ]
    # The polygon layer marks the second tree.
    people = [QgsRasterLayer(str(raster), "ann"), layer_of("ben", trees[1:2])]
    both = {"DETECTORS": detectors, "BOOTSTRAP_SAMPLES": 0, "SCORE_FIELD": "score"}

    def ranked(**parameters):
        return run_algorithm("rankdetectors", {**both, **parameters}, outputs=("LOOK_AGAIN",))

    assert places_of(ranked(ANNOTATORS=people)) == {"lidar:3; net:3": 2, "lidar:4; net:4": 1}
    alone = {"lidar:2; net:2": 1, "lidar:3; net:3": 1}
    assert places_of(ranked(ANNOTATORS=people[:1])) == alone
    # Without pixels, the marks of a raster are not read.
    crowns = ranked(ANNOTATORS=people, COUNTED_UNITS=2)
    assert places_of(crowns) == {}
    assert shows(crowns.said("crowns.unmarked"), "crowns.unmarked_rasters")


def test_rasters_and_polygons_of_experts_rank_alike(rank, tmp_path):
    """Return annotators as rasters of 5 m, and their polygons with a detector on these pixels."""
    folder = real_data("rts_peel")
    drawn = [
        QgsVectorLayer(str(path), path.stem) for path in sorted(folder.glob("annotator_0[1-4].shp"))
    ]
    rng, west, north = np.random.default_rng(1), 470880.0, 7550030.0
    shape, rasters = (506, 504), []
    bounds = (west, north - 5 * shape[0], west + 5 * shape[1], north)
    for layer in drawn:
        into = tmp_path / f"{layer.name()}.tif"
        gdal.Rasterize(
            str(into), layer.source(), outputBounds=bounds, xRes=5, yRes=5, burnValues=[1]
        )
        rasters.append(QgsRasterLayer(str(into), layer.name()))
    place = {"pixel": 5.0, "west": west, "north": north, "epsg": 32608}
    score = write_raster(tmp_path / "score.tif", rng.integers(0, 50, shape), **place)
    given = {"DETECTORS": [QgsRasterLayer(str(score), "score")], "CONSENSUS_METHODS": [0, 1, 2]}
    both = [aucr_of(rank(ANNOTATORS=annotators, **given)) for annotators in (drawn, rasters)]
    assert both[0] == both[1]
    assert len(both[0]) == 6


def test_crowns_are_compared_with_annotators_that_are_polygons(rank, tmp_path):
    box = "POLYGON((2 -2, 8 -2, 8 -8, 2 -8, 2 -2))"
    scored = layer_of("detector", [box], crs="", fields="&field=score:double", rows=[[0.5]])
    marks = np.zeros((12, 12), dtype=bool)
    marks[2:8, 2:8] = True
    raster, drawn = plain_raster(tmp_path / "raster.tif", marks), layer_of("drawn", [box], crs="")
    done = rank(ANNOTATORS=[raster, drawn], DETECTORS=[scored])
    assert done.ok, done.refused or done.error
    assert shows(done.said("crowns.rasters"), "crowns.rasters", names="raster")
    crowns = rank(ANNOTATORS=[raster], DETECTORS=[scored], COUNTED_UNITS=2)
    assert shows(crowns.refused, "detectors.raster_for_crowns")
    by_lengths = rank(ANNOTATORS=[raster, drawn], DETECTORS=[scored], CROWN_SCORE=1)
    assert shows(by_lengths.refused, "detectors.randcrowns_in_pixels")
    for name in ("RESOLUTION", "TILE_SIDE"):
        assert shows(
            rank(ANNOTATORS=[raster], DETECTORS=[scored], **{name: 3}).refused,
            "crs.length_in_pixels",
        )

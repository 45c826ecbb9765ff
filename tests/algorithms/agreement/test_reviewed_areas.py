"""Reviewed areas of annotators: outside them a rating is missing, in every page that has any."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsRasterLayer
from support.layers import layer_of
from support.processing import run_algorithm
from support.rasters import NORTH, WEST, write_raster
from support.shown import shows

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.image_correlation import image_correlations
from randcrowns.core.agreement.votes import VoteTable

CRS = "EPSG:32617"
SHAPE = (12, 15)
NAMES = ("ann", "ben", "cleo")
OUTPUTS = ("ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "IMAGE_TABLE")


def squares(mask: np.ndarray) -> list[shapely.Geometry]:
    """Return the marked pixels of 1 m as one multipolygon; none for an empty mask."""
    row, column = np.nonzero(mask)
    left, top = WEST + column, NORTH - row
    union = shapely.union_all(shapely.box(left, top - 1, left + 1, top))
    return [] if union.is_empty else [union]


def rows_of(mask_by_name: dict[str, np.ndarray], fields="&field=annotator:string"):
    names = list(mask_by_name)
    shapes = [squares(mask)[0] for mask in mask_by_name.values()]
    return layer_of("reviewed", shapes, crs=CRS, fields=fields, rows=[[name] for name in names])


class Case:
    """Marks of three annotators, of whom two have reviewed a part."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        truth = rng.random(SHAPE) < 0.4
        self.marks = {name: truth ^ (rng.random(SHAPE) < 0.2) for name in NAMES}
        self.looked = {name: np.ones(SHAPE, dtype=bool) for name in NAMES}
        self.looked["ann"][:, 9:] = False
        self.looked["ben"][8:] = False
        self.truth = truth
        self.rng = rng

    @property
    def votes(self) -> VoteTable:
        return VoteTable.from_stack(
            [self.marks[name] for name in NAMES],
            missing=[~self.looked[name] for name in NAMES],
            names=NAMES,
        )

    @property
    def reviewed(self):
        return rows_of({name: self.looked[name] for name in ("ann", "ben")})

    def polygons(self, order=NAMES):
        return [layer_of(name, squares(self.marks[name]), crs=CRS) for name in order]

    def rasters(self, folder, order=NAMES):
        paths = {name: write_raster(folder / f"{name}.tif", self.marks[name]) for name in order}
        return [QgsRasterLayer(str(path), name) for name, path in paths.items()]


@pytest.fixture
def run(algorithms, qgis_new_project):
    def run_it(name="compareannotators", outputs=OUTPUTS, **parameters):
        area = layer_of(
            "area",
            [shapely.box(WEST, NORTH - SHAPE[0], WEST + SHAPE[1], NORTH)],
            crs=CRS,
        )
        given = {"EXTENT_LAYER": area, "BOOTSTRAP_SAMPLES": 2, **parameters}
        done = run_algorithm(name, given, outputs=outputs)
        assert done.ok, done.refused or done.error
        return done

    return run_it


def coefficients(done) -> list[float]:
    summary = done.table("SUMMARY").set_index("statistic")["value"]
    names = ("raw_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
    return [summary[name] for name in names]


def expected_coefficients(case: Case, is_exact: bool) -> list[float]:
    """Return the coefficients of the marks per pixel; exact areas have no number of ratings."""
    votes = replace(case.votes, unit_weight=0.0) if is_exact else case.votes
    return list(measures.agreement_coefficients(votes))[:4]


@pytest.mark.parametrize("kind", ["exact", "pixels", "rasters"])
def test_ratings_outside_a_reviewed_area_are_missing_in_any_order(run, tmp_path, kind):
    case = Case(1)
    expected = expected_coefficients(case, is_exact=kind == "exact")
    f1 = measures.pairwise_f1(case.votes)
    for order in permutations(NAMES):
        layers = case.rasters(tmp_path, order) if kind == "rasters" else case.polygons(order)
        size = {"RESOLUTION": 1} if kind == "pixels" else {}
        done = run(ANNOTATORS=layers, REVIEWED=case.reviewed, **size)
        assert coefficients(done) == pytest.approx(expected, abs=1e-9)
        for _, row in done.table("ANNOTATOR_PAIRS").iterrows():
            pair = f1[NAMES.index(row["first"]), NAMES.index(row["second"])]
            assert row["f1"] == pytest.approx(pair, abs=1e-9)
        assert shows(done.said("agreement.missing_ratings"), "agreement.missing_ratings")
    without = run(ANNOTATORS=case.polygons())
    assert coefficients(without) != pytest.approx(expected, abs=1e-3)
    assert "agreement.missing_ratings" not in without.keys


def test_a_consensus_is_over_those_who_looked(run, tmp_path):
    case = Case(2)
    yes = sum(case.marks[name] & case.looked[name] for name in NAMES)
    looked = sum(case.looked[name].astype(int) for name in NAMES)
    expected = (2 * yes >= looked) & (yes > 0)
    done = run(
        "consensus", outputs=("CONSENSUS",), ANNOTATORS=case.polygons(), REVIEWED=case.reviewed
    )
    features = done.layer("CONSENSUS").getFeatures()
    parts = [shapely.from_wkb(bytes(feature.geometry().asWkb())) for feature in features]
    found = shapely.union_all(parts)
    assert found.symmetric_difference(squares(expected)[0]).area < 1e-6


def test_the_image_is_correlated_with_the_share_of_those_who_looked(run, tmp_path):
    case = Case(3)
    image = np.round(100 * case.truth + case.rng.normal(0, 20, SHAPE)) + 200
    path = write_raster(tmp_path / "image.tif", image, kind=gdal.GDT_Float32)
    done = run(
        ANNOTATORS=case.rasters(tmp_path), REVIEWED=case.reviewed, IMAGE=QgsRasterLayer(str(path))
    )
    yes = sum(case.marks[name] & case.looked[name] for name in NAMES)
    looked = sum(case.looked[name].astype(int) for name in NAMES)
    expected = np.corrcoef((yes / looked).ravel(), image.ravel())[0, 1]
    own = image_correlations(yes / looked, image)["correlation"]
    assert own["intensity"] == pytest.approx(expected)
    rows = done.table("IMAGE_TABLE").set_index("property")["correlation"]
    assert rows["intensity"] == pytest.approx(expected, abs=1e-6)


def test_the_study_area_is_what_was_reviewed_if_everybody_has_an_area(run):
    case = Case(4)
    case.looked["cleo"][:, :2] = False
    reviewed = rows_of(case.looked)
    done = run(ANNOTATORS=case.polygons(), REVIEWED=reviewed, EXTENT_LAYER=None)
    summary = done.table("SUMMARY").set_index("statistic")["value"]
    anybody = np.logical_or.reduce(list(case.looked.values()))
    assert summary["study_area"] == pytest.approx(anybody.sum())
    expected = expected_coefficients(case, is_exact=True)
    assert coefficients(done) == pytest.approx(expected, abs=1e-9)
    assert "reviewed.study_area" in done.keys


def test_names_that_no_annotator_has_are_reported(run, algorithms):
    case = Case(5)
    everything = np.ones(SHAPE, dtype=bool)
    done = run(
        ANNOTATORS=case.polygons(), REVIEWED=rows_of({"ann": everything, "dora": everything})
    )
    assert shows(
        done.said("reviewed.other_names"), "reviewed.other_names", layer="reviewed", names=["dora"]
    )
    for layer, key, values in (
        (rows_of({"dora": everything}), "reviewed.no_annotator", {"found": ["dora"]}),
        (rows_of({"ann": everything}, "&field=who:string"), "reviewed.no_field", {}),
    ):
        given = {"ANNOTATORS": case.polygons(), "REVIEWED": layer}
        done = run_algorithm("compareannotators", given, outputs=OUTPUTS)
        assert not done.ok
        assert shows(done.refused or done.error, key, **values)


def test_pairs_crown_by_crown_are_compared_where_both_have_reviewed(run):
    # Of three trees, ben has reviewed and drawn two; ann's third one is no disagreement.
    trees = [shapely.box(WEST + x, NORTH - 6, WEST + x + 3, NORTH - 3) for x in (1, 5, 10)]
    layers = [layer_of("ann", trees, crs=CRS), layer_of("ben", trees[:2], crs=CRS)]
    west = shapely.box(WEST, NORTH - 12, WEST + 9, NORTH)
    fields = "&field=annotator:string"
    reviewed = layer_of("reviewed", [west], crs=CRS, fields=fields, rows=[["ben"]])
    for size in ({}, {"RESOLUTION": 1}):
        done = run(ANNOTATORS=layers, REVIEWED=reviewed, **size)
        pair = done.table("ANNOTATOR_PAIRS").iloc[0]
        assert pair[["pq", "matched", "crowns_first", "crowns_second"]].tolist() == [1, 2, 0, 0]

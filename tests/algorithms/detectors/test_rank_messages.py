"""Messages of randcrowns:rankdetectors on unusual layers and parameters."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsProject,
    QgsRasterLayer,
)
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.processing import run_algorithm
from support.rasters import write_raster
from support.shown import shows

OUTPUTS = (
    "AUCR",
    "CURVES",
    "RANKINGS",
    "KENDALL_TAU",
    "CORRELATIONS",
    "CERTAINTY_TABLE",
    "TRUTH_POLYGONS",
)
PLACES = [(x, y) for x in range(4, 40, 8) for y in range(4, 40, 8)]


def person(name, seed=1, crs="EPSG:32617"):
    """Wobbly crowns; of the same seed the same ones in any coordinate system."""
    layer = layer_of(name, crowns_at(PLACES, seed=seed))
    if crs == "EPSG:32617":
        return layer
    into = QgsCoordinateTransform(
        layer.crs(), QgsCoordinateReferenceSystem(crs), QgsProject.instance()
    )
    shapes = []
    for feature in layer.getFeatures():
        shape = feature.geometry()
        shape.transform(into)
        shapes.append(shapely.from_wkb(bytes(shape.asWkb())))
    return layer_of(name, shapes, crs)


def detector(name, seed, scores=None, field="double"):
    shapes = crowns_at(PLACES, seed=seed)
    scores = np.random.default_rng(seed).random(len(shapes)).tolist() if scores is None else scores
    return layer_of(
        name, shapes, fields=f"&field=score:{field}", rows=[(score,) for score in scores]
    )


def raster(tmp_path, name="raster", values=None, side=40, west=EAST):
    """Random scores at pixels of a metre, over the crowns unless placed elsewhere."""
    values = np.random.default_rng(len(name)).random((side, side)) if values is None else values
    path = write_raster(tmp_path / f"{name}.tif", values, west=west, north=NORTH + side)
    return QgsRasterLayer(str(path), name)


@pytest.fixture
def rank(run):
    def ranked(detectors, annotators, outputs=("AUCR",), **parameters):
        given = {
            "DETECTORS": detectors,
            "ANNOTATORS": annotators,
            "BOOTSTRAP_SAMPLES": 0,
            "COUNTED_UNITS": 1,
            **parameters,
        }
        return run_algorithm("rankdetectors", given, None, outputs)

    return ranked


def test_lengths_that_do_not_suit_the_size_of_whole_crowns_are_noted(rank):
    layers = [detector("d", 3)], [person("one"), person("two", 2)]
    short = {"CROWN_PRESET": 2, "ALPHA": 0.001, "OMEGA": 0.002}
    ran = rank(*layers, COUNTED_UNITS=2, CROWN_SCORE=1, **short)
    assert ran.ok, ran.error
    assert "lengths.short" in ran.keys
    ran = rank(*layers, COUNTED_UNITS=2, CROWN_SCORE=0, **short)
    assert ran.ok, ran.error
    assert "lengths.short" not in ran.keys


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:32618"])
def test_an_annotator_in_another_coordinate_system_leaves_no_lines_among_the_polygons(rank, crs):
    """Tolerate outlines that differ by rounding after a transformation."""
    ran = rank(
        [detector("d", 3)],
        [person("one"), person("same", crs=crs), person("two", 2)],
        outputs=OUTPUTS,
    )
    assert ran.ok, ran.error
    kinds = {feature.geometry().type() for feature in ran.layer("TRUTH_POLYGONS").getFeatures()}
    assert kinds == {ran.layer("TRUTH_POLYGONS").geometryType()}


def test_the_detector_without_a_score_is_named_in_the_sentence_and_the_notes(rank, tmp_path):
    nothing = raster(tmp_path, "nothing", np.full((40, 40), np.nan))
    ran = rank(
        [nothing, raster(tmp_path)],
        [person("one"), person("two", 2)],
        BOOTSTRAP_SAMPLES=20,
        outputs=OUTPUTS,
    )
    assert ran.results["CONCLUSION"].startswith(
        "It is unknown whether one detector is better than another. "
        "nothing has no score inside the "
        "study area, so raster is the only detector to rank."
    )
    assert ran.said("first_places") == ""
    assert "nothing: It has no score inside the study area." in ran.said("areas.").splitlines()
    certainty = ran.table("CERTAINTY_TABLE")
    assert certainty["value"].notna().all()
    assert certainty[["rank_1", "beats_next"]].isna().all(axis=None)


@pytest.mark.parametrize("rule", [0, 4])
def test_of_one_annotator_the_sentence_names_the_drawing_that_was_used(rank, rule):
    ran = rank(
        [detector("a", 3), detector("b", 4)],
        [person("one")],
        BOOTSTRAP_SAMPLES=20,
        RESAMPLED_GROUND_TRUTH=rule,
        outputs=OUTPUTS,
    )
    assert ran.results["CONCLUSION"].endswith("Ground truth: one.")
    values = ran.table("AUCR").query("truth == 'one'").set_index("detector")["value"]
    assert ran.table("CERTAINTY_TABLE").set_index("detector")["value"].to_dict() == pytest.approx(
        values.to_dict()
    )


def test_from_too_few_draws_no_claim_is_made(rank):
    ran = rank(
        [detector("a", 1), detector("b", 4)],
        [person("one"), person("two", 2)],
        BOOTSTRAP_SAMPLES=19,
        outputs=OUTPUTS,
    )
    assert shows(ran.results["CONCLUSION"], "verdict.too_few_draws", needed=20, used=19)
    assert ran.results["PROBABILITY"] != ran.results["PROBABILITY"]
    assert ran.table("CERTAINTY_TABLE")["rank_1"].isna().all()
    enough = rank(
        [detector("a", 1), detector("b", 4)],
        [person("one"), person("two", 2)],
        BOOTSTRAP_SAMPLES=20,
        outputs=OUTPUTS,
    )
    assert "called better than" in enough.results["CONCLUSION"]
    assert enough.table("CERTAINTY_TABLE")["rank_1"].notna().all()


def test_crowns_of_one_detector_are_told_by_their_average_precision(rank, tmp_path):
    people = [person("one"), person("two", 2)]
    ran = rank([detector("found", 1)], people[:1], COUNTED_UNITS=2)
    assert ran.results["CONCLUSION"] == (
        "found has an AP (all points) of 1.000 under one (whole crowns). "
        "No other detector has crowns to count, so "
        "there is nothing to rank."
    )
    ran = rank(
        [raster(tmp_path), detector("found", 1)], people, COUNTED_UNITS=2, CROWN_THRESHOLD=0.85
    )
    low = ran.table("AUCR")["value"].min()
    assert low < 0.9
    said = f"found has an AP (all points) of {low:.3f} to 1.000 under 2 annotators (whole crowns)."
    assert ran.results["CONCLUSION"].startswith(said)
    assert ran.said("areas.") == "Rasters hold no crowns and are not counted: raster."


@pytest.mark.parametrize("draws", [0, 20])
def test_one_detector_is_told_by_what_it_reaches(rank, tmp_path, draws):
    people = [person("one"), person("two", 2)]
    ran = rank([detector("found", 3)], people[:1], COUNTED_UNITS=0, BOOTSTRAP_SAMPLES=draws)
    values = ran.table("AUCR").dropna(subset=["value"]).set_index("measure")["value"]
    end = "There is no other detector to compare it with."
    assert ran.results["CONCLUSION"] == (
        f"found has an AP (all points) of {values['AP, all points']:.3f} under one (whole crowns). "
        f"found has an AUCR of {values['AUCR']:.3f} under one. {end}"
    )
    ran = rank([raster(tmp_path)], people, BOOTSTRAP_SAMPLES=draws, CONSENSUS_METHODS=[0, 1])
    low, high = ran.table("AUCR")["value"].agg(["min", "max"])
    assert (
        ran.results["CONCLUSION"]
        == f"raster has an AUCR of {low:.3f} to {high:.3f} under 3 ground truths. {end}"
    )
    ran = rank(
        [raster(tmp_path, values=np.full((40, 40), np.nan))], people, BOOTSTRAP_SAMPLES=draws
    )
    assert ran.results["CONCLUSION"] == (
        "raster has no value under any ground truth. It has no score inside the study area."
    )


def test_a_ground_truth_that_needs_pixels_says_so_when_it_is_the_only_one(rank):
    error = rank([detector("a", 3)], [person("one"), person("two", 2)], CONSENSUS_METHODS=[7]).error
    assert error.startswith("None of the ground truths chosen can be made. LSML: ")


def test_the_sentence_and_the_scores_agree_where_scores_are_many(rank, tmp_path):
    """The draws put scores into at most 500 groups; the estimate beside them does not."""
    rasters = [raster(tmp_path, name) for name in ("first", "another")]
    ran = rank(rasters, [person("one"), person("two", 2)], BOOTSTRAP_SAMPLES=20, outputs=OUTPUTS)
    exact = ran.table("AUCR").query("truth == '0.5-GT'").set_index("detector")["value"]
    assert ran.table("CERTAINTY_TABLE").set_index("detector")["value"].to_dict() == exact.to_dict()


@pytest.mark.parametrize("missing", [None, float("nan"), float("-inf")])
@pytest.mark.parametrize("resolution", [0.0, 0.5])
def test_a_detector_whose_scores_are_all_missing_has_no_value(rank, missing, resolution):
    unknown, known = detector("unknown", 1, [missing] * len(PLACES)), detector("known", 4)
    ran = rank(
        [unknown, known],
        [person("one")],
        COUNTED_UNITS=0,
        BOOTSTRAP_SAMPLES=20,
        RESOLUTION=resolution,
    )
    found = ran.table("AUCR").set_index("detector")
    assert found.loc["unknown", "value"].isna().all()
    assert found.loc["unknown", "rank"].isna().all()
    shown = found.loc["unknown"].query("truth == 'one'").set_index("counted")["reason"].to_dict()
    assert shown == {
        "areas": "It has no score inside the study area.",
        "crowns": "None of its crowns has a score.",
    }
    assert shows(ran.results["CONCLUSION"], "verdict.scoreless", best="known")
    assert "without a score are excluded" in ran.results["INPUT_PROBLEMS"]
    assert "threshold" not in ran.results["INPUT_PROBLEMS"]
    assert ran.said("crown_verdict").startswith("known has an AP (all points) of ")


@pytest.mark.parametrize(("scores", "on_page"), [([0.5], True), ([None], False)])
def test_where_no_detector_has_a_score_the_report_says_of_each_what_the_page_says_of_all(
    rank, scores, on_page
):
    ran = rank(
        [detector("unknown", 1, [None] * len(PLACES)), detector("other", 4, scores * len(PLACES))],
        [person("one")],
    )
    told = "unknown: It has no score inside the study area."
    assert (told in ran.said("areas.no_value"), told in ran.said("ranking.no_value")) == (
        on_page,
        not on_page,
    )


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_detector_that_found_nothing_ranks_like_guessing_and_it_is_said(rank, elsewhere):
    away = [shapely.box(EAST + 900, NORTH, EAST + 904, NORTH + 4)] if elsewhere else []
    nothing = layer_of("nothing", away, fields="&field=score:double", rows=[(0.5,) for _ in away])
    ran = rank(
        [nothing, detector("known", 4)],
        [person("one")],
        COUNTED_UNITS=0,
        MIN_SKEW=0.2,
        MAX_SKEW=0.6,
    )
    found = (
        ran.table("AUCR")
        .query("truth == 'one' and detector == 'nothing'")
        .set_index("counted")["value"]
    )
    assert found["areas"] == pytest.approx(0.4)
    assert found["crowns"] == 0
    assert (
        "nothing found nothing inside the study area: its AUCR is at chance level, "
        "half way between the skew limits." in ran.said("areas.").splitlines()
    )


def test_a_constant_score_ranks_like_guessing_and_it_is_said(rank, tmp_path):
    ran = rank(
        [raster(tmp_path, "flat", np.full((40, 40), 0.7)), raster(tmp_path)], [person("one")]
    )
    assert ran.table("AUCR").query("detector == 'flat'")["value"].dropna().tolist() == [
        pytest.approx(0.3)
    ]
    said = "flat has the same score everywhere on the pixels of raster 'flat': "
    assert said in ran.said("areas.")
    assert "raster has the same" not in ran.said("areas.")


def test_what_has_nothing_where_detectors_are_judged_is_named(rank, tmp_path):
    far = layer_of("far", [shapely.box(EAST + 500, NORTH, EAST + 504, NORTH + 4)])
    scored = raster(tmp_path)
    ran = rank([scored], [person("one"), far])
    assert (
        "Annotator far marked nothing on the pixels of raster 'raster'."
        in ran.said("areas.").splitlines()
    )
    area = layer_of("area", [shapely.box(EAST, NORTH, EAST + 40, NORTH + 40)])
    ran = rank([detector("d", 1)], [person("one"), far], EXTENT_LAYER=area)
    assert ran.said("areas.") == "Annotator far marked nothing inside the study area."
    assert (
        "nothing inside"
        not in rank([scored], [person("one"), person("two", 2)]).results["INPUT_PROBLEMS"]
    )


def test_how_much_of_the_study_area_has_no_raster_is_told(rank, tmp_path):
    for width, said in (
        (80, "50 % of the study area lies outside raster 'raster' and is not counted."),
        (40, ""),
    ):
        area = layer_of("area", [shapely.box(EAST, NORTH, EAST + width, NORTH + 40)])
        assert rank([raster(tmp_path)], [person("one")], EXTENT_LAYER=area).said("areas.") == said


def test_the_rectangle_taken_for_the_study_area_is_said(rank):
    ran = rank([detector("d", 1)], [person("one")])
    assert ran.said("study_area").startswith(
        "Study area: the rectangle around all annotators' polygons ("
    )
    only_crowns = rank([detector("d", 1)], [person("one")], COUNTED_UNITS=2)
    assert only_crowns.said("study_area").startswith(
        "Study area: all annotators' and detectors' crowns ("
    )


def test_whole_numbers_too_large_to_be_told_apart_are_noted(rank):
    large = [2**62 + number for number in range(len(PLACES))]
    said = rank([detector("large", 1, large, "int8")], [person("one")]).results["INPUT_PROBLEMS"]
    assert shows(
        said, "input.merged_scores", name="large", number=25, exact=9007199254740992, left=1
    )
    small = [2**52 + number for number in range(len(PLACES))]
    assert (
        "different scores"
        not in rank([detector("small", 1, small, "int8")], [person("one")]).results[
            "INPUT_PROBLEMS"
        ]
    )


@pytest.mark.parametrize(("tolerance", "told"), [(0.3, True), (1.0, False), (0.0, False)])
def test_a_tolerance_below_a_pixel_is_noted(rank, tmp_path, tolerance, told):
    notes = rank([raster(tmp_path)], [person("one")], TOLERANCE=tolerance).said("areas.tolerance")
    assert (shows(notes, "areas.tolerance", unit="m", width=1, height=1)) is told


def test_reversed_skew_limits_are_refused_only_where_they_are_used(rank):
    given = [detector("d", 1)], [person("one"), person("two", 2)]
    assert "skew" in rank(*given, MIN_SKEW=0.5, MAX_SKEW=0.1).refused
    assert rank(*given, MIN_SKEW=0.5, MAX_SKEW=0.1, SKEW_LIMITS=1).ok
    assert rank(*given, MIN_SKEW=0.5, MAX_SKEW=0.1, COUNTED_UNITS=2).ok


def test_a_raster_in_degrees_is_told_where_it_is_worked_on_as_a_layer_is(rank, tmp_path):
    values = np.random.default_rng(1).random((40, 40))
    path = write_raster(
        tmp_path / "degrees.tif", values, 1e-5, west=-81.0, north=27.1222, epsg=4326
    )
    ran = rank([QgsRasterLayer(str(path), "degrees")], [person("one")])
    assert ran.ok, ran.error
    as_layer = (
        rank([detector("d", 1)], [person("one", crs="EPSG:4326")])
        .results["INPUT_PROBLEMS"]
        .splitlines()
    )
    sentence = next(line for line in as_layer if "is in degrees" in line)
    assert sentence.replace("one", "degrees", 1) in ran.results["INPUT_PROBLEMS"].splitlines()


def test_more_annotators_than_can_be_told_apart_are_refused_at_once(rank):
    crowd = [person(f"person {number}") for number in range(65)]
    assert shows(
        rank([detector("d", 1)], crowd).refused, "annotators.too_many_for_areas", most=64, number=65
    )


@pytest.mark.parametrize("role", ["TRAINING", "EXTENT_LAYER"])
def test_an_annotator_has_no_other_role(rank, role):
    people = [person("one"), person("two", 2)]
    assert (
        "'two' is selected as annotator and as '"
        in rank([detector("d", 3)], people, **{role: people[1]}).refused
    )


def test_scores_stored_as_scaled_numbers_rank_by_what_they_mean(rank, tmp_path):
    """A scale below 0 turns the order of the file's numbers around."""
    values = np.random.default_rng(0).integers(0, 1000, (40, 40))
    stored = raster(tmp_path, "stored", values)
    plain = raster(tmp_path, "plain", -0.01 * values)
    opened = gdal.Open(stored.source(), gdal.GA_Update)
    opened.GetRasterBand(1).SetScale(-0.01)
    del opened
    ran = rank([stored, plain], [person("one"), person("two", 2)], BOOTSTRAP_SAMPLES=20)
    values = (
        ran.table("AUCR")
        .dropna(subset=["value"])
        .pivot(index="truth", columns="detector", values="value")
    )
    assert values["stored"].tolist() == pytest.approx(values["plain"].tolist(), abs=1e-12)
    assert "tied in all bootstrap samples" in ran.results["CONCLUSION"]


def test_a_plot_that_is_only_an_end_of_text_is_none(rank):
    plots = [["\0"] if place % 2 else ["b"] for place in range(len(PLACES))]
    people = [
        layer_of(name, crowns_at(PLACES), fields="&field=plot:string", rows=plots)
        for name in ("one", "two")
    ]
    scored = [[plot, 0.5] for (plot,) in plots]
    found = layer_of(
        "d", crowns_at(PLACES, seed=3), fields="&field=plot:string&field=score:double", rows=scored
    )
    ran = rank([found], people, PLOT_FIELD="plot")
    assert ran.ok, ran.refused or ran.error

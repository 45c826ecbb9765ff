"""randcrowns:rankdetectors with several images (by name) or plots (by field)."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.marks import aucr, image_case, plain_rasters
from support.processing import run_algorithm
from support.shown import shows

OUTPUTS = ("AUCR", "RANKINGS", "CORRELATIONS", "CERTAINTY_TABLE", "TRUTH_POLYGONS")
SHAPES = ((44, 52), (60, 40), (38, 71))


@pytest.fixture
def rank(algorithms, qgis_new_project):
    def run_it(**parameters):
        done = run_algorithm(
            "rankdetectors", {"BOOTSTRAP_SAMPLES": 0, **parameters}, outputs=OUTPUTS
        )
        assert done.ok, done.refused or done.error
        return done

    return run_it


def values_of(done):
    table = done.table("AUCR")
    table = table[table["measure"] == "AUCR"]
    return {
        (row["image"], row["truth"], row["detector"]): row["value"] for _, row in table.iterrows()
    }


def given(tmp_path, cases):
    """The rasters of every image, named by image and annotator or detector."""
    roles = {"ANNOTATORS": "annotators", "DETECTORS": "detectors"}
    return {
        "IMAGES": "{image}_{annotator}.tif",
        **{
            role: plain_rasters(
                tmp_path,
                {
                    f"{i}_{name.replace('_', '')}": one
                    for i, c in cases.items()
                    for name, one in getattr(c, of).items()
                },
            )
            for role, of in roles.items()
        },
    }


def test_detectors_are_ranked_over_the_pixels_of_all_images(rank, tmp_path):
    cases = {
        f"{n:02d}": image_case(50 + n, shape, people=3, detectors=2)
        for n, shape in enumerate(SHAPES)
    }
    done = rank(**given(tmp_path, cases), BOOTSTRAP_SAMPLES=30)
    values = values_of(done)

    def end_to_end(of):
        return {
            name.replace("_", ""): np.concatenate(
                [getattr(case, of)[name].ravel() for case in cases.values()]
            )
            for name in getattr(cases["00"], of)
        }

    people, found = end_to_end("annotators"), end_to_end("detectors")
    votes = sum(marks.astype(int) for marks in people.values())
    for truth, marks in {**people, "0.5-GT": 2 * votes >= 3, "Any-GT": votes > 0}.items():
        for name, score in found.items():
            expected = aucr(score.astype(np.float32), marks)
            assert values["all images", truth, name] == pytest.approx(expected, abs=2e-4)
    for image, case in cases.items():
        for who, marks in case.annotators.items():
            for name, score in case.detectors.items():
                expected = aucr(score.astype(np.float32), marks)
                key = image, who.replace("_", ""), name.replace("_", "")
                assert values[key] == pytest.approx(expected, abs=2e-4)
    assert ("all images", "LSML", "detector1") in values
    assert f"Areas: {sum(r * c for r, c in SHAPES):,} pixels of 1 x 1 px." in done.warnings
    assert "bootstrap samples of annotators and plots" in done.results["CONCLUSION"]
    truths = done.table("TRUTH_POLYGONS").set_index(["truth", "image"])["area"]
    for image, case in cases.items():
        assert (
            truths["Any-GT", image]
            == sum(map(np.asarray, case.annotators.values())).astype(bool).sum()
        )


@pytest.mark.parametrize("chosen", [{"TOLERANCE": 3.0}, {"THIN": True}])
def test_no_detection_reaches_from_one_image_into_the_next(rank, tmp_path, chosen):
    """Keep images separate: marks in a last row, detections in the next image's first row."""
    marks, score = np.zeros((20, 30), dtype=bool), np.zeros((20, 30))
    marks[-1, 3:-3], score[0, 3:-3] = True, 1.0
    none, noise = np.zeros_like(marks), np.zeros_like(score)
    noise[10, 5:9] = 0.5
    rasters = {"1_ann": marks, "2_ann": none}, {"1_d": noise, "2_d": score}
    done = rank(
        IMAGES="{image}_{annotator}",
        ANNOTATORS=plain_rasters(tmp_path, rasters[0]),
        DETECTORS=plain_rasters(tmp_path, rasters[1]),
        **chosen,
    )
    assert (
        values_of(done)["all images", "ann", "d"] < 0.35
    )  # no better than a guess between the limits of the skew


def in_plots(name, plots, by=0.0, score=False):
    """Crowns of every plot, moved; with a field of the plot, and of a score."""
    rng = np.random.default_rng(3)
    shapes, rows = [], []
    for number, plot in enumerate(plots):
        crowns = crowns_at(
            rng.uniform(8, 32, (4, 2)) + np.array([100.0 * number + by, 0]), seed=number
        )
        shapes += list(crowns)
        rows += [(plot, value) if score else (plot,) for value in (0.9, 0.7, 0.4, 0.2)]
    fields = "&field=plot:string" + "&field=score:double" * score
    return layer_of(name, shapes, fields=fields, rows=rows)


def test_plots_of_a_field_are_counted_together_with_rows_for_each(rank):
    plots = [f"p{n}" for n in range(12)]
    people = [in_plots("ann", plots), in_plots("ben", plots, 1.0)]
    found = [in_plots("near", plots, 0.3, True), in_plots("far", plots, 6.0, True)]
    boxes = [shapely.box(EAST + 100 * n, NORTH, EAST + 100 * n + 40, NORTH + 40) for n in range(12)]
    area = layer_of("area", boxes)
    chosen = {"ANNOTATORS": people, "DETECTORS": found, "COUNTED_UNITS": 1, "EXTENT_LAYER": area}
    together, plain = rank(**chosen, PLOT_FIELD="plot", BOOTSTRAP_SAMPLES=40), rank(**chosen)
    values, over_all = (
        values_of(together),
        plain.table("AUCR").set_index(["truth", "detector"])["value"],
    )
    for (truth, detector), value in over_all.items():
        assert values["all images", truth, detector] == pytest.approx(value, abs=1e-9, nan_ok=True)
    (one,) = [box for n, box in enumerate(boxes) if n == 4]
    alone = rank(**{**chosen, "EXTENT_LAYER": layer_of("one", [one])}).table("AUCR")
    for _, row in alone.iterrows():
        if row["truth"] in ("ann", "ben", "0.5-GT", "Any-GT"):
            assert values["p4", row["truth"], row["detector"]] == pytest.approx(
                row["value"], abs=1e-9
            )
    assert "bootstrap samples of annotators and plots" in together.results["CONCLUSION"]
    assert together.said("images.several").startswith("12 images or plots were counted together")
    assert "images.one_area" not in together.keys


def test_without_a_study_area_each_plot_is_the_rectangle_around_what_was_drawn_in_it(rank):
    plots = ["a", "b"]
    people, found = [in_plots("ann", plots)], [in_plots("near", plots, 0.3, True)]
    done = rank(
        ANNOTATORS=people, DETECTORS=found, COUNTED_UNITS=1, PLOT_FIELD="plot", RESOLUTION=0.5
    )
    drawn = [one.geometry().boundingBox() for one in people[0].getFeatures()]
    size = 0.0
    for number in range(2):
        own = drawn[4 * number]
        for box in drawn[4 * number : 4 * number + 4]:
            own.combineExtentWith(box)
        size += np.ceil(own.width() / 0.5) * np.ceil(own.height() / 0.5) * 0.25
    told = float(done.said("study_area").split("(")[1].split(" m²")[0].replace(",", ""))
    assert told == pytest.approx(size, rel=0.05)


def test_plots_far_apart_have_pixels_of_their_own_and_are_told_together(rank):
    """Use a grid per plot, as one grid has too many pixels; report nothing for single plots."""
    people, found = in_plots("ann", ["a", "b"]), in_plots("near", ["a", "b"], 0.3, True)
    far = {one.id(): one.geometry() for one in list(people.getFeatures())[4:]}
    for geometry in far.values():
        geometry.translate(40_000, 40_000)
    people.dataProvider().changeGeometryValues(far)
    done = rank(
        ANNOTATORS=[people], DETECTORS=[found], COUNTED_UNITS=1, PLOT_FIELD="plot", RESOLUTION=0.5
    )
    assert {image for image, _, _ in values_of(done)} == {"all images", "a", "b"}
    assert not {"areas.nothing_found", "areas.absent"} & set(done.keys)


def test_a_plot_field_that_some_layers_lack_keeps_no_one_out_on_the_map(rank):
    plots = ["a", "b"]
    plain = layer_of("everywhere", [shapely.box(EAST, NORTH, EAST + 140, NORTH + 20)])
    people, found = [in_plots("ann", plots), plain], [in_plots("near", plots, 0.3, True)]
    values = values_of(rank(ANNOTATORS=people, DETECTORS=found, COUNTED_UNITS=1, PLOT_FIELD="plot"))
    assert {image for image, _, _ in values} == {"all images", "a", "b"}


def test_of_images_that_do_not_fit_together_nothing_is_ranked(
    algorithms, qgis_new_project, tmp_path
):
    case = image_case(3, people=1, detectors=1)
    people = plain_rasters(
        tmp_path, {"1_ann": case.annotators["person_1"], "2_ann": case.annotators["person_1"]}
    )
    found = plain_rasters(tmp_path, {"1_net": case.detectors["detector_1"]})
    done = run_algorithm(
        "rankdetectors",
        {"ANNOTATORS": people, "DETECTORS": found, "IMAGES": "{image}_{annotator}"},
        outputs=OUTPUTS,
    )
    assert shows(done.refused, "images.without_detector_or_annotator", image=2)

"""Pages to explore that the algorithm writes: of each kind of run, with verdicts for page Review."""

from __future__ import annotations

import base64
import json
import zlib

import html5lib
import numpy as np
import pytest
from osgeo import gdal, osr
from qgis.core import QgsProject, QgsRasterLayer
from support.browser import Browser
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.shown import shows

from randcrowns.layers import libraries
from randcrowns.layers.files.verdict_file import layer_outline_hashes

PLACES = [(10 * column + 5, 10 * row + 5) for row in range(4) for column in range(5)]
_FIELDS = "&field=plot:string&field=height:double"
SCORED = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")


def crowns(name, seed=1, places=PLACES):
    rows = [(f"p{number % 2}", 0.5 + number) for number in range(len(places))]
    return layer_of(name, crowns_at(places, seed=seed), fields=_FIELDS, rows=rows)


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def image(project, tmp_path):
    """An image of half a metre: red in the western half, blue in the eastern half."""
    path = str(tmp_path / "image.tif")
    made = gdal.GetDriverByName("GTiff").Create(path, 120, 100, 3)
    made.SetGeoTransform((EAST - 5, 0.5, 0, NORTH + 45, 0, -0.5))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32617)
    made.SetProjection(system.ExportToWkt())
    is_west = np.arange(120) < 60
    for band, values in ((1, is_west), (2, np.zeros(120)), (3, ~is_west)):
        made.GetRasterBand(band).WriteArray(np.tile(values * 200, (100, 1)).astype(np.uint8))
    made = None
    layer = QgsRasterLayer(path, "image")
    project.addMapLayer(layer)
    return layer


@pytest.fixture
def explore(run, tmp_path):
    """Write the page of the run that made these layers, and return its path."""

    def make(layers, **more):
        path = tmp_path / "explore.html"
        done = run("explore", {"RUNS": layers, "EXPLORER": str(path), **more}, outputs=())
        assert done.ok, done.refused or done.error
        return path

    return make


@pytest.fixture
def scored(run):
    """Score two layers; return the layers of the run."""

    def score(targets, *delineations, **more):
        given = {"TARGETS": targets, "DELINEATIONS": list(delineations), **more}
        done = run("scorecrowns", given, outputs=SCORED)
        assert done.ok, done.refused or done.error
        return [done.layer(name) for name in SCORED], done

    return score


def data_of(path):
    """The manifest and the image in a page."""
    document = html5lib.parse(path.read_text(encoding="utf-8"), namespaceHTMLElements=False)
    texts = {
        name: document.find(f".//script[@id='data-{name}']").text or ""
        for name in ("manifest", "numbers", "image")
    }
    manifest = json.loads(zlib.decompress(base64.b64decode(texts["manifest"])))
    manifest["bytes"] = zlib.decompress(base64.b64decode(texts["numbers"]))
    return manifest, json.loads(texts["image"] or "null")


def numbers(manifest, entry):
    kind = {"f8": "<f8", "i4": "<i4"}[entry["kind"]]
    return np.frombuffer(manifest["bytes"], kind, entry["count"], entry["at"])


def column(manifest, name, view=0):
    """The values of a column of a view."""
    entry = next(one for one in manifest["views"][view]["columns"] if one["name"] == name)
    if "numbers" in entry:
        return numbers(manifest, entry["numbers"])
    return [entry["texts"][code] for code in numbers(manifest, entry["codes"])]


def test_a_scored_run_has_its_scores_attributes_and_states(scored, explore):
    layers, done = scored(crowns("field"), crowns("boxes", 2), PLOT_FIELD="plot")
    manifest, image = data_of(explore(layers))
    assert image is None
    assert [layer["name"] for layer in manifest["layers"]] == ["field", "boxes"]
    rows = done.table("SCORED_TARGETS")
    prefix = next(name for name in rows if name.endswith("_rc")).removesuffix("_rc")
    n = len(PLACES)
    assert np.array_equal(column(manifest, "randcrowns")[:n], rows[f"{prefix}_rc"].astype(float))
    assert column(manifest, "plot")[:n] == rows["plot"].tolist()
    assert column(manifest, "attribute height")[:n].tolist() == rows["height"].tolist()
    review = manifest["views"][0]["review"]
    assert review["outlines"][:n] == layer_outline_hashes(layers[0])["outline"].tolist()
    assert review["targets"][2] == "field"
    assert manifest["answer"]
    assert manifest["regions"]["alpha"] == 0.7


def test_a_target_without_an_outline_is_listed_and_takes_no_verdict(scored, explore):
    shapes = [*crowns_at(PLACES[:-1], seed=1), None]
    rows = [("p", 1.0)] * len(shapes)
    layers, _ = scored(layer_of("field", shapes, fields=_FIELDS, rows=rows), crowns("boxes", 2))
    manifest, _ = data_of(explore(layers))
    outlines = manifest["views"][0]["review"]["outlines"]
    assert [row for row, outline in enumerate(outlines) if not outline] == [len(shapes) - 1]


def test_the_page_counts_what_the_summary_counts(scored, explore):
    layers, done = scored(crowns("field"), crowns("boxes", 2, PLACES[:-3]))
    manifest, _ = data_of(explore(layers))
    summary = done.table("SUMMARY").iloc[0]
    for slider, name, threshold in zip(
        manifest["views"][0]["sliders"], ("randcrowns_0_5", "iou_0_4"), (0.5, 0.4)
    ):
        for side, rate in (("targets", "recall"), ("predictions", "precision")):
            values = numbers(manifest, slider[side])
            assert (values >= threshold).mean() == pytest.approx(summary[f"{rate}_{name}"])


def test_the_image_lies_below_its_crowns(image, scored, explore):
    layers, _ = scored(crowns("field"), crowns("boxes", 2))
    manifest, tiles = data_of(explore(layers))
    assert tiles["type"] == "image/jpeg"
    # A pixel of the image is half a metre wide.
    assert tiles["highest"] == 1
    # The image ends within its outermost tiles.
    assert tiles["masks"]
    assert manifest["unit"] == "m"


def test_a_coarser_image_can_be_requested(image, scored, explore):
    layers, _ = scored(crowns("field"), crowns("boxes", 2))
    _, tiles = data_of(explore(layers, RESOLUTION=4.0))
    assert tiles["highest"] == -2


def test_several_layers_are_one_view_each(scored, explore):
    layers, _ = scored(crowns("field"), crowns("boxes", 2), crowns("other", 3))
    manifest, _ = data_of(explore(layers))
    assert [view["name"] for view in manifest["views"]] == ["boxes", "other"]
    assert [view["matchLayer"] for view in manifest["views"]] == [1, 2]


def test_instances_have_their_statuses_and_a_slider_like_the_table(run, explore):
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY", "THRESHOLDS")
    given = {"TARGETS": crowns("field"), "PREDICTIONS": crowns("boxes", 2, PLACES[2:])}
    done = run("evaluateinstances", given, outputs=outputs)
    manifest, _ = data_of(explore([done.layer(name) for name in outputs]))
    slider = manifest["views"][0]["sliders"][0]
    for _, row in done.table("THRESHOLDS").iterrows():
        found = (numbers(manifest, slider["targets"]) >= row["iou"] - 1e-8).sum()
        right = (numbers(manifest, slider["predictions"]) >= row["iou"] - 1e-8).sum()
        predictions = len(numbers(manifest, slider["predictions"]))
        assert (found, predictions - right) == (row["tp"], row["fp"])
    assert {"found", "not found"} >= set(manifest["views"][0]["columns"][1]["labels"].values()) & {
        "found",
        "not found",
    }
    assert manifest["views"][0]["review"] is None


def test_targets_are_explored_without_any_prediction(run, explore):
    """The page lists the targets, although there is nothing to match them with."""
    targets = crowns("targets")
    nothing = layer_of("predicted", [], fields=_FIELDS, rows=[])
    given = {"TARGETS": targets, "PREDICTIONS": nothing}
    done = run("evaluateinstances", given, outputs=("MATCHED_TARGETS", "SUMMARY"))
    manifest, _ = data_of(explore([done.layer("MATCHED_TARGETS")]))
    assert [view["name"] for view in manifest["views"]] == ["Matched targets"]


def test_annotators_have_disagreements_votes_and_pairs(run, explore):
    outputs = ("DISAGREEMENTS", "AGREEMENT", "SUMMARY", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS")
    people = [crowns(name, seed) for seed, name in enumerate(("Ann", "Ben", "Cid"), 1)]
    done = run("compareannotators", {"ANNOTATORS": people}, outputs=outputs)
    assert done.ok, done.refused or done.error
    manifest, _ = data_of(explore([done.layer(name) for name in outputs]))
    assert [view["name"] for view in manifest["views"]] == ["Disagreements", "Agreement map"]
    votes = done.table("AGREEMENT")["n_yes"]
    assert column(manifest, "n_yes", view=1).tolist() == votes.tolist()
    pairs = manifest["tables"][0]
    assert [row[:2] for row in pairs["cells"]] == [["Ann", "Ben"], ["Ann", "Cid"], ["Ben", "Cid"]]


def test_a_ranking_has_a_table_per_measure_and_its_ground_truths_in_colours(run, explore):
    """Four scores of crowns and of areas: two detectors under two annotators, and one joint truth."""
    outputs = ("AUCR", "CURVES", "TRUTH_POLYGONS")
    people = [crowns(name, seed) for seed, name in enumerate(("Ann", "Ben", "net", "far"), 1)]
    given = {
        "DETECTORS": people[2:],
        "ANNOTATORS": people[:2],
        "SCORE_FIELD": "height",
        "CONSENSUS_METHODS": [1],
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", given, outputs=outputs)
    assert done.ok, done.refused or done.error
    manifest, _ = data_of(explore([done.layer(name) for name in outputs]))
    scores = done.table("AUCR")
    scores = scores[scores["value"].notna()]
    tables = [table for table in manifest["tables"] if table["title"].startswith("Detector scores")]
    assert len(tables) == scores["measure"].nunique() == 2
    assert sum(len(table["cells"]) for table in tables) == len(scores)
    assert all(any(cells) for table in tables for cells in zip(*table["cells"]))
    (view,) = manifest["views"]
    assert view["colour"] == "truth"
    (truth,) = (column for column in view["columns"] if column["name"] == "truth")
    assert truth["kind"] == "category"
    assert sorted(truth["texts"]) == sorted(done.table("TRUTH_POLYGONS")["truth"])


def test_a_run_without_outlines_has_the_tables_of_its_report(run, explore):
    outputs = ("RECOMMENDED", "GRID", "VARIANCE")
    people = [crowns(name, seed) for seed, name in enumerate(("Ann", "Ben", "Cid"), 1)]
    given = {"ANNOTATORS": people, "ALPHAS": "0.3 0.5", "OMEGAS": "1", "GAMMAS": "2"}
    done = run("tuneparameters", given, outputs=outputs)
    assert done.ok, done.refused or done.error
    manifest, _ = data_of(explore([done.layer(name) for name in outputs]))
    assert manifest["views"] == []
    sets, variance = manifest["tables"]
    assert sets["title"] == "Recommended sets"
    assert len(sets["cells"]) == len(done.table("RECOMMENDED"))
    assert len(variance["cells"]) == len(done.table("VARIANCE"))


def test_layers_in_degrees_and_feet_are_shown_in_metres(scored, explore):
    layers, _ = scored(crowns("field"), crowns("boxes", 2))
    manifest, _ = data_of(explore(layers))
    steps = numbers(manifest, manifest["layers"][0]["coordinates"]).reshape(-1, 2)
    assert np.ptp(steps[:4].cumsum(axis=0), axis=0).max() * manifest["layers"][0]["step"] < 20


def test_two_runs_are_refused(scored, run, tmp_path):
    # The runs own their layers.
    runs = [scored(crowns("field"), crowns("boxes", seed)) for seed in (2, 3)]
    given = {"RUNS": [layers[0] for layers, _ in runs], "EXPLORER": str(tmp_path / "page.html")}
    assert shows(run("explore", given, outputs=()).error, "explore.several_runs", count=2)


def test_the_library_is_required(scored, run, tmp_path, monkeypatch):
    layers, _ = scored(crowns("field"), crowns("boxes", 2))
    library = libraries.LIBRARIES[libraries.EXPLORER][0]
    missing = library._replace(name="no_such_library")
    monkeypatch.setitem(libraries.LIBRARIES, libraries.EXPLORER, (missing,))
    monkeypatch.setattr(libraries, "_usable", set())
    given = {"RUNS": layers, "EXPLORER": str(tmp_path / "page.html")}
    done = run("explore", given, outputs=())
    assert not done.ok
    assert "django-js-lib-leaflet==" in (done.refused or done.error)


def test_the_page_of_a_run_opens_in_a_browser(image, scored, explore, tmp_path):
    layers, _ = scored(crowns("field"), crowns("boxes", 2))
    path = explore(layers)
    browser = Browser(tmp_path)
    try:
        browser.open(path)
        assert browser.run("document.documentElement.dataset.ready") == "true"
        assert browser.run("document.querySelectorAll('.leaflet-tile-loaded').length") > 0
        assert browser.faults() == []
        assert browser.requests() == []
        # The image is red in the west and blue in the east of the crowns.
        colours = browser.run(
            """(async () => {
              const { map } = Explore.page.crownMap;
              const { tiles, type, highest, size } = Explore.image;
              const colours = [];
              for (const x of [10, 40]) {
                const column = Math.floor((x * 2 ** highest) / size);
                const row = Math.floor((-20 * 2 ** highest) / size);
                const image = new Image();
                image.src = `data:${type};base64,${tiles[`${highest}/${column}/${row}`]}`;
                await image.decode();
                const canvas = document.createElement("canvas");
                canvas.width = canvas.height = size;
                const context = canvas.getContext("2d");
                context.drawImage(image, 0, 0);
                const pixel = context.getImageData(
                  x * 2 ** highest - column * size, -20 * 2 ** highest - row * size, 1, 1);
                colours.push([...pixel.data.slice(0, 3)]);
              }
              return colours;
            })()"""
        )
        assert colours[0][0] > 150 > 50 > colours[0][2]
        assert colours[1][2] > 150 > 50 > colours[1][0]
    finally:
        browser.close()

"""Every result says how it was made: in words, the same way for all algorithms."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from PIL import Image
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)
from support.clouds import NAMES, WKT, labelled_cloud, write_cloud
from support.layers import crowns_at, layer_of
from support.processing import run_algorithm
from support.provider import provider

from randcrowns.algorithms.agreement.schema.parameters import METHOD
from randcrowns.algorithms.common_parameters import OWN, PRESET
from randcrowns.algorithms.provenance import (
    PROVENANCE,
    InputLayer,
    Provenance,
    software_versions,
)
from randcrowns.layers.crs import crs_name

PLACES = [(5, 5), (15, 5), (5, 15), (15, 15)]
_FIELDS = "&field=plot:string&field=score:double"


def crowns(name, seed=1):
    return layer_of(
        name,
        crowns_at(PLACES, seed=seed),
        fields=_FIELDS,
        rows=[("p1", 0.5)] * 2 + [("p2", 0.9)] * 2,
    )


def scored_crowns(people):
    """The scored targets of a run."""
    provider()
    given = {"TARGETS": people[0], "DELINEATIONS": people[1:2]}
    done = run_algorithm("scorecrowns", given, outputs=("SCORED_TARGETS",))
    return done.context.takeResultLayer(done.layer("SCORED_TARGETS").id())


def runs_in(folder):
    """A run of each algorithm: what it is given."""
    people = [crowns(name, seed) for seed, name in enumerate(("ann", "bob", "cleo"))]
    xyz, target, prediction = labelled_cloud()
    cloud = write_cloud(folder / "plot_7.laz", xyz, {"tree": target, "found": prediction})
    made = crowns("made")
    Provenance("a run", ()).write_to_layer(made, "SUMMARY")
    (folder / "boxes.csv").write_text("image_path,xmin,ymin,xmax,ymax\nabsent.tif,0,0,4,4\n")
    return {
        "scorecrowns": {"TARGETS": people[0], "DELINEATIONS": people[1:2]},
        "targetregions": {"TARGETS": people[0]},
        "compareannotators": {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 50},
        "consensus": {"ANNOTATORS": people, "METHOD": METHOD.keys.index("staple")},
        "rankdetectors": {
            "DETECTORS": people[:2],
            "SCORE_FIELD": "score",
            "ANNOTATORS": people[2:],
            "BOOTSTRAP_SAMPLES": 50,
        },
        "evaluateinstances": {"TARGETS": people[0], "PREDICTIONS": people[1]},
        "evaluatepointcloud": {"INPUT": str(cloud), **NAMES},
        "annotatorvariance": {"ANNOTATORS": people},
        "exportcrowns": {
            "TARGETS": people[0],
            "PREDICTIONS": people[1],
            "FORMAT": 4,
            "FOLDER": str(folder / "out"),
        },
        "exportlayers": {"LAYERS": people[:2], "FOLDER": str(folder / "layers")},
        "importcrowns": {"INPUT": str(folder / "boxes.csv")},
        "report": {"RUNS": [made], "HTML": str(folder / "report.html")},
        "explore": {"RUNS": [scored_crowns(people)], "EXPLORER": str(folder / "explore.html")},
        "tuneparameters": {
            "ANNOTATORS": people,
            "ALPHAS": "0.3",
            "OMEGAS": "0.5 0.7",
            "GAMMAS": "1:3:1",
        },
    }


@pytest.fixture
def runs(tmp_path):
    return runs_in(tmp_path)


@pytest.fixture(scope="module")
def all_done(qgis_app, tmp_path_factory):
    """A run of each algorithm, with all its tables."""
    known, done = provider(), {}
    for name, given in runs_in(tmp_path_factory.mktemp("runs")).items():
        done[name] = run_algorithm(name, given, outputs=outputs_of(known.algorithm(name)))
        assert done[name].ok, (name, done[name].refused or done[name].error)
    return done


def test_the_record_of_a_cloud_says_its_system(run, algorithms, tmp_path):
    xyz, target, prediction = labelled_cloud()
    for wkt, said in (
        (WKT, crs_name(QgsCoordinateReferenceSystem.fromWkt(WKT))),
        ("", "EPSG:32633"),
    ):
        cloud = write_cloud(
            tmp_path / "plot_7.las", xyz, {"tree": target, "found": prediction}, wkt=wkt
        )
        given = {"INPUT": str(cloud), **NAMES, "CRS": "EPSG:32633"}
        outputs = outputs_of(algorithms.algorithm("evaluatepointcloud"))
        done = run("evaluatepointcloud", given, outputs=outputs)
        assert done.ok, done.refused or done.error
        record = Provenance.from_json(done.results[PROVENANCE.id])
        assert {entry.name: entry.words for entry in record.entries}["crs"] == said


def outputs_of(algorithm):
    return [output.id for output in algorithm.outputs if output.has_features]


def test_all_algorithms_say_every_choice_in_words_and_columns(all_done, algorithms):
    assert set(all_done) == {algorithm.name() for algorithm in algorithms.algorithms()}
    titles, columns = {}, {}
    for name, done in all_done.items():
        algorithm = algorithms.algorithm(name)
        record = Provenance.from_json(done.results[PROVENANCE.id])
        said = {entry.name: (entry.label, entry.words) for entry in record.entries}
        assert list(said) == [
            "algorithm",
            "version",
            "time",
            *(choice.name for choice in algorithm.declared_parameters),
        ]
        assert all(label and words for label, words in said.values()), said
        assert said["algorithm"][1] == algorithm.displayName()
        assert bool(record.conclusion) == (name != "targetregions"), name
        titles[name] = record.title
        for output in (
            one
            for one in algorithm.outputs
            if one.has_provenance_columns and one.id in done.results
        ):
            table = done.table(output.id, made=True)
            assert len(table)
            columns.setdefault(name, []).append(output.id)
            for entry in record.entries:
                assert set(table[f"run_{entry.name}"]) == {entry.words}
    assert set(columns) == set(all_done) - {
        "targetregions",
        "exportcrowns",
        "exportlayers",
        "report",
        "explore",
    }
    assert {name: re.sub(r"\d\d:\d\d:\d\d$", "time", title) for name, title in titles.items()} == {
        "scorecrowns": "ann vs bob, Score crowns, time",
        "targetregions": "ann, Regions of target crowns, time",
        "compareannotators": "3 annotators, Compare annotators, time",
        "consensus": "3 annotators, STAPLE, time",
        "rankdetectors": "ann, bob vs cleo, Rank detectors, time",
        "evaluateinstances": "ann vs bob, Evaluate crown instances, time",
        "evaluatepointcloud": "plot_7, Evaluate point cloud instances, time",
        "annotatorvariance": "3 annotators, Annotator variance, time",
        "exportcrowns": "ann vs bob, GeoPackage, time",
        "exportlayers": "ann, bob, GeoPackage, time",
        "importcrowns": "boxes, Import crowns, time",
        "report": "made, Make report, time",
        "explore": "Scored targets, Make page to explore, time",
        "tuneparameters": "3 annotators, Tune parameters, time",
    }


@pytest.mark.parametrize("name", ["evaluateinstances", "exportcrowns"])
def test_a_field_that_was_guessed_is_the_one_that_is_recorded(name, all_done):
    record = Provenance.from_json(all_done[name].results[PROVENANCE.id])
    assert record.display_text_of("score_field") == record.parameters["SCORE_FIELD"] == "score"


def test_every_layer_says_so_in_its_metadata(all_done, algorithms):
    for name, done in all_done.items():
        record = Provenance.from_json(done.results[PROVENANCE.id])
        for output in algorithms.algorithm(name).outputs:
            if done.results.get(output.id) and output.has_features:
                assert done.layer(output.id).metadata().abstract() == record.multiline_text, (
                    name,
                    output.id,
                )


def test_the_words_are_those_of_what_was_used(run, runs):
    targets = runs["scorecrowns"]["TARGETS"]
    QgsProject.instance().addMapLayer(targets)
    targets.selectByIds([1, 2])
    given = {
        **runs["scorecrowns"],
        "TARGETS": QgsProcessingFeatureSourceDefinition(targets.id(), True),
        "PRESET": PRESET.keys.index(OWN),
        "ALPHA": 0.25,
        "PLOT_FIELD": "plot",
        "EXTENT": "499990,500050,2999990,3000050",
    }
    done = run("scorecrowns", given)
    said = {
        entry.name: entry.words
        for entry in Provenance.from_json(done.results[PROVENANCE.id]).entries
    }
    assert said["targets"] == "ann, 2 selected features"
    assert said["delineations"] == "bob"
    assert said["preset"] == "Own values (0.25 m, 1.2 m, 3)"
    assert (said["alpha"], said["omega"], said["gamma"]) == ("0.25 m", "1.2 m", "3")
    assert said["plot_field"] == "plot"
    assert said["search_radius"] == "automatic"
    assert said["score_field"] == "not given"
    assert "499990" in said["extent"]
    assert said["version"] == software_versions()
    assert re.match(r"RandCrowns \d+\.\d+", said["version"])
    field = run("scorecrowns", {**runs["scorecrowns"], "PRESET": 1, "ALPHA": 0.25})
    said = {
        entry.name: entry.words
        for entry in Provenance.from_json(field.results[PROVENANCE.id]).entries
    }
    assert said["preset"].startswith("Field polygons (0.6 m")
    assert said["alpha"] == "0.6 m"  # what was used, not what was given


def test_imported_crowns_are_recorded_with_their_file(run, runs, tmp_path):
    file = runs["importcrowns"]["INPUT"]
    ran = run("importcrowns", {"INPUT": file}, outputs=("CROWNS",))
    imported = ran.layer("CROWNS")
    place = InputLayer.from_layer(imported).place
    assert place == "imported from boxes.csv"
    # A record stores it: the file is known when the layer is not there any more.
    made = Provenance("a run", (), inputs={"a": InputLayer.from_layer(imported)})
    assert Provenance.from_json(made.to_json()).inputs["a"].place == place
    stored = replace(InputLayer.from_layer(imported), source="plot.gpkg|layername=crowns")
    assert stored.place == "plot.gpkg|layername=crowns, imported from boxes.csv"
    assert InputLayer.from_layer(crowns("drawn")).place == "a layer in memory"


def test_files_keep_it(run, runs, tmp_path):
    path = tmp_path / "scored.gpkg"
    done = run("scorecrowns", {**runs["scorecrowns"], "SCORED_TARGETS": str(path)})
    record = Provenance.from_json(done.results[PROVENANCE.id])
    layer = QgsVectorLayer(f"{path}|layername=scored", "again", "ogr")
    layer.loadDefaultMetadata()
    assert layer.metadata().abstract() == record.multiline_text
    csv = tmp_path / "summary.csv"
    done = run("scorecrowns", {**runs["scorecrowns"], "SUMMARY": str(csv)})
    assert "Image boxes (0.7 m, 1.2 m, 3)" in csv.read_text(encoding="utf-8")
    assert sorted(file.name for file in tmp_path.glob("summary*")) == ["summary.csv"]


def test_pictures_show_it_and_keep_it(run, runs, tmp_path):
    svg, png = tmp_path / "scatter.svg", tmp_path / "scatter.png"
    for path in (svg, png):
        done = run("annotatorvariance", {**runs["annotatorvariance"], "SCATTER_FILE": str(path)})
        assert done.ok, done.error
    line = Provenance.from_json(done.results[PROVENANCE.id]).one_line_text
    words = svg.read_text(encoding="utf-8").replace("\u00a0", " ")
    assert "Image boxes (0.7 m, 1.2 m, 3)" in words
    assert Image.open(png).text["Description"] == line


def test_what_is_rarely_needed_and_usual_is_left_out_of_the_line(run, runs, all_done):
    record = Provenance.from_json(all_done["scorecrowns"].results[PROVENANCE.id])
    assert "Search radius" not in record.one_line_text
    assert "Search radius: automatic" in record.multiline_text
    changed = run("scorecrowns", {**runs["scorecrowns"], "SEARCH_RADIUS": 7.0})
    assert (
        "Search radius: 7 m" in Provenance.from_json(changed.results[PROVENANCE.id]).one_line_text
    )


def test_a_record_knows_which_parameters_have_a_value(all_done):
    record = Provenance.from_json(all_done["scorecrowns"].results[PROVENANCE.id])
    again = Provenance.from_json(record.to_json())
    without = {entry.name for entry in again.entries if not entry.is_given}
    assert {"class_field", "score_field"} <= without
    assert not without & {"targets", "delineations", "alpha", "search_radius", "extent"}
    assert {entry.words for entry in again.entries if entry.name in without} == {"not given"}
    # Records of earlier versions do not say it.
    stored = json.loads(record.to_json())
    for entry in stored["entries"]:
        del entry["is_given"]
    assert all(entry.is_given for entry in Provenance.from_json(json.dumps(stored)).entries)

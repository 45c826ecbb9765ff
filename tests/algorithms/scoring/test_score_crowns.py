"""randcrowns:scorecrowns on good input: the same numbers as core, in the right places."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import shapely
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject, QgsVectorLayer, QgsWkbTypes
from support.layers import EAST, NORTH, box_layer, crowns_at, layer_of, save
from support.shown import shows

from randcrowns.algorithms.common_parameters import OWN, PRESET
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.scoring.schema.outputs import SCORE_OUTPUTS
from randcrowns.core.geometry import areas
from randcrowns.core.instances import crowded_overlap
from randcrowns.core.scoring import crowded_pairs, layer
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.parameters import PRESETS

PLACES = [(20 * column, 20 * row) for row in range(3) for column in range(4)]
TARGETS = crowns_at(PLACES, seed=1)
FIRST = shapely.transform(TARGETS[:-1], lambda xy: xy + np.array([0.7, -0.4]))
SECOND = crowns_at([*PLACES, (200, 200)], seed=2)


@pytest.fixture
def target_layer(qgis_app):
    rows = [[f"p{number % 2}", number] for number in range(len(TARGETS))]
    return layer_of(
        "targets",
        TARGETS,
        kind="Polygon",
        fields="&field=plot:string&field=tree:integer",
        rows=rows,
    )


@pytest.fixture
def drawn_layers(qgis_app):
    return [
        layer_of("Annotator 1", FIRST, kind="Polygon"),
        layer_of("Annotator 2", SECOND, kind="Polygon"),
    ]


def core_scores(drawn, ids_from=1, **options):
    preset = PRESETS["image_boxes"]
    found = score_crowns(TARGETS, drawn, preset, **options)
    return found


def test_targets_and_delineations_alone_are_enough(run, target_layer, drawn_layers):
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers})
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS")
    assert list(table.columns) == [
        "plot",
        "tree",
        "target_id",
        *(
            f"annotator_1_{end}"
            for end in ("rc", "iou", "iouc", "status", "match", "dist", "rc_problem", "rc_cause")
        ),
        *(
            f"annotator_2_{end}"
            for end in ("rc", "iou", "iouc", "status", "match", "dist", "rc_problem", "rc_cause")
        ),
        *("rc_mean", "rc_var", "iou_mean", "iou_var", "iouc_mean", "iouc_var"),
    ]
    assert table["target_id"].tolist() == list(range(1, 13))
    for prefix, drawn in (("annotator_1", FIRST), ("annotator_2", SECOND)):
        expected = core_scores(drawn).targets
        for ending, column in (
            ("rc", "randcrowns"),
            ("iou", "iou"),
            ("iouc", "iou_crowns"),
            ("dist", "distance"),
        ):
            np.testing.assert_allclose(
                table[f"{prefix}_{ending}"].astype(float), expected[column], atol=1e-9
            )
        assert table[f"{prefix}_status"].tolist() == expected["status"].tolist()
        match = (
            (expected["delineation_id"] + 1)
            .astype("Float64")
            .to_numpy(dtype=float, na_value=np.nan)
        )
        np.testing.assert_array_equal(table[f"{prefix}_match"].astype(float), match)
    scores = table[["annotator_1_rc", "annotator_2_rc"]].astype(float)
    np.testing.assert_allclose(table["rc_mean"], scores.mean(axis=1))
    np.testing.assert_allclose(table["rc_var"], scores.var(axis=1, ddof=1), atol=1e-15)


def test_geometry_and_fields_of_the_targets_are_untouched(run, target_layer, drawn_layers):
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers})
    old, new = list(target_layer.getFeatures()), list(done.layer("SCORED_TARGETS").getFeatures())
    for before, after in zip(old, new):
        assert before.geometry().asWkb() == after.geometry().asWkb()
        assert before.attributes() == after.attributes()[:2]


def test_the_other_tables(run, target_layer, drawn_layers):
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, "PAIRING": 1})
    drawn = done.table("SCORED_DELINEATIONS")
    assert drawn.groupby("layer").size().to_dict() == {
        "Annotator 1": len(FIRST),
        "Annotator 2": len(SECOND),
    }
    extra = drawn[(drawn["layer"] == "Annotator 2") & (drawn["status"] == "unmatched")]
    assert extra["delineation_id"].tolist() == [13]
    pairs = done.table("PAIRS")
    expected = core_scores(SECOND, pairing="max_iou").targets
    chosen = pairs[(pairs["layer"] == "Annotator 2") & (pairs["assigned"] == 1)].set_index(
        "target_id"
    )
    np.testing.assert_allclose(
        chosen.loc[range(1, 13), "randcrowns"].astype(float), expected["randcrowns"], atol=1e-9
    )
    regions = done.table("REGIONS")
    assert len(regions) == 4 * len(TARGETS)
    areas = regions.pivot_table("area", "target_id", "region")
    np.testing.assert_allclose(areas["b"], 3 * areas["a"], rtol=1e-8)
    for feature in done.layer("REGIONS").getFeatures():
        assert feature.geometry().area() == pytest.approx(feature["area"], rel=1e-9)
    summary = done.table("SUMMARY")
    assert summary["layer"].tolist() == ["Annotator 1", "Annotator 2"]
    overall = core_scores(SECOND, pairing="max_iou").summary.iloc[0]
    assert summary.loc[1, "randcrowns_mean"] == pytest.approx(overall["randcrowns_mean"])
    assert summary.loc[1, "f1_iou_0_5"] == pytest.approx(overall["f1_iou_0.5"])
    line = next(done.layer("PAIRS").getFeatures())
    assert line.geometry().length() == pytest.approx(line["distance"], abs=1e-6)


def test_a_crowd_is_scored_with_messages(run, target_layer, drawn_layers, monkeypatch):
    sources = {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[:1], "PAIRING": 1}
    expected = run("scorecrowns", sources)
    monkeypatch.setattr(layer, "MAX_SCORED_PAIRS", 1)
    monkeypatch.setattr(areas, "MAX_PAIRS", 1)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    for module in (crowded_pairs, crowded_overlap):  # blocks of one target, which has one pair
        monkeypatch.setattr(module, "_BLOCK_PAIRS", 1)
    crowded = run("scorecrowns", sources)
    assert {"pairs.only_assigned", "problems.largest_overlaps"} <= {*crowded.keys} - {
        *expected.keys
    }
    pd.testing.assert_frame_equal(crowded.table("SCORED_TARGETS"), expected.table("SCORED_TARGETS"))


def test_other_outputs(run, target_layer, drawn_layers):
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers})
    assert json.loads(done.results["PREFIXES"]) == [
        {"layer": "Annotator 1", "prefix": "annotator_1"},
        {"layer": "Annotator 2", "prefix": "annotator_2"},
    ]
    assert done.results["MEAN_RANDCROWNS"] == pytest.approx(
        core_scores(FIRST).summary["randcrowns_mean"][0]
    )
    assert done.results["INPUT_PROBLEMS"] == ""


def test_one_layer_has_no_spread(run, target_layer, drawn_layers):
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[:1]})
    assert "rc_mean" not in done.table("SCORED_TARGETS").columns


def test_groups(run, target_layer, drawn_layers):
    done = run(
        "scorecrowns",
        {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, "PLOT_FIELD": "plot"},
    )
    summary = done.table("SUMMARY")
    assert summary["plot"].tolist() == ["all", "p0", "p1"] * 2
    assert shows(done.warnings, "input.no_group_field", field="plot")


def test_selected_features_only(run, target_layer, drawn_layers):
    QgsProject.instance().addMapLayer(target_layer)
    target_layer.selectByIds([2, 5])
    source = QgsProcessingFeatureSourceDefinition(target_layer.id(), True)
    done = run("scorecrowns", {"TARGETS": source, "DELINEATIONS": drawn_layers})
    assert done.table("SCORED_TARGETS")["target_id"].tolist() == [2, 5]


def test_lengths_without_a_preset_are_taken_and_with_one_are_not(run, target_layer, drawn_layers):
    def mean(**parameters):
        return run(
            "scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[:1], **parameters}
        ).results["MEAN_RANDCROWNS"]

    field = mean(PRESET=1)
    assert (
        mean(ALPHA=0.6, OMEGA=3.0, GAMMA=3.0)
        == field
        == mean(PRESET=3, ALPHA=0.6, OMEGA=3.0, GAMMA=3.0)
    )
    assert mean(PRESET=0, ALPHA=0.6, OMEGA=3.0) == mean() != field


def test_layers_of_unlike_systems_meet_in_the_targets(run, target_layer, drawn_layers, tmp_path):
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsCoordinateTransform,
        QgsCoordinateTransformContext,
    )

    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    transform = QgsCoordinateTransform(target_layer.crs(), degrees, QgsCoordinateTransformContext())
    geometries = []
    for feature in drawn_layers[0].getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        geometries.append(geometry.asWkt(17))
    far = layer_of("Annotator 1", geometries, crs="EPSG:4326", kind="Polygon")
    near = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[:1]})
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": [far]})
    for name in ("annotator_1_rc", "annotator_1_iou"):
        np.testing.assert_allclose(
            done.table("SCORED_TARGETS")[name].astype(float),
            near.table("SCORED_TARGETS")[name].astype(float),
            atol=1e-6,
        )
    assert shows(done.warnings, "input.brought", working="EPSG:32617")
    drawn = done.layer("SCORED_DELINEATIONS")
    assert drawn.crs().authid() == "EPSG:32617"
    assert next(drawn.getFeatures()).geometry().area() == pytest.approx(FIRST[0].area, rel=1e-6)


def test_targets_in_degrees_keep_their_geometry(run, drawn_layers):
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsCoordinateTransform,
        QgsCoordinateTransformContext,
    )

    metres, degrees = (
        QgsCoordinateReferenceSystem("EPSG:32617"),
        QgsCoordinateReferenceSystem("EPSG:4326"),
    )
    transform = QgsCoordinateTransform(metres, degrees, QgsCoordinateTransformContext())
    geometries = []
    for feature in layer_of("t", TARGETS, kind="Polygon").getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        geometries.append(geometry.asWkt(17))
    targets = layer_of("targets", geometries, crs="EPSG:4326", kind="Polygon")
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": drawn_layers[:1]})
    expected = core_scores(FIRST).targets
    found = done.table("SCORED_TARGETS")["annotator_1_rc"].astype(float)
    np.testing.assert_allclose(found, expected["randcrowns"], atol=1e-6)
    for before, after in zip(targets.getFeatures(), done.layer("SCORED_TARGETS").getFeatures()):
        assert before.geometry().asWkb() == after.geometry().asWkb()
    assert done.layer("REGIONS").crs().authid() == "EPSG:4326"
    assert done.layer("REGIONS").extent().xMaximum() < 180


def test_from_geopackage_to_geopackage(run, target_layer, drawn_layers, tmp_path):
    targets = save(target_layer, tmp_path / "in.gpkg", name="targets")
    drawn = save(drawn_layers[0], tmp_path / "in.gpkg", name="Annotator 1")
    outputs = {
        name: str(tmp_path / f"{name}.gpkg")
        for name in ("SCORED_TARGETS", "REGIONS", "SUMMARY", "PAIRS")
    }
    done = run(
        "scorecrowns", {"TARGETS": targets.source(), "DELINEATIONS": [drawn.source()], **outputs}
    )
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS")
    assert table["fid"].tolist() == table["target_id"].tolist()
    np.testing.assert_allclose(
        table.filter(like="_rc").iloc[:, 0],
        core_scores(FIRST).targets["randcrowns"],
        atol=1e-9,
    )
    assert QgsVectorLayer(outputs["PAIRS"]).wkbType() == QgsWkbTypes.Type.LineString


def test_several_outputs_in_one_geopackage(run, target_layer, drawn_layers, tmp_path):
    path = tmp_path / "all.gpkg"
    save(target_layer, path, name="kept")
    outputs = {
        "SCORED_TARGETS": f"ogr:dbname='{path}' table=\"scored\" (geom)",
        "REGIONS": f"ogr:dbname='{path}' table=\"regions\" (geom)",
    }
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, **outputs})
    assert done.ok, done.error
    counts = {
        name: QgsVectorLayer(f"{path}|layername={name}").featureCount()
        for name in ("kept", "scored", "regions")
    }
    assert counts == {"kept": 12, "scored": 12, "regions": 48}


def test_a_shapefile_gets_field_names_that_can_be_told_apart(
    run, target_layer, drawn_layers, tmp_path
):
    path = tmp_path / "scored.shp"
    done = run(
        "scorecrowns",
        {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, "SCORED_TARGETS": str(path)},
    )
    assert done.ok, done.error
    names = done.layer("SCORED_TARGETS").fields().names()
    assert len(set(names)) == 2 + 1 + 16 + 6
    assert all(len(name) <= 10 for name in names)
    assert {name.rsplit("_", 1)[-1] for name in names[3:9]} == {
        "rc",
        "iou",
        "iouc",
        "status",
        "match",
        "dist",
    }
    assert {name.rsplit("_", 1)[-1] for name in names[9:11]} == {"problem", "cause"}
    assert shows(done.warnings, "output.renamed")


def test_a_real_shapefile_as_input(run, target_layer, drawn_layers, tmp_path):
    targets = save(target_layer, tmp_path / "targets.shp", "ESRI Shapefile")
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": drawn_layers[:1]})
    assert done.ok, done.error
    found = (
        done.table("SCORED_TARGETS").set_index("tree").sort_index()["annotator_1_rc"].astype(float)
    )
    np.testing.assert_allclose(found, core_scores(FIRST).targets["randcrowns"], atol=1e-6)
    assert done.table("SCORED_TARGETS")["target_id"].min() == 0


def test_an_extent_cuts_and_counts(run, target_layer, drawn_layers):
    plot = shapely.box(EAST - 10, NORTH - 10, EAST + 20, NORTH + 50)
    done = run(
        "scorecrowns",
        {
            "TARGETS": target_layer,
            "DELINEATIONS": drawn_layers,
            "EXTENT": f"{EAST - 10},{EAST + 20},{NORTH - 10},{NORTH + 50} [EPSG:32617]",
        },
    )
    statuses = done.table("SCORED_TARGETS")["annotator_1_status"]
    outside = [not shapely.intersects(crown, plot) for crown in TARGETS]
    assert statuses[outside].tolist() == ["outside_extent"] * sum(outside)
    assert (statuses[[not gone for gone in outside]] != "outside_extent").all()
    drawn = done.table("SCORED_DELINEATIONS")
    inside = shapely.area(shapely.intersection(FIRST, plot))
    whole = shapely.area(FIRST)[inside > 0]
    np.testing.assert_allclose(drawn.loc[drawn["layer"] == "Annotator 1", "area"], whole, rtol=1e-9)
    assert "outside the extent are excluded" in done.warnings
    layer = layer_of("plots", [plot], kind="Polygon")
    same = run(
        "scorecrowns",
        {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, "EXTENT_LAYER": layer},
    )
    pd.testing.assert_frame_equal(same.table("SCORED_TARGETS"), done.table("SCORED_TARGETS"))


def test_results_are_the_same_every_time(run, target_layer, drawn_layers):
    first = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers})
    second = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers})
    for output in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY", "PAIRS"):
        pd.testing.assert_frame_equal(first.table(output), second.table(output))


def test_every_label_has_help(algorithms):
    for algorithm in algorithms.algorithms():
        assert algorithm.shortHelpString()
        assert algorithm.shortDescription()
        for definition in algorithm.parameterDefinitions():
            assert definition.help(), definition.name()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"PRESET": 1, "ALPHA": 0.9}, "alpha 0.9 was not used: the preset scores with alpha 0.6 m"),
        ({"PRESET": 0, "OMEGA": 9, "GAMMA": 7}, "omega 9, gamma 7 was not used"),
        ({"PRESET": 3, "ALPHA": 0.9}, ""),
        ({"ALPHA": 0.9}, ""),
        ({"PRESET": 1}, ""),
        ({"PRESET": 1, "ALPHA": 0.6, "OMEGA": 3.0, "GAMMA": 3.0}, ""),
    ],
)
def test_lengths_that_a_preset_does_not_read_are_told(run, target_layer, drawn_layers, given, told):
    ran = [run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[:1], **given})]
    if given.get("PRESET", 3) < 2:
        ran.append(run("targetregions", {"TARGETS": target_layer, **given}))
    for done in ran:
        assert told in done.results["INPUT_PROBLEMS"]
        assert (shows(done.warnings, "preset.unread")) == bool(told)


def test_every_field_but_the_targets_own_has_a_declared_alias(run, target_layer, drawn_layers):
    done = run(
        "scorecrowns",
        {"TARGETS": target_layer, "DELINEATIONS": drawn_layers, "RANDCROWNS_THRESHOLD": 0.65},
    )
    aliases, own = {}, [field.name() for field in target_layer.fields()]
    for output in SCORE_OUTPUTS:
        if output.id not in done.results:
            continue
        layer = done.layer(output.id)
        output.style_layer(layer, done.results)
        aliases.update({(output.id, field.name()): field.alias() for field in layer.fields()})
    assert [field for field, alias in aliases.items() if not alias] == [
        ("SCORED_TARGETS", name) for name in own
    ]
    assert aliases["SCORED_TARGETS", "annotator_2_rc"] == "Annotator 2: RC"
    assert aliases["SCORED_TARGETS", "annotator_2_dist"] == "Annotator 2: Distance (m)"
    assert aliases["SCORED_TARGETS", "iouc_var"] == "Variance IoUC"
    assert aliases["SUMMARY", "recall_randcrowns_0_65"] == "Recall at RC 0.65"


def test_no_detection_is_called_false_if_only_some_crowns_were_drawn(run):
    """Also if each delineation has a target: nothing was judged then."""
    boxes = crowns_at([(0, 0), (20, 0)])
    given = {"TARGETS": layer_of("field", boxes), "DELINEATIONS": [layer_of("boxes", boxes)]}
    for all_drawn, words in ((True, "false detections: 0"), (False, "not judged: 0")):
        done = run("scorecrowns", {**given, "ALL_DRAWN": all_drawn}, outputs=())
        record = Provenance.from_json(done.results["PROVENANCE"])
        assert words in " ".join(map(str, record.headline))


def test_where_only_some_crowns_were_drawn_the_others_are_not_judged(
    run, target_layer, drawn_layers
):
    given = {"TARGETS": target_layer, "DELINEATIONS": drawn_layers[1:]}
    all_drawn, some = run("scorecrowns", given), run("scorecrowns", {**given, "ALL_DRAWN": False})
    before, after = (done.table("SUMMARY").iloc[0] for done in (all_drawn, some))
    undefined = [name for name in before.index if name.startswith(("precision", "f1", "penalised"))]
    assert len(undefined) == 13  # precision with both ends of its interval, F1, the penalised mean
    assert before[undefined].notna().all()
    assert after[undefined].isna().all()
    assert (after["not_judged"], before["unmatched_delineations"]) == (1, 1)
    assert pd.isna(after["unmatched_delineations"])
    kept = before.index.difference([*undefined, "unmatched_delineations"])
    pd.testing.assert_series_equal(before[kept], after[kept])
    assert some.table("SCORED_DELINEATIONS")["status"].tolist() == ["matched"] * 12 + ["not_judged"]
    assert shows(some.warnings, "drawn.some")
    assert not [key for key in all_drawn.keys if key.startswith("drawn")]


def test_layers_that_look_swapped_are_told(run, target_layer):
    boxes = layer_of("boxes", TARGETS[:2], fields="&field=score:double", rows=[[0.5], [0.6]])
    done = run("scorecrowns", {"TARGETS": boxes, "DELINEATIONS": [target_layer]})
    assert {"roles.scores", "drawn.doubtful"} <= set(done.keys)
    other = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": [boxes]})
    assert other.keys.count("roles.more_targets") == 1
    assert shows(other.results["WARNING"], "roles.more_targets")


def test_plots_may_be_numbers_here_and_texts_there(run):
    # A CSV file holds texts; a column of whole numbers with gaps holds decimals.
    scores = []
    for kind, values in (("integer", [1, 2]), ("double", [1.0, 2.0]), ("string", ["1.0", " 2"])):
        rows = [[values[number % 2]] for number in range(len(FIRST))]
        drawn = layer_of("drawn", FIRST, kind="Polygon", fields=f"&field=plot:{kind}", rows=rows)
        numbers = [[number % 2 + 1] for number in range(len(FIRST))]
        targets = layer_of("targets", FIRST, fields="&field=plot:integer", rows=numbers)
        given = {"TARGETS": targets, "DELINEATIONS": [drawn], "PLOT_FIELD": "plot"}
        done = run("scorecrowns", given)
        assert done.ok, done.error
        assert not [key for key in done.keys if key.startswith("plots")]
        scores.append(done.results["MEAN_IOU"])
    assert scores == [1.0] * 3


def test_a_plot_field_that_is_not_chosen_is_told_where_it_matters(run, target_layer):
    rows = [["p0"]] * len(FIRST)
    drawn = layer_of("drawn", FIRST, kind="Polygon", fields="&field=plot:string", rows=rows)
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": [drawn]})
    assert "plots.unused_names" in done.keys
    chosen = run(
        "scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": [drawn], "PLOT_FIELD": "plot"}
    )
    assert "plots.unused_names" not in chosen.keys
    assert chosen.results["MEAN_IOU"] < done.results["MEAN_IOU"]
    assert "plots.some_apart" in chosen.keys
    assert shows(chosen.results["INPUT_PROBLEMS"], "plots.alone", layer="targets")


def test_a_field_that_looks_like_scores_is_in_the_log_unless_it_is_chosen(run, target_layer):
    rows = [[0.3]] * len(FIRST)
    found = layer_of("found", FIRST, kind="Polygon", fields="&field=score:double", rows=rows)
    given = {"TARGETS": target_layer, "DELINEATIONS": [found]}
    assert "input.unused_score_field" in run("scorecrowns", given).keys
    chosen = run("scorecrowns", {**given, "SCORE_FIELD": "score", "SCORE_THRESHOLD": 0.1})
    assert "input.unused_score_field" not in chosen.keys


def test_equal_notes_about_several_layers_are_one_message(run, target_layer):
    rows = [[0.3]] * len(FIRST)
    layers = [
        layer_of(name, FIRST, kind="Polygon", fields="&field=score:double", rows=rows)
        for name in ("one", "two", "three")
    ]
    done = run("scorecrowns", {"TARGETS": target_layer, "DELINEATIONS": layers})
    about_scores = [
        str(message) for message in done.messages if message.key == "input.unused_score_field"
    ]
    assert len(about_scores) == 1
    assert about_scores[0].endswith("The same applies to 2 other layers: two, three.")


@pytest.mark.parametrize(
    ("n_plots", "keys"),
    [
        (4, ["interval.too_few_plots"]),
        (6, ["interval.few_plots", "interval.no_zero_plots"]),
        (0, ["interval.no_zero_crowns"]),
    ],
)
def test_intervals_of_few_plots_have_a_note(run, qgis_app, n_plots, keys):
    """Twelve crowns, each with a delineation, in four or six plots or in none."""
    rows = [[f"p{number % max(n_plots, 1)}"] for number in range(len(TARGETS))]
    drawn = shapely.transform(TARGETS, lambda xy: xy + np.array([0.3, -0.2]))
    layers = [
        layer_of(name, outlines, kind="Polygon", fields="&field=plot:string", rows=rows)
        for name, outlines in (("targets", TARGETS), ("drawn", drawn))
    ]
    plot_field = {"PLOT_FIELD": "plot"} if n_plots else {}
    done = run("scorecrowns", {"TARGETS": layers[0], "DELINEATIONS": layers[1:], **plot_field})
    assert done.ok, done.error
    assert [key for key in done.keys if key.startswith("interval.")] == keys
    overall = done.table("SUMMARY").iloc[0]
    assert pd.notna(overall["iou_low"]) == (n_plots != 4)
    # Page Instances has the same notes.
    given = {"TARGETS": layers[0], "PREDICTIONS": layers[1], **plot_field}
    done = run("evaluateinstances", given, outputs=("SUMMARY",))
    assert done.ok, done.error
    assert [key for key in done.keys if key.startswith("interval.")] == keys


def test_what_is_wrong_with_each_crown_is_a_field_and_a_sentence(run, qgis_app):
    """By hand: a box that is drawn too large, one that is missing, and one without a target."""
    targets = box_layer("targets", [(0, 0, 10, 10), (100, 0, 110, 10)])
    drawn = box_layer("drawn", [(-5, -5, 15, 15), (200, 0, 210, 10)])
    lengths = {"PRESET": PRESET.keys.index(OWN), "ALPHA": 0.6, "OMEGA": 3.0, "GAMMA": 3.0}
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn], **lengths})
    assert done.ok, done.error
    scored, delineations = done.table("SCORED_TARGETS"), done.table("SCORED_DELINEATIONS")
    assert scored["drawn_rc_problem"].tolist() == ["too large", "missing"]
    assert (
        scored["drawn_rc_cause"][0]
        == "Delineation 4.0 times the crown, 144.0 m² beyond the tolerance: too large"
    )
    assert delineations["rc_problem"].tolist() == [None, "extra"]
    partly = run(
        "scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn], **lengths, "ALL_DRAWN": False}
    )
    assert partly.table("SCORED_DELINEATIONS")["rc_problem"].tolist() == [None, "not judged"]
    wide = run(
        "scorecrowns",
        {"TARGETS": targets, "DELINEATIONS": [drawn], **lengths, "TOO_LARGE_FROM": 5.0},
    )
    assert wide.table("SCORED_TARGETS")["drawn_rc_problem"][0] == "low overlap"


def test_lengths_that_do_not_suit_the_size_of_the_targets_are_a_warning(run, qgis_app):
    large = layer_of("large", [shapely.box(EAST, NORTH, EAST + 115, NORTH + 115)])
    drawn = layer_of("drawn", [shapely.box(EAST, NORTH, EAST + 115, NORTH + 115)])
    layers = {"TARGETS": large, "DELINEATIONS": [drawn]}
    done = run("scorecrowns", layers)
    assert shows(done.warnings, "lengths.short", alpha=0.7, omega=1.2)
    own = {"PRESET": OWN, "ALPHA": 5.0, "OMEGA": 8.0}
    done = run("scorecrowns", {**layers, **own})
    assert not shows(done.warnings, "lengths.short")

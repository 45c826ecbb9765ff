"""The IDTReeS 2020 preset through Processing."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsVectorLayer
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.shown import shows

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.idtrees import find_target_plots, idtrees_scores

PRESET = 2
PLOTS = [(EAST + x, NORTH, EAST + x + 20, NORTH + 20) for x in (0, 50)]


def boxes(seed, count=8):
    rng = np.random.default_rng(seed)
    low = rng.uniform(0, 16, (count, 2))
    sizes = rng.uniform(2, 4, (count, 2))
    corners = np.hstack([low, low + sizes])
    return np.concatenate([shapely.box(*(corners + np.tile(plot[:2], 2)).T) for plot in PLOTS])


TARGETS, DRAWN = boxes(1), boxes(2)


def test_a_published_plot(run):
    folder = real_data("osbs")

    def layer(name):
        path = folder / f"OSBS_{name}.csv"
        return QgsVectorLayer(
            f"file://{path}?wktField=WKT&crs=EPSG:32617&geomType=polygon", name, "delimitedtext"
        )

    done = run(
        "scorecrowns",
        {
            "TARGETS": layer("ground"),
            "DELINEATIONS": [layer("submission")],
            "PRESET": PRESET,
            "EXTENT": str(folder / "OSBS_24.tif"),
        },
    )
    assert done.ok, done.refused + done.error
    table = done.table("SCORED_TARGETS").set_index("id")
    assert len(table) == 21
    published = {
        1245: (0.6643112249787563, 0.38704581358609796),
        1248: (0.0, 0.0),
        1250: (0.9844192171574266, 0.775527192008879),
        1256: (0.4574803458222697, 0.0),
        1267: (0.7590249751692036, 0.45641389085754785),
    }
    for number, scores in published.items():
        found = table.loc[number, ["submission_rc", "submission_iou"]].astype(float)
        np.testing.assert_allclose(found, scores, rtol=0, atol=1e-12)


def test_one_polygon_per_plot(run):
    plots = layer_of("plots", [shapely.box(*plot) for plot in PLOTS], kind="Polygon")
    targets = layer_of("targets", TARGETS, kind="Polygon")
    drawn = layer_of("drawn", DRAWN, kind="Polygon")
    done = run(
        "scorecrowns",
        {"TARGETS": targets, "DELINEATIONS": [drawn], "PRESET": PRESET, "EXTENT_LAYER": plots},
    )
    assert done.ok, done.refused + done.error
    table = done.table("SCORED_TARGETS")
    for part, plot in zip((slice(0, 8), slice(8, 16)), PLOTS):
        expected = idtrees_scores(TARGETS[part], DRAWN[part], plot)
        np.testing.assert_allclose(
            table["drawn_rc"][part].astype(float), expected["randcrowns"], atol=1e-12
        )
        np.testing.assert_allclose(
            table["drawn_iou"][part].astype(float), expected["iou"], atol=1e-12
        )
        submission = expected["submission"] + 1 + part.start
        match = table["drawn_match"][part].astype(float).to_numpy()
        np.testing.assert_array_equal(
            match, np.where(expected["submission"] < 0, np.nan, submission)
        )
    assert table["drawn_iouc"].isna().all()
    assert done.warnings == ""


@pytest.mark.parametrize("wanted", [True, False])
def test_regions_are_made_where_they_are_wanted(run, tmp_path, wanted):
    given = {
        "TARGETS": layer_of("targets", TARGETS, kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", DRAWN, kind="Polygon")],
        "EXTENT_LAYER": layer_of("plots", [shapely.box(*plot) for plot in PLOTS], kind="Polygon"),
    }
    outputs = ("SCORED_TARGETS", *(["REGIONS"] if wanted else []))
    done = run("scorecrowns", {**given, "PRESET": PRESET}, outputs=outputs)
    assert done.ok, done.refused + done.error
    assert ("REGIONS" in done.results) == wanted
    if wanted:
        assert done.table("REGIONS").groupby("region").size().to_dict() == dict.fromkeys(
            "abeo", len(TARGETS)
        )


def test_targets_outside_every_plot_are_counted(run):
    plots = layer_of("plots", [shapely.box(*PLOTS[0])], kind="Polygon")
    done = run(
        "scorecrowns",
        {
            "TARGETS": layer_of("targets", TARGETS, kind="Polygon"),
            "DELINEATIONS": [layer_of("drawn", DRAWN, kind="Polygon")],
            "PRESET": PRESET,
            "EXTENT_LAYER": plots,
        },
    )
    assert done.table("SCORED_TARGETS")["drawn_status"].tolist()[8:] == ["outside_extent"] * 8
    assert done.table("SUMMARY")["targets"].tolist() == [8]


def test_without_plots_it_says_what_it_needs(run):
    layers = {
        "TARGETS": layer_of("targets", TARGETS, kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", DRAWN, kind="Polygon")],
    }
    refused = run("scorecrowns", {**layers, "PRESET": PRESET}).refused
    assert "requires the bounds of each plot" in refused


def test_plots_of_another_size_are_told(run):
    done = run(
        "scorecrowns",
        {
            "TARGETS": layer_of("targets", TARGETS, kind="Polygon"),
            "DELINEATIONS": [layer_of("drawn", DRAWN, kind="Polygon")],
            "PRESET": PRESET,
            "EXTENT": f"{EAST},{EAST + 40},{NORTH},{NORTH + 40} [EPSG:32617]",
        },
    )
    assert done.ok, done.error
    assert shows(done.warnings, "idtrees.plots", all=1)


def test_a_group_stays_together_in_the_plot_that_most_of_it_lies_in():
    plots = np.array([(0, 0, 20, 20), (20, 0, 40, 20)], dtype=float)
    shapes = np.array(
        [
            shapely.box(1, 1, 5, 5),
            shapely.box(18, 1, 23, 5),
            shapely.box(30, 1, 34, 5),
            shapely.box(60, 1, 64, 5),
        ]
    )
    assert find_target_plots(Crowns(shapes), plots).tolist() == [0, 1, 1, -1]
    groups = np.array(["a", "a", "b", "b"], dtype=object)
    assert find_target_plots(Crowns(shapes, plots=groups), plots).tolist() == [0, 0, 1, -1]


@pytest.mark.parametrize("empty", ["targets", "drawn"])
def test_nothing_on_one_side(run, empty):
    plots = layer_of("plots", [shapely.box(*plot) for plot in PLOTS], kind="Polygon")
    done = run(
        "scorecrowns",
        {
            "TARGETS": layer_of("targets", [] if empty == "targets" else TARGETS, kind="Polygon"),
            "DELINEATIONS": [layer_of("drawn", [] if empty == "drawn" else DRAWN, kind="Polygon")],
            "PRESET": PRESET,
            "EXTENT_LAYER": plots,
        },
    )
    assert done.ok, done.error

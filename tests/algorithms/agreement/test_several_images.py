"""Several images or plots together: comparison with concatenated pixels and with the core."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem
from support.errors import raises
from support.layers import CROWN, EAST, NORTH, crowns_at, layer_of
from support.marks import f1, image_case, plain_raster, plain_rasters, smyth
from support.processing import run_algorithm
from support.shown import shows

from randcrowns.algorithms.multiple_images import group_names_by_image
from randcrowns.core.agreement.consensus import consensus_at_level
from randcrowns.core.agreement.image_correlation import michelson_contrast, window_maximum
from randcrowns.core.agreement.measures import annotator_instances, pairwise_f1, smyth_bound
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable

OUTPUTS = ("AGREEMENT", "DISAGREEMENTS", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "RATIO")
PATTERN = "{image}_{annotator}.tif"


@pytest.fixture
def compare(algorithms, qgis_new_project):
    def run_it(**parameters):
        return run_algorithm(
            "compareannotators",
            {"IMAGES": PATTERN, "BOOTSTRAP_SAMPLES": 100, **parameters},
            outputs=OUTPUTS,
        )

    return run_it


def several(count: int) -> dict[str, dict[str, np.ndarray]]:
    """Decisions by image and annotator; the images differ in size."""
    cases = {
        f"{n:02d}": image_case(30 + n, (40 + n, 50 - n), people=3).annotators
        for n in range(1, count + 1)
    }
    return {
        image: dict(zip(("ann", "ben", "cleo"), drawn.values())) for image, drawn in cases.items()
    }


def test_images_are_one_vote_table_with_rows_for_each(compare, tmp_path):
    images = several(12)
    rasters = plain_rasters(
        tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()}
    )
    done = compare(ANNOTATORS=rasters[::-1])
    assert done.ok, done.refused or done.error
    whole = {
        who: np.concatenate([drawn[who].ravel() for drawn in images.values()])
        for who in ("ann", "ben", "cleo")
    }
    summary = done.table("SUMMARY").set_index(["image", "statistic"])
    over_all = summary.loc["all images"]
    assert over_all.loc["smyth_bound", "value"] == pytest.approx(smyth(whole), abs=1e-12)
    assert over_all.loc["study_area", ["value", "unit"]].tolist() == [whole["ann"].size, "px²"]
    assert over_all.loc["smyth_bound", "blocks"] == 12  # images are resampled
    assert (
        over_all.loc["smyth_bound", "low"]
        < over_all.loc["smyth_bound", "value"]
        < over_all.loc["smyth_bound", "high"]
    )
    for image, drawn in images.items():
        assert summary.loc[(image, "smyth_bound"), "value"] == pytest.approx(
            smyth(drawn), abs=1e-12
        )
    pairs = done.table("ANNOTATOR_PAIRS")
    assert dict(zip(zip(pairs["first"], pairs["second"]), pairs["f1"])) == pytest.approx(f1(whole))
    faces = done.table("AGREEMENT")
    for image, drawn in images.items():
        own = faces[faces["image"] == image]
        assert own["area"].sum() == sum(drawn.values()).astype(bool).sum()
        assert (own["area"] * own["n_yes"]).sum() == sum(marks.sum() for marks in drawn.values())
    assert shows(done.said("images.several"), "images.several", count=12)


def test_names_by_pattern():
    names = ["02_ann", "10_ann", "02_ben b", "10_ben b"]
    assert group_names_by_image("{image}_{annotator}.png", names) == {
        "02": {"ann": "02_ann", "ben b": "02_ben b"},
        "10": {"ann": "10_ann", "ben b": "10_ben b"},
    }
    assert group_names_by_image("{annotator} on {image}", ["a on 1"]) == {"1": {"a": "a on 1"}}
    for pattern, key in (
        ("{image}", "images.invalid_pattern"),
        ("{image}-{annotator}", "images.name_without_pattern"),
        ("", "images.invalid_pattern"),
    ):
        with raises(key, pattern=pattern):
            group_names_by_image(pattern, names)
    with raises("images.missing_raster", image="10", missing="ben b"):
        group_names_by_image(PATTERN, names[:3])


def test_what_several_images_do_not_have_is_refused(compare, tmp_path):
    rasters = plain_rasters(
        tmp_path, {"1_ann": np.eye(9, dtype=bool), "2_ann": np.eye(9, dtype=bool)}
    )
    assert "raster" in compare(ANNOTATORS=rasters, AGREEMENT_RASTER=str(tmp_path / "a.tif")).refused
    assert shows(
        compare(ANNOTATORS=rasters, IMAGES="{image}-{annotator}").refused,
        "images.name_without_pattern",
    )


PEOPLE = ("ann", "ben", "cleo")


def drawn_in_plots(count: int, apart: float = 100.0, plots: bool = True):
    """Return a layer per annotator with plots, and per plot the study area and the drawings."""
    rng, places, drawn = np.random.default_rng(5), {}, {who: {} for who in PEOPLE}
    for n in range(count):
        centre = rng.uniform(8, 32, (4, 2)) + np.array([n * apart, 0])
        places[f"p{n}"] = shapely.box(EAST + n * apart, NORTH, EAST + n * apart + 40, NORTH + 40)
        for who in PEOPLE:
            drawn[who][f"p{n}"] = crowns_at(centre + rng.normal(0, 0.8, (4, 2)), seed=n)
    layers = [
        layer_of(
            who,
            np.concatenate(list(of.values())),
            fields="&field=plot:string" if plots else "",
            rows=[(name,) if plots else () for name, crowns in of.items() for _ in crowns],
        )
        for who, of in drawn.items()
    ]
    return layers, places, drawn


def of_plots(places, drawn):
    """The vote table of each plot, by the core alone."""
    return {
        name: VoteTable.from_polygons({who: of[name] for who, of in drawn.items()}, area)
        for name, area in places.items()
    }


@pytest.mark.parametrize("named", [True, False])
def test_plots_of_a_field_are_one_vote_table_with_rows_for_each(compare, named):
    layers, places, drawn = drawn_in_plots(11)
    rows = [(name,) if named else () for name in places]
    area = layer_of(
        "area", list(places.values()), fields="&field=plot:string" if named else "", rows=rows
    )
    done = compare(IMAGES=None, ANNOTATORS=layers, PLOT_FIELD="plot", EXTENT_LAYER=area)
    assert done.ok, done.refused or done.error
    tables = of_plots(places, drawn)
    whole = VoteTable.merge(list(tables.values()))
    summary = done.table("SUMMARY").set_index(["image", "statistic"])
    over_all = summary.loc["all images"]
    assert over_all.loc["smyth_bound", "value"] == pytest.approx(smyth_bound(whole), abs=1e-9)
    assert over_all.loc["study_area", ["value", "unit"]].tolist() == [
        pytest.approx(11 * 1600),
        "m²",
    ]
    assert over_all.loc["smyth_bound", "blocks"] == 11
    assert (
        over_all.loc["mean_f1", "low"]
        < over_all.loc["mean_f1", "value"]
        < over_all.loc["mean_f1", "high"]
    )
    for name, table in tables.items():
        assert summary.loc[(name, "smyth_bound"), "value"] == pytest.approx(
            smyth_bound(table), abs=1e-9
        )
    faces = done.table("AGREEMENT").groupby("image")["area"].sum()
    assert faces.loc["p3"] == pytest.approx(tables["p3"].weights[tables["p3"].n_yes > 0].sum())
    pairs = done.table("ANNOTATOR_PAIRS").set_index(["first", "second"])["matched"]
    assert pairs["ann", "ben"] == sum(
        annotator_instances({who: of[name] for who, of in drawn.items()}).matched[0]
        for name in places
    )


def test_plots_that_a_study_area_holds_together_are_counted_as_one(compare):
    layers, places, _ = drawn_in_plots(3)
    around = layer_of("area", [shapely.box(*shapely.total_bounds(list(places.values())))])
    given = {"IMAGES": None, "ANNOTATORS": layers, "EXTENT_LAYER": around}
    done, plain = compare(**given, PLOT_FIELD="plot"), compare(**given)
    assert shows(done.said("images.one_area"), "images.one_area", field="plot")
    for one in (done, plain):
        assert one.table("SUMMARY")["value"].tolist() == plain.table("SUMMARY")["value"].tolist()


def test_what_lies_outside_the_study_area_or_in_no_plot_is_told(compare, tmp_path):
    layers, places, _ = drawn_in_plots(3)
    area = layer_of("area", list(places.values())[:2])
    layers[0].dataProvider().changeAttributeValues({1: {0: None}})
    done = compare(IMAGES=None, ANNOTATORS=layers, PLOT_FIELD="plot", EXTENT_LAYER=area)
    assert done.said("images.outside") == "Plots outside the study area do not count: p2."
    assert (
        done.said("images.no_plot")
        == "ann: 1 polygon has nothing in field 'plot' and does not count."
    )
    assert set(done.table("SUMMARY")["image"]) == {"all images", "p0", "p1"}
    alone = compare(
        IMAGES=None,
        ANNOTATORS=layers,
        PLOT_FIELD="plot",
        EXTENT_LAYER=layer_of("one", [places["p0"]]),
    )
    assert "images.no_plot" not in alone.keys  # one plot is one image, of all polygons in it
    without = layer_of("dora", [CROWN])
    assert shows(
        compare(IMAGES=None, ANNOTATORS=[*layers, without], PLOT_FIELD="plot").refused,
        "plots.no_field",
        name="dora",
        field="plot",
    )
    photo = plain_raster(tmp_path / "photo.tif", np.eye(9, dtype=bool))
    for given in ({"BLOCK_SIDE": 5}, {"IMAGE": photo}):
        assert shows(
            compare(IMAGES=None, ANNOTATORS=layers, PLOT_FIELD="plot", **given).refused,
            "images.unsupported_layer",
        )


def test_plots_of_images_without_a_georeference_lie_one_upon_another(compare, tmp_path):
    """Compare polygons in pixel coordinates, with plots by field and one mask for all plots."""
    layers, places, drawn = drawn_in_plots(4, apart=0.0)
    for layer in layers:
        layer.setCrs(QgsCoordinateReferenceSystem())
        ids = [one.id() for one in layer.getFeatures()]
        layer.dataProvider().changeGeometryValues(
            {one: moved_to_pixels(layer.getFeature(one).geometry()) for one in ids}
        )
    mask = plain_raster(tmp_path / "view.tif", np.ones((40, 40), dtype=bool))
    done = compare(IMAGES=None, ANNOTATORS=layers, PLOT_FIELD="plot", EXTENT_RASTER=mask)
    assert done.ok, done.refused or done.error
    tables = of_plots(places, drawn)
    summary = done.table("SUMMARY").set_index(["image", "statistic"])["value"]
    assert summary["all images", "study_area"] == pytest.approx(4 * 1600)
    assert summary["all images", "smyth_bound"] == pytest.approx(
        smyth_bound(VoteTable.merge([*tables.values()]))
    )
    assert summary["p2", "mean_f1"] == pytest.approx(
        pairwise_f1(tables["p2"])[np.triu_indices(3, 1)].mean()
    )


def moved_to_pixels(geometry):
    geometry.translate(-EAST, -NORTH - 40)
    return geometry


def consensus_of(method, **parameters):
    outputs = ("CONSENSUS", "PERFORMANCE", "PRIOR_EFFECT")
    done = run_algorithm(
        "consensus", {"METHOD": METHODS.index(method), **parameters}, outputs=outputs
    )
    assert done.ok, done.refused or done.error
    return done


METHODS = ("0.5", "any", "0.75", "unanimous", "level", "excl-0.5", "staple", "simple", "lsml")


@pytest.mark.parametrize("method", ["0.5", "staple", "lsml"])
def test_a_consensus_of_images_is_estimated_over_all_of_them(
    algorithms, qgis_new_project, tmp_path, method
):
    images = several(2 if method == "lsml" else 4)
    rasters = plain_rasters(
        tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()}
    )
    done = consensus_of(method, ANNOTATORS=rasters, IMAGES=PATTERN)
    whole = VoteTable.merge([VoteTable.from_stack([*drawn.values()]) for drawn in images.values()])
    made = done.table("CONSENSUS")
    if method == "lsml":
        assert set(made["image"]) == set(images)
        return
    marked = whole.on_map(
        consensus_at_level(whole, 0.5) if method == "0.5" else staple(whole, "any").marked
    )
    row = 0
    for image, drawn in images.items():
        shape = drawn["ann"].shape
        own = marked[row : row + shape[0], : shape[1]]
        row += shape[0] + 1
        assert made.loc[made["image"] == image, "area"].sum() == own.sum()
    assert shows(
        run_algorithm(
            "consensus",
            {"ANNOTATORS": rasters, "IMAGES": PATTERN},
            outputs=("CONSENSUS", "CONSENSUS_RASTER"),
        ).refused,
        "images.unsupported_layer",
    )


def test_a_consensus_of_plots_says_its_plot(algorithms, qgis_new_project):
    layers, places, drawn = drawn_in_plots(3)
    area = layer_of("area", list(places.values()))
    done = consensus_of("staple", ANNOTATORS=layers, PLOT_FIELD="plot", EXTENT_LAYER=area)
    whole = VoteTable.merge(list(of_plots(places, drawn).values()))
    em = staple(whole, "any")
    made, performance = done.table("CONSENSUS"), done.table("PERFORMANCE")
    assert made["area"].sum() == pytest.approx(whole.weights[em.marked].sum())
    assert performance["sensitivity"].tolist() == pytest.approx(em.sensitivity.tolist())
    shapes = [
        shapely.from_wkb(bytes(one.geometry().asWkb()))
        for one in done.layer("CONSENSUS").getFeatures()
    ]
    assert all(
        places[name].buffer(1e-6).covers(shape) for name, shape in zip(made["image"], shapes)
    )


def photographs(folder, images, name="{image}_photo"):
    """A photograph of each image that follows the votes somewhat."""
    rng = np.random.default_rng(8)
    values = {
        name.replace("{image}", image): np.float32(40 + 3 * sum(map(np.asarray, drawn.values())))
        + rng.normal(0, 4, drawn["ann"].shape).astype(np.float32)
        for image, drawn in images.items()
    }
    return values, plain_rasters(folder, values)


@pytest.mark.parametrize("name", ["{image}_photo", "{image}"])
def test_agreement_follows_the_images_over_all_and_on_each(
    algorithms, qgis_new_project, tmp_path, name
):
    images = several(8)
    rasters = plain_rasters(
        tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()}
    )
    values, layers = photographs(tmp_path, images, name)
    given = {
        "ANNOTATORS": rasters,
        "IMAGES": PATTERN,
        "IMAGE": layers[3],
        "WINDOW": 5,
        "BOOTSTRAP_SAMPLES": 100,
    }
    done = run_algorithm("compareannotators", given, outputs=("SUMMARY", "IMAGE_TABLE"))
    assert done.ok, done.refused or done.error
    found = done.table("IMAGE_TABLE").set_index(["image", "property"])
    votes = {
        image: sum(marks.astype(int) for marks in drawn.values()) for image, drawn in images.items()
    }
    pairs = {
        "intensity": [(photo, votes[image]) for image, photo in zip(images, values.values())],
        "contrast": [
            (michelson_contrast(photo, 5), window_maximum(votes[image], 5))
            for image, photo in zip(images, values.values())
        ],
    }
    for what, of_images in pairs.items():
        for image, (x, y) in zip(images, of_images):
            assert found.loc[(image, what), "correlation"] == pytest.approx(
                np.corrcoef(x.flat, y.flat)[0, 1], abs=1e-9
            )
        x, y = (np.concatenate([pair[k].ravel() for pair in of_images]) for k in (0, 1))
        assert found.loc[("all images", what), "correlation"] == pytest.approx(
            np.corrcoef(x, y)[0, 1], abs=1e-9
        )
    over_all = found.loc[("all images", "intensity")]
    assert over_all["n_blocks"] == 8  # the images
    assert over_all["low"] < over_all["correlation"] < over_all["high"]


def test_an_image_without_its_raster_is_refused_by_name(algorithms, qgis_new_project, tmp_path):
    images = several(3)
    rasters = plain_rasters(
        tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()}
    )
    _, layers = photographs(tmp_path, images)
    (tmp_path / "02_photo.tif").unlink()
    given = {"ANNOTATORS": rasters, "IMAGES": PATTERN, "IMAGE": layers[0], "BOOTSTRAP_SAMPLES": 2}
    refused = run_algorithm("compareannotators", given, outputs=("IMAGE_TABLE",)).refused
    assert shows(
        refused,
        "images.missing_file",
        image="02",
        file="02_photo.tif",
        name="01_photo",
        label="Image",
    )


def test_a_photograph_without_data_is_told(algorithms, qgis_new_project, tmp_path):
    images = several(3)
    rasters = plain_rasters(
        tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()}
    )
    values, layers = photographs(tmp_path, images)
    plain_raster(tmp_path / "02_photo.tif", np.full_like(values["02_photo"], np.nan))
    given = {"ANNOTATORS": rasters, "IMAGES": PATTERN, "IMAGE": layers[0], "BOOTSTRAP_SAMPLES": 2}
    done = run_algorithm("compareannotators", given, outputs=("IMAGE_TABLE",))
    assert done.said("image.no_correlation").startswith(
        "Image '02_photo': no correlation with intensity"
    )
    found = done.table("IMAGE_TABLE").set_index(["image", "property"])["correlation"]
    assert np.isnan(found["02", "intensity"])
    assert found["all images", "intensity"] > 0

"""randcrowns:consensus: every method's polygons, its probabilities, and how it says what it is."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.processing import run_algorithm
from support.shown import shows

from randcrowns.algorithms.agreement.consensus_methods import describe_method
from randcrowns.algorithms.agreement.schema.parameters import CONSENSUS_PARAMETERS, METHOD
from randcrowns.algorithms.estimation_parameters import CLIPPED, CURVATURE, MAX_ITERATIONS, PRIOR
from randcrowns.algorithms.parameter_types import RunSettings
from randcrowns.core.agreement.consensus import CONSENSUS_METHODS, EstimationOptions
from randcrowns.core.agreement.staple_em import staple, staple_priors
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.layers.styles.styles import style_consensus

OUTPUTS = ("CONSENSUS",)


def square(x, y, side=10.0):
    return shapely.box(EAST + x, NORTH + y, EAST + x + side, NORTH + y + side)


AREA = square(0, 0, 60)
DRAWN = {
    "ann": [square(10, 10), square(30, 30)],
    "bob": [square(12, 10), square(30, 32)],
    "cleo": [square(10, 13)],
    "dan": [square(11, 11), square(45, 45)],
}


@pytest.fixture
def make(algorithms, qgis_new_project):
    def run_it(drawn=None, **parameters):
        layers = [layer_of(name, polygons) for name, polygons in (drawn or DRAWN).items()]
        given = {"ANNOTATORS": layers, "EXTENT_LAYER": layer_of("area", [AREA]), **parameters}
        return run_algorithm("consensus", given, outputs=OUTPUTS)

    return run_it


@pytest.mark.parametrize(
    "key", [key for key in METHOD.keys if key in CONSENSUS_METHODS and key != "lsml"]
)
def test_voting_and_estimation_are_cores(make, key):
    votes = VoteTable.from_polygons(DRAWN, AREA)
    expected = votes.weights[CONSENSUS_METHODS[key](votes)].sum()
    for resolution in (0, 0.5):
        done = make(METHOD=METHOD.keys.index(key), RESOLUTION=resolution)
        assert done.ok, done.error
        assert done.results["MARKED"] == pytest.approx(expected)
        table = done.table("CONSENSUS")
        assert table["area"].sum() == pytest.approx(expected)
        assert set(table["method"]) == {key}


def test_excluded_outliers_have_a_note_about_chance(make):
    done = make(METHOD=METHOD.keys.index("excl-0.5"))
    assert any(key.startswith("outliers.") for key in done.keys)
    done = make(METHOD=METHOD.keys.index("0.5"))
    assert not any(key.startswith("outliers.") for key in done.keys)


def test_level_and_contour(make):
    strict = make(METHOD=METHOD.keys.index("level"), LEVEL=0.6)
    assert strict.results["MARKED"] == pytest.approx(
        make(METHOD=METHOD.keys.index("0.75")).results["MARKED"]
    )
    contour = make(METHOD=METHOD.keys.index("lsml"), RESOLUTION=1)
    assert contour.ok, contour.error
    assert 0 < contour.results["MARKED"] <= make(METHOD=METHOD.keys.index("any")).results["MARKED"]


def test_metadata_and_fields_say_how_it_was_made(make, tmp_path):
    done = make(METHOD=METHOD.keys.index("staple"), PRIOR=2, PRIOR_VALUE=0.3)
    table = done.table("CONSENSUS")
    assert "prior=0.3" in table["parameters"].iloc[0]
    said = done.layer("CONSENSUS").metadata().abstract()
    assert "STAPLE" in said
    assert "STAPLE: prior: A number" in said
    assert "0.3" in said
    assert "Annotators: ann, bob, cleo, dan" in said
    path = tmp_path / "consensus.gpkg"
    make(METHOD=METHOD.keys.index("0.5"), CONSENSUS=str(path))
    kept = QgsVectorLayer(f"{path}|layername=consensus", "consensus", "ogr")
    kept.loadDefaultMetadata()
    assert "0.5-GT" in kept.metadata().abstract()


def test_probabilities_and_the_prior(make, tmp_path):
    path = tmp_path / "p.tif"
    done = make(
        METHOD=METHOD.keys.index("staple"),
        RESOLUTION=1,
        PROBABILITY=str(path),
        PRIOR_EFFECT="TEMPORARY_OUTPUT",
        PERFORMANCE="TEMPORARY_OUTPUT",
    )
    assert done.ok, done.error
    values = gdal.Open(str(path)).ReadAsArray()
    assert values.shape == (60, 60)
    assert (values >= 0.5).sum() == pytest.approx(done.results["MARKED"])
    priors = done.table("PRIOR_EFFECT")
    assert (np.diff(priors["marked"]) >= -1e-9).all()
    assert done.table("PERFORMANCE")["annotator"].tolist() == list(DRAWN)
    assert "staple.prior" in done.keys


def test_what_the_prior_does_heeds_the_treatment_of_what_all_agree_on(make):
    votes = VoteTable.from_polygons(DRAWN, AREA)
    for fixed in (False, True):
        done = make(
            METHOD=METHOD.keys.index("staple"),
            ASSIGN_CONSENSUS=fixed,
            PRIOR_EFFECT="TEMPORARY_OUTPUT",
        )
        expected = staple_priors(votes, assign_consensus=fixed, used_prior="any")
        assert done.table("PRIOR_EFFECT")["iterations"].tolist() == expected["iterations"].tolist()
        assert done.table("PRIOR_EFFECT")["marked"].to_numpy() == pytest.approx(
            expected["marked"].to_numpy()
        )


@pytest.mark.parametrize("method", ["0.5", "lsml"])
def test_the_raster_is_1_inside_0_outside_and_no_data_beyond_the_area(make, tmp_path, method):
    """Return equal squares of 10 x 10 m in a study area: the upper 40 m of 60 m, and a corner."""
    drawn = {name: [square(10, 25)] for name in ("ann", "bob", "cleo")}
    area = shapely.difference(AREA, shapely.box(EAST, NORTH, EAST + 60, NORTH + 20))
    into = tmp_path / "made.tif"
    given = {"METHOD": METHOD.keys.index(method), "RESOLUTION": 1.0, "CONSENSUS_RASTER": str(into)}
    done = make(drawn, EXTENT_LAYER=layer_of("part", [area, square(0, 0, 2)]), **given)
    assert done.ok, done.error
    expected = np.full((60, 60), 255)
    expected[:40] = 0
    expected[25:35, 10:20] = 1
    expected[58:, :2] = 0
    assert gdal.Open(str(into)).ReadAsArray().tolist() == expected.tolist()


@pytest.mark.parametrize(("method", "resolution"), [("staple", 0), ("staple", 1), ("lsml", 1)])
def test_what_is_marked_although_nobody_marked_it_is_counted(make, method, resolution):
    parameters = {
        "METHOD": METHOD.keys.index(method),
        "RESOLUTION": resolution,
        "PRIOR": 2,
        "PRIOR_VALUE": 0.9999,
    }
    done = make(CLIPPED=False, **parameters)
    assert done.ok, done.error
    anybody = shapely.union_all(np.concatenate(list(DRAWN.values())))
    found = [
        shapely.from_wkt(feature.geometry().asWkt())
        for feature in done.layer("CONSENSUS").getFeatures()
    ]
    beyond = shapely.area(shapely.difference(shapely.union_all(found), anybody))
    assert beyond > 1
    assert done.results["MARKED_BY_NOBODY"] == pytest.approx(beyond, rel=1e-6)
    assert (
        make(METHOD=METHOD.keys.index("any"), RESOLUTION=resolution).results["MARKED_BY_NOBODY"]
        == 0
    )


def test_each_consensus_has_a_name_of_its_own(make, tmp_path):
    answers = tmp_path / "answers.csv"
    rows = [f"{name},1,4,5,6,5.5" for name in DRAWN]
    answers.write_text("\n".join(["annotator,question,low,median,high,true_value", *rows]))
    titles = {
        key: make(
            METHOD=METHOD.keys.index(key),
            RESOLUTION=2,
            LEVEL=0.3,
            PRIOR=2,
            PRIOR_VALUE=0.25,
            ANSWERS=str(answers),
        ).results["TITLE"]
        for key in METHOD.keys
    }
    assert len(set(titles.values())) == len(METHOD.keys)
    assert titles["staple"] == "STAPLE, prior 0.25"
    assert titles["level"] == "at least 0.3"
    assert (
        make(METHOD=0, LEAVE_ONE_OUT=True).results["TITLE"]
        == "Half or more (0.5-GT), without each annotator"
    )
    assert make(METHOD=METHOD.keys.index("staple")).results["TITLE"] == "STAPLE, prior any"
    mean = make(METHOD=METHOD.keys.index("staple"), PRIOR=PRIOR.keys.index("mean"))
    assert mean.results["TITLE"] == "STAPLE, prior mean"
    marked = sum(shapely.area(polygons).sum() for polygons in map(np.array, DRAWN.values()))
    assert mean.results["PRIOR_USED"] == pytest.approx(marked / 4 / AREA.area)


def test_consensuses_without_each_annotator_are_told_apart_on_the_map(make):
    done = make(METHOD=METHOD.keys.index("any"), LEAVE_ONE_OUT=True)
    layer = done.layer("CONSENSUS")
    style_consensus(layer, {"bob": "#ff0000"})
    assert layer.renderer().classAttribute() == "excluded"
    colours = {
        one.value(): one.symbol().symbolLayers()[-1].strokeColor().name()
        for one in layer.renderer().categories()
    }
    assert set(colours) == set(DRAWN)
    assert colours["bob"] == "#ff0000"
    assert len(set(colours.values())) == len(DRAWN)


def test_leaving_each_out(make):
    done = make(METHOD=METHOD.keys.index("unanimous"), LEAVE_ONE_OUT=True)
    table = done.table("CONSENSUS")
    votes = VoteTable.from_polygons(DRAWN, AREA)
    for k, name in enumerate(DRAWN):
        rest = votes.without(k)
        expected = rest.weights[CONSENSUS_METHODS["unanimous"](rest)].sum()
        assert table.loc[table["excluded"] == name, "area"].sum() == pytest.approx(expected)


def test_leaving_each_out_reports_the_messages_of_each(make):
    done = make(METHOD=METHOD.keys.index("staple"), LEAVE_ONE_OUT=True)
    votes = VoteTable.from_polygons(DRAWN, AREA)
    expected = [
        str(EstimationOptions().staple_with_message(votes.without(k)).messages[0]) for k in range(4)
    ]
    assert len(set(expected)) > 1
    assert done.said("staple.prior").split("\n") == list(dict.fromkeys(expected))


def test_leaving_each_out_gives_numbers_for_each(make):
    done = make(METHOD=METHOD.keys.index("staple"), PRIOR=2, PRIOR_VALUE=0.999, LEAVE_ONE_OUT=True)
    for name in ("MARKED", "MARKED_BY_NOBODY", "PRIOR_USED"):
        assert np.isnan(done.results[name])
    table = done.table("CONSENSUS")
    assert set(table["prior"]) == {0.999}
    votes = VoteTable.from_polygons(DRAWN, AREA)
    for k, name in enumerate(DRAWN):
        rest = votes.without(k)
        marked = staple(rest, 0.999).marked
        own = table[table["excluded"] == name]
        assert set(own["marked"].round(6)) == {round(rest.weights[marked].sum(), 6)}
        assert set(own["by_nobody"].round(6)) == {
            round(rest.weights[marked & (rest.n_yes == 0)].sum(), 6)
        }
    assert len(set(table["by_nobody"].round(6))) == len(DRAWN)
    mean = make(
        METHOD=METHOD.keys.index("staple"), PRIOR=PRIOR.keys.index("mean"), LEAVE_ONE_OUT=True
    ).table("CONSENSUS")
    areas = {name: shapely.area(polygons).sum() for name, polygons in DRAWN.items()}
    expected = {name: (sum(areas.values()) - own) / 3 / AREA.area for name, own in areas.items()}
    assert dict(zip(mean["excluded"], mean["prior"])) == pytest.approx(expected)


def test_an_empty_consensus_without_somebody_is_told(make):
    drawn = {"ann": [square(10, 10)], "bob": [square(10, 10)], "cleo": [square(40, 40)]}
    done = make(drawn, METHOD=METHOD.keys.index("unanimous"), LEAVE_ONE_OUT=True)
    assert set(done.table("CONSENSUS")["excluded"]) == {"cleo"}
    assert done.said("consensus") == "The consensus is empty without ann, bob."
    assert done.said("consensus") in done.warnings
    assert make(drawn, METHOD=METHOD.keys.index("any"), LEAVE_ONE_OUT=True).said("consensus") == ""


def test_simple_of_two_is_told_to_be_one_persons(make):
    drawn = {"ann": [square(10, 10)], "bob": [square(12, 10, 14)]}
    notes = {
        number: make(dict(list(drawn.items())[:number]), METHOD=METHOD.keys.index("simple")).keys
        for number in (1, 2)
    }
    assert "agreement.simple_two_annotators" in notes[2]
    assert "agreement.simple_two_annotators" not in notes[1]
    assert "agreement.simple_two_annotators" not in make(METHOD=METHOD.keys.index("simple")).keys


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"METHOD": METHOD.keys.index("lsml")}, "LSML requires a pixel size"),
        ({"PROBABILITY": "TEMPORARY_OUTPUT"}, "Only STAPLE"),
        (
            {"METHOD": METHOD.keys.index("staple"), "PROBABILITY": "TEMPORARY_OUTPUT"},
            "requires a pixel size",
        ),
        (
            {"METHOD": METHOD.keys.index("staple"), "PRIOR": 2, "PRIOR_VALUE": 0.0},
            "must be at least",
        ),
    ],
)
def test_refusals(make, parameters, sentence):
    assert sentence in make(**parameters).refused


def test_nothing_marked_gives_an_empty_layer(make):
    done = make(
        {"a": [square(10, 10)], "b": [square(40, 40)]}, METHOD=METHOD.keys.index("unanimous")
    )
    assert done.ok, done.error
    assert done.layer("CONSENSUS").featureCount() == 0
    assert done.results["MARKED"] == 0


def test_twelve_experts_exactly_and_in_pixels(make):
    folder = real_data("rts_peel")
    layers = [
        QgsVectorLayer(str(path), path.stem[-2:], "ogr")
        for path in sorted(folder.glob("annotator_*.shp"))
    ]
    area = QgsVectorLayer(str(folder / "Peel_AOI_2500.geojson"), "area", "ogr")
    marked = [
        make(
            ANNOTATORS=layers,
            EXTENT_LAYER=area,
            METHOD=METHOD.keys.index("staple"),
            RESOLUTION=size,
        ).results["MARKED"]
        for size in (0, 2)
    ]
    assert marked[0] == pytest.approx(marked[1], rel=5e-3)


def test_outputs_are_loaded_with_their_styles_into_one_group(
    algorithms, qgis_new_project, tmp_path
):
    from processing.gui.AlgorithmExecutor import execute
    from processing.gui.Postprocessing import handleAlgorithmResults

    for name, parameters, output, renderer in (
        (
            "compareannotators",
            {"AGREEMENT_RASTER": str(tmp_path / "a.tif"), "RESOLUTION": 1, "BOOTSTRAP_SAMPLES": 2},
            "AGREEMENT",
            "categorized",
        ),
        ("consensus", {}, "CONSENSUS", "singleSymbol"),
    ):
        context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
        context.setProject(QgsProject.instance())
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
        layers = [layer_of(person, polygons) for person, polygons in DRAWN.items()]
        given = {"ANNOTATORS": layers, "EXTENT_LAYER": layer_of("area", [AREA]), **parameters}
        for key in (output, *(key for key in parameters if key.endswith("RASTER"))):
            place = given.get(key, "TEMPORARY_OUTPUT")
            given[key] = QgsProcessingOutputLayerDefinition(place, QgsProject.instance())
        fine, _ = execute(algorithm, given, context, feedback)
        assert fine, feedback.textLog()
        handleAlgorithmResults(algorithm, context, feedback)
        groups = QgsProject.instance().layerTreeRoot().findGroups()
        assert len(groups) == 1
        loaded = [node.layer() for node in groups[0].findLayers()]
        faces = next(layer for layer in loaded if isinstance(layer, QgsVectorLayer))
        assert faces.renderer().type().startswith(renderer)
        assert faces.name() == {"CONSENSUS": "Consensus: Half or more (0.5-GT)"}.get(
            output, faces.name()
        )
        assert len(loaded) == 1 + ("AGREEMENT_RASTER" in parameters)
        QgsProject.instance().clear()


def test_the_layer_is_called_by_what_is_unusual_about_lsml():
    usual = {**{choice: choice.default for choice in CONSENSUS_PARAMETERS}, METHOD: "lsml"}
    unusual = ({}, {CLIPPED: False}, {MAX_ITERATIONS: 1, CURVATURE: 0.25}, {MAX_ITERATIONS: 20})
    rest = frozenset(), QgsCoordinateTransformContext(), ()
    titles = [describe_method(RunSettings({**usual, **choices}, *rest)) for choices in unusual]
    assert titles == [
        "LSML",
        "LSML, not clipped",
        "LSML, 1 round, curvature 0.25",
        "LSML, 20 rounds",
    ]


def test_one_annotator_is_counted_as_one(make):
    done = make({"ann": [square(10, 10)]})
    assert "from 1 annotator (ann)" in done.results["METHOD_USED"]
    assert "from 4 annotators (ann, bob, cleo, dan)" in make().results["METHOD_USED"]


@pytest.mark.parametrize(
    ("name", "value"), [("SIMPLE_FACTOR", 1e300), ("CURVATURE", 1e9), ("MAX_ITERATIONS", 10**9)]
)
def test_absurd_numbers_are_refused(make, name, value):
    refused = make(**{name: value}).refused
    assert shows(refused, "number.above_maximum", value=value)


@pytest.mark.parametrize("name", ["MIN_AREA", "BLOCK_SIDE"])
def test_absurd_areas_and_blocks_are_refused(algorithms, qgis_new_project, name):
    given = {"ANNOTATORS": [layer_of("ann", [square(10, 10)])], name: 1e12}
    refused = run_algorithm("compareannotators", given, outputs=("AGREEMENT",)).refused
    assert shows(refused, "number.above_maximum", most=1000000.0, value=1000000000000.0)


def test_dark_pixels_of_an_image_cut_no_holes_into_the_study_area(make, tmp_path):
    values = np.random.default_rng(1).integers(0, 3, (3, 60, 60)).astype(np.uint8)
    path = tmp_path / "photo.tif"
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 60, 60, 3, gdal.GDT_Byte)
    dataset.SetGeoTransform((EAST, 1, 0, NORTH + 60, 0, -1))
    dataset.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    dataset.WriteArray(values)
    del dataset
    photo = QgsRasterLayer(str(path), "photo")
    expected = make(METHOD=METHOD.keys.index("0.5")).results["MARKED"]
    done = make(METHOD=METHOD.keys.index("0.5"), EXTENT_LAYER=None, EXTENT_RASTER=photo)
    assert done.ok, done.error
    assert done.results["MARKED"] == pytest.approx(expected)
    assert shows(done.said("areas.image"), "areas.image", name="photo", bands=3)


#: Rectangles on 4 x 2 m: left oak, oak and, on the lower half, ash; right oak, ash and ash.
CLASSED = {
    "ann": ([(0, 0, 4, 2)], ["oak"]),
    "ben": ([(0, 0, 2, 2), (2, 0, 4, 2)], ["oak", "ash"]),
    "cleo": ([(0, 0, 4, 1)], ["ash"]),
}


def _make_classed(**parameters):
    layers = [
        layer_of(
            name,
            [shapely.box(EAST + a, NORTH + b, EAST + c, NORTH + d) for a, b, c, d in rows],
            fields="&field=species:string",
            rows=[[label] for label in classes],
        )
        for name, (rows, classes) in CLASSED.items()
    ]
    given = {"ANNOTATORS": layers, "METHOD": METHOD.keys.index("any"), "CLASS_FIELD": "species"}
    done = run_algorithm(
        "consensus", {**given, **parameters}, outputs=("CONSENSUS", "CLASS_PERFORMANCE")
    )
    assert done.ok, done.error
    return done


@pytest.mark.parametrize("resolution", [0, 0.5])
def test_areas_are_divided_by_class(algorithms, qgis_new_project, resolution):
    rows = _make_classed(RESOLUTION=resolution).table("CONSENSUS")
    rows["crown_class"] = rows["crown_class"].fillna("")
    rows = rows.set_index("crown_class")
    assert rows["area"].to_dict() == pytest.approx({"oak": 4, "ash": 2, "": 2})
    shares = {"oak": (2 / 3 + 1) / 2, "ash": 2 / 3, "": 0.5}
    assert rows["class_share"].to_dict() == pytest.approx(shares)
    assert rows.loc["", "tied_classes"] == "ash = oak"
    rest = _make_classed(RESOLUTION=resolution, LEAVE_ONE_OUT=True).table("CONSENSUS")
    # Without cleo, the left half is oak and the right half a tie.
    without = rest[rest["excluded"] == "cleo"].fillna({"crown_class": ""})
    areas = without.set_index("crown_class")["area"].to_dict()
    assert areas == pytest.approx({"oak": 4, "": 4})


def test_staple_estimates_the_classes_of_areas(algorithms, qgis_new_project):
    exact, pixels = (_make_classed(CLASS_RULE=1, RESOLUTION=size) for size in (0, 0.25))
    for done in (exact, pixels):
        assert done.table("CONSENSUS")["class_probability"].between(0.5, 1).all()
        assert "class=staple" in done.table("CONSENSUS")["parameters"].iloc[0]
    tables = [done.table("CLASS_PERFORMANCE") for done in (exact, pixels)]
    assert set(tables[0]["annotator"]) == set(CLASSED)
    assert tables[1]["probability"].tolist() == pytest.approx(
        tables[0]["probability"].tolist(), abs=1e-9, nan_ok=True
    )


def test_without_a_class_field_areas_are_not_divided(algorithms, qgis_new_project):
    table = _make_classed(CLASS_FIELD="").table("CONSENSUS")
    assert table["area"].tolist() == pytest.approx([8.0])
    assert "crown_class" not in table or table["crown_class"].isna().all()

"""The same algorithm from a model, in batch, loaded into a project, and from the command line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMultipleLayers,
    QgsProject,
    QgsReferencedRectangle,
    QgsRenderContext,
    QgsVectorLayer,
)
from support.layers import crowns_at, layer_of, save
from support.processing import Listener, attributes

from randcrowns.algorithms.run_history import read_runs
from randcrowns.layers.vector.write import RESULT_PROPERTY

PLACES = [(0, 0), (20, 0), (40, 0)]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def files(qgis_app, tmp_path):
    targets = save(
        layer_of("targets", crowns_at(PLACES), kind="Polygon"), tmp_path / "targets.gpkg"
    )
    drawn = [
        save(
            layer_of(f"drawn {seed}", crowns_at(PLACES, seed=seed), kind="Polygon"),
            tmp_path / f"drawn {seed}.gpkg",
        )
        for seed in (2, 3)
    ]
    return targets.source(), [layer.source() for layer in drawn]


def test_from_a_model(algorithms, qgis_new_project, files):
    model = QgsProcessingModelAlgorithm("plot", "plots")
    model.addModelParameter(
        QgsProcessingParameterFeatureSource("T", "targets"), QgsProcessingModelParameter("T")
    )
    model.addModelParameter(
        QgsProcessingParameterMultipleLayers("D", "drawn"), QgsProcessingModelParameter("D")
    )
    source = QgsProcessingModelChildParameterSource
    regions = QgsProcessingModelChildAlgorithm("randcrowns:targetregions")
    regions.setChildId("regions")
    regions.addParameterSources("TARGETS", [source.fromModelParameter("T")])
    model.addChildAlgorithm(regions)
    child = QgsProcessingModelChildAlgorithm("randcrowns:scorecrowns")
    child.setChildId("score")
    child.addParameterSources("TARGETS", [source.fromModelParameter("T")])
    child.addParameterSources("DELINEATIONS", [source.fromModelParameter("D")])
    output = QgsProcessingModelOutput("out", "out")
    output.setChildOutputName("SCORED_TARGETS")
    child.setModelOutputs({"out": output})
    model.addChildAlgorithm(child)
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    listener = Listener()
    model.initAlgorithm()
    destination = next(d.name() for d in model.destinationParameterDefinitions())
    results, fine = model.run(
        {"T": files[0], "D": files[1], destination: "TEMPORARY_OUTPUT"}, context, listener
    )
    assert fine, listener.errors
    table = attributes(context.getMapLayer(results[destination]))
    assert table["drawn_2_status"].tolist() == ["scored"] * 3


def test_loaded_layers_are_styled_and_stand_in_one_group(algorithms, qgis_new_project, files):
    import processing
    from processing.core.Processing import Processing
    from processing.gui.Postprocessing import handleAlgorithmResults
    from qgis.core import QgsApplication

    Processing.initialize()
    assert processing
    context, listener = QgsProcessingContext(), Listener()
    context.setProject(QgsProject.instance())
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    from qgis.core import QgsProcessingOutputLayerDefinition

    outputs = {
        name: QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", QgsProject.instance())
        for name in ("SCORED_TARGETS", "REGIONS", "SUMMARY", "PAIRS")
    }
    parameters = {"TARGETS": files[0], "DELINEATIONS": files[1], **outputs}
    _, fine = algorithm.run(parameters, context, listener)
    assert fine, listener.errors
    assert handleAlgorithmResults(algorithm, context, listener, parameters=parameters)
    (group,) = QgsProject.instance().layerTreeRoot().children()
    assert group.name().startswith("targets vs ")
    assert ", Score crowns, " in group.name()
    layers = [node.layer() for node in group.findLayers()]
    assert [layer.name() for layer in layers] == ["Scored targets", "Pairs", "Regions", "Summary"]
    assert [category.value() for category in layers[2].renderer().categories()] == [
        "b",
        "e",
        "o",
        "a",
    ]
    assert layers[0].renderer().type() == "categorizedSymbol"
    assert layers[0].mapTipTemplate()
    shown = [node.itemVisibilityChecked() for node in group.findLayers()]
    assert shown == [True, False, False, True]
    assert [layer.customProperty(RESULT_PROPERTY) for layer in layers] == [
        "SCORED_TARGETS",
        "PAIRS",
        "REGIONS",
        "SUMMARY",
    ]


def test_a_layer_deleted_before_it_is_styled_does_no_harm(qgis_new_project):
    from qgis.core import QgsProcessingLayerPostProcessorInterface

    from randcrowns.algorithms.output_types import style_when_loaded
    from randcrowns.algorithms.scoring.schema.outputs import REGIONS, SCORE_OUTPUTS

    class Details:
        def setPostProcessor(self, styler):  # noqa: N802
            self.styler = styler

    details = Details()
    style_when_loaded(details, SCORE_OUTPUTS, REGIONS.id, "run", {}, lambda layer, output: None)
    assert isinstance(details.styler, QgsProcessingLayerPostProcessorInterface)
    details.styler.postProcessLayer(None, QgsProcessingContext(), Listener())
    details.styler.postProcessLayer(layer_of("r", []), QgsProcessingContext(), Listener())


def test_from_the_command_line_by_the_command_that_a_run_tells(qgis_process, run, files, tmp_path):
    project, file, (source, drawn) = QgsProject.instance(), tmp_path / "results.gpkg", files
    targets, *delineations = (
        QgsVectorLayer(one, Path(one.partition("|")[0]).stem, "ogr") for one in (source, *drawn)
    )
    project.addMapLayers([targets, *delineations])
    places = {
        name: f"ogr:dbname='{file}' table=\"{name.lower()}\" (geom)"
        for name in ("SCORED_TARGETS", "REGIONS")
    }
    places["SUMMARY"] = f"ogr:dbname='{file}' table=\"summary\""
    extent = QgsReferencedRectangle(targets.extent().buffered(5), targets.crs())
    sides = {"TARGETS": targets.id(), "DELINEATIONS": [layer.id() for layer in delineations]}
    chosen = {"EXTENT": extent, "ALL_DRAWN": False, "OMEGA": 1.5, "PRESET": 3}
    first = run("scorecrowns", {**sides, **chosen, **places}, outputs=())
    assert first.ok, first.refused or first.error
    (found,) = read_runs(project, [str(file)])
    assert found.unrepeatable_inputs == []
    program, verb, *words = shlex.split(found.command_to_repeat)
    assert (program, verb) == ("qgis_process", "run")
    (place,) = (number for number, word in enumerate(words) if word.startswith("SUMMARY="))
    words[place] = "SUMMARY=summary.csv"
    done = qgis_process(verb, "--json", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(done.stdout[done.stdout.index("{") :])["results"]
    assert json.loads(results["PREFIXES"])[0]["prefix"] == "drawn_2"
    assert (tmp_path / "summary.csv").read_text().count("\n") == 3
    table = attributes(QgsVectorLayer(str(tmp_path / "scored_targets.gpkg"), "scored", "ogr"))
    assert table["drawn_2_status"].tolist() == ["scored"] * 3
    (again,) = read_runs(QgsProject(), [str(tmp_path / "scored_targets.gpkg")])
    pairs = zip(again.record.entries, found.record.entries)
    assert {entry.name for entry, other in pairs if entry.words != other.words} <= {"time"}
    assert again.conclusion == found.conclusion
    words = [word for word in words if not word.startswith("ALPHA=")]
    refused = qgis_process(verb, *words, "ALPHA=nan", cwd=tmp_path)
    assert refused.returncode != 0


def test_layers_of_one_file_are_named_after_their_tables(run, tmp_path):
    path = tmp_path / "all.gpkg"
    for seed, name in enumerate(("field", "anna", "ben"), 1):
        save(layer_of(name, crowns_at(PLACES, seed=seed), kind="Polygon"), path, name=name)
    sources = [f"{path}|layername={name}" for name in ("field", "anna", "ben")]
    done = run("scorecrowns", {"TARGETS": sources[0], "DELINEATIONS": sources[1:]})
    assert [named["prefix"] for named in json.loads(done.results["PREFIXES"])] == ["anna", "ben"]
    assert set(done.table("SUMMARY")["layer"]) == {"anna", "ben"}


def test_a_layer_the_user_named_keeps_its_name(run, tmp_path):
    path = tmp_path / "all.gpkg"
    save(layer_of("field", crowns_at(PLACES), kind="Polygon"), path, name="field")
    layer = save(layer_of("all", crowns_at(PLACES, seed=2), kind="Polygon"), path, name="anna")
    QgsProject.instance().addMapLayer(layer)
    done = run("scorecrowns", {"TARGETS": f"{path}|layername=field", "DELINEATIONS": [layer.id()]})
    assert json.loads(done.results["PREFIXES"])[0]["layer"] == "all"


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        (
            "annotatorvariance",
            {},
            [
                "Targets with variance",
                "Delineations with scores",
                "Excluded crowns",
                "Crowns by annotator",
                "Variance",
                "Gallery",
            ],
        ),
        (
            "tuneparameters",
            {"ALPHAS": "0.7", "OMEGAS": "1.2"},
            ["Recommended sets", "Grid", "Variance"],
        ),
    ],
)
def test_experiments_with_annotators_load_alike(
    algorithms, qgis_new_project, name, given, expected
):
    from processing.core.Processing import Processing
    from processing.gui.Postprocessing import handleAlgorithmResults
    from qgis.core import (
        QgsApplication,
        QgsProcessingOutputLayerDefinition,
        QgsProcessingParameterFeatureSink,
    )

    Processing.initialize()
    layers = [
        layer_of(f"person {n}", crowns_at([(0, 0), (14, 0), (28, 0)], seed=n)) for n in (1, 2, 3)
    ]
    project, context, listener = QgsProject.instance(), QgsProcessingContext(), Listener()
    context.setProject(project)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    outputs = {
        definition.name(): QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
        for definition in algorithm.destinationParameterDefinitions()
        if isinstance(definition, QgsProcessingParameterFeatureSink)
    }
    parameters = {"ANNOTATORS": layers, **given, **outputs}
    _, fine = algorithm.run(parameters, context, listener)
    assert fine, listener.errors
    assert handleAlgorithmResults(algorithm, context, listener, parameters=parameters)
    (group,) = project.layerTreeRoot().children()
    assert group.name().startswith("3 annotators, ")
    assert [node.layer().name() for node in group.findLayers()] == expected
    if name == "annotatorvariance":
        assert [node.itemVisibilityChecked() for node in group.findLayers()][:3] == [
            True,
            False,
            False,
        ]
        crowns = group.findLayers()[0].layer()
        assert crowns.customProperty(RESULT_PROPERTY) == "CROWNS"
        parts = [symbol.symbolLayer(0) for symbol in crowns.renderer().symbols(QgsRenderContext())]
        assert parts
        assert all(
            part.color().alpha() == 0 for part in parts
        )  # outlines only: the image stays in sight


@pytest.mark.parametrize(
    ("algorithm", "delineations", "number"),
    [
        ("scorecrowns", "DELINEATIONS", "MEAN_RANDCROWNS"),
        ("evaluateinstances", "PREDICTIONS", "RECALL"),
    ],
)
def test_numbers_are_returned_without_any_output(run, files, algorithm, delineations, number):
    targets, drawn = files
    given = {
        "TARGETS": targets,
        delineations: drawn if delineations == "DELINEATIONS" else drawn[0],
    }
    done = run(algorithm, given, outputs=())
    assert done.ok, done.error
    assert 0 < done.results[number] <= 1
    assert not {"SCORED_TARGETS", "MATCHED_TARGETS"} & set(done.results)

"""The command that repeats a run: it is run in a process of its own, for every algorithm."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import numpy as np
import pytest
import qgis.core
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterFeatureSource,
    QgsProcessingUtils,
    QgsProject,
    QgsVectorLayer,
)
from support.clouds import NAMES, write_cloud
from support.layers import crowns_at, layer_of, save
from support.own_process import Begun
from support.processing import Listener, run_algorithm, without_window

from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.run_history import Run, read_runs

PLACES = [(12.0 * column, 12.0 * row) for row in range(3) for column in range(4)]
FILES = ("ann", "bob", "cleo")
_FIELDS = "&field=score:double&field=plot:string"
#: Plots as classes, which a text with spaces and semicolons takes as one.
_GROUPED = {"CLASS_FIELD": "plot", "CLASS_GROUPS": "both plots=p0+p1; none=p2"}


@pytest.fixture(scope="module")
def folder(qgis_app, tmp_path_factory):
    """A folder with the inputs of all algorithms; no layer of them is in the project."""
    folder = tmp_path_factory.mktemp("inputs of 'runs'")
    for seed, name in enumerate(FILES):
        rows = [(1.0 - 0.01 * number, f"p{number % 2}") for number in range(len(PLACES))]
        outlines = crowns_at(PLACES, seed=seed)
        save(layer_of(name, outlines, fields=_FIELDS, rows=rows), folder / f"{name}.gpkg")
    (folder / "boxes.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax,label,score\n"
        "plot.png,1,2,30,40,Tree,0.9\nplot.png,50,60,80,90,Tree,0.4\n"
    )
    random = np.random.default_rng(1)
    trees = np.repeat(np.arange(4), 50)
    xyz = random.normal(0, 0.5, (200, 3)) + 8.0 * np.stack([trees, 0 * trees, 0 * trees + 1], 1)
    found = np.where(random.random(200) < 0.1, -1, trees)
    write_cloud(folder / "cloud.las", xyz, {"tree": trees, "found": found})
    return folder


def people(folder):
    return [str(folder / f"{name}.gpkg") for name in FILES]


def parameters_of(name, folder):
    """Return parameters of a run of an algorithm, with other values than its defaults."""
    ann, bob, cleo = people(folder)
    return {
        "scorecrowns": {
            "TARGETS": ann,
            "DELINEATIONS": [bob, cleo],
            "OMEGA": 1.5,
            "PRESET": 3,
            "EXTENT": "499990,500040,2999990,3000020 [EPSG:32617]",
            "PLOT_FIELD": "plot",
            "ALL_DRAWN": False,
        },
        "targetregions": {"TARGETS": ann, "PRESET": 1},
        "rankdetectors": {
            "DETECTORS": [bob, cleo],
            "SCORE_FIELD": "score",
            "ANNOTATORS": [ann],
            "BOOTSTRAP_SAMPLES": 30,
        },
        "compareannotators": {"ANNOTATORS": people(folder), "RESOLUTION": 0.5, **_GROUPED},
        "consensus": {"ANNOTATORS": people(folder), "METHOD": 6, "RESOLUTION": 0.5, **_GROUPED},
        "annotatorvariance": {"ANNOTATORS": people(folder), "PLOT_FIELD": "plot"},
        "tuneparameters": {
            "ANNOTATORS": people(folder),
            "ALPHAS": "0.3",
            "OMEGAS": "0.5 0.7",
            "GAMMAS": "1:3:1",
        },
        "evaluateinstances": {"TARGETS": ann, "PREDICTIONS": bob, "SCORE_FIELD": "score"},
        "evaluatepointcloud": {"INPUT": str(folder / "cloud.las"), **NAMES},
        "importcrowns": {"INPUT": str(folder / "boxes.csv")},
        "exportcrowns": {"TARGETS": ann, "FORMAT": 4},
        "exportlayers": {"LAYERS": [ann, bob], "FORMAT": 0},
    }[name]


def run_command(words, directory):
    """Run a command as ``qgis_process`` does, and print its provenance or its problem."""
    os.chdir(directory)
    program, verb, algorithm_id, separator, *arguments = words
    assert (program, verb, separator) == ("qgis_process", "run", "--")
    parameters = {}
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name in parameters:
            earlier = parameters[name]
            value = [*(earlier if isinstance(earlier, list) else [earlier]), value]
        parameters[name] = value
    done = run_algorithm(algorithm_id.partition(":")[2], parameters, outputs=())
    print(
        json.dumps(
            {"problem": done.refused or done.error, "record": done.results.get("PROVENANCE")}
        )
    )
    return done.ok


def repeat(command, directory):
    """Return the provenance of a command that is run in a process of its own."""
    directory.mkdir(exist_ok=True)
    process = Begun(run_command, shlex.split(command), str(directory))
    (text,) = process.communicate(120)
    answer = json.loads(text[text.index('{"problem') :].splitlines()[0])
    assert process.returncode == 0, answer["problem"]
    return Provenance.from_json(answer["record"])


def assert_repeated(record, again):
    """Assert that a run has the entries, the numbers and the conclusion of another."""
    entries = zip(record.entries, again.entries)
    assert {entry.name for entry, other in entries if entry.words != other.words} <= {"time"}
    if not record.files and not again.files:  # the conclusion names folders and files
        assert again.conclusion == record.conclusion
    for output, number in again.rows.items():
        assert record.rows.get(output, number) == number


#: Algorithms that record their runs: all but the report, which is about other runs.
_ALGORITHMS = [entry.key for entry in ALGORITHMS if entry.key not in ("report", "explore")]


@pytest.mark.parametrize("name", _ALGORITHMS)
def test_shown_command_repeats_the_run(run, folder, tmp_path, name):
    parameters = parameters_of(name, folder)
    algorithm = QgsApplication.processingRegistry().algorithmById(f"randcrowns:{name}")
    outputs = [one.name() for one in algorithm.destinationParameterDefinitions()]
    done = run(name, parameters, outputs=outputs)
    assert done.ok, done.refused or done.error
    record = Provenance.from_json(done.results["PROVENANCE"])

    # The outputs were temporary, and no layer is in the project.
    shown = Run(record, {}, {})
    assert shown.unrepeatable_inputs == []
    again = repeat(shown.command_to_repeat, tmp_path / "again")
    assert_repeated(record, again)
    assert list((tmp_path / "again").iterdir())


def history_command(algorithm, parameters, context):
    """Return id and parameters as Processing's history opens the dialog with them."""
    names = {name: getattr(qgis.core, name) for name in dir(qgis.core) if name.startswith("Qgs")}
    command = algorithm.asPythonCommand(parameters, context)
    names["createAlgorithmDialog"] = lambda *arguments: arguments
    return eval(command.replace("processing.run(", "createAlgorithmDialog("), names)  # noqa: S307


@pytest.mark.parametrize("name", _ALGORITHMS)
def test_processings_history_repeats_the_run(run, folder, monkeypatch, name):
    dialogs = without_window(monkeypatch)
    registry = QgsApplication.processingRegistry()
    algorithm = registry.createAlgorithmById(f"randcrowns:{name}")
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    outputs = [one.name() for one in algorithm.destinationParameterDefinitions()]
    parameters = {**parameters_of(name, folder), **dict.fromkeys(outputs, "TEMPORARY_OUTPUT")}
    done = run(name, parameters, outputs=())
    assert done.ok, done.refused or done.error

    # History stores the command; a double click opens the dialog with its parameters.
    given = history_command(algorithm, parameters, context)
    assert given == (f"randcrowns:{name}", parameters)
    stored = [given[1]]
    if hasattr(algorithm, "asMap"):  # from QGIS 3.24 on, history also copies and pastes JSON
        copied = json.dumps(algorithm.asMap(parameters, context))
        stored.append(json.loads(copied)["inputs"])
    for values in stored:
        dialog = dialogs.AlgorithmDialog(registry.createAlgorithmById(given[0]))
        dialog.setParameters(values)
        again = run(name, dialog.createProcessingParameters(), outputs=())
        dialog.deleteLater()
        assert again.ok, again.refused or again.error
        record, repeated = (
            Provenance.from_json(one.results["PROVENANCE"]) for one in (done, again)
        )
        assert_repeated(record, repeated)


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


def opened(project, path):
    """Return a file as a layer of the project."""
    layer = QgsVectorLayer(str(path), path.stem, "ogr")
    assert layer.isValid()
    project.addMapLayer(layer)
    return layer


def report_on(run, layers, tmp_path):
    """Return the HTML of a report on the runs of some layers."""
    file = tmp_path / "report.html"
    done = run("report", {"RUNS": layers, "HTML": str(file)}, outputs=())
    assert done.ok, done.refused or done.error
    return file.read_text(encoding="utf-8")


def test_unsaved_edits_are_reported_beside_the_command(run, project, folder, tmp_path):
    targets, drawn = (opened(project, folder / f"{name}.gpkg") for name in ("ann", "bob"))
    assert targets.startEditing()
    feature = QgsFeature(targets.fields())
    feature.setGeometry(QgsGeometry(next(targets.getFeatures()).geometry()))
    feature.geometry().translate(100, 0)
    assert targets.addFeature(feature)
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn]})
    assert done.ok, done.refused or done.error
    shown = Run(Provenance.from_json(done.results["PROVENANCE"]), {}, {})
    assert shown.edited_inputs == shown.unrepeatable_inputs == ["ann"]
    page = report_on(run, [done.layer("SUMMARY"), done.layer("SCORED_TARGETS")], tmp_path)
    assert "edits that were not saved, which the command does not read: ann." in page
    targets.rollBack()

    # Without edits nothing is said.
    again = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn]})
    shown = Run(Provenance.from_json(again.results["PROVENANCE"]), {}, {})
    assert shown.edited_inputs == shown.unrepeatable_inputs == []
    page = report_on(run, [again.layer("SUMMARY"), again.layer("SCORED_TARGETS")], tmp_path)
    assert "edits that were not saved" not in page


def test_command_applies_the_filter_of_a_layer(run, project, folder, tmp_path):
    targets, drawn = (opened(project, folder / f"{name}.gpkg") for name in ("ann", "bob"))
    assert targets.setSubsetString('"plot" = \'p1\' AND "score" > 0.9')
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn]})
    record = Provenance.from_json(done.results["PROVENANCE"])
    assert record.rows["SCORED_TARGETS"] == 5
    shown = Run(record, {}, {})
    assert shown.unrepeatable_inputs == []
    assert_repeated(record, repeat(shown.command_to_repeat, tmp_path / "again"))


def test_command_of_a_run_within_a_model(run, project, folder, tmp_path):
    model = QgsProcessingModelAlgorithm("plot", "plots")
    model.addModelParameter(
        QgsProcessingParameterFeatureSource("T", "targets"), QgsProcessingModelParameter("T")
    )
    source = QgsProcessingModelChildParameterSource
    regions = QgsProcessingModelChildAlgorithm("randcrowns:targetregions")
    regions.setChildId("regions")
    regions.addParameterSources("TARGETS", [source.fromModelParameter("T")])
    model.addChildAlgorithm(regions)
    scored = QgsProcessingModelChildAlgorithm("randcrowns:scorecrowns")
    scored.setChildId("scored")
    scored.addParameterSources("TARGETS", [source.fromModelParameter("T")])
    scored.addParameterSources("DELINEATIONS", [source.fromChildOutput("regions", "REGIONS")])
    output = QgsProcessingModelOutput("summary")
    output.setChildId("scored")
    output.setChildOutputName("SUMMARY")
    scored.setModelOutputs({"summary": output})
    model.addChildAlgorithm(scored)
    model.initAlgorithm()
    context, listener = QgsProcessingContext(), Listener()
    context.setProject(project)
    destination = next(one.name() for one in model.outputDefinitions())
    given = {"T": people(folder)[0], destination: "TEMPORARY_OUTPUT"}
    results, is_done = model.run(given, context, listener)
    assert is_done, listener.errors
    layer = context.getMapLayer(results[destination])
    project.addMapLayer(layer)
    (recorded,) = read_runs(project)
    record = recorded.record
    # The regions were in memory only, which is said beside the command.
    shown = Run(record, {}, {})
    assert len(shown.unrepeatable_inputs) == 1
    assert "TARGETS=" in shown.command_to_repeat


def test_temporary_files_are_reported_beside_the_command(run, project, folder):
    path = Path(QgsProcessingUtils.generateTempFilename("drawn.gpkg"))
    path.write_bytes((folder / "bob.gpkg").read_bytes())
    done = run("scorecrowns", {"TARGETS": people(folder)[0], "DELINEATIONS": [str(path)]})
    shown = Run(Provenance.from_json(done.results["PROVENANCE"]), {}, {})
    assert shown.unrepeatable_inputs == ["drawn"]


def test_selection_is_reported_beside_the_command(run, project, folder):
    targets, drawn = (opened(project, folder / f"{name}.gpkg") for name in ("ann", "bob"))
    targets.select(sorted(targets.allFeatureIds())[:3])
    source = QgsProcessingFeatureSourceDefinition(targets.id(), True)
    done = run("scorecrowns", {"TARGETS": source, "DELINEATIONS": [drawn]})
    shown = Run(Provenance.from_json(done.results["PROVENANCE"]), {}, {})
    assert shown.unrepeatable_inputs == ["ann"]


@pytest.mark.parametrize("is_object", [True, False], ids=["layer", "id"])
def test_command_has_the_rectangle_of_a_layer(run, project, folder, tmp_path, is_object):
    """A rectangle may be taken from a layer of the project, here from its first row of crowns."""
    targets, drawn, area = (opened(project, folder / f"{name}.gpkg") for name in FILES)
    assert area.setSubsetString('"fid" <= 4')
    given = area if is_object else area.id()
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn], "EXTENT": given})
    assert done.ok, done.refused or done.error
    record = Provenance.from_json(done.results["PROVENANCE"])
    assert "not counted: 8 outside the extent" in record.conclusion
    shown = Run(record, {}, {})
    assert shown.unrepeatable_inputs == []
    assert_repeated(record, repeat(shown.command_to_repeat, tmp_path / "again"))


@pytest.mark.nightly
@pytest.mark.parametrize("name", _ALGORITHMS)
def test_qgis_process_repeats_the_run(qgis_process, run, folder, tmp_path, name):
    algorithm = QgsApplication.processingRegistry().algorithmById(f"randcrowns:{name}")
    outputs = [one.name() for one in algorithm.destinationParameterDefinitions()]
    done = run(name, parameters_of(name, folder), outputs=outputs)
    assert done.ok, done.refused or done.error
    record = Provenance.from_json(done.results["PROVENANCE"])
    program, verb, *words = shlex.split(Run(record, {}, {}).command_to_repeat)
    assert (program, verb) == ("qgis_process", "run")
    repeated = qgis_process(verb, "--json", *words, cwd=tmp_path)
    assert repeated.returncode == 0, repeated.stdout + repeated.stderr
    results = json.loads(repeated.stdout[repeated.stdout.index("{") :])["results"]
    assert_repeated(record, Provenance.from_json(results["PROVENANCE"]))

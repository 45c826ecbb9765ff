"""A run that is cancelled or fails leaves every file and layer as it was."""

from __future__ import annotations

from threading import Event

import pytest
from qgis.core import (
    QgsApplication,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProject,
    QgsVectorLayer,
)
from support.layers import crowns_at, layer_of, save
from support.processing import OUTPUTS, Listener, attributes
from support.qt import wait_until

from randcrowns.layers.files.recovery import FOLDER_PREFIX, find_interrupted_runs

PLACES = [(9 * column, 9 * row) for row in range(30) for column in range(25)]
#: Enough to be written in one block of many.
SOME = 200
DONE = 100.0


def sides(places):
    return {
        "TARGETS": layer_of("targets", crowns_at(places), kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", crowns_at(places, seed=2), kind="Polygon")],
    }


@pytest.fixture(scope="module")
def inputs(qgis_app):
    return sides(PLACES[:SOME])


@pytest.mark.parametrize("percent", [0.0, 3.0, 12.0, 40.0, 79.0, 84.9, 86.0, 93.0, 99.0])
def test_new_files_are_not_left_half_written(run, inputs, tmp_path, percent):
    listener = Listener(cancel_at=percent)
    outputs = {name: str(tmp_path / f"{name}.gpkg") for name in OUTPUTS[:-1]}
    outputs["SUMMARY"] = str(tmp_path / "SUMMARY.csv")
    done = run("scorecrowns", {**inputs, **outputs}, listener)
    assert done.results == {}
    assert list(tmp_path.iterdir()) == []
    assert done.context.layersToLoadOnCompletion() == {}


@pytest.mark.parametrize("percent", [50.0, 88.0, 99.0])
def test_tables_of_an_old_geopackage_are_brought_back(run, inputs, tmp_path, percent):
    path = tmp_path / "plot.gpkg"
    rows = [["kept"]] * 3
    for name in ("trees", "scored"):
        save(
            layer_of(name, crowns_at(PLACES[:3]), fields="&field=a:string", rows=rows),
            path,
            name=name,
        )
    open_elsewhere = QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr")
    before = attributes(open_elsewhere)
    outputs = {
        "SCORED_TARGETS": f"ogr:dbname='{path}' table=\"scored\" (geom)",
        "REGIONS": f"ogr:dbname='{path}' table=\"regions\" (geom)",
    }
    run("scorecrowns", {**inputs, **outputs}, Listener(cancel_at=percent))
    assert (
        attributes(QgsVectorLayer(f"{path}|layername=scored", "s", "ogr"))["a"].tolist()
        == ["kept"] * 3
    )
    assert not QgsVectorLayer(f"{path}|layername=regions", "r", "ogr").isValid()
    assert attributes(open_elsewhere).equals(before)


def test_an_old_file_is_brought_back(run, inputs, tmp_path):
    old = save(layer_of("old", crowns_at(PLACES[:2])), tmp_path / "old.shp", "ESRI Shapefile")
    del old
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    run(
        "scorecrowns",
        {**inputs, "SCORED_TARGETS": str(tmp_path / "old.shp")},
        Listener(cancel_at=95.0),
    )
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_failure_while_writing_is_told_and_leaves_nothing(run, inputs, tmp_path, monkeypatch):
    monkeypatch.setattr(QgsVectorLayer, "featureCount", lambda layer: 17)
    done = run("scorecrowns", {**inputs, "SCORED_TARGETS": str(tmp_path / "scored.gpkg")})
    assert not done.ok
    assert f"only 17 of {SOME} rows reached" in done.error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (KeyError("odd"), "Unexpected error (KeyError: 'odd')"),
        (MemoryError(), "There is not enough memory"),
    ],
)
def test_what_nobody_foresaw_is_told_in_a_sentence(
    run, inputs, tmp_path, monkeypatch, failure, said
):
    def fail(layer):
        raise failure

    monkeypatch.setattr(QgsVectorLayer, "featureCount", fail)
    done = run("scorecrowns", {**inputs, "SCORED_TARGETS": str(tmp_path / "scored.gpkg")})
    assert said in done.error
    assert "Traceback" not in done.error
    assert list(tmp_path.iterdir()) == []


def test_progress_grows_and_ends_at_the_end(run, inputs):
    listener = Listener()
    run("scorecrowns", inputs, listener)
    assert listener.percents == sorted(listener.percents)
    assert listener.percents[-1] == DONE
    assert len(listener.percents) > 10


def test_cancel_in_the_background_ends_soon(algorithms, qgis_new_project, tmp_path):
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    context, listener = QgsProcessingContext(), Listener()
    context.setProject(QgsProject.instance())
    parameters = {**sides(PLACES), "SCORED_TARGETS": str(tmp_path / "scored.gpkg")}
    task = QgsProcessingAlgRunnerTask(algorithm, parameters, context, listener)
    ended = []
    task.executed.connect(lambda ok, results: ended.append(results))
    QgsApplication.taskManager().addTask(task)
    wait_until(lambda: task.progress() > 1 or ended)
    task.cancel()
    wait_until(lambda: ended)
    assert ended == [{}]
    assert list(tmp_path.iterdir()) == []


class _Slow:
    """A sink whose file takes long to close."""

    def __init__(self, sink, close):
        self._sink, self._close = sink, close

    def addFeatures(self, *given):  # noqa: N802 - QGIS's name
        return self._sink.addFeatures(*given)

    def __del__(self):
        self._close()


@pytest.mark.parametrize("step", ["compute", "table", "close"])
def test_a_run_can_be_cancelled_within_one_long_step(run, inputs, monkeypatch, tmp_path, step):
    import randcrowns.algorithms.destinations as outputs
    import randcrowns.algorithms.scoring.score_crowns as algorithm
    import randcrowns.algorithms.scoring.tables as tables

    begun, released, sink_of = Event(), Event(), outputs._open_sink

    def work(*_arguments, **_named):
        begun.set()
        released.wait(300)

    def slow(*given):
        sink, place = sink_of(*given)
        return _Slow(sink, work), place

    patched = {"compute": (algorithm, "score_layers", work), "table": (tables, "pairs_table", work)}
    monkeypatch.setattr(*patched.get(step, (outputs, "_open_sink", slow)))
    listener = Listener()
    monkeypatch.setattr(listener, "isCanceled", begun.is_set)
    done = run("scorecrowns", {**inputs, "SCORED_TARGETS": str(tmp_path / "a.gpkg")}, listener)
    assert done.results == {}
    assert begun.is_set()
    assert not released.is_set()
    left = [path.name.startswith(FOLDER_PREFIX) for path in tmp_path.iterdir()]
    assert left == (
        [True] if step == "close" else []
    )  # nothing is taken away from under who writes to it
    assert find_interrupted_runs([tmp_path]) == []
    released.set()
    wait_until(lambda: list(tmp_path.iterdir()) == [])

"""The log of a large run names the command that gives the same numbers tile by tile."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)
from support.batch import random_layers, table_of
from support.changed_values import changed_value

from randcrowns import batch
from randcrowns.algorithms.common_parameters import PRESET, read_lengths
from randcrowns.algorithms.layer_parameters import AreaParameter
from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.scoring import score_crowns, tile_command
from randcrowns.algorithms.scoring.schema.parameters import SCORE_PARAMETERS
from randcrowns.command.main import main

#: Parameters of Score but the layers.
SCORE_OPTIONS = SCORE_PARAMETERS[2:]
CHOICES = {
    **{"PRESET": 3, "ALPHA": 0.5, "OMEGA": 1.0, "GAMMA": 2.0, "PAIRING": 1, "PLOT_FIELD": "plot"},
    **{"SHIFTED_FROM": 0.05, "TOO_LARGE_FROM": 1.05, "RANDCROWNS_THRESHOLD": 0.6123456789},
}


@pytest.mark.parametrize("all_drawn", [True, False])
def test_the_command_in_the_log_gives_the_same_numbers(
    run, tmp_path, monkeypatch, all_drawn: bool
) -> None:
    files = random_layers(tmp_path, 5, plots=(True, True)).paths
    layers = [QgsVectorLayer(str(path), path.stem, "ogr") for path in files]
    given = {"TARGETS": layers[0], "DELINEATIONS": layers[1:], **CHOICES, "ALL_DRAWN": all_drawn}
    assert "scoring.command" not in run("scorecrowns", given).keys
    monkeypatch.setattr(tile_command, "MIN_CROWNS_FOR_COMMAND", 1)
    done = run("scorecrowns", given)
    (message,) = (one for one in done.messages if one.key == "scoring.command")
    command = shlex.split(str(message).partition(": ")[2])[1:]
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--workers", "1", "--quiet"]) == 0
    found, expected = (
        pd.read_csv("scores/summary.csv").set_index("plot"),
        done.table("SUMMARY").set_index("plot"),
    )
    for name in (
        "targets",
        "matched",
        "randcrowns_mean",
        "iou_crowns_mean",
        "randcrowns_low",
        "penalised_mean",
    ):
        np.testing.assert_allclose(
            found[name], expected.loc[found.index, name].astype(float), rtol=1e-9
        )
    told = table_of(Path("scores"), "targets", "target_id")
    (cause,) = (name for name in done.table("SCORED_TARGETS") if name.endswith("_rc_cause"))
    crowns = done.table("SCORED_TARGETS").sort_values("target_id")
    assert told["rc_problem"].tolist() == crowns[cause.replace("cause", "problem")].tolist()
    assert told["rc_problem"].nunique() > 3
    # Ids are rows there, counted from 0, and feature ids here.
    known = [bool(one) for one in told["rc_cause"]]
    assert known == [bool(one) for one in crowns[cause].fillna("")]
    beyond = {"EXTENT": "404000,404050,3285000,3285050"}
    assert "scoring.command" not in run("scorecrowns", {**given, **beyond}).keys
    assert found.columns.str.contains("recall_randcrowns_0.612346").sum() == 3


def _command_of(layers: list[QgsVectorLayer], values: dict[str, Any]) -> list[str]:
    """Return the arguments of the command that a run names; an empty list if it names none."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    raw_values = {"TARGETS": layers[0], "DELINEATIONS": layers[1:], **values}
    run_parameters = RunParameters(score_crowns.ScoreCrowns().create(), raw_values, context)
    preset, _ = read_lengths(run_parameters, PRESET)
    messages = tile_command.tile_command_messages(run_parameters, preset, layers[0], layers[1:])
    if not messages:
        return []
    return [*shlex.split(str(messages[0]).partition(": ")[2])[1:], "--quiet"]


class _BatchCalled(Exception):
    """Call of the function of batch; the arguments are those of the exception."""


def _arguments_of_batch(command: list[str]) -> dict[str, Any]:
    """Return the arguments that a command passes to the function of batch."""
    with pytest.raises(_BatchCalled) as called:
        main(command)
    arguments = dict(called.value.args[0])
    arguments |= asdict(arguments.pop("limits"))
    return {name: value for name, value in arguments.items() if "progress" not in name}


@pytest.fixture
def large_layers(algorithms, tmp_path, monkeypatch) -> list[QgsVectorLayer]:
    """Layers in files for which a run names the command; batch does not score them."""

    def score(*_: Any, **arguments: Any) -> None:
        raise _BatchCalled(arguments)

    monkeypatch.setattr(tile_command, "MIN_CROWNS_FOR_COMMAND", 1)
    monkeypatch.setattr(batch, "score", score)
    files = random_layers(tmp_path, 1, plots=(True, True)).paths
    return [QgsVectorLayer(str(path), path.stem, "ogr") for path in files]


@pytest.mark.parametrize("parameter", SCORE_OPTIONS, ids=lambda parameter: parameter.name)
def test_the_command_has_each_changed_parameter_or_is_not_named(
    large_layers, capsys, parameter: Parameter[Any]
) -> None:
    value = changed_value(parameter)
    default_command = _command_of(large_layers, {})
    command = _command_of(large_layers, parameter.to_processing(value))
    if command:
        default_arguments = _arguments_of_batch(default_command)
        arguments = _arguments_of_batch(command)
        changed = [
            arguments[name] for name in arguments if default_arguments.get(name) != arguments[name]
        ]
        assert value in changed
    elif not isinstance(parameter, AreaParameter):
        option = f"--{parameter.name.replace('_', '-')}"
        assert main([*default_command, option, *([] if value is True else [str(value)])]) == 1
        assert f"{option[2:]} cannot be used tile by tile" in capsys.readouterr().err


def test_values_as_by_default_do_not_hide_the_command(large_layers) -> None:
    # As the dock runs Score: with the values of all parameters.
    values: dict[str, Any] = {}
    for parameter in SCORE_OPTIONS:
        values |= parameter.to_processing(parameter.default)
    assert values["SCORE_THRESHOLD"] == 0.5
    assert _command_of(large_layers, values) == _command_of(large_layers, {}) != []


def test_no_command_is_named_for_the_preset_of_idtrees(large_layers) -> None:
    assert _command_of(large_layers, PRESET.to_processing("idtrees")) == []


@pytest.mark.parametrize("reason", ["edits", "filter", "selection"])
def test_no_command_is_shown_for_other_crowns_than_those_of_the_files(
    run, tmp_path, monkeypatch, reason: str
) -> None:
    monkeypatch.setattr(tile_command, "MIN_CROWNS_FOR_COMMAND", 1)
    files = random_layers(tmp_path, 1, plots=(True, True)).paths
    layers = [QgsVectorLayer(str(path), path.stem, "ogr") for path in files]
    QgsProject.instance().addMapLayers(layers)
    targets = layers[0]
    source = QgsProcessingFeatureSourceDefinition(targets.id(), reason == "selection")
    given = {"TARGETS": source, "DELINEATIONS": layers[1:], "PLOT_FIELD": "plot"}
    ids = sorted(targets.allFeatureIds())
    if reason == "edits":
        assert "scoring.command" in run("scorecrowns", given).keys
        assert targets.startEditing()
        assert targets.deleteFeature(ids[0])
    elif reason == "filter":
        assert targets.setSubsetString("plot IS NOT NULL")
    else:
        targets.select(ids[:20])
    done = run("scorecrowns", given)
    assert done.ok, done.refused or done.error
    assert "scoring.command" not in done.keys
    targets.rollBack()


def test_limits_that_cannot_be_used_are_a_wrong_command(capsys) -> None:
    for limits in ("shift", "wide=2", "larger=0.5", "score=0.3,score=0.9"):
        with pytest.raises(SystemExit) as ended:
            main(["score", "a.gpkg", "b.gpkg", "--out", "nowhere", "--limits", limits])
        assert ended.value.code == 2
        assert "--limits" in capsys.readouterr().err

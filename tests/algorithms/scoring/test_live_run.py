"""A live run without edits has the numbers and problems of a run, whatever the parameters are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from qgis.core import QgsProcessingContext, QgsProject, QgsVectorLayer
from support.batch import random_layers
from support.changed_values import changed_value

from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.scoring.live_run import LiveRun
from randcrowns.algorithms.scoring.schema.parameters import (
    CLASSES,
    SCORE_PARAMETERS,
    SPREAD_FIELD,
    WARPED_TARGETS,
)
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns, ScoreSettings
from randcrowns.core.progress import no_progress

#: Parameters of tables that a live run does not have. Page Score refuses to score while drawing if
#: crowns are paired within classes.
NOT_LIVE = (CLASSES.class_field, *CLASSES.advanced, SPREAD_FIELD, WARPED_TARGETS)
#: Parameters of Score that change a live run, without the layers.
LIVE_PARAMETERS = [parameter for parameter in SCORE_PARAMETERS[2:] if parameter not in NOT_LIVE]
#: Processing values of parameters that need a certain value, or a value of another parameter.
VALUES: dict[str, dict[str, Any]] = {
    "extent": {"EXTENT": "404003,404030,3285002,3285028 [EPSG:32617]"},
    "score_field": {"SCORE_FIELD": "fid", "SCORE_THRESHOLD": 9.0},
    "too_small_from": {"TOO_SMALL_FROM": 0.98},
    "too_large_from": {"TOO_LARGE_FROM": 1000.0},
    "score_threshold": {"SCORE_FIELD": "fid", "SCORE_THRESHOLD": 9.0},
}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[Path, Path]:
    return random_layers(tmp_path_factory.mktemp("layers"), 3, 90, 70.0, (True, True)).paths


def _settings(files: tuple[Path, Path], values: dict[str, Any]) -> ScoreSettings:
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    layers = [QgsVectorLayer(str(path), path.stem, "ogr") for path in files]
    raw_values = {"TARGETS": layers[0], "DELINEATIONS": layers[1:], **values}
    algorithm = ScoreCrowns().create()
    return algorithm.read_settings(RunParameters(algorithm, raw_values, context))


def _whole_run(settings: ScoreSettings) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return the summary of a run, and the problem of each target by id."""
    algorithm = ScoreCrowns()
    site = algorithm.read_layers(settings, no_progress)
    (result,) = algorithm.compute(settings, site, no_progress).layers
    summary = result.scores.summary
    summary.columns = summary.columns.str.replace(".", "_", regex=False)
    ids = result.scores.targets["target_id"]
    return summary, dict(zip(ids, result.problems.targets["problem"]))


def _live_run(settings: ScoreSettings) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return the summary of a live run, and the problem of each target with a score by id."""
    run = LiveRun.start(settings, no_progress)
    (change,) = run.all_rows()
    rows = pd.DataFrame(change.rows).dropna(subset="rc_problem")
    return run.summary(["drawn"]), dict(zip(rows["target_id"], rows["rc_problem"]))


@pytest.mark.parametrize("parameter", LIVE_PARAMETERS, ids=lambda parameter: parameter.name)
def test_a_live_run_uses_each_parameter(algorithms, files, parameter: Parameter[Any]) -> None:
    values = VALUES.get(parameter.name) or parameter.to_processing(changed_value(parameter))
    settings = _settings(files, values)
    summary, problems = _whole_run(settings)
    default_summary, default_problems = _whole_run(_settings(files, {}))
    assert not summary.equals(default_summary) or problems != default_problems
    live_summary, live_problems = _live_run(settings)
    pd.testing.assert_frame_equal(live_summary[list(summary)], summary, rtol=1e-12)
    assert live_problems == problems

"""randcrowns:tuneparameters: alpha, omega and gamma with the least variance between annotators."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd

from randcrowns.algorithms.algorithm_catalogue import TUNE_PARAMETERS
from randcrowns.algorithms.common_parameters import CORNER_STYLE
from randcrowns.algorithms.crown_algorithm import RunResults
from randcrowns.algorithms.destinations import FileContent
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.tuning.experiment import (
    ExperimentAlgorithm,
    ExperimentInputs,
    ExperimentSettings,
)
from randcrowns.algorithms.tuning.schema import outputs, parameters
from randcrowns.algorithms.tuning.schema.outputs import TUNING_OUTPUTS, TUNING_VALUES
from randcrowns.algorithms.tuning.schema.parameters import GRID_PARAMETERS, TUNING_PARAMETERS
from randcrowns.algorithms.tuning.schema.report_content import TUNING_CONTENT
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.progress import Progress
from randcrowns.core.tuning.checks import check_grid_size
from randcrowns.core.tuning.conclusion import grid_conclusion
from randcrowns.core.tuning.search import GridSearchResult, search_grid
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.vector.tables import FeatureTable


class TuneParameters(ExperimentAlgorithm):
    """Algorithm that ranks sets of parameters by the variance between annotators."""

    entry = TUNE_PARAMETERS
    help = (
        tr(
            "Scores every set of a grid of alpha, omega and gamma by the variance of RandCrowns "
            "between annotators (Stewart et al. 2021, Table III). A low variance means that the "
            "score hardly depends on who drew the target."
        ),
        tr(
            "A set that scores all pairs near one has no variance either (Fig. 3). Therefore a set "
            "is refused, with the reason, if wrong pairs score high, if right pairs score no "
            "higher, or if more than half of the right pairs score 0. The other sets are ranked "
            "over the same targets."
        ),
        *(parameters.WRONG_PAIR_THRESHOLD, parameters.MAX_EXCLUDED),
        tr(
            "<b>Annotators.</b> Three or more layers; or two and targets drawn in the field; or "
            "one, of which warped copies are made."
        ),
        tr(
            "<b>Grid.</b> Values to try for alpha, omega and gamma: numbers with spaces between "
            "them, or first:last:step, such as 0.1:1.0:0.1. The scores of the grid are "
            "interpolated, within 0.001 of direct ones. The best set is scored again directly."
        ),
    )
    progress_shares = (0.12, 0.9)
    declared_parameters = TUNING_PARAMETERS
    outputs = TUNING_OUTPUTS
    value_outputs = TUNING_VALUES
    report_content = TUNING_CONTENT

    def validate_early(self, run_parameters: RunParameters) -> None:
        """Raise InputError if there is no annotator, or the grid is invalid or too large."""
        super().validate_early(run_parameters)
        _check_grid(run_parameters)

    def read_settings(self, run_parameters: RunParameters) -> ExperimentSettings:
        """Return the settings of a run, with messages on values that no step reaches."""
        # A model does not call check_early.
        _check_grid(run_parameters)
        messages = [
            message
            for parameter in GRID_PARAMETERS
            for message in parameter.unreached_end_messages(run_parameters)
        ]
        return replace(super().read_settings(run_parameters), messages=messages)

    def compute(
        self, settings: ExperimentSettings, inputs: ExperimentInputs, progress: Progress
    ) -> GridSearchResult:
        """Score and rank all sets of the grid.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        return search_grid(
            inputs.annotators,
            *(settings[parameter] for parameter in GRID_PARAMETERS),
            targets=inputs.targets,
            extent=inputs.site.study_area,
            max_wrong_score=settings[parameters.WRONG_PAIR_THRESHOLD],
            max_excluded=settings[parameters.MAX_EXCLUDED] / 100,
            min_iou=settings[parameters.MIN_IOU],
            offsets=settings[CORNER_STYLE],
            progress=progress,
        )

    def build_results(
        self,
        settings: ExperimentSettings,
        inputs: ExperimentInputs,
        findings: GridSearchResult,
        progress: Progress,
    ) -> RunResults:
        """Return the tables, the heat map if it is requested, the best set and the conclusion.

        Args:
            settings: settings of the run.
            inputs: targets and delineations, with messages about their origin.
            findings: result of :meth:`compute`.
            progress: called with the fraction of the heat map done.
        """
        conclusion = list(inputs.origin_messages)
        conclusion += grid_conclusion(findings)
        messages = list(conclusion)
        if findings.best is None:
            messages.append(
                warning("tuning.none_offered", "Try another threshold or a wider grid.")
            )
        files: dict[Output, FileContent] = {}
        heat_map_format = self.picture_format(outputs.HEATMAP_FILE)
        if heat_map_format:
            files[outputs.HEATMAP_FILE] = self._draw_heat_map(
                findings.grid, heat_map_format, progress
            )
            messages += _missing_panel_messages(findings.grid)
        values: dict[str, Any] = _list_best_values(findings)
        values["CONCLUSION"] = " ".join(message_texts(conclusion))
        return RunResults(
            tables=_create_tables(findings),
            values=values,
            files=files,
            messages=messages,
            headline=conclusion,
        )

    def _draw_heat_map(
        self, grid: pd.DataFrame, file_format: str, progress: Progress
    ) -> FileContent:
        """Return the picture of the variances of all sets.

        Args:
            grid: all sets with their variance.
            file_format: ``png`` or ``svg``.
            progress: called with the fraction done.
        """
        # Importing matplotlib takes long; most runs need no picture.
        from randcrowns.layers.styles.figures import render_variances

        return render_variances(grid, file_format, progress, self.provenance.one_line_text)


def _create_tables(search_result: GridSearchResult) -> dict[Output, FeatureTable]:
    """Return all sets, the recommended ones and the variance at the best set, by output."""
    best_summary = pd.DataFrame()
    if search_result.best_variance is not None:
        best_summary = search_result.best_variance.summary
    return {
        outputs.GRID: outputs.GRID.create_table(search_result.grid),
        outputs.RECOMMENDED: outputs.RECOMMENDED.create_table(search_result.recommended),
        outputs.BEST_VARIANCE: outputs.BEST_VARIANCE.create_table(best_summary),
    }


def _list_best_values(search_result: GridSearchResult) -> dict[str, Any]:
    """Return alpha, omega and gamma of the best set by the id of the value; NaN without one."""
    best_values = (math.nan, math.nan, math.nan)
    if search_result.best is not None:
        best = search_result.best
        best_values = (best.alpha, best.omega, best.gamma)
    return {value.id: number for value, number in zip(outputs.BEST_SET_VALUES, best_values)}


def _check_grid(run_parameters: RunParameters) -> None:
    """Raise InputError if a range of values is invalid or the grid has too many sets."""
    check_grid_size(math.prod(len(run_parameters[parameter]) for parameter in GRID_PARAMETERS))


def _missing_panel_messages(grid: pd.DataFrame) -> list[Message]:
    """Return a note if the heat map cannot show every value of gamma in the grid."""
    from randcrowns.layers.styles.figures import MAX_PANELS

    n_gammas = grid["gamma"].nunique()
    if n_gammas <= MAX_PANELS:
        return []
    text = "The picture shows {shown} of the {all} values of gamma; the table has them all."
    return [note("picture.panels", text, shown=MAX_PANELS, all=n_gammas)]

"""Evaluation of predicted crowns tile by tile, with the same numbers as on the whole map.

Overlaps are measured tile by tile. The matching depends on all overlaps, so it runs once on the
table of all tiles; then each tile writes the results of the crowns that it owns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.batch.classes import (
    CLASS_COLUMN,
    STRATA_COLUMN,
    ClassChoices,
    TileClasses,
    write_tables,
)
from randcrowns.batch.pipeline import ExecutionOptions, PathLike, run_batch
from randcrowns.batch.progress import ProgressCallback, ignore_progress
from randcrowns.batch.results import (
    WORK_FOLDER,
    ResultsDirectory,
    none_for_missing,
    read_columns,
    write_table,
)
from randcrowns.batch.running import Runner, Scheduler
from randcrowns.batch.source import ProblemLog, Source, read_column, require_column
from randcrowns.batch.summary import write_summary
from randcrowns.batch.tile_reading import (
    ROUNDING_MARGIN,
    TileCrowns,
    plots_of_nearest_targets,
    read_tile,
)
from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS, Grid, Tile
from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.classes.evaluation import ClassEvaluation, WithinInputs, class_columns
from randcrowns.core.classes.results import (
    compare_matched_classes,
    matched_class_inputs,
    matched_stratum_scores,
    plot_numbers,
)
from randcrowns.core.classes.summarise import StrataSummary
from randcrowns.core.classes.within import restrict_to_classes
from randcrowns.core.crowns import Crowns, required_classes
from randcrowns.core.field_names import is_score_name
from randcrowns.core.instances.evaluation import EvaluatedPlots
from randcrowns.core.instances.matching import (
    Matching,
    MatchingMethod,
    match_instances,
    match_one_to_one,
    matched_ids,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.results import InstanceMatches
from randcrowns.core.instances.summary import (
    assign_plots,
    nearest_targets,
    summarise_instances,
)
from randcrowns.core.tie_ranks import rank_places

# Stages of a run: overlaps are measured; tables are written.
_OVERLAID = "overlaid"
_WRITTEN = "written"
#: Column of work files with the score of each prediction.
_SCORE_COLUMN = "score"
#: Columns of work files with the bounds of the crowns, m.
_BOUNDS = ["xmin", "ymin", "xmax", "ymax"]


@dataclass(frozen=True)
class EvaluationTask:
    """Parameters of an evaluation that every tile needs.

    Attributes:
        targets: layer of targets.
        predictions: layer of predictions.
        plot_field: column with the plot of each crown; empty for none.
        height_field: column with the height of each target; empty for none.
        folder: the results directory.
        grid: grid of the tiles.
        target_halo: width of the halo in which targets are read, metres: the distance from a
            prediction at which targets may meet it. See :mod:`randcrowns.batch.tiles`.
        prediction_halo: distance from a target at which predictions may meet it, metres.
            Predictions are read in a halo that is wider than that of the targets by it.
        classes: classes and strata of the crowns.
        score_field: column with the score of each prediction; empty for none.
    """

    targets: Source
    predictions: Source
    plot_field: str
    height_field: str
    folder: str
    grid: Grid
    target_halo: float
    prediction_halo: float
    classes: TileClasses
    score_field: str


class _Side(NamedTuple):
    """All targets, or all predictions, sorted by id.

    Attributes:
        ids: (n,) ids.
        areas: (n,) areas, m².
        heights: (n,) heights that decide which target is matched first.
        plots: (n,) names of plots, or None.
        ranks: (n,) ranks that break ties, see :mod:`randcrowns.core.tie_ranks`.
        columns: (n,) values of further columns by name: class, strata and score.
    """

    ids: Ints
    areas: Floats
    heights: Floats
    plots: Objects
    ranks: Ints
    columns: Mapping[str, Any]

    @property
    def classes(self) -> Objects | None:
        """(n,) classes, None for a crown without one; or None."""
        return self.columns.get(CLASS_COLUMN)


def evaluate(
    targets: PathLike,
    predictions: PathLike,
    out: PathLike,
    *,
    detection: str = MatchingMethod.PANOPTIC_SEGMENTATION.value,
    segmentation: str = MatchingMethod.FOR_AI_NET_COVERAGE.value,
    plot_field: str = "",
    height_field: str = "",
    all_drawn: bool = True,
    class_field: str = "",
    prediction_class_field: str = "",
    class_groups: str = "",
    within_classes: bool = False,
    score_field: str = "",
    summarise_by: str = "none",
    strata_field: str = "",
    strata_breaks: str = "",
    id_column: str = "",
    tile: float | None = None,
    maximum_crowns: int = DEFAULT_MAXIMUM_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    report_progress: ProgressCallback = ignore_progress,
) -> pd.DataFrame:
    """Match predicted crowns with target crowns, tile by tile on a cluster.

    Args:
        targets: file or folder with the crowns to be found.
        predictions: file or folder with the crowns that a method predicted.
        out: the results directory.
        detection: name of the :class:`randcrowns.core.instances.matching.MatchingMethod` that
            counts true and false positives.
        segmentation: name of the method that pairs crowns to measure their outlines.
        plot_field: column with the plot of each crown; empty for none.
        height_field: column with the height of each target, for methods that match the tallest
            target first; by default the largest is matched first.
        all_drawn: False if only some of the crowns were delineated as targets. Then unmatched
            predictions are not judged, and numbers that count them as false are NaN.
        class_field: column with the class of each target; empty for none.
        prediction_class_field: column with the class of each prediction; by default the same.
        class_groups: see :func:`randcrowns.batch.score`.
        within_classes: True to match only crowns of the same class.
        score_field: column with the score of each prediction, for the average precision of the
            classes; by default a column that is named like a score.
        summarise_by: see :func:`randcrowns.batch.score`.
        strata_field: see :func:`randcrowns.batch.score`.
        strata_breaks: see :func:`randcrowns.batch.score`.
        id_column: see :func:`randcrowns.batch.score`.
        tile: see :func:`randcrowns.batch.score`.
        maximum_crowns: see :func:`randcrowns.batch.score`.
        resume: see :func:`randcrowns.batch.score`.
        scheduler: see :func:`randcrowns.batch.score`.
        workers: see :func:`randcrowns.batch.score`.
        report_progress: see :func:`randcrowns.batch.score`.

    Returns:
        A row for all crowns and a row per plot, with the columns of
        :func:`randcrowns.core.instances.summary.summarise_instances`, ``detection`` and
        ``segmentation``. The tables of classes and strata are files in ``out``.

    Raises:
        InputError: if layers or parameters cannot be used, or ``out`` contains other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> boxes = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> trees = geopandas.GeoDataFrame(geometry=boxes, crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> trees.iloc[:1].to_file(f"{folder}/found.gpkg")
    >>> paths = f"{folder}/trees.gpkg", f"{folder}/found.gpkg"
    >>> summary = evaluate(*paths, f"{folder}/out", workers=1)
    >>> summary[["tp", "fn"]].values.tolist()
    [[1, 1]]
    """
    detection_method = MatchingMethod.from_value(detection, "matching method")
    segmentation_method = MatchingMethod.from_value(segmentation, "matching method")
    methods = [detection_method, segmentation_method]
    method_names = {
        "detection": detection_method.value,
        "segmentation": segmentation_method.value,
    }
    choices = {
        **method_names,
        "plot_field": plot_field,
        "height_field": height_field,
        "all_drawn": all_drawn,
    }
    class_choices = ClassChoices.of(
        "evaluate",
        "prediction_class_field",
        {
            "class_field": class_field,
            "prediction_class_field": prediction_class_field,
            "class_groups": class_groups,
            "within_classes": within_classes,
            "summarise_by": summarise_by,
            "strata_field": strata_field,
            "strata_breaks": strata_breaks,
        },
    )
    if score_field:
        choices["score_field"] = score_field

    classes = TileClasses()
    used_score_field = ""

    def prepare(sources: list[Source]) -> None:
        """Check the fields of classes, strata and scores, and decide the names of classes."""
        nonlocal classes, used_score_field
        classes = class_choices.prepare(sources, None)
        if classes.target_field or score_field:
            used_score_field = _choose_score_field(sources[1], score_field)

    def run_stages(
        client: Runner, results: ResultsDirectory, sources: list[Source]
    ) -> pd.DataFrame:
        """Overlay the crowns of all tiles, match them and write the tables.

        Args:
            client: client of the cluster.
            results: the results directory.
            sources: the layer of targets and that of predictions.

        Returns:
            The summary.
        """
        # A crown meets another only within the longest diagonal of the other layer.
        target_diagonal, prediction_diagonal = results.manifest["diagonals"]
        task = EvaluationTask(
            targets=sources[0],
            predictions=sources[1],
            plot_field=plot_field,
            height_field=height_field,
            folder=str(results.folder.resolve()),
            grid=results.grid,
            target_halo=prediction_diagonal * ROUNDING_MARGIN,
            prediction_halo=target_diagonal * ROUNDING_MARGIN,
            classes=classes,
            score_field=used_score_field,
        )
        matches = _match_tiles(client, results, task, methods, all_drawn, report_progress)
        has_plots = bool(plot_field)
        if classes.has_results:
            finding = (
                sources[1].name,
                matches.compare_classes(has_plots),
                matches.summarise_strata(classes, has_plots),
            )
            write_tables(results, class_choices.values, classes, [finding])
        summary = matches.summary(has_plots).assign(**method_names)
        return write_summary(results, summary, [*matches.targets.plots, *matches.predictions.plots])

    execution = ExecutionOptions(
        tile=tile,
        maximum_crowns=maximum_crowns,
        resume=resume,
        scheduler=scheduler,
        workers=workers,
        report_progress=report_progress,
    )
    return run_batch(
        "evaluate",
        [targets, predictions],
        out,
        choices={**choices, **class_choices.given},
        execution=execution,
        run_stages=run_stages,
        id_column=id_column,
        columns=[plot_field, height_field],
        prepare=prepare,
    )


def _match_tiles(
    client: Runner,
    results: ResultsDirectory,
    task: EvaluationTask,
    methods: Sequence[MatchingMethod],
    all_drawn: bool,
    report_progress: ProgressCallback,
) -> _Matches:
    """Overlay the crowns of all tiles, match them together, and write the tables of the tiles.

    Args:
        client: client of the cluster.
        results: the results directory.
        task: layers and parameters of the run.
        methods: matching methods of detection and of segmentation.
        all_drawn: False if unmatched predictions are not judged.
        report_progress: callback with the progress of each stage.

    Returns:
        The matches of all crowns.
    """
    results.run_stage(
        client,
        stage=_OVERLAID,
        process_tile=overlay_tile,
        arguments=lambda tile: (task, tile),
        label="Overlaying",
        report_progress=report_progress,
    )
    matches = _Matches.of(results, task, methods, all_drawn)
    results.run_stage(
        client,
        stage=_WRITTEN,
        process_tile=write_evaluated_tile,
        arguments=lambda tile: (task, tile, matches.tables_of_tile(results, tile)),
        label="Writing",
        report_progress=report_progress,
    )
    return matches


def _choose_score_field(predictions: Source, score_field: str) -> str:
    """Return the column with the scores of predictions: the given one, or one named like a score.

    Args:
        predictions: layer of the predictions.
        score_field: the given column; "" to search for one.

    Raises:
        InputError: if the layer lacks the given column.
    """
    if score_field:
        require_column(predictions, score_field)
        return score_field
    for name in predictions.row_groups.columns:
        if is_score_name(name) and predictions.has_numbers(name):
            values = read_column(predictions, name)
            if not len(values) or not pd.isna(values).all():
                return name
    return ""


def overlay_tile(task: EvaluationTask, tile: Tile) -> dict[str, Any]:
    """Measure the overlaps of the targets that a tile owns, and write work files.

    The files are ``pairs`` (``target_id``, ``prediction_id``, ``shared`` in m², ``iou``), and for
    each layer the owned crowns (``id``, ``size`` in m², ``height``, ``plot``, bounds, and where
    they are used the class, the value of the strata and the score).

    Returns:
        The tile's report for the manifest: ``files``.
    """
    targets, predictions = _read_layers(task, tile, ProblemLog(), with_halo=True)
    overlap = polygon_overlap(targets.crowns, predictions.crowns)
    # Plots depend on all overlaps, also on those of crowns of different classes.
    prediction_plots = predictions.crowns.plots
    if task.plot_field and prediction_plots is None:
        prediction_plots = _plots_from_targets(task, targets.crowns, predictions, overlap)
    if task.classes.within_classes:
        overlap = restrict_to_classes(
            overlap, required_classes(targets.crowns), required_classes(predictions.crowns)
        )
    pairs = _owned_pairs(targets, predictions, overlap)

    target_areas = shapely.area(targets.crowns.geometry)
    prediction_areas = shapely.area(predictions.crowns.geometry)
    target_heights = target_areas
    if task.height_field:
        target_heights = targets.stored.attributes[task.height_field]
    further_columns = _class_columns(task, targets, predictions)
    target_table = _crown_table(
        targets,
        areas=target_areas,
        heights=target_heights,
        plots=targets.crowns.plots,
        columns=further_columns.targets,
    )
    prediction_table = _crown_table(
        predictions,
        areas=prediction_areas,
        heights=prediction_areas,  # the largest first
        plots=prediction_plots,
        columns=further_columns.predictions,
    )

    folder = Path(task.folder)
    files: dict[str, Any] = {}
    if len(pairs):
        files |= write_table(folder, f"pairs/{tile.key}.parquet", pairs)
    files |= write_table(folder, f"{WORK_FOLDER}/targets-{tile.key}.parquet", target_table)
    files |= write_table(folder, f"{WORK_FOLDER}/predictions-{tile.key}.parquet", prediction_table)
    return {"files": files}


def _owned_pairs(
    targets: TileCrowns, predictions: TileCrowns, overlap: OverlapTable
) -> pd.DataFrame:
    """Return the overlaps of the targets that a tile owns.

    Args:
        targets: (T,) targets in the tile and its halo.
        predictions: (P,) predictions in the tile and its halo.
        overlap: their overlap.

    Returns:
        A row per pair with ``target_id``, ``prediction_id``, ``shared`` (m²) and ``iou``.
    """
    is_owned = targets.is_owned[overlap.target]
    target_rows = overlap.target[is_owned]
    prediction_rows = overlap.prediction[is_owned]
    return pd.DataFrame(
        {
            "target_id": targets.crowns.ids[target_rows],
            "prediction_id": predictions.crowns.ids[prediction_rows],
            "shared": overlap.shared[is_owned],
            "iou": overlap.iou[is_owned],
        }
    )


class _FurtherColumns(NamedTuple):
    """Columns of the crowns in a tile and its halo, by name."""

    targets: dict[str, Any]  #: values of each target.
    predictions: dict[str, Any]  #: values of each prediction.


def _class_columns(
    task: EvaluationTask, targets: TileCrowns, predictions: TileCrowns
) -> _FurtherColumns:
    """Return the columns with class, strata and score of targets and predictions, as far as used.

    Args:
        task: parameters of the run.
        targets: targets in the tile and its halo.
        predictions: predictions in the tile and its halo.
    """
    columns = _FurtherColumns(*task.classes.strata_columns(targets, predictions))
    if targets.crowns.classes is not None:
        columns.targets[CLASS_COLUMN] = targets.crowns.classes
    if predictions.crowns.classes is not None:
        columns.predictions[CLASS_COLUMN] = predictions.crowns.classes
    if task.score_field:
        scores = pd.to_numeric(predictions.stored.attributes[task.score_field], errors="coerce")
        columns.predictions[_SCORE_COLUMN] = scores.to_numpy(dtype=np.float64, na_value=np.nan)
    return columns


def _crown_table(
    tile_layer: TileCrowns,
    *,
    areas: Floats,
    heights: Any,
    plots: Objects | None,
    columns: Mapping[str, Any],
) -> pd.DataFrame:
    """Return ``id``, ``size``, ``height``, ``plot``, bounds and further columns of owned crowns.

    Args:
        tile_layer: n crowns in a tile and its halo.
        areas: (n,) areas, m².
        heights: (n,) heights.
        plots: (n,) names of plots, or None if the crowns have none.
        columns: (n,) values of further columns by name.
    """
    table = pd.DataFrame(
        {
            "id": tile_layer.crowns.ids,
            "size": areas,
            "height": np.asarray(heights, dtype=np.float64),
        }
    )
    table["plot"] = np.full(len(table), None, dtype=object) if plots is None else plots
    table[_BOUNDS] = shapely.bounds(tile_layer.crowns.geometry)
    return table.assign(**columns)[tile_layer.is_owned]


def _plots_from_targets(
    task: EvaluationTask, targets: Crowns, predictions: TileCrowns, overlap: OverlapTable
) -> Objects:
    """Return the plot (n,) of each prediction, derived from the targets.

    It is the plot of the target with the largest shared area. An owned prediction that overlaps no
    target gets the plot of the nearest target, at any distance.

    Args:
        task: layers of the evaluation, in which the nearest targets are searched.
        targets: targets in the tile and its halo.
        predictions: n predictions in the tile and its halo.
        overlap: overlaps of these targets and predictions.
    """
    plots = assign_plots(targets, predictions.crowns, overlap)
    is_without_target = predictions.is_owned.copy()
    is_without_target[overlap.prediction] = False
    if is_without_target.any():
        plots[is_without_target] = plots_of_nearest_targets(
            task.targets,
            task.plot_field,
            targets,
            crowns=predictions.crowns.subset(is_without_target),
            complete_within=task.target_halo,
            nearest=nearest_targets,
        )
    return plots


def write_evaluated_tile(
    task: EvaluationTask, tile: Tile, tables: dict[str, pd.DataFrame]
) -> dict[str, Any]:
    """Write the results of the crowns that a tile owns.

    Args:
        task: parameters of the run.
        tile: the tile.
        tables: ``targets`` and ``predictions``, as :meth:`_Matches.tables_of_tile` returns them.

    Returns:
        The tile's report for the manifest: ``files``; ``crowns``, the number of owned crowns by
        layer; and ``problems``.
    """
    problems = ProblemLog()
    n_owned: dict[str, int] = {}
    files: dict[str, Any] = {}
    crs = task.targets.row_groups.crs.to_string()
    layers = _read_layers(task, tile, problems, with_halo=False)
    for (name, table), tile_layer in zip(tables.items(), layers):
        ids = tile_layer.crowns.ids[tile_layer.is_owned]
        id_column = table.columns[0]
        in_file_order = table.set_index(id_column).loc[ids].reset_index()
        if len(in_file_order):
            files |= write_table(
                Path(task.folder),
                f"{name}/{tile.key}.parquet",
                in_file_order,
                tile_layer.owned_shapes(),
                crs,
            )
        n_owned[tile_layer.crowns.name] = len(ids)
    return {"files": files, "crowns": n_owned, "problems": problems.table().to_dict("records")}


def _read_layers(
    task: EvaluationTask, tile: Tile, problems: ProblemLog, with_halo: bool
) -> tuple[TileCrowns, TileCrowns]:
    """Return the targets and the predictions of a tile.

    With a halo, all targets that meet an owned prediction are read, and all predictions that meet
    such a target or an owned one.

    Args:
        task: parameters of the run.
        tile: the tile.
        problems: receives the problems of owned crowns.
        with_halo: False to read the tile alone.
    """
    target_halo = 0.0
    prediction_halo = 0.0
    if with_halo:
        target_halo = task.target_halo
        prediction_halo = task.prediction_halo + task.target_halo
    classes = task.classes
    targets = read_tile(
        task.targets,
        tile,
        task.grid,
        target_halo,
        problems,
        plot_field=task.plot_field,
        class_field=classes.target_field,
        columns=(task.height_field, classes.field_of_strata),
    )
    predictions = read_tile(
        task.predictions,
        tile,
        task.grid,
        prediction_halo,
        problems,
        plot_field=task.plot_field,
        class_field=classes.other_field,
        columns=(task.score_field,),
    )
    return (
        targets._replace(crowns=classes.with_names(targets.crowns)),
        predictions._replace(crowns=classes.with_names(predictions.crowns)),
    )


@dataclass
class _Matches:
    """Overlaps and matches of the crowns of all tiles.

    Attributes:
        targets: all targets.
        predictions: all predictions.
        overlap: their overlaps.
        detection: pairs that count as detections.
        segmentation: pairs whose outlines are compared.
        detection_method: matching method of detection.
        all_drawn: False if unmatched predictions are not judged.
    """

    targets: _Side
    predictions: _Side
    overlap: OverlapTable
    detection: Matching
    segmentation: Matching
    detection_method: MatchingMethod
    all_drawn: bool

    @classmethod
    def of(
        cls,
        results: ResultsDirectory,
        task: EvaluationTask,
        methods: Sequence[MatchingMethod],
        all_drawn: bool,
    ) -> _Matches:
        """Match the targets and predictions of all tiles.

        Args:
            results: results with the finished stage of overlaps.
            task: parameters of the run.
            methods: matching methods of detection and of segmentation.
            all_drawn: False if unmatched predictions are not judged.
        """
        target_columns = []
        prediction_columns = []
        if _has_field(task.targets, task.classes.target_field):
            target_columns.append(CLASS_COLUMN)
        if _has_field(task.predictions, task.classes.other_field):
            prediction_columns.append(CLASS_COLUMN)
        if task.classes.request is not None:
            target_columns.append(STRATA_COLUMN)
            prediction_columns.append(STRATA_COLUMN)
        if task.score_field:
            prediction_columns.append(_SCORE_COLUMN)
        targets = _read_side(results, "targets", target_columns)
        predictions = _read_side(results, "predictions", prediction_columns)
        overlap = _read_overlap(results, targets, predictions)
        detection_method, segmentation_method = methods
        inputs = MatchingInputs(heights=targets.heights)
        return cls(
            targets=targets,
            predictions=predictions,
            overlap=overlap,
            detection=match_one_to_one(overlap, detection_method, inputs),
            segmentation=match_instances(overlap, segmentation_method, inputs),
            detection_method=detection_method,
            all_drawn=all_drawn,
        )

    @property
    def instance_matches(self) -> InstanceMatches:
        """The matches as functions of core take them."""
        return InstanceMatches(
            table=self.overlap,
            detection=self.detection,
            segmentation=self.segmentation,
            target_ids=self.targets.ids,
            prediction_ids=self.predictions.ids,
            all_drawn=self.all_drawn,
        )

    def compare_classes(self, by_plot: bool) -> ClassEvaluation | None:
        """Return the comparison of the classes of all crowns; None if a side has no classes."""
        target_classes = self.targets.classes
        prediction_classes = self.predictions.classes
        if target_classes is None or prediction_classes is None:
            return None
        plots = EvaluatedPlots(None, None)
        if by_plot:
            plots = EvaluatedPlots(self.targets.plots, self.predictions.plots)
        within = WithinInputs(
            table=self.overlap,
            method=self.detection_method.value,
            matching_inputs=MatchingInputs(heights=self.targets.heights),
            score=self.predictions.columns.get(_SCORE_COLUMN),
            plots=plot_numbers(plots),
        )
        return compare_matched_classes(
            (target_classes, prediction_classes), self.instance_matches, plots, within
        )

    def summarise_strata(self, classes: TileClasses, by_plot: bool) -> StrataSummary | None:
        """Return the IoU of all targets by strata; None without strata.

        Args:
            classes: classes and strata of the run.
            by_plot: True if the crowns have plots.
        """
        if classes.request is None:
            return None
        plots = self.targets.plots if by_plot else None
        return classes.summarise(
            self.targets.columns[STRATA_COLUMN],
            self.predictions.columns[STRATA_COLUMN],
            matched_stratum_scores(self.instance_matches, plots),
        )

    def summary(self, by_plot: bool) -> pd.DataFrame:
        """Return a row for all crowns, and a row per plot if ``by_plot``; see :func:`evaluate`."""
        target_plots = self.targets.plots.tolist() if by_plot else None
        prediction_plots = self.predictions.plots.tolist() if by_plot else None
        table = summarise_instances(
            self.overlap,
            self.detection,
            self.segmentation,
            target_plots=target_plots,
            prediction_plots=prediction_plots,
            all_drawn=self.all_drawn,
        )
        return table[table["plot"].notna()].reset_index(drop=True)

    def tables_of_tile(self, results: ResultsDirectory, tile: Tile) -> dict[str, pd.DataFrame]:
        """Return the tables ``targets`` and ``predictions`` of the crowns that a tile owns.

        The first column contains the ids. The targets have ``target_id``, ``plot``, ``status``,
        ``match_id``, ``segmentation_match_id``, ``iou``, ``precision``, ``recall`` and ``area``
        (m²); the predictions ``prediction_id``, ``plot``, ``status``, ``match_id`` and ``area``.
        With classes both have ``crown_class``, ``matched_class`` and ``class_result``, and with
        strata the targets have ``strata_value``.

        Args:
            results: results with the work files of the tile.
            tile: the tile.
        """
        target_columns, prediction_columns = self._columns()
        sides = {
            "targets": (self.targets, target_columns),
            "predictions": (self.predictions, prediction_columns),
        }
        tables = {}
        for name, (side, columns) in sides.items():
            ids = pd.read_parquet(_work_file(results, name, tile), columns=["id"])["id"]
            rows = np.searchsorted(side.ids, ids.to_numpy())
            own_values = {column: values[rows] for column, values in columns.items()}
            tables[name] = pd.DataFrame(own_values)
        return tables

    def _columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns of :meth:`tables_of_tile` for all targets and all predictions."""
        iou, precision, recall = matched_rates(self.overlap, self.segmentation)
        prediction_ids = self.predictions.ids
        target_columns = {
            "target_id": self.targets.ids,
            "plot": self.targets.plots,
            "status": target_status(self.detection),
            "match_id": matched_ids(prediction_ids, self.detection.prediction),
            "segmentation_match_id": matched_ids(prediction_ids, self.segmentation.prediction),
            "iou": iou,
            "precision": precision,
            "recall": recall,
            "area": self.targets.areas,
        }
        prediction_columns = {
            "prediction_id": prediction_ids,
            "plot": self.predictions.plots,
            "status": prediction_status(self.detection, all_drawn=self.all_drawn),
            "match_id": matched_ids(self.targets.ids, self.detection.target),
            "area": self.predictions.areas,
        }
        target_classes = self.targets.classes
        prediction_classes = self.predictions.classes
        if target_classes is not None and prediction_classes is not None:
            class_inputs = matched_class_inputs(
                (target_classes, prediction_classes), self.instance_matches
            )
            target_table, prediction_table = class_columns(class_inputs)
            for name, values in target_table.items():
                target_columns[str(name)] = values.to_numpy()
            for name, values in prediction_table.items():
                prediction_columns[str(name)] = values.to_numpy()
        if STRATA_COLUMN in self.targets.columns:
            target_columns[STRATA_COLUMN] = self.targets.columns[STRATA_COLUMN]
        return target_columns, prediction_columns


def _work_file(results: ResultsDirectory, name: str, tile: Tile) -> Path:
    """Return the work file with the ``targets`` or ``predictions`` of a tile."""
    return results.folder / WORK_FOLDER / f"{name}-{tile.key}.parquet"


def _has_field(source: Source, field: str) -> bool:
    """Return True if a field is chosen and the layer has it."""
    return bool(field) and source.has_field(field)


def _read_side(results: ResultsDirectory, name: str, columns: Sequence[str]) -> _Side:
    """Return the ``targets`` or ``predictions`` of all tiles, with further columns.

    Args:
        results: results with the finished stage of overlaps.
        name: ``targets`` or ``predictions``.
        columns: names of the further columns.
    """
    paths = [_work_file(results, name, tile) for tile in results.tiles()]
    table = _read_tables(paths, ["id", "size", "height", "plot", *_BOUNDS, *columns])
    table = table.sort_values("id", kind="stable")
    ids = table["id"].to_numpy(dtype=np.int64)
    plots = none_for_missing(table["plot"])
    further_columns = {}
    for column_name in columns:
        values = table[column_name]
        if values.dtype == object:
            further_columns[column_name] = none_for_missing(values)
        else:
            further_columns[column_name] = values.to_numpy(copy=True)
    areas = table["size"].to_numpy(dtype=np.float64)
    bounds = table[_BOUNDS].to_numpy(dtype=np.float64)
    classes = further_columns.get(CLASS_COLUMN)
    return _Side(
        ids=ids,
        areas=areas,
        heights=table["height"].to_numpy(dtype=np.float64),
        plots=plots,
        ranks=rank_places(bounds, areas, ids, [plots, classes]),
        columns=further_columns,
    )


def _read_overlap(results: ResultsDirectory, targets: _Side, predictions: _Side) -> OverlapTable:
    """Return the overlaps of the crowns of all tiles.

    Args:
        results: results with the finished stage of overlaps.
        targets: all targets.
        predictions: all predictions.
    """
    pairs = _read_tables(results.files("pairs"), ["target_id", "prediction_id", "shared"])
    # The ids of both layers are ascending.
    target_rows = np.searchsorted(targets.ids, pairs["target_id"].to_numpy(dtype=np.int64))
    prediction_rows = np.searchsorted(
        predictions.ids, pairs["prediction_id"].to_numpy(dtype=np.int64)
    )
    order = np.lexsort((prediction_rows, target_rows))
    return OverlapTable(
        target=target_rows[order],
        prediction=prediction_rows[order],
        shared=pairs["shared"].to_numpy(dtype=np.float64)[order],
        target_size=targets.areas,
        prediction_size=predictions.areas,
        target_rank=targets.ranks,
        prediction_rank=predictions.ranks,
    )


def _read_tables(paths: Sequence[Path], columns: list[str]) -> pd.DataFrame:
    """Return columns of Parquet files, with the rows of all files one below the other."""
    frames = [read_columns(path, columns).to_pandas() for path in paths]
    # Empty frames would influence the types of the columns.
    with_rows = [frame for frame in frames if len(frame)]
    if not with_rows:
        return pd.DataFrame(columns=columns)
    return pd.concat(with_rows, ignore_index=True)

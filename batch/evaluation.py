"""Evaluating predicted crowns tile by tile, with the numbers of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from distributed import Client

from randcrowns.batch.cluster import Scheduler, Watch, unwatched
from randcrowns.batch.reading import MORE, Read, nearest_groups, read_tile
from randcrowns.batch.results import WORK, Results, write_table
from randcrowns.batch.running import How, PathLike, carried_out
from randcrowns.batch.source import Problems, Source
from randcrowns.batch.summary import write_summary
from randcrowns.batch.tiles import MOST_CROWNS, Grid, Tile
from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import (
    Matching,
    Method,
    match,
    match_once,
    matched_ids,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.metrics import matched_shares
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import (
    nearest_polygon,
    plots_of_predictions,
    summarise_instances,
)

#: The stages of a run: overlaps are measured; tables are written.
OVERLAID, WRITTEN = "overlaid", "written"


@dataclass(frozen=True)
class EvaluationTask:
    """What every tile of an evaluation needs to know: the layers, columns, results directory, cells, and how far
    around a tile targets and predictions matter to what it owns."""

    targets: Source
    predictions: Source
    plot_field: str
    height_field: str
    folder: str
    grid: Grid
    reach: float
    prediction_reach: float


class Side(NamedTuple):
    """All targets, or all predictions, in the order of their ids."""

    ids: Ints
    size: Floats
    height: Floats
    group: Objects


def evaluate(
    targets: PathLike,
    predictions: PathLike,
    out: PathLike,
    *,
    detection: str = Method.PANOPTIC_SEGMENTATION.value,
    segmentation: str = Method.FOR_AI_NET_COVERAGE.value,
    plot_field: str = "",
    height_field: str = "",
    all_drawn: bool = True,
    id_column: str = "",
    tile: float | None = None,
    most_crowns: int = MOST_CROWNS,
    resume: bool = False,
    scheduler: Scheduler = None,
    workers: int | None = None,
    watch: Watch = unwatched,
) -> pd.DataFrame:
    """Match predicted crowns with target crowns, tile by tile on a cluster.

    Args:
        targets: file or folder with the crowns to be found.
        predictions: the crowns that a method predicted.
        out: the results directory.
        detection, segmentation: names of a :class:`randcrowns.core.instances.matching.Method`.
        plot_field: column with the plot of each crown.
        height_field: number by which the tallest target chooses first; by default its area.
        all_drawn: False where only some of the crowns were drawn as targets: unmatched predictions are then not
            judged, and what counts them as false is NaN.
        id_column, tile, most_crowns, resume, scheduler, workers, watch: as for :func:`randcrowns.batch.score`.

    Returns:
        The summary: columns as of :func:`randcrowns.core.instances.summary.summarise_instances`.

    Raises:
        InputError: for layers or choices that cannot be used, or a directory with other results.

    >>> import tempfile, geopandas, shapely
    >>> folder = tempfile.mkdtemp()
    >>> trees = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)], crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> trees.iloc[:1].to_file(f"{folder}/found.gpkg")
    >>> found = evaluate(f"{folder}/trees.gpkg", f"{folder}/found.gpkg", f"{folder}/out", workers=1)
    >>> found[["tp", "fn"]].values.tolist()
    [[1, 1]]
    """
    methods = [Method.named(name, "matching method") for name in (detection, segmentation)]
    made_with = {"detection": methods[0].value, "segmentation": methods[1].value}
    choices = {
        **made_with,
        "plot_field": plot_field,
        "height_field": height_field,
        "all_drawn": all_drawn,
    }

    def work(client: Client, results: Results, sources: list[Source]) -> pd.DataFrame:
        target, prediction = results.manifest["diagonals"]
        folder = str(results.folder.resolve())
        columns = plot_field, height_field, folder, results.grid
        task = EvaluationTask(sources[0], sources[1], *columns, prediction * MORE, target * MORE)
        results.run(client, OVERLAID, overlay_tile, lambda tile: (task, tile), "Overlaying", watch)
        whole = _Whole.of(results, methods, all_drawn)
        rest = whole.of_tile
        results.run(
            client,
            WRITTEN,
            write_tile,
            lambda tile: (task, tile, rest(results, tile)),
            "Writing",
            watch,
        )
        return write_summary(results, whole.summary(bool(plot_field)).assign(**made_with))

    how = How(tile, most_crowns, resume, scheduler, workers, watch)
    layers = [targets, predictions]
    return carried_out(
        "evaluate", layers, out, choices, how, work, id_column, [plot_field, height_field]
    )


def overlay_tile(task: EvaluationTask, tile: Tile) -> dict[str, Any]:
    """Measure what the crowns of one tile share; what the manifest says of it."""
    targets, predictions = _sides(task, tile, Problems())
    overlap = polygon_overlap(targets.crowns, predictions.crowns)
    groups = predictions.crowns.groups
    if task.plot_field and groups is None:
        groups = _plots(task, targets.crowns, predictions, overlap)
    mine = targets.own[overlap.target]
    pairs = pd.DataFrame(
        {
            "target_id": targets.crowns.ids[overlap.target[mine]],
            "prediction_id": predictions.crowns.ids[overlap.prediction[mine]],
            "shared": overlap.shared[mine],
            "iou": overlap.iou[mine],
        }
    )
    folder = Path(task.folder)
    files: dict[str, Any] = {}
    if len(pairs):
        files |= write_table(folder, f"pairs/{tile.key}.parquet", pairs)
    for name, read, plots in (
        ("targets", targets, targets.crowns.groups),
        ("predictions", predictions, groups),
    ):
        sizes = shapely.area(read.crowns.geometry)
        heights = (
            read.rows.table[task.height_field] if name == "targets" and task.height_field else sizes
        )
        table = pd.DataFrame(
            {"id": read.crowns.ids, "size": sizes, "height": np.asarray(heights, dtype=np.float64)}
        )
        table["group"] = np.full(len(table), None, dtype=object) if plots is None else plots
        files |= write_table(folder, f"{WORK}/{name}-{tile.key}.parquet", table[read.own])
    return {"files": files}


def _plots(
    task: EvaluationTask, targets: Crowns, predictions: Read, overlap: OverlapTable
) -> Objects:
    """(n,) plot of each prediction: of the target that it shares most with, or of the nearest wherever that is."""
    plots = plots_of_predictions(targets, predictions.crowns, overlap)
    alone = predictions.own.copy()
    alone[overlap.prediction] = False
    if alone.any():
        mine = predictions.crowns.subset(alone)
        plots[alone] = nearest_groups(
            task.targets, task.plot_field, targets, mine, task.reach, nearest_polygon
        )
    return plots


def write_tile(task: EvaluationTask, tile: Tile, tables: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Write what became of the crowns of a tile; what the manifest says of it."""
    problems, own = Problems(), {}
    files: dict[str, Any] = {}
    crs = task.targets.pieces.crs.to_string()
    for (name, table), read in zip(tables.items(), _sides(task, tile, problems, around=False)):
        ids = read.crowns.ids[read.own]
        found = table.set_index(table.columns[0]).loc[ids].reset_index()
        if len(found):
            files |= write_table(
                Path(task.folder), f"{name}/{tile.key}.parquet", found, read.own_shapes(), crs
            )
        own[read.crowns.name] = len(ids)
    return {"files": files, "crowns": own, "problems": problems.table().to_dict("records")}


def _sides(
    task: EvaluationTask, tile: Tile, problems: Problems, around: bool = True
) -> tuple[Read, Read]:
    heights = (task.height_field,) if task.height_field else ()
    reach, prediction_reach = (
        (task.reach, task.prediction_reach + task.reach) if around else (0.0, 0.0)
    )
    targets = read_tile(
        task.targets, tile, task.grid, reach, problems, plot_field=task.plot_field, columns=heights
    )
    predictions = read_tile(
        task.predictions, tile, task.grid, prediction_reach, problems, plot_field=task.plot_field
    )
    return targets, predictions


@dataclass
class _Whole:
    """The overlaps of all tiles together, and what they mean."""

    targets: Side
    predictions: Side
    overlap: OverlapTable
    found: Matching
    cut: Matching
    all_drawn: bool

    @classmethod
    def of(cls, results: Results, methods: Sequence[Method], all_drawn: bool) -> _Whole:
        """Match the targets and predictions of all tiles."""
        sides = [_side(results, name) for name in ("targets", "predictions")]
        pairs = _tables(results.files("pairs"), ["target_id", "prediction_id", "shared"])
        target, prediction = (
            np.searchsorted(side.ids, pairs[name].to_numpy(dtype=np.int64))
            for side, name in zip(sides, ("target_id", "prediction_id"))
        )
        order = np.lexsort((prediction, target))
        shared = pairs["shared"].to_numpy(dtype=np.float64)[order]
        overlap = OverlapTable(
            target[order], prediction[order], shared, sides[0].size, sides[1].size
        )
        detection, segmentation = methods
        found = match_once(overlap, detection, sides[0].height)
        cut = match(overlap, segmentation, sides[0].height)
        return cls(sides[0], sides[1], overlap, found, cut, all_drawn)

    def summary(self, by_plot: bool) -> pd.DataFrame:
        """See :func:`evaluate`."""
        plots = [
            side.group.tolist() if by_plot else None for side in (self.targets, self.predictions)
        ]
        table = summarise_instances(
            self.overlap,
            self.found,
            self.cut,
            target_groups=plots[0],
            prediction_groups=plots[1],
            all_drawn=self.all_drawn,
        )
        return table[table["group"].notna()].reset_index(drop=True)

    def of_tile(self, results: Results, tile: Tile) -> dict[str, pd.DataFrame]:
        """What became of the crowns of a tile."""
        iou, precision, recall = matched_shares(self.overlap, self.cut)
        columns = {
            "target_id": self.targets.ids,
            "group": self.targets.group,
            "status": target_status(self.found),
            "match_id": matched_ids(self.predictions.ids, self.found.prediction),
            "cut_id": matched_ids(self.predictions.ids, self.cut.prediction),
            "iou": iou,
            "precision": precision,
            "recall": recall,
            "area": self.targets.size,
        }
        others = {
            "prediction_id": self.predictions.ids,
            "group": self.predictions.group,
            "status": prediction_status(self.found, all_drawn=self.all_drawn),
            "match_id": matched_ids(self.targets.ids, self.found.target),
            "area": self.predictions.size,
        }
        made = {}
        for name, side, values in (
            ("targets", self.targets, columns),
            ("predictions", self.predictions, others),
        ):
            ids = pd.read_parquet(
                results.folder / WORK / f"{name}-{tile.key}.parquet", columns=["id"]
            )["id"]
            rows = np.searchsorted(side.ids, ids.to_numpy())
            made[name] = pd.DataFrame({column: value[rows] for column, value in values.items()})
        return made


def _side(results: Results, name: str) -> Side:
    paths = [results.folder / WORK / f"{name}-{tile.key}.parquet" for tile in results.tiles()]
    table = _tables(paths, ["id", "size", "height", "group"]).sort_values("id", kind="stable")
    group = table["group"].to_numpy(dtype=object, copy=True)
    group[pd.isna(group)] = None
    return Side(
        table["id"].to_numpy(dtype=np.int64),
        table["size"].to_numpy(dtype=np.float64),
        table["height"].to_numpy(dtype=np.float64),
        group,
    )


def _tables(paths: Sequence[Path], columns: list[str]) -> pd.DataFrame:
    found = [pd.read_parquet(path, columns=columns) for path in paths]
    return pd.concat(
        [one for one in found if len(one)] or [pd.DataFrame(columns=columns)], ignore_index=True
    )

"""Summaries from sums over tiles.

Each tile writes counts, means and sums of squared deviations per layer and plot. They are merged by
the formulas of Chan, Golub and LeVeque (1983), "Algorithms for computing the sample variance". The
medians are exact: they are computed from the tables of targets, of which only a part is in memory
at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.batch.results import read_columns
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.crowns import label_plots
from randcrowns.core.scoring.layer import IOU_THRESHOLDS, RANDCROWNS_THRESHOLD, SCORES
from randcrowns.core.statistics import moments_interval, precision_recall_f1, ratio, ratio_interval
from randcrowns.core.status import ALL_PLOTS, Status, statuses_by_count
from randcrowns.core.thresholds import reaches


class _Detection(NamedTuple):
    """A score and the threshold that a detected crown reaches."""

    score: str  #: ``"iou"`` or ``"randcrowns"``.
    threshold: float  #: minimum score of a detected crown.
    #: Ending of the columns of sums with the numbers of detected crowns. That of RandCrowns does
    #: not contain its threshold, which is a parameter of the run.
    column: str


def _detections(randcrowns_threshold: float) -> list[_Detection]:
    """Return the detections that are counted, in the order of the summary."""
    by_iou = [_Detection("iou", value, f"iou_{value:g}") for value in IOU_THRESHOLDS]
    return [*by_iou, _Detection("randcrowns", randcrowns_threshold, "randcrowns")]


# Count of targets -> statuses of these targets. All other targets are matched.
_STATUS_COUNTS = {
    name: [status.value for status in statuses]
    for name, statuses in statuses_by_count().items()
    if name != "matched"
}
_COUNTS = [
    "targets",
    "delineations",
    *_STATUS_COUNTS,
    "unmatched_delineations",
    "scored",
    *(
        f"{side}_{detection.column}"
        for side in ("found", "right")
        for detection in _detections(RANDCROWNS_THRESHOLD)
    ),
]
_MEANS = [f"mean_{score}" for score in SCORES]
_SQUARES = [f"squares_{score}" for score in SCORES]
#: Columns of the sums; see :func:`tile_sums`.
SUM_COLUMNS = ["tile", "layer", "plot", *_COUNTS, *_MEANS, *_SQUARES]
# Maximum number of targets whose scores are in memory at a time.
_TOGETHER = 2_000_000
# Number of bins of the range of scores, from 0 to 1, for medians of more targets than that.
_BINS = 1 << 16


def tile_sums(
    tile: str,
    layer: str,
    targets: pd.DataFrame,
    delineations: pd.DataFrame,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
) -> pd.DataFrame:
    """Return the contribution of a tile to the summary of a layer.

    Args:
        tile: key of the tile.
        layer: name of the layer of delineations.
        targets: targets that the tile owns, as :func:`randcrowns.core.score_crowns` returns them.
        delineations: delineations that the tile owns, likewise.
        randcrowns_threshold: minimum RandCrowns of a detected crown.

    Returns:
        A row per plot, and a row with plot None for crowns without a plot. The columns are
        ``tile``, ``layer``, ``plot`` (the plot) and

        * int64 counts: ``targets``, ``delineations``; ``missed``, ``unmatched_targets`` and
          ``too_small`` by status; ``unmatched_delineations``; ``scored`` (targets with a score);
          ``found_iou_<threshold>`` and ``found_randcrowns`` targets, ``right_iou_<threshold>`` and
          ``right_randcrowns`` delineations that reach a threshold;
        * ``mean_<score>`` over the scored targets, NaN without any;
        * ``squares_<score>``, the sum of squared deviations from that mean.
    """
    target_plots = targets["plot"].to_numpy(dtype=object)
    delineation_plots = delineations["plot"].to_numpy(dtype=object)
    codes, plot_names = pd.factorize(np.concatenate([target_plots, delineation_plots]))
    codes[codes < 0] = len(plot_names)  # crowns without a plot are counted in the last row
    target_codes, delineation_codes = np.split(codes, [len(targets)])
    n_plots = len(plot_names) + 1

    sums: dict[str, Any] = {"tile": tile, "layer": layer, "plot": [*plot_names, None]}
    detections = _detections(randcrowns_threshold)
    for name, mask in _target_masks(targets, detections).items():
        sums[name] = _count_by_plot(target_codes, mask, n_plots)
    for name, mask in _delineation_masks(delineations, detections).items():
        sums[name] = _count_by_plot(delineation_codes, mask, n_plots)

    scored_rows = np.flatnonzero(targets["randcrowns"].notna())
    scored_codes = target_codes[scored_rows]
    for score in SCORES:
        values = targets[score].to_numpy(dtype=np.float64)[scored_rows]
        with np.errstate(invalid="ignore"):
            means = np.bincount(scored_codes, values, n_plots) / sums["scored"]
        squares = np.bincount(scored_codes, np.square(values - means[scored_codes]), n_plots)
        sums[f"mean_{score}"] = means
        sums[f"squares_{score}"] = squares.astype(np.float64)

    table = pd.DataFrame(sums)
    has_crowns = table["targets"] + table["delineations"] > 0
    return table[has_crowns].reset_index(drop=True)


def _target_masks(targets: pd.DataFrame, detections: Sequence[_Detection]) -> dict[str, Any]:
    """Return a mask (n,) of the targets that each count of :func:`tile_sums` includes.

    Args:
        targets: n targets with ``status``, ``randcrowns`` and ``best_<score>`` columns.
        detections: detections that are counted.
    """
    masks: dict[str, Any] = {"targets": np.ones(len(targets), dtype=bool)}
    for name, statuses in _STATUS_COUNTS.items():
        masks[name] = targets["status"].isin(statuses)
    masks["scored"] = targets["randcrowns"].notna()
    for score, threshold, column in detections:
        masks[f"found_{column}"] = reaches(targets[f"best_{score}"], threshold)
    return masks


def _delineation_masks(
    delineations: pd.DataFrame, detections: Sequence[_Detection]
) -> dict[str, Any]:
    """Return a mask (n,) of the delineations that each count of :func:`tile_sums` includes.

    Args:
        delineations: n delineations with ``status`` and a column per score.
        detections: detections that are counted.
    """
    masks: dict[str, Any] = {
        "delineations": np.ones(len(delineations), dtype=bool),
        "unmatched_delineations": delineations["status"] == Status.UNMATCHED,
    }
    for score, threshold, column in detections:
        masks[f"right_{column}"] = reaches(delineations[score], threshold)
    return masks


def _count_by_plot(plot_codes: Ints, mask: Any, n_plots: int) -> Ints:
    """Return the number (n_plots,) of crowns of each plot that a mask includes.

    Args:
        plot_codes: (n,) number of the plot of each crown, from 0.
        mask: (n,) True for the crowns to count.
        n_plots: number of plots.
    """
    counts = np.bincount(plot_codes, np.asarray(mask, dtype=np.float64), n_plots)
    return counts.astype(np.int64)


def merge_sums(sums: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Merge the sums of rows with equal values in the columns ``by``.

    With n_i scored targets of mean m_i and sum of squared deviations s_i in row i, the merged mean
    is m = sum(n_i m_i) / sum(n_i), and the merged sum of squared deviations is
    sum(s_i + n_i (m_i - m)^2) (Chan, Golub and LeVeque 1983).

    Returns:
        The columns ``by``, then those of :func:`tile_sums`; a row per combination, in the order in
        which the combinations first occur.
    """
    # Number of the merged row of each row.
    codes = sums.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    _, first_rows = np.unique(codes, return_index=True)
    n_rows = len(first_rows)

    def add_up(values: Floats) -> Floats:
        """Return the sums (n_rows,) of the values of the rows that are merged."""
        return np.bincount(codes, values, n_rows).astype(np.float64)

    columns: dict[str, Any] = {name: sums[name].to_numpy()[first_rows] for name in by}
    for name in _COUNTS:
        counts = add_up(sums[name].to_numpy(dtype=np.float64))
        columns[name] = counts.astype(np.int64)
    n_scored = sums["scored"].to_numpy(dtype=np.float64)
    for mean_column, squares_column in zip(_MEANS, _SQUARES):
        # Rows without scored targets have no mean.
        means = np.where(n_scored > 0, sums[mean_column].to_numpy(dtype=np.float64), 0.0)
        squares = sums[squares_column].to_numpy(dtype=np.float64)
        with np.errstate(invalid="ignore"):
            merged_means = add_up(means * n_scored) / columns["scored"]
        mean_of_merged_row = np.nan_to_num(merged_means)[codes]
        deviations = np.where(n_scored > 0, means - mean_of_merged_row, 0.0)
        columns[mean_column] = merged_means
        columns[squares_column] = add_up(squares + n_scored * np.square(deviations))
    return pd.DataFrame(columns)


def summarise_sums(
    sums: pd.DataFrame,
    files: Mapping[str, Path],
    layer: str,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
) -> pd.DataFrame:
    """Return the summary of a layer, equal to that of all its crowns at once.

    Args:
        sums: sums of all tiles and layers, as :func:`tile_sums` returns them.
        files: by key of the tile, the Parquet file with its targets, from which medians are read.
        layer: name of the layer of delineations.
        randcrowns_threshold: minimum RandCrowns of a detected crown, as for :func:`tile_sums`.

    Returns:
        A row for all crowns, then a row per plot, sorted by name; columns as of
        :func:`randcrowns.core.scoring.layer.summarise`.
    """
    layer_sums = sums[sums["layer"] == layer]
    plots = merge_sums(layer_sums, ["plot"])
    rows = _summary_rows(layer_sums, plots)
    plot_names = rows["plot"].tolist()[1:]
    # Every target that has no other status is matched.
    n_not_matched = rows[list(_STATUS_COUNTS)].sum(axis=1)
    columns: dict[str, Any] = {
        "plot": [ALL_PLOTS, *label_plots(plot_names)],
        "targets": rows["targets"],
        "delineations": rows["delineations"],
        "matched": rows["targets"] - n_not_matched,
    }
    for name in ("missed", "unmatched_targets", "unmatched_delineations", "too_small"):
        columns[name] = rows[name]

    scored_plots = plots[plots["scored"] > 0]
    medians = _medians(rows, layer_sums, files, layer)
    for score, score_medians in zip(SCORES, medians.T):
        columns |= _score_columns(rows, scored_plots, score, score_medians)
    resampled_units = np.full(len(rows), "crowns", dtype=object)
    if len(scored_plots) > 1:
        resampled_units[0] = "plots"
    columns["resampled"] = resampled_units

    n_scored = rows["scored"].to_numpy(dtype=np.float64)
    total_scores = np.nan_to_num(rows["mean_randcrowns"].to_numpy()) * n_scored
    # Every unmatched delineation counts as a score of 0.
    n_with_unmatched = n_scored + rows["unmatched_delineations"].to_numpy()
    columns["penalised_mean"] = ratio(total_scores, n_with_unmatched)
    for detection in _detections(randcrowns_threshold):
        columns |= _detection_columns(rows, plots, detection)
    return pd.DataFrame(columns)


def _score_columns(
    rows: pd.DataFrame, scored_plots: pd.DataFrame, score: str, medians: Floats
) -> dict[str, Floats]:
    """Return mean, standard deviation, median and confidence interval of a score.

    Args:
        rows: sums of all crowns, then of each plot.
        scored_plots: sums of each plot with scored targets.
        score: name of the score.
        medians: (rows,) medians of the score.

    Returns:
        Columns (rows,) ``<score>_mean``, ``_sd``, ``_median``, ``_low`` and ``_high``.
    """
    n_scored = rows["scored"].to_numpy(dtype=np.float64)
    mean = rows[f"mean_{score}"].to_numpy()
    squares = rows[f"squares_{score}"].to_numpy()
    low, high = moments_interval(n_scored, mean, squares)
    if len(scored_plots) > 1:
        # The interval for all crowns is over plots, since crowns of a plot are alike.
        n_scored_of_plots = scored_plots["scored"].to_numpy()
        totals = scored_plots[f"mean_{score}"].to_numpy() * n_scored_of_plots
        plot_numbers = np.arange(len(scored_plots))
        low[0], high[0] = ratio_interval(totals, n_scored_of_plots, plot_numbers)
    variance = np.where(n_scored > 1, squares / np.maximum(n_scored - 1, 1), np.nan)
    return {
        f"{score}_mean": mean,
        f"{score}_sd": np.sqrt(variance),
        f"{score}_median": medians,
        f"{score}_low": low,
        f"{score}_high": high,
    }


def _summary_rows(layer_sums: pd.DataFrame, plots: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of all crowns of a layer, then those of each plot, sorted by its name.

    Args:
        layer_sums: sums of all tiles for the layer.
        plots: these sums merged by ``plot``.
    """
    total = merge_sums(layer_sums, ["layer"]).drop(columns="layer")
    if len(total) == 0:
        no_crowns = {name: [0] for name in _COUNTS}
        no_scores = {name: [np.nan] for name in (*_MEANS, *_SQUARES)}
        total = pd.DataFrame({**no_crowns, **no_scores})

    # Crowns without a plot count in the total only.
    named_plots = plots[plots["plot"].notna()]
    names = named_plots["plot"].astype(str).to_numpy(dtype=object)
    sorted_plots = named_plots.iloc[np.argsort(names, kind="stable")]
    return pd.concat([total.assign(plot=ALL_PLOTS), sorted_plots], ignore_index=True)


def _detection_columns(
    rows: pd.DataFrame, plots: pd.DataFrame, detection: _Detection
) -> dict[str, Floats]:
    """Return recall, precision and F1 at a threshold, with intervals of recall and precision.

    Args:
        rows: sums of all crowns, then of each plot: numbers of targets, of delineations, and of
            found targets and right delineations at each threshold.
        plots: sums of each plot, including the row of crowns without one.
        detection: score and threshold of a detected crown.

    Returns:
        Columns (rows,) of the summary by name, such as ``recall_iou_0.5_low``.
    """
    suffix = f"{detection.score}_{detection.threshold:g}"
    found_column = f"found_{detection.column}"
    right_column = f"right_{detection.column}"
    # RandCrowns is undefined for targets that are too small; IoU is defined for all.
    target_column = "targets" if detection.score == "iou" else "scored"

    n_targets = rows[target_column].to_numpy()
    n_delineations = rows["delineations"].to_numpy()
    precision, recall, f1 = precision_recall_f1(
        rows[found_column].to_numpy(), n_targets, rows[right_column].to_numpy(), n_delineations
    )
    recall_low, recall_high = _rate_interval(
        rows, plots, rate=recall, hit_column=found_column, count_column=target_column
    )
    precision_low, precision_high = _rate_interval(
        rows, plots, rate=precision, hit_column=right_column, count_column="delineations"
    )
    has_both = (n_targets > 0) & (n_delineations > 0)
    return {
        f"recall_{suffix}": recall,
        f"recall_{suffix}_low": recall_low,
        f"recall_{suffix}_high": recall_high,
        f"precision_{suffix}": precision,
        f"precision_{suffix}_low": precision_low,
        f"precision_{suffix}_high": precision_high,
        f"f1_{suffix}": np.where(has_both, f1, np.nan),
    }


def _rate_interval(
    rows: pd.DataFrame, plots: pd.DataFrame, rate: Floats, hit_column: str, count_column: str
) -> tuple[Floats, Floats]:
    """Return the lower and the upper ends (rows,) of the confidence intervals of a rate.

    Args:
        rows: sums of all crowns, then of each plot.
        plots: sums of each plot. With several, the interval for all crowns is over plots.
        rate: (rows,) share of the counted crowns that are hits.
        hit_column: column with the number of hits.
        count_column: column with the number of counted crowns.
    """
    n_counted = rows[count_column].to_numpy(dtype=np.float64)
    # The squared deviations of hits (1) and others (0) from their mean add up to this.
    sum_of_squares = n_counted * rate * (1 - rate)
    low, high = moments_interval(n_counted, rate, sum_of_squares)
    counted_plots = plots[plots[count_column] > 0]
    if len(counted_plots) > 1:
        n_hits_of_plots = counted_plots[hit_column].to_numpy()
        n_counted_of_plots = counted_plots[count_column].to_numpy()
        plot_numbers = np.arange(len(counted_plots))
        low[0], high[0] = ratio_interval(n_hits_of_plots, n_counted_of_plots, plot_numbers)
    return low, high


def _medians(
    rows: pd.DataFrame, sums: pd.DataFrame, files: Mapping[str, Path], layer: str
) -> Floats:
    """Return the medians (rows, 3) of the scores: of all crowns in row 0, then of each plot.

    Small plots are read together, so that few tiles are read more than once.

    Args:
        rows: ``plot`` and ``scored`` of each row.
        sums: sums of all tiles for the layer, which say where a plot has targets.
        files: by key of the tile, the Parquet file with its targets.
        layer: name of the layer.
    """
    medians = np.full((len(rows), len(SCORES)), np.nan)
    scored_sums = sums[sums["scored"] > 0]
    tiles_of_plot = scored_sums.groupby("plot", sort=False)["tile"].unique().to_dict()
    all_paths = [files[tile] for tile in scored_sums["tile"].unique()]
    small_plots: list[int] = []
    n_collected = 0
    for row, (plot, n_scored) in enumerate(zip(rows["plot"], rows["scored"])):
        is_row_of_all = row == 0
        if is_row_of_all:
            medians[row] = _median(all_paths, layer, plot=None, count=int(n_scored))
            continue
        if n_scored > _TOGETHER:
            paths = [files[tile] for tile in tiles_of_plot.get(plot, [])]
            medians[row] = _median(paths, layer, plot, int(n_scored))
            continue
        # Small plots are collected until their scores fill the memory.
        if n_collected + n_scored > _TOGETHER:
            _fill_plot_medians(medians, rows, small_plots, tiles_of_plot, files, layer)
            small_plots = []
            n_collected = 0
        small_plots.append(row)
        n_collected += n_scored
    _fill_plot_medians(medians, rows, small_plots, tiles_of_plot, files, layer)
    return medians


def _fill_plot_medians(
    medians: Floats,
    rows: pd.DataFrame,
    plot_rows: list[int],
    tiles_of_plot: Mapping[Any, Any],
    files: Mapping[str, Path],
    layer: str,
) -> None:
    """Write the medians of some plots, whose scores fit in memory together, into ``medians``.

    Args:
        medians: (rows, 3) changed in the rows ``plot_rows``.
        rows: ``plot`` of each row.
        plot_rows: rows of the plots.
        tiles_of_plot: keys of the tiles with scored targets of each plot.
        files: by key of the tile, the Parquet file with its targets.
        layer: name of the layer.
    """
    plots = rows["plot"].iloc[plot_rows]
    # A dictionary is a set that keeps the order.
    tiles: dict[str, None] = {}
    for plot in plots:
        tiles.update(dict.fromkeys(tiles_of_plot.get(plot, [])))
    paths = [files[tile] for tile in tiles]
    if not paths:
        return
    tables = []
    for table in _read_scores(paths, layer, with_plots=True):
        is_requested = table["plot"].isin(plots)
        tables.append(table[is_requested])
    scores_by_plot = pd.concat(tables).groupby("plot")[list(SCORES)]
    medians[plot_rows] = scores_by_plot.median().reindex(plots).to_numpy()


def _median(paths: Sequence[Path], layer: str, plot: Any, count: int) -> Floats:
    """Return the medians (3,) of the scores of a plot, or of all targets; NaN without targets.

    At most ``_TOGETHER`` targets are held in memory at once.

    Args:
        paths: Parquet files of targets.
        layer: name of the layer.
        plot: the plot; None for all targets.
        count: number of scored targets.
    """

    def read_values() -> Iterator[Floats]:
        """Yield the scores (targets, 3) of each file."""
        for table in _read_scores(paths, layer, with_plots=plot is not None):
            rows = table if plot is None else table[table["plot"] == plot]
            yield rows[list(SCORES)].to_numpy(dtype=np.float64)

    if count == 0:
        return np.full(len(SCORES), np.nan)
    if count > _TOGETHER:
        return _median_in_two_passes(read_values, count)
    all_values = np.concatenate(list(read_values()))
    return np.asarray(np.median(all_values, axis=0))


def _median_in_two_passes(read_values: Callable[[], Iterable[Floats]], count: int) -> Floats:
    """Return the medians (3,) of scores that are too many to be in memory together.

    The scores are read twice, file by file: first they are counted in narrow bins, then those in
    the bins with the middle values are ranked.

    Args:
        read_values: reads the scores (targets, 3) of one file after another; called twice.
        count: number of targets in all files.
    """
    n_scores = len(SCORES)
    bin_counts = np.zeros((n_scores, _BINS), dtype=np.int64)
    for values in read_values():
        bins = _bins(values)
        for score in range(n_scores):
            bin_counts[score] += np.bincount(bins[:, score], minlength=_BINS)
    # Of an even number of values, the median is the mean of the two in the middle.
    middle_ranks = np.array([(count - 1) // 2, count // 2])
    bin_ends = bin_counts.cumsum(axis=1)
    middle_bins = [np.searchsorted(ends, middle_ranks, side="right") for ends in bin_ends]

    value_counts: list[Counter[float]] = [Counter() for _ in SCORES]
    for values in read_values():
        bins = _bins(values)
        for score in range(n_scores):
            is_in_middle = np.isin(bins[:, score], middle_bins[score])
            # Many scores may be equal, such as 0.
            distinct, repetitions = np.unique(values[is_in_middle, score], return_counts=True)
            value_counts[score].update(dict(zip(distinct.tolist(), repetitions.tolist())))

    medians = []
    for score in range(n_scores):
        # The two bins may be apart, but no value lies between them, so that ranks are consecutive.
        first_bin = middle_bins[score][0]
        n_before = bin_ends[score, first_bin] - bin_counts[score, first_bin]
        medians.append(_mean_at_ranks(value_counts[score], middle_ranks - n_before))
    return np.array(medians)


def _mean_at_ranks(value_counts: Mapping[float, int], ranks: Ints) -> float:
    """Return the mean of the values at the given ranks, which count from 0.

    Args:
        value_counts: number of repetitions of each value.
        ranks: ranks of the requested values among all repetitions, sorted by value.
    """
    values = np.array(sorted(value_counts))
    # Rank behind the last repetition of each value.
    end_ranks = np.cumsum([value_counts[value] for value in values.tolist()])
    positions = np.searchsorted(end_ranks, ranks, side="right")
    return float(values[positions].mean())


def _bins(values: Floats) -> Ints:
    """Return the bin of each score; bins are numbered from 0 to ``_BINS`` - 1."""
    return np.clip(values * _BINS, 0, _BINS - 1).astype(np.int64)


def _read_scores(paths: Sequence[Path], layer: str, with_plots: bool) -> Iterator[pd.DataFrame]:
    """Yield the scores of targets, one table per file.

    Args:
        paths: Parquet files with the targets of tiles.
        layer: name of the layer of delineations.
        with_plots: True to read the column ``plot`` too.

    Yields:
        A row per target with a score; columns ``SCORES``, and ``plot`` if it is requested.
    """
    columns = list(SCORES)
    if with_plots:
        columns.append("plot")
    for path in paths:
        table = read_columns(path, columns, filters=[("layer", "=", layer)])
        frame = table.to_pandas(ignore_metadata=True)
        has_score: Bools = frame["randcrowns"].notna()
        yield frame[has_score]

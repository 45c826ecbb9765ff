"""Sums of scores by layer and plot: each tile writes its own, and those of all tiles make the summary.

Counts, means and sums of squares add up over tiles (Chan, Golub and LeVeque 1983). Medians are exact: the scores of
some plots, or of a narrow range, are read at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.layer import IOU_THRESHOLDS, RANDCROWNS_THRESHOLD, SCORES
from randcrowns.core.statistics import moments_interval, precision_recall_f1, ratio, ratio_interval
from randcrowns.core.status import ALL, Status

#: The least scores of a crown that counts as found: the score and the number.
_TESTS = [*(("iou", least) for least in IOU_THRESHOLDS), ("randcrowns", RANDCROWNS_THRESHOLD)]
_STATUSES = {
    "missed": Status.MISSED,
    "unmatched_targets": Status.UNMATCHED,
    "too_small": Status.TARGET_TOO_SMALL,
}
_COUNTS = [
    "targets",
    "delineations",
    *_STATUSES,
    "unmatched_delineations",
    "scored",
    *(f"{what}_{score}_{least:g}" for what in ("found", "right") for score, least in _TESTS),
]
_MEANS, _SQUARES = ([f"{what}_{score}" for score in SCORES] for what in ("mean", "squares"))
#: Columns of the sums.
COLUMNS = ["tile", "layer", "group", *_COUNTS, *_MEANS, *_SQUARES]
# Scores that are in memory at a time, and parts that the range of scores is cut into where there are more.
_TOGETHER, _PARTS = 2_000_000, 1 << 16


def tile_sums(
    tile: str, layer: str, targets: pd.DataFrame, delineations: pd.DataFrame
) -> pd.DataFrame:
    """What a tile adds to the summary of a layer: a row per plot, that of crowns without one last.

    Args:
        tile, layer: their names.
        targets, delineations: the tables of what the tile owns, as :func:`randcrowns.core.score_crowns` has them.
    """
    scored = targets["randcrowns"].notna()
    one = {
        "targets": np.ones(len(targets)),
        **{name: targets["status"] == status for name, status in _STATUSES.items()},
        "scored": scored,
        **{
            f"found_{score}_{least:g}": targets[f"best_{score}"] >= least for score, least in _TESTS
        },
    }
    other = {
        "delineations": np.ones(len(delineations)),
        "unmatched_delineations": delineations["status"] == Status.UNMATCHED,
        **{f"right_{score}_{least:g}": delineations[score] >= least for score, least in _TESTS},
    }
    groups = [side["group"].to_numpy(dtype=object) for side in (targets, delineations)]
    codes, names = pd.factorize(np.concatenate(groups))
    codes[codes < 0] = len(names)
    of_targets, of_drawn = np.split(codes, [len(targets)])
    n = len(names) + 1
    sums: dict[str, Any] = {"tile": tile, "layer": layer, "group": [*names, None]}
    for columns, code in ((one, of_targets), (other, of_drawn)):
        for name, column in columns.items():
            sums[name] = np.bincount(code, np.asarray(column, dtype=np.float64), n).astype(np.int64)
    some = np.flatnonzero(scored)
    for score in SCORES:
        values, code = targets[score].to_numpy(dtype=np.float64)[some], of_targets[some]
        with np.errstate(invalid="ignore"):
            mean = np.bincount(code, values, n) / sums["scored"]
        sums[f"mean_{score}"] = mean
        sums[f"squares_{score}"] = np.bincount(code, np.square(values - mean[code]), n).astype(
            np.float64
        )
    table = pd.DataFrame(sums)
    return table[table["targets"] + table["delineations"] > 0].reset_index(drop=True)


def merged(sums: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The sums of the rows that are alike in the columns ``by``; those columns stand in front."""
    codes = sums.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    n = int(codes.max(initial=-1)) + 1
    first = np.unique(codes, return_index=True)[1]
    found: dict[str, Any] = {name: sums[name].to_numpy()[first] for name in by}
    for name in _COUNTS:
        found[name] = np.bincount(codes, sums[name].to_numpy(dtype=np.float64), n).astype(np.int64)
    weight = sums["scored"].to_numpy(dtype=np.float64)
    for mean, squares in zip(_MEANS, _SQUARES):
        means, about = (sums[name].to_numpy(dtype=np.float64) for name in (mean, squares))
        means = np.where(weight > 0, means, 0.0)
        with np.errstate(invalid="ignore"):
            found[mean] = np.bincount(codes, means * weight, n) / found["scored"]
        apart = np.where(weight > 0, means - np.nan_to_num(found[mean])[codes], 0.0)
        found[squares] = np.bincount(codes, about + weight * np.square(apart), n).astype(np.float64)
    return pd.DataFrame(found)


def summary_of(sums: pd.DataFrame, files: Mapping[str, Path], layer: str) -> pd.DataFrame:
    """The summary of a layer, as :func:`randcrowns.core.scoring.layer.summarise` has it.

    Args:
        sums: of all tiles and layers.
        files: the table of the targets of each tile.
        layer: the layer's name.
    """
    own = sums[sums["layer"] == layer]
    plots = merged(own, ["group"])
    whole = merged(own, ["layer"]).drop(columns="layer")
    if len(whole) == 0:
        whole = pd.DataFrame(
            {name: [0 if name in _COUNTS else np.nan] for name in (*_COUNTS, *_MEANS, *_SQUARES)}
        )
    named = plots[plots["group"].notna()]
    named = named.iloc[np.argsort(named["group"].astype(str).to_numpy(dtype=object), kind="stable")]
    rows = pd.concat([whole.assign(group=ALL), named], ignore_index=True)
    medians = _medians(rows, own, files, layer)

    found: dict[str, Any] = {"group": rows["group"]}
    found["targets"], found["delineations"] = rows["targets"], rows["delineations"]
    found["matched"] = rows["targets"] - rows[list(_STATUSES)].sum(axis=1)
    for name in ("missed", "unmatched_targets", "unmatched_delineations", "too_small"):
        found[name] = rows[name]
    n = rows["scored"].to_numpy(dtype=np.float64)
    units = plots[plots["scored"] > 0]
    for number, score in enumerate(SCORES):
        mean, squares = rows[f"mean_{score}"].to_numpy(), rows[f"squares_{score}"].to_numpy()
        low, high = moments_interval(n, mean, squares)
        if len(units) > 1:
            parts = (units[f"mean_{score}"] * units["scored"]).to_numpy()
            low[0], high[0] = ratio_interval(parts, units["scored"].to_numpy())
        found[f"{score}_mean"] = mean
        found[f"{score}_sd"] = np.sqrt(np.where(n > 1, squares / np.maximum(n - 1, 1), np.nan))
        found[f"{score}_median"] = medians[:, number]
        found[f"{score}_low"], found[f"{score}_high"] = low, high
    found["resampled"] = ["plots" if len(units) > 1 else "crowns", *["crowns"] * (len(rows) - 1)]
    total = np.nan_to_num(rows["mean_randcrowns"].to_numpy()) * n
    found["penalised_mean"] = ratio(total, n + rows["unmatched_delineations"].to_numpy())
    for score, least in _TESTS:
        name = f"{score}_{least:g}"
        searched = rows["targets" if score == "iou" else "scored"].to_numpy()
        drawn = rows["delineations"].to_numpy()
        counts = rows[f"found_{name}"].to_numpy(), searched, rows[f"right_{name}"].to_numpy(), drawn
        precision, recall, f1 = precision_recall_f1(*counts)
        for rate, share, hits, size in (
            ("recall", recall, f"found_{name}", "targets" if score == "iou" else "scored"),
            ("precision", precision, f"right_{name}", "delineations"),
        ):
            n = rows[size].to_numpy(dtype=np.float64)
            low, high = moments_interval(n, share, n * share * (1 - share))
            own = plots[plots[size] > 0]
            if len(own) > 1:
                low[0], high[0] = ratio_interval(own[hits].to_numpy(), own[size].to_numpy())
            found |= {
                f"{rate}_{name}": share,
                f"{rate}_{name}_low": low,
                f"{rate}_{name}_high": high,
            }
        found[f"f1_{name}"] = np.where((searched > 0) & (drawn > 0), f1, np.nan)
    return pd.DataFrame(found)


def _medians(
    rows: pd.DataFrame, sums: pd.DataFrame, files: Mapping[str, Path], layer: str
) -> Floats:
    """(rows, 3) medians of the scores of everything, in the first row, and of each plot in the others."""
    found = np.full((len(rows), len(SCORES)), np.nan)
    scored = sums[sums["scored"] > 0]
    tiles_of = scored.groupby("group", sort=False)["tile"].unique().to_dict()
    tiles_of[ALL] = scored["tile"].unique()
    some: list[int] = []
    held = 0
    for place, (group, count) in enumerate(zip(rows["group"], rows["scored"])):
        if place == 0 or count > _TOGETHER:
            paths = [files[tile] for tile in tiles_of.get(ALL if place == 0 else group, [])]
            found[place] = _median(paths, layer, None if place == 0 else group, int(count))
        else:
            if held + count > _TOGETHER:
                _plot_medians(found, rows, some, tiles_of, files, layer)
                some, held = [], 0
            some.append(place)
            held += count
    _plot_medians(found, rows, some, tiles_of, files, layer)
    return found


def _plot_medians(
    found: Floats,
    rows: pd.DataFrame,
    some: list[int],
    tiles_of: Any,
    files: Mapping[str, Path],
    layer: str,
) -> None:
    """Fill in the medians of some plots, which fit in memory together."""
    groups = rows["group"].iloc[some]
    tiles = dict.fromkeys(tile for group in groups for tile in tiles_of.get(group, []))
    frames = [
        frame[frame["group"].isin(groups)]
        for frame in _scores([files[t] for t in tiles], layer, True)
    ]
    if frames:
        each = pd.concat(frames).groupby("group")[list(SCORES)].median()
        found[some] = each.reindex(groups).to_numpy()


def _median(paths: Sequence[Path], layer: str, group: Any, count: int) -> Floats:
    """(3,) medians of the scores of one plot, or of everything, from few scores at a time."""

    def values() -> Iterator[Floats]:
        for frame in _scores(paths, layer, group is not None):
            own = frame if group is None else frame[frame["group"] == group]
            yield own[list(SCORES)].to_numpy(dtype=np.float64)

    if count == 0:
        return np.full(len(SCORES), np.nan)
    if count <= _TOGETHER:
        return np.asarray(np.median(np.concatenate(list(values())), axis=0))
    counts = np.zeros((len(SCORES), _PARTS), dtype=np.int64)
    for some in values():
        for number, column in enumerate(_part(some).T):
            counts[number] += np.bincount(column, minlength=_PARTS)
    middle = [(count - 1) // 2, count // 2]
    ends = counts.cumsum(axis=1)
    parts = [np.searchsorted(end, middle, side="right") for end in ends]
    held: list[dict[float, int]] = [{} for _ in SCORES]
    for some in values():
        for number, column in enumerate(some.T):
            own = column[np.isin(_part(column), parts[number])]
            for value, times in zip(
                *(side.tolist() for side in np.unique(own, return_counts=True))
            ):
                held[number][value] = held[number].get(value, 0) + times
    medians = []
    for number, (first, _) in enumerate(parts):
        value = np.array(sorted(held[number]))
        times = np.cumsum([held[number][one] for one in value.tolist()])
        before = ends[number][first] - counts[number][first]
        # Nothing that was counted lies between the two parts.
        places = np.searchsorted(times, np.array(middle) - before, side="right")
        medians.append(value[places].mean())
    return np.array(medians)


def _part(values: Floats) -> Any:
    """The part of the range from 0 to 1 that each score lies in."""
    return np.clip(values * _PARTS, 0, _PARTS - 1).astype(np.int64)


def _scores(paths: Sequence[Path], layer: str, with_plots: bool) -> Iterator[pd.DataFrame]:
    """The scores, and plots, of the targets of each tile that have a score."""
    columns = [*SCORES, *(["group"] if with_plots else [])]
    for path in paths:
        frame = pq.read_table(path, columns=columns, filters=[("layer", "=", layer)]).to_pandas(
            ignore_metadata=True
        )
        yield frame[frame["randcrowns"].notna()]

"""Rankings of detectors by their average precision in each class, and by the mean over classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.classes.values import group_crown_classes
from randcrowns.core.classes.within import class_average_precision
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.conclusion import RankConclusion
from randcrowns.core.detectors.ranking import rank_values
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.messages import Message, TranslatableText, info, note
from randcrowns.core.status import TextEnum

#: Metrics of a row: COCO's average precision, that at IoU 0.5, and that at IoU 0.75.
PRECISION_METRICS = ("ap", "ap50", "ap75")
#: Columns of the table of :func:`rank_class_rows`.
CLASS_COLUMNS = (
    "detector",
    "truth",
    "kind",
    "class",
    "targets",
    "detections",
    *PRECISION_METRICS,
    "rank",
)


class ClassRow(TextEnum):
    """Kinds of rows of the table."""

    #: The crowns of one class.
    CLASS = "class"
    #: The mean over the classes with at least one crown of the annotator (mAP).
    MEAN = "mean"


class ClassedCrowns(NamedTuple):
    """Crowns whose classes count as one where the user says so."""

    annotators: dict[str, Crowns]  #: crowns of each annotator by name.
    #: Crowns (n) and their scores (n,) of each detector by name.
    detections: dict[str, tuple[Crowns, Floats]]
    ignored: Crowns | None  #: areas to ignore, or None.
    messages: tuple[Message, ...]  #: notes about the classes.


def group_ranked_classes(
    annotators: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    groups: Mapping[str, Iterable[str]],
    ignored: Crowns | None = None,
) -> ClassedCrowns:
    """Replace the classes of annotators and detectors by their groups, and check them together.

    Args:
        annotators: crowns of each annotator by name.
        detections: crowns (n) and their scores (n,) of each detector by name.
        groups: classes that count as one, by name.
        ignored: areas to ignore, or None; those with a class count for crowns of that class only.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)], classes=["PIPA"])
    >>> detections = {"a": (trees, np.array([0.9]))}
    >>> grouped = group_ranked_classes({"ann": trees}, detections, {"conifer": ["PIPA"]})
    >>> grouped.annotators["ann"].classes.tolist(), grouped.detections["a"][0].classes.tolist()
    (['conifer'], ['conifer'])
    """
    detected_layers = [crowns for crowns, _ in detections.values()]
    layers = [*annotators.values(), *detected_layers]
    names: list[str | None] = [layer.name for layer in layers]
    if ignored is not None:
        # Ignored areas have no name in messages.
        layers.append(ignored)
        names.append(None)
    grouped = group_crown_classes(layers, groups, names)

    # The layers come back in the same order.
    new_layers = iter(grouped.layers)
    new_annotators = {name: next(new_layers) for name in annotators}
    new_detections = {}
    for name, (_, scores) in detections.items():
        new_detections[name] = (next(new_layers), scores)
    return ClassedCrowns(
        annotators=new_annotators,
        detections=new_detections,
        ignored=None if ignored is None else next(new_layers),
        messages=grouped.messages,
    )


def class_rows(
    overlap: OverlapTable,
    targets: Crowns,
    detections: Crowns,
    scores: Floats,
    *,
    plots: tuple[Ints, Ints] | None = None,
    ignored_share: Floats | None = None,
    all_drawn: bool = True,
) -> pd.DataFrame:
    """Compute COCO's average precision of a detector in each class, and its mean over classes.

    Only crowns of one class can match.

    Args:
        overlap: overlap table of T crowns of an annotator and P crowns of the detector.
        targets: the annotator's crowns.
        detections: the detector's crowns.
        scores: (P,) the detector's own scores; crowns with NaN are excluded.
        plots: plot numbers of the annotator's crowns, (T,), and of the detector's, (P,).
        ignored_share: (P,) largest share of each crown that lies on one ignored area.
        all_drawn: False if only some of the crowns were drawn. Average precision is then NaN.

    Returns:
        A row per class, then a row for their mean: ``kind`` (a :class:`ClassRow`), ``class`` (""
        for the mean), ``targets``, ``detections`` (numbers of crowns), ``n_tied`` (number of
        detections with equal scores whose order changes average precision) and
        :data:`PRECISION_METRICS`. It is empty if one of the sides has no classes.

    >>> import shapely
    >>> from randcrowns.core.instances.overlap import polygon_overlap
    >>> trees = Crowns([shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)], classes=["oak", "ash"])
    >>> found = Crowns(trees.geometry, classes=["oak", "oak"])
    >>> rows = class_rows(polygon_overlap(trees, found), trees, found, np.array([0.9, 0.8]))
    >>> rows[["kind", "class", "ap50"]].round(3).to_numpy().tolist()
    [['class', 'ash', 0.0], ['class', 'oak', 1.0], ['mean', '', 0.5]]
    """
    if targets.classes is None or detections.classes is None:
        return cast("pd.DataFrame", pd.DataFrame(columns=[*CLASS_COLUMNS, "n_tied"]))
    result = class_average_precision(
        overlap,
        targets.classes,
        detections.classes,
        scores,
        plots=plots,
        ignored_share=ignored_share,
        all_drawn=all_drawn,
    )
    new_names = {"reference": "targets", "predicted": "detections"}
    rows = result.classes.reset_index().rename(columns=new_names)
    rows["kind"] = ClassRow.CLASS.value
    mean_row = {
        "kind": ClassRow.MEAN.value,
        "class": "",
        "targets": rows["targets"].sum(),
        "detections": rows["detections"].sum(),
        "n_tied": rows["n_tied"].sum(),
        **result.means,
    }
    table: pd.DataFrame = pd.concat([rows, pd.DataFrame([mean_row])], ignore_index=True)
    return table


def rank_class_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Rank detectors by their average precision in each class and by its mean.

    Args:
        rows: rows of :func:`class_rows` with the additional columns ``detector`` and ``truth``
            (name of the annotator).

    Returns:
        The columns of :data:`CLASS_COLUMNS`. ``rank`` is the rank of the detector by ``ap`` among
        the rows of the same annotator and class: 1 is best, ties share a rank, NaN without a value.

    >>> rows = pd.DataFrame({"detector": ["a", "b"], "truth": "ann", "kind": "mean", "class": ""})
    >>> rank_class_rows(rows.assign(ap=[0.2, 0.6]))["rank"].tolist()
    [2.0, 1.0]
    """
    ranked: pd.DataFrame = rows.reindex(columns=list(CLASS_COLUMNS))
    ranked["rank"] = np.nan
    for _, group in ranked.groupby(["truth", "kind", "class"], sort=False):
        ranked.loc[group.index, "rank"] = rank_values(group[["ap"]])["ap"]
    return ranked


def class_ranking_messages(
    rows: pd.DataFrame, conclusion: RankConclusion | None = None
) -> list[Message]:
    """Return messages with the detectors by mAP, the best of each class, and their certainty.

    With several annotators, the values are means over them.

    Args:
        rows: table of :func:`rank_class_rows`.
        conclusion: conclusion about the ranking by mAP; None without bootstrap samples.

    Returns:
        The messages; none if no detector has a mean average precision.

    >>> rows = {"detector": ["a", "b"] * 2, "kind": ["class"] * 2 + ["mean"] * 2, "truth": "ann"}
    >>> table = pd.DataFrame({**rows, "class": ["oak"] * 2 + [""] * 2, "ap": [0.2, 0.6] * 2})
    >>> print(*class_ranking_messages(table))
    By class, mAP (mean AP over classes) ranks b (0.60), a (0.20). Highest AP: oak b (0.60).
    """
    mean_rows = rows[rows["kind"] == ClassRow.MEAN.value]
    means = mean_rows.groupby("detector", sort=False)["ap"].mean().dropna()
    if not len(means):
        return []
    falling_means = means.sort_values(ascending=False, kind="stable")
    ranking = [_value_text(str(name), value) for name, value in falling_means.items()]
    message = note(
        "crowns.by_class",
        "By class, mAP (mean AP over classes) ranks {ranking}. Highest AP: {classes}.",
        ranking=tuple(ranking),
        classes=tuple(_best_of_classes(rows)),
    )
    if conclusion is None:
        return [message]
    return [message, _certainty_message(conclusion)]


def _certainty_message(conclusion: RankConclusion) -> Message:
    """Return a message whether the best detector by mAP can be called better than the others."""
    if conclusion.reason is not None:
        return info(
            "class_verdict.unknown",
            "By class, it is unknown whether one detector is better than another. {why}",
            why=conclusion.reason,
        )
    if conclusion.is_better:
        key = "class_verdict.better"
        template = (
            "By class, {best} can be called better than {second}: it came out ahead in {won:.1f} % "
            "of {draws:,} bootstrap samples."
        )
    elif conclusion.beats_second:
        key = "class_verdict.not_first"
        template = (
            "By class, {best} can be called better than {second}, but not the best of all: it came "
            "out ahead of {second} in {won:.1f} % of {draws:,} bootstrap samples."
        )
    else:
        key = "class_verdict.not_better"
        template = (
            "By class, {best} cannot be called better than {second}: it came out ahead in "
            "{won:.1f} % of {draws:,} bootstrap samples."
        )
    return info(
        key,
        template,
        best=conclusion.best,
        second=conclusion.second,
        won=100 * (conclusion.win_probability - conclusion.tied_share / 2),
        draws=conclusion.bootstrap.n_used,
    )


def _best_of_classes(rows: pd.DataFrame) -> list[str]:
    """Return class, best detector and value of each class with a value, as texts."""
    single_class_rows = rows[rows["kind"] == ClassRow.CLASS.value]
    texts = []
    for class_name, rows_of_class in single_class_rows.groupby("class", sort=False):
        values = rows_of_class.groupby("detector", sort=False)["ap"].mean().dropna()
        if not len(values):
            continue
        highest = values.max()
        best_detectors = values.index[values == highest]
        names = ", ".join(map(str, best_detectors))
        texts.append(_value_text(f"{class_name} {names}", highest))
    return texts


def _value_text(name: str, value: float) -> str:
    """Return a name with a value in brackets."""
    return TranslatableText("{name} ({value:.2f})", name=name, value=value)

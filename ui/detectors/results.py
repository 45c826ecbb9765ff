"""What a run of page Detectors found, read once from the algorithm's outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProject

from randcrowns.algorithms.detectors import choices, outputs
from randcrowns.algorithms.detectors.tables import AREAS, CROWNS
from randcrowns.algorithms.output import Output
from randcrowns.core.arrays import between, in_decimals
from randcrowns.core.detectors.ranking import distinct_rankings
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import sentences, shown, tr, written
from randcrowns.ui.services.result_file import Succeeded
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.table_model import (
    TableColumn,
    as_number,
    as_text,
    column_of,
    columns_of,
    names_column,
)


class DetectorResults:
    """The tables of a run; all but ``correlations`` have a column ``counted``: areas or crowns."""

    def __init__(self, outcome: Succeeded, settings: Settings) -> None:
        self._outcome = outcome
        #: Of several images each value stands in many rows, of all images first.
        self.by_image = outcome.table(outputs.AUCR)
        self.scores = self.by_image.drop_duplicates(
            ["counted", "detector", "truth"], ignore_index=True
        )
        self.curves = outcome.table(outputs.CURVES)
        self.rankings = outcome.table(outputs.RANKINGS)
        self.certainty = outcome.table(outputs.CERTAINTY_TABLE)
        self.correlations = _with_intervals(outcome.table(outputs.CORRELATIONS))
        self.coco = outcome.table(outputs.COCO)
        self.thresholds = outcome.table(outputs.THRESHOLDS)
        #: Id of the layer of the ground truths made together.
        self.truths_layer = str(outcome.layers[outputs.TRUTH_POLYGONS.id].id())
        #: Id of the layer of each detector and annotator, by name.
        self.layer_of = _layers_by_name(
            settings[choices.ANNOTATORS], settings[choices.DETECTORS], settings[choices.MADE_TRUTHS]
        )
        #: Only some crowns were drawn, so that of whole crowns recall alone is known.
        self.partly = not settings[choices.ALL_DRAWN]
        self.decided = self.said("study_area")  #: what the numbers depend on, in words.
        if CROWNS in set(self.scores["counted"]):
            self.decided += _plots_and_crowns(settings)

    def said(self, *topics: str) -> list[str]:
        """What the remarks of these topics say."""
        return sentences(self._outcome.said(*topics))

    @property
    def counted(self) -> list[str]:
        """What was counted, whole crowns first where several detectors, or the only one, have them."""
        found = list(dict.fromkeys(self.scores["counted"]))
        return found[::-1] if self.said("headline") or len(self.detectors) == 1 else found

    @property
    def detectors(self) -> list[str]:
        """The detectors in the order of the run."""
        return list(dict.fromkeys(self.scores["detector"]))

    def truths(self, counted_as: str) -> list[str]:
        """The ground truths, in their order."""
        return list(dict.fromkeys(self.scores.loc[self.scores["counted"] == counted_as, "truth"]))

    def in_ranking(self, counted_as: str, position: str, ranking: str) -> tuple[str, str]:
        """The detector at that position of a ranking, or none where several tie, and the first truth that gives it."""
        number = ranking.removeprefix("ranking_")
        if not number.isdigit():
            return "", ""
        rows = self.scores[self.scores["counted"] == counted_as]
        ranks = rows.pivot_table("rank", "detector", "truth").astype(float)
        ranks = ranks.reindex(index=self.detectors, columns=self.truths(counted_as))
        found = distinct_rankings(ranks)[int(number) - 1]
        at: dict[str, tuple[str, ...]] = {}
        for place in found.places:
            at[str(1 + sum(map(len, at.values())))] = place
        alone = at.get(position, ())
        return alone[0] if len(alone) == 1 else "", found.truths[0]


def _plots_and_crowns(settings: Settings) -> list[str]:
    """The plots of whole crowns, and whether all of them were drawn."""
    plot = settings[choices.GROUP_FIELD]
    partly = tr("Only some crowns were drawn: detections that match none are not judged.")
    drawn = tr("All crowns were drawn.") if settings[choices.ALL_DRAWN] else partly
    return [tr("Plots: {field}.", field=plot) if plot else tr("No plots."), drawn]


def _layers_by_name(*roles: tuple[str, ...]) -> dict[str, str]:
    """Ids of the layers by the names a run gives them."""
    kinds = [list(filter(None, map(QgsProject.instance().mapLayer, ids))) for ids in roles]
    names = choices.names_in_run(*([layer.name() for layer in layers] for layers in kinds))
    return dict(zip(names, (layer.id() for layers in kinds for layer in layers)))


#: Under ranks from the first on, for any colour vision; the last one for all that follow.
_SHADES = ("#7fcdbb", "#c7e9b4", "#edf8b1", "#f4f4f4")

#: Names of so many characters stay as they are in the title of a column, longer ones are cut to so many.
_SHORT, _SHORT_TITLE = 8, 16
#: Widest column of reasons, whose tooltip has the whole of one, pixels.
_REASON = 160


def as_share(value: Any) -> str:
    """Writes a share with three decimals, a small one with two significant digits."""
    return tr("n/a") if pd.isna(value) else str(shown(in_decimals(float(value))))


def rank_shade(rank: Any) -> str:
    """The colour under a rank; empty without one."""
    return "" if pd.isna(rank) else _SHADES[min(int(rank), len(_SHADES)) - 1]


def score_matrix(
    scores: pd.DataFrame, counted: str, detectors: list[str], partly: bool = False
) -> tuple[pd.DataFrame, list[TableColumn]]:
    """A row per ground truth and a column per detector, shaded by rank; and the columns to show it with.

    Of whole crowns of which only some were drawn, ``partly``, it is recall that is shown.
    """
    some = scores[scores["counted"] == counted]
    value = "crown_recall" if partly and counted == CROWNS else "value"
    some = some.assign(image=some["image"].fillna("") if "image" in some else "")
    rows = []
    for (image, truth), found in some.groupby(["image", "truth"], sort=False):
        first = found.iloc[0]
        row: dict[str, Any] = {
            "image": image,
            "truth": truth,
            "skew": first["skew"],
            "crowns": first["crowns"],
        }
        why = found.loc[found[value].isna(), "reason"].dropna()
        row["reason"] = next((reason for reason in why if reason), "")
        for _, one in found.iterrows():
            place = detectors.index(one["detector"])
            row[f"value_{place}"], row[f"rank_{place}"] = one[value], one["rank"]
            row[f"shade_{place}"] = rank_shade(one["rank"])
            row[f"detections_{place}"], row[f"not_judged_{place}"] = (
                one["detections"],
                one["not_judged"],
            )
        rows.append(row)
    frame = pd.DataFrame(rows)
    measure = tr(
        "AUCR, area under the P̄-recall curve, 0 to 1 (Lampert et al. 2016); the darker, the better its rank."
    )
    if counted == CROWNS:
        measure = tr(
            "Average precision over whole crowns, 0 to 1; the darker, the better its rank."
        )
    if value == "crown_recall":
        measure = tr(
            "Recall over whole crowns: the share of the annotator's crowns that it finds, 0 to 1."
        )
    columns = [names_column(outputs.AUCR, "truth", frame["truth"])]
    if frame["image"].any():
        columns.append(names_column(outputs.AUCR, "image", frame["image"]))
    written = short_names(detectors, _SHORT, _SHORT_TITLE)
    for place, detector in enumerate(detectors):
        if f"value_{place}" in frame:
            told, shade = f"{detector}: {measure}", f"shade_{place}"
            columns.append(
                TableColumn(
                    f"value_{place}",
                    written[detector],
                    told,
                    as_number(3),
                    shade=shade,
                    csv=detector,
                )
            )
            frame[f"shade_{place}"] = frame[f"shade_{place}"].fillna("")
    if counted == AREAS:
        columns.append(column_of(*outputs.AUCR.columns_of(("skew",)), text=as_share))
    else:
        columns += [*columns_of(outputs.AUCR, "crowns"), *_detection_columns(frame, detectors)]
    return frame, [*columns, *_reason_column(outputs.AUCR, frame)]


def _detection_columns(frame: pd.DataFrame, detectors: list[str]) -> list[TableColumn]:
    """How many crowns each detector found, and how many were not judged where any was; side by side in one column."""
    places = [place for place in range(len(detectors)) if f"value_{place}" in frame]
    order = tr("In this order: {names}.", names=" / ".join(detectors[place] for place in places))
    columns = []
    for declared in outputs.AUCR.columns_of(("detections", "not_judged")):
        name = declared.name
        numbers = frame[[f"{name}_{place}" for place in places]]
        frame[name] = [
            " / ".join(written(int(number), 0) for number in row)
            for row in numbers.itertuples(index=False)
        ]
        if name == "detections" or numbers.any(axis=None):
            tooltip = f"{declared.help} {order}" if len(places) > 1 else declared.help
            columns.append(column_of(declared, tooltip=tooltip, text=as_text))
    return columns


def ranking_columns(rankings: pd.DataFrame) -> list[TableColumn]:
    """The distinct rankings side by side."""
    some = [
        name
        for name in rankings.columns
        if name.startswith("ranking_") and rankings[name].notna().any()
    ]
    return columns_of(outputs.RANKINGS, "position", *some)


def coco_columns(coco: pd.DataFrame) -> list[TableColumn]:
    """Average precision and recall as COCO has them, per detector and ground truth."""
    names = [names_column(outputs.COCO, name, coco[name]) for name in ("detector", "truth")]
    return [
        *names,
        *columns_of(outputs.COCO, *(name for name in outputs.COCO.names[2:] if name in coco)),
    ]


def thresholds_of(
    thresholds: pd.DataFrame, detectors: list[str], partly: bool = False
) -> tuple[pd.DataFrame, list[TableColumn]]:
    """A row per threshold of IoU with each detector's AP, the mean over the ground truths; and the columns for it.

    Where only some crowns were drawn, ``partly``, it is recall instead.
    """
    measure = "recall" if partly else "ap"
    means = thresholds.pivot_table(measure, "iou", "detector", dropna=False)
    found = [name for name in detectors if name in means]
    names = {name: f"ap_{detectors.index(name)}" for name in found}
    frame = means[found].rename(columns=names).reset_index()
    written = short_names(found, _SHORT, _SHORT_TITLE)
    told = tr("Average precision at this IoU, mean over the ground truths; all detections count.")
    if partly:
        told = tr("Recall at this IoU, mean over the ground truths; all detections count.")
    columns = [
        TableColumn(names[name], written[name], f"{name}: {told}", as_number(3), csv=name)
        for name in found
    ]
    return frame, [*columns_of(outputs.THRESHOLDS, "iou"), *columns]


def correlation_columns(correlations: pd.DataFrame) -> list[TableColumn]:
    """Correlation of a detector's score with the number of annotators, and why there is none."""
    shown = []
    for name in ("cco", "cci"):
        number, low, p_value = columns_of(outputs.CORRELATIONS, name, f"{name}_low", f"{name}_p")
        between = replace(low, name=f"{name}_between", title=tr("interval"), text=as_text)
        shown += [number, between, replace(p_value, title="p")]
    shown += columns_of(outputs.CORRELATIONS, "difference")
    return [
        names_column(outputs.CORRELATIONS, "detector", correlations["detector"]),
        *(column for column in shown if correlations[column.name].replace("", None).notna().any()),
        *_reason_column(outputs.CORRELATIONS, correlations),
    ]


def _with_intervals(correlations: pd.DataFrame) -> pd.DataFrame:
    """The correlations with a text ``cco_between`` and ``cci_between`` for the intervals; empty without one."""
    ends = {
        name: correlations[[f"{name}_low", f"{name}_high"]].to_numpy(float)
        for name in ("cco", "cci")
    }
    texts = {
        name: ["" if np.isnan(low) else between(low, high) for low, high in pairs]
        for name, pairs in ends.items()
    }
    return correlations.assign(**{f"{name}_between": column for name, column in texts.items()})


def certainty_rows(certainty: pd.DataFrame, counted: str) -> tuple[pd.DataFrame, list[TableColumn]]:
    """A row per detector that is ranked by what is counted, and the columns to show it with."""
    some = certainty[certainty["counted"] == counted]
    ranks = [name for name in some.columns if name.startswith("rank_")][: len(some)]
    detector = names_column(outputs.CERTAINTY_TABLE, "detector", some["detector"])
    return some, [detector, *columns_of(outputs.CERTAINTY_TABLE, "value", *ranks, "beats_next")]


def _reason_column(output: Output, frame: pd.DataFrame) -> list[TableColumn]:
    """Why there is no value, where one is missing."""
    declared = output.columns_of(("reason",)) if frame["reason"].fillna("").any() else []
    return [column_of(column, widest=_REASON) for column in declared]

"""How the tables of page Detectors are arranged, titled and explained."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.detectors.tables import AREAS
from randcrowns.core.arrays import in_decimals
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text

__all__ = ["certainty_columns", "correlation_columns", "rank_shade", "ranking_columns", "score_matrix"]

#: Under ranks from the first on, for any colour vision; the last one for all that follow.
_SHADES = ("#7fcdbb", "#c7e9b4", "#edf8b1", "#f4f4f4")


def as_share(value: Any) -> str:
    """Writes a share with three decimals, a small one with two significant digits."""
    return tr("n/a") if pd.isna(value) else in_decimals(float(value))


def rank_shade(rank: Any) -> str:
    """The colour under a rank; empty without one."""
    return "" if pd.isna(rank) else _SHADES[min(int(rank), len(_SHADES)) - 1]


def score_matrix(scores: pd.DataFrame, counted: str, detectors: list[str]) -> tuple[pd.DataFrame, list[Column]]:
    """A row per ground truth and a column per detector, shaded by rank; and the columns to show it with."""
    some = scores[scores["counted"] == counted]
    rows = []
    for truth, found in some.groupby("truth", sort=False):
        row: dict[str, Any] = {"truth": truth, "skew": found["skew"].iloc[0], "crowns": found["crowns"].iloc[0]}
        why = found["reason"].dropna()
        row["reason"] = next((reason for reason in why if reason), "")
        for _, one in found.iterrows():
            place = detectors.index(one["detector"])
            row[f"value_{place}"], row[f"rank_{place}"] = one["value"], one["rank"]
            row[f"shade_{place}"] = rank_shade(one["rank"])
            row[f"detections_{place}"], row[f"not_judged_{place}"] = one["detections"], one["not_judged"]
        rows.append(row)
    frame = pd.DataFrame(rows)
    measure = (
        tr("AUCR, area under the P̄-recall curve, 0 to 1 (Lampert et al. 2016); the darker, the better its rank.")
        if counted == AREAS
        else tr("Average precision over whole crowns, 0 to 1; the darker, the better its rank.")
    )
    columns = [Column("truth", tr("ground truth"), tr("What the detectors are held against."), as_text, right=False)]
    for place, detector in enumerate(detectors):
        if f"value_{place}" in frame:
            columns.append(
                Column(f"value_{place}", detector, f"{detector}: {measure}", as_number(3), shade=f"shade_{place}")
            )
    if counted == AREAS:
        columns.append(
            Column("skew", tr("skew"), tr("Fraction of the study area that the ground truth marks."), as_share)
        )
    else:
        columns.append(Column("crowns", tr("crowns"), tr("Crowns of the annotator that count."), as_number(0)))
        columns += _detection_columns(frame, detectors)
    if frame["reason"].any():
        columns.append(Column("reason", tr("why n/a"), tr("Why there is no value."), as_text, right=False))
    for place in range(len(detectors)):
        if f"shade_{place}" in frame:
            frame[f"shade_{place}"] = frame[f"shade_{place}"].fillna("")
    return frame, columns


def _detection_columns(frame: pd.DataFrame, detectors: list[str]) -> list[Column]:
    """How many crowns each detector found, and how many were not judged where any was; side by side in one column."""
    places = [place for place in range(len(detectors)) if f"value_{place}" in frame]
    order = tr(" In this order: {names}.").format(names=" / ".join(detectors[place] for place in places))
    columns = []
    for name, title, tooltip in (
        ("detections", tr("detections"), tr("Crowns that the detector found, judged or not.")),
        ("not_judged", tr("not judged"), tr("Crowns that the detector found and that are neither right nor wrong.")),
    ):
        numbers = frame[[f"{name}_{place}" for place in places]]
        frame[name] = [" / ".join(f"{int(number):,}" for number in row) for row in numbers.itertuples(index=False)]
        if name == "detections" or numbers.any(axis=None):
            columns.append(Column(name, title, tooltip + order * (len(places) > 1), as_text))
    return columns


def ranking_columns(rankings: pd.DataFrame) -> list[Column]:
    """The distinct rankings side by side."""
    columns = [Column("position", tr("position"), tr("1 is best."), as_text, right=False)]
    for name in rankings.columns:
        if name.startswith("ranking_") and rankings[name].notna().any():
            number = name.rsplit("_", 1)[1]
            title = tr("Ranking #{number}").format(number=number)
            tooltip = tr("An order of the detectors; the last row says which ground truths give it.")
            columns.append(Column(name, title, tooltip, as_text, right=False))
    return columns


def certainty_columns(certainty: pd.DataFrame) -> list[Column]:
    """Probability of each rank."""
    columns = [
        Column("detector", tr("detector"), tr("Best first."), as_text, right=False),
        Column("aucr", "AUCR", tr("With every annotator and tile once."), as_number(3)),
    ]
    for name in certainty.columns:
        if name.startswith("rank_"):
            rank = name.rsplit("_", 1)[1]
            title = tr("P(rank {rank})").format(rank=rank)
            tooltip = tr("Share of the draws of annotators and tiles in which the detector took this rank.")
            columns.append(Column(name, title, tooltip, as_number(2)))
    beats = tr("Share of the draws won against the detector in the next row.")
    return [*columns, Column("beats_next", tr("beats next"), beats, as_number(3))]


def correlation_columns(correlations: pd.DataFrame) -> list[Column]:
    """How a detector's score goes with the number of annotators, and why it cannot be said where it cannot."""
    columns = [
        Column("detector", tr("detector"), tr("The detector."), as_text, right=False),
        Column(
            "cco",
            "CCO",
            tr("Correlation (Pearson) of the score with the number of annotators, where anyone marked."),
            as_number(3),
        ),
        Column("cci", "CCI", tr("The same over the whole study area."), as_number(3)),
        Column(
            "difference",
            "CCI - CCO",
            tr("Small: few false alarms away from what anyone marked."),
            as_number(3),
        ),
    ]
    if correlations["reason"].fillna("").any():
        columns.append(Column("reason", tr("why n/a"), tr("Why there is no value."), as_text, right=False))
    return columns

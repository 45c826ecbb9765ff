"""How the tables of page Detectors are arranged."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.detectors.outputs import AUCR, CERTAINTY_TABLE, CORRELATIONS, RANKINGS
from randcrowns.algorithms.detectors.tables import AREAS
from randcrowns.algorithms.output import Output
from randcrowns.core.arrays import in_decimals
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text, column_of, columns_of

#: Under ranks from the first on, for any colour vision; the last one for all that follow.
_SHADES = ("#7fcdbb", "#c7e9b4", "#edf8b1", "#f4f4f4")

#: Widest column of reasons, whose tooltip has the whole of one, pixels.
_REASON = 160


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
    columns = columns_of(AUCR, "truth")
    for place, detector in enumerate(detectors):
        if f"value_{place}" in frame:
            columns.append(
                Column(f"value_{place}", detector, f"{detector}: {measure}", as_number(3), shade=f"shade_{place}")
            )
            frame[f"shade_{place}"] = frame[f"shade_{place}"].fillna("")
    if counted == AREAS:
        columns.append(column_of(*AUCR.columns_of(("skew",)), text=as_share))
    else:
        columns += [*columns_of(AUCR, "crowns"), *_detection_columns(frame, detectors)]
    return frame, [*columns, *_reason_column(AUCR, frame)]


def _detection_columns(frame: pd.DataFrame, detectors: list[str]) -> list[Column]:
    """How many crowns each detector found, and how many were ignored where any was; side by side in one column."""
    places = [place for place in range(len(detectors)) if f"value_{place}" in frame]
    order = tr(" In this order: {names}.").format(names=" / ".join(detectors[place] for place in places))
    columns = []
    for declared in AUCR.columns_of(("detections", "not_judged")):
        name = declared.name
        numbers = frame[[f"{name}_{place}" for place in places]]
        frame[name] = [" / ".join(f"{int(number):,}" for number in row) for row in numbers.itertuples(index=False)]
        if name == "detections" or numbers.any(axis=None):
            tooltip = declared.help + order * (len(places) > 1)
            columns.append(column_of(declared, tooltip=tooltip, text=as_text))
    return columns


def ranking_columns(rankings: pd.DataFrame) -> list[Column]:
    """The distinct rankings side by side."""
    some = [name for name in rankings.columns if name.startswith("ranking_") and rankings[name].notna().any()]
    return columns_of(RANKINGS, "position", *some)


def certainty_columns(certainty: pd.DataFrame) -> list[Column]:
    """Probability of each rank."""
    return columns_of(CERTAINTY_TABLE, *certainty.columns)


def correlation_columns(correlations: pd.DataFrame) -> list[Column]:
    """Correlation of a detector's score with the number of annotators, and why there is none."""
    return [
        *columns_of(CORRELATIONS, "detector", "cco", "cci", "difference"),
        *_reason_column(CORRELATIONS, correlations),
    ]


def _reason_column(output: Output, frame: pd.DataFrame) -> list[Column]:
    """Why there is no value, where one is missing."""
    declared = output.columns_of(("reason",)) if frame["reason"].fillna("").any() else []
    return [column_of(column, widest=_REASON) for column in declared]

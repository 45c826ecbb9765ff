"""The list of page Review: its columns, and verdicts and changes in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.scoring.outputs import SCORED_DELINEATIONS
from randcrowns.algorithms.scoring.reviewed import VERDICTS
from randcrowns.core.review.verdicts import Verdict
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.crown_list import as_difference
from randcrowns.ui.widgets.table_model import TableColumn, as_number, as_text

#: The list of no crowns.
NONE = pd.DataFrame(
    columns=["feature_id", "score", "iou", "problem", "verdict", "reviewer", "comment", "cause", "difference"]
)


def review_columns(compared: bool) -> list[TableColumn]:
    """Columns of the list; with the change since the run that it is compared with."""
    number, told = as_number(2), tr("RandCrowns less that of the earlier run.")
    (problem,) = (column.shown for column in SCORED_DELINEATIONS.columns_of(["rc_problem"]))
    changed = TableColumn("difference", tr("Change"), told, as_difference)
    return [
        TableColumn("feature_id", tr("Id"), tr("Feature id in the target layer."), as_text),
        TableColumn("score", "RC", tr("RandCrowns, 0 to 1."), number),
        TableColumn("iou", "IoU", tr("Shared area over the area of both, 0 to 1."), number),
        TableColumn("problem", tr("Problem"), tr("What is wrong with the crown."), problem, right=False),
        *([changed] * compared),
        TableColumn("verdict", tr("Verdict"), tr("The last verdict on it."), _known, right=False),
        TableColumn("reviewer", tr("By"), tr("Who gave it."), as_text, right=False),
        TableColumn("comment", tr("Comment"), tr("Kept with the verdict."), as_text, right=False, widest=160),
        TableColumn("cause", tr("Cause"), tr("Why, in a sentence."), as_text, right=False, widest=220),
    ]


def _known(verdict: Any) -> str:
    return VERDICTS[Verdict(verdict)] if verdict in {one.value for one in Verdict} else as_text(verdict)


def last_verdict(crown: pd.Series) -> str:
    """The last verdict on a crown, in a sentence; empty without."""
    if pd.isna(crown["verdict"]):
        return ""
    said = tr("Changed since {verdict} by {who}.") if crown["changed"] else tr("Last verdict: {verdict} by {who}.")
    return said.format(verdict=_known(crown["verdict"]), who=crown["reviewer"])

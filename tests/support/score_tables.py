"""Tables of scoring runs for the tests of reports."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.statistics import mean_interval, plot_codes
from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.score_content import ScoredLayers


def crowns_of(scores, plots=None, problems=None) -> pd.DataFrame:
    """Scored targets with the same value of each score."""
    values = np.asarray(scores, dtype=float)
    frame = pd.DataFrame({"target_id": np.arange(len(values)), **dict.fromkeys(SCORES, values)})
    frame["status"] = "scored"
    frame["area"] = 1.0
    frame["rc_problem"] = "none" if problems is None else problems
    return frame if plots is None else frame.assign(plot=plots)


def run_of(layers: Mapping[str, pd.DataFrame], unmatched: int = 0) -> ScoredLayers:
    """A run with the summary of these layers, in all and per plot."""
    rows = []
    for layer, frame in layers.items():
        rows.append({"layer": layer, "plot": ALL_PLOTS, **_row(frame, unmatched)})
        if "plot" in frame:
            rows += [
                {"layer": layer, "plot": plot, **_row(part, 0)}
                for plot, part in frame.groupby("plot")
            ]
    return ScoredLayers(pd.DataFrame(rows), layers)


def _row(frame: pd.DataFrame, unmatched: int) -> dict[str, float]:
    """Numbers of the summary of crowns."""
    row: dict[str, float] = {
        "targets": len(frame),
        "matched": int((frame["randcrowns"] > 0).sum()),
        "missed": int((frame["randcrowns"] == 0).sum()),
        "unmatched_targets": 0,
        "delineations": len(frame) + unmatched,
        "unmatched_delineations": unmatched,
        "too_small": 0,
    }
    plots = plot_codes(frame["plot"].to_numpy(dtype=object)) if "plot" in frame else None
    for score in SCORES:
        values = frame[score].dropna().to_numpy()
        low, high = mean_interval(values, plots)
        mean = values.mean() if len(values) else np.nan
        row |= {f"{score}_mean": mean, f"{score}_low": low, f"{score}_high": high}
    return row

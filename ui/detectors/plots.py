"""Curves of detectors, with the band that the ground truths span."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.layers.styles.figures import set_up
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import SERIES
from randcrowns.ui.widgets.plot import PlotWidget

P_BAR, PRECISION, ROC = "p_bar", "precision", "roc"
_LINES = ("-", "--", "-.", ":")


class CurvePlot(PlotWidget):
    """Draws one kind of curve, under all ground truths (a band with its median) or under one.

    Its data are the curves (of areas, with values at the same recalls, or of crowns, with a row per score of the
    detector), the detectors in the order of their colours, ``P_BAR``, ``PRECISION`` or ``ROC``, and one ground truth,
    empty for all.
    """

    window_title = tr("Detectors under every ground truth")
    file_name = "randcrowns_detectors"

    def draw(self, axes: Any) -> None:
        """The curves, detector by detector."""
        curves, detectors, kind, truth = self.data
        # Curves of crowns have a row per score, so that no band can be drawn.
        of_crowns = "threshold" in curves and bool(curves["threshold"].notna().any())
        x, y = ("false_positive_rate", "recall") if kind == ROC else ("recall", kind)
        words = {
            P_BAR: tr("P̄"),
            PRECISION: tr("precision"),
            "recall": tr("recall"),
            "false_positive_rate": tr("false positive rate"),
        }
        all_truths = tr("a line per annotator") if of_crowns else tr("all: band and median")
        title = short_names([truth])[truth] or all_truths
        set_up(axes, title, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=words[x], ylabel=words[y])
        if kind == ROC:
            axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
        written = short_names(detectors)
        for number, detector in enumerate(detectors):
            name = written[detector]
            mine = curves[curves["detector"] == detector]
            look = {"color": SERIES[number % len(SERIES)], "linestyle": _LINES[number // len(SERIES) % len(_LINES)]}
            if truth:
                some = mine[mine["truth"] == truth]
                axes.plot(some[x], some[y], label=name, linewidth=1.6, **look)
            elif of_crowns:
                for place, (_, curve) in enumerate(mine.groupby("truth", sort=False)):
                    label = name if place == 0 else None
                    axes.plot(curve[x], curve[y], label=label, linewidth=1.6, alpha=0.5, **look)
            else:
                _draw_band(axes, mine, kind, name, look)
        if detectors:
            beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
            axes.legend(**beside, fontsize=8, handlelength=1.4, handletextpad=0.5)


def _draw_band(axes: Any, curves: pd.DataFrame, kind: str, label: str, look: dict[str, Any]) -> None:
    """From the least to the greatest value at each recall, with the median."""
    value = "false_positive_rate" if kind == ROC else kind
    spread = curves.groupby("recall")[value].agg(["min", "median", "max"])
    recall = spread.index.to_numpy(dtype=float)
    fill = axes.fill_betweenx if kind == ROC else axes.fill_between
    fill(recall, spread["min"], spread["max"], color=look["color"], alpha=0.15, linewidth=0)
    line = (spread["median"], recall) if kind == ROC else (recall, spread["median"])
    axes.plot(*line, label=label, linewidth=1.8, **look)

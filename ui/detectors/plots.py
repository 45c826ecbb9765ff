"""Curves of detectors, with the band that the ground truths span."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import SERIES
from randcrowns.ui.widgets.plot import PlotWidget

P_BAR, PRECISION, ROC = "p_bar", "precision", "roc"
_LINES = ("-", "--", "-.", ":")


class CurvePlot(PlotWidget):
    """Draws one kind of curve, under all ground truths (a band with its median) or under one."""

    file_name = "randcrowns_detectors"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("Detectors under every ground truth")
        self._curves = pd.DataFrame(columns=["detector", "truth", "recall", "p_bar", "precision"])
        self._kind, self._truth = P_BAR, ""
        self._detectors: list[str] = []

    def show_curves(self, curves: pd.DataFrame, detectors: list[str], kind: str, truth: str) -> None:
        """Plot these.

        Args:
            curves: of areas, with values at the same recalls, or of crowns, with a row per score of the detector.
            detectors: in the order of their colours.
            kind: ``P_BAR``, ``PRECISION`` or ``ROC``.
            truth: one ground truth; empty for all.
        """
        self._curves, self._detectors, self._kind, self._truth = curves, detectors, kind, truth
        self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """Another of the kind."""
        return CurvePlot(parent)

    def show_in(self, twin: CurvePlot) -> None:
        """The same curves."""
        twin.show_curves(self._curves, self._detectors, self._kind, self._truth)

    def draw(self, axes: Any) -> None:
        """The curves, detector by detector."""
        titles = {P_BAR: tr("P̄"), PRECISION: tr("precision"), ROC: tr("recall")}
        all_truths = tr("a line per annotator") if self._of_crowns else tr("all: band and median")
        axes.set(
            xlim=(-0.02, 1.02),
            ylim=(-0.02, 1.02),
            xlabel=tr("false positive rate") if self._kind == ROC else tr("recall"),
            ylabel=titles[self._kind],
            title=short_names([self._truth])[self._truth] or all_truths,
        )
        axes.title.set_fontsize(10)
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        if self._kind == ROC:
            axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
        written = short_names(self._detectors)
        for number, detector in enumerate(self._detectors):
            name = written[detector]
            mine = self._curves[self._curves["detector"] == detector]
            look = {"color": SERIES[number % len(SERIES)], "linestyle": _LINES[number // len(SERIES) % len(_LINES)]}
            if self._truth:
                self._draw_one(axes, mine[mine["truth"] == self._truth], name, look)
            elif self._of_crowns:
                for place, (_, curve) in enumerate(mine.groupby("truth", sort=False)):
                    self._draw_one(axes, curve, name if place == 0 else None, {**look, "alpha": 0.5})
            else:
                self._draw_band(axes, mine, name, look)
        if self._detectors:
            beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
            axes.legend(**beside, fontsize=8, handlelength=1.4, handletextpad=0.5)

    @property
    def _of_crowns(self) -> bool:
        """Curves of crowns have a row per score, so that no band can be drawn."""
        return "threshold" in self._curves and bool(self._curves["threshold"].notna().any())

    def _draw_one(self, axes: Any, curve: pd.DataFrame, label: str | None, look: dict[str, Any]) -> None:
        x, y = ("false_positive_rate", "recall") if self._kind == ROC else ("recall", self._kind)
        axes.plot(curve[x], curve[y], label=label, linewidth=1.6, **look)

    def _draw_band(self, axes: Any, curves: pd.DataFrame, label: str, look: dict[str, Any]) -> None:
        value = "false_positive_rate" if self._kind == ROC else self._kind
        spread = curves.groupby("recall")[value].agg(["min", "median", "max"])
        recall = spread.index.to_numpy(dtype=float)
        if self._kind == ROC:
            axes.fill_betweenx(recall, spread["min"], spread["max"], color=look["color"], alpha=0.15, linewidth=0)
            axes.plot(spread["median"], recall, label=label, linewidth=1.8, **look)
            return
        axes.fill_between(recall, spread["min"], spread["max"], color=look["color"], alpha=0.15, linewidth=0)
        axes.plot(recall, spread["median"], label=label, linewidth=1.8, **look)

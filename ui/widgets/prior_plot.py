"""The plot of what STAPLE's prior does."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.colours import SERIES
from randcrowns.ui.widgets.plot import PlotWidget

__all__ = ["PriorPlot"]

_PRIORS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
#: How far the axis of areas goes, of what anybody marked.
_HEADROOM = 1.15
_USED = "#444444"
_SMALL: dict[str, Any] = {"fontsize": 8, "va": "bottom"}


class PriorPlot(PlotWidget):
    """How much STAPLE marks along its prior, from nearly 0 to nearly 1."""

    file_name = "randcrowns_staple_prior"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("What STAPLE's prior does")
        self.priors = pd.DataFrame(columns=["prior", "marked"])
        self.used, self.anybody = math.nan, math.nan

    def show_priors(self, priors: pd.DataFrame, used: float = math.nan, anybody: float = math.nan) -> None:
        """Draw these, with the prior that was used and the area that anybody marked (m²) where they are known."""
        self.priors, self.used, self.anybody = priors, used, anybody
        self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """Another of the kind."""
        return PriorPlot(parent)

    def show_in(self, twin: Any) -> None:
        """The same priors."""
        twin.show_priors(self.priors, self.used, self.anybody)

    def draw(self, axes: Any) -> None:
        """The marked area; the axis of the prior is stretched towards 0 and 1."""
        axes.set_xscale("logit")
        axes.plot(self.priors["prior"], self.priors["marked"], marker="o", color=SERIES[0], markersize=4)
        axes.set(xlabel=tr("prior: share expected to be marked"), ylabel=tr("marked (m²)"))
        axes.set_ylim(bottom=0)
        if self.anybody > 0:
            # Above the line STAPLE marks what nobody did, often the whole study area: that would flatten the rest.
            axes.axhline(self.anybody, color=SERIES[1], linewidth=1, linestyle="--")
            axes.set_ylim(top=_HEADROOM * self.anybody)
            axes.text(
                0.02, 1.01 / _HEADROOM, tr("marked by anybody"), color=SERIES[1], transform=axes.transAxes, **_SMALL
            )
        if 0 < self.used < 1:
            axes.axvline(self.used, color=_USED, linewidth=1, linestyle=":")
            beside = axes.get_xaxis_transform()
            axes.text(
                self.used, 0.04, tr("prior used "), color=_USED, rotation=90, ha="right", transform=beside, **_SMALL
            )
        axes.set_title(tr("what STAPLE's prior does"), fontsize=10)
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xticks(_PRIORS, [f"{prior:g}" for prior in _PRIORS], fontsize=8)
        axes.minorticks_off()

"""Tab with scores by strata: a table, and a plot of the means with their intervals."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.classes.outputs import STRATA
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.layers.localization import tr
from randcrowns.report.class_content import strata_means
from randcrowns.report.score_figures import draw_means
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.parts import fill_layout
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_model import table_columns
from randcrowns.ui.widgets.table_view import TableWithExport


class StrataPlot(PlotWidget):
    """Plot of the mean score of each stratum with its interval."""

    window_title = STRATA.label
    file_name = "randcrowns_strata"

    def draw(self, axes: Any) -> None:
        """Draw the means, one row per stratum."""
        strata, score = self.data
        draw_means(axes, strata_means(strata, score), SCORE_NAMES.get(score, score))


class StrataTab(QWidget):
    """Tab with the table of strata and a plot of one score.

    Args:
        file_name: default name of the saved table, without extension.
    """

    def __init__(self, file_name: str) -> None:
        super().__init__()
        self.table = TableWithExport(file_name)
        self.score_box = OptionBox()
        self.score_box.setAccessibleName(tr("Score"))
        self.plot = StrataPlot()
        self._strata = pd.DataFrame()
        self.score_box.currentIndexChanged.connect(self._draw_means)
        fill_layout(
            QVBoxLayout(self),
            self.table,
            self.score_box,
            self.plot,
            margins=(0, 4, 0, 0),
            spacing=3,
            stretched=self.plot,
        )

    def show_strata(self, strata: pd.DataFrame) -> None:
        """Show the strata of one layer.

        Args:
            strata: rows of one layer of the output Strata.
        """
        self._strata = strata
        shown_names = [name for name in STRATA.field_names if name in strata and name != "layer"]
        filled_names = [name for name in shown_names if strata[name].notna().any()]
        self.table.show_frame(strata, table_columns(STRATA, *filled_names))
        score_options = []
        for name, label in SCORE_NAMES.items():
            if f"{name}_mean" in strata:
                score_options.append(Option(name, label))
        self.score_box.set_options(score_options)
        self.score_box.setVisible(len(score_options) > 1)
        self._draw_means()

    def _draw_means(self, *_: object) -> None:
        """Draw the means of the selected score."""
        score = self.score_box.value()
        if len(self._strata) and score:
            self.plot.show_data(self._strata, score)

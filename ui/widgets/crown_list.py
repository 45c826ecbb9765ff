"""A table of crowns with its filter, buttons and the legend of what is drawn on the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QLineEdit

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import DELINEATION, REGIONS, TARGET
from randcrowns.ui.widgets.table_model import TableColumn
from randcrowns.ui.widgets.table_view import TableWithExport


class CrownList(TableWithExport):
    """Emits :attr:`row_chosen` with a row of the table, or -1 when none is chosen any more.

    ``with_regions`` says whether a row's regions are on the map.
    """

    row_chosen = pyqtSignal(int)

    def __init__(self, file_name: str, with_regions: bool = True) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter: words, ids, a status"))
        self.filter.setClearButtonEnabled(True)
        super().__init__(file_name, above=self.filter)
        self._with_regions = with_regions
        self.legend = RegionLegend()
        self.legend.hide()
        self.view.setMinimumHeight(90)
        self.layout().addWidget(self.legend)
        self.layout().setContentsMargins(0, 4, 0, 0)
        self.layout().setSpacing(3)
        self.filter.textChanged.connect(self._filter)
        self.view.row_chosen.connect(self._tell)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        self.legend.hide()
        super().show_frame(frame, columns)

    def choose(self, row: int) -> None:
        """Go to this row of the table; a filter that hides it is taken off."""
        if not self.model.shown_rows([row]):
            self.filter.clear()
        self.view.choose_frame_row(row)

    def select_ids(self, column: str, ids: Iterable[int]) -> list[int]:
        """Select the rows whose ``column`` is one of ``ids``, and return them; the map stays where it is."""
        wanted = self.model.frame[column].isin(list(ids)).fillna(False).to_numpy(dtype=bool)
        rows: list[int] = np.flatnonzero(wanted).tolist()
        self.view.select_frame_rows(rows)
        self.legend.setVisible(len(rows) == 1 and self._with_regions)
        return rows

    def forget_choice(self) -> None:
        """No row is chosen any more."""
        self.legend.hide()
        self.view.select_frame_rows([])

    def _filter(self, words: str) -> None:
        self.model.filter_words(words)
        self._tell(-1)

    def _tell(self, row: int) -> None:
        self.legend.setVisible(row >= 0 and self._with_regions)
        self.row_chosen.emit(row)


class RegionLegend(QLabel):
    """One line that names the colours; wraps when the dock is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        square, line = "■", "▬"
        entries = (
            (TARGET, line, tr("target")),
            (DELINEATION, line, tr("delineation")),
            (REGIONS["a"], square, tr("covered (a)")),
            (REGIONS["d"], square, tr("not covered (d)")),
            (REGIONS["c"], square, tr("outside (c)")),
            (REGIONS["b"], square, tr("free (b)")),
        )
        self.setText(
            " ".join(
                f'<span style="white-space:nowrap"><span style="color:{colour}">{mark}</span>&nbsp;'
                f"{words.replace(' ', '&nbsp;')}</span>"
                for colour, mark, words in entries
            )
        )
        self.setToolTip(
            tr(
                "The areas the score is made of, as in Figure 1 of the paper: (a² + b²) / (a² + b² + c² + d²).\n"
                "covered (a): surely crown, and in the delineation\n"
                "not covered (d): surely crown, but not in the delineation\n"
                "outside (c): surely not crown, but in the delineation\n"
                "free (b): surely not crown, and not in the delineation"
            )
        )

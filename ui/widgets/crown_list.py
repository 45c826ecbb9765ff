"""A table of crowns with its filter, buttons and the legend of what is drawn on the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QLineEdit

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import DELINEATION, REGIONS, TARGET
from randcrowns.ui.widgets.parts import tell, wrapped
from randcrowns.ui.widgets.table_model import TableColumn
from randcrowns.ui.widgets.table_view import TableWithExport


class CrownList(TableWithExport):
    """Emits :attr:`row_chosen` with a row of the table, or -1 when none is chosen any more.

    ``with_regions`` says whether a row's regions are on the map; ``sentence`` names a column of the table with what is
    to be said of the row chosen.
    """

    row_chosen = pyqtSignal(int)

    def __init__(self, file_name: str, with_regions: bool = True, sentence: str = "") -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter: words, ids, a status"))
        self.filter.setToolTip(tr('Rows with all of these words; Plot="a 1" asks for just that in a column.'))
        self.filter.setClearButtonEnabled(True)
        super().__init__(file_name, above=self.filter)
        self._with_regions, self._sentence = with_regions, sentence
        self.legend, self.said = RegionLegend(), wrapped(form=Qt.TextFormat.PlainText)
        self._explain(-1)
        self.view.setMinimumHeight(90)
        self.layout().addWidget(self.legend)
        self.layout().addWidget(self.said)
        self.layout().setContentsMargins(0, 4, 0, 0)
        self.layout().setSpacing(3)
        self.filter.textChanged.connect(self._filter)
        self.view.row_chosen.connect(self._tell)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        self._explain(-1)
        super().show_frame(frame, columns)

    def choose(self, row: int) -> None:
        """Go to this row of the table; a filter that hides it is taken off."""
        if not self.model.shown_rows([row]):
            self.filter.clear()
        self.view.choose_frame_row(row)

    def show_plot(self, plot: str) -> None:
        """Filter the rows of one plot; all where they have none of that name."""
        column = next((one for one in self.model.columns if one.name == "group"), None)
        known = column is not None and (self.model.frame["group"].astype(str) == plot).any()
        self.filter.setText(f'{column.title}="{plot}"' if column is not None and known else "")

    def select_ids(self, column: str, ids: Iterable[int]) -> list[int]:
        """Select the rows whose ``column`` is one of ``ids``, and return them; the map stays where it is."""
        wanted = self.model.frame[column].isin(list(ids)).fillna(False).to_numpy(dtype=bool)
        rows: list[int] = np.flatnonzero(wanted).tolist()
        self.view.select_frame_rows(rows)
        self._explain(rows[0] if len(rows) == 1 else -1)
        return rows

    def forget_choice(self) -> None:
        """No row is chosen any more."""
        self._explain(-1)
        self.view.select_frame_rows([])

    def _filter(self, words: str) -> None:
        self.model.filter_words(words)
        self._tell(-1)

    def _tell(self, row: int) -> None:
        self._explain(row)
        self.row_chosen.emit(row)

    def _explain(self, row: int) -> None:
        """Say what the drawing of the row means; nothing of none, -1."""
        self.legend.setVisible(row >= 0 and self._with_regions)
        said = self.model.frame[self._sentence].iloc[row] if row >= 0 and self._sentence else ""
        tell(self.said, "" if pd.isna(said) else str(said))


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

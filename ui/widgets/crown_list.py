"""A table of crowns with its filter, buttons and the legend of what is drawn on the map; one of two runs compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLineEdit, QTabWidget

from randcrowns.core.review.changes import Change, changes
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.words import local, plain, tr, written
from randcrowns.ui.widgets.colours import REGIONS, Words, mark
from randcrowns.ui.widgets.parts import read_out_as, tell, wrapped
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn, as_number, as_text
from randcrowns.ui.widgets.table_view import TableWithExport

#: Change since an earlier run -> what it is called.
CHANGES = {
    Change.BETTER: tr("better"),
    Change.WORSE: tr("worse"),
    Change.SAME: tr("as before"),
    Change.NEW: tr("new"),
    Change.GONE: tr("gone"),
}
_NAME = TableColumn(
    "name", tr("Name"), tr("Display name in the target layer."), as_text, right=False, widest=160
)
_PLOT = TableColumn("plot", tr("Plot"), tr("The crown's plot."), as_text, right=False)


def counts_in_words(counts: dict[Change, int]) -> list[str]:
    """``12 better``, ``3 worse``; those that there are none of are left out."""
    return [
        f"{written(number, 0)} {CHANGES[change]}" for change, number in counts.items() if number
    ]


def as_difference(value: float) -> str:
    """With its sign; empty where there is none.

    >>> as_difference(-0.19), as_difference(-0.0006), as_difference(0.0)
    ('-0.19', '-0.0006', '0.00')
    """
    if pd.isna(value):
        return ""  # below: what is better or worse differs
    return local(
        f"{value:+.2f}" if round(value, 2) else f"{value:+.1g}" if round(value, 9) else "0.00"
    )


class CrownList(TableWithExport):
    """Emits :attr:`row_chosen` with a row of the table, or -1 when none is chosen any more.

    ``with_regions`` says whether a row's regions are on the map; ``sentence`` names a column of the table with what is
    to be said of the row chosen.
    """

    row_chosen = pyqtSignal(int)

    def __init__(
        self,
        file_name: str,
        with_regions: bool = True,
        sentence: str = "",
        model: FrameModel | None = None,
    ) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setToolTip(
            tr('Rows with all of these words; Plot="a 1" asks for just that in a column.')
        )
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName(tr("Filter"))
        super().__init__(file_name, above=self.filter, model=model)
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
        """Show these rows; beside their ids, the first column, display names that tell them apart, and plots."""
        self._explain(-1)
        none = pd.Series(dtype=object)
        plots, names = frame.get("plot", frame.get("group", none)), frame.get("name", none)
        known_by = [_NAME] if len(set(names.dropna())) > 1 and not names.equals(plots) else []
        own = any(one.name == "group" for one in columns)
        plot = [_PLOT] if "plot" in frame and frame["plot"].notna().any() and not own else []
        at = (
            1 if len(set(plots.dropna())) > 1 else len(columns) - (not columns[-1].right)
        )  # one: before a text
        super().show_frame(frame, [columns[0], *known_by, *columns[1:at], *plot, *columns[at:]])

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

    def select_ids(self, column: str, ids: Iterable[int], keep: bool = False) -> list[int]:
        """Select and return the rows of these ``ids``, or with ``keep`` the one of them chosen; the map stays."""
        wanted = self.model.frame[column].isin(list(ids)).fillna(False).to_numpy(dtype=bool)
        rows: list[int] = np.flatnonzero(wanted).tolist()
        rows = [
            row
            for row in rows
            if keep and self.model.shown_rows([row]) == self.view.selected_rows()
        ] or rows
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


class ChangesTab(CrownList):
    """The crowns of two runs, those that changed most first. It is a tab only while two runs are compared."""

    def __init__(self, tabs: QTabWidget, file_name: str) -> None:
        super().__init__(file_name, with_regions=False)
        self._tabs = tabs
        self.told = wrapped()
        self.layout().insertWidget(0, self.told)
        self.hide()

    def compare(
        self,
        tables: Sequence[pd.DataFrame],
        score: str,
        runs: tuple[str, str],
        names: Mapping[int, str],
    ) -> None:
        """Show how each crown changed.

        Args:
            tables: ``feature_id`` and ``score`` of the earlier run and of the later one; maybe ``plot``.
            score: what the score is called.
            runs: when both began; and what was run, for a tooltip.
            names: display names by id.
        """
        known = pd.concat(tables[::-1]).drop_duplicates("feature_id").set_index("feature_id")
        found = changes(*tables).assign(name=lambda table: table["feature_id"].map(names))
        found = found.join(known[known.columns.intersection(["plot"])], on="feature_id")
        order = (
            found["difference"]
            .abs()
            .sort_values(ascending=False, kind="stable", na_position="first")
            .index
        )
        kinds = {kind.value: words for kind, words in CHANGES.items()}
        found = found.loc[order].assign(change=found["change"].map(kinds).fillna(tr("no score")))
        counts = {kind: int((found["change"] == words).sum()) for kind, words in CHANGES.items()}
        told = ", ".join(counts_in_words(counts)) or tr("no crown has a score")
        tell(self.told, tr("{score} {times}: {told}.", score=score, times=runs[0], told=told))
        self.told.setToolTip(plain(runs[1]))
        number = as_number(2)
        self.show_frame(
            found.reset_index(drop=True),
            [
                TableColumn("feature_id", tr("Id"), tr("Feature id in the target layer."), as_text),
                TableColumn(
                    "change",
                    tr("Change"),
                    tr("From the earlier run to the later one."),
                    as_text,
                    right=False,
                ),
                TableColumn(
                    "before", tr("Before"), tr("{score} in the earlier run.", score=score), number
                ),
                TableColumn(
                    "after", tr("After"), tr("{score} in the later run.", score=score), number
                ),
                TableColumn(
                    "difference", tr("Difference"), tr("After less before."), as_difference
                ),
            ],
        )
        if self._tabs.indexOf(self) < 0:
            read_out_as(self, tr("Changes"))
            self._tabs.addTab(self, tr("Changes"))
        self._tabs.setCurrentWidget(self)

    def put_away(self) -> None:
        """Nothing is compared any more."""
        if self._tabs.indexOf(self) >= 0:
            self._tabs.removeTab(self._tabs.indexOf(self))

    def crown(self, row: int) -> int:
        """Id of the crown in a row."""
        return int(self.model.frame["feature_id"].iloc[row])

    def select_crowns(self, ids: list[int]) -> None:
        """Select the rows of these crowns, where two runs are compared."""
        if self._tabs.indexOf(self) >= 0:
            self.select_ids("feature_id", ids)


class Legend(Words):
    """One line that names colours; wraps when the dock is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setMinimumWidth(1)

    def show_entries(self, *entries: tuple[str, str, str]) -> None:
        """Name these: a colour, the sign in it, and what it stands for."""
        whole = '<span style="white-space:nowrap">{mark}&nbsp;{words}</span>'
        told = (
            (mark(colour, sign), escape(words).replace(" ", "&nbsp;"))
            for colour, sign, words in entries
        )
        self.setText(" ".join(whole.format(mark=one, words=words) for one, words in told))


class RegionLegend(Legend):
    """The colours of a crown, its match and its regions."""

    def __init__(self) -> None:
        super().__init__()
        square, line = "■", "▬"
        self.show_entries(
            (TARGET, line, tr("target")),
            (DELINEATION, line, tr("delineation")),
            (REGIONS["a"], square, tr("covered (a)")),
            (REGIONS["d"], square, tr("not covered (d)")),
            (REGIONS["c"], square, tr("outside (c)")),
            (REGIONS["b"], square, tr("free (b)")),
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

"""Tables of crowns with a filter, buttons and the legend of the map; comparison of two runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QLineEdit, QTabWidget

from randcrowns.core.review.changes import Change, compare_scores
from randcrowns.layers.localization import escape_rich_text, localize_number, tr
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.ui.widgets.colours import REGIONS, ThemedLabel, coloured_sign
from randcrowns.ui.widgets.parts import make_wrapped_label, set_accessible_name, set_text_or_hide
from randcrowns.ui.widgets.table_model import FrameModel, NumberFormat, TableColumn, format_text
from randcrowns.ui.widgets.table_view import TableWithExport

#: Label of each change of a crown between two runs.
CHANGE_LABELS = {
    Change.BETTER: tr("better"),
    Change.WORSE: tr("worse"),
    Change.SAME: tr("as before"),
    Change.NEW: tr("new"),
    Change.GONE: tr("gone"),
}
_NAME = TableColumn(
    "name",
    tr("Name"),
    tr("Display name in the target layer."),
    format_text,
    align_right=False,
    max_width=160,
)
_PLOT = TableColumn("plot", tr("Plot"), tr("The crown's plot."), format_text, align_right=False)


def describe_counts(counts: dict[Change, int]) -> list[str]:
    """Return each count that is not 0 with its label, such as ``12 better``."""
    return [_change_text(change, number) for change, number in counts.items() if number]


def _change_text(change: Change, count: int) -> str:
    """Return a number of crowns with a change; some languages have a plural of each change."""
    texts = {
        Change.BETTER: tr("{count:,} better", one="1 better", count=count),
        Change.WORSE: tr("{count:,} worse", one="1 worse", count=count),
        Change.SAME: tr("{count:,} as before", one="1 as before", count=count),
        Change.NEW: tr("{count:,} new", one="1 new", count=count),
        Change.GONE: tr("{count:,} gone", one="1 gone", count=count),
    }
    return texts[change]


def format_difference(value: float) -> str:
    """Format a difference of two scores with its sign.

    Args:
        value: difference; may be NaN.

    Returns:
        The difference with two decimal places, or with one significant digit if it is below 0.005;
        "" for NaN.

    >>> format_difference(-0.19), format_difference(-0.0006), format_difference(0.0)
    ('-0.19', '-0.0006', '0.00')
    """
    if pd.isna(value):
        return ""
    if round(value, 2):
        return localize_number(f"{value:+.2f}")
    if round(value, 9):
        # A crown that counts as better or worse must not show a difference of 0.00.
        return localize_number(f"{value:+.1g}")
    return localize_number("0.00")


#: Sign of an outline in a legend.
_LINE = "▬"
#: Room of a legend in addition to its text in one font: margins, and wider signs, pixels.
_LEGEND_PADDING = 16
#: Minimum height of the table: its header and two rows, pixels.
_MIN_TABLE_HEIGHT = 70


class CrownTable(TableWithExport):
    """Table of crowns with a filter above, and with a legend and a message below.

    Args:
        file_name: default name of the saved table, without extension.
        legend: legend of what the map shows of the selected row; None for no legend.
        sentence: column of the table with the message about a row; "" for no message.
        model: model of the rows; None for a new :class:`FrameModel`.
    """

    #: Emitted with the row of the table that the user selected, or -1 if none is selected any more.
    row_chosen = pyqtSignal(int)

    def __init__(
        self,
        file_name: str,
        legend: Legend | None = None,
        sentence: str = "",
        model: FrameModel | None = None,
    ) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setToolTip(
            tr(
                "Show the rows that contain all of these words. "
                'Plot="a 1" shows the rows with exactly this value in the column.'
            )
        )
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName(tr("Filter"))
        super().__init__(file_name, above=self.filter, model=model)
        self._has_legend = legend is not None
        self._message_column = sentence
        #: Legend of the drawings on the map, visible while a row is selected.
        self.legend = legend or Legend()
        #: Message about the selected row.
        self.message_label = make_wrapped_label(text_format=Qt.TextFormat.PlainText)
        self._explain_row(-1)
        self.view.setMinimumHeight(_MIN_TABLE_HEIGHT)
        self.layout().addWidget(self.legend)
        self.layout().addWidget(self.message_label)
        self.layout().setContentsMargins(0, 3, 0, 0)
        self.layout().setSpacing(2)
        self.filter.textChanged.connect(self._apply_filter)
        self.view.row_chosen.connect(self._on_row_chosen)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show a table of crowns, with columns for their names and plots if these are useful.

        The name is shown if the crowns have several names that differ from the plots. The plot is
        shown if a crown has one and no given column shows it. Names and plots follow the first
        column; if there is only one plot it comes last, before a final column of text.

        Args:
            frame: one row per crown. The optional columns ``name`` and ``plot`` are
                the display name and the plot.
            columns: columns to show; the first one is the crown's id.
        """
        self._explain_row(-1)
        empty = pd.Series(dtype=object)
        plots = frame.get("plot", empty)
        names = frame.get("name", empty)
        all_columns = list(columns)
        is_plot_shown = any(column.name == "plot" for column in columns)
        if plots.notna().any() and not is_plot_shown:
            all_columns.insert(_plot_position(plots, columns), _PLOT)
        # The name comes directly after the id, before a plot at the same position.
        has_several_names = len(set(names.dropna())) > 1
        if has_several_names and not names.equals(plots):
            all_columns.insert(1, _NAME)
        super().show_frame(frame, all_columns)

    def choose_frame_row(self, row: int) -> None:
        """Select a row of the table as if the user had clicked it; clear a filter that hides it."""
        if not self.model.shown_rows([row]):
            self.filter.clear()
        self.view.go_to_frame_row(row)

    def filter_plot(self, plot: str) -> None:
        """Show only the rows of a plot, or all rows if the table does not have the plot."""
        plot_columns = [column for column in self.model.columns if column.name == "plot"]
        if not plot_columns or plot not in set(self.model.frame["plot"].astype(str)):
            self.filter.clear()
            return
        quoted_plot = plot.replace('"', '""')
        self.filter.setText(f'{plot_columns[0].title}="{quoted_plot}"')

    def select_ids(self, column: str, ids: Iterable[int], keep_selected: bool = False) -> list[int]:
        """Select rows by the values of a column; the map stays as it is.

        Args:
            column: column of the table with ids.
            ids: ids of the rows to select.
            keep_selected: True to leave a single selected row selected if it is one of these rows.

        Returns:
            The selected rows of the table.
        """
        has_id = self.model.frame[column].isin(list(ids)).fillna(False).to_numpy(dtype=bool)
        frame_rows: list[int] = np.flatnonzero(has_id).tolist()
        if keep_selected:
            selected_rows = self.view.selected_rows()
            still_selected = [
                row for row in frame_rows if self.model.shown_rows([row]) == selected_rows
            ]
            frame_rows = still_selected or frame_rows
        self.view.select_frame_rows(frame_rows)
        explained_row = frame_rows[0] if len(frame_rows) == 1 else -1
        self._explain_row(explained_row)
        return frame_rows

    def clear_selection(self) -> None:
        """Clear the selection."""
        self._explain_row(-1)
        self.view.select_frame_rows([])

    def _apply_filter(self, words: str) -> None:
        """Show only the rows that contain the words, with no row selected."""
        self.model.set_filter(words)
        self._on_row_chosen(-1)

    def _on_row_chosen(self, row: int) -> None:
        """Explain a row that the user selected, and emit :attr:`row_chosen`; -1 for none."""
        self._explain_row(row)
        self.row_chosen.emit(row)

    def _explain_row(self, row: int) -> None:
        """Show the legend and the message of a row of the table; hide both for -1."""
        self.legend.setVisible(row >= 0 and self._has_legend)
        message = ""
        if row >= 0 and self._message_column:
            message = self.model.frame[self._message_column].iloc[row]
        set_text_or_hide(self.message_label, "" if pd.isna(message) else str(message))
        self._reserve_message_height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the height of the message to the new width."""
        super().resizeEvent(event)
        self._reserve_message_height()

    def _reserve_message_height(self) -> None:
        """Reserve the height of the message, which a layout would else take from it.

        The minimum of a label with wrapped text has the height of one line.
        """
        for label in (self.message_label, self.legend):
            label.setMinimumHeight(0)  # Qt's height for a width is never below the minimum
            label.setMinimumHeight(label.heightForWidth(self.width()) if label.text() else 0)


class ChangesTab(CrownTable):
    """Tab with the crowns of two runs, the largest differences first.

    The tab is part of its tab widget only while two runs are compared.

    Args:
        tabs: tab widget of the results.
        file_name: default name of the saved table, without extension.
    """

    def __init__(self, tabs: QTabWidget, file_name: str) -> None:
        super().__init__(file_name)
        self._tabs = tabs
        #: Numbers of crowns per kind of change.
        self.summary_label = make_wrapped_label()
        self.layout().insertWidget(0, self.summary_label)
        self.hide()

    def compare(
        self,
        tables: Sequence[pd.DataFrame],
        score: str,
        runs: tuple[str, str],
        names: Mapping[int, str],
    ) -> None:
        """Show how the score of each crown changed, and add and open the tab.

        Args:
            tables: table of the earlier and of the later run with the columns ``feature_id``,
                ``score`` and optionally ``plot``.
            score: name of the score.
            runs: start times of both runs as a text, and a description of the runs for a tooltip.
            names: display name by feature id.
        """
        table = _compare_runs(tables, names)
        counts = {
            change: int((table["change"] == label).sum()) for change, label in CHANGE_LABELS.items()
        }
        times, description = runs
        summary = ", ".join(describe_counts(counts)) or tr("no crown has a score")
        set_text_or_hide(
            self.summary_label,
            tr("{score} {times}: {told}.", score=score, times=times, told=summary),
        )
        self.summary_label.setToolTip(escape_rich_text(description))
        self.show_frame(table, _change_columns(score))
        if self._tabs.indexOf(self) < 0:
            set_accessible_name(self, tr("Changes"))
            self._tabs.addTab(self, tr("Changes"))
        self._tabs.setCurrentWidget(self)

    def remove_tab(self) -> None:
        """Remove the tab."""
        if self._tabs.indexOf(self) >= 0:
            self._tabs.removeTab(self._tabs.indexOf(self))

    def crown_id(self, row: int) -> int:
        """Return the feature id of the crown in a row of the table."""
        return int(self.model.frame["feature_id"].iloc[row])

    def select_crowns(self, ids: list[int]) -> None:
        """Select the rows of crowns by feature id; do nothing if no runs are compared."""
        if self._tabs.indexOf(self) >= 0:
            self.select_ids("feature_id", ids)


def _plot_position(plots: pd.Series, columns: Sequence[TableColumn]) -> int:
    """Return the position of the column of plots among the other columns.

    Several plots follow the first column. A single plot comes last, before a final column of text.

    Args:
        plots: Plot of each crown; may be missing.
        columns: The other columns.
    """
    if len(set(plots.dropna())) > 1:
        return 1
    ends_with_text = not columns[-1].align_right
    return len(columns) - 1 if ends_with_text else len(columns)


def _compare_runs(tables: Sequence[pd.DataFrame], names: Mapping[int, str]) -> pd.DataFrame:
    """Compare the scores of two runs.

    Args:
        tables: table of the earlier and of the later run, see :meth:`ChangesTab.compare`.
        names: display name by feature id.

    Returns:
        The columns of :func:`randcrowns.core.review.changes.compare_scores` with labels in
        ``change``, ``name``, and ``plot`` if a run has it. Crowns without a difference come
        first, then the largest absolute differences.
    """
    before, after = tables
    comparison = compare_scores(before, after)
    comparison["name"] = comparison["feature_id"].map(names)
    label_of_change = {change.value: label for change, label in CHANGE_LABELS.items()}
    comparison["change"] = comparison["change"].map(label_of_change).fillna(tr("no score"))
    if "plot" in before or "plot" in after:
        # The plot of the later run counts if both runs have the crown.
        all_crowns = pd.concat([after, before]).drop_duplicates("feature_id")
        plot_of_crown = all_crowns.set_index("feature_id")["plot"]
        comparison = comparison.join(plot_of_crown, on="feature_id")
    return comparison.sort_values(
        "difference",
        key=lambda difference: difference.abs(),
        ascending=False,
        kind="stable",
        na_position="first",
        ignore_index=True,
    )


def _change_columns(score: str) -> list[TableColumn]:
    """Return the columns of the table of changes.

    Args:
        score: Name of the score.
    """
    return [
        TableColumn(
            "feature_id",
            title=tr("Id"),
            tooltip=tr("Feature id in the target layer."),
            format_value=format_text,
        ),
        TableColumn(
            "change",
            title=tr("Change"),
            tooltip=tr("From the earlier run to the later one."),
            format_value=format_text,
            align_right=False,
        ),
        TableColumn(
            "before",
            title=tr("Before"),
            tooltip=tr("{score} in the earlier run.", score=score),
            format_value=NumberFormat(2),
        ),
        TableColumn(
            "after",
            title=tr("After"),
            tooltip=tr("{score} in the later run.", score=score),
            format_value=NumberFormat(2),
        ),
        TableColumn(
            "difference",
            title=tr("Difference"),
            tooltip=tr("After minus before."),
            format_value=format_difference,
        ),
    ]


class Legend(ThemedLabel):
    """Legend of colours in one line, which wraps in a narrow dock."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setMinimumWidth(1)

    def show_entries(self, *entries: tuple[str, str, str]) -> None:
        """Show the entries of the legend.

        Args:
            entries: colour ``#rrggbb``, sign drawn in the colour, and label of each entry.
        """
        parts = []
        for colour, sign, label in entries:
            unbroken_label = escape(label).replace(" ", "&nbsp;")
            entry = f"{coloured_sign(colour, sign)}&nbsp;{unbroken_label}"
            parts.append(f'<span style="white-space:nowrap">{entry}</span>')
        self.setText(" ".join(parts))


class RegionLegend(Legend):
    """Legend of a target, its delineation and the four regions of the score.

    Args:
        compact: True to shorten the names of the regions so that the legend has one line: to the
            word, or in a narrow dock to the letter.
    """

    def __init__(self, compact: bool = False) -> None:
        super().__init__()
        self._is_compact = compact
        self._show_names(_region_labels())
        self.setToolTip(
            tr(
                "The areas the score is made of, as in Figure 1 of the paper: "
                "(a² + b²) / (a² + b² + c² + d²).\n"
                "covered (a): surely crown, and in the delineation\n"
                "not covered (d): surely crown, but not in the delineation\n"
                "outside (c): surely not crown, but in the delineation\n"
                "free (b): surely not crown, and not in the delineation"
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the longest names that fit into one line."""
        super().resizeEvent(event)
        if not self._is_compact or event.size().width() == event.oldSize().width():
            return
        labels = _region_labels()
        words = {
            letter: label.replace(f"({letter})", "").strip() for letter, label in labels.items()
        }
        letters = {letter: letter for letter in labels}
        fitting = (names for names in (labels, words) if self._fits(names))
        self._show_names(next(fitting, letters))

    def _fits(self, names: Mapping[str, str]) -> bool:
        """Return True if a legend with these names of the regions fits into one line."""
        entries = _region_entries(names)
        text = " ".join(f"{sign} {label}" for _, sign, label in entries)
        return self.fontMetrics().horizontalAdvance(text) + _LEGEND_PADDING <= self.width()

    def _show_names(self, names: Mapping[str, str]) -> None:
        """Show the legend with these names of the regions, by letter."""
        self.show_entries(*_region_entries(names))


def _region_labels() -> dict[str, str]:
    """Return the names of the regions of the score by their letter."""
    return {
        "a": tr("covered (a)"),
        "d": tr("not covered (d)"),
        "c": tr("outside (c)"),
        "b": tr("free (b)"),
    }


class PairLegend(Legend):
    """Legend of the outlines of a target and its prediction."""

    def __init__(self) -> None:
        super().__init__()
        self.show_colour(DELINEATION_COLOUR)

    def show_colour(self, prediction_colour: str) -> None:
        """Show the colour in which the map draws predictions, ``#rrggbb``."""
        self.show_entries(
            (TARGET_COLOUR, _LINE, tr("target")), (prediction_colour, _LINE, tr("prediction"))
        )


def _region_entries(names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return colour, sign and label of each entry of a legend.

    Args:
        names: names of the regions by letter.
    """
    entries = [
        (TARGET_COLOUR, _LINE, tr("target")),
        (DELINEATION_COLOUR, _LINE, tr("delineation")),
    ]
    return [*entries, *((REGIONS[letter], "■", name) for letter, name in names.items())]

"""The answer in one line, and below it the counts, each a link that selects those crowns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QVBoxLayout, QWidget

from randcrowns.layers.words import counted, tr
from randcrowns.ui.widgets.colours import STALE, WARN

_SCORES = (("randcrowns", "RC"), ("iou", "IoU"), ("iou_crowns", "IoUC"))


@dataclass(frozen=True)
class Count:
    """A number of crowns that can be selected: key, how many, words, and what it means."""

    key: str
    number: int
    words: str
    tooltip: str


class Headline(QWidget):
    """Emits :attr:`count_clicked` with the key of a count."""

    count_clicked = pyqtSignal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = QLabel()
        self.answer.setWordWrap(True)
        self.answer.setTextFormat(Qt.TextFormat.RichText)
        self.counts = QLabel()
        self.counts.setWordWrap(True)
        self.counts.setTextFormat(Qt.TextFormat.RichText)
        self.counts.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.counts.linkActivated.connect(self.count_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(2)
        column.addWidget(self.answer)
        column.addWidget(self.counts)

    def show_summary(self, row: pd.Series, counts: list[Count]) -> None:
        """Show one row of the summary table (means with their intervals) and these counts."""
        scores = "&nbsp;&nbsp; ".join(
            f"{short}&nbsp;<b>{_number(row.get(f'{name}_mean'))}</b>" for name, short in _SCORES
        )
        crowns = counted(int(row["targets"]), tr("crown"), tr("crowns")).replace(" ", "&nbsp;")
        lines = [
            tr("{name} {mean}, between {low} and {high} with 95 % confidence (resampled crowns)").format(
                name=name,
                mean=_number(row.get(f"{column}_mean"), 3),
                low=_number(row.get(f"{column}_low"), 3),
                high=_number(row.get(f"{column}_high"), 3),
            )
            for column, name in (("randcrowns", "RandCrowns"), ("iou", "IoU"), ("iou_crowns", "IoUCrowns"))
        ]
        lines.append(tr("Means over the target crowns; those too small to be scored are left out and counted below."))
        self.show_answer(f"<b>{crowns}</b>&nbsp;&nbsp; {scores}", lines, counts, tr("every crown has a score"))

    def show_answer(self, answer: str, explained: list[str], counts: list[Count], none: str) -> None:
        """Show an answer, the lines that explain it, and these counts; ``none`` says that there is nothing to count."""
        self.answer.setText(answer)
        self.answer.setToolTip("\n".join(explained))
        self.counts.setText(
            "&nbsp; ".join(
                f'<a href="{count.key}">{f"{count.number:,} {count.words}".replace(" ", "&nbsp;")}</a>'
                for count in counts
                if count.number
            )
            or none
        )
        meanings = [f"{count.words}: {count.tooltip}" for count in counts if count.number]
        self.counts.setToolTip("\n".join([*meanings, tr("Click a number to select those crowns.")]))


def _number(value: Any, digits: int = 2) -> str:
    return tr("n/a") if value is None or pd.isna(value) else f"{float(value):.{digits}f}"


class StaleLabel(QLabel):
    """Hidden while the results are fresh."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a layer's name stands in it
        self.setStyleSheet(
            f"QLabel {{ background: {STALE}; color: {WARN}; padding: 3px 6px; border: 1px solid {WARN}; }}"
        )
        self.hide()

    def tell(self, why: str) -> None:
        """Show the reason; an empty one hides the line."""
        self.setText(tr("These results are out of date: {why} Run again.").format(why=why) if why else "")
        self.setVisible(bool(why))

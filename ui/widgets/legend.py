"""The legend of the drawings on the map."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.colours import DELINEATION, REGIONS, TARGET

__all__ = ["RegionLegend"]


class RegionLegend(QLabel):
    """One line that names the colours; wraps when the dock is narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        square, line = "■", "▬"
        entries = (
            (TARGET, line, tr("target")),
            (DELINEATION, line, tr("delineation")),
            (REGIONS["a"], square, tr("covered (a)")),
            (REGIONS["d"], square, tr("left out (d)")),
            (REGIONS["c"], square, tr("too far (c)")),
            (REGIONS["b"], square, tr("clear (b)")),
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
                "left out (d): surely crown, but not in the delineation\n"
                "too far (c): surely not crown, but in the delineation\n"
                "clear (b): surely not crown, and not in the delineation"
            )
        )

"""A colour for every annotator that stays the same in every run, list and plot of a project."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.PyQt.QtGui import QColor, QIcon, QPixmap

from randcrowns.ui.colours import SERIES
from randcrowns.ui.memory import recall, remember

__all__ = ["annotator_colours", "colour_icon"]

_KEY = "annotator_colours"
#: Where the series end: more that differ from these and from each other (Tol's muted scheme).
_PALETTE = (*SERIES, "#882255", "#999933", "#44aa99", "#332288", "#aa4499", "#ddcc77", "#88ccee", "#117733", "#cc6677")


def annotator_colours(names: Iterable[str]) -> dict[str, str]:
    """The colours of these annotators, remembered in the project; a new name takes the first one that is free."""
    kept = {name: str(colour) for name, colour in recall(_KEY).items()}
    before = len(kept)
    found = {}
    for name in names:
        if name not in kept:
            taken = list(kept.values())
            kept[name] = min(_PALETTE, key=taken.count)
        found[name] = kept[name]
    if len(kept) > before:
        remember(_KEY, kept)
    return found


def colour_icon(colour: str) -> QIcon:
    """A square of the colour."""
    square = QPixmap(12, 12)
    square.fill(QColor(colour))
    return QIcon(square)

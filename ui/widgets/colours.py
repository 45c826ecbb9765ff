"""The colours of the paper's Figure 1, and the few the dock needs beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from qgis.PyQt.QtGui import QColor, QGuiApplication, QIcon, QPixmap

from randcrowns.layers.styles import SERIES
from randcrowns.ui.services.settings import recall, remember


def _by_window(light: str, dark: str) -> str:
    """The colour for words on a light window, or on a dark one; the theme of QGIS changes with a restart only."""
    window = QGuiApplication.palette().window().color() if QGuiApplication.instance() is not None else QColor("white")
    return dark if window.lightness() < _HALF else light


#: Lightness between dark and light, of 255.
_HALF = 128
#: Term of the score -> colour of its area on the map and in the legend.
REGIONS = {"a": "#f7dc3b", "b": "#98e0c0", "c": "#f58a1f", "d": "#2fc4ea"}
#: Laid over the rest of the map while a crown is shown.
VEIL = "#ffffff"
WARN = _by_window("#8a5000", "#ffb74d")
#: Words of second rank; readable on light and on dark windows.
QUIET = _by_window("#636363", "#b0b0b0")
#: A link: the palette of a dark window may still have Qt's own dark blue.
LINK = _by_window("#0000ee", "#7ab8ff")
#: Behind what is out of date, and the words on it.
STALE, STALE_WORDS = "#fff4d6", "#8a5000"
#: What two annotators both marked, or what an annotator and the consensus share.
SHARED = "#9a9a9a"
#: What the consensus has and an annotator has not.
MISSED = "#ffd400"


_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "icons"


def icon(name: str) -> QIcon:
    """The icon ``resources/icons/<name>.svg``."""
    return QIcon(str(_FOLDER / f"{name}.svg"))


_KEY = "annotator_colours"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
#: Where the series end: more that differ from these and from each other (Tol's muted scheme).
_PALETTE = (
    *(*SERIES, "#882255", "#999933", "#44aa99", "#332288", "#aa4499"),
    *("#ddcc77", "#88ccee", "#117733", "#cc6677", "#f0e442"),
)


def annotator_colours(names: Iterable[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """The colours of these annotators, remembered in the project; a new name takes the first one that is free.

    ``own`` colours (``#rrggbb``), which their layers have on the map, are taken where they are ours and still free.
    """
    own = own or {}
    kept = {name: str(colour) for name, colour in recall(_KEY).items() if _COLOUR.fullmatch(str(colour))}
    before = len(kept)
    names = list(names)
    for name in names:
        if name not in kept:
            taken = list(kept.values())
            wanted = own.get(name, "")
            fits = wanted in _PALETTE and wanted not in taken
            # What another layer shows on the map is left to its annotator as long as there are others.
            kept[name] = wanted if fits else min(_PALETTE, key=lambda one: (taken.count(one), one in own.values()))
    if len(kept) > before:
        remember(_KEY, kept)
    return {name: kept[name] for name in names}


def keep_colour(before: str, name: str) -> None:
    """An annotator of another name keeps the colour, unless the name has one already."""
    kept = recall(_KEY)
    if before in kept and name not in kept:
        remember(_KEY, {**kept, name: kept[before]})


def coloured(name: str, colour: str) -> str:
    """The name after a square of the colour, as rich text."""
    return f"<span style='color:{escape(colour)}'>■</span>&nbsp;{escape(name)}"


def colour_icon(colour: str) -> QIcon:
    """A square of the colour."""
    square = QPixmap(12, 12)
    square.fill(QColor(colour))
    return QIcon(square)

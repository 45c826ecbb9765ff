"""The colours of the paper's Figure 1, and the few the dock needs beside them, readable in every theme of QGIS.

A :class:`Tone` stands for a colour of words until it is known what they stand on: :class:`Words` puts the colour in its
place, and another one when QGIS changes its theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from qgis.core import QgsMapLayer, QgsSimpleFillSymbolLayer, QgsSingleSymbolRenderer, QgsVectorLayer
from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.layers.styles import SERIES
from randcrowns.layers.words import BREAK, breakable
from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.services.settings import recall, remember

#: Term of the score -> colour of its area on the map and in the legend.
REGIONS = {"a": "#f7dc3b", "b": "#98e0c0", "c": "#f58a1f", "d": "#2fc4ea"}
#: Laid over the rest of the map while a crown is shown.
VEIL = "#ffffff"
#: Behind what is out of date, and the words on it.
STALE, STALE_WORDS = "#fff4d6", "#8a5000"
#: What two annotators both marked, or what an annotator and the consensus share.
SHARED = "#9a9a9a"
#: What the consensus has and an annotator has not.
MISSED = "#ffd400"


#: Least contrast of words with what they stand on (WCAG 2.1, 1.4.3).
LEAST_CONTRAST = 4.5
#: Steps from a colour to white, or to black, in search of one that can be read.
_STEPS = 20
_WHITE, _BLACK = QColor("#ffffff"), QColor("#000000")


@dataclass(frozen=True)
class Tone:
    """A colour of words: a letter that stands for it in rich text, and the colour on light and on dark ground.

    The letters are private ones of Unicode, which no name of a layer has.
    """

    letter: str
    light: str
    dark: str

    def __str__(self) -> str:
        return self.letter

    def on(self, ground: QColor) -> str:
        """The colour, as near to one of its two as it can be read on that ground."""
        return _on(self, ground.name())


@lru_cache(maxsize=64)
def _on(tone: Tone, name: str) -> str:
    ground = QColor(name)
    first = max((QColor(tone.light), QColor(tone.dark)), key=lambda one: contrast(one, ground))
    shades = (
        _mixed(first, end, step / _STEPS) for step in range(_STEPS + 1) for end in (_WHITE, _BLACK)
    )
    readable = (shade for shade in shades if contrast(shade, ground) >= LEAST_CONTRAST)
    return next(readable, max((_WHITE, _BLACK), key=lambda one: contrast(one, ground))).name()


#: Warnings; words of second rank; links, for which a dark theme may still have Qt's own dark blue.
WARN, QUIET = Tone("\uf8f0", "#8a5000", "#ffb74d"), Tone("\uf8f1", "#636363", "#b0b0b0")
LINK = Tone("\uf8f2", "#0000ee", "#7ab8ff")
#: Words and lines of plots.
INK = Tone("\uf8f4", "#000000", "#e0e0e0")
#: Behind the mark of a colour: dark ones cannot be told from a dark ground.
_BEHIND = "\uf8f3"
#: What tells a widget that it may stand on another ground.
_OTHER_GROUND = (
    *(QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange, QEvent.Type.StyleChange),
    *(QEvent.Type.Polish, QEvent.Type.ParentChange),
)


def contrast(one: QColor, other: QColor) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.1)."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3])
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))


def is_dark(ground: QColor) -> bool:
    """Whether white is read better on it than black."""
    return contrast(_WHITE, ground) > contrast(_BLACK, ground)


def ground_of(around: QWidget | None) -> QColor:
    """What words in a widget stand on: its ground, or that of the first around it that has one.

    QGIS's dark themes are style sheets in which most widgets are transparent, and say little in the palette.
    """
    while around is not None:
        ground = around.palette().color(around.backgroundRole())
        if ground.alpha():
            return ground
        around = around.parentWidget()
    return QGuiApplication.palette().color(QPalette.ColorRole.Window)


def may_stand_elsewhere(event: QEvent) -> bool:
    """Whether a widget may stand on another ground after an event: colours are to be chosen anew."""
    return event.type() in _OTHER_GROUND


class Words(QLabel):
    """A label whose words, and the tones in whose rich text, are readable on what they stand on."""

    _tone: Tone | None = None
    _given = ""

    def __init__(self, text: str = "", tone: Tone | None = None) -> None:
        super().__init__()
        self._tone, self._given = tone, text
        self._again = after(0, self._colour, self)
        self._colour()

    def text(self) -> str:
        """What was said, without the places where a long word may go on in the next line."""
        return str(super().text()).replace(BREAK, "")

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._given = text
        self._colour()

    def set_tone(self, tone: Tone) -> None:
        """Show the words in another tone."""
        self._tone = tone
        self._colour()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if may_stand_elsewhere(event):
            self._colour()
            self._again.start()  # QGIS changes the palette after the style
        return done

    def _colour(self) -> None:
        """Only what differs is set: setting it is an event again."""
        # Not its own ground: a style sheet of its own makes Qt tell another one.
        ground, shown = ground_of(self.parentWidget()), self._given
        for tone in (WARN, QUIET, LINK):
            shown = shown.replace(tone.letter, tone.on(ground)) if tone.letter in shown else shown
        shown = shown.replace(
            _BEHIND, "transparent" if contrast(_BLACK, ground) >= LEAST_CONTRAST else "#ffffff"
        )
        shown = breakable(shown)
        if shown != super().text():
            super().setText(shown)
        sheet = (
            "" if self._tone is None else f"Words {{ color: {self._tone.on(ground)}; }}"
        )  # not of its tooltip
        if sheet not in ("", self.styleSheet()):
            self.setStyleSheet(sheet)


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
    kept = {
        name: str(colour) for name, colour in recall(_KEY).items() if _COLOUR.fullmatch(str(colour))
    }
    before = len(kept)
    names = list(names)
    for name in names:
        if name not in kept:
            taken = list(kept.values())
            wanted = own.get(name, "")
            fits = wanted in _PALETTE and wanted not in taken
            # What another layer shows on the map is left to its annotator as long as there are others.
            kept[name] = (
                wanted
                if fits
                else min(_PALETTE, key=lambda one: (taken.count(one), one in own.values()))
            )
    if len(kept) > before:
        remember(_KEY, kept)
    return {name: kept[name] for name in names}


def colour_on_map(layer: QgsMapLayer | None) -> str:
    """The colour in which the layer is drawn, its outline's where it is not filled; empty where there are several."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if not isinstance(renderer, QgsSingleSymbolRenderer):
        return ""
    drawn = renderer.symbol().symbolLayer(0)
    hollow = (
        isinstance(drawn, QgsSimpleFillSymbolLayer) and drawn.brushStyle() == Qt.BrushStyle.NoBrush
    )
    return str((drawn.strokeColor() if hollow else drawn.fillColor()).name())


def keep_colour(before: str, name: str) -> None:
    """An annotator of another name keeps the colour, unless the name has one already."""
    kept = recall(_KEY)
    if before in kept and name not in kept:
        remember(_KEY, {**kept, name: kept[before]})


def mark(colour: str, sign: str = "■") -> str:
    """A sign in the colour, as rich text of :class:`Words`."""
    return f"<span style='color:{escape(colour)};background-color:{_BEHIND}'>{sign}</span>"


def coloured(name: str, colour: str) -> str:
    """The name after a square of the colour, as rich text of :class:`Words`."""
    return f"{mark(colour)}&nbsp;{escape(name)}"


#: Pixels of an icon's side, of its edge, and what it is drawn larger by, for screens of fine pixels.
_SIDE, _EDGE, _FINER = 12, 1, 4


def colour_icon(colour: str) -> QIcon:
    """A square of the colour, with an edge that is seen on any ground; only its room where the colour is clear."""
    square, inside = QPixmap(_SIDE * _FINER, _SIDE * _FINER), QColor(colour)
    square.fill(QColor("#808080") if inside.alpha() else inside)
    painter, edge = QPainter(square), _EDGE * _FINER
    painter.fillRect(square.rect().adjusted(edge, edge, -edge, -edge), inside)
    painter.end()
    return QIcon(square)

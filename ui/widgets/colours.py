"""Colours of the dock and of the map, and labels whose text is readable in every theme of QGIS.

A :class:`Tone` is a text colour with a light and a dark variant. :class:`ThemedLabel` replaces it
by a colour that is readable on the label's background, and updates it when QGIS changes its theme.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from qgis.PyQt.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from randcrowns.layers.localization import (
    insert_line_breaks,
    keep_numbers_whole,
    keep_units_with_numbers,
)
from randcrowns.report.colours import INK, OUTLINE_COLOURS, relative_luminance
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.settings import read_parameters, write_parameters

#: Colours of the regions a, b, c, d of a crown on the map and in the legend (Stewart et al.,
#: Figure 1); the regions are defined in :class:`randcrowns.ui.widgets.crown_list.RegionLegend`.
REGIONS = {"a": "#f7dc3b", "b": "#98e0c0", "c": "#f58a1f", "d": "#2fc4ea"}
#: Colour of the veil over the rest of the map while a crown is shown.
VEIL = "#ffffff"
#: Background of a message that results are out of date.
STALE_BACKGROUND = "#fff4d6"
#: Text colour of a message that results are out of date.
STALE_TEXT = "#8a5000"
#: Colour of areas that two annotators, or an annotator and the consensus, both marked.
SHARED = "#9a9a9a"
#: Colour of areas that the consensus contains and an annotator did not mark.
MISSED = "#ffd400"


#: Minimum contrast of text with its background (WCAG 2.1, success criterion 1.4.3).
MIN_CONTRAST = 4.5
#: Number of steps from a colour to white or to black when a readable colour is searched.
_STEPS = 20
#: Shade of the window in which Qt draws frames, percent as in ``QColor.darker``.
_FRAME_SHADE = 140
#: Contrast up to which a frame cannot be seen.
_MIN_FRAME_CONTRAST = 1.1
#: Maximum luminance of a window that counts as black.
_MAX_BLACK_LUMINANCE = 0.01
_WHITE = QColor("#ffffff")
_BLACK = QColor("#000000")


@dataclass(frozen=True)
class Tone:
    """Text colour with a variant for light and one for dark backgrounds.

    Formatted as a string it is its placeholder, which :class:`ThemedLabel` replaces by a colour.
    """

    #: Placeholder in rich text: a private character of Unicode, which no layer name contains.
    placeholder: str
    #: Colour on a light background, ``#rrggbb``.
    light: str
    #: Colour on a dark background, ``#rrggbb``.
    dark: str

    def __str__(self) -> str:
        return self.placeholder

    def readable_on(self, background: QColor) -> str:
        """Return the colour to use on a background.

        Args:
            background: background colour.

        Returns:
            The variant with the higher contrast, ``#rrggbb``, mixed with as little white or black
            as needed to reach :data:`MIN_CONTRAST`.
        """
        return _readable_colour(self, background.name())


@lru_cache(maxsize=64)
def _readable_colour(tone: Tone, background_name: str) -> str:
    """Return the colour of a tone on a background; both colours are ``#rrggbb``."""
    background = QColor(background_name)

    def contrast_with_background(colour: QColor) -> float:
        """Return the contrast of a colour with the background."""
        return contrast(colour, background)

    variant = max((QColor(tone.light), QColor(tone.dark)), key=contrast_with_background)
    for step in range(_STEPS + 1):
        for end in (_WHITE, _BLACK):
            colour = mix_colours(variant, end, step / _STEPS)
            if contrast_with_background(colour) >= MIN_CONTRAST:
                return colour.name()
    return max((_WHITE, _BLACK), key=contrast_with_background).name()


#: Text of warnings.
WARNING_TONE = Tone("\uf8f0", "#8a5000", "#ffb74d")
#: Secondary text.
SECONDARY_TONE = Tone("\uf8f1", "#636363", "#b0b0b0")
#: Links; Qt's own dark blue would remain in some dark themes.
LINK_TONE = Tone("\uf8f2", "#0000ee", "#7ab8ff")
#: Text and lines of plots.
PLOT_TONE = Tone("\uf8f4", "#000000", "#e0e0e0")
#: Placeholder for the background of a coloured sign, see :func:`coloured_sign`.
_SIGN_BACKGROUND = "\uf8f3"
#: Types of events after which a widget may have another background.
_BACKGROUND_EVENTS = (
    QEvent.Type.PaletteChange,
    QEvent.Type.ApplicationPaletteChange,
    QEvent.Type.StyleChange,
    QEvent.Type.Polish,
    QEvent.Type.ParentChange,
)


def contrast(colour: QColor, other: QColor) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.1).

    The ratio is (L1 + 0.05) / (L2 + 0.05), where L1 and L2 are the relative luminances of the
    lighter and of the darker colour.
    """
    darker, lighter = sorted([_luminance_of(colour), _luminance_of(other)])
    return (lighter + 0.05) / (darker + 0.05)


def _luminance_of(colour: QColor) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2.1)."""
    return relative_luminance(colour.redF(), colour.greenF(), colour.blueF())


def mix_colours(start: QColor, end: QColor, share: float) -> QColor:
    """Return a colour between two colours.

    Args:
        start: colour at a share of 0.
        end: colour at a share of 1.
        share: share of ``end``, 0 to 1.
    """
    start_red, start_green, start_blue, _ = start.getRgb()
    end_red, end_green, end_blue, _ = end.getRgb()
    return QColor(
        round(start_red + (end_red - start_red) * share),
        round(start_green + (end_green - start_green) * share),
        round(start_blue + (end_blue - start_blue) * share),
    )


def is_dark(background: QColor) -> bool:
    """Return True if white text has more contrast with a background than black text."""
    return contrast(_WHITE, background) > contrast(_BLACK, background)


def background_of(start: QWidget | None) -> QColor:
    """Return the background colour behind a widget.

    Dark themes of QGIS are style sheets that make most widgets transparent and leave the palette
    nearly unchanged. Therefore the colour is that of the first widget that is not transparent.

    Args:
        start: widget from which the search goes up through the parents; None for no widget.

    Returns:
        The background of the widget or of its nearest opaque ancestor; the window colour of the
        application's palette if there is none.
    """
    widget = start
    while widget is not None:
        background = widget.palette().color(widget.backgroundRole())
        if background.alpha():
            return background
        widget = widget.parentWidget()
    return QGuiApplication.palette().color(QPalette.ColorRole.Window)


def may_change_background(event: QEvent) -> bool:
    """Return True if a widget may have another background after an event."""
    return event.type() in _BACKGROUND_EVENTS


class ThemedLabel(QLabel):
    """Label whose text, and the tones in its rich text, are readable on its background.

    Args:
        text: text, in which tones are formatted as strings.
        tone: colour of the whole text; None for the colour of the theme.
    """

    _tone: Tone | None = None
    #: Text as it was set, with placeholders of tones and without break opportunities.
    _source_text = ""
    #: The same with colours in place of the placeholders.
    _unguided_text = ""

    def __init__(self, text: str = "", tone: Tone | None = None) -> None:
        super().__init__()
        self._tone = tone
        self._source_text = text
        self._recolour_timer = single_shot_timer(0, self._update_colours, self)
        self._update_colours()

    def text(self) -> str:
        """Return the text without the characters that guide where Qt breaks lines."""
        # After ``setPixmap`` a label has no text.
        return self._unguided_text if super().text() else ""

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Set the text, in which tones are formatted as strings."""
        self._source_text = text
        self._update_colours()

    def set_tone(self, tone: Tone) -> None:
        """Set the colour of the whole text."""
        self._tone = tone
        self._update_colours()

    def event(self, event: QEvent) -> bool:
        """Update the colours after an event that may change the background."""
        is_handled = super().event(event)
        if may_change_background(event):
            self._update_colours()
            # QGIS changes the palette only after the style.
            self._recolour_timer.start()
        return is_handled

    def _update_colours(self) -> None:
        """Set the text and the style sheet for the current background.

        Only values that differ are set, because setting them causes another event.
        """
        # A label with a style sheet of its own reports a wrong background.
        background = background_of(self.parentWidget())
        text = self._source_text
        for tone in (WARNING_TONE, SECONDARY_TONE, LINK_TONE):
            if tone.placeholder in text:
                text = text.replace(tone.placeholder, tone.readable_on(background))
        # A dark sign is not visible on a dark background.
        is_dark_sign_visible = contrast(_BLACK, background) >= MIN_CONTRAST
        text = text.replace(_SIGN_BACKGROUND, "transparent" if is_dark_sign_visible else "#ffffff")
        self._unguided_text = text
        text = insert_line_breaks(text)
        is_rich_text = self.textFormat() == Qt.TextFormat.RichText
        text = keep_numbers_whole(text) if is_rich_text else keep_units_with_numbers(text)
        if text != super().text():
            super().setText(text)

        if self._tone is not None:
            # The selector excludes the tooltip of the label.
            sheet = f"{ThemedLabel.__name__} {{ color: {self._tone.readable_on(background)}; }}"
            if sheet != self.styleSheet():
                self.setStyleSheet(sheet)


#: Share of the text colour in the text of disabled buttons; the rest is that of their background.
_DISABLED_SHARE = 0.4
#: Text of the button by which the colours of a theme are measured: most of its pixels are text.
_SAMPLE_TEXT = "MMMM"


def tool_button_sheet(parent: QWidget) -> str:
    """Return a style sheet with a readable text colour for the tool buttons of a theme.

    Some themes draw light grey text on a grey button. The colours of a style sheet cannot be read
    from the palette, so that those of a drawn button are measured.

    Args:
        parent: widget in which the buttons are; the measured button is deleted at once.

    Returns:
        The style sheet; "" if the theme's own text is readable.
    """
    if not QApplication.instance().styleSheet():
        return ""
    button = QToolButton(parent)
    button.setText(_SAMPLE_TEXT)
    button.hide()  # a parent that is shown would otherwise show the button, too
    button.resize(button.sizeHint())
    image = button.grab().toImage()
    button.deleteLater()
    pixel_counts: Counter[str] = Counter()
    for x in range(image.width()):
        for y in range(image.height()):
            pixel_counts[image.pixelColor(x, y).name()] += 1
    # The background is the most frequent colour, the text the one that differs most from it.
    background_name, _ = pixel_counts.most_common(1)[0]
    background = QColor(background_name)
    text_contrast = max(contrast(QColor(name), background) for name in pixel_counts)
    if text_contrast >= MIN_CONTRAST:
        return ""
    colour = QColor(PLOT_TONE.readable_on(background))
    # The first rule would also apply to disabled buttons, which would look enabled.
    disabled_colour = mix_colours(background, colour, _DISABLED_SHARE)
    return (
        f"QToolButton {{ color: {colour.name()}; }} "
        f"QToolButton:disabled {{ color: {disabled_colour.name()}; }}"
    )


def check_box_sheet(palette: QPalette) -> str:
    """Return a style sheet with visible check boxes, radio buttons and fields on a black window.

    Qt draws the frame of a check box or field in a darker shade of the window: on black, in black.

    Args:
        palette: palette of the window.

    Returns:
        The style sheet; "" if Qt's own frame can be seen, or the field of a box differs from the
        window.
    """
    window = palette.color(QPalette.ColorRole.Window)
    field = palette.color(QPalette.ColorRole.Base)
    shades = (window.darker(_FRAME_SHADE), field)
    if max(contrast(shade, window) for shade in shades) > _MIN_FRAME_CONTRAST:
        return ""
    if _luminance_of(window) > _MAX_BLACK_LUMINANCE:
        return ""
    text = palette.color(QPalette.ColorRole.WindowText).name()
    pale = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText).name()
    boxes = ("QCheckBox::indicator", "QAbstractItemView::indicator")
    radio = "QRadioButton::indicator"
    folder = _ICON_FOLDER.parent.as_posix()
    # Qt draws neither a mark nor an arrow in a box or button that has a style sheet.
    mark = f"{folder}/check_on_black.svg"
    arrows = " ".join(
        f"QAbstractSpinBox::{side}-button {{ width: 14px; border: none; }} "
        f'QAbstractSpinBox::{side}-arrow {{ image: url("{folder}/{side}_on_black.svg"); '
        f"width: 8px; height: 8px; }}"
        for side in ("up", "down")
    )
    disabled = ", ".join(f"{box}:disabled" for box in (*boxes, radio))
    checked = ", ".join(f"{box}:checked" for box in boxes)
    return (
        f"{', '.join((*boxes, radio))} {{ width: 12px; height: 12px; border: 1px solid {text}; "
        f"background: {field.name()}; }} "
        f"{radio} {{ border-radius: 7px; }} "
        f"QLineEdit, QAbstractSpinBox {{ border: 1px solid {text}; padding: 2px; }} "
        f"QLineEdit:disabled, QAbstractSpinBox:disabled {{ border-color: {pale}; }} "
        f"QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; padding: 0px; }} "
        f"{arrows} "
        f"{disabled} {{ border-color: {pale}; }} "
        f'{checked} {{ image: url("{mark}"); }} '
        f"{radio}:checked {{ background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, "
        f"fy: 0.5, stop: 0.45 {text}, stop: 0.55 {field.name()}); }}"
    )


_ICON_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "icons"


def load_icon(name: str) -> QIcon:
    """Return the icon ``resources/icons/<name>.svg``."""
    return QIcon(str(_ICON_FOLDER / f"{name}.svg"))


#: Key of the annotators' colours in the project.
_COLOURS_KEY = "annotator_colours"
_COLOUR_PATTERN = re.compile("#[0-9a-fA-F]{6}")
#: Colours of annotators: those of outlines, then Tol's muted scheme without similar colours.
_PALETTE = (
    *OUTLINE_COLOURS,
    INK,
    "#882255",
    "#999933",
    "#44aa99",
    "#332288",
    "#aa4499",
    "#ddcc77",
    "#88ccee",
    "#117733",
    "#cc6677",
    "#f0e442",
)


def annotator_colours(
    names: Iterable[str], map_colours: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the colours of annotators and store new ones in the project.

    A stored colour stays. A new annotator gets the colour that its layer has on the map, if the
    colour belongs to the palette and is not taken, and else the least used colour of the palette.

    Args:
        names: names of the annotators.
        map_colours: colour on the map, ``#rrggbb``, by name of the annotator.

    Returns:
        Colour ``#rrggbb`` by name, in the order of the names.
    """
    colours_on_map = map_colours or {}
    annotators = list(names)
    # A project may have been edited by hand.
    stored_colours = {name: str(value) for name, value in read_parameters(_COLOURS_KEY).items()}
    colours = {
        name: colour for name, colour in stored_colours.items() if _COLOUR_PATTERN.fullmatch(colour)
    }
    new_annotators = [name for name in dict.fromkeys(annotators) if name not in colours]
    for name in new_annotators:
        colours[name] = _select_new_colour(
            preferred=colours_on_map.get(name, ""),
            used=list(colours.values()),
            reserved=colours_on_map.values(),
        )
    if new_annotators:
        write_parameters(_COLOURS_KEY, colours)
    return {name: colours[name] for name in annotators}


def _select_new_colour(preferred: str, used: Sequence[str], reserved: Collection[str]) -> str:
    """Return a colour of the palette for a new annotator.

    Args:
        preferred: colour to return if it belongs to the palette and is not used.
        used: colours of the other annotators.
        reserved: colours of layers on the map, to be avoided if there are others.

    Returns:
        The colour, ``#rrggbb``.
    """
    if preferred in _PALETTE and preferred not in used:
        return preferred
    return min(_PALETTE, key=lambda colour: (used.count(colour), colour in reserved))


def transfer_colour(old_name: str, new_name: str) -> None:
    """Store the colour of a renamed annotator under the new name, unless that has a colour.

    Args:
        old_name: old name.
        new_name: new name.
    """
    colours = read_parameters(_COLOURS_KEY)
    if old_name in colours and new_name not in colours:
        write_parameters(_COLOURS_KEY, {**colours, new_name: colours[old_name]})


def coloured_sign(colour: str, sign: str = "■") -> str:
    """Return a sign in a colour ``#rrggbb``, as rich text for a ThemedLabel."""
    return f"<span style='color:{escape(colour)};background-color:{_SIGN_BACKGROUND}'>{sign}</span>"


def coloured_name(name: str, colour: str, is_whole: bool = False) -> str:
    """Return a name after a square of a colour, as rich text for a ThemedLabel.

    Args:
        name: the name.
        colour: colour ``#rrggbb``.
        is_whole: True to keep a short name on one line.
    """
    shown_name = escape(name)
    if is_whole:
        shown_name = shown_name.replace(" ", "&nbsp;")
    return f"{coloured_sign(colour)}&nbsp;{shown_name}"


#: Side of a colour icon, pixels.
_ICON_SIZE = 12
#: Width of the edge of a colour icon, pixels.
_ICON_EDGE = 1
#: Factor by which colour icons are drawn larger, for screens with a high pixel density.
_ICON_SCALE = 4


def colour_icon(colour: str) -> QIcon:
    """Return a square of a colour as an icon.

    The square has a grey edge, which is visible on any background. A fully transparent colour
    gives an empty icon of the same size.
    """
    fill_colour = QColor(colour)
    size = _ICON_SIZE * _ICON_SCALE
    edge = _ICON_EDGE * _ICON_SCALE
    square = QPixmap(size, size)
    square.fill(QColor("#808080") if fill_colour.alpha() else fill_colour)
    painter = QPainter(square)
    painter.fillRect(square.rect().adjusted(edge, edge, -edge, -edge), fill_colour)
    painter.end()
    return QIcon(square)

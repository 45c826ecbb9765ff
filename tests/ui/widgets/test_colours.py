"""Words in colours, links and swatches can be read in every theme of QGIS, also when it changes
while QGIS runs.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text
from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPalette
from qgis.PyQt.QtSvg import QSvgRenderer
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from support.layers import TARGET_BOXES, box_layer, load_sample
from support.panel import add_two_layers
from support.qt import spin
from support.themes import DARK, HIGH_CONTRAST, desktop_palette

from randcrowns.ui.shell.dock import PAGES, PageButtons
from randcrowns.ui.widgets import colours
from randcrowns.ui.widgets.colours import (
    LINK_TONE,
    SECONDARY_TONE,
    STALE_BACKGROUND,
    STALE_TEXT,
    WARNING_TONE,
    ThemedLabel,
    check_box_sheet,
    coloured_sign,
    contrast,
)
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.number_boxes import DecimalBox
from randcrowns.ui.widgets.plot import ScatterPlot
from randcrowns.ui.widgets.run_widgets import AnswerView, CrownCount

_ICON_FOLDER = Path(__file__).parents[3] / "resources" / "icons"
THEMES = ("default", "Night Mapping", "Blend of Gray")
_ICONS = Qt.ToolButtonStyle.ToolButtonIconOnly
_HEX = re.compile(r"(?<![-\w])color: ?(#[0-9a-f]{6})")


@pytest.fixture
def use_theme(qgis_app):
    """Has QGIS use a theme, as its options do."""
    before = QPalette(QApplication.palette())

    def use(name: str) -> None:
        QApplication.setPalette(before)
        QgsApplication.setUITheme(name)
        spin()

    assert set(THEMES) <= set(QgsApplication.uiThemes())
    yield use
    use("default")


def written_in(label: ThemedLabel) -> list[str]:
    """The colours that a label shows words in, of its own accord."""
    rich = [] if "■" in label.text() or "▬" in label.text() else _HEX.findall(label.text())
    return _HEX.findall(label.styleSheet()) + rich


def pixels_of(picture: QImage) -> np.ndarray:
    """The colours of a picture, row by row, as numbers 0xrrggbb."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    bits = plain.constBits()
    bits.setsize(plain.sizeInBytes())
    rows = np.frombuffer(bits, dtype=np.uint32).reshape(plain.height(), -1)
    return rows[:, : plain.width()] & 0xFFFFFF


def ground_seen(widget: QWidget, pixels: np.ndarray) -> QColor | None:
    """The colour around the words on a picture of the window: the one that most of it has; None
    where it is hidden.
    """
    shown, corner = (
        widget.visibleRegion().boundingRect(),
        widget.mapTo(widget.window(), QPoint(0, 0)),
    )
    place = QRect(shown.topLeft() + corner, shown.size())
    seen = pixels[place.top() : place.bottom(), place.left() : place.right()]
    values, counts = np.unique(seen, return_counts=True)
    return QColor(f"#{values[counts.argmax()]:06x}") if len(values) else None


def test_the_words_of_every_page_can_be_read_also_when_the_theme_changes(
    project, request, use_theme
):
    """Words made under the default are those after a change to it, as the test of links and
    swatches shows.
    """
    use_theme("Blend of Gray")
    dock = request.getfixturevalue("dock")
    load_sample(project)
    project.addMapLayer(box_layer("odd", [*TARGET_BOXES, (0, 0, 0, 0)]))
    for entry in PAGES:
        dock.show_page(entry.key)
    spin(20)
    assert read_on_all(dock) > 30
    for other in ("default", "Night Mapping"):
        use_theme(other)
        assert read_on_all(dock) > 30


#: Look -> theme of QGIS, and colours of the desktop: window, field, text, button; None for its own.
LOOKS = {
    "light": ("default", None),
    "dark": ("default", DARK),
    "Night Mapping": ("Night Mapping", None),
    "high contrast": ("default", HIGH_CONTRAST),
}


@pytest.mark.parametrize("look", LOOKS)
def test_labels_and_buttons_have_a_contrast_of_4_5_in_four_themes(
    project, request, use_theme, look
):
    """The colours are those of the pixels; disabled buttons may be paler (WCAG 2.1, 1.4.3).

    QGIS's own themes colour plain buttons: 3.4:1 in Night Mapping of QGIS 3.40.
    """
    theme, colours = LOOKS[look]
    use_theme(theme)
    if colours is not None:
        QApplication.setPalette(desktop_palette(*colours))
    dock = request.getfixturevalue("dock")
    add_two_layers(project)
    dock.resize(440, 1000)
    count = 0
    for entry in PAGES:
        page = dock.show_page(entry.key)
        spin(20)
        pixels = pixels_of(dock.grab().toImage())
        for widget in page.findChildren(QWidget):
            if _shows_text(widget):
                count += 1
                best = best_contrast(widget, pixels)
                is_of_theme = colours is None and type(widget) is QPushButton
                least = 3 if is_of_theme else 4.5
                assert best is None or best >= least, (entry.key, widget.text(), best)
    assert count > 60


@pytest.mark.parametrize("look", LOOKS)
def test_check_boxes_and_radio_buttons_are_seen_in_four_themes(project, request, use_theme, look):
    """The pixels of a box have at least 3:1 to the window around it (WCAG 2.1, 1.4.11)."""
    theme, colours = LOOKS[look]
    use_theme(theme)
    if colours is not None:
        QApplication.setPalette(desktop_palette(*colours))
    dock = request.getfixturevalue("dock")
    add_two_layers(project)
    dock.resize(440, 1000)
    page = dock.show_page("score")
    spin(50)
    box = next(one for one in page.findChildren(QCheckBox) if one.isVisible() and one.isEnabled())
    for is_checked in (False, True):
        box.setChecked(is_checked)
        spin(20)
        image = box.grab().toImage()
        style_option = QStyleOptionButton()
        box.initStyleOption(style_option)
        rect = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, style_option, box)
        seen = {
            image.pixelColor(x, y).name()
            for x in range(rect.left(), rect.right())
            for y in range(rect.top(), rect.bottom())
        }
        window = box.palette().color(QPalette.ColorRole.Window)
        least = 3.0 if look == "high contrast" or is_checked else 1.1
        assert max(contrast(QColor(name), window) for name in seen) >= least
    assert bool(check_box_sheet(dock.palette())) == (look == "high contrast")
    if look == "high contrast":
        for field in (page.form.lengths_field.findChild(DecimalBox), QLineEdit(page)):
            field.show()
            spin(20)
            image = field.grab().toImage()
            edge = [image.pixelColor(x, 0) for x in range(image.width())]
            assert all(contrast(colour, window) > 3 for colour in edge), "no frame"


def _shows_text(widget: QWidget) -> bool:
    """True for an enabled label or button with words, of which nothing is hidden."""
    if not isinstance(widget, (QAbstractButton, QLabel)) or not widget.isVisible():
        return False
    has_icon = isinstance(widget, QToolButton) and not widget.icon().isNull()
    if has_icon and widget.toolButtonStyle() == _ICONS:
        return False
    has_letters = any(map(str.isalpha, widget.text()))
    is_whole = widget.visibleRegion().boundingRect() == widget.rect()
    return has_letters and is_whole and widget.isEnabled()


def best_contrast(widget: QWidget, pixels: np.ndarray) -> float | None:
    """The highest contrast of a pixel of a widget to its most frequent colour; None if hidden."""
    ground = ground_seen(widget, pixels)
    if ground is None:
        return None
    shown = widget.visibleRegion().boundingRect()
    corner = widget.mapTo(widget.window(), QPoint(0, 0))
    place = QRect(shown.topLeft() + corner, shown.size())
    seen = np.unique(pixels[place.top() : place.bottom(), place.left() : place.right()])
    return max(contrast(QColor(f"#{value:06x}"), ground) for value in seen)


def test_tool_buttons_of_a_pale_theme_get_a_readable_text_and_lose_it_again(request, use_theme):
    """Night Mapping draws #aaaaaa on #535353, a contrast of 3.3."""
    use_theme("Night Mapping")
    dock = request.getfixturevalue("dock")
    assert "QToolButton" in dock.widget().styleSheet()
    dock.resize(440, 1000)
    dock.show_page("review").body.show()
    button = dock.page.verdict_bar.buttons["accepted"]
    contrasts = []
    for is_enabled in (True, False):
        button.setEnabled(is_enabled)
        spin(20)
        contrasts.append(best_contrast(button, pixels_of(dock.grab().toImage())))
    assert contrasts[0] >= 4.5
    assert contrasts[1] < contrasts[0] / 1.5, "a disabled button looks enabled"
    use_theme("default")
    spin(20)
    assert dock.widget().styleSheet() == ""


def read_on_all(dock: QWidget) -> int:
    """How many words in colours all pages show, each of which can be read."""
    return sum(read_on(dock, dock.show_page(entry.key)) for entry in PAGES)


def read_on(dock: QWidget, page: QWidget) -> int:
    """How many words in colours a page shows, each of which can be read."""
    spin()
    pixels, found = pixels_of(dock.grab().toImage()), 0
    for label in page.findChildren(ThemedLabel):
        ground = ground_seen(label, pixels)
        for colour in written_in(label) if ground is not None else ():
            found += 1
            assert contrast(QColor(colour), ground) >= 4.5, (label.text(), colour, ground.name())
    for listed in page.findChildren(LayerChecklist):
        ground = ground_seen(listed.viewport(), pixels)
        for item in listed.layer_items() if ground is not None else ():
            found += 1
            colour = item.foreground(1).color()
            assert contrast(colour, ground) >= 4.5, (item.text(1), colour.name(), ground.name())
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_links_and_swatches_follow_a_theme_that_changes_and_changes_back(use_theme, theme):
    window = QWidget()
    headline, swatch = AnswerView(), ThemedLabel(coloured_sign("#000000"))
    column = QVBoxLayout(window)
    column.addWidget(headline)
    column.addWidget(swatch)
    headline.show_answer(
        "", [], [CrownCount("missed", 4, "missed", "Not found.")], "", ["plots: plot"]
    )
    window.show()
    spin()
    before = [
        label.text() + label.styleSheet()
        for label in (headline.counts, headline.settings_label, swatch)
    ]
    use_theme(theme)
    ground = colours.background_of(window)
    assert contrast(QColor(LINK_TONE.readable_on(ground)), ground) >= 4.5
    assert LINK_TONE.readable_on(ground) in headline.counts.text()
    assert SECONDARY_TONE.readable_on(ground) in headline.settings_label.styleSheet()
    readable = contrast(QColor("#000000"), ground) >= 4.5
    assert (
        "background-color:transparent" if readable else "background-color:#ffffff"
    ) in swatch.text()
    use_theme("default")
    assert [
        label.text() + label.styleSheet()
        for label in (headline.counts, headline.settings_label, swatch)
    ] == before
    window.close()


@pytest.mark.parametrize(
    "window", ["#efefef", "#ffffff", "#727272", "#535353", "#323232", "#000000", "#a0a0a0"]
)
def test_words_can_be_read_on_any_ground(qgis_app, window):
    for tone in (WARNING_TONE, SECONDARY_TONE, LINK_TONE):
        assert contrast(QColor(tone.readable_on(QColor(window))), QColor(window)) >= 4.5
    assert contrast(QColor(STALE_TEXT), QColor(STALE_BACKGROUND)) >= 4.5


def test_plots_stand_on_the_ground_of_the_window_and_are_saved_on_white(use_theme, tmp_path):
    plot = ScatterPlot()
    plot.resize(600, 400)
    plot.show()
    rows = pd.DataFrame(
        {"iou": [0.2, 0.8], "randcrowns": [0.4, 0.9], "series": ["ann, bob", "bob, ann"]}
    )
    plot.show_data(rows, "scores", 0)
    for theme in (*THEMES[1:], "default"):
        use_theme(theme)
        figure, ground = plot.axes.figure, colours.background_of(plot)
        paper = QColor.fromRgbF(*figure.get_facecolor())
        assert paper.name() == ("#ffffff" if theme == "default" else ground.name())
        assert plot.axes.get_facecolor() == figure.get_facecolor()
        texts = [text for text in figure.findobj(Text) if text.get_text()]
        assert {"scores", "IoU", "RandCrowns", "0.2", "ann, bob"} <= {
            text.get_text() for text in texts
        }
        inks = [text.get_color() for text in texts] + [plot.axes.lines[-1].get_color()]
        assert all(contrast(QColor(to_hex(ink)), paper) >= 4.5 for ink in inks)
        points = [to_hex(one.get_facecolor()[0]) for one in plot.axes.collections]
        assert len(points) == 2
        assert all(contrast(QColor(point), paper) >= 3 for point in points)
        plot.save(str(tmp_path / "plot.png"))
        saved = QImage(str(tmp_path / "plot.png"))
        assert (
            saved.pixelColor(1, 1).name()
            == saved.pixelColor(saved.width() // 2, 1).name()
            == "#ffffff"
        )
    plot.close()


def test_the_names_of_the_pages_are_there_at_the_same_width_in_every_theme(use_theme, dock):
    """To a few pixels, which the button of help takes more or less."""
    widths = []
    for theme in THEMES:
        use_theme(theme)
        for width in range(500, 296, -4):
            dock.resize(width, 700)
            spin()
            if dock.findChild(PageButtons).findChild(QToolButton).toolButtonStyle() == _ICONS:
                break
        widths.append(width)
    assert max(widths) < 500
    assert max(widths) - min(widths) <= 8, widths


def test_contrast_is_that_of_wcag():
    """Numbers of WCAG's own examples."""
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.005)
    assert contrast(QColor("#ff0000"), QColor("#ffffff")) == pytest.approx(4.0, abs=0.005)


def test_a_palette_alone_makes_a_window_dark_too(qgis_app):
    before = QPalette(QApplication.palette())
    label = ThemedLabel("warned", WARNING_TONE)
    label.show()
    spin()
    light = label.styleSheet()
    palette = QPalette(before)
    palette.setColor(QPalette.ColorRole.Window, QColor("#323232"))
    try:
        QApplication.setPalette(palette)
        spin()
        assert WARNING_TONE.readable_on(QColor("#323232")) in label.styleSheet() != light
    finally:
        QApplication.setPalette(before)
    spin()
    assert label.styleSheet() == light


@pytest.mark.parametrize("background", ["#efefef", "#ffffff", "#2b2b2b", "#444444", "#000000"])
@pytest.mark.parametrize("name", sorted(path.stem for path in _ICON_FOLDER.glob("*.svg")))
def test_each_icon_is_seen_on_light_and_dark_buttons(qgis_app, name, background):
    """Some of what is drawn has a contrast of 3 to 1, as graphics need (Web Content Accessibility
    Guidelines, 1.4.11); a line in a middle colour has a casing.
    """
    picture = QImage(96, 96, QImage.Format.Format_RGB32)
    picture.fill(QColor(background))
    painter = QPainter(picture)
    QSvgRenderer(str(_ICON_FOLDER / f"{name}.svg")).render(painter)
    painter.end()
    values, counts = np.unique(pixels_of(picture), return_counts=True)
    ratios = np.array([contrast(QColor(int(value)), QColor(background)) for value in values])
    drawn = counts[ratios > 1].sum()
    assert counts[ratios >= 3].sum() > 0.05 * drawn


def test_a_label_keeps_units_with_their_numbers_and_returns_its_text_as_it_was(qgis_app):
    text = "together 479.9 m², 80\u00a0% of annotator_1_of_the_northern_forest"
    label = ThemedLabel(text)
    assert "479.9\u00a0m²" in QLabel.text(label)
    assert label.text() == text
    label.setText("")
    assert label.text() == ""

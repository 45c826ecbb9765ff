"""The crown at hand as two to four annotators drew it, in small maps that move together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qgis.core import QgsGeometry, QgsMapLayer, QgsProject
from qgis.gui import QgsMapCanvas, QgsMapToolPan
from qgis.PyQt.QtCore import QSignalBlocker, Qt
from qgis.PyQt.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from randcrowns.layers.styles import TARGET
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import Words, coloured
from randcrowns.ui.widgets.map_highlight import VEIL_ALPHA, MapHighlight
from randcrowns.ui.widgets.parts import fill, wrapped


def draw_outlines(
    highlight: MapHighlight,
    outlines: Mapping[str, QgsGeometry],
    colours: Mapping[str, str],
    near: Mapping[str, QgsGeometry] | None = None,
) -> None:
    """Draw each annotator's outline in its colour, and above them the reference (the empty name) dotted.

    Args:
        near: the same of all outlines around, drawn thin; all else lies behind a veil that leaves the crown free.
    """
    lines = {"": TARGET, **colours}
    highlight.draw(*((shape, lines[name], 0, 1) for name, shape in (near or {}).items()), veil=0)
    drawn = [(shape, lines[name], 0, 2) for name, shape in outlines.items() if name]
    drawn += [(shape, TARGET, 0, 3) for name, shape in outlines.items() if not name]
    highlight.draw(*drawn, veil=0 if near is None else VEIL_ALPHA, free=True)
    if highlight.bands and "" in outlines:
        highlight.bands[-1].setLineStyle(Qt.PenStyle.DotLine)


def legend_entries(
    outlines: Mapping[str, QgsGeometry], colours: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Colour, sign and words of each of the outlines that are drawn; who has none is named."""
    entries = []
    for name, shape in outlines.items():
        words = tr("{name} (no match)", name=name) if shape.isEmpty() else name
        entries.append((colours[name], "■", words) if name else (TARGET, "┅", tr("target")))
    return entries


#: No more maps than one can compare.
MOST_MAPS = 4
_COLUMNS = 2


class SideBySide(QWidget):
    """A window with a map for each annotator: the reference dotted, the annotator's outline, the image below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(tr("RandCrowns: side by side"))
        self.canvases: list[QgsMapCanvas] = []
        self._titles: list[Words] = []
        self.highlights: list[MapHighlight] = []
        self._tools: list[QgsMapToolPan] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 4, 4, 4)
        self.told = wrapped()
        self._grid.addWidget(self.told, _COLUMNS, 0, 1, _COLUMNS)
        self.resize(640, 560)

    def show_crown(
        self,
        outlines: Mapping[str, QgsGeometry],
        colours: Mapping[str, str],
        like: QgsMapCanvas,
        images: Iterable[QgsMapLayer],
    ) -> None:
        """Show a crown.

        Args:
            outlines: annotator -> outline, empty without a match; the reference under the empty name; in the
                coordinates of ``like``.
            colours: of the annotators.
            like: the map whose place and coordinate system are taken.
            images: what lies below the outlines.
        """
        names = [name for name in outlines if name]
        shown, images = names[:MOST_MAPS], list(images)
        self._make(max(1, len(shown)))
        for number, canvas in enumerate(self.canvases):
            name = shown[number] if number < len(shown) else ""
            match = name and (
                name if not outlines[name].isEmpty() else tr("{name} (no match)", name=name)
            )
            self._titles[number].setText(
                coloured(match, colours[name]) if name else tr("no delineation")
            )
            canvas.setDestinationCrs(like.mapSettings().destinationCrs())
            canvas.setLayers(images)
            with QSignalBlocker(canvas):
                canvas.setExtent(like.extent())
            own = {one: shape for one, shape in outlines.items() if one in ("", name)}
            self.highlights[number].clear()
            draw_outlines(self.highlights[number], own, colours)
            canvas.refresh()
        left = len(names) - len(shown)
        self.told.setText(
            tr("{left} more delineations are not shown.", left=left) if left > 0 else ""
        )
        self.told.setVisible(left > 0)

    def close_down(self) -> None:
        """Close the window for good."""
        for canvas, highlight in zip(self.canvases, self.highlights):
            highlight.clear()
            canvas.setLayers([])
            canvas.stopRendering()
        self.close()
        self.deleteLater()

    def _make(self, number: int) -> None:
        """As many maps as needed; those left over are hidden."""
        while len(self.canvases) < number:
            canvas, title = QgsMapCanvas(), Words()
            canvas.setProject(QgsProject.instance())
            canvas.setMinimumSize(140, 140)
            tool = QgsMapToolPan(canvas)
            canvas.setMapTool(tool)
            canvas.extentsChanged.connect(lambda moved=canvas: self._follow(moved))
            place = QWidget()
            fill(QVBoxLayout(place), title, canvas, spacing=1, wide=canvas)
            self._grid.addWidget(
                place, len(self.canvases) // _COLUMNS, len(self.canvases) % _COLUMNS
            )
            self.canvases.append(canvas)
            self._titles.append(title)
            self._tools.append(tool)
            self.highlights.append(MapHighlight(canvas))
        for place, canvas in enumerate(self.canvases):
            canvas.parentWidget().setVisible(place < number)

    def _follow(self, moved: QgsMapCanvas) -> None:
        for canvas in self.canvases:
            if canvas is not moved and canvas.extent() != moved.extent():
                with QSignalBlocker(canvas):
                    canvas.setExtent(moved.extent())
                canvas.refresh()

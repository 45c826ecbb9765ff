"""Window with the current crown in up to four small maps, one per delineation layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from qgis.core import QgsGeometry, QgsMapLayer, QgsProject
from qgis.gui import QgsMapCanvas, QgsMapToolPan
from qgis.PyQt.QtCore import QSignalBlocker, Qt
from qgis.PyQt.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from randcrowns.layers.localization import tr
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.ui.widgets.colours import ThemedLabel, coloured_name
from randcrowns.ui.widgets.map_highlight import VEIL_ALPHA, DrawnShape, MapHighlight
from randcrowns.ui.widgets.parts import fill_layout, make_wrapped_label, set_text_or_hide


def draw_outlines(
    highlight: MapHighlight,
    outlines: Mapping[str, QgsGeometry],
    colours: Mapping[str, str],
    near: Mapping[str, QgsGeometry] | None = None,
) -> None:
    """Draw the outlines of a crown on a map: the target dotted, above the delineations.

    Args:
        highlight: Drawings of the map.
        outlines: Name of the delineation layer -> its outline; the target under the key "".
        colours: Name of the delineation layer -> colour.
        near: Outlines in the surroundings by the same names, which are drawn thin. The rest of
            the map is covered by a veil with a hole for the crown. None for no surroundings and
            no veil.
    """
    line_colours = {"": TARGET_COLOUR, **colours}
    surroundings = near or {}
    thin_shapes = [
        DrawnShape(outline, line_colours[name], width=1) for name, outline in surroundings.items()
    ]
    highlight.draw(*thin_shapes, veil=0)

    has_target = "" in outlines
    shapes = [DrawnShape(outline, line_colours[name]) for name, outline in outlines.items() if name]
    if has_target:
        shapes.append(DrawnShape(outlines[""], TARGET_COLOUR, width=3))
    highlight.draw(*shapes, veil=0 if near is None else VEIL_ALPHA, with_hole=True)
    if has_target and highlight.bands:
        target_band = highlight.bands[-1]
        target_band.setLineStyle(Qt.PenStyle.DotLine)


def legend_entries(
    outlines: Mapping[str, QgsGeometry], colours: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Return the entries of the legend, as ``Legend.show_entries`` takes them.

    Args:
        outlines: Name of the delineation layer -> its outline; the target under the key "".
        colours: Name of the delineation layer -> colour.

    Returns:
        Colour, sign and label of each outline. Layers without a match are labelled so.
    """
    entries = []
    for name, shape in outlines.items():
        if name:
            label = tr("{name} (no match)", name=name) if shape.isEmpty() else name
            entries.append((colours[name], "■", label))
        else:
            entries.append((TARGET_COLOUR, "┅", tr("target")))
    return entries


#: Maximum number of maps; more are difficult to compare.
MAX_MAPS = 4
#: Number of columns of maps.
_COLUMNS = 2


class _SmallMap(NamedTuple):
    """One of the maps of the window."""

    canvas: QgsMapCanvas
    #: Name of the delineation layer, above the map.
    title: ThemedLabel
    #: Drawings of the map.
    highlight: MapHighlight
    #: Map tool that moves the map, which the map does not own.
    tool: QgsMapToolPan


class SideBySideWindow(QWidget):
    """Window with a map per delineation layer, which are moved together.

    Each map shows the images, the target dotted and the outline by one delineation layer.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(tr("RandCrowns: side by side"))
        #: The maps that were created so far; the last ones may be hidden.
        self.maps: list[_SmallMap] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 4, 4, 4)
        #: Message about delineations that are not shown.
        self.hidden_label = make_wrapped_label()
        self._grid.addWidget(self.hidden_label, _COLUMNS, 0, 1, _COLUMNS)
        self.resize(640, 560)

    def show_crown(
        self,
        outlines: Mapping[str, QgsGeometry],
        colours: Mapping[str, str],
        reference_canvas: QgsMapCanvas,
        images: Iterable[QgsMapLayer],
    ) -> None:
        """Show a crown, and a message if there are more delineation layers than maps.

        Args:
            outlines: Name of the delineation layer -> its outline, empty without a match; the
                target under the key "". In the coordinates of ``reference_canvas``.
            colours: Name of the delineation layer -> colour.
            reference_canvas: Map whose extent and CRS are used.
            images: Layers below the outlines.
        """
        layer_names = [name for name in outlines if name]
        # The target alone, without any delineation, is shown in one map.
        map_names = layer_names[:MAX_MAPS] or [""]
        image_layers = list(images)
        self._set_map_count(len(map_names))
        for name, small_map in zip(map_names, self.maps):
            canvas = small_map.canvas
            canvas.setDestinationCrs(reference_canvas.mapSettings().destinationCrs())
            canvas.setLayers(image_layers)
            with QSignalBlocker(canvas):
                canvas.setExtent(reference_canvas.extent())
            small_map.title.setText(_map_title(name, outlines, colours))
            map_outlines = {key: outline for key, outline in outlines.items() if key in ("", name)}
            small_map.highlight.clear()
            draw_outlines(small_map.highlight, map_outlines, colours)
            canvas.refresh()

        hidden_count = len(layer_names) - MAX_MAPS
        hidden_text = ""
        if hidden_count > 0:
            hidden_text = tr("{left} more delineations are not shown.", left=hidden_count)
        set_text_or_hide(self.hidden_label, hidden_text)

    def close_down(self) -> None:
        """Remove the drawings, close the window and delete it."""
        for small_map in self.maps:
            small_map.highlight.clear()
            small_map.canvas.setLayers([])
            small_map.canvas.stopRendering()
        self.close()
        self.deleteLater()

    def _set_map_count(self, count: int) -> None:
        """Create maps until there are enough; hide those that are not needed."""
        while len(self.maps) < count:
            self._add_map()
        for number, small_map in enumerate(self.maps):
            small_map.canvas.parentWidget().setVisible(number < count)

    def _add_map(self) -> None:
        """Add a map with its title to the next cell of the grid."""
        canvas = QgsMapCanvas()
        canvas.setProject(QgsProject.instance())
        canvas.setMinimumSize(140, 140)
        tool = QgsMapToolPan(canvas)
        canvas.setMapTool(tool)
        canvas.extentsChanged.connect(partial(self._move_others, canvas))
        title = ThemedLabel()
        cell = QWidget()
        fill_layout(QVBoxLayout(cell), title, canvas, spacing=1, stretched=canvas)
        row, column = divmod(len(self.maps), _COLUMNS)
        self._grid.addWidget(cell, row, column)
        self.maps.append(_SmallMap(canvas, title, MapHighlight(canvas), tool))

    def _move_others(self, moved: QgsMapCanvas) -> None:
        """Show the extent of a map in all others."""
        for canvas in (small_map.canvas for small_map in self.maps):
            if canvas is not moved and canvas.extent() != moved.extent():
                with QSignalBlocker(canvas):
                    canvas.setExtent(moved.extent())
                canvas.refresh()


def _map_title(name: str, outlines: Mapping[str, QgsGeometry], colours: Mapping[str, str]) -> str:
    """Return the title of a map as rich text: the coloured name of the delineation layer.

    Args:
        name: Name of the delineation layer; "" for a map without one.
        outlines: Name of the delineation layer -> its outline.
        colours: Name of the delineation layer -> colour.
    """
    if not name:
        return tr("no delineation")
    title = tr("{name} (no match)", name=name) if outlines[name].isEmpty() else name
    return coloured_name(title, colours[name])

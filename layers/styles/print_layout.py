"""Print layouts of a run's crowns, from ``resources/crowns.qpt``: an atlas with a page per crown or per plot."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qgis.core import (
    QgsExpression,
    QgsExpressionContextUtils,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutTableColumn,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtXml import QDomDocument

from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError
from randcrowns.layers.compat import is_null

TEMPLATE = Path(__file__).parents[2] / "resources" / "crowns.qpt"
#: Pages of an atlas over the worst crowns.
WORST = 10
#: Columns of a table that fit beside the map.
_MOST_COLUMNS = 6
#: Rectangle, crowns and mean score of each plot; the names of the two columns are quoted.
_PLOTS = (
    "SELECT {plot} AS plot, count(*) AS crowns, avg({score}) AS mean, st_envelope(st_collect(geometry)) AS geometry "
    "FROM crowns WHERE {plot} IS NOT NULL GROUP BY {plot}"
)


@dataclass(frozen=True)
class LaidOut:
    """What a layout shows.

    Attributes:
        crowns: the layer of scored or matched targets, in the project.
        name: its field with the id of each crown; empty where only QGIS numbers them.
        score: its field with the score by which crowns are good or bad; higher is better.
        fields: of the crowns to show in the table, by what they are called there.
        plot: field with the plot of each crown; empty for none.
        summary: table with the summary of the run, in the project, or None; its rows and these columns of it.
        words: text by the name of a variable of the layout: ``run``, ``answer``, ``made``.
        picture: a plot as PNG, or nothing.
    """

    crowns: QgsVectorLayer
    name: str
    score: str
    fields: Mapping[str, str]
    plot: str = ""
    summary: QgsVectorLayer | None = None
    columns: Sequence[str] = ()
    words: Mapping[str, str] | None = None
    picture: bytes = b""


def worst_crowns(layer: QgsVectorLayer, score: str, number: int = WORST) -> list[int]:
    """Ids of the crowns with the lowest scores, the worst first; those without a score are not among them."""
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    request.setSubsetOfAttributes([layer.fields().lookupField(score)])
    found = ((feature[score], feature.id()) for feature in layer.getFeatures(request))
    return [number for _, number in sorted(one for one in found if not is_null(one[0]))[:number]]


def layout_of_worst(project: QgsProject, shown: LaidOut, number: int = WORST) -> QgsPrintLayout:
    """A new layout of the project with a page for each of the crowns with the lowest scores, the worst first.

    Raises:
        InputError: when no crown has a score.
    """
    worst = worst_crowns(shown.crowns, shown.score, number)
    if not worst:
        raise InputError("No crown has a score, so there is none to show.")
    among = f"$id IN ({', '.join(map(str, worst))})"
    layout = _loaded(project, shown, "worst crowns", [])
    atlas = layout.atlas()
    atlas.setCoverageLayer(shown.crowns)
    atlas.setFilterFeatures(True)
    atlas.setFilterExpression(among)
    atlas.setPageNameExpression(f"'Target ' || {QgsExpression.quotedColumnRef(shown.name) if shown.name else '$id'}")
    _sort(layout, QgsExpression.quotedColumnRef(shown.score))
    _fill(layout, "crowns", shown.crowns, shown.fields, among, shown.score)
    return _added(project, layout)


def layout_of_plots(project: QgsProject, shown: LaidOut) -> QgsPrintLayout:
    """A new layout of the project with a page for each plot, that with the lowest mean score first.

    A virtual layer with the rectangle, the number of crowns and the mean score of each plot is added to the project; it
    follows the crowns.

    Raises:
        InputError: when no crown has a plot.
    """
    plots = _plots(project, shown)
    layout = _loaded(project, shown, "plots", [plots])
    layout.atlas().setCoverageLayer(plots)
    layout.atlas().setPageNameExpression('"plot"')
    _sort(layout, '"mean"')
    own = f"to_string({QgsExpression.quotedColumnRef(shown.plot)}) = to_string(attribute(@atlas_feature, 'plot'))"
    _fill(layout, "crowns", shown.crowns, shown.fields, own, shown.score)
    return _added(project, layout)


def _plots(project: QgsProject, shown: LaidOut) -> QgsVectorLayer:
    plot, score = (QgsExpression.quotedColumnRef(name) for name in (shown.plot, shown.score))
    definition = QgsVirtualLayerDefinition()
    definition.addSource("crowns", shown.crowns.id())
    definition.setQuery(_PLOTS.format(plot=plot, score=score))
    definition.setGeometryField("geometry")
    definition.setGeometryWkbType(QgsWkbTypes.Type.Polygon)
    layer = QgsVectorLayer(definition.toString(), f"Plots of {shown.crowns.name()}", "virtual")
    if not shown.plot or not layer.isValid() or layer.featureCount() == 0:
        raise InputError("No crown has a plot; choose the field with the plots and run again.")
    layer.setCrs(shown.crowns.crs())
    outline = QgsFillSymbol.createSimple({"style": "no", "outline_color": "#555555", "outline_style": "dash"})
    layer.setRenderer(QgsSingleSymbolRenderer(outline))
    node = project.layerTreeRoot().findLayer(shown.crowns.id())
    project.addMapLayer(layer, node is None)
    if node is not None:
        node.parent().addLayer(layer)
    return layer


def _loaded(project: QgsProject, shown: LaidOut, what: str, over: Sequence[QgsVectorLayer]) -> QgsPrintLayout:
    document = QDomDocument()
    if not document.setContent(TEMPLATE.read_text(encoding="utf-8"))[0]:
        raise InputError("The layout {template} cannot be read; install the plugin again.", template=TEMPLATE)
    layout = QgsPrintLayout(project)
    layout.loadFromTemplate(document, QgsReadWriteContext())
    taken = {one.name() for one in project.layoutManager().layouts()}
    words = dict(shown.words or {})
    layout.setName(first_free(f"{words.get('run', shown.crowns.name())}: {what}", taken.__contains__))
    called = shown.crowns.attributeDisplayName
    words["titles"] = json.dumps({one.name(): called(at) for at, one in enumerate(shown.crowns.fields())})
    for name in ("run", "answer", "made", "titles"):
        QgsExpressionContextUtils.setLayoutVariable(layout, f"randcrowns_{name}", words.get(name, ""))
    layout.atlas().setEnabled(True)
    _keep_layers(layout, project, [*over, shown.crowns])
    picture = layout.itemById("plot")
    if isinstance(picture, QgsLayoutItemPicture):
        if shown.picture:
            picture.setPicturePath("base64:" + base64.b64encode(shown.picture).decode())
        else:
            layout.removeLayoutItem(picture)
    if shown.summary is not None:
        there = [name for name in shown.columns if shown.summary.fields().lookupField(name) >= 0]
        titles = {shown.summary.attributeDisplayName(shown.summary.fields().lookupField(name)): name for name in there}
        _fill(layout, "summary", shown.summary, titles)
    return layout


def _keep_layers(layout: QgsPrintLayout, project: QgsProject, own: Sequence[QgsVectorLayer]) -> None:
    """Have the maps of a layout stay with the layers that are shown now, whatever is hidden later, and with its own."""
    root = project.layerTreeRoot()
    on = [layer for layer in root.layerOrder() if layer in own or layer in root.checkedLayers()]
    hidden = [layer for layer in own if layer not in on]
    for item in layout.items():
        if isinstance(item, QgsLayoutItemMap):
            item.setLayers([*hidden, *on])
            item.setKeepLayerSet(True)


def _fill(
    layout: QgsPrintLayout, item: str, layer: QgsVectorLayer, fields: Mapping[str, str], only: str = "", by: str = ""
) -> None:
    """Show fields of a layer in a table of the layout, numbers with three decimals, the lowest of ``by`` first."""
    frame = layout.itemById(item)
    table = frame.multiFrame() if isinstance(frame, QgsLayoutFrame) else None
    if not isinstance(table, QgsLayoutItemAttributeTable):
        return
    table.setVectorLayer(layer)
    columns = []
    for title, name in list(fields.items())[:_MOST_COLUMNS]:
        place = layer.fields().lookupField(name)
        column = QgsLayoutTableColumn(title)
        quoted = QgsExpression.quotedColumnRef(name)
        real = place >= 0 and layer.fields().at(place).isNumeric() and "nt" not in layer.fields().at(place).typeName()
        column.setAttribute(f"round({quoted}, 3)" if real else quoted)
        columns.append(column)
    table.setColumns(columns)
    if only:
        table.setFilterFeatures(True)
        table.setFeatureFilter(only)
    if by:
        sorting = QgsLayoutTableColumn(by)
        sorting.setAttribute(QgsExpression.quotedColumnRef(by))
        sorting.setSortOrder(Qt.SortOrder.AscendingOrder)
        table.setSortColumns([sorting])
    table.refresh()


def _sort(layout: QgsPrintLayout, expression: str) -> None:
    atlas = layout.atlas()
    atlas.setSortFeatures(True)
    atlas.setSortExpression(expression)
    atlas.setSortAscending(True)


def _added(project: QgsProject, layout: QgsPrintLayout) -> QgsPrintLayout:
    project.layoutManager().addLayout(layout)
    layout.atlas().updateFeatures()
    return layout


def fields_of(layer: QgsVectorLayer, names: Iterable[str]) -> dict[str, str]:
    """Those of the names that the layer has as fields, by their titles without the layer that stands before them."""
    places = {name: layer.fields().lookupField(name) for name in names}
    there = {name: layer.attributeDisplayName(place) for name, place in places.items() if place >= 0}
    return {title.rpartition(": ")[2]: name for name, title in there.items()}

"""Print layouts of a run, from ``resources/crowns.qpt``: an atlas with a page for some outlines each, or per plot."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qgis.core import (
    QgsExpression,
    QgsExpressionContextUtils,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsLayerTreeLayer,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutTableColumn,
    QgsMapLayerLegendUtils,
    QgsMapLayerStyle,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsRuleBasedRenderer,
    QgsSimpleLineSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsSymbolLegendNode,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError
from randcrowns.layers.compat import is_null
from randcrowns.layers.quoting import unevaluated
from randcrowns.layers.words import local, tr

TEMPLATE = Path(__file__).parents[2] / "resources" / "crowns.qpt"
#: Columns of a table that fit beside the map; millimetres of all of them, and of one of numbers.
_MOST_COLUMNS, _WIDE, _OF_NUMBERS = 6, 97.0, 14.0
#: A number with three decimals, a smaller one with three digits.
_ROUNDED = "replace(round({0}, if({0} = 0 OR abs({0}) >= 0.001, 3, 2 - floor(log10(abs({0}))))), '.', '{1}')"
#: Rectangle, crowns and mean number of each plot; the names of the two columns are quoted.
_PLOTS = (
    "SELECT {plot} AS plot, count(*) AS crowns, avg({number}) AS mean, st_envelope(st_collect(geometry)) AS geometry "
    "FROM crowns WHERE {plot} IS NOT NULL GROUP BY {plot}"
)
#: Custom properties of a layout: the run that it shows, its algorithm, and whether its pages are those of the plots.
_RUN, _ALGORITHM, _OF_PLOTS = "randcrowns/run", "randcrowns/algorithm", "randcrowns/plots"
#: Custom property of the layer of plots that a layout made.
_MADE = "randcrowns/layout"
#: Variables of a layout, and that with the titles of the fields that are shown in words.
_WORDS, _TITLES = ("run", "answer", "made"), "titles"
#: The outline that a page is about: its colours from below, and widths in millimetres.
_MARK = (("#ffffff", 1.6), ("#000000", 0.7))


@dataclass(frozen=True)
class Pages:
    """The pages of a layout, one for each of some outlines, or for each plot."""

    page: str  #: what a page is called, with ``{name}`` for the value of the field ``name``.
    name: str  #: field with the name of each outline; empty where only QGIS numbers them.
    by: str  #: field with the number by which they come.
    fields: Sequence[str]  #: of the outlines, shown in words and in the table.
    largest: bool = False  #: the largest number comes first, otherwise the lowest.
    most: int = 10  #: outlines that have a page.
    plot: str = ""  #: field with the plot of each outline; empty for none.
    columns: Sequence[str] = ()  #: of the table that sums up the run.


@dataclass(frozen=True)
class LaidOut:
    """What a layout shows of a run."""

    outlines: QgsVectorLayer  #: the layer that the pages are of, in the project.
    pages: Pages  #: which these are.
    title: str = ""  #: what the outlines of the pages are, for the name of the layout.
    #: run, algorithm: ids of the run and of its algorithm.
    run: str = ""
    algorithm: str = ""
    summary: QgsVectorLayer | None = (
        None  #: table with the summary of the run, in the project, or None.
    )
    #: Text by the name of a variable of the layout: ``run``, ``answer``, ``made``.
    words: Mapping[str, str] = field(default_factory=dict)
    picture: bytes = b""  #: a plot as PNG, or nothing.


def first_outlines(layer: QgsVectorLayer, pages: Pages) -> list[int]:
    """Ids of the outlines that have a page, in their order; those without a number are not among them."""
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    request.setSubsetOfAttributes([layer.fields().lookupField(pages.by)])
    found = [(feature[pages.by], feature.id()) for feature in layer.getFeatures(request)]
    known = [
        (-number if pages.largest else number, id_) for number, id_ in found if not is_null(number)
    ]
    return [id_ for _, id_ in sorted(known)[: pages.most]]


def new_layout(project: QgsProject, shown: LaidOut, plots: bool) -> QgsPrintLayout:
    """A new layout of the project with a page for each of the first outlines, or for each plot, the worst first.

    A virtual layer with the rectangle, the number of outlines and the mean of each plot is added to the project for
    pages of plots; it follows the outlines.

    Raises:
        InputError: when no outline has a number, or none has a plot.
    """
    document = QDomDocument()
    if not document.setContent(TEMPLATE.read_text(encoding="utf-8"))[0]:
        raise InputError(
            "The layout {template} cannot be read; install the plugin again.", template=TEMPLATE
        )
    layout = QgsPrintLayout(project)
    layout.loadFromTemplate(document, QgsReadWriteContext())
    layout.setName("")  # that of the template
    layout.setCustomProperty(_OF_PLOTS, plots)
    _show(layout, project, shown)
    project.layoutManager().addLayout(layout)
    layout.atlas().updateFeatures()
    return layout


def layouts_of(project: QgsProject) -> list[tuple[QgsPrintLayout, str, str]]:
    """The layouts of the project that show a run, each with the ids of that and of its algorithm."""
    layouts = project.layoutManager().layouts()
    told = [
        (one, str(one.customProperty(_RUN) or ""), str(one.customProperty(_ALGORITHM) or ""))
        for one in layouts
    ]
    return [(layout, run, algorithm) for layout, run, algorithm in told if run]


def show_run(project: QgsProject, layout: QgsPrintLayout, shown: LaidOut) -> None:
    """Have a layout show another run: its map, tables, words and plot; where they stand and how they look stays.

    Raises:
        InputError: when no outline has a number, or none has a plot; the layout is as it was then.
    """
    before = layout.atlas().coverageLayer()
    _show(layout, project, shown)
    if (
        before is not None
        and before.customProperty(_MADE)
        and before is not layout.atlas().coverageLayer()
    ):
        project.removeMapLayer(before)
    layout.atlas().updateFeatures()
    layout.refresh()


def _show(layout: QgsPrintLayout, project: QgsProject, shown: LaidOut) -> None:
    """Fill a layout with what is shown."""
    atlas, outlines, pages = layout.atlas(), shown.outlines, shown.pages
    if layout.customProperty(_OF_PLOTS):
        covered, among, sorted_by, called = _plots(project, shown), "", '"mean"', '"plot"'
        own = f"to_string({QgsExpression.quotedColumnRef(pages.plot)}) = to_string(attribute(@atlas_feature, 'plot'))"
        marked = "\"plot\" = attribute(@atlas_feature, 'plot')"
    else:
        first = first_outlines(outlines, pages)
        if not first:
            said = "Layer '{layer}' has no outline with a number in '{field}' to show."
            raise InputError(said, layer=outlines.name(), field=pages.by)
        covered, sorted_by, marked = (
            outlines,
            QgsExpression.quotedColumnRef(pages.by),
            "$id = @atlas_featureid",
        )
        own = among = f"$id IN ({', '.join(map(str, first))})"
        named = QgsExpression.quotedColumnRef(pages.name) if pages.name else "$id"
        start, _, end = pages.page.partition("{name}")
        called = (
            f"{QgsExpression.quotedString(start)} || {named} || {QgsExpression.quotedString(end)}"
        )
    atlas.setEnabled(True)
    atlas.setCoverageLayer(covered)
    atlas.setFilterFeatures(bool(among))
    atlas.setFilterExpression(among)
    atlas.setPageNameExpression(called)
    atlas.setSortFeatures(True)
    atlas.setSortExpression(sorted_by)
    atlas.setSortAscending(not pages.largest)
    _keep_layers(layout, project, list(dict.fromkeys([covered, outlines])))
    _mark(layout, covered, marked)
    _explain(layout)
    _say(layout, project, shown)
    picture = layout.itemById("plot")
    if isinstance(picture, QgsLayoutItemPicture):
        picture.setVisibility(bool(shown.picture))
        picture.setPicturePath(
            "base64:" + base64.b64encode(shown.picture).decode() if shown.picture else ""
        )
    _fill(layout, "crowns", outlines, pages.fields, own, pages)
    if shown.summary is not None:
        _fill(layout, "summary", shown.summary, pages.columns)
    summary = layout.itemById("summary")
    if summary is not None:
        summary.setVisibility(shown.summary is not None)


def _say(layout: QgsPrintLayout, project: QgsProject, shown: LaidOut) -> None:
    """Give a layout its words, and its name unless somebody gave it another."""
    before = str(QgsExpressionContextUtils.layoutScope(layout).variable("randcrowns_run") or "")
    words = {name: shown.words.get(name, "") for name in _WORDS}
    called, fields = shown.outlines.attributeDisplayName, shown.outlines.fields()
    titles = {
        fields.at(place).name(): called(place)
        for place in _places(shown.outlines, shown.pages.fields)
    }
    if layout.customProperty(_OF_PLOTS):
        titles = {
            "crowns": tr("Number"),
            "mean": tr("Mean {number}", number=called(fields.lookupField(shown.pages.by))),
        }
    words |= {_TITLES: json.dumps(titles), "decimal": local(".")}
    for name, text in words.items():
        QgsExpressionContextUtils.setLayoutVariable(layout, f"randcrowns_{name}", text)
    layout.setCustomProperty(_RUN, shown.run)
    layout.setCustomProperty(_ALGORITHM, shown.algorithm)
    if not layout.name() or (before and layout.name().startswith(f"{before}: ")):
        taken = {one.name() for one in project.layoutManager().layouts() if one is not layout}
        title = tr("plots") if layout.customProperty(_OF_PLOTS) else shown.title
        layout.setName(
            first_free(f"{words['run'] or shown.outlines.name()}: {title}", taken.__contains__)
        )


def _plots(project: QgsProject, shown: LaidOut) -> QgsVectorLayer:
    plot, number = (
        QgsExpression.quotedColumnRef(name) for name in (shown.pages.plot, shown.pages.by)
    )
    definition = QgsVirtualLayerDefinition()
    definition.addSource("crowns", shown.outlines.id())
    definition.setQuery(_PLOTS.format(plot=plot, number=number))
    definition.setGeometryField("geometry")
    definition.setGeometryWkbType(QgsWkbTypes.Type.Polygon)
    layer = QgsVectorLayer(
        definition.toString(), tr("Plots of {layer}", layer=shown.outlines.name()), "virtual"
    )
    if not shown.pages.plot or not layer.isValid() or layer.featureCount() == 0:
        said = "No outline of layer '{layer}' has a plot; choose its field and run again."
        raise InputError(said, layer=shown.outlines.name())
    layer.setCrs(shown.outlines.crs())
    layer.setCustomProperty(_MADE, True)
    outline = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": "#555555", "outline_style": "dash"}
    )
    layer.setRenderer(QgsSingleSymbolRenderer(outline))
    node = project.layerTreeRoot().findLayer(shown.outlines.id())
    project.addMapLayer(layer, node is None)
    if node is not None:
        node.parent().addLayer(layer)
    return layer


def _maps(layout: QgsPrintLayout) -> list[QgsLayoutItemMap]:
    return [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]


def _keep_layers(
    layout: QgsPrintLayout, project: QgsProject, own: Sequence[QgsVectorLayer]
) -> None:
    """Have the maps of a layout stay with the layers that are shown now, whatever is hidden later, and with its own."""
    root = project.layerTreeRoot()
    on = [layer for layer in root.layerOrder() if layer in own or layer in root.checkedLayers()]
    hidden = [layer for layer in own if layer not in on]
    for item in _maps(layout):
        item.setLayers([*hidden, *on])
        item.setKeepLayerSet(True)


def _mark(layout: QgsPrintLayout, layer: QgsVectorLayer, which: str) -> None:
    """Have the maps draw the outline of their page above the others, by a style of their own; the layer's stays."""
    styled = layer.clone()
    renderer = QgsRuleBasedRenderer.convertFromRenderer(styled.renderer())
    if renderer is None:
        return
    symbol = QgsFillSymbol()
    symbol.deleteSymbolLayer(0)
    for level, (colour, width) in enumerate(_MARK, 1):
        line = QgsSimpleLineSymbolLayer(QColor(colour), width)
        line.setRenderingPass(level)  # above all outlines, which have 0
        symbol.appendSymbolLayer(line)
    marked = QgsRuleBasedRenderer.Rule(symbol, filterExp=which, label=tr("subject of this page"))
    renderer.rootRule().appendChild(marked)
    renderer.setUsingSymbolLevels(True)
    styled.setRenderer(renderer)
    style = QgsMapLayerStyle()
    style.readFromLayer(styled)
    for item in _maps(layout):
        item.setLayerStyleOverrides({layer.id(): style.xmlData()})
        item.setKeepLayerStyles(True)


def _explain(layout: QgsPrintLayout) -> None:
    """Have the legend name what the map shows, but for images; names of layers and classes are no expressions."""
    legend, maps = layout.itemById("legend"), _maps(layout)
    if isinstance(legend, QgsLayoutItemLegend) and maps:
        legend.setAutoUpdateModel(False)
        tree = legend.model().rootGroup()
        tree.removeAllChildren()
        for layer in maps[0].layers():
            if isinstance(layer, QgsVectorLayer):
                node = QgsLayerTreeLayer(layer)
                if "[%" in layer.name():
                    node.setCustomProperty("legend/title-label", unevaluated(layer.name()))
                tree.addChildNode(node)
        legend.setLinkedMap(maps[0])
        for node in tree.findLayers():
            classes = enumerate(legend.model().layerOriginalLegendNodes(node))
            named = {
                place: one.symbolLabel()
                for place, one in classes
                if isinstance(one, QgsSymbolLegendNode)
            }
            evaluated = {place: name for place, name in named.items() if "[%" in name}
            for place, name in evaluated.items():
                QgsMapLayerLegendUtils.setLegendNodeUserLabel(node, place, unevaluated(name))
            if evaluated:
                legend.model().refreshLayerLegend(node)


def _places(layer: QgsVectorLayer, names: Iterable[str]) -> list[int]:
    """Places of those fields that the layer has."""
    return [place for place in map(layer.fields().lookupField, names) if place >= 0]


def _fill(
    layout: QgsPrintLayout,
    item: str,
    layer: QgsVectorLayer,
    names: Iterable[str],
    only: str = "",
    pages: Pages | None = None,
) -> None:
    """Show fields of a layer in a table of the layout, in the order of the pages.

    Columns that the table has stay, where the layer has their fields.
    """
    frame = layout.itemById(item)
    table = frame.multiFrame() if isinstance(frame, QgsLayoutFrame) else None
    if not isinstance(table, QgsLayoutItemAttributeTable):
        return
    columns, there = table.columns(), set(layer.fields().names())
    if not columns or not all(
        {*QgsExpression(one.attribute()).referencedColumns()} <= there for one in columns
    ):
        columns = _columns(layer, _places(layer, names)[:_MOST_COLUMNS])
    table.setVectorLayer(layer)
    table.setColumns(columns)
    table.setFilterFeatures(bool(only))
    table.setFeatureFilter(only)
    if pages is not None:
        sorting = QgsLayoutTableColumn(pages.by)
        sorting.setAttribute(QgsExpression.quotedColumnRef(pages.by))
        order = Qt.SortOrder.DescendingOrder if pages.largest else Qt.SortOrder.AscendingOrder
        sorting.setSortOrder(order)
        table.setSortColumns([sorting])
    table.refresh()


def _columns(layer: QgsVectorLayer, places: Sequence[int]) -> list[QgsLayoutTableColumn]:
    """Columns with fields of a layer, by their titles without the layer that stands before them."""
    fields = [layer.fields().at(place) for place in places]
    texts = sum(not one.isNumeric() for one in fields)
    wide = (_WIDE - _OF_NUMBERS * (len(fields) - texts)) / texts if texts else _WIDE / len(fields)
    columns = []
    for place, known in zip(places, fields):
        column = QgsLayoutTableColumn(layer.attributeDisplayName(place).rpartition(": ")[2])
        quoted = QgsExpression.quotedColumnRef(known.name())
        real = known.isNumeric() and "nt" not in known.typeName()
        shown = quoted if known.isNumeric() else f"represent_value({quoted})"
        column.setAttribute(_ROUNDED.format(quoted, local(".")) if real else shown)
        column.setWidth(
            min(wide, 2 * _OF_NUMBERS) if texts == 0 else _OF_NUMBERS if known.isNumeric() else wide
        )
        columns.append(column)
    return columns

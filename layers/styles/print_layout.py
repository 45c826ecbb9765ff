"""Print layouts of runs: an atlas with a page per outline or per plot, from ``crowns.qpt``."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import (
    QgsExpression,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsFeatureRequest,
    QgsField,
    QgsFillSymbol,
    QgsLayerTree,
    QgsLayerTreeLayer,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutTableColumn,
    QgsMapLayer,
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

from randcrowns.core.crowns import unique_name
from randcrowns.core.errors import InputError
from randcrowns.core.review.example_crowns import worst_crowns
from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import localize_number, tr
from randcrowns.layers.markup import escape_expressions
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.guesses import is_result_layer

#: Template of all layouts.
TEMPLATE = Path(__file__).parents[2] / "resources" / "crowns.qpt"
#: Maximum number of columns of a table, which is next to the map.
_MAX_COLUMNS = 6
#: Width of a table, millimetres.
_TABLE_WIDTH = 97.0
#: Width of a column of numbers, millimetres.
_NUMBER_WIDTH = 14.0
#: QGIS expression that rounds a number, ``{0}``, to three decimals, or to three significant digits
#: if it is below 0.001; ``{1}`` is the decimal separator.
_ROUNDED = (
    "replace(round({0}, if({0} = 0 OR abs({0}) >= 0.001, 3, 2 - floor(log10(abs({0}))))), "
    "'.', '{1}')"
)
#: Query of the bounding box, the number of outlines with a number and their mean number per plot;
#: the names of the two columns are quoted identifiers. Outlines outside an extent, for example,
#: have no number.
_PLOTS_QUERY = (
    "SELECT {plot} AS plot, count({number}) AS crowns, avg({number}) AS mean, "
    "st_envelope(st_collect(geometry)) AS geometry "
    "FROM crowns WHERE {plot} IS NOT NULL GROUP BY {plot}"
)
#: Custom properties of a layout: id of the run, id of its algorithm, and True for pages of plots.
_RUN_PROPERTY = "randcrowns/run"
_ALGORITHM_PROPERTY = "randcrowns/algorithm"
_PLOTS_PROPERTY = "randcrowns/plots"
#: Custom property of a layer of plots that was created for a layout.
_PLOT_LAYER_PROPERTY = "randcrowns/layout"
#: Variables of a layout with texts, without their prefix ``randcrowns_``.
_TEXT_VARIABLES = ("run", "answer", "made")
#: Variable of a layout with the titles of the listed fields by their names, as JSON.
_TITLES_VARIABLE = "titles"
#: Columns with the feature id, the number that sorts pages, and the number that breaks ties.
_ID_COLUMN = "id"
_NUMBER_COLUMN = "number"
_TIE_COLUMN = "tie"
#: Lines of the outline that is the subject of a page: colours and widths (millimetres), the lowest
#: line first.
_SUBJECT_LINES = (("#ffffff", 1.6), ("#000000", 0.7))


@dataclass(frozen=True)
class AtlasPages:
    """Description of the pages of a layout, one per outline or per plot."""

    #: Template of the page titles, with ``{name}`` for the value of the field ``name``.
    title_template: str
    #: Field with the names of the outlines; empty to use their feature ids.
    name_field: str
    #: Field with the numbers by which the pages are sorted.
    sort_field: str
    #: Fields of the outlines that are listed on the page and in the table.
    fields: Sequence[str]
    #: True to sort from the largest to the lowest number.
    is_descending: bool = False
    #: Maximum number of outlines that have a page.
    max_pages: int = 10
    #: Field with the plots of the outlines; empty for none.
    plot_field: str = ""
    #: Fields in the table with the summary of the run.
    summary_fields: Sequence[str] = ()
    #: Field with the number that breaks ties, the lowest first; empty for the feature id.
    tie_field: str = ""
    #: True if features without an outline have no page.
    requires_outline: bool = False
    #: Number of outlines without one; None if they have no page.
    missing_number: float | None = None


@dataclass(frozen=True)
class LayoutContent:
    """Content of a layout: the results of a run."""

    #: Layer of the project with the outlines of the pages.
    outlines: QgsVectorLayer
    #: Description of the pages.
    pages: AtlasPages
    #: What the outlines of the pages are, for the name of the layout.
    title: str = ""
    #: Id of the run.
    run_id: str = ""
    #: Id of the run's algorithm.
    algorithm_id: str = ""
    #: Table of the project with the summary of the run, or None.
    summary: QgsVectorLayer | None = None
    #: Texts by variable of the layout: ``run`` (its title), ``answer`` (its main result) and
    #: ``made`` (how it was made).
    texts: Mapping[str, str] = field(default_factory=dict)
    #: Plot as PNG; empty for none.
    plot_image: bytes = b""


class RunLayout(NamedTuple):
    """A layout that shows a run."""

    layout: QgsPrintLayout
    run_id: str
    #: Id of the run's algorithm.
    algorithm_id: str


class _Atlas(NamedTuple):
    """Layer and expressions of the atlas of a layout."""

    #: Layer with a feature per page.
    coverage_layer: QgsVectorLayer
    #: Expression of the features that have a page; empty for all.
    feature_filter: str
    #: Expression by which the pages are sorted.
    sort_expression: str
    #: Expression of the title of a page.
    page_name: str
    #: Expression of the outlines that the table of a page lists.
    table_filter: str
    #: Expression by which this table is sorted.
    table_order: str
    #: True to sort pages and table from the lowest to the highest value of their expressions.
    is_ascending: bool
    #: Expression of the feature of the coverage layer that is the subject of a page.
    subject_filter: str


def atlas_feature_ids(layer: QgsVectorLayer, pages: AtlasPages) -> list[int]:
    """Return the feature ids of the outlines that have a page, in the order of the pages.

    The same function selects the crowns of a report,
    :func:`randcrowns.core.review.example_crowns.worst_crowns`.

    Args:
        layer: layer with the field ``pages.sort_field``.
        pages: description of the pages.
    """
    fields = layer.fields()
    names = [pages.sort_field]
    if pages.tie_field and field_index(fields, pages.tie_field) >= 0:
        names.append(pages.tie_field)
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([field_index(fields, name) for name in names])
    if not pages.requires_outline:
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    rows = [
        _read_outline_row(feature, names, pages) for feature in iterate_features(layer, request)
    ]
    outlines = pd.DataFrame(rows, columns=[_ID_COLUMN, _NUMBER_COLUMN, _TIE_COLUMN])
    outlines = outlines.sort_values(_ID_COLUMN, ignore_index=True)
    outlines[_NUMBER_COLUMN] = outlines[_NUMBER_COLUMN].astype(float)
    if pages.is_descending:
        outlines[_NUMBER_COLUMN] *= -1
    page_rows = worst_crowns(outlines, _NUMBER_COLUMN, pages.max_pages, _TIE_COLUMN)
    page_ids = outlines[_ID_COLUMN].iloc[page_rows]
    return [int(feature_id) for feature_id in page_ids]


def _read_outline_row(feature: QgsFeature, names: Sequence[str], pages: AtlasPages) -> list[Any]:
    """Return the id of a feature, the number by which pages are sorted, and that of ties.

    A feature without a page has no number by which pages are sorted.

    Args:
        feature: feature of the layer.
        names: sort field, and the field that breaks ties if it exists.
        pages: description of the pages.
    """
    number = feature[names[0]]
    number = pages.missing_number if is_null(number) else float(number)
    if pages.requires_outline and feature.geometry().isEmpty():
        number = None
    tie = feature[names[-1]] if len(names) > 1 else feature.id()
    return [feature.id(), number, feature.id() if is_null(tie) else tie]


def create_layout(project: QgsProject, content: LayoutContent, is_by_plot: bool) -> QgsPrintLayout:
    """Add a layout with a page per outline or per plot to a project, the first pages first.

    For pages of plots, a virtual layer is added to the project with the bounding box, the number
    of outlines and their mean number per plot. It follows changes of the outlines.

    Args:
        project: project to change.
        content: results of a run.
        is_by_plot: True for a page per plot, otherwise a page for each of the first outlines.

    Returns:
        The new layout.

    Raises:
        InputError: if no outline has a number, or no outline has a plot.
    """
    document = QDomDocument()
    if not document.setContent(TEMPLATE.read_text(encoding="utf-8"))[0]:
        raise InputError(
            "print_layout.unreadable",
            "The layout {template} cannot be read; install the plugin again.",
            template=TEMPLATE,
        )
    layout = QgsPrintLayout(project)
    layout.loadFromTemplate(document, QgsReadWriteContext())
    layout.setName("")  # without the name of the template, the layout gets one of its own
    layout.setCustomProperty(_PLOTS_PROPERTY, is_by_plot)
    _fill_layout(layout, project, content)
    project.layoutManager().addLayout(layout)
    layout.atlas().updateFeatures()
    return layout


def run_layouts(project: QgsProject) -> list[RunLayout]:
    """Return the layouts of a project that show a run."""
    shown_runs = []
    for layout in project.layoutManager().layouts():
        run_id = str(layout.customProperty(_RUN_PROPERTY) or "")
        algorithm_id = str(layout.customProperty(_ALGORITHM_PROPERTY) or "")
        if run_id:
            shown_runs.append(RunLayout(layout, run_id, algorithm_id))
    return shown_runs


def update_layout(project: QgsProject, layout: QgsPrintLayout, content: LayoutContent) -> None:
    """Replace the map, tables, texts and plot of a layout by those of another run.

    Positions and styles of the items remain. The plot layer of the earlier run is removed from the
    project if the plugin created it.

    Args:
        project: project of the layout.
        layout: layout to change.
        content: results of the other run.

    Raises:
        InputError: if no outline has a number, or no outline has a plot; the layout is unchanged.
    """
    old_layer = layout.atlas().coverageLayer()
    _fill_layout(layout, project, content)
    is_own_layer = old_layer is not None and old_layer.customProperty(_PLOT_LAYER_PROPERTY)
    if is_own_layer and old_layer is not layout.atlas().coverageLayer():
        project.removeMapLayer(old_layer)
    layout.atlas().updateFeatures()
    layout.refresh()


def _fill_layout(layout: QgsPrintLayout, project: QgsProject, content: LayoutContent) -> None:
    """Set up the atlas, maps, legend, texts, plot and tables of a layout.

    Args:
        layout: layout to change.
        project: project of the layout.
        content: results of a run.

    Raises:
        InputError: if no outline has a number, or no outline has a plot; the layout is unchanged.
    """
    outlines = content.outlines
    pages = content.pages
    is_of_plots = bool(layout.customProperty(_PLOTS_PROPERTY))
    atlas = _plot_atlas(project, content) if is_of_plots else _outline_atlas(content)

    _set_atlas(layout, atlas)
    own_layers = list(dict.fromkeys([atlas.coverage_layer, outlines]))
    _fix_map_layers(layout, project, own_layers)
    _mark_subject(layout, atlas.coverage_layer, atlas.subject_filter)
    _fill_legend(layout)
    _set_texts(layout, project, content)
    _set_plot_image(layout, content.plot_image)

    _fill_table(layout, "crowns", outlines, pages.fields, atlas)
    if content.summary is not None:
        _fill_table(layout, "summary", content.summary, pages.summary_fields)
    summary_item = layout.itemById("summary")
    if summary_item is not None:
        summary_item.setVisibility(content.summary is not None)


def _outline_atlas(content: LayoutContent) -> _Atlas:
    """Return an atlas with a page for each of the first outlines.

    Raises:
        InputError: if no outline has a number.
    """
    pages = content.pages
    feature_ids = atlas_feature_ids(content.outlines, pages)
    if not feature_ids:
        raise InputError(
            "print_layout.no_numbers",
            "Layer '{layer}' has no outline with a number in '{field}' to show.",
            layer=content.outlines.name(),
            field=pages.sort_field,
        )
    id_list = ", ".join(map(str, feature_ids))
    feature_filter = f"$id IN ({id_list})"
    order = f"array_find(array({id_list}), $id)"
    name = QgsExpression.quotedColumnRef(pages.name_field) if pages.name_field else "$id"
    start, _, end = pages.title_template.partition("{name}")
    page_name = (
        f"{QgsExpression.quotedString(start)} || {name} || {QgsExpression.quotedString(end)}"
    )
    return _Atlas(
        coverage_layer=content.outlines,
        feature_filter=feature_filter,
        sort_expression=order,
        page_name=page_name,
        table_filter=feature_filter,
        table_order=order,
        is_ascending=True,
        subject_filter="$id = @atlas_featureid",
    )


def _plot_atlas(project: QgsProject, content: LayoutContent) -> _Atlas:
    """Return an atlas with a page per plot; add the layer of plots to the project.

    Raises:
        InputError: if no outline has a plot.
    """
    plot_layer = _add_plot_layer(project, content)
    plot_column = QgsExpression.quotedColumnRef(content.pages.plot_field)
    page_plot = "attribute(@atlas_feature, 'plot')"
    return _Atlas(
        coverage_layer=plot_layer,
        feature_filter="",
        sort_expression='"mean"',
        page_name='"plot"',
        table_filter=f"to_string({plot_column}) = to_string({page_plot})",
        table_order=QgsExpression.quotedColumnRef(content.pages.sort_field),
        is_ascending=not content.pages.is_descending,
        subject_filter=f'"plot" = {page_plot}',
    )


def _add_plot_layer(project: QgsProject, content: LayoutContent) -> QgsVectorLayer:
    """Add a virtual layer with the bounding boxes of the plots to a project.

    It has the fields ``plot``, ``crowns`` (number of outlines) and ``mean`` (of the field
    ``pages.by``), and is next to the outlines in the layer tree.

    Raises:
        InputError: if no outline has a plot.
    """
    outlines = content.outlines
    layer = _create_plot_layer(content)
    if not content.pages.plot_field or not layer.isValid() or layer.featureCount() == 0:
        raise InputError(
            "print_layout.no_plots",
            "No outline of layer '{layer}' has a plot; choose its field and run again.",
            layer=outlines.name(),
        )
    layer.setCrs(outlines.crs())
    layer.setCustomProperty(_PLOT_LAYER_PROPERTY, True)
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": "#555555", "outline_style": "dash"}
    )
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    outlines_node = project.layerTreeRoot().findLayer(outlines.id())
    if outlines_node is None:
        project.addMapLayer(layer, addToLegend=True)
    else:
        project.addMapLayer(layer, addToLegend=False)
        outlines_node.parent().addLayer(layer)
    return layer


def _create_plot_layer(content: LayoutContent) -> QgsVectorLayer:
    """Return a virtual layer with the bounding boxes of the plots; invalid without a plot field."""
    outlines = content.outlines
    query = _PLOTS_QUERY.format(
        plot=QgsExpression.quotedColumnRef(content.pages.plot_field),
        number=QgsExpression.quotedColumnRef(content.pages.sort_field),
    )
    definition = QgsVirtualLayerDefinition()
    definition.addSource("crowns", outlines.id())
    definition.setQuery(query)
    definition.setGeometryField("geometry")
    definition.setGeometryWkbType(QgsWkbTypes.Type.Polygon)
    name = tr("Plots of {layer}", layer=outlines.name())
    return QgsVectorLayer(definition.toString(), name, "virtual")


def _set_atlas(layout: QgsPrintLayout, settings: _Atlas) -> None:
    """Apply the settings of the atlas to a layout."""
    atlas = layout.atlas()
    atlas.setEnabled(True)
    atlas.setCoverageLayer(settings.coverage_layer)
    atlas.setFilterFeatures(bool(settings.feature_filter))
    atlas.setFilterExpression(settings.feature_filter)
    atlas.setPageNameExpression(settings.page_name)
    atlas.setSortFeatures(True)
    atlas.setSortExpression(settings.sort_expression)
    atlas.setSortAscending(settings.is_ascending)


def _set_texts(layout: QgsPrintLayout, project: QgsProject, content: LayoutContent) -> None:
    """Set the variables and custom properties of a layout, and its name.

    A name that the user gave remains; a name from an earlier run is replaced.

    Args:
        layout: layout to change.
        project: project, in which the name of the layout is unique.
        content: results of a run.
    """
    is_of_plots = bool(layout.customProperty(_PLOTS_PROPERTY))
    scope = QgsExpressionContextUtils.layoutScope(layout)
    old_run_title = str(scope.variable("randcrowns_run") or "")

    variables = {name: content.texts.get(name, "") for name in _TEXT_VARIABLES}
    variables[_TITLES_VARIABLE] = json.dumps(_read_field_titles(content, is_of_plots))
    variables["decimal"] = localize_number(".")
    for name, text in variables.items():
        QgsExpressionContextUtils.setLayoutVariable(layout, f"randcrowns_{name}", text)
    layout.setCustomProperty(_RUN_PROPERTY, content.run_id)
    layout.setCustomProperty(_ALGORITHM_PROPERTY, content.algorithm_id)

    has_old_name = bool(old_run_title) and layout.name().startswith(f"{old_run_title}: ")
    has_users_name = layout.name() and not has_old_name
    if has_users_name:
        return
    layouts = project.layoutManager().layouts()
    other_names = {other.name() for other in layouts if other is not layout}
    run_title = variables["run"] or content.outlines.name()
    subject = tr("plots") if is_of_plots else content.title
    layout.setName(unique_name(f"{run_title}: {subject}", other_names.__contains__))


def _read_field_titles(content: LayoutContent, is_of_plots: bool) -> dict[str, str]:
    """Return the titles of the fields that a page lists, by the names of the fields."""
    outlines = content.outlines
    fields = outlines.fields()
    if is_of_plots:
        number_title = outlines.attributeDisplayName(field_index(fields, content.pages.sort_field))
        return {"crowns": tr("Number"), "mean": tr("Mean {number}", number=number_title)}
    return {
        fields.at(index).name(): outlines.attributeDisplayName(index)
        for index in _find_field_indices(outlines, content.pages.fields)
    }


def _set_plot_image(layout: QgsPrintLayout, png: bytes) -> None:
    """Show a PNG image in the item ``plot`` of a layout; hide the item if the image is empty."""
    item = layout.itemById("plot")
    if isinstance(item, QgsLayoutItemPicture):
        item.setVisibility(bool(png))
        item.setPicturePath("base64:" + base64.b64encode(png).decode() if png else "")


def _list_maps(layout: QgsPrintLayout) -> list[QgsLayoutItemMap]:
    return [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]


def _fix_map_layers(
    layout: QgsPrintLayout, project: QgsProject, own_layers: Sequence[QgsVectorLayer]
) -> None:
    """Fix the layers of the maps to those that are visible now and to the layout's own layers.

    Later changes of the visibility in the project then do not change the layout. Results of other
    runs are excluded, also if they are visible.

    Args:
        layout: layout to change.
        project: project with the visible layers.
        own_layers: layers of the layout, drawn above the others.
    """
    root = project.layerTreeRoot()
    visible_layers = root.checkedLayers()

    def is_shown(layer: QgsMapLayer) -> bool:
        """Return True for a layer of the layout, and for a visible layer of no other run."""
        if layer in own_layers:
            return True
        is_of_other_run = is_result_layer(layer) and not _are_in_one_group(root, layer, own_layers)
        return layer in visible_layers and not is_of_other_run

    layers_in_order = [layer for layer in root.layerOrder() if is_shown(layer)]
    layers_outside_tree = [layer for layer in own_layers if layer not in layers_in_order]
    for item in _list_maps(layout):
        item.setLayers([*layers_outside_tree, *layers_in_order])
        item.setKeepLayerSet(True)


def _are_in_one_group(
    root: QgsLayerTree, layer: QgsMapLayer, own_layers: Sequence[QgsVectorLayer]
) -> bool:
    """Return True if a layer is in the same group of the layer tree as one of the own layers."""
    nodes = [root.findLayer(own_layer.id()) for own_layer in own_layers]
    parents = [node.parent() for node in nodes if node is not None]
    return root.findLayer(layer.id()).parent() in parents


def _mark_subject(layout: QgsPrintLayout, layer: QgsVectorLayer, subject_filter: str) -> None:
    """Highlight the subject of each page on the maps above all other outlines.

    The maps get a style of their own; the style of the layer does not change.

    Args:
        layout: layout to change.
        layer: coverage layer of the atlas. Styles that cannot be converted to rules are left as
            they are, without a highlight.
        subject_filter: expression of the feature that is the subject of a page.
    """
    styled_layer = layer.clone()
    renderer = QgsRuleBasedRenderer.convertFromRenderer(styled_layer.renderer())
    if renderer is None:
        return
    symbol = QgsFillSymbol()
    symbol.deleteSymbolLayer(0)
    for level, (colour, width) in enumerate(_SUBJECT_LINES, 1):
        line = QgsSimpleLineSymbolLayer(QColor(colour), width)
        line.setRenderingPass(level)  # above all outlines, which have level 0
        symbol.appendSymbolLayer(line)
    rule = QgsRuleBasedRenderer.Rule(
        symbol, filterExp=subject_filter, label=tr("subject of this page")
    )
    renderer.rootRule().appendChild(rule)
    renderer.setUsingSymbolLevels(True)
    styled_layer.setRenderer(renderer)
    style = QgsMapLayerStyle()
    style.readFromLayer(styled_layer)
    for item in _list_maps(layout):
        item.setLayerStyleOverrides({layer.id(): style.xmlData()})
        item.setKeepLayerStyles(True)


def _fill_legend(layout: QgsPrintLayout) -> None:
    """Fill the legend of a layout with the vector layers of its first map.

    QGIS evaluates expressions in legends, so names that contain ``[%`` are replaced.
    """
    legend = layout.itemById("legend")
    maps = _list_maps(layout)
    if not isinstance(legend, QgsLayoutItemLegend) or not maps:
        return
    legend.setAutoUpdateModel(False)
    model = legend.model()
    tree = model.rootGroup()
    tree.removeAllChildren()
    for layer in maps[0].layers():
        if isinstance(layer, QgsVectorLayer):
            node = QgsLayerTreeLayer(layer)
            if "[%" in layer.name():
                node.setCustomProperty("legend/title-label", escape_expressions(layer.name()))
            tree.addChildNode(node)
    legend.setLinkedMap(maps[0])

    for node in tree.findLayers():
        has_changed = False
        for index, legend_node in enumerate(model.layerOriginalLegendNodes(node)):
            if not isinstance(legend_node, QgsSymbolLegendNode):
                continue
            label = legend_node.symbolLabel()
            if "[%" in label:  # QGIS would evaluate what follows as an expression
                escaped_label = escape_expressions(label)
                QgsMapLayerLegendUtils.setLegendNodeUserLabel(node, index, escaped_label)
                has_changed = True
        if has_changed:
            model.refreshLayerLegend(node)


def _find_field_indices(layer: QgsVectorLayer, names: Iterable[str]) -> list[int]:
    """Return the indices of those fields that a layer has."""
    indices = [field_index(layer.fields(), name) for name in names]
    return [index for index in indices if index >= 0]


def _fill_table(
    layout: QgsPrintLayout,
    item_id: str,
    layer: QgsVectorLayer,
    names: Iterable[str],
    atlas: _Atlas | None = None,
) -> None:
    """Show fields of a layer in a table of a layout.

    The columns of the table remain if the layer has all of their fields, because the user may have
    changed them.

    Args:
        layout: layout to change.
        item_id: id of the table's item; a missing item is ignored.
        layer: layer of the table.
        names: names of the fields; those that the layer lacks are ignored.
        atlas: filter and order of the features in the table; None for all of them in any order.
    """
    frame = layout.itemById(item_id)
    table = frame.multiFrame() if isinstance(frame, QgsLayoutFrame) else None
    if not isinstance(table, QgsLayoutItemAttributeTable):
        return
    columns = table.columns()
    used_fields: set[str] = set()
    for column in columns:
        used_fields |= QgsExpression(column.attribute()).referencedColumns()
    if not columns or not used_fields <= set(layer.fields().names()):
        columns = _create_columns(layer, _find_field_indices(layer, names)[:_MAX_COLUMNS])
    table.setVectorLayer(layer)
    table.setColumns(columns)
    if atlas is None:
        table.setFilterFeatures(False)
        table.setFeatureFilter("")
    else:
        table.setFilterFeatures(True)
        table.setFeatureFilter(atlas.table_filter)
        table.setSortColumns([_create_sort_column(atlas)])
    table.refresh()


def _create_sort_column(atlas: _Atlas) -> QgsLayoutTableColumn:
    """Return the column by which a table is sorted as the pages of an atlas."""
    column = QgsLayoutTableColumn()
    column.setAttribute(atlas.table_order)
    if atlas.is_ascending:
        column.setSortOrder(Qt.SortOrder.AscendingOrder)
    else:
        column.setSortOrder(Qt.SortOrder.DescendingOrder)
    return column


def _create_columns(layer: QgsVectorLayer, indices: Sequence[int]) -> list[QgsLayoutTableColumn]:
    """Return table columns for fields of a layer.

    The heading is the title of the field without the name of the delineation layer before it.
    """
    fields = [layer.fields().at(index) for index in indices]
    if not fields:
        return []
    n_numbers = sum(layer_field.isNumeric() for layer_field in fields)
    n_texts = len(fields) - n_numbers
    if n_texts:
        # Texts share the width that numbers leave.
        number_width = _NUMBER_WIDTH
        text_width = (_TABLE_WIDTH - number_width * n_numbers) / n_texts
    else:
        number_width = min(_TABLE_WIDTH / n_numbers, 2 * _NUMBER_WIDTH)
        text_width = 0.0  # not used

    columns = []
    for index, layer_field in zip(indices, fields):
        _, _, heading = layer.attributeDisplayName(index).rpartition(": ")
        column = QgsLayoutTableColumn(heading)
        column.setAttribute(_compose_cell_expression(layer_field))
        column.setWidth(number_width if layer_field.isNumeric() else text_width)
        columns.append(column)
    return columns


def _compose_cell_expression(layer_field: QgsField) -> str:
    """Return the expression of a field in a table: rounded numbers, or texts as displayed."""
    column_ref = QgsExpression.quotedColumnRef(layer_field.name())
    if not layer_field.isNumeric():
        return f"represent_value({column_ref})"
    # The names of all integer types contain "nt": Integer, int4, bigint.
    if "nt" in layer_field.typeName():
        return str(column_ref)
    return _ROUNDED.format(column_ref, localize_number("."))

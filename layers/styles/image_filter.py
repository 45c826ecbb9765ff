"""Crowns of the visible images, which are drawn alone.

Images without a georeference lie on one another, and so do their crowns. Only the crowns of the
visible image are drawn then. The features of the layer do not change: a run reads all of them.

The names of the visible images are a variable of the project, which the style of a layer refers to.
A style that is saved contains no image, and without the variable it draws all crowns.
"""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import (
    QgsExpression,
    QgsExpressionContextUtils,
    QgsPalLayerSettings,
    QgsProject,
    QgsProperty,
    QgsRenderContext,
    QgsSymbolLayer,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)

#: Visibility of a symbol or label that has none of its own.
_ALWAYS = "TRUE"
#: Custom property of a layer with the condition by which its features are drawn.
_CONDITION_PROPERTY = "randcrowns/drawn_features"
#: Variable of the project with the names of the visible images, each between two separators.
_VARIABLE = "randcrowns_visible_images"
#: Separator of the names, which occurs in no path.
_SEPARATOR = "//"


def set_visible_images(project: QgsProject, names: Iterable[str] | None) -> bool:
    """Set the names of the images whose crowns are drawn.

    Args:
        project: project whose variable is changed.
        names: names of the visible images, as crowns store them; None if no image is visible, to
            draw the crowns of all images.

    Returns:
        True if the names have changed.
    """
    value = "" if names is None else _SEPARATOR.join(["", *sorted(names), ""])
    if value == str(project.customVariables().get(_VARIABLE) or ""):
        return False
    if value:
        QgsExpressionContextUtils.setProjectVariable(project, _VARIABLE, value)
    else:
        QgsExpressionContextUtils.removeProjectVariable(project, _VARIABLE)
    return True


def visible_images_condition(field: str) -> str:
    """Return the expression that selects the crowns on the visible images.

    Crowns without an image are always selected, such as those that the user has just drawn.

    Args:
        field: name of the field with the image of a crown.
    """
    column = QgsExpression.quotedColumnRef(field)
    name = f"'{_SEPARATOR}' || to_string({column}) || '{_SEPARATOR}'"
    return f"coalesce(strpos(@{_VARIABLE}, {name}) > 0, {_ALWAYS})"


def named_images_condition(field: str, names: Iterable[str]) -> str:
    """Return the expression that selects the crowns on some images, and those without an image.

    Args:
        field: name of the field with the image of a crown.
        names: names of the images.
    """
    column = QgsExpression.quotedColumnRef(field)
    texts = ", ".join(map(QgsExpression.quotedString, sorted(names)))
    return f"coalesce(to_string({column}) IN ({texts}), {_ALWAYS})"


def draw_only(layer: QgsVectorLayer, condition: str) -> bool:
    """Draw only the features that meet a condition, with their labels.

    The condition becomes part of the data-defined visibility of the layer's symbols and labels,
    whose own one is kept.

    Args:
        layer: layer, whose renderer and labels are replaced if they do not have the condition yet.
        condition: expression; "" draws all features again.

    Returns:
        True if the style of the layer has changed.
    """
    previous_condition = str(layer.customProperty(_CONDITION_PROPERTY, ""))
    is_changed = _filter_symbols(layer, previous_condition, condition)
    is_changed = _filter_labels(layer, previous_condition, condition) or is_changed
    if condition != previous_condition:
        layer.setCustomProperty(_CONDITION_PROPERTY, condition)
    if is_changed:
        layer.triggerRepaint()
    return is_changed


def is_filtered(layer: QgsVectorLayer) -> bool:
    """Return True if only some features of a layer are drawn, see :func:`draw_only`."""
    return bool(layer.customProperty(_CONDITION_PROPERTY, ""))


def _filter_symbols(layer: QgsVectorLayer, previous_condition: str, condition: str) -> bool:
    """Replace the condition of all symbols; return True if it changes one."""
    renderer = layer.renderer()
    if renderer is None:
        return False
    filtered_renderer = renderer.clone()
    key = QgsSymbolLayer.Property.PropertyLayerEnabled
    is_changed = False
    for symbol in filtered_renderer.symbols(QgsRenderContext()):
        for number in range(symbol.symbolLayerCount()):
            properties = symbol.symbolLayer(number).dataDefinedProperties()
            visibility = _replace_condition(properties.property(key), previous_condition, condition)
            if visibility is not None:
                symbol.symbolLayer(number).setDataDefinedProperty(key, visibility)
                is_changed = True
    if is_changed:
        layer.setRenderer(filtered_renderer)
    return is_changed


def _filter_labels(layer: QgsVectorLayer, previous_condition: str, condition: str) -> bool:
    """Replace the condition of the labels of a layer; return True if it changes."""
    labeling = layer.labeling()
    if not isinstance(labeling, QgsVectorLayerSimpleLabeling):
        return False
    settings = labeling.settings()
    properties = settings.dataDefinedProperties()
    key = QgsPalLayerSettings.Property.Show
    visibility = _replace_condition(properties.property(key), previous_condition, condition)
    if visibility is None:
        return False
    properties.setProperty(key, visibility)
    settings.setDataDefinedProperties(properties)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    return True


def _replace_condition(
    visibility: QgsProperty, previous_condition: str, condition: str
) -> QgsProperty | None:
    """Return a data-defined visibility with another condition; None if it has it already.

    Args:
        visibility: the present visibility, which may have the previous condition.
        previous_condition: the condition that was set before; "" for none.
        condition: the condition to set; "" for none.
    """
    expression = visibility.asExpression() if visibility.isActive() else ""
    own_expression = expression
    # A style that was saved without the properties of its layer has the condition already.
    for present_condition in filter(None, (previous_condition, condition)):
        begin, end = _surroundings(present_condition)
        if own_expression.startswith(begin) and own_expression.endswith(end):
            own_expression = own_expression[len(begin) : -len(end)]
    if own_expression == _ALWAYS:
        own_expression = ""
    new_expression = own_expression
    if condition:
        begin, end = _surroundings(condition)
        new_expression = f"{begin}{own_expression or _ALWAYS}{end}"
    if new_expression == expression:
        return None
    return QgsProperty.fromExpression(new_expression, bool(new_expression))


def _surroundings(condition: str) -> tuple[str, str]:
    """Return the parts of an expression before and after a symbol's own visibility."""
    return f"CASE WHEN {condition} THEN ", " ELSE FALSE END"

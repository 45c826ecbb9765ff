"""Fields that the styles of scored targets show.

The files in ``resources`` find the fields by a layer variable, so that they can be loaded by hand.
Such an expression reads all attributes of every crown, which takes three times as long as drawing
the crowns. Styles that the plugin loads therefore name the fields of one delineation layer.
"""

from __future__ import annotations

import re

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsExpression,
    QgsExpressionContextUtils,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)

from randcrowns.core.status import Status

#: Layer variable with the prefix of the fields that determine the colours of scored targets.
PREFIX_VARIABLE = "randcrowns_prefix"
#: Expression that selects the scored delineations without a target.
IS_WITHOUT_TARGET = f"\"status\" IN ('{Status.UNMATCHED.value}', '{Status.NOT_JUDGED.value}')"
#: Variable of a layer of scored delineations: the delineation layer to draw; unset for all.
_LAYER_VARIABLE = "randcrowns_layer"
#: QGIS expression of the field prefix of the first delineation layer.
FIRST_PREFIX = (
    "regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')"
)
#: QGIS expression of the field prefix of the selected delineation layer.
SELECTED_PREFIX = f"coalesce(@{PREFIX_VARIABLE}, {FIRST_PREFIX})"
#: End of the name of the field with the score.
_SCORE_ENDING = "_rc"
#: Beginning of an expression of a style that finds the prefix once, as variable p.
_PREFIX_AS_P = f"with_variable('p', {SELECTED_PREFIX}, "
#: Expression of a field whose prefix is the variable p, or the selected one.
_FIELD_OF_P = re.compile(r"attribute\(\$currentfeature, @p \|\| '(\w+)'\)")
_FIELD_OF_SELECTED = re.compile(rf"attribute\({re.escape(SELECTED_PREFIX)} \|\| '(\w+)'\)")


def first_prefix(layer: QgsVectorLayer) -> str:
    """Return the prefix of the first field with scores, or "" without such a field."""
    for name in layer.fields().names():
        if name.endswith(_SCORE_ENDING):
            return str(name.removesuffix(_SCORE_ENDING))
    return ""


def selected_field(layer: QgsVectorLayer, ending: str) -> str:
    """Return the QGIS expression of a field of the selected delineation layer.

    Args:
        layer: layer of scored targets.
        ending: end of the field's name after the prefix, such as "_rc_problem".
    """
    scope = QgsExpressionContextUtils.layerScope(layer)
    prefix = scope.variable(PREFIX_VARIABLE) or first_prefix(layer)
    if not prefix:
        return f"attribute({SELECTED_PREFIX} || '{ending}')"
    return str(QgsExpression.quotedColumnRef(f"{prefix}{ending}"))


def select_prefix(layer: QgsVectorLayer, prefix: str) -> None:
    """Show the fields of one delineation layer in all styles of scored targets.

    Only the expressions of the styles and a variable of the layer are changed, so that other edits
    by the user remain.

    Args:
        layer: layer of scored targets.
        prefix: prefix of the fields of the delineation layer.
    """
    manager = layer.styleManager()
    current_style = manager.currentStyle()
    other_styles = [name for name in manager.styles() if name != current_style]
    for name in (*other_styles, current_style):
        manager.setCurrentStyle(name)
        # The variable is a property of the layer, and each style stores the layer's properties.
        scope = QgsExpressionContextUtils.layerScope(layer)
        old_prefix = scope.variable(PREFIX_VARIABLE) or ""
        QgsExpressionContextUtils.setLayerVariable(layer, PREFIX_VARIABLE, prefix)
        _replace_fields(layer, old_prefix, prefix)
    layer.triggerRepaint()


def select_delineations(layer: QgsVectorLayer, name: str) -> None:
    """Draw only the crowns of one delineation layer in a layer of scored delineations.

    Args:
        layer: layer of scored delineations.
        name: name of the delineation layer.
    """
    QgsExpressionContextUtils.setLayerVariable(layer, _LAYER_VARIABLE, name)
    layer.triggerRepaint()


def _replace_fields(layer: QgsVectorLayer, old_prefix: str, prefix: str) -> None:
    """Name the fields of a delineation layer in the classes and labels of the current style.

    Args:
        layer: layer of scored targets.
        old_prefix: prefix of the fields that the style names; "" if it names none.
        prefix: prefix of the fields to name.
    """
    renderer = layer.renderer()
    if isinstance(renderer, QgsCategorizedSymbolRenderer):
        renderer.setClassAttribute(
            name_fields(renderer.classAttribute(), layer, old_prefix, prefix)
        )
    labeling = layer.labeling()
    if isinstance(labeling, QgsVectorLayerSimpleLabeling):
        settings = labeling.settings()
        settings.fieldName = name_fields(settings.fieldName, layer, old_prefix, prefix)
        layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))


def name_fields(expression: str, layer: QgsVectorLayer, old_prefix: str, prefix: str) -> str:
    """Return an expression of a style that names the fields of a delineation layer.

    Args:
        expression: expression that finds the fields by the layer variable, or names those of the
            old prefix. Other expressions stay unchanged.
        layer: layer with the fields.
        old_prefix: prefix of the fields that the expression names; "" if it names none.
        prefix: prefix of the fields to name.
    """

    def quote_field(match: re.Match[str]) -> str:
        """Return the quoted field of the prefix whose ending the expression contains."""
        return str(QgsExpression.quotedColumnRef(f"{prefix}{match[1]}"))

    named_expression = expression
    if expression.startswith(_PREFIX_AS_P) and expression.endswith(")"):
        # The variable p is no longer needed.
        inner_expression = expression[len(_PREFIX_AS_P) : -1]
        named_expression = _FIELD_OF_P.sub(quote_field, inner_expression)
    named_expression = _FIELD_OF_SELECTED.sub(quote_field, named_expression)
    if not old_prefix or old_prefix == prefix:
        return named_expression
    for name in layer.fields().names():
        if name.startswith(f"{old_prefix}_"):
            new_name = f"{prefix}{name.removeprefix(old_prefix)}"
            old_field = QgsExpression.quotedColumnRef(name)
            new_field = QgsExpression.quotedColumnRef(new_name)
            named_expression = named_expression.replace(old_field, new_field)
    return named_expression

"""What cannot work, found before a scoring run begins, each told in a sentence."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingContext, QgsVectorLayer

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.score_run import plots_needed
from randcrowns.algorithms.shared_parameters import IDTREES, PRESET_KEYS, lengths_of
from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.compat import chosen_fields, is_polygon_layer
from randcrowns.layers.vector.crs import check_crs

__all__ = ["layer_problem", "score_problem"]


def score_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """The first thing that is wrong with the parameters of a scoring run; empty when nothing is."""
    target, _ = algorithm.layer_of(parameters, "TARGETS", context)
    delineations = algorithm.parameterAsLayerList(parameters, "DELINEATIONS", context)
    if not delineations:
        return tr("Choose at least one layer of delineations.")
    layers = [target, *delineations]
    return (
        next(filter(None, map(layer_problem, layers)), "")
        or _field_problem(algorithm, parameters, context, layers)
        or _plot_problem(algorithm, parameters, context)
    )


def layer_problem(layer: Any) -> str:
    """Why crowns cannot be read from the layer."""
    if layer is None:
        return ""
    if not isinstance(layer, QgsVectorLayer) or not layer.isValid() or not is_polygon_layer(layer):
        return tr("Layer '{name}' holds no polygons that can be read; crowns must be polygons.").format(
            name=layer.name()
        )
    try:
        check_crs(layer.name(), layer.crs())
    except RandCrownsError as error:
        return str(error)
    return ""


def _field_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, layers: list[Any]
) -> str:
    target, *delineations = layers
    groups = chosen_fields(algorithm, parameters, "GROUP_FIELD", context)
    if groups and target is not None and target.fields().lookupField(groups[0]) < 0:
        return tr("Layer '{name}' has no field '{field}' to group by.").format(name=target.name(), field=groups[0])
    score = algorithm.parameterAsString(parameters, "SCORE_FIELD", context).strip()
    if not score:
        return ""
    if not any(layer.fields().lookupField(score) >= 0 for layer in delineations):
        return tr("None of the delineation layers has a field '{field}' with scores.").format(field=score)
    return ""


def _plot_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    preset, _ = lengths_of(algorithm, parameters, context, PRESET_KEYS)
    extents = (parameters.get("EXTENT"), parameters.get("EXTENT_LAYER"))
    if preset == IDTREES and all(extent in (None, "") for extent in extents):
        return plots_needed()
    return ""

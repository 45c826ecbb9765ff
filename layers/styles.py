"""Styles of the result layers, read from the QML files under resources/ (usable by hand too: each says how)."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsExpressionContextUtils, QgsVectorLayer

from randcrowns.core.errors import InputError

__all__ = [
    "PREFIX_VARIABLE",
    "keep_style",
    "show_scores_of",
    "style_delineation_outlines",
    "style_delineations",
    "style_output",
    "style_pairs",
    "style_regions",
    "style_scored",
    "style_target_outlines",
    "style_terms",
]

#: Layer variable with the beginning of the fields that scored targets are coloured by.
PREFIX_VARIABLE = "randcrowns_prefix"
_KEPT = "RandCrowns"
_FOLDER = Path(__file__).parent.parent / "resources"


def style_scored(layer: QgsVectorLayer, prefix: str = "") -> None:
    """Scored targets by class of RandCrowns, with labels and map tips; missed, unmatched and too small set apart.

    Args:
        layer: with fields ``<prefix>_rc``, ``_iou``, ``_iouc`` and ``_status``.
        prefix: of the delineation layer to show; empty for the first there is. Call again to show another.
    """
    _load(layer, "scored_targets")
    if prefix:
        QgsExpressionContextUtils.setLayerVariable(layer, PREFIX_VARIABLE, prefix)


def show_scores_of(layer: QgsVectorLayer, prefix: str) -> None:
    """Colour, label and explain scored targets by another delineation layer; the style stays as the user made it."""
    QgsExpressionContextUtils.setLayerVariable(layer, PREFIX_VARIABLE, prefix)
    layer.triggerRepaint()


def style_delineations(layer: QgsVectorLayer) -> None:
    """Scored delineations as outlines by class of RandCrowns; those that serve no target dashed."""
    _load(layer, "scored_delineations")


def style_pairs(layer: QgsVectorLayer) -> None:
    """Pairs as lines; those that the pairing chose in the colour of their score."""
    _load(layer, "pairs")


def style_regions(layer: QgsVectorLayer) -> None:
    """Regions in the paper's colours: a yellow, b mint, o and e as outlines."""
    _load(layer, "regions")


def style_terms(layer: QgsVectorLayer) -> None:
    """Polygons by field ``term``: a yellow, b mint, c orange, d cyan, target red dotted, delineation black."""
    _load(layer, "terms")


def style_target_outlines(layer: QgsVectorLayer) -> None:
    """Target crowns as red dotted outlines."""
    _load(layer, "target")


def style_delineation_outlines(layer: QgsVectorLayer) -> None:
    """Delineations as black outlines."""
    _load(layer, "delineation")


def style_output(layer: QgsVectorLayer, output: str, prefix: str = "") -> None:
    """Style an output of an algorithm by its name, as SCORED_TARGETS; one without geometry has no style."""
    if output == "SCORED_TARGETS":
        style_scored(layer, prefix)
    elif output in _STYLES and layer.isSpatial():
        _load(layer, _STYLES[output])


def keep_style(layer: QgsVectorLayer) -> None:
    """Write the layer's style into its GeoPackage, as the one that QGIS opens the layer with.

    Raises:
        InputError: if it cannot be written there.
    """
    number, ids, names, *_ = layer.listStylesInDatabase()
    for earlier in range(max(number, 0)):  # QGIS would ask in a window whether to write over it
        if names[earlier] == _KEPT:
            layer.deleteStyleFromDatabase(ids[earlier])
    message = layer.saveStyleToDatabase(_KEPT, "", True, "")
    number, _, names, *_ = layer.listStylesInDatabase()
    if _KEPT not in names[: max(number, 0)]:
        raise InputError(f"The style of {layer.source()} cannot be kept in its file ({message}).")


_STYLES = {
    "SCORED_DELINEATIONS": "scored_delineations",
    "PAIRS": "pairs",
    "REGIONS": "regions",
    "MATCHED_TARGETS": "matched_instances",
    "MATCHED_PREDICTIONS": "matched_instances",
    "CROWNS": "target_variance",
    "DRAWINGS": "delineation",
    "LEFT_OUT": "target",
    "TRUTH_POLYGONS": "target",
}


def _load(layer: QgsVectorLayer, name: str) -> None:
    file = _FOLDER / f"{name}.qml"
    message, loaded = layer.loadNamedStyle(str(file))
    if not loaded:
        raise InputError(f"The style {file} cannot be read ({message}); install the plugin again.")
    layer.triggerRepaint()

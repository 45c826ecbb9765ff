"""Parameters of the toolbox that jobs do not accept, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping

_ONLY_EXACT_AREAS = (
    "only polygons are compared here, by exact areas. Rasters and pixel sizes are for QGIS."
)
_RASTERS = dict.fromkeys(
    (
        "values",
        "mark_value",
        "mark_band",
        "mark_colour",
        "images",
        "resolution",
    ),
    _ONLY_EXACT_AREAS,
)
_RASTERS_OF_AGREEMENT = dict.fromkeys(("image", "red", "window"), _ONLY_EXACT_AREAS)
_RASTERS_OF_DETECTORS = dict.fromkeys(
    ("band", "tolerance", "thin", "ground_truth_layers"),
    "only polygons are ranked here, by exact areas and whole crowns. Rasters are for QGIS.",
)
_PICTURES = dict.fromkeys(("image", "examples"), "pictures of the gallery are drawn in QGIS only.")
#: Reason why an export is made in QGIS only.
ONLY_QGIS_EXPORTS = "images are cut out, and spreadsheets written, in QGIS only."
_CUT_OUTS = dict.fromkeys(("cut_out_images", "margin", "plot_field"), ONLY_QGIS_EXPORTS)

#: Reason why a job does not accept a parameter, by job and name of the parameter.
REFUSED: Mapping[str, Mapping[str, str]] = {
    "agree": {**_RASTERS, **_RASTERS_OF_AGREEMENT},
    "consensus": _RASTERS,
    "rank": {**_RASTERS, **_RASTERS_OF_DETECTORS},
    "variance": _PICTURES,
    "export": _CUT_OUTS,
}

"""Names of the parameters that runs tile by tile have, by job.

The command refuses all other parameters tile by tile, and a large run in QGIS names the command
only if it uses no other parameter.
"""

from __future__ import annotations

from collections.abc import Mapping

_CLASS_PARAMETERS = (
    "class_field",
    "class_groups",
    "within_classes",
    "summarise_by",
    "strata_field",
    "strata_breaks",
)
#: Names of the parameters of classes and strata, by job.
CLASS_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "score": (*_CLASS_PARAMETERS, "delineation_class_field"),
    "evaluate": (*_CLASS_PARAMETERS, "prediction_class_field", "score_field"),
    "agree": ("class_field", "class_groups", "class_scale", "unmarked_class"),
}
#: Names of the parameters that the functions of :mod:`randcrowns.batch` take, by job.
TILE_PARAMETERS: Mapping[str, frozenset[str]] = {
    "score": frozenset(
        {
            "preset",
            "alpha",
            "omega",
            "gamma",
            "pairing",
            "search_radius",
            "score_field",
            "score_threshold",
            "plot_field",
            "all_drawn",
            "merged_from",
            "split_from",
            "shifted_from",
            "too_large_from",
            "too_small_from",
            "randcrowns_threshold",
            *CLASS_PARAMETERS["score"],
        }
    ),
    "agree": frozenset(CLASS_PARAMETERS["agree"]),
    "evaluate": frozenset(
        {
            "detection_method",
            "segmentation_method",
            "height_field",
            "plot_field",
            "all_drawn",
            *CLASS_PARAMETERS["evaluate"],
        }
    ),
}

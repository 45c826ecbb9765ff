"""Names of the parameters that runs tile by tile have, by job.

The command refuses all other parameters tile by tile, and a large run in QGIS names the command
only if it uses no other parameter.
"""

from __future__ import annotations

from collections.abc import Mapping

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
            "plot_field",
            "all_drawn",
            "merged_from",
            "split_from",
            "shifted_from",
            "too_large_from",
            "too_small_from",
            "randcrowns_threshold",
        }
    ),
    "agree": frozenset(),
    "evaluate": frozenset(
        {
            "detection_method",
            "segmentation_method",
            "height_field",
            "plot_field",
            "all_drawn",
        }
    ),
}

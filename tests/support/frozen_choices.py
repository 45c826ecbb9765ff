"""Every choice of every page, set to something else than its default: in as many projects as
exclude each other.

Layers are given by name. A key that stands for a file is relative to the project.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

__all__ = ["LAYER_KEYS", "NOT_IN_THE_DOCK", "PAGES", "PROJECTS", "UNSAVED", "Choices"]

PAGES = ("score", "annotators", "detectors", "instances", "parameters")
#: Keys of choices whose values are layers.
LAYER_KEYS = (
    *("target", "delineations", "extent_layer", "extent_image", "annotators", "image", "excluded"),
    *("detectors", "training", "targets", "predictions"),
)
#: Kept in the project; when these were saved no field of the dock changed it.
NOT_IN_THE_DOCK = {("instances", "cell_size")}

Choices = dict[str, Any]

_OWN = {"preset": "own", "alpha": 0.4, "omega": 0.9, "gamma": 2.5}
_FIELD = {"preset": "field_polygons", "alpha": 0.6, "omega": 3.0, "gamma": 3.0}
_SCORE: tuple[Choices, ...] = (
    {
        **_OWN,
        "target": "annotator_2",
        "delineations": ["annotator_1", "detector"],
        "corner_style": "mitre",
        "pairing": "mean_over_count",
        "search_radius": 2.5,
        "plot_field": "plot",
        "randcrowns_threshold": 0.65,
        "extent": "layer",
        "extent_layer": "area",
        "file": "./kept.gpkg",
    },
    {
        **_FIELD,
        "delineations": ["detector"],
        "corner_style": "round",
        "pairing": "max_iou",
        "score_field": "score",
        "score_threshold": 0.75,
        "extent": "image",
        "extent_image": "image",
        "selected_only": True,
    },
    {
        "target": "crowns",
        "delineations": ["annotator_1"],
        "pairing": "max_score",
        "extent": "canvas",
    },
    {"preset": "idtrees", "extent": "image", "extent_image": "probability"},
    {
        "pairing": "hungarian",
        "destination": "fields",
        "target": "annotator_3",
        "delineations": ["annotator_1"],
    },
)
_PEOPLE = ["annotator_1", "annotator_2", "annotator_3"]
_ANNOTATORS: tuple[Choices, ...] = (
    {
        "annotators": _PEOPLE[:2],
        "extent": "layer",
        "extent_layer": "area",
        "resolution": 0.5,
        "excluded": "clouds",
        "leave_one_out": True,
        "min_area": 1.5,
        "block_side": 7.0,
        "bootstrap_samples": 40,
        "raster": True,
        "limit": 0.3,
        "method": "staple",
        "prior": "number",
        "prior_value": 0.35,
        "assign_consensus": True,
        "file": "./kept.gpkg",
    },
    {
        "annotators": _PEOPLE,
        "image": "image",
        "red": 3,
        "green": 4,
        "blue": 2,
        "window": 5,
        "bootstrap_samples": 40,
        "raster": True,
        "method": "level",
        "share": 0.7,
        "consensus_leave_one_out": True,
    },
    {
        "annotators": ["everybody"],
        "field": "annotator",
        "extent": "canvas",
        "bootstrap_samples": 40,
        "method": "any",
    },
    {
        "annotators": _PEOPLE,
        "method": "simple",
        "simple_rule": "share",
        "simple_factor": 0.9,
        "bootstrap_samples": 40,
    },
    {
        "annotators": _PEOPLE,
        "resolution": 1.0,
        "method": "lsml",
        "clipped": False,
        "max_iterations": 30,
        "curvature": 0.25,
        "bootstrap_samples": 40,
    },
    {"annotators": _PEOPLE, "method": "0.75", "bootstrap_samples": 40},
    {"annotators": _PEOPLE, "method": "unanimous", "bootstrap_samples": 40, "image": "probability"},
    {"annotators": _PEOPLE, "method": "excl-0.5", "bootstrap_samples": 40},
    {"annotators": _PEOPLE, "method": "staple", "prior": "any", "bootstrap_samples": 40},
    {"annotators": ["everybody"], "field": "", "bootstrap_samples": 40},
)
_DETECTORS: tuple[Choices, ...] = (
    {
        "detectors": ["detector_2", "probability"],
        "annotators": _PEOPLE[:2],
        "score_field": "confidence",
        "band": 2,
        "consensus_methods": ["any", "staple", "levels"],
        "prior": "any",
        "min_skew": 0.2,
        "max_skew": 0.6,
        "extent": "layer",
        "extent_layer": "area",
        "training": "clouds",
        "resolution": 0.5,
        "tolerance": 1.5,
        "crown_score": "randcrowns",
        "crown_threshold": 0.65,
        "preset": "field_polygons",
        "all_drawn": False,
        "plot_field": "plot",
        "resampled_ground_truth": "simple",
        "bootstrap_samples": 60,
        "tile_side": 6.5,
        "certainty": 0.9,
        "file": "./kept.gpkg",
    },
    {
        "detectors": ["detector"],
        "counted_units": "areas",
        "skew_limits": "truths",
        "extent": "canvas",
        "resampled_ground_truth": "any",
        "bootstrap_samples": 0,
    },
    {
        "detectors": ["detector", "detector_2"],
        "counted_units": "crowns",
        "consensus_methods": [],
        "resampled_ground_truth": "0.75",
    },
    {
        "detectors": ["probability"],
        "consensus_methods": ["each"],
        "resampled_ground_truth": "excl-0.5",
    },
    {
        "detectors": ["detector"],
        "consensus_methods": ["0.5", "0.75", "excl-0.5", "simple", "lsml"],
        "resampled_ground_truth": "staple",
    },
)
_CLOUD = {
    "kind": "cloud",
    "cloud": "./cloud.las",
    "target_attribute": "tree",
    "prediction_attribute": "found",
}
_INSTANCES: tuple[Choices, ...] = (
    {
        "targets": "annotator_1",
        "predictions": "detector",
        "height_field": "height",
        "plot_field": "plot",
        "detection": "tree_learn",
        "segmentation": "point2tree",
        "file": "./kept.gpkg",
    },
    {
        **_CLOUD,
        "target_attribute": "found",
        "prediction_attribute": "tree",
        "no_tree_id": 0,
        "prediction_no_tree_id": -7,
        "detection": "for_instance",
        "segmentation": "for_ai_net",
        "include_unmatched": False,
        "n_partitions": 6,
        "partition_end": "farthest",
        "min_share": 0.35,
        "min_height": 1.25,
    },
    {**_CLOUD, "cloud": "./without_crs.las", "cloud_crs": "EPSG:32633"},
    {"detection": "for_ai_net_coverage", "segmentation": "panoptic_segmentation"},
    {"detection": "for_ai_net", "segmentation": "tree_learn"},
    {"detection": "point2tree", "segmentation": "for_instance"},
)
_GRID = {
    **{"alpha_from": 0.2, "alpha_to": 0.4, "alpha_step": 0.2},
    **{"omega_from": 0.3, "omega_to": 0.9, "omega_step": 0.3},
    **{"gamma_from": 2.0, "gamma_to": 4.0, "gamma_step": 2.0},
}
_PARAMETERS: tuple[Choices, ...] = (
    {
        **_GRID,
        "annotators": _PEOPLE[:2],
        "target": "crowns",
        "plot_field": "plot",
        "min_iou": 0.35,
        "limit": 0.9,
        "max_excluded": 50.0,
        "corner_style": "mitre",
        "extent_layer": "area",
        "file": "./kept.gpkg",
    },
    {
        **_GRID,
        "annotators": ["annotator_1"],
        "warps": 4,
        "warp_scale": 0.05,
        "warp_rotation": 4.0,
        "warp_translation": 0.2,
        "corner_style": "round",
        "extent_layer": "image",
    },
    {**_GRID, "annotators": _PEOPLE, "alpha_to": 0.2},
)
_BY_PAGE = zip_longest(_SCORE, _ANNOTATORS, _DETECTORS, _INSTANCES, _PARAMETERS)
#: Name of a project -> page -> choices; a page that is not named has its defaults.
PROJECTS: dict[str, dict[str, Choices]] = {
    "defaults": {},
    **{
        f"choices_{number}": {
            page: choices for page, choices in zip(PAGES, row) if choices is not None
        }
        for number, row in enumerate(_BY_PAGE, start=1)
    },
}
_WHOLE = (
    "window",
    "bootstrap_samples",
    "max_iterations",
    "band",
    "warps",
    "n_partitions",
    "no_tree_id",
    "prediction_no_tree_id",
)
_CONSENSUS = ("share", "prior_value", "simple_factor", "max_iterations", "curvature")
_BANDS = ("red", "green", "blue")
#: Page -> its numbers, and what must be chosen for Run to hand them over.
_NUMBERS: dict[str, tuple[tuple[str, ...], Choices]] = {
    "score": (
        ("alpha", "omega", "gamma", "search_radius", "score_threshold", "randcrowns_threshold"),
        {"preset": "own", "delineations": ["detector"], "score_field": "score"},
    ),
    "annotators": (
        ("resolution", "min_area", "block_side", "bootstrap_samples", "window", "limit", *_BANDS),
        {"image": "image"},
    ),
    "detectors": (
        (
            *("band", "min_skew", "max_skew", "resolution", "tolerance", "crown_threshold"),
            *("bootstrap_samples", "tile_side", "certainty"),
        ),
        {"skew_limits": "truths"},
    ),
    "instances": (
        ("no_tree_id", "prediction_no_tree_id", "n_partitions", "min_share", "min_height"),
        {**_CLOUD, "targets": "crowns"},
    ),
    "parameters": (
        (
            *_GRID,
            "min_iou",
            "limit",
            "max_excluded",
            "warps",
            "warp_scale",
            "warp_rotation",
            "warp_translation",
        ),
        {},
    ),
}


def _numbers_at(number: float) -> dict[str, Choices]:
    """All numbers of all pages at one value, which shows what a page takes at most, at least,
    and how rounded.
    """

    def at(names: tuple[str, ...]) -> Choices:
        whole = int(max(-(2**31), min(2**31 - 1, number)))
        return {name: whole if name in (*_WHOLE, *_BANDS) else float(number) for name in names}

    return {page: {**needed, **at(names)} for page, (names, needed) in _NUMBERS.items()}


def _consensus_at(number: float) -> dict[str, Choices]:
    numbers = {name: int(number) if name in _WHOLE else float(number) for name in _CONSENSUS}
    return {
        "annotators": {
            "annotators": _PEOPLE,
            "bootstrap_samples": 40,
            "method": "simple",
            **numbers,
        }
    }


_FINE = 1.23456789
#: Projects with entries as no dock of today writes them: of older ones, spoiled ones, numbers out
#: of every range.
UNSAVED: dict[str, dict[str, Choices]] = {
    "lowest": _numbers_at(-1e12),
    "highest": _numbers_at(1e12),
    "rounded": _numbers_at(_FINE),
    "rounded_below_1": {**_numbers_at(_FINE / 2), "annotators": {"resolution": _FINE / 2}},
    "lowest_consensus": _consensus_at(-1e9),
    "highest_consensus": _consensus_at(1e9),
    "rounded_consensus": _consensus_at(_FINE / 2),
    "partly": {
        "score": {"alpha": 0.3, "preset": "own", "target": "annotator_3"},
        "annotators": {"method": "simple", "resolution": 2},
        "detectors": {
            "counted_units": "areas",
            "bootstrap_samples": 30,
            "consensus_methods": ["any"],
        },
        "instances": {**_CLOUD, "no_tree_id": -7},
        "parameters": {"limit": 0.4, "gamma_to": 3, "gamma_step": 2},
    },
    "spoiled": {
        "score": {
            "alpha": "wide",
            "preset": "of yesterday",
            "pairing": 3,
            "delineations": "annotator_1",
            "new": 1,
        },
        "annotators": {
            "method": "loudest",
            "bootstrap_samples": 40.5,
            "annotators": ["nobody"],
            "limit": None,
        },
        "detectors": {
            "counted_units": "trees",
            "band": "1",
            "consensus_methods": ["each", "wisdom"],
            "min_skew": True,
        },
        "instances": {
            "kind": "polygons",
            "targets": "gone",
            "n_partitions": 1000,
            "detection": "point2tree",
        },
        "parameters": {
            "limit": 7,
            "alpha_step": 0,
            "warps": 99,
            "extent_layer": "gone",
            "corner_style": "oblique",
        },
    },
}

"""Instance matching and segmentation metrics for crown polygons and labelled point clouds."""

from typing import TYPE_CHECKING

from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from randcrowns.core.instances.average_precision import (
        CocoMetrics,
        coco_metrics,
        ignored_shares,
        point_recall,
        threshold_table,
    )
    from randcrowns.core.instances.matching import (
        Matching,
        MatchingMethod,
        match_instances,
        match_one_to_one,
    )
    from randcrowns.core.instances.matching_inputs import MatchingInputs
    from randcrowns.core.instances.metrics import (
        DetectionCounts,
        PanopticQuality,
        count_detections,
        count_merges,
        count_splits,
        detection_metrics,
        panoptic_quality,
        segmentation_means,
        segmentation_table,
        semantic_segmentation_metrics,
    )
    from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
    from randcrowns.core.instances.summary import summarise_instances

#: Submodule that defines each public name.
_MODULES = {
    "CocoMetrics": "average_precision",
    "DetectionCounts": "metrics",
    "Matching": "matching",
    "MatchingInputs": "matching_inputs",
    "MatchingMethod": "matching",
    "OverlapTable": "overlap",
    "PanopticQuality": "metrics",
    "coco_metrics": "average_precision",
    "count_detections": "metrics",
    "count_merges": "metrics",
    "count_splits": "metrics",
    "detection_metrics": "metrics",
    "ignored_shares": "average_precision",
    "match_instances": "matching",
    "match_one_to_one": "matching",
    "panoptic_quality": "metrics",
    "point_recall": "average_precision",
    "polygon_overlap": "overlap",
    "segmentation_means": "metrics",
    "segmentation_table": "metrics",
    "semantic_segmentation_metrics": "metrics",
    "summarise_instances": "summary",
    "threshold_table": "average_precision",
}

__all__ = [
    "CocoMetrics",
    "DetectionCounts",
    "Matching",
    "MatchingInputs",
    "MatchingMethod",
    "OverlapTable",
    "PanopticQuality",
    "coco_metrics",
    "count_detections",
    "count_merges",
    "count_splits",
    "detection_metrics",
    "ignored_shares",
    "match_instances",
    "match_one_to_one",
    "panoptic_quality",
    "point_recall",
    "polygon_overlap",
    "segmentation_means",
    "segmentation_table",
    "semantic_segmentation_metrics",
    "summarise_instances",
    "threshold_table",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES)

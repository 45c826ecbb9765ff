"""Instance matching and segmentation metrics for crown polygons and labelled point clouds."""

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

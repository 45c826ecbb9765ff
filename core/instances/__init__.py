"""Instance matching and segmentation metrics for crown polygons and labelled point clouds."""

from randcrowns.core.instances.average_precision import (
    CocoMetrics,
    coco_metrics,
    point_recall,
    share_on_ignored,
    thresholds_side_by_side,
)
from randcrowns.core.instances.matching import Matching, Method, match, match_once
from randcrowns.core.instances.metrics import (
    Detection,
    PanopticQuality,
    detection,
    detection_metrics,
    merges,
    panoptic_quality,
    segmentation_means,
    segmentation_table,
    semantic_segmentation_metrics,
    splits,
)
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import summarise_instances

__all__ = [
    "CocoMetrics",
    "Detection",
    "Matching",
    "Method",
    "OverlapTable",
    "PanopticQuality",
    "coco_metrics",
    "detection",
    "detection_metrics",
    "match",
    "match_once",
    "merges",
    "panoptic_quality",
    "point_recall",
    "polygon_overlap",
    "segmentation_means",
    "segmentation_table",
    "semantic_segmentation_metrics",
    "share_on_ignored",
    "splits",
    "summarise_instances",
    "thresholds_side_by_side",
]

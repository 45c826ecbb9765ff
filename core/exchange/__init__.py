"""Reading and writing of annotation files of other programs."""

from typing import TYPE_CHECKING

from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from randcrowns.core.exchange.annotations import (
        Annotations,
        CoordinateUnit,
        DoubtReason,
        Image,
        SkipReason,
    )
    from randcrowns.core.exchange.coco import read_coco
    from randcrowns.core.exchange.coco_writing import write_coco_results, write_coco_truth
    from randcrowns.core.exchange.cvat import read_cvat
    from randcrowns.core.exchange.deepforest import read_deepforest, write_deepforest
    from randcrowns.core.exchange.formats import FileFormat, detect_format
    from randcrowns.core.exchange.label_studio import read_label_studio
    from randcrowns.core.exchange.labelme import read_labelme
    from randcrowns.core.exchange.via import read_via
    from randcrowns.core.exchange.voc import read_voc, write_voc
    from randcrowns.core.exchange.yolo import read_yolo

#: Submodule that defines each public name.
_MODULES = {
    "Annotations": "annotations",
    "CoordinateUnit": "annotations",
    "DoubtReason": "annotations",
    "FileFormat": "formats",
    "Image": "annotations",
    "SkipReason": "annotations",
    "detect_format": "formats",
    "read_coco": "coco",
    "read_cvat": "cvat",
    "read_deepforest": "deepforest",
    "read_label_studio": "label_studio",
    "read_labelme": "labelme",
    "read_via": "via",
    "read_voc": "voc",
    "read_yolo": "yolo",
    "write_coco_results": "coco_writing",
    "write_coco_truth": "coco_writing",
    "write_deepforest": "deepforest",
    "write_voc": "voc",
}

__all__ = [
    "Annotations",
    "CoordinateUnit",
    "DoubtReason",
    "FileFormat",
    "Image",
    "SkipReason",
    "detect_format",
    "read_coco",
    "read_cvat",
    "read_deepforest",
    "read_label_studio",
    "read_labelme",
    "read_via",
    "read_voc",
    "read_yolo",
    "write_coco_results",
    "write_coco_truth",
    "write_deepforest",
    "write_voc",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES)

"""Reading and writing of annotation files of other programs."""

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

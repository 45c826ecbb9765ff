"""Reading and writing of annotation files: DeepForest, COCO, Pascal VOC, YOLO and LabelMe."""

from randcrowns.core.exchange.annotations import Annotations, Doubt, Flaw, Frame, Image
from randcrowns.core.exchange.coco import read_coco, write_coco_results, write_coco_truth
from randcrowns.core.exchange.deepforest import read_deepforest, write_deepforest
from randcrowns.core.exchange.labelme import read_labelme
from randcrowns.core.exchange.sniff import Kind, kind_of_file
from randcrowns.core.exchange.voc import read_voc, write_voc
from randcrowns.core.exchange.yolo import read_yolo

__all__ = [
    "Annotations",
    "Doubt",
    "Flaw",
    "Frame",
    "Image",
    "Kind",
    "kind_of_file",
    "read_coco",
    "read_deepforest",
    "read_labelme",
    "read_voc",
    "read_yolo",
    "write_coco_results",
    "write_coco_truth",
    "write_deepforest",
    "write_voc",
]

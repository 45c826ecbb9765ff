"""Parameters of the algorithms that import and export crowns."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsProcessing

from randcrowns.algorithms import choices
from randcrowns.algorithms.choice import Field, Flag, Number, OneOf, Option, Whole
from randcrowns.algorithms.layer_choice import Crs, File, Folder, Layers, OptionalLayer
from randcrowns.core.exchange.sniff import NAMES, Kind
from randcrowns.layers.files.annotations import SEPARATOR
from randcrowns.layers.files.export import LAYER_FORMATS
from randcrowns.layers.vector.guesses import score_field
from randcrowns.layers.words import tr

#: Key of the option that detects the format of each file.
AUTO = "auto"
INPUT = File(
    "input",
    tr("Files"),
    tr(
        "An annotation file, a folder of such files, or a pattern such as plots/*.xml. Several are "
        "separated by {separator}.",
        separator=SEPARATOR,
    ),
    # A folder or a pattern has no file ending, so the filter must also offer all files.
    filter=tr("Annotations (*.csv *.xml *.json *.txt *.shp *.gpkg *.geojson);;All files (*)"),
)
FORMAT = OneOf(
    "format",
    tr("Format"),
    tr("Format of the files."),
    options=(
        Option(
            AUTO,
            tr("Automatic"),
            tr(
                "The format of each file is detected from its content. The summary shows the "
                "detected formats."
            ),
        ),
        Option(
            Kind.DEEPFOREST.value,
            NAMES[Kind.DEEPFOREST],
            tr(
                "Tables (.csv) with the column image_path and with boxes, outlines as text, or "
                "points. Columns are recognised by name."
            ),
        ),
        Option(Kind.VOC.value, NAMES[Kind.VOC], tr("One XML file per image, with boxes.")),
        Option(
            Kind.COCO.value,
            NAMES[Kind.COCO],
            tr(
                "A ground truth, or results together with their ground truth (.json). Crowns are "
                "boxes, polygons or masks."
            ),
        ),
        Option(
            Kind.YOLO.value,
            NAMES[Kind.YOLO],
            tr("One text file per image; class names are read from data.yaml."),
        ),
        Option(
            Kind.LABELME.value,
            NAMES[Kind.LABELME],
            tr("One file per image (.json), with polygons, rectangles or points."),
        ),
    ),
)
IMAGES = Folder(
    "images",
    tr("Folder of the images"),
    tr(
        "Folder with the images that the files name, which may be in its subfolders. Default: the "
        "folder of each file."
    ),
    optional=True,
)
CRS = Crs(
    "crs",
    tr("Coordinate system of the images"),
    tr(
        "Used only for images that are georeferenced without a coordinate system, such as images "
        "with a world file."
    ),
    optional=True,
)
FIRST_PIXEL = Whole(
    "first_pixel",
    tr("Number of the first pixel (VOC)"),
    tr(
        "Choose 1 for files that count pixels from 1, as the VOC development kit does: xmin and "
        "ymin are then reduced by 1."
    ),
    default=0,
    most=1,
    advanced=True,
)
SCORE_THRESHOLD = Number(
    "score_threshold",
    tr("Minimum score"),
    tr(
        "Crowns with a lower score are skipped, and the summary counts them. Crowns without a "
        "score are imported."
    ),
    default=0.0,
    zero=tr("all"),
)
#: Parameters of ``randcrowns:importcrowns``, in the order of the dialog.
IMPORT_CHOICES = (INPUT, FORMAT, IMAGES, CRS, SCORE_THRESHOLD, FIRST_PIXEL)

TARGETS = choices.TARGETS
PREDICTIONS = OptionalLayer(
    "predictions",
    tr("Predicted crowns"),
    tr("Polygon layer with the crowns of a detector (optional)."),
    role=1,
)
IGNORED = replace(
    choices.IGNORED,
    help=tr(
        "Polygons in which predictions are neither right nor wrong. COCO's ground truth stores "
        "them as crowds (iscrowd)."
    ),
)
IMAGE = Layers(
    "image",
    tr("Images"),
    tr("Rasters on which the crowns lie. COCO, DeepForest and Pascal VOC require them."),
    optional=True,
    kind=QgsProcessing.SourceType.TypeRaster,
)
EXPORT_FORMAT = OneOf(
    "format",
    tr("Format"),
    tr("Format of the files to write."),
    options=(
        Option(
            "coco",
            NAMES[Kind.COCO],
            tr("A ground truth and results, as pycocotools reads them."),
        ),
        Option(
            "deepforest",
            NAMES[Kind.DEEPFOREST],
            tr("One table (.csv) per layer, with boxes and outlines."),
        ),
        Option("voc", NAMES[Kind.VOC], tr("One file per image and layer, with boxes only.")),
        Option(
            "geojson", "GeoJSON", tr("One file per layer, in longitude and latitude (RFC 7946).")
        ),
        Option(
            "gpkg",
            "GeoPackage",
            tr("One file with all layers and their styles. QGIS shows it without this plugin."),
        ),
        Option(
            "parquet",
            "GeoParquet",
            tr("One file per layer. Some installations of GDAL cannot write it."),
        ),
        Option("xlsx", "XLSX", tr("Attributes only, one sheet per layer.")),
        Option("csv", "CSV", tr("Attributes only, one file per layer.")),
    ),
)
SCORE_FIELD = Field(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field with the scores of the predictions. Default: a field whose name begins with "
        "score, conf or prob."
    ),
    optional=True,
    of=PREDICTIONS,
    numeric=True,
    guess=score_field,
)
CUT = Flag(
    "cut",
    tr("Cut out the images"),
    tr(
        "Writes the part of each image around the crowns as a new image (GeoTIFF, in folder "
        "images); with a plot field, one part per plot. Otherwise the files name the original "
        "images."
    ),
    default=False,
)
PLOT_FIELD = replace(
    choices.PLOT_FIELD,
    help=tr(
        "Field with the plot of each crown. With it, images are cut out plot by plot. A prediction "
        "without a plot belongs to the plot of the target with the largest overlap, or of the "
        "nearest target."
    ),
    of=TARGETS,
)
MARGIN = Whole(
    "margin",
    tr("Margin"),
    tr("Number of image pixels around the crowns when images are cut out."),
    default=20,
    advanced=True,
    least=0,
    most=10_000,
)
#: Parameters of ``randcrowns:exportcrowns``, in the order of the dialog.
EXPORT_CHOICES = (
    TARGETS,
    PREDICTIONS,
    IGNORED,
    IMAGE,
    EXPORT_FORMAT,
    SCORE_FIELD,
    CUT,
    PLOT_FIELD,
    MARGIN,
)

LAYERS = Layers(
    "layers",
    tr("Layers and tables"),
    tr("Results of a run, or any other vector layers and tables of the project."),
    kind=QgsProcessing.SourceType.TypeVector,
)
LAYER_FORMAT = replace(EXPORT_FORMAT.only(*LAYER_FORMATS), default="gpkg")
#: Parameters of ``randcrowns:exportlayers``, in the order of the dialog.
LAYER_CHOICES = (LAYERS, LAYER_FORMAT)

"""What the user chooses when crowns are imported or exported."""

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

AUTO = "auto"
INPUT = File(
    "input",
    tr("Files"),
    tr(
        "A file of annotations, a folder of them, a pattern such as plots/*.xml, or several with {separator} between "
        "them.",
        separator=SEPARATOR,
    ),
    # Folders and patterns have no ending, so a filter must let them through.
    filter=tr("Annotations (*.csv *.xml *.json *.txt *.shp *.gpkg *.geojson);;All files (*)"),
)
FORMAT = OneOf(
    "format",
    tr("Format"),
    tr("What the files are."),
    options=(
        Option(
            AUTO,
            tr("Automatic"),
            tr("Each file by how it begins; the summary says what it was taken for."),
        ),
        Option(
            Kind.DEEPFOREST.value,
            NAMES[Kind.DEEPFOREST],
            tr(
                "Tables (.csv) with image_path and boxes, outlines as text, or points; columns go by their names."
            ),
        ),
        Option(Kind.VOC.value, NAMES[Kind.VOC], tr("A file of XML per image, with boxes.")),
        Option(
            Kind.COCO.value,
            NAMES[Kind.COCO],
            tr("A ground truth, or results together with it (.json): boxes, polygons, masks."),
        ),
        Option(
            Kind.YOLO.value,
            NAMES[Kind.YOLO],
            tr("A file of text per image; names of classes from data.yaml."),
        ),
        Option(
            Kind.LABELME.value,
            NAMES[Kind.LABELME],
            tr("A file per image (.json): polygons, rectangles, points."),
        ),
    ),
)
IMAGES = Folder(
    "images",
    tr("Folder of the images"),
    tr("Where the images are that the files name, or in folders in it. Default: beside the files."),
    optional=True,
)
CRS = Crs(
    "crs",
    tr("Coordinate system of the images"),
    tr(
        "Read only of images that say where they lie but not in which system, as one with a world file."
    ),
    optional=True,
)
FIRST_PIXEL = Whole(
    "first_pixel",
    tr("Number of the first pixel (VOC)"),
    tr(
        "0, or 1 for files that count as VOC's own devkit: xmin and ymin are then taken as one less."
    ),
    default=0,
    most=1,
    advanced=True,
)
SCORE_THRESHOLD = Number(
    "score_threshold",
    tr("Minimum score"),
    tr("Crowns with a score below it are skipped and counted; crowns without a score stay."),
    default=0.0,
    zero=tr("all"),
)
#: Of randcrowns:importcrowns, in the order of the dialog.
IMPORT_CHOICES = (INPUT, FORMAT, IMAGES, CRS, SCORE_THRESHOLD, FIRST_PIXEL)

TARGETS = choices.TARGETS
PREDICTIONS = OptionalLayer(
    "predictions",
    tr("Predicted crowns"),
    tr("Polygon layer with the crowns of a detector; none is needed."),
    role=1,
)
IGNORED = replace(
    choices.IGNORED,
    help=tr(
        "Polygons in which predictions are neither right nor wrong; COCO's ground truth has them as crowds (iscrowd)."
    ),
)
IMAGE = Layers(
    "image",
    tr("Images"),
    tr("Rasters that the crowns are on; COCO, DeepForest and Pascal VOC need them."),
    optional=True,
    kind=QgsProcessing.SourceType.TypeRaster,
)
EXPORT_FORMAT = OneOf(
    "format",
    tr("Format"),
    tr("What is written."),
    options=(
        Option(
            "coco", NAMES[Kind.COCO], tr("Ground truth and results, as pycocotools reads them.")
        ),
        Option(
            "deepforest",
            NAMES[Kind.DEEPFOREST],
            tr("A table (.csv) per layer, with boxes and outlines."),
        ),
        Option("voc", NAMES[Kind.VOC], tr("A file per image and layer, with boxes only.")),
        Option("geojson", "GeoJSON", tr("In longitude and latitude (RFC 7946), a file per layer.")),
        Option(
            "gpkg",
            "GeoPackage",
            tr("All layers with their styles, which QGIS shows without this plugin."),
        ),
        Option("parquet", "GeoParquet", tr("A file per layer; not every GDAL can write it.")),
        Option("xlsx", "XLSX", tr("The attributes, a sheet per layer.")),
        Option("csv", "CSV", tr("The attributes, a file per layer.")),
    ),
)
SCORE_FIELD = Field(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field of the predictions with their score. Default: one that begins with score, conf or prob."
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
        "The part of each image that the crowns are on is written as an image of its own (GeoTIFF, in folder images); "
        "with a plot field, the part of each plot. Otherwise the files name the images, which stay where they are."
    ),
    default=False,
)
PLOT_FIELD = replace(
    choices.PLOT_FIELD,
    help=tr(
        "Field with the plot of each crown, by which images are cut out. A prediction without one belongs to the plot "
        "of the target that it shares most with, or that is nearest."
    ),
    of=TARGETS,
)
MARGIN = Whole(
    "margin",
    tr("Margin"),
    tr("Pixels of the image around the crowns where it is cut out."),
    default=20,
    advanced=True,
    least=0,
    most=10_000,
)
#: Of randcrowns:exportcrowns, in the order of the dialog.
EXPORT_CHOICES = (
    *(TARGETS, PREDICTIONS, IGNORED, IMAGE, EXPORT_FORMAT, SCORE_FIELD),
    *(CUT, PLOT_FIELD, MARGIN),
)

LAYERS = Layers(
    "layers",
    tr("Layers and tables"),
    tr("What a run made, or any other vector layers and tables of the project."),
    kind=QgsProcessing.SourceType.TypeVector,
)
LAYER_FORMAT = replace(EXPORT_FORMAT.only(*LAYER_FORMATS), default="gpkg")
#: Of randcrowns:exportlayers, in the order of the dialog.
LAYER_CHOICES = (LAYERS, LAYER_FORMAT)

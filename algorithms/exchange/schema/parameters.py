"""Parameters of the algorithms that import and export crowns."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import QgsProcessing

from randcrowns.algorithms import common_parameters
from randcrowns.algorithms.layer_parameters import (
    CrsParameter,
    FileParameter,
    FolderParameter,
    LayerListParameter,
    OptionalLayerParameter,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    Option,
    OptionParameter,
)
from randcrowns.core.exchange.formats import FileFormat, extensions_of
from randcrowns.layers.files.annotations import SEPARATOR
from randcrowns.layers.files.export import LAYER_FORMATS
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.guesses import find_score_field

#: Key of the option that detects the format of each file.
AUTOMATIC_FORMAT = "auto"
INPUT_FILES = FileParameter(
    "input",
    tr("Files"),
    tr(
        "An annotation file, a folder of such files, or a pattern such as plots/*.xml. Several are "
        "separated by {separator}.",
        separator=SEPARATOR,
    ),
    # A folder or a pattern has no file ending, so the filter must also offer all files.
    filter=tr(
        "Annotations ({patterns});;All files (*)",
        patterns=" ".join(f"*{extension}" for extension in extensions_of(FileFormat)),
    ),
)
FORMAT = OptionParameter(
    "format",
    tr("Format"),
    tr("Format of the files."),
    options=(
        Option(
            AUTOMATIC_FORMAT,
            tr("Automatic"),
            tr(
                "The format of each file is detected from its content. The summary shows the "
                "detected formats."
            ),
        ),
        Option(
            FileFormat.DEEPFOREST.value,
            FileFormat.DEEPFOREST.definition.name,
            tr(
                "Tables (.csv) with the column image_path and with boxes, outlines as text, or "
                "points. Columns are recognised by name."
            ),
        ),
        Option(
            FileFormat.VOC.value,
            FileFormat.VOC.definition.name,
            tr("One XML file per image, with boxes."),
        ),
        Option(
            FileFormat.COCO.value,
            FileFormat.COCO.definition.name,
            tr(
                "A ground truth, or results with the images of their ground truth (.json). Crowns "
                "are boxes, polygons or masks."
            ),
        ),
        Option(
            FileFormat.YOLO.value,
            FileFormat.YOLO.definition.name,
            tr("One text file per image; class names are read from data.yaml or classes.txt."),
        ),
        Option(
            FileFormat.LABELME.value,
            FileFormat.LABELME.definition.name,
            tr("One file per image (.json), with polygons, rectangles or points."),
        ),
        Option(
            FileFormat.CVAT.value,
            FileFormat.CVAT.definition.name,
            tr("An XML file 'CVAT for images', with the shapes on many images."),
        ),
        Option(
            FileFormat.VIA.value,
            FileFormat.VIA.definition.name,
            tr("A file of the VGG Image Annotator (.json or .csv), with regions on many images."),
        ),
        Option(
            FileFormat.LABEL_STUDIO.value,
            FileFormat.LABEL_STUDIO.definition.name,
            tr("A JSON file of Label Studio. Its YOLO export is read as YOLO."),
        ),
        Option(
            FileFormat.LABEL_RASTER.value,
            tr("label raster"),
            tr(
                "Rasters of one band (.tif, .png) with numbers of crowns or classes; 0 is the "
                "background. In a folder they are read only if this format is chosen."
            ),
        ),
    ),
)
IMAGES_OF = FileParameter(
    "images_of",
    tr("Images of (COCO)"),
    tr(
        "The ground truth (.json) that belongs to results. Results identify their images by "
        "numbers; the names and sizes of the images, and the names of the classes, are read from "
        "the ground truth. Its crowns are not imported. Default: the only ground truth in the same "
        "folder that has these images."
    ),
    optional=True,
    filter=tr("Ground truths (*.json);;All files (*)"),
)
IMAGE_FOLDER = FolderParameter(
    "images",
    tr("Folder of the images"),
    tr(
        "Folder with the images that the files name. It is searched, with its subfolders, for "
        "images that are neither at the path in the file nor beside the file. If several images "
        "have the same name, the one is used whose subfolders match those of the path or of the "
        "file."
    ),
    optional=True,
)
CRS = CrsParameter(
    "crs",
    tr("Coordinate system of the images"),
    tr(
        "Used only for images that are georeferenced without a coordinate system, such as images "
        "with a world file."
    ),
    optional=True,
)
FIRST_PIXEL = IntegerParameter(
    "first_pixel",
    tr("Number of the first pixel (VOC)"),
    tr(
        "Choose 1 for files that count pixels from 1, as the VOC development kit does: xmin and "
        "ymin are then reduced by 1."
    ),
    default=0,
    maximum=1,
    advanced=True,
)
SCORE_THRESHOLD = FloatParameter(
    "score_threshold",
    tr("Minimum score"),
    tr(
        "Crowns with a lower score are skipped, and the summary counts them. Crowns without a "
        "score are imported."
    ),
    default=0.0,
    minimum_label=tr("all crowns"),
)
#: Parameters of ``randcrowns:importcrowns``, in the order of the dialog.
IMPORT_PARAMETERS = (
    INPUT_FILES,
    FORMAT,
    IMAGES_OF,
    IMAGE_FOLDER,
    CRS,
    SCORE_THRESHOLD,
    FIRST_PIXEL,
)

TARGETS = common_parameters.TARGETS
PREDICTIONS = OptionalLayerParameter(
    "predictions",
    tr("Predicted crowns"),
    tr("Polygon layer with the crowns of a detector (optional)."),
    default_role=1,
)
IGNORED = replace(
    common_parameters.IGNORED_AREAS,
    help=tr(
        "Polygons in which predictions are neither right nor wrong. COCO's ground truth stores "
        "them as crowds (iscrowd)."
    ),
)
EXPORT_IMAGES = LayerListParameter(
    "image",
    tr("Images"),
    tr("Rasters on which the crowns lie. COCO, DeepForest, Pascal VOC and YOLO require them."),
    optional=True,
    kind=QgsProcessing.SourceType.TypeRaster,
)
EXPORT_FORMAT = OptionParameter(
    "format",
    tr("Format"),
    tr("Format of the files to write."),
    options=(
        Option(
            "coco",
            FileFormat.COCO.definition.name,
            tr("A ground truth and results, as pycocotools reads them."),
        ),
        Option(
            "deepforest",
            FileFormat.DEEPFOREST.definition.name,
            tr("One table (.csv) per layer, with boxes and outlines."),
        ),
        Option(
            "voc",
            FileFormat.VOC.definition.name,
            tr("One file per image and layer, with boxes only."),
        ),
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
        Option(
            "yolo",
            FileFormat.YOLO.definition.name,
            tr("One file per image and layer, and data.yaml with the classes; boxes or outlines."),
        ),
    ),
)
SCORE_FIELD = FieldParameter(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field with the scores of the predictions. Default: a field whose name begins with "
        "score, conf or prob."
    ),
    optional=True,
    layer_parameter=PREDICTIONS,
    numeric=True,
    guess_field=find_score_field,
)
CUT_OUT_IMAGES = BooleanParameter(
    "cut_out_images",
    tr("Cut out the images"),
    tr(
        "Writes the part of each image around the crowns as a new image (GeoTIFF, in folder "
        "images); with a plot field, one part per plot. Otherwise the files name the original "
        "images."
    ),
    default=False,
)
PLOT_FIELD = replace(
    common_parameters.PLOT_FIELD,
    help=tr(
        "Field with the plot of each crown. With it, images are cut out plot by plot. A prediction "
        "without a plot belongs to the plot of the target with the largest overlap, or of the "
        "nearest target."
    ),
    layer_parameter=TARGETS,
)
MARGIN = IntegerParameter(
    "margin",
    tr("Margin"),
    tr("Number of image pixels around the crowns when images are cut out."),
    default=20,
    advanced=True,
    minimum=0,
    maximum=10_000,
)
CLASS_FIELD = FieldParameter(
    "class_field",
    tr("Class"),
    tr(
        "Field with the class of each crown, which becomes its label or category. Default: a field "
        "named label, class or category, else one for species, else a field called name."
    ),
    optional=True,
    layer_parameter=TARGETS,
)
#: Parameters of ``randcrowns:exportcrowns``, in the order of the dialog.
EXPORT_PARAMETERS = (
    TARGETS,
    PREDICTIONS,
    IGNORED,
    EXPORT_IMAGES,
    EXPORT_FORMAT,
    SCORE_FIELD,
    CLASS_FIELD,
    CUT_OUT_IMAGES,
    PLOT_FIELD,
    MARGIN,
)

LAYERS = LayerListParameter(
    "layers",
    tr("Layers and tables"),
    tr("Results of a run, or any other vector layers and tables of the project."),
    kind=QgsProcessing.SourceType.TypeVector,
)
LAYER_FORMAT = replace(EXPORT_FORMAT.with_options(*LAYER_FORMATS), default="gpkg")
#: Parameters of ``randcrowns:exportlayers``, in the order of the dialog.
LAYER_EXPORT_PARAMETERS = (LAYERS, LAYER_FORMAT)

"""Which algorithms there are, and what the toolbox shows of them before one is used."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from qgis.core import QgsProcessingAlgorithm

from randcrowns.layers.guide import guide_url
from randcrowns.layers.words import tr

#: What rasters are written as: formats that hold every value as it is, and say where it lies.
RASTER_ENDINGS = (".tif", ".tiff")


class Topic(NamedTuple):
    """What algorithms are about: id of their group and of the guide's page about them, name of the group."""

    key: str
    label: str


SCORE = Topic("score", tr("Score"))
ANNOTATORS = Topic("annotators", tr("Annotators"))
DETECTORS = Topic("detectors", tr("Detectors"))
INSTANCES = Topic("instances", tr("Instances"))
PARAMETERS = Topic("parameters", tr("Parameters"))
REPORTS = Topic("report", tr("Report"))
EXCHANGE = Topic("exchange", tr("Import and export"))


class Entry(NamedTuple):
    """An algorithm: id within the provider, name, one line about it, words it is found by; its module and class."""

    key: str
    label: str
    about: str
    keywords: tuple[str, ...]
    topic: Topic
    module: str
    kind: str

    def make(self) -> QgsProcessingAlgorithm:
        """The algorithm; its libraries are imported now."""
        made: QgsProcessingAlgorithm = getattr(
            import_module(f"randcrowns.algorithms.{self.module}"), self.kind
        )()
        return made


class Listed(QgsProcessingAlgorithm):
    """What the toolbox shows of an algorithm."""

    entry: Entry

    def name(self) -> str:
        return self.entry.key

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        return self.entry.label

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        return self.entry.about

    def group(self) -> str:
        return self.entry.topic.label

    def groupId(self) -> str:  # noqa: N802 - QGIS's name
        return self.entry.topic.key

    def helpUrl(self) -> str:  # noqa: N802 - QGIS's name
        return guide_url(self.entry.topic.key)

    def tags(self) -> list[str]:
        return ["randcrowns", *self.entry.keywords]


SCORE_CROWNS = Entry(
    "scorecrowns",
    tr("Score crowns"),
    tr("Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns."),
    ("iou", "accuracy", "tree", "crown", "delineation", "segmentation", "forest", "idtrees"),
    SCORE,
    "scoring.score_crowns",
    "ScoreCrowns",
)
TARGET_REGIONS = Entry(
    "targetregions",
    tr("Regions of target crowns"),
    tr("Makes the regions that RandCrowns judges a crown by."),
    ("buffer", "tree", "crown", "regions", "halo"),
    SCORE,
    "scoring.target_regions",
    "TargetRegionsAlgorithm",
)
RANK_DETECTORS = Entry(
    "rankdetectors",
    tr("Rank detectors"),
    tr("Ranks detectors under every ground truth that several annotators make."),
    ("detector", "precision", "recall", "ranking", "ground truth", "aucr", "annotator"),
    DETECTORS,
    "detectors.rank",
    "RankDetectors",
)
COMPARE_ANNOTATORS = Entry(
    "compareannotators",
    tr("Compare annotators"),
    tr("How far several people who drew the same place agree, and where they differ."),
    ("annotator", "agreement", "kappa", "outlier", "smyth", "f1", "label", "expert"),
    ANNOTATORS,
    "agreement.compare",
    "CompareAnnotators",
)
MAKE_CONSENSUS = Entry(
    "consensus",
    tr("Make consensus of annotators"),
    tr("One layer of polygons from what several people drew of the same place."),
    ("consensus", "ground truth", "staple", "simple", "lsml", "majority", "vote", "annotator"),
    ANNOTATORS,
    "agreement.consensus",
    "MakeConsensus",
)
ANNOTATOR_VARIANCE = Entry(
    "annotatorvariance",
    tr("Annotator variance"),
    tr("How much RandCrowns, IoU and IoUCrowns depend on who drew the target."),
    ("variance", "annotator", "cross-validation", "iou", "gallery", "scatter", "tree", "crown"),
    PARAMETERS,
    "tuning.variance",
    "AnnotatorVarianceAlgorithm",
)
TUNE_PARAMETERS = Entry(
    "tuneparameters",
    tr("Tune parameters"),
    tr("Chooses alpha, omega and gamma by the variance between annotators."),
    ("parameters", "alpha", "omega", "gamma", "variance", "annotator", "grid", "tuning"),
    PARAMETERS,
    "tuning.tune",
    "TuneParameters",
)
EVALUATE_INSTANCES = Entry(
    "evaluateinstances",
    tr("Evaluate crown instances"),
    tr(
        "Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU."
    ),
    ("instance", "segmentation", "detection", "panoptic", "precision", "recall", "f1", "tree"),
    INSTANCES,
    "instances.polygons",
    "EvaluateInstances",
)
EVALUATE_POINT_CLOUD = Entry(
    "evaluatepointcloud",
    tr("Evaluate point cloud instances"),
    tr("Matches the predicted trees of a labelled point cloud with its target trees."),
    ("point cloud", "las", "laz", "copc", "instance", "segmentation", "tree", "pointtree"),
    INSTANCES,
    "instances.cloud",
    "EvaluatePointCloud",
)
IMPORT_CROWNS = Entry(
    "importcrowns",
    tr("Import crowns"),
    tr("Puts the crowns of DeepForest, COCO, Pascal VOC, YOLO and LabelMe files on the map."),
    (
        "import",
        "deepforest",
        "coco",
        "voc",
        "yolo",
        "labelme",
        "annotation",
        "csv",
        "json",
        "xml",
        "bbox",
    ),
    EXCHANGE,
    "exchange.importing",
    "ImportCrowns",
)
EXPORT_CROWNS = Entry(
    "exportcrowns",
    tr("Export crowns"),
    tr(
        "Writes targets and predictions as COCO, DeepForest, Pascal VOC, GeoJSON, GeoPackage or tables."
    ),
    (
        "export",
        "coco",
        "deepforest",
        "voc",
        "geojson",
        "geopackage",
        "xlsx",
        "csv",
        "geoparquet",
        "pycocotools",
    ),
    EXCHANGE,
    "exchange.exporting",
    "ExportCrowns",
)
EXPORT_LAYERS = Entry(
    "exportlayers",
    tr("Export layers and tables"),
    tr(
        "Writes what a run made as one GeoPackage with its styles, or as GeoJSON, GeoParquet, XLSX or CSV."
    ),
    ("export", "run", "geopackage", "style", "xlsx", "csv", "geoparquet", "geojson"),
    EXCHANGE,
    "exchange.layers",
    "ExportLayers",
)
REPORT = Entry(
    "report",
    tr("Make report"),
    tr(
        "Presents runs on a page that can be quoted: the answer, how it was made, tables, plots, maps; HTML and PDF."
    ),
    ("report", "html", "pdf", "print", "publish", "methods", "bibtex", "jinja"),
    REPORTS,
    "report.report",
    "MakeReport",
)

ALGORITHMS = (
    SCORE_CROWNS,
    TARGET_REGIONS,
    RANK_DETECTORS,
    COMPARE_ANNOTATORS,
    MAKE_CONSENSUS,
    ANNOTATOR_VARIANCE,
    TUNE_PARAMETERS,
    EVALUATE_INSTANCES,
    EVALUATE_POINT_CLOUD,
    IMPORT_CROWNS,
    EXPORT_CROWNS,
    EXPORT_LAYERS,
    REPORT,
)

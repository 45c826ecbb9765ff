"""Catalogue of the algorithms, and what the toolbox shows before one of them is imported."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from qgis.core import QgsProcessingAlgorithm

from randcrowns.layers.guide import guide_url
from randcrowns.layers.localization import tr

#: File endings of raster outputs. These formats store every value and the position unchanged.
RASTER_ENDINGS = (".tif", ".tiff")


class Topic(NamedTuple):
    """Group of algorithms in the toolbox, with a page in the guide."""

    key: str  #: id of the group and of the page.
    label: str  #: name of the group, translated.


SCORE = Topic("score", tr("Score"))
ANNOTATORS = Topic("annotators", tr("Annotators"))
DETECTORS = Topic("detectors", tr("Detectors"))
INSTANCES = Topic("instances", tr("Instances"))
PARAMETERS = Topic("parameters", tr("Parameters"))
REPORTS = Topic("report", tr("Report"))
EXCHANGE = Topic("exchange", tr("Import and export"))


class AlgorithmEntry(NamedTuple):
    """Entry of an algorithm in the catalogue."""

    key: str  #: id of the algorithm within the provider.
    label: str  #: name in the toolbox, translated.
    description: str  #: description in one line, translated.
    keywords: tuple[str, ...]  #: search words of the toolbox.
    topic: Topic  #: group of the toolbox.
    module: str  #: module that holds the class, relative to ``randcrowns.algorithms``.
    class_name: str  #: name of the class in the module.

    def create_algorithm(self) -> QgsProcessingAlgorithm:
        """Import the module of the algorithm and return a new instance."""
        module = import_module(f"randcrowns.algorithms.{self.module}")
        algorithm: QgsProcessingAlgorithm = getattr(module, self.class_name)()
        return algorithm


class CatalogueAlgorithm(QgsProcessingAlgorithm):
    """Base class of algorithms whose name, group and help link come from their catalogue entry."""

    entry: AlgorithmEntry  #: entry of the algorithm in the catalogue.

    def name(self) -> str:
        """Return the id of the algorithm within the provider."""
        return self.entry.key

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Return the translated name of the algorithm."""
        return self.entry.label

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """Return the translated one-line description of the algorithm."""
        return self.entry.description

    def group(self) -> str:
        """Return the translated name of the algorithm's group."""
        return self.entry.topic.label

    def groupId(self) -> str:  # noqa: N802 - QGIS's name
        """Return the id of the algorithm's group."""
        return self.entry.topic.key

    def helpUrl(self) -> str:  # noqa: N802 - QGIS's name
        """Return the address of the group's page in the guide."""
        return guide_url(self.entry.topic.key)

    def tags(self) -> list[str]:
        """Return the search words of the algorithm."""
        return ["randcrowns", *self.entry.keywords]


SCORE_CROWNS = AlgorithmEntry(
    "scorecrowns",
    tr("Score crowns"),
    tr("Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns."),
    ("iou", "accuracy", "tree", "crown", "delineation", "segmentation", "forest", "idtrees"),
    SCORE,
    "scoring.score_crowns",
    "ScoreCrowns",
)
TARGET_REGIONS = AlgorithmEntry(
    "targetregions",
    tr("Regions of target crowns"),
    tr("Creates the regions that RandCrowns compares a delineation with."),
    ("buffer", "tree", "crown", "regions", "halo"),
    SCORE,
    "scoring.target_regions",
    "TargetRegionsAlgorithm",
)
RANK_DETECTORS = AlgorithmEntry(
    "rankdetectors",
    tr("Rank detectors"),
    tr("Ranks detectors against every ground truth that can be made from several annotators."),
    ("detector", "precision", "recall", "ranking", "ground truth", "aucr", "annotator"),
    DETECTORS,
    "detectors.rank_detectors",
    "RankDetectors",
)
COMPARE_ANNOTATORS = AlgorithmEntry(
    "compareannotators",
    tr("Compare annotators"),
    tr("Measures how far annotators of the same area agree, and shows where they differ."),
    ("annotator", "agreement", "kappa", "outlier", "smyth", "f1", "label", "expert"),
    ANNOTATORS,
    "agreement.compare_annotators",
    "CompareAnnotators",
)
MAKE_CONSENSUS = AlgorithmEntry(
    "consensus",
    tr("Make consensus of annotators"),
    tr("Combines the polygons of several annotators of the same area into one layer."),
    ("consensus", "ground truth", "staple", "simple", "lsml", "majority", "vote", "annotator"),
    ANNOTATORS,
    "agreement.make_consensus",
    "MakeConsensus",
)
ANNOTATOR_VARIANCE = AlgorithmEntry(
    "annotatorvariance",
    tr("Annotator variance"),
    tr("Measures how much RandCrowns, IoU and IoUCrowns depend on the annotator."),
    ("variance", "annotator", "cross-validation", "iou", "gallery", "scatter", "tree", "crown"),
    PARAMETERS,
    "tuning.variance",
    "MeasureVariance",
)
TUNE_PARAMETERS = AlgorithmEntry(
    "tuneparameters",
    tr("Tune parameters"),
    tr("Chooses alpha, omega and gamma by the variance between annotators."),
    ("parameters", "alpha", "omega", "gamma", "variance", "annotator", "grid", "tuning"),
    PARAMETERS,
    "tuning.tune",
    "TuneParameters",
)
EVALUATE_INSTANCES = AlgorithmEntry(
    "evaluateinstances",
    tr("Evaluate crown instances"),
    tr(
        "Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU."
    ),
    ("instance", "segmentation", "detection", "panoptic", "precision", "recall", "f1", "tree"),
    INSTANCES,
    "instances.evaluate_instances",
    "EvaluateInstances",
)
EVALUATE_POINT_CLOUD = AlgorithmEntry(
    "evaluatepointcloud",
    tr("Evaluate point cloud instances"),
    tr("Matches the predicted trees of a labelled point cloud with its target trees."),
    ("point cloud", "las", "laz", "copc", "instance", "segmentation", "tree", "pointtree"),
    INSTANCES,
    "instances.evaluate_point_cloud",
    "EvaluatePointCloud",
)
IMPORT_CROWNS = AlgorithmEntry(
    "importcrowns",
    tr("Import crowns"),
    tr(
        "Imports crowns from annotation files, such as COCO, DeepForest or CVAT files, and from "
        "label rasters."
    ),
    (
        "import",
        "deepforest",
        "pascal voc",
        "coco",
        "yolo",
        "labelme",
        "cvat",
        "via",
        "label studio",
        "annotation",
        "csv",
        "json",
        "xml",
        "bbox",
    ),
    EXCHANGE,
    "exchange.crown_import",
    "ImportCrowns",
)
EXPORT_CROWNS = AlgorithmEntry(
    "exportcrowns",
    tr("Export crowns"),
    tr(
        "Writes targets and predictions as COCO, DeepForest, Pascal VOC, YOLO, GeoJSON, GeoPackage "
        "or tables."
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
    "exchange.crown_export",
    "ExportCrowns",
)
EXPORT_LAYERS = AlgorithmEntry(
    "exportlayers",
    tr("Export layers and tables"),
    tr(
        "Writes the results of a run as one GeoPackage with styles, or as GeoJSON, GeoParquet, "
        "XLSX or CSV."
    ),
    ("export", "run", "geopackage", "style", "xlsx", "csv", "geoparquet", "geojson"),
    EXCHANGE,
    "exchange.layer_export",
    "ExportLayers",
)
REPORT = AlgorithmEntry(
    "report",
    tr("Make report"),
    tr("Writes a report of runs as HTML or PDF: conclusions, parameters, tables, plots and maps."),
    ("report", "html", "pdf", "print", "publish", "methods", "bibtex", "jinja"),
    REPORTS,
    "report.report",
    "MakeReport",
)
EXPLORE = AlgorithmEntry(
    "explore",
    tr("Make page to explore"),
    tr(
        "Writes a run as one HTML file with map, table and verdicts, to explore in a browser "
        "without QGIS."
    ),
    ("explore", "html", "browser", "map", "leaflet", "review", "verdict", "share", "web"),
    REPORTS,
    "report.explore",
    "MakeExplorer",
)

#: All entries, in the order of the toolbox.
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
    EXPLORE,
)

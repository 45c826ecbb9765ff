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
    key="scorecrowns",
    label=tr("Score crowns"),
    description=tr(
        "Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns."
    ),
    keywords=(
        "iou",
        "accuracy",
        "tree",
        "crown",
        "delineation",
        "segmentation",
        "forest",
        "idtrees",
    ),
    topic=SCORE,
    module="scoring.score_crowns",
    class_name="ScoreCrowns",
)
TARGET_REGIONS = AlgorithmEntry(
    key="targetregions",
    label=tr("Regions of target crowns"),
    description=tr("Creates the regions that RandCrowns compares a delineation with."),
    keywords=("buffer", "tree", "crown", "regions", "halo"),
    topic=SCORE,
    module="scoring.target_regions",
    class_name="TargetRegionsAlgorithm",
)
RANK_DETECTORS = AlgorithmEntry(
    key="rankdetectors",
    label=tr("Rank detectors"),
    description=tr(
        "Ranks detectors against every ground truth that can be made from several annotators."
    ),
    keywords=("detector", "precision", "recall", "ranking", "ground truth", "aucr", "annotator"),
    topic=DETECTORS,
    module="detectors.rank_detectors",
    class_name="RankDetectors",
)
COMPARE_ANNOTATORS = AlgorithmEntry(
    key="compareannotators",
    label=tr("Compare annotators"),
    description=tr(
        "Measures how far annotators of the same area agree, and shows where they differ."
    ),
    keywords=("annotator", "agreement", "kappa", "outlier", "smyth", "f1", "label", "expert"),
    topic=ANNOTATORS,
    module="agreement.compare_annotators",
    class_name="CompareAnnotators",
)
MAKE_CONSENSUS = AlgorithmEntry(
    key="consensus",
    label=tr("Make consensus of annotators"),
    description=tr("Combines the polygons of several annotators of the same area into one layer."),
    keywords=(
        "consensus",
        "ground truth",
        "staple",
        "simple",
        "lsml",
        "majority",
        "vote",
        "annotator",
    ),
    topic=ANNOTATORS,
    module="agreement.make_consensus",
    class_name="MakeConsensus",
)
ANNOTATOR_VARIANCE = AlgorithmEntry(
    key="annotatorvariance",
    label=tr("Annotator variance"),
    description=tr("Measures how much RandCrowns, IoU and IoUCrowns depend on the annotator."),
    keywords=(
        "variance",
        "annotator",
        "cross-validation",
        "iou",
        "gallery",
        "scatter",
        "tree",
        "crown",
    ),
    topic=PARAMETERS,
    module="tuning.variance",
    class_name="MeasureVariance",
)
TUNE_PARAMETERS = AlgorithmEntry(
    key="tuneparameters",
    label=tr("Tune parameters"),
    description=tr("Chooses alpha, omega and gamma by the variance between annotators."),
    keywords=("parameters", "alpha", "omega", "gamma", "variance", "annotator", "grid", "tuning"),
    topic=PARAMETERS,
    module="tuning.tune",
    class_name="TuneParameters",
)
EVALUATE_INSTANCES = AlgorithmEntry(
    key="evaluateinstances",
    label=tr("Evaluate crown instances"),
    description=tr(
        "Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU."
    ),
    keywords=(
        "instance",
        "segmentation",
        "detection",
        "panoptic",
        "precision",
        "recall",
        "f1",
        "tree",
    ),
    topic=INSTANCES,
    module="instances.evaluate_instances",
    class_name="EvaluateInstances",
)
EVALUATE_POINT_CLOUD = AlgorithmEntry(
    key="evaluatepointcloud",
    label=tr("Evaluate point cloud instances"),
    description=tr("Matches the predicted trees of a labelled point cloud with its target trees."),
    keywords=("point cloud", "las", "laz", "copc", "instance", "segmentation", "tree", "pointtree"),
    topic=INSTANCES,
    module="instances.evaluate_point_cloud",
    class_name="EvaluatePointCloud",
)
IMPORT_CROWNS = AlgorithmEntry(
    key="importcrowns",
    label=tr("Import crowns"),
    description=tr(
        "Imports crowns from annotation files, such as COCO, DeepForest or CVAT files, and from "
        "label rasters."
    ),
    keywords=(
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
    topic=EXCHANGE,
    module="exchange.crown_import",
    class_name="ImportCrowns",
)
EXPORT_CROWNS = AlgorithmEntry(
    key="exportcrowns",
    label=tr("Export crowns"),
    description=tr(
        "Writes targets and predictions as COCO, DeepForest, Pascal VOC, YOLO, GeoJSON, GeoPackage "
        "or tables."
    ),
    keywords=(
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
    topic=EXCHANGE,
    module="exchange.crown_export",
    class_name="ExportCrowns",
)
EXPORT_LAYERS = AlgorithmEntry(
    key="exportlayers",
    label=tr("Export layers and tables"),
    description=tr(
        "Writes the results of a run as one GeoPackage with styles, or as GeoJSON, GeoParquet, "
        "XLSX or CSV."
    ),
    keywords=("export", "run", "geopackage", "style", "xlsx", "csv", "geoparquet", "geojson"),
    topic=EXCHANGE,
    module="exchange.layer_export",
    class_name="ExportLayers",
)
REPORT = AlgorithmEntry(
    key="report",
    label=tr("Make report"),
    description=tr(
        "Writes a report of runs as HTML or PDF: conclusions, parameters, tables, plots and maps."
    ),
    keywords=("report", "html", "pdf", "print", "publish", "methods", "bibtex", "jinja"),
    topic=REPORTS,
    module="report.report",
    class_name="MakeReport",
)
EXPLORE = AlgorithmEntry(
    key="explore",
    label=tr("Make page to explore"),
    description=tr(
        "Writes a run as one HTML file with map, table and verdicts, to explore in a browser "
        "without QGIS."
    ),
    keywords=("explore", "html", "browser", "map", "leaflet", "review", "verdict", "share", "web"),
    topic=REPORTS,
    module="report.explore",
    class_name="MakeExplorer",
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

"""The group of algorithms that Processing shows as RandCrowns."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from randcrowns.algorithms.agreement.compare import CompareAnnotators
from randcrowns.algorithms.agreement.consensus import MakeConsensus
from randcrowns.algorithms.detectors.rank import RankDetectors
from randcrowns.algorithms.instances.cloud import EvaluatePointCloud
from randcrowns.algorithms.instances.polygons import EvaluateInstances
from randcrowns.algorithms.outputs import RASTER_ENDINGS
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns
from randcrowns.algorithms.scoring.target_regions import TargetRegionsAlgorithm
from randcrowns.algorithms.tuning.tune import TuneParameters
from randcrowns.algorithms.tuning.variance import AnnotatorVarianceAlgorithm

_ICON = Path(__file__).parent.parent / "resources" / "icons" / "randcrowns.svg"


class RandCrownsProvider(QgsProcessingProvider):
    """Everything the plugin can do without a window."""

    def id(self) -> str:
        return "randcrowns"

    def name(self) -> str:
        return "RandCrowns"

    def icon(self) -> QIcon:
        return QIcon(str(_ICON))

    def supportedOutputRasterLayerExtensions(self) -> list[str]:  # noqa: N802 - QGIS's name
        """What rasters are written as."""
        return [ending.lstrip(".") for ending in RASTER_ENDINGS]

    def defaultRasterFileExtension(self) -> str:  # noqa: N802 - QGIS's name
        """Of temporary rasters, whatever the user's usual format is."""
        return "tif"

    def loadAlgorithms(self) -> None:  # noqa: N802 - QGIS's name
        for algorithm in (
            ScoreCrowns,
            TargetRegionsAlgorithm,
            RankDetectors,
            CompareAnnotators,
            MakeConsensus,
            AnnotatorVarianceAlgorithm,
            TuneParameters,
            EvaluateInstances,
            EvaluatePointCloud,
        ):
            self.addAlgorithm(algorithm())

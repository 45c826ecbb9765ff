"""The runs that are frozen: every algorithm on the sample plot, with small settings and each
choice that computes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Callable

import numpy as np
from qgis.core import QgsRasterLayer, QgsVectorLayer
from support.clouds import NAMES, labelled_cloud, write_cloud

__all__ = ["CASES", "Sample"]

_PAIRINGS = ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian")
_METHODS = ("0.5", "any", "0.75", "unanimous", "level", "excl-0.5", "staple", "simple", "lsml")
_MATCHINGS = (
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
)
_NO_MAPS: dict[str, Any] = {"PAIRS": None, "REGIONS": None}


@dataclass(frozen=True)
class Sample:
    """The sample plot in a folder, as layers, each opened once."""

    folder: Path
    _opened: dict[str, QgsVectorLayer] = field(default_factory=dict, repr=False)

    def layer(self, name: str) -> QgsVectorLayer:
        """What somebody drew, or the true crowns."""
        if name not in self._opened:
            self._opened[name] = QgsVectorLayer(
                f"{self.folder / 'crowns.gpkg'}|layername={name}", name, "ogr"
            )
        return self._opened[name]

    def layers(self, *names: str) -> list[QgsVectorLayer]:
        """Several of them."""
        return [self.layer(name) for name in names]

    @property
    def annotators(self) -> list[QgsVectorLayer]:
        """What the four annotators drew."""
        return self.layers(*(f"annotator_{number}" for number in (1, 2, 3, 4)))

    @property
    def image(self) -> QgsRasterLayer:
        """The image."""
        return QgsRasterLayer(str(self.folder / "image.tif"), "image")

    @property
    def cloud(self) -> str:
        """The simulated cloud."""
        return str(self.folder / "cloud.laz")

    def small_cloud(self, none: int) -> str:
        """A cloud of four trees; ``none`` is the number of points in no predicted tree."""
        xyz, target, prediction = labelled_cloud()
        labels = {
            "tree": target,
            "found": np.where(prediction < 0, none, prediction).astype(np.int32),
        }
        return str(write_cloud(self.folder / f"small {none}.las", xyz, labels))


Case = Callable[[Sample], tuple[str, dict[str, Any]]]


def _score(s: Sample, **parameters: Any) -> tuple[str, dict[str, Any]]:
    drawn = s.layers("annotator_2", "detector")
    return "scorecrowns", {"TARGETS": s.layer("annotator_1"), "DELINEATIONS": drawn, **parameters}


def _compare(s: Sample, **parameters: Any) -> tuple[str, dict[str, Any]]:
    return "compareannotators", {"ANNOTATORS": s.annotators, "BOOTSTRAP_SAMPLES": 40, **parameters}


#: The mean decision, STAPLE's prior by default when the runs were frozen; "any" stands first now.
_MEAN_PRIOR = {"PRIOR": 1}


def _consensus(s: Sample, method: str, **parameters: Any) -> tuple[str, dict[str, Any]]:
    return "consensus", {
        "ANNOTATORS": s.annotators,
        "METHOD": _METHODS.index(method),
        **_MEAN_PRIOR,
        **parameters,
    }


def _rank(s: Sample, **parameters: Any) -> tuple[str, dict[str, Any]]:
    detectors = s.layers("detector", "detector_2", "detector_3")
    return "rankdetectors", {
        "DETECTORS": detectors,
        "ANNOTATORS": s.annotators,
        "BOOTSTRAP_SAMPLES": 20,
        "STAPLE_PRIOR": 1,
        **parameters,
    }


def _evaluate(s: Sample, found: str, cut: str, **parameters: Any) -> tuple[str, dict[str, Any]]:
    methods = {
        "DETECTION_METHOD": _MATCHINGS.index(found),
        "SEGMENTATION_METHOD": _MATCHINGS.index(cut),
    }
    return "evaluateinstances", {
        "TARGETS": s.layer("crowns"),
        "PREDICTIONS": s.layer("detector"),
        **methods,
        **parameters,
    }


def _cloud(s: Sample, none: int = -1, **parameters: Any) -> tuple[str, dict[str, Any]]:
    return "evaluatepointcloud", {"INPUT": s.small_cloud(none), **NAMES, **parameters}


def _variance(s: Sample, **parameters: Any) -> tuple[str, dict[str, Any]]:
    return "annotatorvariance", {"ANNOTATORS": s.annotators, **parameters}


def _tune(s: Sample, **parameters: Any) -> tuple[str, dict[str, Any]]:
    grid = {"ALPHAS": "0.3:0.9:0.3", "OMEGAS": "0.4:1.2:0.4", "GAMMAS": "1 3"}
    return "tuneparameters", {"ANNOTATORS": s.annotators, **grid, **parameters}


def _with_image(
    case: Callable[..., tuple[str, dict[str, Any]]], name: str, **parameters: Any
) -> Case:
    return lambda s: case(s, **{name: s.image}, **parameters)


_OWN: dict[str, Any] = {"ALPHA": 0.5, "OMEGA": 1.0, "GAMMA": 2.0}

CASES: dict[str, Case] = {
    **{
        f"score {name}": partial(_score, PAIRING=place, **_NO_MAPS)
        for place, name in enumerate(_PAIRINGS)
    },
    "score field polygons": partial(
        _score, PRESET=1, CORNER_STYLE=2, RANDCROWNS_THRESHOLD=0.8, SEARCH_RADIUS=2.0
    ),
    "score own values": _with_image(
        _score, "EXTENT", PRESET=3, CORNER_STYLE=1, PLOT_FIELD="plot", **_OWN
    ),
    "score idtrees": _with_image(_score, "EXTENT", PRESET=2, **_NO_MAPS),
    "score above a threshold": partial(
        _score, SCORE_FIELD="score", SCORE_THRESHOLD=0.6, **_NO_MAPS
    ),
    "regions": lambda s: ("targetregions", {"TARGETS": s.layer("crowns")}),
    "regions in an image": lambda s: (
        "targetregions",
        {
            "TARGETS": s.layer("annotator_3"),
            "EXTENT": s.image,
            "PRESET": 2,
            "CORNER_STYLE": 2,
            **_OWN,
        },
    ),
    "compare": _compare,
    "compare in a study area": lambda s: _compare(
        s, EXTENT=s.image, EXCLUDED=s.layer("field_polygons"), MIN_AREA=1.0, BLOCK_SIDE=8.0
    ),
    "compare in pixels": partial(
        _compare, RESOLUTION=0.5, LEAVE_ONE_OUT=True, AGREEMENT_RASTER="TEMPORARY_OUTPUT"
    ),
    "compare with the image": _with_image(_compare, "IMAGE", WINDOW=5, RED=3, GREEN=2, BLUE=1),
    **{
        f"consensus {name}": partial(_consensus, method=name) for name in _METHODS if name != "lsml"
    },
    "consensus of a share": partial(_consensus, method="level", LEVEL=0.6, LEAVE_ONE_OUT=True),
    "consensus lsml": partial(_consensus, method="lsml", RESOLUTION=1.0, MAX_ITERATIONS=60),
    "consensus lsml unclipped": partial(
        _consensus, method="lsml", RESOLUTION=1.0, MAX_ITERATIONS=20, CLIPPED=False, CURVATURE=0.1
    ),
    "consensus staple in pixels": partial(
        _consensus, method="staple", RESOLUTION=0.5, PRIOR=0, PROBABILITY="TEMPORARY_OUTPUT"
    ),
    "consensus staple by number": _with_image(
        _consensus, "EXTENT", method="staple", PRIOR=2, PRIOR_VALUE=0.3, ASSIGN_CONSENSUS=True
    ),
    "consensus simple by share": partial(
        _consensus, method="simple", SIMPLE_RULE=1, SIMPLE_FACTOR=0.95
    ),
    "rank": _rank,
    "rank in pixels": partial(
        _rank,
        RESOLUTION=0.5,
        TOLERANCE=1.0,
        CONSENSUS_METHODS=list(range(9)),
        SKEW_LIMITS=1,
        STAPLE_PRIOR=0,
    ),
    "rank by area": partial(
        _rank,
        COUNTED_UNITS=1,
        RESAMPLED_GROUND_TRUTH=4,
        TILE_SIDE=7.0,
        CERTAINTY=0.8,
        MIN_SKEW=0.2,
        MAX_SKEW=0.6,
        CONSENSUS_METHODS=[0, 2],
    ),
    "rank by crowns": partial(
        _rank,
        COUNTED_UNITS=2,
        CROWN_SCORE=1,
        CROWN_THRESHOLD=0.6,
        PRESET=2,
        ALL_DRAWN=False,
        PLOT_FIELD="plot",
        **_OWN,
    ),
    "rank a raster": lambda s: _rank(
        s,
        DETECTORS=[s.image, s.layer("detector")],
        BAND=2,
        CONSENSUS_METHODS=[0, 1, 2],
        COUNTED_UNITS=1,
        BOOTSTRAP_SAMPLES=0,
        RESOLUTION=0.4,
    ),
    **{f"instances {name}": partial(_evaluate, found=name, cut=name) for name in _MATCHINGS},
    "instances by height": partial(
        _evaluate,
        found="point2tree",
        cut="for_ai_net_coverage",
        HEIGHT_FIELD="height",
        PLOT_FIELD="plot",
    ),
    "cloud": _cloud,
    "cloud with other choices": partial(
        _cloud,
        none=-5,
        DETECTION_METHOD=5,
        SEGMENTATION_METHOD=1,
        INCLUDE_UNMATCHED=False,
        NUM_PARTITIONS=4,
        PARTITION_END=1,
        MIN_PRECISION_FP=0.9,
        CELL_SIZE=0.5,
        PREDICTION_NO_TREE_ID=-5,
    ),
    "cloud of the sample": lambda s: (
        "evaluatepointcloud",
        {
            "INPUT": s.cloud,
            "TARGET_ATTRIBUTE": "tree_id",
            "PREDICTION_ATTRIBUTE": "predicted_id",
            "TREE_PARTITIONS": None,
        },
    ),
    "variance": _variance,
    "variance of warped copies": lambda s: _variance(
        s,
        ANNOTATORS=s.layers("annotator_1"),
        WARPS=4,
        WARP_SCALE=0.2,
        WARP_ROTATION=5.0,
        WARP_TRANSLATION=0.3,
    ),
    "variance of field targets": lambda s: _variance(
        s,
        TARGETS=s.layer("field_polygons"),
        PRESET=2,
        MIN_IOU=0.4,
        CORNER_STYLE=2,
        EXTENT=s.image,
        **_OWN,
    ),
    "tune": _tune,
    "tune field targets": lambda s: _tune(
        s,
        TARGETS=s.layer("field_polygons"),
        WRONG_PAIR_THRESHOLD=0.6,
        MAX_EXCLUDED=20.0,
        CORNER_STYLE=1,
        PLOT_FIELD="plot",
        MIN_IOU=0.3,
    ),
}

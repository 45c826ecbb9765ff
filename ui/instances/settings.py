"""The choices of page Instances as one plain value: kept in the project, compared, handed to the algorithm."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from randcrowns.algorithms.instances.choices import METHODS, REACHES
from randcrowns.core.instances.matching import Method
from randcrowns.ui.services.memory import taken_up
from randcrowns.ui.services.result_file import as_kept, as_taken, place_of

__all__ = ["CLOUD", "CLOUD_OUTPUTS", "FARTHEST", "POLYGONS", "POLYGON_OUTPUTS", "QUANTILE", "InstanceSettings"]

POLYGONS, CLOUD = "polygons", "cloud"
QUANTILE, FARTHEST = "quantile", "farthest"
_REACH = dict(zip((QUANTILE, FARTHEST), range(len(REACHES))))
_ALGORITHMS = {POLYGONS: "randcrowns:evaluateinstances", CLOUD: "randcrowns:evaluatepointcloud"}
#: From top to bottom in the layer tree.
POLYGON_OUTPUTS = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
_DRAWN = POLYGON_OUTPUTS[:2]
CLOUD_OUTPUTS = (*POLYGON_OUTPUTS, "METRICS", "PARTITIONS", "TREE_PARTITIONS", "PERFORMANCE")


@dataclass(frozen=True)
class InstanceSettings:
    """What page Instances knows when Run is pressed; layers by id, the point cloud by its path.

    Without a ``file`` the new layers go to the GeoPackage beside the project, or to memory where that has no file.
    """

    kind: str = POLYGONS
    targets: str = ""
    predictions: str = ""
    height_field: str = ""
    group_field: str = ""
    cloud: str = ""
    cloud_stamp: str = ""
    target_attribute: str = ""
    prediction_attribute: str = ""
    invalid_id: int = -1
    prediction_invalid_id: int = -1
    cloud_crs: str = ""
    detection: str = Method.PANOPTIC_SEGMENTATION.value
    segmentation: str = Method.FOR_AI_NET_COVERAGE.value
    include_unmatched: bool = True
    n_partitions: int = 10
    reach: str = QUANTILE
    min_share: float = 0.0
    min_height: float = 0.0
    cell: float = 0.2
    file: str = ""

    @property
    def algorithm(self) -> str:
        """Id of the algorithm to run."""
        return _ALGORITHMS[self.kind]

    @property
    def outputs(self) -> tuple[str, ...]:
        """What the algorithm makes."""
        return POLYGON_OUTPUTS if self.kind == POLYGONS else CLOUD_OUTPUTS

    def to_choices(self) -> dict[str, Any]:
        """As plain values for the project."""
        return {**asdict(self), "cloud": as_kept(self.cloud), "file": as_kept(self.file)}

    @classmethod
    def from_choices(cls, choices: dict[str, Any]) -> InstanceSettings:
        """From what the project kept; the two attributes once had one number for no tree."""
        kept = taken_up(cls(), {"prediction_invalid_id": choices.get("invalid_id", cls.invalid_id), **choices})
        return replace(kept, cloud=as_taken(kept.cloud), file=as_taken(kept.file))

    def to_parameters(self) -> dict[str, Any]:
        """The parameters of the algorithm, every output a layer in memory or a new table of the file."""
        parameters: dict[str, Any] = {
            "DETECTION_METHOD": METHODS.index(Method(self.detection)),
            "SEGMENTATION_METHOD": METHODS.index(Method(self.segmentation)),
            **{output: place_of(output, self.file, output in _DRAWN) for output in self.outputs},
        }
        if self.kind == POLYGONS:
            parameters.update(TARGETS=self.targets, PREDICTIONS=self.predictions)
            if self.height_field:
                parameters["HEIGHT_FIELD"] = self.height_field
            if self.group_field:
                parameters["GROUP_FIELD"] = self.group_field
            return parameters
        parameters.update(
            INPUT=self.cloud,
            TARGET=self.target_attribute,
            PREDICTION=self.prediction_attribute,
            INVALID_ID=self.invalid_id,
            PREDICTION_INVALID_ID=self.prediction_invalid_id,
            INCLUDE_UNMATCHED=self.include_unmatched,
            NUM_PARTITIONS=self.n_partitions,
            REACH=_REACH[self.reach],
            MIN_PRECISION_FP=self.min_share,
            MIN_HEIGHT_FP=self.min_height,
            CELL=self.cell,
        )
        if self.cloud_crs:
            parameters["CRS"] = self.cloud_crs
        return parameters

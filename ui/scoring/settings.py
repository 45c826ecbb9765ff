"""The choices of page Score as one plain value: kept in the project, compared, handed to the algorithm."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsRectangle,
    QgsReferencedRectangle,
)

from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.ui.services.memory import taken_up
from randcrowns.ui.services.result_file import as_kept, as_taken, place_of

__all__ = [
    "ALGORITHM",
    "EXTENTS",
    "FIELDS",
    "NEW_LAYERS",
    "OFFSETS",
    "PAIRINGS",
    "PRESET_KEYS",
    "ScoreSettings",
]

ALGORITHM = "randcrowns:scorecrowns"
PRESET_KEYS = ("image_boxes", "field_polygons", "idtrees", "own")
OFFSETS = ("auto", "mitre", "round")
PAIRINGS = ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian")
EXTENTS = ("none", "image", "layer", "canvas")
NEW_LAYERS, FIELDS = "new_layers", "fields"
_FIELDS_NEED = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")
_OUTPUTS = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")


@dataclass(frozen=True)
class ScoreSettings:
    """What page Score knows when Run is pressed; layers by id, lengths in metres.

    Without a ``file`` the new layers go to the GeoPackage beside the project, or to memory where that has no file.
    """

    target: str = ""
    delineations: tuple[str, ...] = ()
    preset: str = "image_boxes"
    alpha: float = PRESETS["image_boxes"].alpha
    omega: float = PRESETS["image_boxes"].omega
    gamma: float = PRESETS["image_boxes"].gamma
    offsets: str = "auto"
    pairing: str = "nearest"
    search_radius: float = 0.0
    group_field: str = ""
    score_field: str = ""
    score_threshold: float = 0.5
    randcrowns_threshold: float = 0.5
    extent: str = "none"
    extent_layer: str = ""
    extent_image: str = ""
    canvas: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    canvas_crs: str = ""
    selected_only: bool = False
    destination: str = NEW_LAYERS
    file: str = ""

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """Every layer a run reads."""
        extent = (self.extent_layer,) if self.extent == "layer" and self.extent_layer else ()
        return (self.target, *self.delineations, *extent)

    @property
    def region_parameters(self) -> RandCrownsParameters | None:
        """What the regions are made with; None for the competition's preset, which has no such regions."""
        if self.preset == "idtrees":
            return None
        return RandCrownsParameters(self.alpha, self.omega, self.gamma, self.offsets)

    def _place_of(self, output: str) -> str:
        """Where an output goes."""
        if self.destination == FIELDS:
            return str(QgsProcessing.TEMPORARY_OUTPUT)
        return place_of(output, self.file, output != "SUMMARY")

    @property
    def rectangle(self) -> QgsReferencedRectangle | None:
        """The image extent where it is a rectangle: that of the image, or what the map showed."""
        if self.extent == "canvas":
            return QgsReferencedRectangle(QgsRectangle(*self.canvas), QgsCoordinateReferenceSystem(self.canvas_crs))
        image = QgsProject.instance().mapLayer(self.extent_image) if self.extent == "image" else None
        return None if image is None else QgsReferencedRectangle(image.extent(), image.crs())

    def to_choices(self) -> dict[str, Any]:
        """As plain values for the project; the map canvas is not kept, it is where the user looks."""
        choices = {**asdict(self), "file": as_kept(self.file)}
        del choices["canvas"], choices["canvas_crs"]
        return choices

    @classmethod
    def from_choices(cls, choices: dict[str, Any]) -> ScoreSettings:
        """From what the project kept; anything unknown or of the wrong kind falls back to its default."""
        kept = taken_up(cls(), choices, ("canvas", "canvas_crs"))
        return replace(kept, file=as_taken(kept.file))

    def to_parameters(self) -> dict[str, Any]:
        """The parameters of the algorithm, every output a layer in memory or a new table of the file."""
        target: Any = self.target
        if self.selected_only:
            target = QgsProcessingFeatureSourceDefinition(self.target, True)
        parameters: dict[str, Any] = {
            "TARGETS": target,
            "DELINEATIONS": list(self.delineations),
            "PRESET": PRESET_KEYS.index(self.preset),
            "ALPHA": self.alpha,
            "OMEGA": self.omega,
            "GAMMA": self.gamma,
            "OFFSETS": OFFSETS.index(self.offsets),
            "PAIRING": PAIRINGS.index(self.pairing),
            "SEARCH_RADIUS": self.search_radius,
            "RANDCROWNS_THRESHOLD": self.randcrowns_threshold,
        }
        if self.group_field:
            parameters["GROUP_FIELD"] = self.group_field
        if self.score_field:
            parameters["SCORE_FIELD"] = self.score_field
            parameters["SCORE_THRESHOLD"] = self.score_threshold
        if self.extent == "layer" and self.extent_layer:
            parameters["EXTENT_LAYER"] = self.extent_layer
        if self.rectangle is not None:
            parameters["EXTENT"] = self.rectangle
        wanted = _FIELDS_NEED if self.destination == FIELDS else _OUTPUTS
        parameters.update({output: self._place_of(output) for output in wanted})
        return parameters

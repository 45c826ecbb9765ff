"""The choices of page Parameters as one plain value: kept in the project, compared, handed to the algorithms."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from qgis.core import QgsProcessing, QgsProject, QgsRasterLayer, QgsReferencedRectangle

from randcrowns.algorithms.choices import OFFSETS, OWN
from randcrowns.algorithms.tuning.choices import PRESETS_HERE
from randcrowns.core.tuning.experiment import MIN_IOU
from randcrowns.ui.services.memory import taken_up
from randcrowns.ui.services.result_file import as_kept, as_taken

__all__ = ["LOOK_OUTPUTS", "TUNE", "VARIANCE", "Lengths", "TuningSettings"]

TUNE, VARIANCE = "randcrowns:tuneparameters", "randcrowns:annotatorvariance"
LOOK_OUTPUTS = ("VARIANCE", "CROWNS", "DRAWINGS", "LEFT_OUT", "GALLERY")
_TUNE_OUTPUTS = ("GRID", "RECOMMENDED", "VARIANCE")

#: alpha and omega in metres, gamma.
Lengths = tuple[float, float, float]


@dataclass(frozen=True)
class TuningSettings:
    """What page Parameters knows when Run is pressed; layers by id, lengths in metres, shares in percent."""

    annotators: tuple[str, ...] = ()
    target: str = ""
    group_field: str = ""
    min_iou: float = MIN_IOU
    warps: int = 3
    warp_scale: float = 0.1
    warp_rotation: float = 10.0
    warp_translation: float = 0.4
    alpha_from: float = 0.1
    alpha_to: float = 1.0
    alpha_step: float = 0.1
    omega_from: float = 0.1
    omega_to: float = 1.5
    omega_step: float = 0.1
    gamma_from: float = 1.0
    gamma_to: float = 7.0
    gamma_step: float = 1.0
    limit: float = 0.5
    most_left_out: float = 5.0
    offsets: str = OFFSETS[0]
    extent_layer: str = ""
    file: str = ""

    @property
    def image_rectangle(self) -> QgsReferencedRectangle | None:
        """The extent where it is that of an image."""
        layer = QgsProject.instance().mapLayer(self.extent_layer)
        return QgsReferencedRectangle(layer.extent(), layer.crs()) if isinstance(layer, QgsRasterLayer) else None

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """Every layer a run reads."""
        return (*filter(None, (self.target, self.extent_layer)), *self.annotators)

    def score_choices(self) -> dict[str, Any]:
        """What page Score is to take over beside the set: what was chosen here, or else nothing."""
        choices: dict[str, Any] = {"offsets": self.offsets}
        if self.group_field:
            choices["group_field"] = self.group_field
        if self.image_rectangle is not None:
            choices.update(extent="image", extent_image=self.extent_layer)
        elif QgsProject.instance().mapLayer(self.extent_layer) is not None:
            choices.update(extent="layer", extent_layer=self.extent_layer)
        return choices

    def to_choices(self) -> dict[str, Any]:
        """As plain values for the project."""
        return {**asdict(self), "file": as_kept(self.file)}

    @classmethod
    def from_choices(cls, choices: dict[str, Any]) -> TuningSettings:
        """From what the project kept; anything unknown or of the wrong kind falls back to its default."""
        kept = taken_up(cls(), choices)
        return replace(kept, file=as_taken(kept.file))

    def to_parameters(self) -> dict[str, Any]:
        """The parameters of the grid search, every output a table in memory."""
        return {
            **self._labelers(),
            "ALPHAS": _range(self.alpha_from, self.alpha_to, self.alpha_step),
            "OMEGAS": _range(self.omega_from, self.omega_to, self.omega_step),
            "GAMMAS": _range(self.gamma_from, self.gamma_to, self.gamma_step),
            "LIMIT": self.limit,
            "MOST_LEFT_OUT": self.most_left_out,
            **{output: str(QgsProcessing.TEMPORARY_OUTPUT) for output in _TUNE_OUTPUTS},
        }

    def look_parameters(self, lengths: Lengths) -> dict[str, Any]:
        """The parameters of the experiment at one set, every output a table in memory."""
        return {**self._at(lengths), **{output: str(QgsProcessing.TEMPORARY_OUTPUT) for output in LOOK_OUTPUTS}}

    def gallery_parameters(self, lengths: Lengths, image: str, file: str, number: int) -> dict[str, Any]:
        """The parameters of the experiment at one set, with the gallery as a picture alone."""
        picture = {"GALLERY_FILE": file, "LOOKS": number}
        return {**self._at(lengths), **picture, **({"IMAGE": image} if image else {})}

    def _at(self, lengths: Lengths) -> dict[str, Any]:
        numbers = dict(zip(("ALPHA", "OMEGA", "GAMMA"), lengths))
        return {**self._labelers(), "PRESET": PRESETS_HERE.index(OWN), **numbers}

    def _labelers(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "ANNOTATORS": list(self.annotators),
            "MIN_IOU": self.min_iou,
            "WARPS": self.warps,
            "WARP_SCALE": self.warp_scale,
            "WARP_ROTATION": self.warp_rotation,
            "WARP_TRANSLATION": self.warp_translation,
            "OFFSETS": OFFSETS.index(self.offsets),
        }
        if self.target:
            found["TARGETS"] = self.target
        if self.image_rectangle is not None:
            found["EXTENT"] = self.image_rectangle
        elif self.extent_layer:
            found["EXTENT_LAYER"] = self.extent_layer
        if self.group_field:
            found["GROUP_FIELD"] = self.group_field
        return found


def _range(first: float, last: float, step: float) -> str:
    return f"{first:g}:{last:g}:{step:g}" if last > first else f"{first:g}"

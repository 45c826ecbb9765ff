"""The choices of page Detectors as one plain value: kept in the project, compared, handed to the algorithm."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle, QgsReferencedRectangle

from randcrowns.algorithms.detectors.choices import CROWN_PRESETS, CROWN_SCORES, PRIORS, RULES, SKEWS, TRUTHS, UNITS
from randcrowns.core.bootstrap import LEVEL
from randcrowns.ui.services.memory import taken_up
from randcrowns.ui.services.result_file import as_kept, as_taken, place_of

__all__ = ["ALGORITHM", "OUTPUTS", "DetectorSettings"]

ALGORITHM = "randcrowns:rankdetectors"
#: From top to bottom in the layer tree.
OUTPUTS = ("TRUTH_POLYGONS", "AUCR", "RANKINGS", "CERTAINTY_TABLE", "CORRELATIONS", "TAU", "CURVES")


@dataclass(frozen=True)
class DetectorSettings:
    """What page Detectors knows when Run is pressed; layers by id, lengths in metres, 0 for automatic.

    Without a ``file`` the tables go to the GeoPackage beside the project, or to memory where that has no file.
    """

    detectors: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    score_field: str = "score"
    band: int = 1
    truths: tuple[str, ...] = TRUTHS[:-1]
    prior: str = PRIORS[0]
    units: str = UNITS[0]
    skew: str = SKEWS[0]
    low: float = 0.1
    high: float = 0.5
    extent: str = "none"
    extent_layer: str = ""
    training: str = ""
    canvas: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    canvas_crs: str = ""
    resolution: float = 0.0
    tolerance: float = 0.0
    crown_score: str = CROWN_SCORES[0]
    crown_threshold: float = 0.5
    preset: str = CROWN_PRESETS[0]
    all_drawn: bool = True
    group_field: str = ""
    rule: str = RULES[0]
    draws: int = 500
    tile_side: float = 0.0
    certainty: float = LEVEL
    file: str = ""

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """Every layer a run reads."""
        extent = (self.extent_layer,) if self.extent == "layer" and self.extent_layer else ()
        training = (self.training,) if self.training else ()
        return (*self.detectors, *self.annotators, *extent, *training)

    def to_choices(self) -> dict[str, Any]:
        """As plain values for the project; the map canvas is not kept, it is where the user looks."""
        choices = {**asdict(self), "file": as_kept(self.file)}
        del choices["canvas"], choices["canvas_crs"]
        return choices

    @classmethod
    def from_choices(cls, choices: dict[str, Any]) -> DetectorSettings:
        """From what the project kept."""
        kept = taken_up(cls(), choices, ("canvas", "canvas_crs"))
        return replace(kept, file=as_taken(kept.file))

    def to_parameters(self) -> dict[str, Any]:
        """The parameters of the algorithm, every output a layer in memory or a new table of the file."""
        parameters: dict[str, Any] = {
            "DETECTORS": list(self.detectors),
            "SCORE_FIELD": self.score_field,
            "BAND": self.band,
            "ANNOTATORS": list(self.annotators),
            "TRUTHS": [TRUTHS.index(key) for key in self.truths if key in TRUTHS],
            "STAPLE_PRIOR": PRIORS.index(self.prior),
            "UNITS": UNITS.index(self.units),
            "SKEW": SKEWS.index(self.skew),
            "LOW": self.low,
            "HIGH": self.high,
            "RESOLUTION": self.resolution,
            "TOLERANCE": self.tolerance,
            "CROWN_SCORE": CROWN_SCORES.index(self.crown_score),
            "CROWN_THRESHOLD": self.crown_threshold,
            "PRESET": CROWN_PRESETS.index(self.preset),
            "ALL_DRAWN": self.all_drawn,
            "RULE": RULES.index(self.rule),
            "DRAWS": self.draws,
            "TILE_SIDE": self.tile_side,
            "CERTAINTY": self.certainty,
        }
        if self.group_field:
            parameters["GROUP_FIELD"] = self.group_field
        if self.extent == "layer" and self.extent_layer:
            parameters["EXTENT_LAYER"] = self.extent_layer
        if self.extent == "canvas":
            parameters["EXTENT"] = QgsReferencedRectangle(
                QgsRectangle(*self.canvas), QgsCoordinateReferenceSystem(self.canvas_crs)
            )
        if self.training:
            parameters["TRAINING"] = self.training
        parameters.update({output: place_of(output, self.file, output == "TRUTH_POLYGONS") for output in OUTPUTS})
        return parameters

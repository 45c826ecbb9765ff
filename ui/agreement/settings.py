"""The choices of page Annotators as one plain value: kept in the project, compared, handed to the algorithms."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle, QgsReferencedRectangle

from randcrowns.algorithms.agreement.choices import PRIORS
from randcrowns.algorithms.agreement.methods import KEYS
from randcrowns.core.agreement.simple_vote import RULES
from randcrowns.ui.services.memory import taken_up
from randcrowns.ui.services.result_file import as_kept, as_taken, place_of, raster_place_of

__all__ = ["COMPARE", "CONSENSUS", "METHODS", "NO_LIMIT", "OUTPUTS", "AnnotatorSettings"]

COMPARE, CONSENSUS = "randcrowns:compareannotators", "randcrowns:consensus"
#: Methods of a consensus.
METHODS = KEYS
#: From top to bottom in the layer tree.
OUTPUTS = ("DISAGREEMENTS", "AGREEMENT", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "RATIO", "LINKAGE")
#: Of Smyth's bound, until the user says what is acceptable.
NO_LIMIT = -0.005
_CONSENSUS_OUTPUTS = ("CONSENSUS", "PERFORMANCE", "PRIORS")
_DRAWN, _RASTERS = ("DISAGREEMENTS", "AGREEMENT", "CONSENSUS"), ("AGREEMENT_RASTER", "PROBABILITY")
#: What is chosen beside the results, and where the user looks: none of it changes a comparison.
_BESIDE = (
    *("canvas", "canvas_crs", "limit", "method", "share", "prior", "prior_value", "assign_consensus"),
    *("simple_rule", "simple_a", "clipped", "rounds", "curvature", "each_left_out", "file"),
)


@dataclass(frozen=True)
class AnnotatorSettings:
    """What page Annotators knows when Run is pressed; layers by id, lengths in metres, 0 for automatic.

    Without a ``file`` the new layers go to the GeoPackage beside the project, or to memory where that has no file.
    """

    annotators: tuple[str, ...] = ()
    field: str = ""
    extent: str = "none"
    extent_layer: str = ""
    canvas: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    canvas_crs: str = ""
    resolution: float = 0.0
    image: str = ""
    red: int = 0
    green: int = 0
    blue: int = 0
    window: int = 7
    left_out: str = ""
    leave_one_out: bool = False
    min_area: float = 0.0
    block_side: float = 0.0
    draws: int = 1000
    raster: bool = False
    limit: float = NO_LIMIT
    method: str = "0.5"
    share: float = 0.5
    prior: str = "mean"
    prior_value: float = 0.5
    assign_consensus: bool = False
    simple_rule: str = "deviation"
    simple_a: float = 1.0
    clipped: bool = True
    rounds: int = 1000
    curvature: float = 0.0
    each_left_out: bool = False
    file: str = ""

    @property
    def layer_ids(self) -> tuple[str, ...]:
        """Every vector layer a run reads."""
        extent = (self.extent_layer,) if self.extent == "layer" and self.extent_layer else ()
        left_out = (self.left_out,) if self.left_out else ()
        return (*self.annotators, *extent, *left_out)

    @property
    def comparison(self) -> AnnotatorSettings:
        """Only what a comparison depends on; the rest is as usual."""
        usual = AnnotatorSettings()
        return replace(self, **{name: getattr(usual, name) for name in _BESIDE})

    def to_choices(self) -> dict[str, Any]:
        """As plain values for the project; the map canvas is not kept, it is where the user looks."""
        choices = {**asdict(self), "file": as_kept(self.file)}
        del choices["canvas"], choices["canvas_crs"]
        return choices

    @classmethod
    def from_choices(cls, choices: dict[str, Any]) -> AnnotatorSettings:
        """From what the project kept."""
        kept = taken_up(cls(), choices, ("canvas", "canvas_crs"))
        return replace(kept, file=as_taken(kept.file))

    def to_parameters(self) -> dict[str, Any]:
        """The parameters of the comparison, every output a layer in memory or a new table of the file."""
        parameters = self._inputs()
        parameters.update(
            {
                "LEAVE_ONE_OUT": self.leave_one_out,
                "MIN_AREA": self.min_area,
                "BLOCK_SIDE": self.block_side,
                "DRAWS": self.draws,
            }
        )
        wanted: tuple[str, ...] = OUTPUTS
        if self.image:
            parameters.update({"IMAGE": self.image, "WINDOW": self.window})
            parameters.update({name: band for name, band in self._colours().items() if band})
            wanted = (*wanted, "IMAGE_TABLE")
        if self.raster and (self.image or self.resolution > 0):
            wanted = (*wanted, "AGREEMENT_RASTER")
        parameters.update(self._places(wanted))
        return parameters

    def to_consensus_parameters(self) -> dict[str, Any]:
        """The parameters of the consensus; a raster of probabilities where there are pixels to hold them."""
        parameters = self._inputs()
        parameters.update(
            {
                "METHOD": METHODS.index(self.method),
                "LEVEL": self.share,
                "PRIOR": PRIORS.index(self.prior),
                "PRIOR_VALUE": self.prior_value,
                "ASSIGN_CONSENSUS": self.assign_consensus,
                "SIMPLE_RULE": RULES.index(self.simple_rule),
                "SIMPLE_A": self.simple_a,
                "CLIPPED": self.clipped,
                "ROUNDS": self.rounds,
                "CURVATURE": self.curvature,
                "LEAVE_ONE_OUT": self.each_left_out,
            }
        )
        if self.image and self.extent == "none":
            parameters["EXTENT"] = self.image  # the study area of the comparison
        wanted: tuple[str, ...] = _CONSENSUS_OUTPUTS
        if self.method == "staple" and self.resolution > 0:
            wanted = (*wanted, "PROBABILITY")
        parameters.update(self._places(wanted))
        return parameters

    def _places(self, outputs: tuple[str, ...]) -> dict[str, str]:
        return {
            output: raster_place_of(output, self.file)
            if output in _RASTERS
            else place_of(output, self.file, output in _DRAWN)
            for output in outputs
        }

    def _colours(self) -> dict[str, int]:
        return {"RED": self.red, "GREEN": self.green, "BLUE": self.blue}

    def _inputs(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"ANNOTATORS": list(self.annotators), "RESOLUTION": self.resolution}
        if self.field:
            parameters["ANNOTATOR_FIELD"] = self.field
        if self.extent == "layer" and self.extent_layer:
            parameters["EXTENT_LAYER"] = self.extent_layer
        if self.left_out:
            parameters["LEFT_OUT"] = self.left_out
        if self.extent == "canvas":
            parameters["EXTENT"] = QgsReferencedRectangle(
                QgsRectangle(*self.canvas), QgsCoordinateReferenceSystem(self.canvas_crs)
            )
        return parameters

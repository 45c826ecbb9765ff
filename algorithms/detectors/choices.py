"""What the user chooses when detectors are ranked, what a run takes of it, and what cannot work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from qgis.core import QgsProcessing, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.choice import (
    Choice,
    Field,
    Flag,
    Given,
    Job,
    Number,
    OneOf,
    Option,
    SomeOf,
    Whole,
)
from randcrowns.algorithms.choices import ALL_DRAWN as _ALL_DRAWN
from randcrowns.algorithms.choices import (
    ANNOTATOR_FIELD,
    CORNERS,
    LENGTHS,
    MARK_VALUE,
    OWN,
    PLOT_FIELD,
    POINTS,
    PRESET,
    check_annotator_field,
    check_annotators,
    check_layers,
    check_lengths,
    chosen_lengths,
    snapshot_of,
    study_area,
    unused_plot_field,
)
from randcrowns.algorithms.choices import ANNOTATORS as _ANNOTATORS
from randcrowns.algorithms.choices import IGNORED as _IGNORED
from randcrowns.algorithms.estimation import CONSENSUS_HELP, ESTIMATION, PRIOR, estimation_of
from randcrowns.algorithms.images import IMAGES, check_images, check_plots, layers_by_image
from randcrowns.algorithms.layer_choice import Layers, Zone
from randcrowns.core.agreement.consensus import EACH, LEVELS, TITLES, Estimation, joint_names
from randcrowns.core.agreement.votes import MOST_ANNOTATORS
from randcrowns.core.detectors.mean_precision import check_skew_limits
from randcrowns.core.detectors.thinning import STEPS, TOLERANCE_SHARE
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import LEVEL
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import Snapshot
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.words import tr

DETECTORS = Layers(
    "detectors",
    tr("Detectors"),
    tr(
        "Rasters with a score per pixel, or polygon layers with a score field. Higher means more certain; only the "
        "order of the scores counts."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
SCORE_FIELD = Field(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field of the polygon detectors with their score; rasters need none. Polygons without a score are "
        "excluded and counted."
    ),
    default="score",
    optional=True,
    of_any=DETECTORS,
    numeric=True,
)
BAND = Whole(
    "band",
    tr("Raster band"),
    tr("Number of the band of raster detectors that holds the score, from 1."),
    default=1,
    advanced=True,
    least=1,
)
ANNOTATORS = replace(
    _ANNOTATORS,
    help=tr(
        "Polygon layers or rasters, one per person: each is a ground truth, and together they make the others."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
_TRUTHS = {key: Option(key, title, CONSENSUS_HELP[key]) for key, title in TITLES.items()}
TRUTHS = SomeOf(
    "truths",
    tr("Ground truths"),
    tr(
        "What the detectors are compared with: each annotator, and what the annotators make together."
    ),
    default=(EACH, *_TRUTHS),
    optional=True,
    options=(
        Option(EACH, tr("Each annotator"), tr("The polygons of every annotator alone.")),
        *_TRUTHS.values(),
        Option(
            LEVELS,
            tr("Every level of agreement"),
            tr("What at least 1, 2, … of the annotators marked."),
        ),
    ),
)
MADE_TRUTHS = Layers(
    "made_truths",
    tr("Ground truths made before"),
    tr(
        "Polygon layers or rasters that are ground truths as they are, such as a consensus made on page Annotators or "
        "elsewhere; of a raster all but 0 and no data is marked."
    ),
    advanced=True,
    optional=True,
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
STAPLE_PRIOR = replace(PRIOR, name="staple_prior", kept="prior")
UNITS = OneOf(
    "units",
    tr("What is counted"),
    tr("Places of the study area, or whole crowns found and missed."),
    options=(
        Option(
            "both",
            tr("Areas and crowns"),
            tr("Every place; and whole crowns for detectors that are polygons."),
        ),
        Option(
            "areas", tr("Areas only"), tr("Every place of the study area, by pixels or exactly.")
        ),
        Option("crowns", tr("Crowns only"), tr("Whole crowns found or missed, per annotator.")),
    ),
)
SKEW = OneOf(
    "skew",
    tr("Skew limits"),
    tr(
        "P̄ is the precision averaged over scenes in which crowns cover between these two shares of the area (Lampert "
        "et al. 2016, Eq. 7)."
    ),
    advanced=True,
    options=(
        Option("own", tr("Two numbers"), tr("The lower and the upper skew limit.")),
        Option(
            "truths", tr("From the ground truths"), tr("Mean ± standard deviation of their skew.")
        ),
    ),
)
LOW = Number(
    "low",
    tr("Lower skew limit"),
    tr("A share of the area, 0 to 1; 0.1 in the source."),
    default=0.1,
    advanced=True,
    most=1.0,
    digits=3,
)
HIGH = Number(
    "high",
    tr("Upper skew limit"),
    tr("A share of the area, 0 to 1; 0.5 in the source."),
    default=0.5,
    advanced=True,
    most=1.0,
    digits=3,
)
STUDY_AREA = study_area(
    Option(
        "none",
        tr("Automatic"),
        tr(
            "The pixels of the rasters; without a raster the rectangle around all annotators' polygons."
        ),
    )
)
TRAINING = Zone(
    "training",
    tr("Training areas"),
    tr("Polygons in which a detector was trained; nothing in them is counted."),
)
IGNORED = replace(
    _IGNORED,
    help=tr(
        "Polygons, such as COCO's crowds (iscrowd). A detected crown that takes no target is neither right nor wrong "
        "where as much of it lies on one of them as a match needs; by area nothing in them is counted."
    ),
)
RESOLUTION = Number(
    "resolution",
    tr("Pixel size"),
    tr(
        "Automatic: the pixels of the first raster; polygons alone are overlaid exactly, without pixels."
    ),
    advanced=True,
    unit="m",
    zero=tr("automatic"),
)


class _OrPixels(Number):
    """A length in metres, or in pixels where the layers lie in pixel coordinates."""

    def unit_of(self, in_pixels: bool) -> str:
        """Its unit, as the layers lie."""
        return "px" if in_pixels else self.unit

    def words(self, given: Given) -> str:
        return replace(self, unit=self.unit_of(given.in_pixels)).said(given[self])


TOLERANCE = _OrPixels(
    "tolerance",
    tr("Tolerance"),
    tr(
        "A detection within this distance of the ground truth is right: a marked pixel takes the highest score within "
        "the distance, and unmarked pixels that near to a marked one are ignored. Requires pixels, and is a number of "
        "these on images without a georeference."
    ),
    advanced=True,
    unit="m",
    zero=tr("none"),
)
LINES = Flag(
    "lines",
    tr("Thin to lines of one pixel"),
    tr(
        "For edges, cracks and other lines: ground truths and detections are thinned to one pixel (Lampert et al. "
        "2016, IV-C), detections at up to {steps} thresholds. The tolerance that goes with it is {share:.2%} of the "
        "diagonal of the pixels, unless one is given. Requires pixels.",
        steps=STEPS,
        share=TOLERANCE_SHARE,
    ),
    advanced=True,
)
CROWN_SCORE = OneOf(
    "crown_score",
    tr("Crowns matched by"),
    tr("The score that decides whether a detected crown is the annotator's crown."),
    advanced=True,
    options=(
        Option("iou", tr("IoU"), tr("Shared area over joint area.")),
        Option(
            "randcrowns",
            tr("RandCrowns"),
            tr("Forgives the edge that nobody can draw exactly (Stewart et al. 2021)."),
        ),
    ),
)
CROWN_THRESHOLD = Number(
    "crown_threshold",
    tr("Matching threshold"),
    tr("Minimum IoU or RandCrowns of a crown that counts as found, 0.01 to 1."),
    default=0.5,
    advanced=True,
    least=0.01,
    most=1.0,
)
ALL_DRAWN = replace(
    _ALL_DRAWN,
    help=tr(
        "Switch off where only some crowns were drawn, as in most field work: a detected crown that matches none of "
        "the annotator's is then not judged, since it may be right; precision and AP are n/a, recall stays."
    ),
)
GROUP_FIELD = replace(
    PLOT_FIELD,
    help=tr(
        "Field of the annotators and the detectors with the plot, or the image. Crowns match only within their plot; "
        "areas are counted together, with rows per plot, and plots are resampled."
    ),
    of=None,
    of_any=ANNOTATORS,
)
CROWN_PRESET = replace(
    PRESET.only("image_boxes", "field_polygons", OWN), label=tr("RandCrowns preset")
)
RULE = OneOf(
    "rule",
    tr("Resampled ground truth"),
    tr(
        "The ground truth that is made of the annotators of each bootstrap sample; LSML would take too long."
    ),
    advanced=True,
    options=tuple(_TRUTHS[key] for key in ("0.5", "any", "0.75", "excl-0.5", "staple", "simple")),
)
DRAWS = Whole(
    "draws",
    tr("Bootstrap samples"),
    tr(
        "Resamples of annotators and tiles or plots. A certainty of 95 % requires at least 20, one of 99 % 100."
    ),
    default=500,
    advanced=True,
    most=100_000,
    zero=tr("none"),
)
TILE_SIDE = Number(
    "tile_side",
    tr("Side of a tile"),
    tr(
        "Tiles should be wider than a crown; whole crowns are resampled by plots where these are known. Automatic: an "
        "eighth of the side of a square as large as the study area, and at least the median crown's diameter."
    ),
    advanced=True,
    unit="m",
    zero=tr("automatic"),
    digits=1,
)
CERTAINTY = Number(
    "certainty",
    tr("Certainty (1 - significance level)"),
    tr(
        "Probability with which no detector is called better that is not, over all pairs of detectors, and with which "
        "the intervals of CCO and CCI hold. A correlation is significant where its p-value is below 1 - this."
    ),
    default=LEVEL,
    advanced=True,
    least=0.5,
    most=1.0,
    digits=3,
)
#: Of randcrowns:rankdetectors, in the order of the dialog.
RANK_CHOICES: tuple[Choice[Any], ...] = (
    *(DETECTORS, SCORE_FIELD, BAND, ANNOTATORS, ANNOTATOR_FIELD, MARK_VALUE, IMAGES),
    *(TRUTHS, MADE_TRUTHS, STAPLE_PRIOR, *ESTIMATION),
    *(UNITS, SKEW, LOW, HIGH, STUDY_AREA, TRAINING, IGNORED, POINTS, RESOLUTION, TOLERANCE, LINES),
    *(CROWN_SCORE, CROWN_THRESHOLD, ALL_DRAWN, GROUP_FIELD, CROWN_PRESET, *LENGTHS, CORNERS),
    *(RULE, DRAWS, TILE_SIDE, CERTAINTY),
)


@dataclass(frozen=True)
class DetectorJob(Job):
    """What a run needs besides."""

    #: detectors, annotators: by the names they are shown with.
    detectors: dict[str, Snapshot]
    annotators: dict[str, Snapshot]
    made_truths: dict[str, Snapshot]  #: ground truths made before, by name.
    lengths: RandCrownsParameters  #: of RandCrowns, metres.
    unused_plots: (
        str  #: field with the plot that the polygon layers share and that is not chosen, or empty.
    )

    @property
    def of_images(self) -> dict[str, DetectorJob]:
        """The same of each of several images by its name, or of the only one."""
        if not self[IMAGES]:
            return {"": self}
        images = layers_by_image(self[IMAGES], self.annotators, self.detectors, self.made_truths)
        return {image: self._with_layers(*roles) for image, roles in images.items()}

    def _with_layers(self, *roles: dict[str, Snapshot]) -> DetectorJob:
        names = iter(names_in_run(*map(list, roles)))
        annotators, detectors, made = (
            {name: layer for layer, name in zip(role.values(), names)} for role in roles
        )
        return replace(self, annotators=annotators, detectors=detectors, made_truths=made)

    @property
    def reserved_names(self) -> list[str]:
        """Those that no annotator of a field may have: of the detectors, and of what annotators make together."""
        return [*joint_names(0), *self.detectors]

    @property
    def areas(self) -> bool:
        """Whether places are counted."""
        return self[UNITS] != "crowns"

    @property
    def crowns(self) -> bool:
        """Whether whole crowns are counted."""
        return self[UNITS] != "areas"

    @property
    def estimation(self) -> Estimation:
        """How STAPLE, SIMPLE and LSML estimate."""
        return estimation_of(self, STAPLE_PRIOR)

    @property
    def rasters(self) -> dict[str, RasterSnapshot]:
        """The detectors that are rasters."""
        return {
            name: found
            for name, found in self.detectors.items()
            if isinstance(found, RasterSnapshot)
        }

    @property
    def drawn(self) -> dict[str, LayerSnapshot]:
        """The annotators that are polygons."""
        return {
            name: found
            for name, found in self.annotators.items()
            if isinstance(found, LayerSnapshot)
        }

    @property
    def marked(self) -> dict[str, RasterSnapshot]:
        """The annotators that are rasters."""
        return {
            name: found
            for name, found in self.annotators.items()
            if isinstance(found, RasterSnapshot)
        }

    @property
    def pixels(self) -> dict[str, RasterSnapshot]:
        """The rasters that can set the pixels, the first one first: detectors, annotators, masks without a place."""
        zones = [
            zone
            for zone in (self[STUDY_AREA].plots, self[TRAINING])
            if isinstance(zone, RasterSnapshot)
        ]
        made = {
            name: found
            for name, found in self.made_truths.items()
            if isinstance(found, RasterSnapshot)
        }
        return {
            **self.rasters,
            **self.marked,
            **made,
            **{zone.name: zone for zone in zones if zone.in_pixels},
        }

    @property
    def polygons(self) -> dict[str, LayerSnapshot]:
        """The detectors that are polygons with a score."""
        return {
            name: found
            for name, found in self.detectors.items()
            if isinstance(found, LayerSnapshot)
        }


def names_in_run(
    annotators: Sequence[str], detectors: Sequence[str], made: Sequence[str] = ()
) -> list[str]:
    """What a run calls the layers, annotators first, ground truths made before last.

    Unlike each other, and unlike the ground truths they make.
    """
    reserved = joint_names(len(annotators))
    return unique_names([*reserved, *annotators, *detectors, *made])[len(reserved) :]


def take_detector_job(given: Given) -> DetectorJob:
    """Snapshots and plain values."""
    detectors, annotators = given[DETECTORS], given[ANNOTATORS]
    made = given[MADE_TRUTHS]
    names = names_in_run(
        *([layer.name() for layer in layers] for layers in (annotators, detectors, made))
    )
    layers = [one for one in (*annotators, *detectors) if isinstance(one, QgsVectorLayer)]
    unused = unused_plot_field(given, GROUP_FIELD, next(iter(layers), None), layers[1:])
    return DetectorJob.of(
        given,
        detectors=dict(zip(names[len(annotators) :], map(snapshot_of, detectors))),
        made_truths=dict(zip(names[len(annotators) + len(detectors) :], map(snapshot_of, made))),
        annotators=dict(zip(names, map(snapshot_of, annotators))),
        lengths=chosen_lengths(given, CROWN_PRESET)[1],
        unused_plots=unused
        if all(layer.fields().lookupField(unused) >= 0 for layer in layers)
        else "",
    )


def check_ranking(given: Given) -> None:
    """Refuse what a ranking cannot work with."""
    detectors, annotators = given[DETECTORS], given[ANNOTATORS]
    if not detectors:
        raise InputError(
            "Choose at least one detector: a raster, or a polygon layer with a score field."
        )
    if not annotators:
        raise InputError("Choose at least one annotator's polygon layer or raster.")
    for layer in detectors:
        _check_detector(given, layer)
    check_annotators(given, annotators, *TRAINING.ids, *STUDY_AREA.ids[1:], rasters=True)
    check_annotator_field(given[ANNOTATOR_FIELD], annotators)
    check_layers(given.layer(IGNORED), in_pixels=given.in_pixels)
    check_layers(
        *(layer for layer in given[MADE_TRUTHS] if not isinstance(layer, QgsRasterLayer)),
        in_pixels=given.in_pixels,
    )
    check_lengths(given, RESOLUTION, TILE_SIDE)
    check_images(
        given, GROUP_FIELD, (annotators, detectors, given[MADE_TRUTHS]), (), MOST_ANNOTATORS
    )
    if given.in_pixels:
        check_plots(given, GROUP_FIELD, [*annotators, *detectors, *given[MADE_TRUTHS]])
    _check_together(given, detectors, annotators)


def _check_detector(given: Given, layer: Any) -> None:
    if isinstance(layer, QgsRasterLayer):
        _check_raster(layer, given[BAND])
        return
    if not isinstance(layer, QgsVectorLayer):
        said = "Layer '{name}' is no raster and has no polygons, so it cannot be a detector."
        raise InputError(said, name=layer.name())
    check_layers(layer, in_pixels=given.in_pixels)
    field = given[SCORE_FIELD]
    place = layer.fields().lookupField(field) if field else -1
    if place < 0 or not layer.fields().at(place).isNumeric():
        said = (
            "Layer '{name}' has no numeric field '{field}' with scores; name its field, or remove the layer "
            "from the detectors."
        )
        raise InputError(said, name=layer.name(), field=field)


def _check_raster(layer: QgsRasterLayer, band: int) -> None:
    snapshot = RasterSnapshot.of(layer)
    if band > snapshot.bands:
        said = "Raster '{name}' has no band {band} to hold its score (bands: {bands})."
        raise InputError(said, name=layer.name(), bands=snapshot.bands, band=band)
    if snapshot.is_complex(band):
        said = (
            "Raster '{name}' has complex numbers in band {band}, and those have no order; save their magnitude as a "
            "raster and use that."
        )
        raise InputError(said, name=layer.name(), band=band)


def _check_together(given: Given, detectors: list[Any], annotators: list[Any]) -> None:
    units = given[UNITS]
    rasters = [layer for layer in detectors if isinstance(layer, QgsRasterLayer)]
    if units != "crowns" and given[SKEW] == "own":
        check_skew_limits(given[LOW], given[HIGH])
    for layer in detectors:
        if layer.id() in [annotator.id() for annotator in annotators]:
            said = "Layer '{name}' is both a detector and an annotator; it can only be one of them."
            raise InputError(said, name=layer.name())
    marked = [layer for layer in annotators if isinstance(layer, QgsRasterLayer)]
    if units == "crowns" and (len(rasters) == len(detectors) or len(marked) == len(annotators)):
        raise InputError("Rasters hold no crowns to count; count areas, or choose polygon layers.")
    if units != "areas" and given[CROWN_SCORE] == "randcrowns" and given.in_pixels:
        said = "RandCrowns requires lengths in metres, but the layers lie in pixel coordinates; match crowns by IoU."
        raise InputError(said)
    if units != "areas":
        check_plots(given, GROUP_FIELD, [*annotators, *detectors])
    if units == "crowns":
        return
    if len(annotators) > MOST_ANNOTATORS and IMAGES not in given:
        said = "Areas can be compared with at most {most} annotators, not {number}; choose fewer."
        raise InputError(said, most=MOST_ANNOTATORS, number=len(annotators))
    if not given[TRUTHS]:
        raise InputError("Choose at least one ground truth.")
    if given[TOLERANCE] > 0 and not (rasters or marked or given[RESOLUTION] > 0):
        raise InputError(
            "A tolerance requires pixels: give a pixel size, about a quarter of the tolerance."
        )
    marked += [layer for layer in given[MADE_TRUTHS] if isinstance(layer, QgsRasterLayer)]
    if given[LINES] and not (rasters or marked or given[RESOLUTION] > 0):
        raise InputError("Lines of one pixel require pixels: give a pixel size.")

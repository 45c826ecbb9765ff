"""What the user chooses when annotators are compared and a consensus is made of them, and what is read from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsProcessing, QgsRasterLayer

from randcrowns.algorithms.agreement.outputs import PROBABILITY
from randcrowns.algorithms.choice import Choice, Flag, Given, Job, Number, OneOf, Option, Whole
from randcrowns.algorithms.choices import (
    ANNOTATOR_FIELD,
    MARK_VALUE,
    PLOT_FIELD,
    check_annotator_field,
    check_annotators,
    check_lengths,
    snapshot_of,
    study_area,
)
from randcrowns.algorithms.choices import ANNOTATORS as _ANNOTATORS
from randcrowns.algorithms.estimation import CONSENSUS_HELP, ESTIMATION, PRIOR
from randcrowns.algorithms.images import (
    IMAGES,
    by_image,
    check_images,
    check_plots,
    layers_by_image,
    rasters_beside,
)
from randcrowns.algorithms.layer_choice import Bands, Raster, Zone
from randcrowns.algorithms.output import Output
from randcrowns.core.agreement.votes import MOST_ANNOTATORS
from randcrowns.core.errors import InputError
from randcrowns.layers.raster.grid import RasterSnapshot, colour_bands
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import Snapshot
from randcrowns.layers.words import tr

ANNOTATORS = replace(
    _ANNOTATORS,
    help=tr(
        "Polygon layers or rasters of the same place, one per annotator; or one polygon layer with a field that names "
        "the annotator."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
STUDY_AREA = study_area(
    Option(
        "none",
        tr("Marked area"),
        tr("Only what somebody marked is counted, or the image's rectangle."),
    )
)
LEFT_OUT = Zone(
    "left_out",
    tr("Excluded areas"),
    tr("Polygons inside the study area that are excluded, such as clouds or training areas."),
    advanced=True,
)
RESOLUTION = Number(
    "resolution",
    tr("Pixel size"),
    tr(
        "Polygons are overlaid exactly, or centres of pixels of this side counted: equal within the error of a pixel. "
        "With rasters among the annotators 0 means the pixels of the first."
    ),
    unit="m",
    zero=tr("exact areas"),
)
IMAGE = Raster(
    "image",
    tr("Image"),
    tr(
        "The image on which the polygons were drawn, to correlate agreement with its brightness and contrast. Of "
        "several images told by the names of rasters it is one; the others lie beside its file, named alike."
    ),
    optional=True,
)
COLOURS = Bands(
    "colours",
    tr("Colours of the image"),
    tr(
        "Brightness and contrast are those of the red, green and blue band; by default the bands that the layer is "
        "shown with, usually the first three."
    ),
    advanced=True,
    optional=True,
    of=IMAGE,
    bands=(
        ("red", tr("Red band of the image")),
        ("green", tr("Green band of the image")),
        ("blue", tr("Blue band of the image")),
    ),
)
GROUP_FIELD = replace(
    PLOT_FIELD,
    help=tr(
        "Field of the annotators' polygons with the plot, or the image, that each is of: plots are counted together, "
        "with rows per plot, and resampled for the intervals. Empty: one place."
    ),
    advanced=True,
    of=None,
    of_any=ANNOTATORS,
)
LEAVE_ONE_OUT = Flag(
    "leave_one_out",
    tr("Compare each annotator with the others only"),
    tr("The consensus that an annotator is compared with is then made without their own polygons."),
    advanced=True,
)
MIN_AREA = Number(
    "min_area",
    tr("Smallest disagreement to list"),
    tr("Smaller places are counted, but not listed among the disagreements."),
    advanced=True,
    unit="m²",
    zero=tr("all"),
)
WINDOW = Whole(
    "window",
    tr("Window for the contrast"),
    tr(
        "Side of the window around each pixel in which the image's contrast is measured; an odd number."
    ),
    default=7,
    advanced=True,
    least=1,
    most=100_000,
    unit="px",
    step=2,
)
BLOCK_SIDE = Number(
    "block_side",
    tr("Side of a block"),
    tr(
        "The intervals come from resampling square blocks of the study area; blocks should be larger than a crown. "
        "Automatic: an eighth of the longer side."
    ),
    advanced=True,
    unit="m",
    zero=tr("automatic"),
)
DRAWS = Whole(
    "draws",
    tr("Bootstrap samples"),
    tr("Resamples of blocks for the 95 % intervals."),
    default=1000,
    advanced=True,
    least=2,
    most=100_000,
    step=100,
)

METHOD = OneOf(
    "method",
    tr("Method"),
    tr("How many decisions become one. LSML moves over pixels and requires a pixel size."),
    options=(
        Option("0.5", tr("Half or more (0.5-GT)"), CONSENSUS_HELP["0.5"]),
        Option("any", tr("Anybody (any-GT)"), CONSENSUS_HELP["any"]),
        Option("0.75", tr("Three quarters (0.75-GT)"), CONSENSUS_HELP["0.75"]),
        Option("unanimous", tr("Everybody"), tr("What all annotators marked.")),
        Option(
            "level", tr("Your own share"), tr("What at least this share of the annotators marked.")
        ),
        Option("excl-0.5", tr("Without outliers (Excl-0.5-GT)"), CONSENSUS_HELP["excl-0.5"]),
        Option("staple", "STAPLE", CONSENSUS_HELP["staple"]),
        Option("simple", "SIMPLE", CONSENSUS_HELP["simple"]),
        Option("lsml", "LSML", CONSENSUS_HELP["lsml"]),
    ),
)
LEVEL = Number(
    "level",
    tr("Share of the annotators"),
    tr("A place is marked when at least this share marked it, 0 to 1; 0 means anybody."),
    default=0.5,
    advanced=True,
    most=1.0,
    digits=3,
    step=0.05,
    kept="share",
)
EACH_LEFT_OUT = Flag(
    "leave_one_out",
    tr("One consensus without each annotator"),
    tr(
        "For each annotator a consensus of the others' polygons, so that no annotator is compared with their own; "
        "field 'left_out' names the annotator."
    ),
    advanced=True,
    kept="each_left_out",
)

_INPUTS = (
    ANNOTATORS,
    ANNOTATOR_FIELD,
    MARK_VALUE,
    GROUP_FIELD,
    IMAGES,
    STUDY_AREA,
    LEFT_OUT,
    RESOLUTION,
)
#: Of randcrowns:compareannotators, in the order of the dialog.
COMPARE_CHOICES = (*_INPUTS, IMAGE, COLOURS, LEAVE_ONE_OUT, MIN_AREA, WINDOW, BLOCK_SIDE, DRAWS)
#: Of randcrowns:consensus, in the order of the dialog.
CONSENSUS_CHOICES = (*_INPUTS, METHOD, LEVEL, PRIOR, *ESTIMATION, EACH_LEFT_OUT)


@dataclass(frozen=True)
class AnnotatorJob(Job):
    """What a run needs besides."""

    layers: dict[str, Snapshot]  #: of the annotators, by the names they are shown with.
    image: RasterSnapshot | None  #: an image, for its grid and for correlations.
    #: Numbers, from 1, of its red, green and blue band; None where it is grey.
    colours: tuple[int, int, int] | None
    #: Of several images, the raster of each by its name; else nothing.
    images: dict[str, RasterSnapshot] = field(default_factory=dict)

    @property
    def of_images(self) -> dict[str, AnnotatorJob]:
        """The same of each of several images by its name, or of the only one."""
        if not self[IMAGES]:
            return {"": self}
        images = layers_by_image(self[IMAGES], self.layers)
        return {
            image: replace(self, layers=layers, image=self.images.get(image))
            for image, (layers,) in images.items()
        }

    @property
    def crs(self) -> QgsCoordinateReferenceSystem:
        """Of the results: the first layer's."""
        return next(iter(self.layers.values())).crs

    @property
    def rasters(self) -> dict[str, RasterSnapshot]:
        """The annotators that are rasters."""
        return {
            name: found for name, found in self.layers.items() if isinstance(found, RasterSnapshot)
        }

    @property
    def pixels(self) -> RasterSnapshot | None:
        """The raster whose pixels are worked on: the first annotator's, the image's, or else a mask's without place."""
        zones = (self[STUDY_AREA].plots, self[LEFT_OUT])
        in_pixels = [zone for zone in zones if isinstance(zone, RasterSnapshot) and zone.in_pixels]
        return next(filter(None, (*self.rasters.values(), self.image, *in_pixels)), None)


def take_annotator_job(given: Given) -> AnnotatorJob:
    """Snapshots and plain values."""
    annotators, image = given[ANNOTATORS], given[IMAGE]
    names = unique_names([layer.name() for layer in annotators])
    layers = dict(zip(names, map(snapshot_of, annotators)))
    if image is None:
        return AnnotatorJob.of(given, layers=layers, image=None, colours=None)
    images = {name: RasterSnapshot.of(one) for name, one in _images(given, image).items()}
    return AnnotatorJob.of(
        given,
        layers=layers,
        image=RasterSnapshot.of(image),
        colours=_colours(image, given[COLOURS]),
        images=images,
    )


def _images(given: Given, image: QgsRasterLayer) -> dict[str, QgsRasterLayer]:
    """The raster of each of several images, beside that of one; nothing of a single one."""
    rasters = [layer.name() for layer in given[ANNOTATORS] if isinstance(layer, QgsRasterLayer)]
    return (
        rasters_beside(given[IMAGES], image, by_image(given[IMAGES], rasters))
        if given[IMAGES]
        else {}
    )


def check_inputs(given: Given) -> None:
    """Refuse layers that do not fit."""
    layers, field = given[ANNOTATORS], given[ANNOTATOR_FIELD]
    if not layers:
        raise InputError("Choose the annotators' layers, at least one.")
    if not field and IMAGES not in given and len(layers) > MOST_ANNOTATORS:
        said = "At most {most} annotators can be compared, but {count} layers were chosen."
        raise InputError(said, most=MOST_ANNOTATORS, count=len(layers))
    check_annotators(given, layers, *STUDY_AREA.ids[1:], *LEFT_OUT.ids, rasters=True)
    check_annotator_field(field, layers)
    check_lengths(given, RESOLUTION)
    image = given[IMAGE]
    if image is not None:
        _check_image(given, image)


def check_several(given: Given, *without: Choice[Any] | Output) -> None:
    """Refuse what cannot be done with several images."""
    layers = given[ANNOTATORS]
    if IMAGES in given and ANNOTATOR_FIELD in given:
        raise InputError(
            "'{name}' cannot be had with rasters of several images.", name=ANNOTATOR_FIELD.label
        )
    rasters = [layer for layer in layers if isinstance(layer, QgsRasterLayer)]
    if GROUP_FIELD in given and rasters and IMAGES not in given:
        said = "Raster '{name}' has no field '{field}': name the images of rasters by a pattern, under '{label}'."
        raise InputError(said, name=rasters[0].name(), field=given[GROUP_FIELD], label=IMAGES.label)
    check_plots(given, GROUP_FIELD, layers)
    check_images(given, GROUP_FIELD, [layers], without, MOST_ANNOTATORS)
    image = given[IMAGE]
    if image is None:
        return
    for other in _images(given, image).values():
        _check_image(given, other)
        if other.bandCount() != image.bandCount():
            said = "Images '{first}' and '{other}' have {bands} and {other_bands} bands; they must have as many."
            counts = {"bands": image.bandCount(), "other_bands": other.bandCount()}
            raise InputError(said, first=image.name(), other=other.name(), **counts)


def has_pixels(given: Given) -> bool:
    """Whether decisions are counted in pixels, those of a raster or of a size."""
    return given[RESOLUTION] > 0 or any(
        isinstance(layer, QgsRasterLayer) for layer in given[ANNOTATORS]
    )


def check_pixels(given: Given, raster: Output) -> None:
    """Refuse a raster for which there are no pixels."""
    if raster in given and IMAGE not in given and not has_pixels(given):
        raise InputError("The output '{name}' requires a pixel size.", name=raster.label)


def check_method(given: Given) -> None:
    """Refuse what does not go together with the method."""
    method = given[METHOD]
    if method == "lsml" and not has_pixels(given):
        raise InputError("LSML requires a pixel size.")
    if method != "staple" and PROBABILITY in given:
        raise InputError(
            "Only STAPLE gives probabilities; switch the probability raster off, or choose STAPLE."
        )


def check_window(given: Given) -> None:
    """Refuse a window in which the contrast cannot be measured."""
    window, image = given[WINDOW], given[IMAGE]
    if window % 2 == 0:
        said = "The window for the contrast must be an odd number of pixels, such as 7, but it is {window}."
        raise InputError(said, window=window)
    if image is not None and window > max(image.width(), image.height()):
        said = (
            "The window for the contrast ({window:,} pixels) is larger than image '{name}' ({width:,} x {height:,}); "
            "choose a smaller one."
        )
        raise InputError(
            said, window=window, name=image.name(), width=image.width(), height=image.height()
        )


def names_list(names: Iterable[str]) -> str:
    """The names in one text; those that hold a comma in quotes."""
    return ", ".join(f'"{name}"' if "," in name else name for name in names)


def _colours(image: QgsRasterLayer, given: tuple[int, ...]) -> tuple[int, int, int] | None:
    """The bands as given; those that are not given as the layer is shown."""
    usual = colour_bands(image)
    if usual is None and not any(given):
        return None
    red, green, blue = (band or shown for band, shown in zip(given, usual or (1, 1, 1)))
    return red, green, blue


def _check_image(given: Given, image: QgsRasterLayer) -> None:
    if RasterSnapshot.of(image).has_palette():
        said = (
            "Image '{layer}' holds numbers of colours in a table, not brightness; run 'PCT to RGB' on it and use the "
            "result."
        )
        raise InputError(said, layer=image.name())
    count = image.bandCount()
    for id_, band in zip(COLOURS.ids, given[COLOURS]):
        if given.has(id_) and not 1 <= band <= count:
            said = (
                "Image '{layer}' has no band {band} (bands: {bands}); choose another for '{name}'."
            )
            raise InputError(
                said, layer=image.name(), band=band, bands=count, name=given.described(id_)
            )

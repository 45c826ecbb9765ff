"""Parameters of randcrowns:compareannotators and randcrowns:consensus, and their input checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessing, QgsRasterLayer

from randcrowns.algorithms.agreement.schema.outputs import CONSENSUS_RASTER, PROBABILITY
from randcrowns.algorithms.classes.parameters import CLASS_FIELD as _CLASS_FIELD
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import (
    ANNOTATOR_FIELD,
    MARK_BAND,
    MARK_COLOUR,
    MARK_VALUE,
    REVIEWED,
    VALUES,
    check_annotator_field,
    check_annotators,
    check_layers,
    check_lengths,
    create_study_area,
    take_snapshot,
)
from randcrowns.algorithms.common_parameters import ANNOTATORS as _ANNOTATORS
from randcrowns.algorithms.common_parameters import PLOT_FIELD as _PLOT_FIELD
from randcrowns.algorithms.estimation_parameters import (
    ANSWERS,
    CALIBRATION_CUTOFF,
    CONSENSUS_HELP,
    ESTIMATION_PARAMETERS,
    PRIOR,
    check_answers,
)
from randcrowns.algorithms.layer_parameters import (
    BandsParameter,
    RasterParameter,
    ZoneParameter,
)
from randcrowns.algorithms.multiple_images import (
    IMAGES,
    check_images,
    check_plot_field,
    find_rasters_of_images,
    group_layers_by_image,
    group_names_by_image,
)
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    Option,
    OptionParameter,
    Parameter,
    RunParameters,
    RunSettings,
)
from randcrowns.core.agreement.checks import check_number_of_annotators, not_chosen_error
from randcrowns.core.agreement.consensus import COOKE
from randcrowns.core.agreement.crown_clusters import DEFAULT_MATCH_IOU
from randcrowns.core.agreement.votes import MAX_ANNOTATORS
from randcrowns.core.classes.agreement import Scale, check_scale
from randcrowns.core.classes.area_classes import ClassScale
from randcrowns.core.classes.values import check_class_options, parse_class_groups
from randcrowns.core.errors import InputError
from randcrowns.core.statistics import DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import RasterSnapshot, colour_bands, count_bands
from randcrowns.layers.raster.masks import ValueMeaning
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.study_site import Snapshot

ANNOTATORS = replace(
    _ANNOTATORS,
    help=tr(
        "Polygon layers or rasters of the same area, one per annotator; or one polygon layer with "
        "a field that names the annotator."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
STUDY_AREA = create_study_area(
    Option(
        "none",
        tr("Marked area"),
        tr("Only the area that any annotator marked is counted, or the rectangle of the image."),
    )
)
EXCLUDED = ZoneParameter(
    "excluded",
    tr("Excluded areas"),
    tr("Polygons inside the study area that are excluded, such as clouds or training areas."),
    advanced=True,
)
RESOLUTION = FloatParameter(
    "resolution",
    tr("Pixel size"),
    tr(
        "0: the polygons are overlaid exactly. If an annotator is a raster, 0 means the pixels of "
        "the raster with the largest pixels. Otherwise the centres of pixels of this size are "
        "counted; the result differs by at most the error of a pixel."
    ),
    unit="m",
    minimum_label=tr("exact areas"),
)
IMAGE = RasterParameter(
    "image",
    tr("Image"),
    tr(
        "Image on which the polygons were drawn. Agreement is correlated with its brightness and "
        "contrast. If the raster names identify several images, select one of them; the others are "
        "read from the same folder, by the same pattern of names."
    ),
    optional=True,
)
COLOUR_BANDS = BandsParameter(
    "colours",
    tr("Colours of the image"),
    tr(
        "Brightness and contrast are computed from the red, green and blue band. Default: the "
        "bands that the layer is displayed with, usually the first three."
    ),
    advanced=True,
    optional=True,
    raster_parameter=IMAGE,
    bands=(
        ("red", tr("Red band of the image")),
        ("green", tr("Green band of the image")),
        ("blue", tr("Blue band of the image")),
    ),
)
PLOT_FIELD = replace(
    _PLOT_FIELD,
    help=tr(
        "Field of the annotators' polygons with the plot or image of each polygon. Plots are "
        "counted together, with rows per plot, and resampled for the intervals. Empty: one plot."
    ),
    advanced=True,
    layer_parameter=None,
    layers_parameter=ANNOTATORS,
)
LEAVE_ONE_OUT = BooleanParameter(
    "leave_one_out",
    tr("Compare each annotator with the others only"),
    tr("Each annotator is compared with a consensus that is made without their own polygons."),
    advanced=True,
)
MIN_AREA = FloatParameter(
    "min_area",
    tr("Smallest disagreement to list"),
    tr("Smaller areas are counted, but not listed among the disagreements."),
    advanced=True,
    unit="m²",
    minimum_label=tr("all areas"),
)
WINDOW = IntegerParameter(
    "window",
    tr("Window for the contrast"),
    tr(
        "Side of the window around each pixel in which the image's contrast is measured; an odd "
        "number."
    ),
    default=7,
    advanced=True,
    minimum=1,
    maximum=100_000,
    unit="px",
    step=2,
)
BLOCK_SIDE = FloatParameter(
    "block_side",
    tr("Side of a block"),
    tr(
        "Square blocks of the study area are resampled for the intervals, in windows of 2 x 2 if "
        "enough blocks are marked. Blocks should be wider than a crown. Automatic: an eighth of "
        "the longer side of the study area."
    ),
    advanced=True,
    unit="m",
    minimum_label=tr("automatic"),
)
BOOTSTRAP_SAMPLES = IntegerParameter(
    "bootstrap_samples",
    tr("Bootstrap samples"),
    tr("Number of resamples of the blocks for the 95 % intervals."),
    default=DEFAULT_BOOTSTRAP_SAMPLES,
    advanced=True,
    minimum=2,
    maximum=100_000,
    step=100,
)

#: Method of a consensus that makes one polygon per tree.
CROWN_BY_CROWN = "crowns"
METHOD = OptionParameter(
    "method",
    tr("Method"),
    tr(
        "Rule that makes one decision of those of the annotators. LSML works on pixels and "
        "requires a pixel size."
    ),
    options=(
        Option("0.5", tr("Half or more (0.5-GT)"), CONSENSUS_HELP["0.5"]),
        Option("any", tr("Anybody (any-GT)"), CONSENSUS_HELP["any"]),
        Option("0.75", tr("Three quarters (0.75-GT)"), CONSENSUS_HELP["0.75"]),
        Option("unanimous", tr("Everybody"), tr("Everything that all annotators marked.")),
        Option(
            "level",
            tr("Your own share"),
            tr("Everything that at least this share of the annotators marked."),
        ),
        Option("excl-0.5", tr("Without outliers (Excl-0.5-GT)"), CONSENSUS_HELP["excl-0.5"]),
        Option("staple", "STAPLE", CONSENSUS_HELP["staple"]),
        Option("simple", "SIMPLE", CONSENSUS_HELP["simple"]),
        Option("lsml", "LSML", CONSENSUS_HELP["lsml"]),
        Option("crowns", tr("Crown by crown"), CONSENSUS_HELP["crowns"]),
        Option(COOKE, tr("Cooke's weights"), CONSENSUS_HELP[COOKE]),
    ),
)
VOTE_RULE = OptionParameter(
    "vote_rule",
    tr("Crown by crown: votes needed"),
    tr(
        "A tree stays if this share of the annotators who reviewed its area drew it. Other trees "
        "are in the layer 'Look again here'."
    ),
    options=(
        Option("half", tr("half or more"), tr("At least half of the annotators; default.")),
        Option("two_thirds", tr("two thirds or more"), tr("At least two thirds of them.")),
        Option("all", tr("all annotators"), tr("All annotators who reviewed its area.")),
        Option("any", tr("at least one"), tr("At least one annotator.")),
    ),
)
OUTLINE = OptionParameter(
    "outline",
    tr("Crown by crown: outline"),
    tr("Outline of a tree that several annotators drew."),
    options=(
        Option(
            "majority",
            tr("area of the majority"),
            tr("The area that at least half of those who drew the tree marked; default."),
        ),
        Option(
            "median",
            tr("median distance"),
            tr(
                "The line at which the median of the signed distances to the outlines is 0. It "
                "differs from the majority if an even number of annotators drew the tree: it then "
                "runs in the middle between them."
            ),
        ),
        Option(
            "staple",
            "STAPLE",
            tr("The area that STAPLE estimates in the bounding box of the tree's crowns."),
        ),
        Option(
            "medoid",
            tr("the most similar crown"),
            tr(
                "The crown, as an annotator drew it, with the largest mean IoU with all others; of "
                "two the larger one."
            ),
        ),
    ),
)
MATCH_IOU = FloatParameter(
    "match_iou",
    tr("Crown by crown: minimum IoU"),
    tr(
        "Crowns of several annotators are one tree if their mean IoU is at least this large. Each "
        "annotator has at most one crown of a tree."
    ),
    default=DEFAULT_MATCH_IOU,
    advanced=True,
    minimum=0.01,
    maximum=1.0,
    decimals=2,
    step=0.05,
)
CLASS_FIELD = replace(
    _CLASS_FIELD,
    help=tr(
        "Field of the annotators' polygons with the kind of each crown, such as its species. "
        "Crown by crown, each tree gets the class that most annotators gave it. Areas are divided "
        "by class. Rasters whose values are stated to be classes need no field."
    ),
    advanced=True,
    layer_parameter=None,
    layers_parameter=ANNOTATORS,
)
CLASS_RULE = OptionParameter(
    "class_rule",
    tr("Rule of the class"),
    tr("Class of a tree, or of an area, if there is a class field."),
    advanced=True,
    options=(
        Option(
            "plurality",
            tr("most votes"),
            tr("The class that most annotators gave; default. A tie has no class."),
        ),
        Option(
            "staple",
            tr("STAPLE for several classes"),
            tr(
                "The class that STAPLE estimates (Warfield et al. 2004). Annotators who are often "
                "right count more. How each annotator confuses classes is in the table 'Classes "
                "by annotator'."
            ),
        ),
    ),
)
#: The same field where annotators are compared.
COMPARED_CLASS_FIELD = replace(
    CLASS_FIELD,
    help=tr(
        "Field of the annotators' polygons with the kind of each crown, such as its species. The "
        "classes of crowns that several annotators drew alike are compared, and those of the "
        "ground. Rasters of classes need no field."
    ),
    project_key="compared_class_field",
)
#: Meanings of the values of rasters that may be classes without a class field.
COMPARED_CLASS_VALUES = (ValueMeaning.AUTOMATIC.value, ValueMeaning.CLASSES.value)
#: The same for a consensus, where the user has to state that the values are classes.
CONSENSUS_CLASS_VALUES = (ValueMeaning.CLASSES.value,)
CLASS_SCALE = OptionParameter(
    "class_scale",
    tr("Scale of the classes"),
    tr("How far two classes differ, for alpha and for the kappa of a pair."),
    advanced=True,
    options=(
        Option(Scale.NOMINAL.value, tr("Names"), tr("Classes are equal or different; default.")),
        Option(
            Scale.ORDINAL.value,
            tr("Ordered"),
            tr("Classes have an order: numbers by value, then texts by the alphabet."),
        ),
        Option(
            Scale.INTERVAL.value,
            tr("Numbers"),
            tr("Classes are numbers whose differences have a meaning."),
        ),
    ),
)
UNMARKED_CLASS = BooleanParameter(
    "unmarked_class",
    tr("Unmarked ground is a class"),
    tr(
        "Ground of the study area that an annotator did not mark is a class of its own where the "
        "classes of areas are compared. Otherwise the annotator did not rate it."
    ),
    advanced=True,
)
LEVEL = FloatParameter(
    "level",
    tr("Share of the annotators"),
    tr(
        "An area is marked if at least this share of the annotators marked it, 0 to 1; 0 means any "
        "annotator."
    ),
    default=0.5,
    advanced=True,
    maximum=1.0,
    decimals=3,
    step=0.05,
    project_key="share",
)
EXCLUDE_EACH = BooleanParameter(
    "leave_one_out",
    tr("One consensus without each annotator"),
    tr(
        "Makes one consensus per annotator, of the polygons of all others, so that no annotator is "
        "compared with their own polygons. Field 'excluded' names the annotator."
    ),
    advanced=True,
    project_key="consensus_leave_one_out",
)

_INPUTS = (
    ANNOTATORS,
    ANNOTATOR_FIELD,
    VALUES,
    MARK_VALUE,
    MARK_BAND,
    MARK_COLOUR,
    PLOT_FIELD,
    IMAGES,
    STUDY_AREA,
    EXCLUDED,
    REVIEWED,
    RESOLUTION,
)
#: Parameters of randcrowns:compareannotators, in the order of the dialog.
COMPARE_PARAMETERS = (
    *_INPUTS,
    IMAGE,
    COLOUR_BANDS,
    LEAVE_ONE_OUT,
    MIN_AREA,
    WINDOW,
    BLOCK_SIDE,
    BOOTSTRAP_SAMPLES,
    COMPARED_CLASS_FIELD,
    CLASS_GROUPS,
    CLASS_SCALE,
    UNMARKED_CLASS,
)
#: Parameters of randcrowns:consensus, in the order of the dialog.
CONSENSUS_PARAMETERS = (
    *_INPUTS,
    METHOD,
    LEVEL,
    PRIOR,
    *ESTIMATION_PARAMETERS,
    EXCLUDE_EACH,
    VOTE_RULE,
    OUTLINE,
    MATCH_IOU,
    CLASS_FIELD,
    CLASS_GROUPS,
    CLASS_RULE,
    ANSWERS,
    CALIBRATION_CUTOFF,
)


@dataclass(frozen=True)
class AgreementSettings(RunSettings):
    """Settings of a run that compares annotators or makes a consensus."""

    layers: dict[str, Snapshot]  #: layers of the annotators by their unique names.
    image: RasterSnapshot | None  #: image, for its pixels and for correlations; None without one.
    #: Numbers, from 1, of the image's red, green and blue band; None for a grey or missing image.
    colour_bands: tuple[int, int, int] | None
    #: Raster of each image by the image's name; empty unless there are several images.
    raster_by_image: dict[str, RasterSnapshot] = field(default_factory=dict)
    #: Answers of the annotators to questions with known answers; None for other methods.
    answers: pd.DataFrame | None = None

    @property
    def by_image(self) -> dict[str, AgreementSettings]:
        """Settings of each image by its name; the settings themselves, under "", of one image."""
        if not self[IMAGES]:
            return {"": self}
        images = group_layers_by_image(self[IMAGES], self.layers)
        return {
            image: replace(self, layers=layers, image=self.raster_by_image.get(image))
            for image, (layers,) in images.items()
        }

    @property
    def crs(self) -> QgsCoordinateReferenceSystem:
        """Coordinate reference system of the results: that of the first layer."""
        return next(iter(self.layers.values())).crs

    @property
    def rasters(self) -> dict[str, RasterSnapshot]:
        """Rasters among the annotators' layers, by name."""
        return {
            name: layer for name, layer in self.layers.items() if isinstance(layer, RasterSnapshot)
        }

    @property
    def class_scale(self) -> ClassScale:
        """Options of the agreement on classes, where annotators are compared."""
        return ClassScale(Scale(self[CLASS_SCALE]), self[UNMARKED_CLASS])

    @property
    def pixel_raster(self) -> RasterSnapshot | None:
        """Raster whose pixels are counted; None if there is none.

        It is the first of: the annotators' rasters, the image, and the rasters without a
        georeference among study area and excluded areas.
        """
        zones = (self[STUDY_AREA].layer, self[EXCLUDED])
        in_pixels = [
            zone for zone in zones if isinstance(zone, RasterSnapshot) and zone.is_in_pixels
        ]
        candidates = (*self.rasters.values(), self.image, *in_pixels)
        return next((raster for raster in candidates if raster), None)


def read_settings(run_parameters: RunParameters) -> AgreementSettings:
    """Return the settings of a run, with snapshots of its layers; on the main thread only."""
    annotators = run_parameters[ANNOTATORS]
    image = run_parameters[IMAGE]
    names = unique_names([layer.name() for layer in annotators])
    layers = dict(zip(names, map(take_snapshot, annotators)))
    if image is None:
        return AgreementSettings.from_parameters(
            run_parameters, layers=layers, image=None, colour_bands=None
        )
    image_layers = _group_rasters_by_image(run_parameters, image)
    return AgreementSettings.from_parameters(
        run_parameters,
        layers=layers,
        image=RasterSnapshot.from_layer(image),
        colour_bands=_read_colour_bands(image, run_parameters[COLOUR_BANDS]),
        raster_by_image={
            name: RasterSnapshot.from_layer(layer) for name, layer in image_layers.items()
        },
    )


def _group_rasters_by_image(
    run_parameters: RunParameters, image: QgsRasterLayer
) -> dict[str, QgsRasterLayer]:
    """Return the raster of each image by its name; an empty dictionary for a single image.

    Args:
        run_parameters: parameters of the run.
        image: raster of one of the images; those of the others are in the same folder.
    """
    if not run_parameters[IMAGES]:
        return {}
    rasters = [
        layer.name() for layer in run_parameters[ANNOTATORS] if isinstance(layer, QgsRasterLayer)
    ]
    return find_rasters_of_images(
        run_parameters[IMAGES], image, group_names_by_image(run_parameters[IMAGES], rasters)
    )


def check_inputs(run_parameters: RunParameters) -> None:
    """Raise an InputError for input layers or a pixel size that cannot be used."""
    layers = run_parameters[ANNOTATORS]
    annotator_field = run_parameters[ANNOTATOR_FIELD]
    if not layers:
        raise not_chosen_error()
    if not annotator_field and IMAGES not in run_parameters:
        check_number_of_annotators(len(layers))
    check_annotators(run_parameters, layers, *STUDY_AREA.ids_of_layers, *EXCLUDED.ids, rasters=True)
    check_layers(run_parameters.layer(REVIEWED), in_pixels=run_parameters.in_pixels)
    check_annotator_field(annotator_field, layers)
    check_lengths(run_parameters, RESOLUTION)
    image = run_parameters[IMAGE]
    if image is not None:
        _check_image(run_parameters, image)


def check_multiple_images(
    run_parameters: RunParameters, *unsupported: Parameter[Any] | Output
) -> None:
    """Raise an InputError for what is not supported with several images or plots.

    Args:
        run_parameters: parameters of the run.
        *unsupported: parameters and outputs that are not supported with several images.
    """
    layers = run_parameters[ANNOTATORS]
    if IMAGES in run_parameters and ANNOTATOR_FIELD in run_parameters:
        raise InputError(
            "images.unsupported_parameter",
            "'{name}' cannot be used with rasters of several images.",
            name=ANNOTATOR_FIELD.label,
        )
    rasters = [layer for layer in layers if isinstance(layer, QgsRasterLayer)]
    if PLOT_FIELD in run_parameters and rasters and IMAGES not in run_parameters:
        raise InputError(
            "images.no_image_field",
            "Raster '{name}' has no field '{field}'. Give a pattern of the raster names under "
            "'{label}' instead.",
            name=rasters[0].name(),
            field=run_parameters[PLOT_FIELD],
            label=IMAGES.label,
        )
    check_plot_field(run_parameters, PLOT_FIELD, layers)
    check_images(run_parameters, PLOT_FIELD, [layers], unsupported, MAX_ANNOTATORS)
    if run_parameters[IMAGE] is not None:
        _check_same_bands(run_parameters, run_parameters[IMAGE])


def _check_same_bands(run_parameters: RunParameters, image: QgsRasterLayer) -> None:
    """Raise an InputError if an image cannot be used or has not as many bands as the first.

    Args:
        run_parameters: parameters of the run.
        image: the first image.
    """
    n_bands = count_bands(image)
    for other in _group_rasters_by_image(run_parameters, image).values():
        _check_image(run_parameters, other)
        if count_bands(other) != n_bands:
            raise InputError(
                "images.different_bands",
                "Images '{first}' and '{other}' have {bands} and {other_bands} bands. All images "
                "must have the same number of bands.",
                first=image.name(),
                other=other.name(),
                bands=n_bands,
                other_bands=count_bands(other),
            )


def has_pixels(run_parameters: RunParameters) -> bool:
    """Return True if pixels are counted, those of an annotator's raster or of a given size."""
    has_raster = any(isinstance(layer, QgsRasterLayer) for layer in run_parameters[ANNOTATORS])
    return run_parameters[RESOLUTION] > 0 or has_raster


def check_raster_output(run_parameters: RunParameters, raster: Output) -> None:
    """Raise an InputError if a raster is requested but nothing defines its pixels."""
    if raster in run_parameters and IMAGE not in run_parameters and not has_pixels(run_parameters):
        raise InputError(
            "output.no_pixel_size", "The output '{name}' requires a pixel size.", name=raster.label
        )


def check_method(run_parameters: RunParameters) -> None:
    """Raise an InputError for parameters that the consensus method does not support."""
    method = run_parameters[METHOD]
    if method == "lsml" and not has_pixels(run_parameters):
        raise InputError("lsml.no_pixel_size", "LSML requires a pixel size.")
    if method == CROWN_BY_CROWN:
        _check_crown_by_crown(run_parameters)
    check_answers(run_parameters, method == COOKE)
    if method != "staple" and PROBABILITY in run_parameters:
        raise InputError(
            "consensus.no_probabilities",
            "Only STAPLE gives probabilities. Switch the probability raster off, or choose STAPLE.",
        )


def _check_crown_by_crown(run_parameters: RunParameters) -> None:
    """Raise an InputError for inputs and outputs that a consensus of crowns does not support."""
    rasters = [layer for layer in run_parameters[ANNOTATORS] if isinstance(layer, QgsRasterLayer)]
    if rasters:
        raise InputError(
            "consensus.crowns_of_raster",
            "A consensus crown by crown requires polygon layers, but '{layer}' is a raster. Choose "
            "another method, or turn the raster into polygons.",
            layer=rasters[0].name(),
        )
    if CONSENSUS_RASTER in run_parameters:
        raise InputError(
            "consensus.no_raster_of_crowns",
            "A consensus crown by crown has no raster. Switch '{name}' off, or choose another "
            "method.",
            name=CONSENSUS_RASTER.label,
        )


def check_class_groups(
    run_parameters: RunParameters, class_field: FieldParameter, class_values: Collection[str]
) -> None:
    """Raise an InputError if classes that count as one cannot be read, or there are no classes.

    Args:
        run_parameters: parameters of the run.
        class_field: parameter of the class field.
        class_values: meanings of the values of rasters that may be classes.
    """
    parse_class_groups(run_parameters[CLASS_GROUPS])
    has_rasters = any(isinstance(layer, QgsRasterLayer) for layer in run_parameters[ANNOTATORS])
    if not has_rasters:
        check_class_options(
            run_parameters[class_field],
            {CLASS_GROUPS.label: run_parameters[CLASS_GROUPS]},
            class_field.label,
        )
    elif (
        run_parameters[CLASS_GROUPS]
        and not run_parameters[class_field]
        and run_parameters[VALUES] not in class_values
    ):
        raise InputError(
            "classes.option_without_values",
            "'{option}' has an effect on classes only. Choose '{value}' as '{parameter}', or "
            "leave '{option}' empty.",
            option=CLASS_GROUPS.label,
            value=VALUES.label_of(ValueMeaning.CLASSES.value),
            parameter=VALUES.label,
        )


def check_class_scale(run_parameters: RunParameters) -> None:
    """Raise an InputError if a name of classes that count as one does not fit the scale."""
    check_scale(
        parse_class_groups(run_parameters[CLASS_GROUPS]), Scale(run_parameters[CLASS_SCALE])
    )


def check_window(run_parameters: RunParameters) -> None:
    """Raise an InputError for a window in which the contrast cannot be measured."""
    window = run_parameters[WINDOW]
    image = run_parameters[IMAGE]
    if window % 2 == 0:
        raise InputError(
            "contrast.even_window",
            "The window for the contrast must be an odd number of pixels, such as 7, but it is "
            "{window}.",
            window=window,
        )
    if image is not None and window > max(image.width(), image.height()):
        raise InputError(
            "contrast.window_too_large",
            "The window for the contrast ({window:,} pixels) is larger than image '{name}' "
            "({width:,} x {height:,}). Choose a smaller window.",
            window=window,
            name=image.name(),
            width=image.width(),
            height=image.height(),
        )


def join_names(names: Iterable[str]) -> str:
    """Return names separated by commas; names that contain a comma are quoted."""
    return ", ".join(f'"{name}"' if "," in name else name for name in names)


def _read_colour_bands(
    image: QgsRasterLayer, selected: tuple[int, ...]
) -> tuple[int, int, int] | None:
    """Return the red, green and blue band of an image; None if it is grey.

    Args:
        image: the image.
        selected: selected band per colour; 0 for the band that the layer is displayed with.

    Returns:
        Numbers of the bands, from 1.
    """
    displayed = colour_bands(image)
    if displayed is None and not any(selected):
        return None
    red, green, blue = (band or default for band, default in zip(selected, displayed or (1, 1, 1)))
    return red, green, blue


def _check_image(run_parameters: RunParameters, image: QgsRasterLayer) -> None:
    """Raise an InputError if an image has a colour table or lacks a selected band."""
    if RasterSnapshot.from_layer(image).has_palette():
        raise InputError(
            "image.colour_table",
            "Image '{layer}' holds numbers of colours in a table, not brightness. Run 'PCT to RGB' "
            "on it and use the result.",
            layer=image.name(),
        )
    n_bands = count_bands(image)
    for parameter_id, band in zip(COLOUR_BANDS.ids, run_parameters[COLOUR_BANDS]):
        if run_parameters.has(parameter_id) and not 1 <= band <= n_bands:
            raise InputError(
                "image.no_band",
                "Image '{layer}' has no band {band} (bands: {bands}); choose another for '{name}'.",
                layer=image.name(),
                band=band,
                bands=n_bands,
                name=run_parameters.label_of(parameter_id),
            )

"""Parameters that several algorithms share, their input checks and messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from qgis.core import QgsMapLayer, QgsProcessing, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.layer_parameters import (
    AreaParameter,
    LayerListParameter,
    OptionalLayerParameter,
    PointLayerParameter,
    RequiredLayerParameter,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    NumericParameter,
    Option,
    OptionParameter,
    RunParameters,
    RunSettings,
    TextParameter,
    raise_if_problem,
)
from randcrowns.core.agreement.checks import no_annotator_field_error
from randcrowns.core.comparison import check_drawing, check_partial_drawing
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, TranslatableText, info, note
from randcrowns.core.scoring.parameters import MAXIMUM, PRESETS, RandCrownsParameters
from randcrowns.layers.compat import is_polygon_layer
from randcrowns.layers.crs import check_crs, has_datum_or_code, layer_crs
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import fill_template, tr
from randcrowns.layers.raster.grid import RasterSnapshot, is_in_pixel_coordinates
from randcrowns.layers.raster.masks import ReferenceMask, ValueMeaning, find_palette_entry
from randcrowns.layers.vector.guesses import guess_plot_field
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.vector.study_site import ExtentRequest, Snapshot

#: Keys of the presets that are not in :data:`randcrowns.core.scoring.parameters.PRESETS`.
IDTREES = "idtrees"
OWN = "own"


def _preset_label(name: str, lengths: RandCrownsParameters) -> str:
    """Return the label of a preset: its translated name with alpha, omega and gamma."""
    return fill_template(
        "{what} ({alpha:g} m, {omega:g} m, {gamma:g})", what=name, **asdict(lengths)
    )


TARGETS = RequiredLayerParameter(
    "targets",
    tr("Target crowns"),
    tr("Polygon layer with the reference crowns, which are taken as true."),
    project_key="target",
    default_role=0,
)
#: Field with the plot of each crown. The help of an algorithm describes its effect.
PLOT_FIELD = FieldParameter(
    "plot_field",
    tr("Plot"),
    tr(
        "Field of the targets with the plot of each crown. If the other layer has this field too, "
        "only crowns of the same plot are compared."
    ),
    optional=True,
    layer_parameter=TARGETS,
)
#: True if unmatched predictions are false positives. The help of an algorithm names the metrics
#: that are undefined otherwise.
ALL_DRAWN = BooleanParameter(
    "all_drawn",
    tr("All crowns in the area were drawn as targets"),
    tr(
        "Switch off if only some crowns were drawn, as in most field work. A prediction without a "
        "target may then be right."
    ),
    default=True,
)
#: Areas in which unmatched predictions may be right. The help of an algorithm describes the effect.
IGNORED_AREAS = OptionalLayerParameter(
    "ignored",
    tr("Areas to ignore"),
    tr(
        "Polygons, such as COCO's crowds (iscrowd), in which a prediction without a target counts "
        "as neither right nor wrong."
    ),
)
POINTS = PointLayerParameter(
    "points",
    tr("Field points"),
    tr(
        "Points measured in the field, such as stems. The share of points that lie in a predicted "
        "crown is the point recall."
    ),
    optional=True,
    kind=QgsProcessing.SourceType.TypeVectorPoint,
)
ANNOTATORS = LayerListParameter(
    "annotators", tr("Annotators"), tr("Polygon layers of the same area, one per annotator.")
)
ANNOTATOR_FIELD = FieldParameter(
    "annotator_field",
    tr("Field that names the annotator"),
    tr(
        "For one layer with the polygons of several annotators: each value of this field is one "
        "annotator."
    ),
    optional=True,
    project_key="field",
    layers_parameter=ANNOTATORS,
)
REVIEWED = OptionalLayerParameter(
    "reviewed",
    tr("Reviewed areas"),
    tr(
        "Polygons with the area that an annotator has reviewed. The field that names the "
        "annotator, or 'annotator', says whose it is. Elsewhere the ratings of this annotator "
        "are missing, which is no 'no'. Annotators without such polygons have reviewed "
        "everything."
    ),
    advanced=True,
)
#: Meaning of the values of rasters, for algorithms that accept rasters as annotators.
VALUES = OptionParameter(
    "values",
    tr("Values of rasters"),
    tr("What the pixels of an annotator's raster hold. Pixels without data are never marked."),
    advanced=True,
    options=(
        Option(
            ValueMeaning.AUTOMATIC.value,
            tr("Automatic"),
            tr(
                "All values but 0 are marked, or one value if it is given. Numbers that tell "
                "instances apart, and numbers between 0 and 1, are recognised. A note says what "
                "was taken."
            ),
        ),
        Option(
            ValueMeaning.IDS.value,
            tr("Ids of instances"),
            tr("Each number but 0 is an object of its own, even if it touches another."),
        ),
        Option(
            ValueMeaning.CLASSES.value,
            tr("Classes"),
            tr(
                "All values but 0 are marked; pixels that touch are one object. Page Annotators "
                "compares the classes of the pixels."
            ),
        ),
        Option(
            ValueMeaning.THRESHOLD.value,
            tr("Threshold"),
            tr("Pixels of the value of marked pixels or more are marked."),
        ),
        Option(
            ValueMeaning.ONE_VALUE.value,
            tr("One value"),
            tr(
                "Only the value of marked pixels is marked, 0 too. For a raster with a colour "
                "table it is the number of a colour."
            ),
        ),
        Option(
            ValueMeaning.COLOUR.value,
            tr("Colour"),
            tr("Only pixels of the colour of marked pixels are marked."),
        ),
    ),
)
MARK_BAND = IntegerParameter(
    "mark_band",
    tr("Band of marked pixels"),
    tr("Band of annotators' rasters that is read."),
    default=1,
    advanced=True,
    minimum=1,
    maximum=65_535,
)
MARK_COLOUR = TextParameter(
    "mark_colour",
    tr("Colour of marked pixels"),
    tr("Red, green and blue as in #ff0000, for the values 'Colour'."),
    advanced=True,
    optional=True,
)
#: Value that marks pixels, for algorithms that accept rasters as annotators.
MARK_VALUE = FloatParameter(
    "mark_value",
    tr("Value of marked pixels"),
    tr(
        "Pixels with this value in an annotator's raster are marked, or with a threshold those of "
        "this value or more. Pixels without data are never marked."
    ),
    advanced=True,
    maximum=1e9,
    minimum_label=tr("all but 0"),
)


def create_reference_mask(raster: RasterSnapshot, settings: RunSettings) -> ReferenceMask:
    """Return the marked pixels of an annotator's raster, as the parameters of a run say.

    Args:
        raster: the raster.
        settings: settings of the run.

    Raises:
        InputError: if the raster has no such band or colour, or the colour cannot be read.
    """
    meaning = ValueMeaning(settings[VALUES])
    band = settings[MARK_BAND]
    value = settings[MARK_VALUE]
    if not 1 <= band <= raster.n_bands:
        raise InputError(
            "raster.no_band",
            "Raster '{name}' has no band {band} (bands: {bands}).",
            name=raster.name,
            band=band,
            bands=raster.n_bands,
        )
    if meaning is not ValueMeaning.COLOUR:
        return ReferenceMask(raster, value, meaning, band)

    text = settings[MARK_COLOUR]
    colour = _parse_colour(text)
    if raster.has_palette():
        entry = find_palette_entry(raster, colour)
        if entry is not None:
            return ReferenceMask(raster, entry, ValueMeaning.ONE_VALUE)
    elif raster.n_bands >= 3:
        return ReferenceMask(raster, meaning=meaning, colour=colour)
    raise InputError(
        "marks.no_colour",
        "Raster '{name}' has no colour {text}. Choose a colour of the raster, or other values.",
        name=raster.name,
        text=text,
    )


def _parse_colour(text: str) -> tuple[int, int, int]:
    """Return red, green and blue (0 to 255) of a colour such as ``#ff0000``.

    Raises:
        InputError: if the text is no colour.
    """
    digits = text.lstrip("#")
    if len(digits) != 6 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise InputError(
            "marks.invalid_colour",
            "'{text}' is no colour. Give red, green and blue as in #ff0000.",
            text=text,
        )
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


class _Preset(OptionParameter):
    """Parameter with a preset of alpha, omega and gamma."""

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the label of the preset; of own values with alpha, omega and gamma."""
        key, lengths = read_lengths(run_parameters, self)
        label = self.label_of(key)
        return _preset_label(label, lengths) if key == OWN else label


class _Length(FloatParameter):
    """Parameter with alpha, omega or gamma, whose value a preset can replace."""

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the value that the run uses, which may be that of the preset."""
        presets = [
            parameter
            for parameter in run_parameters.algorithm.declared_parameters
            if isinstance(parameter, _Preset)
        ]
        if not presets:
            return super().describe_value(run_parameters)
        key, lengths = read_lengths(run_parameters, presets[0])
        if key == IDTREES:
            return tr("the toolbox's own")
        return self.format_value(getattr(lengths, self.name))


PRESET = _Preset(
    "preset",
    tr("Preset"),
    tr(
        "Sets of alpha, omega and gamma. Image boxes and field polygons: the values of the paper "
        "(Stewart et al. 2021, IV-A and IV-B). Alpha, omega and gamma below are used only with "
        "'Own values'."
    ),
    options=(
        Option("image_boxes", _preset_label(tr("Image boxes"), PRESETS["image_boxes"])),
        Option("field_polygons", _preset_label(tr("Field polygons"), PRESETS["field_polygons"])),
        Option(
            IDTREES,
            tr("IDTReeS 2020 toolbox"),
            tr(
                "Scores as in that competition's toolbox, on pixels of 0.1 m and with its pairing. "
                "Requires the bounds of each plot, 20 x 20 m, as the image extent. With a plot "
                "field, all targets of a plot belong to the polygon that most of them lie in."
            ),
        ),
        Option(OWN, tr("Own values")),
    ),
)
ALPHA = _Length(
    "alpha",
    tr("True positive boundary (alpha)"),
    tr(
        "Distance inside the target's outline at which the certain crown begins, in metres of the "
        "coordinate system. Crowns narrower than twice this length cannot be scored."
    ),
    default=PRESETS["image_boxes"].alpha,
    maximum=MAXIMUM,
    unit="m",
    step=0.1,
)
OMEGA = _Length(
    "omega",
    tr("True negative inner boundary (omega)"),
    tr(
        "Distance outside the target's outline to which a delineation may reach without penalty, "
        "in metres of the coordinate system. In UTM these differ from metres on the ground by at "
        "most 0.1 %."
    ),
    default=PRESETS["image_boxes"].omega,
    maximum=MAXIMUM,
    unit="m",
    step=0.1,
)
GAMMA = _Length(
    "gamma",
    tr("Area ratio (gamma)"),
    tr(
        "Area of the region that is certainly no crown, divided by the area of the certain crown; "
        "no unit."
    ),
    default=PRESETS["image_boxes"].gamma,
    maximum=MAXIMUM,
    step=0.5,
)
CORNER_STYLE = OptionParameter(
    "corner_style",
    tr("Corners of the regions"),
    tr("Shape of the corners when a target is expanded. In the paper, boxes keep square corners."),
    advanced=True,
    options=(
        Option(
            "auto",
            tr("Square for boxes, round for polygons"),
            tr("Boxes are recognized by their outline."),
        ),
        Option("mitre", tr("Square"), tr("As in the paper for boxes (mitre).")),
        Option("round", tr("Round"), tr("As in the paper for polygons drawn in the field.")),
    ),
)
LENGTHS = (ALPHA, OMEGA, GAMMA)
_POLYGONS = Option(
    "layer", tr("Polygon layer"), tr("The polygons of a layer, for example one per plot.")
)
_MAP = Option("canvas", tr("Map as shown"), tr("The extent of the map when Run is pressed."))
IMAGE_EXTENT = AreaParameter(
    "extent",
    tr("Image extent"),
    tr(
        "Area that the annotators could see. Regions and delineations are clipped to it. Targets "
        "outside it are excluded and counted."
    ),
    advanced=True,
    options=(
        Option("none", tr("None"), tr("Nothing is clipped.")),
        Option("image", tr("Image"), tr("The rectangle of a raster layer of the project.")),
        _POLYGONS,
        _MAP,
    ),
)


def create_study_area(without: Option) -> AreaParameter:
    """Return the parameter for the study area of annotators.

    Args:
        without: option for no study area; its help says which area is used then.
    """
    help_text = tr(
        "Area that the annotators examined: whatever nobody marked in it counts as no crown. "
        "Without a study area: {what}"
    )
    return AreaParameter(
        "extent",
        tr("Study area"),
        help_text.format(what=without.help),
        options=(without, _POLYGONS, _MAP),
        accepts_rasters=True,
    )


def extent_message(extent: ExtentRequest, size: float, without: str, unit: str = "m") -> Message:
    """Return a message that describes the study area of a run.

    Args:
        extent: study area as the user gave it.
        size: its area, in square units.
        without: English noun phrase for the area that is used if the user gave none.
        unit: ``m`` or ``px``.
    """
    # The translation is looked up by the complete sentence, so each of them is in the catalogue.
    if extent.layer is None:
        area = without if extent.rectangle is None else "a rectangle"
    else:
        shapes = "marked pixels" if isinstance(extent.layer, RasterSnapshot) else "polygons"
        area = f"the {shapes} of '{{layer}}'"
        if extent.rectangle is not None:
            area = f"{area} inside a rectangle"
    return info(
        "study_area.is",
        f"Study area: {area} ({{size:,.0f}} {{unit}}²).",
        layer="" if extent.layer is None else extent.layer.name,
        size=size,
        unit=unit,
    )


def read_lengths(
    run_parameters: RunParameters, preset: OptionParameter
) -> tuple[str, RandCrownsParameters]:
    """Return the preset that a run uses, and its alpha, omega and gamma.

    A run that sets lengths but no preset uses its own values.

    Args:
        run_parameters: parameters of the run.
        preset: parameter with the preset.

    Returns:
        Key of the preset, and the parameters to score with.
    """
    key = run_parameters[preset]
    if preset not in run_parameters and any(length in run_parameters for length in LENGTHS):
        key = OWN
    if key == OWN:
        alpha, omega, gamma = (run_parameters[length] for length in LENGTHS)
    else:
        # The preset of the IDTReeS competition has no lengths of its own here.
        preset_lengths = PRESETS.get(key, PRESETS["image_boxes"])
        alpha = preset_lengths.alpha
        omega = preset_lengths.omega
        gamma = preset_lengths.gamma
    return key, RandCrownsParameters(alpha, omega, gamma, offsets=run_parameters[CORNER_STYLE])


def unused_length_messages(run_parameters: RunParameters, preset: OptionParameter) -> list[Message]:
    """Return a message about lengths that are set but that the preset replaces.

    Args:
        run_parameters: parameters of the run.
        preset: parameter with the preset.

    Returns:
        One message, or none if all lengths that are set are used.
    """
    key, used = read_lengths(run_parameters, preset)
    if key == OWN:
        return []
    unused = []
    for length in LENGTHS:
        if length not in run_parameters:
            continue
        value = run_parameters[length]
        if value not in (length.default, getattr(used, length.name)):
            unused.append(TranslatableText("{name} {value:g}", name=length.name, value=value))
    if not unused:
        return []
    if key == IDTREES:
        return [
            note(
                "preset.idtrees",
                "{given} was not used: the IDTReeS preset has its own lengths. Choose 'Own values' "
                "to use it.",
                given=unused,
            )
        ]
    return [
        note(
            "preset.unread",
            "{given} was not used: the preset scores with alpha {alpha:g} m, omega {omega:g} m and "
            "gamma {gamma:g}. Choose 'Own values' to use it.",
            given=unused,
            alpha=used.alpha,
            omega=used.omega,
            gamma=used.gamma,
        )
    ]


def take_snapshot(layer: QgsMapLayer) -> Snapshot:
    """Return a snapshot of a polygon layer or of a raster."""
    if isinstance(layer, QgsRasterLayer):
        return RasterSnapshot.from_layer(layer)
    return LayerSnapshot.from_layer(layer)


def take_named_snapshots(
    layers: Sequence[QgsMapLayer], other_names: Iterable[str] = ()
) -> dict[str, LayerSnapshot]:
    """Return snapshots of vector layers by unique names.

    Args:
        layers: vector layers.
        other_names: names that the layers must not have.

    Returns:
        Snapshots in the order of the layers; their keys are the layer names, with a number added
        to those that occur more than once.
    """
    names = unique_names([layer.name() for layer in layers], other_names)
    return {name: LayerSnapshot.from_layer(layer) for name, layer in zip(names, layers)}


def find_unused_plot_field(
    run_parameters: RunParameters,
    plot: FieldParameter,
    target: QgsVectorLayer | None,
    others: Sequence[Any],
) -> str:
    """Return the plot field that the layers share if the user selected none, or "".

    Args:
        run_parameters: parameters of the run.
        plot: parameter with the plot field.
        target: target layer.
        others: layers that are compared with it.
    """
    return "" if run_parameters[plot] else guess_plot_field(target, others)


def partial_drawing_messages(
    all_drawn: bool, undefined: str, targets: Crowns, others: Iterable[Crowns]
) -> list[Message]:
    """Return a message about predictions whose target may not have been drawn, if there are any.

    Args:
        all_drawn: value of :data:`ALL_DRAWN`.
        undefined: names of the metrics that count false positives.
        targets: target crowns.
        others: layers that are compared with them.

    Returns:
        One message, or none.
    """
    first_reason = None
    for other_crowns in others:
        first_reason = check_partial_drawing(targets, other_crowns)
        if first_reason:
            break
    message = check_drawing(all_drawn, first_reason, ALL_DRAWN.label, undefined)
    return [] if message is None else [message]


def check_layers(*layers: Any, in_pixels: bool = False) -> None:
    """Raise an InputError for a layer that crowns cannot be read from.

    Args:
        *layers: map layers; None is skipped.
        in_pixels: True if the run works in pixels; layers may then be without a coordinate
            reference system.
    """
    for layer in layers:
        if layer is None:
            continue
        is_usable = isinstance(layer, QgsVectorLayer) and layer.isValid()
        if not is_usable or not is_polygon_layer(layer):
            raise InputError(
                "layer.no_readable_polygons",
                "Layer '{name}' holds no polygons that can be read; crowns must be polygons.",
                name=layer.name(),
            )
        crs = layer_crs(layer)
        if is_in_pixel_coordinates(layer) and not in_pixels:
            raise InputError(
                "crs.pixel_coordinates",
                "Layer '{name}' has no coordinate system and seems to lie in pixels of an image, "
                "so lengths in metres are unknown. Georeference the image and import again, or set "
                "the layer's coordinate system. IoU and average precision need neither: use "
                "randcrowns:evaluateinstances, page Instances.",
                name=layer.name(),
            )
        if not in_pixels or has_datum_or_code(crs):
            check_crs(layer.name(), crs)


def check_annotators(
    run_parameters: RunParameters,
    annotators: Sequence[QgsMapLayer],
    *elsewhere: str,
    rasters: bool = False,
) -> None:
    """Raise an InputError for layers without polygons and for layers that are selected twice.

    Args:
        run_parameters: parameters of the run.
        annotators: layers of the annotators.
        *elsewhere: ids of Processing parameters whose layers must not be among the annotators.
        rasters: True to accept rasters as annotators.
    """
    other_layers = {}
    for name in elsewhere:
        if run_parameters.has(name):
            other_layers[run_parameters.label_of(name)] = run_parameters.map_layer(name)

    polygon_layers = []
    raster_layers = []
    for layer in annotators:
        is_raster = isinstance(layer, QgsRasterLayer)
        if is_raster:
            raster_layers.append(layer)
        if not is_raster or not rasters:
            polygon_layers.append(layer)
    for layer in other_layers.values():
        if isinstance(layer, QgsRasterLayer):
            raster_layers.append(layer)
        else:
            polygon_layers.append(layer)
    # Both raise an InputError for a layer that cannot be read.
    check_layers(*polygon_layers, in_pixels=run_parameters.in_pixels)
    for layer in raster_layers:
        RasterSnapshot.from_layer(layer)
    raise_if_problem(
        "annotators.duplicate_layer", duplicate_layer_problem(annotators, other_layers)
    )


def check_annotator_field(field: str, layers: Sequence[Any]) -> None:
    """Raise an InputError for a layer without the field that names the annotator.

    Args:
        field: name of the field; "" to check nothing.
        layers: layers of the annotators.
    """
    if not field:
        return
    for layer in layers:
        if not isinstance(layer, QgsVectorLayer) or field_index(layer.fields(), field) < 0:
            raise no_annotator_field_error(layer.name(), field)


def check_lengths(run_parameters: RunParameters, *lengths: NumericParameter[Any]) -> None:
    """Raise an InputError for lengths and areas in metres if the layers lie in pixel coordinates.

    Args:
        run_parameters: parameters of the run.
        *lengths: parameters that must be 0 then.
    """
    if not run_parameters.in_pixels:
        return
    for length in lengths:
        if length in run_parameters and run_parameters[length] > 0:
            raise InputError(
                "crs.length_in_pixels",
                "The layers lie in pixel coordinates, without a coordinate system, so '{name}' "
                "cannot be {value}. Leave it at 0, or georeference the images.",
                name=length.label,
                value=length.describe(run_parameters),
            )


def duplicate_layer_problem(
    annotators: Sequence[QgsMapLayer], elsewhere: Mapping[str, QgsMapLayer | None]
) -> str:
    """Return a message about a layer that is selected twice, or "".

    Args:
        annotators: layers of the annotators.
        elsewhere: layers that must not be among the annotators, by the label of their parameter.
    """
    for number, layer in enumerate(annotators):
        for other in annotators[:number]:
            if have_same_source(layer, other):
                names = f"'{other.name()}'"
                if layer.name() != other.name():
                    names = f"'{other.name()}', '{layer.name()}'"
                return tr(
                    "The same layer is selected twice as annotator ({names}). Select it once.",
                    names=names,
                )
        for role, other_layer in elsewhere.items():
            if other_layer is not None and have_same_source(layer, other_layer):
                return tr(
                    "Layer '{name}' is selected as annotator and as '{role}'. Remove it from the "
                    "annotators, or select another layer as '{role}'.",
                    name=layer.name(),
                    role=role,
                )
    return ""


def have_same_source(one: QgsMapLayer, other: QgsMapLayer) -> bool:
    """Return True if both layers show the same rows of the same table.

    Layers in memory have no source to compare, so only their ids count.
    """
    if one.id() == other.id():
        return True
    if one.providerType() == "memory":
        return False
    return one.providerType() == other.providerType() and one.source() == other.source()

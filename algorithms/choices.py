"""The parameters that several algorithms share: their labels, help, checks, and what is read from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from qgis.core import QgsMapLayer, QgsProcessing, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Field, Flag, Given, Number, Numeric, OneOf, Option, refuse
from randcrowns.algorithms.layer_choice import Area, FieldPoints, Layers, NeededLayer, OptionalLayer
from randcrowns.core.comparison import crowns_partial, partly_drawn
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, Said, info, note
from randcrowns.core.scoring.parameters import MOST, PRESETS, RandCrownsParameters
from randcrowns.layers.compat import is_polygon_layer
from randcrowns.layers.crs import check_crs, is_defined, system_of
from randcrowns.layers.raster.grid import RasterSnapshot, lies_in_pixels
from randcrowns.layers.vector.guesses import plot_field
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import ExtentChoice, Snapshot
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.words import filled, tr

IDTREES, OWN = "idtrees", "own"


def _preset_name(what: str, values: RandCrownsParameters) -> str:
    return filled("{what} ({alpha:g} m, {omega:g} m, {gamma:g})", what=what, **asdict(values))


TARGETS = NeededLayer(
    "targets",
    tr("Target crowns"),
    tr("Polygon layer with the crowns taken as true."),
    kept="target",
    role=0,
)
#: Which plot a crown is of; a topic says in its help what comes of it.
PLOT_FIELD = Field(
    "group_field",
    tr("Plot"),
    tr(
        "Field of the targets with the plot of each crown. Where the other layer has it too, plots are kept apart."
    ),
    optional=True,
    of=TARGETS,
)
#: Whether unmatched predictions are false; a topic says in its help what is undefined without.
ALL_DRAWN = Flag(
    "all_drawn",
    tr("All crowns in the area were drawn"),
    tr(
        "Switch off where only some crowns were drawn, as in most field work: a prediction without one may be right."
    ),
    default=True,
)
#: Predictions there may be right; a topic says in its help what comes of it.
IGNORED = OptionalLayer(
    "ignored",
    tr("Areas to ignore"),
    tr(
        "Polygons, such as COCO's crowds (iscrowd), in which an unmatched prediction is neither right nor wrong."
    ),
)
POINTS = FieldPoints(
    "points",
    tr("Field points"),
    tr(
        "Points measured in the field, as of stems: how many lie in a predicted crown is the point recall."
    ),
    optional=True,
    kind=QgsProcessing.SourceType.TypeVectorPoint,
)
ANNOTATORS = Layers(
    "annotators", tr("Annotators"), tr("Polygon layers of the same place, one per person.")
)
ANNOTATOR_FIELD = Field(
    "annotator_field",
    tr("Field that names the annotator"),
    tr(
        "For one layer with the polygons of several annotators: each value of this field is an annotator."
    ),
    optional=True,
    kept="field",
    of_any=ANNOTATORS,
)
#: Of rasters among the annotators, where a topic takes them.
MARK_VALUE = Number(
    "mark_value",
    tr("Value of marked pixels"),
    tr(
        "Annotators' rasters mark the pixels with this value in their first band; no data is never marked."
    ),
    advanced=True,
    most=1e9,
    zero=tr("all but 0"),
)


class _Preset(OneOf):
    """A set of lengths, named with them."""

    def words(self, given: Given) -> str:
        key, lengths = chosen_lengths(given, self)
        return _preset_name(self.label_of(key), lengths) if key == OWN else self.label_of(key)


class _Length(Number):
    """A length, which a preset decides on unless it is the user's own."""

    def words(self, given: Given) -> str:
        preset = next(
            (choice for choice in given.algorithm.choices if isinstance(choice, _Preset)), None
        )
        if preset is None:
            return super().words(given)
        key, lengths = chosen_lengths(given, preset)
        return tr("the toolbox's own") if key == IDTREES else self.said(getattr(lengths, self.name))


PRESET = _Preset(
    "preset",
    tr("Preset"),
    tr(
        "Sets of alpha, omega and gamma. Image boxes and field polygons: the values chosen in the paper (Stewart et "
        "al. 2021, IV-A and IV-B). The lengths and the ratio below are read only with 'Own values'."
    ),
    options=(
        Option("image_boxes", _preset_name(tr("Image boxes"), PRESETS["image_boxes"])),
        Option("field_polygons", _preset_name(tr("Field polygons"), PRESETS["field_polygons"])),
        Option(
            IDTREES,
            tr("IDTReeS 2020 toolbox"),
            tr(
                "Scores as that competition's toolbox gives them, on pixels of 0.1 m, with its own pairing; requires "
                "the bounds of each plot, 20 x 20 m, as the image extent. With a plot field, all targets of a plot "
                "belong to the polygon that most of them lie in."
            ),
        ),
        Option(OWN, tr("Own values")),
    ),
)
ALPHA = _Length(
    "alpha",
    tr("True positive boundary (alpha)"),
    tr(
        "How far inside the target's outline the certain crown begins, metres on the ground. Crowns narrower than "
        "twice this length cannot be scored."
    ),
    default=PRESETS["image_boxes"].alpha,
    most=MOST,
    unit="m",
    step=0.1,
)
OMEGA = _Length(
    "omega",
    tr("True negative inner boundary (omega)"),
    tr(
        "How far outside the target's outline a delineation may reach without penalty, metres on the ground."
    ),
    default=PRESETS["image_boxes"].omega,
    most=MOST,
    unit="m",
    step=0.1,
)
GAMMA = _Length(
    "gamma",
    tr("Area ratio (gamma)"),
    tr(
        "Area of the region that is surely no crown over area of the region that surely is; no unit."
    ),
    default=PRESETS["image_boxes"].gamma,
    most=MOST,
    step=0.5,
)
CORNERS = OneOf(
    "offsets",
    tr("Corners of the regions"),
    tr("How the target's corners look where it is grown: the paper's boxes keep square corners."),
    advanced=True,
    options=(
        Option(
            "auto",
            tr("Square for boxes, round for polygons"),
            tr("Boxes are told by their outline."),
        ),
        Option("mitre", tr("Square"), tr("The paper's way for boxes (mitre).")),
        Option("round", tr("Round"), tr("The paper's way for polygons drawn in the field.")),
    ),
)
LENGTHS = (ALPHA, OMEGA, GAMMA)
_POLYGONS = Option(
    "layer", tr("Polygon layer"), tr("The polygons of a layer, for example one per plot.")
)
_MAP = Option("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed."))
IMAGE_EXTENT = Area(
    "extent",
    tr("Image extent"),
    tr(
        "What the annotators could see. Regions and delineations are cut to it, and targets outside it are excluded "
        "and counted."
    ),
    advanced=True,
    options=(
        Option("none", tr("None"), tr("Nothing is cut.")),
        Option("image", tr("Image"), tr("The rectangle of a raster layer of the project.")),
        _POLYGONS,
        _MAP,
    ),
)


def study_area(without: Option) -> Area:
    """Where the annotators looked; ``without`` says what is counted where that is not told."""
    told = tr(
        "Where the annotators looked: what nobody marked there counts as no crown. Without a study area: {what}"
    )
    return Area(
        "extent",
        tr("Study area"),
        told.format(what=without.help),
        options=(without, _POLYGONS, _MAP),
        rasters=True,
    )


def area_told(extent: ExtentChoice, size: float, without: str, unit: str = "m") -> Remark:
    """What the study area of a run is; ``size`` in square units, ``without`` what was taken where none was given."""
    what = "marked pixels" if isinstance(extent.plots, RasterSnapshot) else "polygons"
    said = {
        (False, False): without,
        (True, False): "a rectangle",
        (False, True): f"the {what} of '{{layer}}'",
        (True, True): f"the {what} of '{{layer}}' inside a rectangle",
    }[extent.rectangle is not None, extent.plots is not None]
    layer = "" if extent.plots is None else extent.plots.name
    return info(
        "study_area.is",
        f"Study area: {said} ({{size:,.0f}} {{unit}}²).",
        layer=layer,
        size=size,
        unit=unit,
    )


def chosen_lengths(given: Given, preset: OneOf) -> tuple[str, RandCrownsParameters]:
    """The preset's key and the parameters to score with; without a preset, lengths that are given are taken."""
    key = given[preset]
    if preset not in given and any(choice in given for choice in LENGTHS):
        key = OWN
    chosen = PRESETS.get(key, PRESETS["image_boxes"])
    alpha, omega, gamma = (given[choice] for choice in LENGTHS)
    lengths = (alpha, omega, gamma) if key == OWN else (chosen.alpha, chosen.omega, chosen.gamma)
    return key, RandCrownsParameters(*lengths, offsets=given[CORNERS])


def unused_lengths(given: Given, preset: OneOf) -> list[Remark]:
    """A remark where lengths were given that the preset does not read, with those that are used."""
    key, used = chosen_lengths(given, preset)
    unread = [
        Said("{name} {value:g}", name=choice.name, value=given[choice])
        for choice in LENGTHS
        if choice in given and given[choice] not in (choice.default, getattr(used, choice.name))
    ]
    if key == OWN or not unread:
        return []
    if key == IDTREES:
        said = "{given} was not used: the IDTReeS preset has lengths of its own. Choose 'Own values' for it."
        return [note("preset.idtrees", said, given=unread)]
    said = (
        "{given} was not used: the preset scores with alpha {alpha:g} m, omega {omega:g} m and gamma {gamma:g}. Choose "
        "'Own values' for it."
    )
    return [
        note(
            "preset.unread",
            said,
            given=unread,
            alpha=used.alpha,
            omega=used.omega,
            gamma=used.gamma,
        )
    ]


def snapshot_of(layer: QgsMapLayer) -> Snapshot:
    """Of a layer of polygons, or a raster."""
    return (
        RasterSnapshot.of(layer) if isinstance(layer, QgsRasterLayer) else LayerSnapshot.of(layer)
    )


def named_snapshots(
    layers: Sequence[QgsMapLayer], taken: Iterable[str] = ()
) -> dict[str, LayerSnapshot]:
    """Snapshots of vector layers by the names that a run calls them, unlike each other and those ``taken``."""
    return dict(
        zip(unique_names([layer.name() for layer in layers], taken), map(LayerSnapshot.of, layers))
    )


def unused_plot_field(
    given: Given, plot: Field, target: QgsVectorLayer | None, others: Sequence[Any]
) -> str:
    """The field with the plot that the layers share, where none is chosen; empty otherwise."""
    return "" if given[plot] else plot_field(target, others)


def drawn_remarks(
    all_drawn: bool, undefined: str, targets: Crowns, others: Iterable[Crowns]
) -> list[Remark]:
    """What is to be said of crowns that nobody drew; ``undefined`` are the metrics that count false positives."""
    partial = next(filter(None, (crowns_partial(targets, other) for other in others)), None)
    told = partly_drawn(all_drawn, partial, ALL_DRAWN.label, undefined)
    return [] if told is None else [told]


def check_layers(*layers: Any, in_pixels: bool = False) -> None:
    """Refuse a layer that crowns cannot be read from; ``in_pixels`` none has a coordinate system."""
    for layer in layers:
        if layer is None:
            continue
        if (
            not isinstance(layer, QgsVectorLayer)
            or not layer.isValid()
            or not is_polygon_layer(layer)
        ):
            said = "Layer '{name}' holds no polygons that can be read; crowns must be polygons."
            raise InputError(said, name=layer.name())
        crs = system_of(layer)
        if lies_in_pixels(layer) and not in_pixels:
            said = (
                "Layer '{name}' has no coordinate system and seems to lie in pixels of an image, so lengths in metres "
                "are not known. Georeference the image and import again, or set the layer's system; IoU and average "
                "precision need neither: randcrowns:evaluateinstances, page Instances."
            )
            raise InputError(said, name=layer.name())
        if not in_pixels or is_defined(crs):
            check_crs(layer.name(), crs)


def check_annotators(
    given: Given, annotators: Sequence[QgsMapLayer], *elsewhere: str, rasters: bool = False
) -> None:
    """Refuse annotators' layers, and layers of these parameters, that hold no polygons or stand twice.

    With ``rasters`` these may be annotators too.
    """
    roles = {given.described(name): given.any_layer(name) for name in elsewhere if given.has(name)}
    polygons = [
        layer for layer in annotators if not (rasters and isinstance(layer, QgsRasterLayer))
    ]
    areas = [layer for layer in roles.values() if not isinstance(layer, QgsRasterLayer)]
    check_layers(*polygons, *areas, in_pixels=given.in_pixels)
    for layer in (*annotators, *roles.values()):
        if isinstance(layer, QgsRasterLayer):
            RasterSnapshot.of(layer)
    refuse(role_problem(annotators, roles))


def check_annotator_field(field: str, layers: Sequence[Any]) -> None:
    """Refuse polygon layers without the field that names the annotator, where there is to be one."""
    for layer in layers if field else ():
        if not isinstance(layer, QgsVectorLayer) or layer.fields().lookupField(field) < 0:
            said = "Layer '{name}' has no field '{field}' that names the annotator."
            raise InputError(said, name=layer.name(), field=field)


def check_lengths(given: Given, *lengths: Numeric[Any]) -> None:
    """Refuse lengths and areas in metres of layers that lie in pixel coordinates."""
    for choice in lengths if given.in_pixels else ():
        if choice in given and given[choice] > 0:
            said = (
                "The layers lie in pixel coordinates, without a coordinate system, so '{name}' cannot be {value}; "
                "leave it at 0, or georeference the images."
            )
            raise InputError(said, name=choice.label, value=choice.words(given))


def role_problem(
    annotators: Sequence[QgsMapLayer], elsewhere: Mapping[str, QgsMapLayer | None]
) -> str:
    """Which layer stands twice among the annotators or, by its role, ``elsewhere``; empty when none does."""
    for number, layer in enumerate(annotators):
        for other in annotators[:number]:
            if same_rows(layer, other):
                names = (
                    f"'{other.name()}'"
                    if layer.name() == other.name()
                    else f"'{other.name()}', '{layer.name()}'"
                )
                return tr(
                    "The same layer stands twice among the annotators ({names}); choose it once.",
                    names=names,
                )
        for role, other_layer in elsewhere.items():
            if other_layer is not None and same_rows(layer, other_layer):
                said = (
                    "Layer '{name}' is chosen as an annotator and as '{role}', and can only be one of them: take it "
                    "off the annotators, or choose another layer there."
                )
                return tr(said, name=layer.name(), role=role)
    return ""


def same_rows(one: QgsMapLayer, other: QgsMapLayer) -> bool:
    """Whether both show the same rows of the same table; layers in memory have no source to go by."""
    sources = [(layer.providerType(), layer.source()) for layer in (one, other)]
    return one.id() == other.id() or (one.providerType() != "memory" and sources[0] == sources[1])

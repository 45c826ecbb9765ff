"""An output of an algorithm, declared once: the sink, its fields, how its layer looks and where it stands."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from typing import Any

import pandas as pd
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsEditorWidgetSetup,
    QgsGeometry,
    QgsMapLayer,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingDestinationParameter,
    QgsProcessingFeedback,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingOutputDefinition,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterRasterDestination,
    QgsProject,
    QgsValueMapFieldFormatter,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.statistics import LEAST_UNITS
from randcrowns.core.status import Status
from randcrowns.layers.styles.tree import add_images, move_to_group
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.layers.words import local, tr

_SOURCES, _WKB = QgsProcessing.SourceType, QgsWkbTypes.Type
#: Kind of an output -> what Processing calls it, and the geometry of its rows.
_KINDS = {
    "polygons": (_SOURCES.TypeVectorPolygon, _WKB.MultiPolygon),
    "points": (_SOURCES.TypeVectorPoint, _WKB.Point),
    "lines": (_SOURCES.TypeVectorLine, _WKB.LineString),
    "table": (_SOURCES.TypeVector, _WKB.NoGeometry),
}
#: Kind of an output that is a file -> formats that it may have.
_FILES = {
    "picture": "PNG (*.png);;SVG (*.svg)",
    "html": "HTML (*.html *.htm)",
    "pdf": "PDF (*.pdf)",
}
#: Decimal places that attribute tables show at least.
_DIGITS = 3
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced

_NUMBER = re.compile(r"\d+$")


@dataclass(frozen=True)
class Column:
    """A field of an output, and a column of the dock's table."""

    #: Of the field; ``rank_#`` stands for ``rank_1``, ``rank_2``, …, ``recall_#`` for ``recall_0_5``, with the number
    #: (1, 2, 0.5) for ``#`` in the label.
    name: str
    label: str  #: alias of the field and heading of the column; the unit follows it in brackets.
    help: str = ""  #: comment of the field and tooltip of the column.
    kind: str = "real"  #: ``real``, ``integer`` or ``text``.
    unit: str = ""  #: as ``m²``; nothing for a ratio or a count.
    #: Decimal places shown; significant digits where negative; None as the size of each number requires.
    digits: int | None = 3
    #: What tables show of values that are keys; ``band #`` stands for ``band 1``, ``band 2``, …
    words: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def alias(self) -> str:
        """Label with unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def is_words(self) -> bool:
        """Whether tables show its values as words: a text, or a number that is a key."""
        return self.kind == "text" or bool(self.words)

    def shown(self, value: str) -> str:
        """What tables show of a value."""
        number = _NUMBER.search(value) if self.words and value not in self.words else None
        if number is None:
            return self.words.get(value, value)
        return self.words.get(value[: number.start()] + "#", value).replace("#", number[0])

    def in_unit(self, unit: str) -> Column:
        """The column of a run whose lengths are in this unit: ``m`` or ``px``."""
        return (
            replace(self, unit=self.unit.replace("m", unit, 1))
            if self.unit in ("m", "m²")
            else self
        )

    def called(self, name: str) -> Column | None:
        """The column of the field of this name, where it is declared here."""
        start, numbered, end = self.name.partition("#")
        if not name.startswith(start):
            return None
        number = name[len(start) : len(name) - len(end)]
        if numbered and name == start + number + end and number.replace("_", "").isdigit():
            return replace(
                self, name=name, label=self.label.replace("#", local(number.replace("_", ".")))
            )
        return self if name == self.name else None

    def filled(self, **values: Any) -> Column:
        """A template such as ``{prefix}_rc``, filled in: a column of one layer, score or threshold."""
        name, label, told = (text.format(**values) for text in (self.name, self.label, self.help))
        return replace(self, name=name, label=label, help=told)

    def add_to(self, table: FeatureTable, values: Any) -> None:
        """Add the field with a value per feature."""
        table.add(self.name, values, self.help, self.kind, self.alias)

    def show_in(self, layer: QgsVectorLayer) -> None:
        """Have the attribute table of a layer show the field by its label, a real number rounded, a key in words."""
        place = layer.fields().lookupField(self.name)
        if place < 0:
            return
        layer.setFieldAlias(place, self.alias)
        if self.kind == "real":
            rounded = {"Precision": max(_DIGITS, self.digits or 0), "AllowNull": True}
            layer.setEditorWidgetSetup(place, QgsEditorWidgetSetup("Range", rounded))
        elif self.words:
            others = (
                () if layer.isSpatial() else layer.uniqueValues(place)
            )  # as names of plots beside the row of all
            pairs = [
                {self.shown(key): key}
                for key in dict.fromkeys((*self.words, *others))
                if isinstance(key, str)
            ]
            empty = {QgsApplication.nullRepresentation(): QgsValueMapFieldFormatter.NULL_VALUE}
            layer.setEditorWidgetSetup(
                place, QgsEditorWidgetSetup("ValueMap", {"map": [*pairs, empty]})
            )


#: Help of both ends of an interval.
INTERVAL = tr(
    "95 % interval, over plots where there are several, otherwise over single crowns; none for fewer than {least} of "
    "them, and none where all of them are at 0 or 1.",
    least=LEAST_UNITS,
)


def with_ends(column: Column) -> tuple[Column, Column, Column]:
    """A column with those of the ends of its interval."""
    ends = (
        ("low", tr("{label}, from", label=column.label)),
        ("high", tr("{label}, to", label=column.label)),
    )
    low, high = (Column(f"{column.name}_{end}", label, INTERVAL) for end, label in ends)
    return column, low, high


#: What the intervals of a row are over.
RESAMPLED = Column(
    "resampled",
    tr("Intervals over"),
    tr("Units that the intervals count: plots or crowns."),
    "text",
    words={"plots": tr("plots"), "crowns": tr("crowns"), "instances": tr("instances")},
)

#: Status -> what it is called, and what it means.
STATUSES = {
    Status.SCORED: (tr("scored"), tr("The target has a delineation and a score.")),
    Status.MISSED: (
        tr("missed"),
        tr("The delineation does not touch what is surely crown: score 0."),
    ),
    Status.UNMATCHED: (tr("unmatched"), tr("The target has no delineation: score 0.")),
    Status.TARGET_TOO_SMALL: (
        tr("too small"),
        tr(
            "The target is narrower than twice alpha, so nothing is surely crown: no score, excluded from the means."
        ),
    ),
    Status.EXTENT_LIMITED: (
        tr("cut by extent"),
        tr("Scored; the image extent leaves less room outside the crown than gamma asks for."),
    ),
    Status.NO_GEOMETRY: (tr("no geometry"), tr("The feature has no usable outline: no score.")),
    Status.OUTSIDE_EXTENT: (
        tr("outside the extent"),
        tr("The target lies outside the image extent: no score."),
    ),
}
STATUS = Column(
    "status",
    tr("Status"),
    tr("What became of the crown."),
    "text",
    words={
        **{status.value: label for status, (label, _) in STATUSES.items()},
        **{Status.MATCHED.value: tr("matched"), Status.NOT_JUDGED.value: tr("not judged")},
    },
)

#: COCO's average precision and recall.
COCO_COLUMNS = (
    Column(
        "ap",
        "AP",
        tr(
            "Average precision as COCO has it: over IoU 0.50:0.05:0.95, at most 100 predictions a plot."
        ),
    ),
    Column("ap50", "AP50", tr("The same at an IoU of 0.50.")),
    Column("ap75", "AP75", tr("The same at an IoU of 0.75.")),
    Column(
        "ar_1",
        "AR1",
        tr("Average recall over IoU 0.50:0.05:0.95 with the surest prediction of each plot."),
    ),
    Column("ar_10", "AR10", tr("The same with the 10 surest predictions of each plot.")),
    Column("ar_100", "AR100", tr("The same with the 100 surest predictions of each plot.")),
)
POINT_RECALL = Column(
    "point_recall", tr("Point recall"), tr("Share of the field points that lie in a prediction.")
)
#: What is found at a threshold of IoU.
THRESHOLD_COLUMNS = (
    Column("iou", "IoU", tr("Least IoU of a match."), digits=2),
    Column(
        "tp",
        "TP",
        tr("Targets that were found: each prediction once, the highest IoU first."),
        "integer",
    ),
    Column("fp", "FP", tr("Unmatched predictions."), "integer"),
    Column("fn", "FN", tr("Targets that were not found."), "integer"),
    *with_ends(
        Column("precision", tr("Precision"), tr("Share of the predictions that have a target."))
    ),
    *with_ends(Column("recall", tr("Recall"), tr("Share of the targets that were found."))),
    *with_ends(Column("f1", "F1", tr("Harmonic mean of precision and recall."))),
    Column(
        "ap",
        "AP",
        tr("Average precision at this IoU, of all predictions with a score (101 recalls)."),
    ),
)


def intervals_over(units: str) -> str:
    """A sentence on what the intervals of a row are over: ``plots``, ``crowns`` or ``instances``."""
    said = "95 % intervals over {units}; none for fewer than {least} of them."
    return tr(said, units=RESAMPLED.words.get(units, units), least=LEAST_UNITS)


@dataclass(frozen=True, eq=False)
class Output:
    """A layer, table, raster or picture that an algorithm makes.

    The order of outputs is their order in the layer tree.
    """

    id: str  #: of the Processing parameter.
    label: str  #: name of the layer, and label in the toolbox.
    help: str = ""  #: what it holds.
    #: ``polygons``, ``points``, ``lines``, ``table``, ``raster``, ``picture``, ``html``, ``pdf`` or ``folder``.
    kind: str = "table"
    optional: bool = True  #: the run does without.
    by_default: bool = True  #: made unless it is switched off.
    advanced: bool = False  #: folded away in the toolbox.
    columns: tuple[Column, ...] = ()  #: its fields, in order.
    #: Makes the layer look as it should; it is handed the layer and the run's other outputs.
    style: Callable[[QgsVectorLayer, Mapping[str, Any]], None] | None = None
    shown: bool = True  #: drawn at first; layers for a closer look would cover the others.
    unfolded: bool = False  #: its legend is open at first.
    reusable: bool = (
        False  #: made in Processing, it is offered as an input of other runs, as a consensus is.
    )
    summary: bool = False  #: its rows say in columns how the run was made.

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id, as a choice may have several."""
        return (self.id,)

    @property
    def names(self) -> list[str]:
        """Of its declared fields."""
        return [column.name for column in self.columns]

    @property
    def has_geometry(self) -> bool:
        """Whether its rows have a place on the map."""
        return self.kind in ("polygons", "points", "lines")

    @property
    def holds_features(self) -> bool:
        """Whether it is a layer or a table."""
        return self.kind in _KINDS

    def definition(self) -> QgsProcessingDestinationParameter:
        """Its Processing parameter."""
        made: QgsProcessingDestinationParameter
        if self.kind == "raster":
            made = QgsProcessingParameterRasterDestination(
                self.id, self.label, None, self.optional, self.by_default
            )
        elif self.kind == "folder":
            made = QgsProcessingParameterFolderDestination(
                self.id, self.label, None, self.optional, self.by_default
            )
        elif self.kind in _FILES:
            made = QgsProcessingParameterFileDestination(
                self.id, self.label, _FILES[self.kind], None, self.optional, self.by_default
            )
        else:
            made = QgsProcessingParameterFeatureSink(
                self.id, self.label, _KINDS[self.kind][0], None, self.optional, self.by_default
            )
        made.setHelp(self.help)
        if self.advanced:
            made.setFlags(made.flags() | _ADVANCED)
        return made

    def columns_of(self, names: Iterable[str]) -> list[Column]:
        """The declared columns of these fields, in the order declared; numbered ones in the order of the fields."""
        fields, found = list(names), []
        for numbered, columns in groupby(self.columns, lambda column: "#" in column.name):
            some = list(columns)
            pairs = (
                product(fields, some)
                if numbered
                else ((one.name, one) for one in some if one.name in fields)
            )
            found += [column.called(name) for name, column in pairs]
        return [column for column in found if column is not None]

    def table(
        self,
        frame: pd.DataFrame,
        geometry: Sequence[QgsGeometry] | None = None,
        crs: QgsCoordinateReferenceSystem | None = None,
    ) -> FeatureTable:
        """A frame as features: the declared columns that it has, in their order, then those that are not declared."""
        made = FeatureTable(crs or QgsCoordinateReferenceSystem(), _KINDS[self.kind][1], geometry)
        declared = self.columns_of(frame.columns)
        for column in declared:
            column.add_to(made, frame[column.name].to_numpy())
        for name in frame.columns.difference([column.name for column in declared], sort=False):
            made.add(str(name), frame[name].to_numpy())
        return made

    def in_unit(self, unit: str) -> Output:
        """The output of a run whose lengths are in this unit."""
        return replace(self, columns=tuple(column.in_unit(unit) for column in self.columns))

    def label_fields(self, table: FeatureTable, unit: str) -> None:
        """Say in the aliases of a table's fields that lengths are in this unit."""
        for column in self.in_unit(unit).columns_of(table.fields.names()):
            table.call(column.name, column.alias)

    def dress(self, layer: QgsMapLayer, others: Mapping[str, Any], mark: bool = True) -> None:
        """Style a layer, and name its fields as declared; ``others`` are the run's other outputs, by id.

        It is marked as made by a run, so that no page offers it as an input, unless ``mark`` says otherwise.
        """
        if mark:
            layer.setCustomProperty(RESULT_PROPERTY, self.id)
        unit = others.get(UNIT.id) or "m"
        if unit != "m" and layer.isSpatial():
            layer.setCrs(
                QgsCoordinateReferenceSystem()
            )  # QGIS and GeoPackages have one of their own for none
        if not isinstance(layer, QgsVectorLayer):
            return
        names = layer.fields().names()
        for column in self.in_unit(unit).columns_of(names):
            column.show_in(layer)
        if self.style is not None:
            self.style(layer, others)
            layer.triggerRepaint()


@dataclass(frozen=True)
class Value:
    """A number, or a text, among the outputs of an algorithm."""

    id: str
    label: str
    text: bool = False

    def definition(self) -> QgsProcessingOutputDefinition:
        """Its Processing output."""
        kind = QgsProcessingOutputString if self.text else QgsProcessingOutputNumber
        return kind(self.id, self.label)


#: Among the outputs of algorithms that take layers in pixel coordinates.
#: Where several images or plots were counted together.
IMAGE = Column(
    "image",
    tr("Image"),
    tr("Of several images, or plots, the one; rows of all come first."),
    "text",
)
UNIT = Value(
    "UNIT",
    tr("Unit of lengths and, squared, of areas: m, or px of images without a georeference"),
    text=True,
)

#: Among the outputs of algorithms that read images: those to be seen below what they made.
IMAGES_READ = Value("IMAGES_READ", tr("Images that were read, a path per line"), text=True)


def images_in(others: Mapping[str, Any]) -> list[str]:
    """The paths that :data:`IMAGES_READ` has among the outputs."""
    return str(others.get(IMAGES_READ.id) or "").splitlines()


#: Processing does not keep the Python half of a post-processor alive. Runs that are never loaded are forgotten in time.
_WAITING: deque[QgsProcessingLayerPostProcessorInterface] = deque(maxlen=100)


class _Loader(QgsProcessingLayerPostProcessorInterface):
    def __init__(self, loaded: Callable[[QgsMapLayer, QgsProject], None]) -> None:
        super().__init__()
        self._loaded = loaded

    def postProcessLayer(  # noqa: N802 - QGIS's name
        self, layer: QgsMapLayer, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> None:
        """Called on the main thread once the layer is loaded."""
        if layer is not None and layer.isValid():  # else it was deleted meanwhile
            self._loaded(layer, context.project() or QgsProject.instance())


def load_in_group(
    details: Any,
    outputs: Sequence[Output],
    name: str,
    title: str,
    others: Mapping[str, Any],
    describe: Callable[[QgsMapLayer, str], None],
) -> None:
    """Have the output of this id, as Processing keeps it in ``details``, styled, described and moved into the group.

    The images that ``others`` name come below it.
    """
    place, output = next(
        (place, output) for place, output in enumerate(outputs) if output.id == name
    )

    def loaded(layer: QgsMapLayer, project: QgsProject) -> None:
        output.dress(layer, others, mark=not output.reusable)
        describe(layer, output.id)
        move_to_group(project, layer, title, place, IMAGES_READ.id in others)
        add_images(project, images_in(others))
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None and not output.shown:
            node.setItemVisibilityChecked(False)

    _WAITING.append(_Loader(loaded))
    details.setPostProcessor(_WAITING[-1])

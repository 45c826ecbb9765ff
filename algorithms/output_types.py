"""Output types: declarations of the layers, tables, files and values that algorithms return.

A declaration creates the Processing output and names the fields of a layer, its style and its place
in the layer tree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
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

from randcrowns.core.statistics import MIN_PLOTS, MIN_UNITS
from randcrowns.layers.crs import prepare_transform_to_wgs84
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import localize_number, tr
from randcrowns.layers.styles.tree import add_images, move_to_group
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.report.instance_content import metric_meanings
from randcrowns.report.methods import minimum_units, unit_labels
from randcrowns.report.words import status_labels, status_meanings, text_of_key

_SOURCES = QgsProcessing.SourceType
_WKB = QgsWkbTypes.Type
#: Processing type and geometry type of the outputs with features, by their kind.
_FEATURE_KINDS = {
    "polygons": (_SOURCES.TypeVectorPolygon, _WKB.MultiPolygon),
    "points": (_SOURCES.TypeVectorPoint, _WKB.Point),
    "lines": (_SOURCES.TypeVectorLine, _WKB.LineString),
    "table": (_SOURCES.TypeVector, _WKB.NoGeometry),
}
#: File filters of the outputs that are files, by their kind.
_FILE_FILTERS = {
    "picture": "PNG (*.png);;SVG (*.svg)",
    "html": "HTML (*.html *.htm)",
    "explorer": "HTML (*.html *.htm)",
    "pdf": "PDF (*.pdf)",
}
#: Minimum number of decimal places in attribute tables.
_MIN_DIGITS = 3
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced


@dataclass(frozen=True)
class Column:
    """Field of an output, and column of the dock's tables."""

    #: Name of the field. A ``#`` stands for a number: ``rank_#`` for ``rank_1``, ``rank_2``, …, and
    #: ``recall_#`` for ``recall_0_5``. The label then has a ``#`` for the number (1, 2, 0.5) too.
    name: str
    label: str  #: alias of the field and heading of the column, without the unit.
    help: str = ""  #: comment of the field and tooltip of the column.
    kind: str = "real"  #: ``real``, ``integer`` or ``text``.
    unit: str = ""  #: unit such as ``m²``; empty for a ratio or a count.
    #: Decimal places in tables; a negative number is a number of significant digits, from six on
    #: without zeros at the end. With None they depend on the size of each number.
    digits: int | None = 3
    #: True for a share of samples, area or pairs: stored from 0 to 1, and shown in percent in
    #: tables. Scores and rates with a name of their own, such as recall, are shown from 0 to 1.
    is_share: bool = False
    #: Display texts of values that are keys; ``band #`` stands for ``band 1``, ``band 2``, …
    display_texts: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def alias(self) -> str:
        """Label with the unit in brackets."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def heading(self) -> str:
        """Heading of the column in tables: the label with the unit in which values are shown."""
        return f"{self.label} (%)" if self.is_share else self.alias

    @property
    def scale(self) -> float:
        """Factor by which tables multiply the stored numbers."""
        return 100.0 if self.is_share else 1.0

    @property
    def is_text(self) -> bool:
        """True if tables show the values as text, because they are texts or keys."""
        return self.kind == "text" or bool(self.display_texts)

    def display_text(self, value: str) -> str:
        """Return the display text of a value.

        A value without a display text of its own may end in a number: ``band 2`` then has the
        display text of ``band #`` with that number. Any other value is returned unchanged.
        """
        return text_of_key(self.display_texts, value)

    def with_unit(self, unit: str) -> Column:
        """Return the column with its metres replaced by another unit of length.

        Args:
            unit: unit of lengths in a run, ``m`` or ``px``.
        """
        if self.unit not in ("m", "m²"):
            return self
        return replace(self, unit=self.unit.replace("m", unit, 1))

    def match_field(self, name: str) -> Column | None:
        """Return the column if it declares the field of this name, otherwise None.

        A column with a ``#`` is returned with the number of the field in name and label.
        """
        if name == self.name:
            return self
        beginning, hash_sign, end = self.name.partition("#")
        if not hash_sign or not name.startswith(beginning) or not name.endswith(end):
            return None
        number = name[len(beginning) : len(name) - len(end)]
        if not number.replace("_", "").isdigit():
            return None
        decimal_number = localize_number(number.replace("_", "."))
        return replace(self, name=name, label=self.label.replace("#", decimal_number))

    def format(self, **values: Any) -> Column:
        """Return the column with values inserted into name, label and help.

        Args:
            **values: values of the placeholders, such as ``prefix`` in ``{prefix}_rc``.
        """
        return replace(
            self,
            name=self.name.format(**values),
            label=self.label.format(**values),
            help=self.help.format(**values),
        )

    def add_to_table(self, table: FeatureTable, values: Any) -> None:
        """Add the field to a table, with one value per feature."""
        table.add_column(self.name, values, self.help, self.kind, self.alias)

    def apply_to_layer(self, layer: QgsVectorLayer) -> None:
        """Set the alias of the field in a layer, and how the attribute table shows its values.

        Real numbers are rounded and keys are shown as their display texts. A layer without the
        field is not changed.
        """
        index = field_index(layer.fields(), self.name)
        if index < 0:
            return
        layer.setFieldAlias(index, self.alias)
        if self.kind == "real":
            settings: dict[str, Any] = {
                "Precision": max(_MIN_DIGITS, self.digits or 0),
                "AllowNull": True,
            }
            layer.setEditorWidgetSetup(index, QgsEditorWidgetSetup("Range", settings))
        elif self.display_texts:
            settings = {"map": self._create_value_map(layer, index)}
            layer.setEditorWidgetSetup(index, QgsEditorWidgetSetup("ValueMap", settings))

    def _create_value_map(self, layer: QgsVectorLayer, index: int) -> list[dict[str, Any]]:
        """Return pairs of display text and key, as QGIS's value map widget reads them.

        Args:
            layer: layer with the field.
            index: index of the field.
        """
        keys = list(self.display_texts)
        if not layer.isSpatial():
            # Tables have values without a display text, such as plot names next to the key for all.
            keys += layer.uniqueValues(index)
        pairs = [
            {self.display_text(key): key} for key in dict.fromkeys(keys) if isinstance(key, str)
        ]
        null_text = QgsApplication.nullRepresentation()
        return [*pairs, {null_text: QgsValueMapFieldFormatter.NULL_VALUE}]


#: Help of the columns for both ends of an interval.
INTERVAL_HELP = tr(
    "95 % interval over plots if there are several, otherwise over single crowns; in the row of a "
    "single plot over its crowns. Empty for fewer than {plots} plots or {crowns} crowns, or if the "
    "values of all of them are 0 or 1.",
    plots=MIN_PLOTS,
    crowns=MIN_UNITS,
)


def with_interval_columns(column: Column) -> tuple[Column, Column, Column]:
    """Return a column, and the columns for the lower and the upper end of its interval."""
    low = Column(f"{column.name}_low", tr("{label}, from", label=column.label), INTERVAL_HELP)
    high = Column(f"{column.name}_high", tr("{label}, to", label=column.label), INTERVAL_HELP)
    return column, low, high


#: Column with the units that the intervals of a row are over.
RESAMPLED_UNITS = Column(
    "resampled",
    tr("Intervals over"),
    tr("Units that were resampled for the intervals: plots or crowns."),
    "text",
    display_texts=unit_labels(),
)

#: Label of each status of a crown.
_STATUS_LABELS = status_labels()
#: Label and meaning of each status of a target.
STATUS_TEXTS = {
    status: (_STATUS_LABELS[status], meaning) for status, meaning in status_meanings().items()
}
STATUS = Column(
    "status",
    tr("Status"),
    tr("Result of the comparison for this crown."),
    "text",
    display_texts={status.value: label for status, label in _STATUS_LABELS.items()},
)

#: COCO's average precision and recall.
COCO_COLUMNS = (
    Column(
        "ap",
        tr("AP, COCO"),
        metric_meanings()["ap"],
    ),
    Column("ap50", tr("AP50, COCO"), tr("COCO's average precision at an IoU of 0.50.")),
    Column("ap75", tr("AP75, COCO"), tr("COCO's average precision at an IoU of 0.75.")),
    Column(
        "ar_1",
        "AR1",
        tr(
            "Average recall over IoU 0.50:0.05:0.95, with the prediction of highest score in each "
            "plot."
        ),
    ),
    Column(
        "ar_10",
        "AR10",
        tr(
            "Average recall over IoU 0.50:0.05:0.95, with the 10 predictions of highest score in "
            "each plot."
        ),
    ),
    Column(
        "ar_100",
        "AR100",
        tr(
            "Average recall over IoU 0.50:0.05:0.95, with the 100 predictions of highest score in "
            "each plot."
        ),
    ),
)
POINT_RECALL = Column(
    "point_recall", tr("Point recall"), tr("Share of the field points that lie in a prediction.")
)
#: Counts and scores at an IoU threshold.
THRESHOLD_COLUMNS = (
    Column("iou", "IoU", tr("Minimum IoU of a match."), digits=2),
    Column(
        "tp",
        "TP",
        tr("Matched targets; each prediction is matched once, the highest IoU first."),
        "integer",
    ),
    Column("fp", "FP", tr("False detections: predictions without a target."), "integer"),
    Column("fn", "FN", tr("Targets that were not detected."), "integer"),
    *with_interval_columns(
        Column("precision", tr("Precision"), tr("Share of the predictions that match a target."))
    ),
    *with_interval_columns(
        Column("recall", tr("Recall"), tr("Share of the targets that are matched."))
    ),
    *with_interval_columns(
        Column("f1", "F1", tr("F1 of detection: harmonic mean of precision and recall."))
    ),
    Column(
        "ap",
        tr("AP, 101 points"),
        tr("Average precision at this IoU over all predictions with a score (101 recall levels)."),
    ),
)


def interval_sentence(units: str) -> str:
    """Return a sentence about the units that intervals are over.

    Args:
        units: ``plots``, ``crowns`` or ``instances``.
    """
    return tr(
        "95 % intervals over {units}; none for fewer than {least} of them.",
        units=RESAMPLED_UNITS.display_texts.get(units, units),
        least=minimum_units(units),
    )


@dataclass(frozen=True, eq=False)
class Output:
    """Layer, table or file that an algorithm can write.

    The order of an algorithm's outputs is their order in the layer tree.
    """

    id: str  #: id of the Processing parameter.
    label: str  #: name of the layer and label in the toolbox.
    help: str = ""  #: description of its content.
    #: ``polygons``, ``points``, ``lines``, ``table``, ``raster``, ``picture``, ``html``,
    #: ``explorer``, ``pdf`` or ``folder``.
    kind: str = "table"
    optional: bool = True  #: True if the run does not require it.
    is_written_by_default: bool = True  #: True if it is written unless the user switches it off.
    advanced: bool = False  #: True if the toolbox hides it at first.
    columns: tuple[Column, ...] = ()  #: its fields, in order.
    #: Function that styles the layer. Its arguments: the layer, and the outputs of the run that are
    #: numbers or texts, by id.
    style: Callable[[QgsVectorLayer, Mapping[str, Any]], None] | None = None
    is_visible: bool = True  #: True if it is visible at first; detailed layers would cover others.
    is_expanded: bool = False  #: True if its legend is expanded at first.
    #: True if it is offered as an input of other runs when it was made in Processing, such as a
    #: consensus.
    is_reusable: bool = False
    has_provenance_columns: bool = (
        False  #: True if its rows have columns with the provenance of the run.
    )

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id as a tuple, like the ids of a parameter."""
        return (self.id,)

    @property
    def field_names(self) -> list[str]:
        """Names of its declared fields."""
        return [column.name for column in self.columns]

    @property
    def has_geometry(self) -> bool:
        """True if its rows have a geometry."""
        return self.kind in ("polygons", "points", "lines")

    @property
    def has_features(self) -> bool:
        """True if it is a layer or a table."""
        return self.kind in _FEATURE_KINDS

    def create_definition(self) -> QgsProcessingDestinationParameter:
        """Return a new Processing parameter for its destination, with help and flags."""
        definition: QgsProcessingDestinationParameter
        if self.kind == "raster":
            definition = QgsProcessingParameterRasterDestination(self.id, self.label)
        elif self.kind == "folder":
            definition = QgsProcessingParameterFolderDestination(self.id, self.label)
        elif self.kind in _FILE_FILTERS:
            definition = QgsProcessingParameterFileDestination(
                self.id, self.label, _FILE_FILTERS[self.kind]
            )
        else:
            source_type, _ = _FEATURE_KINDS[self.kind]
            definition = QgsProcessingParameterFeatureSink(self.id, self.label, source_type)
        definition.setCreateByDefault(self.is_written_by_default)
        if self.optional:
            optional_flag = QgsProcessingParameterDefinition.Flag.FlagOptional
            definition.setFlags(definition.flags() | optional_flag)
        definition.setHelp(self.help)
        if self.advanced:
            definition.setFlags(definition.flags() | _ADVANCED)
        return definition

    def select_columns(self, names: Iterable[str]) -> list[Column]:
        """Return the declared columns of fields, in the order of their declaration.

        Numbered columns that are declared next to each other follow the order of the fields.

        Args:
            names: names of the fields; those that are not declared are skipped.
        """
        field_names = list(names)
        selected_columns: list[Column] = []
        # The name of a numbered column contains "#" in place of the number.
        for is_numbered, group in groupby(self.columns, lambda column: "#" in column.name):
            declared_columns = list(group)
            if not is_numbered:
                selected_columns += [
                    column for column in declared_columns if column.name in field_names
                ]
                continue
            for name in field_names:
                for column in declared_columns:
                    numbered_column = column.match_field(name)
                    if numbered_column is not None:
                        selected_columns.append(numbered_column)
        return selected_columns

    def create_table(
        self,
        frame: pd.DataFrame,
        geometry: Sequence[QgsGeometry] | None = None,
        crs: QgsCoordinateReferenceSystem | None = None,
    ) -> FeatureTable:
        """Return the rows of a data frame as features.

        The fields are the declared columns that the frame has, in their order, then its other
        columns.

        Args:
            frame: attributes, one row per feature.
            geometry: geometries, one per row, or None.
            crs: coordinate reference system of the geometries.
        """
        _, wkb_type = _FEATURE_KINDS[self.kind]
        table = FeatureTable(crs or QgsCoordinateReferenceSystem(), wkb_type, geometry)
        declared_columns = self.select_columns(frame.columns)
        for column in declared_columns:
            column.add_to_table(table, frame[column.name].to_numpy())
        for name in frame.columns.difference(
            [column.name for column in declared_columns], sort=False
        ):
            # A nullable type is kept, so that whole numbers stay whole beside missing ones.
            table.add_column(str(name), frame[name])
        return table

    def with_unit(self, unit: str) -> Output:
        """Return the output of a run whose lengths are in this unit, ``m`` or ``px``."""
        return replace(self, columns=tuple(column.with_unit(unit) for column in self.columns))

    def set_unit_in_aliases(self, table: FeatureTable, unit: str) -> None:
        """Set the unit of lengths, ``m`` or ``px``, in the field aliases of a table."""
        for column in self.with_unit(unit).select_columns(table.fields.names()):
            table.set_alias(column.name, column.alias)

    def style_layer(self, layer: QgsMapLayer, others: Mapping[str, Any], mark: bool = True) -> None:
        """Style a layer and set the aliases of its fields.

        Args:
            layer: layer of the output, which is changed.
            others: outputs of the run that are numbers or texts, by id.
            mark: True to mark it as the result of a run, so that no page offers it as an input.
        """
        if mark:
            layer.setCustomProperty(RESULT_PROPERTY, self.id)
        unit = length_unit(others)
        if unit != "m" and layer.isSpatial():
            # QGIS and GeoPackages replace a missing CRS by their own "undefined" one.
            layer.setCrs(QgsCoordinateReferenceSystem())
        prepare_transform_to_wgs84(layer)
        if not isinstance(layer, QgsVectorLayer):
            return
        for column in self.with_unit(unit).select_columns(layer.fields().names()):
            column.apply_to_layer(layer)
        if self.style is not None:
            self.style(layer, others)
            layer.triggerRepaint()


@dataclass(frozen=True)
class ValueOutput:
    """Output of an algorithm that is a number or a text."""

    id: str  #: id of the Processing output.
    label: str  #: label, translated.
    is_text: bool = False  #: True for a text, False for a number.

    def create_definition(self) -> QgsProcessingOutputDefinition:
        """Return a new Processing output."""
        kind = QgsProcessingOutputString if self.is_text else QgsProcessingOutputNumber
        return kind(self.id, self.label)


#: Column with the name of the image in tables of runs with several images or plots.
IMAGE = Column(
    "image",
    tr("Image"),
    tr("Name of the image or plot. The first rows are for all images together."),
    "text",
)
#: Output of algorithms that accept layers in pixel coordinates.
UNIT = ValueOutput(
    "UNIT",
    tr("Unit of lengths (and, squared, of areas): m, or px for images without a georeference"),
    is_text=True,
)


def length_unit(values: Mapping[str, Any]) -> str:
    """Return the unit of lengths of a run, ``m`` or ``px``; ``m`` if the run does not record it.

    Args:
        values: outputs of the run that are numbers or texts, by id.

    >>> length_unit({"UNIT": "px"}), length_unit({})
    ('px', 'm')
    """
    return str(values.get(UNIT.id) or "m")


#: Output of algorithms that read images. The images are loaded below the layers of the run.
IMAGES_READ = ValueOutput(
    "IMAGES_READ", tr("Images that were read, one path per line"), is_text=True
)
#: Title of the group of imported layers in the layer tree.
IMPORT_GROUP_TITLE = tr("Imported crowns")


def image_paths(others: Mapping[str, Any]) -> list[str]:
    """Return the paths of the images that a run has read.

    Args:
        others: outputs of the run that are numbers or texts, by id.
    """
    return str(others.get(IMAGES_READ.id) or "").splitlines()


#: Post-processors of layers that are not loaded yet. Processing does not keep the Python part of a
#: post-processor alive. The limit removes those of runs whose layers are never loaded.
_POST_PROCESSORS: deque[QgsProcessingLayerPostProcessorInterface] = deque(maxlen=100)


class _PostProcessor(QgsProcessingLayerPostProcessorInterface):
    """Post-processor that calls a function when a layer is loaded.

    Args:
        on_loaded: called with the layer and the project, on the main thread.
    """

    def __init__(self, on_loaded: Callable[[QgsMapLayer, QgsProject], None]) -> None:
        super().__init__()
        self._on_loaded = on_loaded

    def postProcessLayer(  # noqa: N802 - QGIS's name
        self, layer: QgsMapLayer, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> None:
        """Call the function, unless the layer was deleted in the meantime."""
        if layer is not None and layer.isValid():
            self._on_loaded(layer, context.project() or QgsProject.instance())


def style_when_loaded(
    details: Any,
    outputs: Sequence[Output],
    name: str,
    title: str,
    others: Mapping[str, Any],
    describe: Callable[[QgsMapLayer, str], None],
) -> None:
    """Register what happens to an output when QGIS loads it.

    Its layer is styled, described and moved into the group of its run. The images that the run has
    read are added below the group.

    Args:
        details: ``QgsProcessingContext.LayerDetails`` of the output; its post-processor is set.
        outputs: outputs of the algorithm, in the order of the layer tree.
        name: id of the output to load.
        title: name of the group.
        others: outputs of the run that are numbers or texts, by id.
        describe: called with the layer and the id of the output.
    """
    position = [output.id for output in outputs].index(name)
    output = outputs[position]

    def on_loaded(layer: QgsMapLayer, project: QgsProject) -> None:
        output.style_layer(layer, others, mark=not output.is_reusable)
        describe(layer, output.id)
        is_import = IMAGES_READ.id in others
        group_title = IMPORT_GROUP_TITLE if is_import else title
        move_to_group(project, layer, group_title, position, is_import)
        add_images(project, image_paths(others))
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None and not output.is_visible:
            node.setItemVisibilityChecked(False)

    post_processor = _PostProcessor(on_loaded)
    _POST_PROCESSORS.append(post_processor)
    details.setPostProcessor(post_processor)

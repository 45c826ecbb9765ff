"""Parameters for classes and strata, the checks of them, and the settings made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    Option,
    OptionParameter,
    Parameter,
    RunParameters,
    RunSettings,
    TextParameter,
)
from randcrowns.core.classes.summarise import (
    StrataRequest,
    SummariseBy,
    check_request,
    parse_breaks,
)
from randcrowns.core.classes.values import check_class_options, parse_class_groups
from randcrowns.core.errors import InputError
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.read import CrownLayer

CLASS_FIELD = FieldParameter(
    "class_field",
    tr("Class"),
    tr(
        "Field of the targets with the kind of each crown, such as its species. The classes of "
        "matched crowns are compared: a confusion matrix, and numbers per class. Crowns without a "
        "class are counted, but not judged."
    ),
    optional=True,
    layer_parameter=TARGETS,
)
CLASS_GROUPS = TextParameter(
    "class_groups",
    tr("Classes taken as one"),
    tr("Names and classes that count as one, such as: conifer=PIPA+PIEL; broadleaf=QULA+ACRU"),
    advanced=True,
    optional=True,
)
WITHIN_CLASSES = BooleanParameter(
    "within_classes",
    tr("Match within classes only"),
    tr(
        "Only crowns of one class can match, as in COCO. Otherwise crowns are matched by their "
        "outlines alone, and their classes are compared afterwards."
    ),
    advanced=True,
)
_BY_HELP = {
    SummariseBy.NONE: (tr("Nothing"), tr("No strata.")),
    SummariseBy.ATTRIBUTE: (
        tr("Field of the targets"),
        tr("Categories as they are; numbers in quartiles, or between the limits."),
    ),
    SummariseBy.AREA: (tr("Area"), tr("Quartiles of the targets' areas, or limits in m².")),
    SummariseBy.PIXELS: (
        tr("Small, medium, large"),
        tr("COCO's sizes: below 32², to 96², and above, in pixels. For layers in pixels."),
    ),
    SummariseBy.CROWDING: (
        tr("Crowding"),
        tr("Number of delineations that overlap the target."),
    ),
    SummariseBy.EDGE: (
        tr("Distance to the image edge"),
        tr("Quartiles, or limits in metres. Requires the image extent."),
    ),
}
SUMMARISE_BY = OptionParameter(
    "summarise_by",
    tr("Summarise by"),
    tr("Property by which the scores are summarised, to see for which crowns they are poor."),
    advanced=True,
    options=tuple(Option(by.value, label, text) for by, (label, text) in _BY_HELP.items()),
)
STRATA_FIELD = FieldParameter(
    "strata_field",
    tr("Field to summarise by"),
    tr("Field of the targets by which the scores are summarised."),
    advanced=True,
    optional=True,
    layer_parameter=TARGETS,
)
STRATA_BREAKS = TextParameter(
    "strata_breaks",
    tr("Limits between strata"),
    tr("Rising numbers, such as: 10; 20; 50. Default: categories, or the quartiles of numbers."),
    advanced=True,
    optional=True,
)


@dataclass(frozen=True)
class ClassParameters:
    """Parameters of classes and strata of one algorithm."""

    class_field: FieldParameter  #: class field of the targets.
    other_class_field: FieldParameter  #: class field of the other layers, if its name differs.
    summarise_by: OptionParameter  #: property of the strata.
    strata_field: FieldParameter  #: field of the targets with the property.
    groups: TextParameter = CLASS_GROUPS  #: classes that count as one.
    within: BooleanParameter = WITHIN_CLASSES  #: whether only crowns of one class match.
    breaks: TextParameter = STRATA_BREAKS  #: limits between the strata.

    @classmethod
    def of_layers(
        cls,
        targets: Parameter[Any],
        other_class_field: FieldParameter,
        summarise_by: Sequence[SummariseBy],
    ) -> ClassParameters:
        """Return the parameters of an algorithm.

        Args:
            targets: parameter of the target layer.
            other_class_field: parameter with the class field of the other layers.
            summarise_by: properties by which the scores can be summarised.
        """
        return cls(
            replace(CLASS_FIELD, layer_parameter=targets),
            other_class_field,
            SUMMARISE_BY.with_options(*(by.value for by in summarise_by)),
            replace(STRATA_FIELD, layer_parameter=targets),
        )

    @property
    def advanced(self) -> tuple[Parameter[Any], ...]:
        """Parameters that are rarely changed, in the order of the dialog."""
        return (
            self.other_class_field,
            self.groups,
            self.within,
            self.summarise_by,
            self.strata_field,
            self.breaks,
        )

    def fields(self, values: Any) -> ClassFields:
        """Return the class fields of a run.

        Args:
            values: parameters or settings of the run, or of a form, by parameter.
        """
        field = values[self.class_field]
        return ClassFields(field, (values[self.other_class_field] or field) if field else "")

    def check(
        self, run_parameters: RunParameters, targets: QgsVectorLayer | None, others: Iterable[Any]
    ) -> None:
        """Raise an InputError if classes or strata cannot be read with the parameters of a run.

        Args:
            run_parameters: parameters of the run.
            targets: target layer.
            others: layers compared with the targets.
        """
        parse_class_groups(run_parameters[self.groups])
        parse_breaks(run_parameters[self.breaks])
        fields = self.fields(run_parameters)
        class_options = {}
        for option in (self.groups, self.other_class_field):
            class_options[option.label] = run_parameters[option]
        check_class_options(fields.targets, class_options, self.class_field.label)
        if fields.targets:
            _require_field(targets, self.class_field, fields.targets)
            if not any(_has_field(layer, fields.others) for layer in others):
                raise InputError(
                    "classes.no_field_to_compare",
                    "No layer that is compared with the targets has a field '{field}' with "
                    "classes. Choose the field of that layer, or leave '{parameter}' empty.",
                    field=fields.others,
                    parameter=self.class_field.label,
                )
        elif run_parameters[self.within]:
            raise InputError(
                "classes.no_field_to_match",
                "Crowns can only be matched within classes if there is a class field. Choose a "
                "field as '{parameter}'.",
                parameter=self.class_field.label,
            )
        self._check_strata_field(run_parameters, targets)

    def _check_strata_field(
        self, run_parameters: RunParameters, targets: QgsVectorLayer | None
    ) -> None:
        """Raise an InputError if the targets are summarised by a field that they do not have."""
        if run_parameters[self.summarise_by] != SummariseBy.ATTRIBUTE.value:
            return
        field = run_parameters[self.strata_field]
        if not field:
            raise InputError(
                "strata.no_field",
                "Choose the field of the targets by which the scores are summarised, as "
                "'{parameter}'.",
                parameter=self.strata_field.label,
            )
        _require_field(targets, self.strata_field, field)

    def strata_request(
        self, settings: RunSettings, targets: CrownLayer, extent: Any = None
    ) -> StrataRequest | None:
        """Return the property by which the targets of a run are summarised; None without one.

        Args:
            settings: settings of the run.
            targets: target layer with all its attributes.
            extent: polygon of the image in working coordinates, or None.

        Raises:
            InputError: if the distance to the edge is chosen without an image extent, or there are
                too many strata.
        """
        by = SummariseBy(settings[self.summarise_by])
        if by is SummariseBy.NONE:
            return None
        if by is SummariseBy.EDGE and extent is None:
            raise InputError(
                "strata.no_image_extent",
                "The distance to the edge of the image is unknown. Choose the image as image "
                "extent, or summarise by something else.",
            )
        name = self.summarise_by.label_of(by.value)
        values: Sequence[Any] = ()
        is_numeric = False
        if by is SummariseBy.ATTRIBUTE:
            name = settings[self.strata_field]
            values = targets.field_values(name)
            fields = targets.request.snapshot.fields
            is_numeric = fields.at(field_index(fields, name)).isNumeric()
        request = StrataRequest(
            by=by,
            breaks=parse_breaks(settings[self.breaks]),
            values=values,
            is_numeric=is_numeric,
            name=name,
            extent=extent,
            pixel_size=1.0 if targets.working_crs.in_pixels else None,
        )
        check_request(request)
        return request


class ClassFields(NamedTuple):
    """Class fields of both sides; empty without classes."""

    targets: str  #: field of the targets.
    others: str  #: field of the layers that are compared with them.


def _require_field(layer: QgsVectorLayer | None, parameter: Parameter[Any], field: str) -> None:
    """Raise an InputError if a layer lacks a field.

    Args:
        layer: the layer; None if it is chosen later.
        parameter: parameter with the name of the field, for the error.
        field: name of the field.
    """
    if layer is not None and not _has_field(layer, field):
        raise InputError(
            "classes.no_field",
            "Layer '{name}' has no field '{field}', which is chosen as '{parameter}'.",
            name=layer.name(),
            field=field,
            parameter=parameter.label,
        )


def _has_field(layer: Any, name: str) -> bool:
    """Return True if a map layer is a vector layer with a field of this name."""
    return isinstance(layer, QgsVectorLayer) and field_index(layer.fields(), name) >= 0

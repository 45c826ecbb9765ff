"""Snapshots of vector layers that can be read in the background, and crowns read from them."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.class_names import class_values
from randcrowns.core.comparison import check_unused_plots
from randcrowns.core.crowns import MAX_COORDINATE, Crowns
from randcrowns.core.crs import CheckedCrsName
from randcrowns.core.errors import InputError
from randcrowns.core.field_messages import (
    no_class_field_message,
    no_plot_field_message,
    no_score_field_message,
    transformed_message,
    unused_score_field_message,
    without_plot_message,
)
from randcrowns.core.field_names import is_score_name
from randcrowns.core.geometry.features import FeatureScores, exclude_low_scores
from randcrowns.core.messages import Message, Severity, info, note, warning
from randcrowns.core.names import numeric_sort_key
from randcrowns.core.progress import Progress, no_progress, run_in_thread, subprogress
from randcrowns.core.value_names import name_of_value
from randcrowns.layers.compat import is_polygon_layer, plain_value
from randcrowns.layers.crs import (
    WorkingCrs,
    assumed_crs_message,
    check_crs,
    check_not_degrees,
    has_assumed_crs,
    layer_crs,
    missing_grid_message,
)
from randcrowns.layers.databases import database_error, layer_file, wait_for_unlock
from randcrowns.layers.fields import field_index
from randcrowns.layers.vector.features import is_file_error, last_read_error, open_features
from randcrowns.layers.vector.geometry import (
    FeatureIssue,
    ReadReport,
    features_to_polygons,
    repair_polygons,
)
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.provider_errors import ProviderErrors, ServerSource
from randcrowns.layers.vector.tables import read_in_blocks, to_attribute_values
from randcrowns.layers.vector.write import result_field_names

#: Names of providers that report the exact number of features.
_EXACT_COUNT_PROVIDERS = ("ogr", "memory", "spatialite", "virtual", "delimitedtext")
_CHANGED = (
    "Layer '{layer}' had {expected} crowns when the run began, but {read} were read: it was "
    "changed or filtered meanwhile, or its file is damaged."
)
_INCOMPLETE = (
    "Layer '{layer}' cannot be read completely: {read} of {expected} crowns arrived. Its server or "
    "the connection failed, or somebody deletes crowns now. Reload the layer and run again."
)
_INCOMPLETE_UNKNOWN = (
    "Layer '{layer}' cannot be read completely: after {read} crowns, its server or the connection "
    "failed. The message log of QGIS shows the details. Reload the layer and run again."
)
_UNREADABLE = "Layer '{name}' cannot be read; check that its file or database is still there."


class _ReadAttempt(NamedTuple):
    """Result of one attempt to read the features of a layer."""

    features: list[QgsFeature]
    #: GDAL's error message in lower case; "" if GDAL reports no error.
    error: str
    #: True if the provider of a server reports an error.
    has_server_error: bool


@dataclass(frozen=True)
class LayerSnapshot:
    """State of a vector layer that can be read in the background.

    It does not refer to the layer, which may be edited or removed meanwhile. Edits that are saved
    to the layer's file, and filters that are set, before the features are read do have an effect;
    :meth:`count_change_message` detects them if they change the number of features.
    """

    #: Name of the layer.
    name: str
    #: CRS of the layer.
    crs: QgsCoordinateReferenceSystem
    #: Fields of the layer.
    fields: QgsFields
    #: Names of the fields that earlier runs wrote, sorted.
    result_fields: tuple[str, ...]
    #: Ids of the features to read; None for all.
    selected_ids: tuple[int, ...] | None
    #: Number of features that the layer reports; -1 if unknown.
    feature_count: int
    #: Geometry type (QgsWkbTypes.Type).
    wkb_type: Any
    #: Source of the features, with unsaved edits.
    source: QgsVectorLayerFeatureSource
    #: QGIS expression that selects features; "" for all.
    expression: str = ""
    #: Maximum number of features to read; -1 for all.
    max_features: int = -1
    #: True if ``count`` is exact and no estimate.
    is_count_exact: bool = False
    #: File that the layer is read from; None for layers in memory and on servers.
    file: Path | None = None
    #: Source in a database on a server or of a web service; None for other layers.
    server: ServerSource | None = None
    #: Number of unsaved new features minus the number of unsaved deletions.
    unsaved_count: int = 0
    #: True if QGIS assumes the CRS, because the layer has none.
    is_crs_assumed: bool = False

    @classmethod
    def from_layer(
        cls,
        layer: QgsVectorLayer,
        selected_only: bool = False,
        expression: str = "",
        limit: int = -1,
        require_polygons: bool = True,
    ) -> LayerSnapshot:
        """Take a snapshot of a layer, including unsaved edits; call on the layer's thread.

        Args:
            layer: the layer.
            selected_only: read the selected features only.
            expression: QGIS expression that selects features; "" for all.
            limit: maximum number of features to read; -1 for all.
            require_polygons: refuse layers of other geometry types than polygons.

        Raises:
            InputError: if the layer is invalid or not a polygon layer, or its file stays locked.
        """
        name = layer.name()
        if not layer.isValid():
            raise InputError("layer.unreadable", _UNREADABLE, name=name)
        if require_polygons and not is_polygon_layer(layer):
            raise InputError(
                "layer.no_polygons",
                "Layer '{name}' holds no polygons; crowns must be polygons.",
                name=name,
            )
        file = layer_file(layer)
        wait_for_unlock(file)
        server = ServerSource.of_layer(layer)
        with ProviderErrors(server):
            # QGIS may read a whole web service to count its features.
            count = layer.selectedFeatureCount() if selected_only else layer.featureCount()
        if server is not None:
            server.reload_after_errors(layer)
        crs = layer_crs(layer)
        return cls(
            name=name,
            crs=crs,
            fields=QgsFields(layer.fields()),
            result_fields=tuple(sorted(result_field_names(layer))),
            selected_ids=tuple(layer.selectedFeatureIds()) if selected_only else None,
            feature_count=count,
            wkb_type=layer.wkbType(),
            source=QgsVectorLayerFeatureSource(layer),
            expression=expression,
            max_features=limit,
            is_count_exact=selected_only or layer.providerType() in _EXACT_COUNT_PROVIDERS,
            file=file,
            server=server,
            unsaved_count=_count_unsaved(layer),
            is_crs_assumed=crs.isValid() and has_assumed_crs(layer),
        )

    def current_subset(self, layer: QgsVectorLayer, ids: Sequence[int]) -> LayerSnapshot:
        """Return a snapshot of the layer's current state, restricted to some features.

        Args:
            layer: the layer of this snapshot.
            ids: ids of the features. If this snapshot has selected features, only those of them
                are included.
        """
        if self.selected_ids is None:
            included_ids = tuple(ids)
        else:
            included_ids = tuple(sorted(set(ids).intersection(self.selected_ids)))
        return replace(
            self,
            selected_ids=included_ids,
            source=QgsVectorLayerFeatureSource(layer),
            fields=layer.fields(),
            feature_count=-1,  # unknown
        )

    def count_change_message(self, name: str, n_read: int) -> Message | None:
        """Return a message if the number of features differs from that of the snapshot.

        Args:
            name: name of the layer in the message.
            n_read: number of features that were read.

        Returns:
            The message; None if the numbers are equal, or if they cannot be compared because of
            an expression. For web services, whose numbers are not exact, the message says so.
        """
        if self.server is not None and self.server.is_web_service and not self.is_count_exact:
            return self._uncounted_message(name, n_read)
        if self._expected_count < 0 or n_read == self._expected_count:
            return None
        return note(
            "input.changed", _CHANGED, layer=name, expected=self._expected_count, read=n_read
        )

    def _uncounted_message(self, name: str, n_read: int) -> Message:
        """Return a message about the features that were read from a web service.

        It is a notice if the service announced more features, and a plain information otherwise.

        Args:
            name: name of the layer in the message.
            n_read: number of features that were read.
        """
        if not self.expression and self.max_features < 0 and n_read < self.feature_count:
            return note(
                "input.changed", _CHANGED, layer=name, expected=self.feature_count, read=n_read
            )
        return info(
            "input.count_unknown",
            "{read} crowns of layer '{layer}' were read. Its web service does not report how many "
            "there are.",
            layer=name,
            read=n_read,
        )

    @property
    def _expected_count(self) -> int:
        """Number of features that reading should return; -1 if unknown."""
        if not self.is_count_exact or self.expression:
            return -1
        if self.max_features < 0:
            return self.feature_count
        return min(self.feature_count, self.max_features)

    def read_features(
        self, attributes: list[str] | None = None, progress: Progress = no_progress
    ) -> list[QgsFeature]:
        """Read the features, sorted by id.

        Args:
            attributes: names of the fields to read; None for all.
            progress: callback that receives the completed fraction.

        Raises:
            InputError: if the features cannot be read, for example because the file is locked.
        """
        request = QgsFeatureRequest()
        if self.expression:
            request.setFilterExpression(self.expression)
        elif self.selected_ids is not None:
            request.setFilterFids(list(self.selected_ids))
        if attributes is not None:
            request.setSubsetOfAttributes([field_index(self.fields, name) for name in attributes])

        wait_for_unlock(self.file, progress)
        server_count = self._count_on_server()
        attempt = self._read(request, progress)
        minimum_count = max(self._expected_count, min(self.feature_count, 1))
        if len(attempt.features) < minimum_count and not is_file_error(attempt.error):
            # QGIS reuses a connection that was opened while the file was locked, or while its log
            # was merged into it. Such a connection never returns the saved features. An open
            # iterator occupies that connection, so that the second attempt gets a new one.
            with open_features(self.source, request):
                attempt = self._read(request, progress)
        self._check_complete(len(attempt.features), attempt.error)
        self._check_server(attempt, server_count)

        features = attempt.features
        if self.expression and self.selected_ids is not None:
            selected_ids = set(self.selected_ids)
            features = [feature for feature in features if feature.id() in selected_ids]
        features.sort(key=QgsFeature.id)
        return features if self.max_features < 0 else features[: self.max_features]

    def _read(self, request: QgsFeatureRequest, progress: Progress) -> _ReadAttempt:
        """Read the features of a request and the errors that GDAL and QGIS report meanwhile.

        An iterator of QGIS ends in the same way after the last feature and after an error.
        """
        features: list[QgsFeature] = []
        errors = ProviderErrors(self.server)
        with errors, open_features(self.source, request) as iterator:
            errors.check_iterator(iterator)
            for block in read_in_blocks(iterator, progress, self.feature_count):
                features += block
        return _ReadAttempt(features, last_read_error(), errors.has_errors)

    def _count_on_server(self) -> int:
        """Return the number of features that a database on a server reports now; -1 if unknown."""
        if self.server is None or self.expression or self.selected_ids is not None:
            return -1
        count = self.server.count()
        if count < 0:
            return -1
        count += self.unsaved_count
        return count if self.max_features < 0 else min(count, self.max_features)

    def _check_server(self, attempt: _ReadAttempt, server_count: int) -> None:
        """Raise InputError if features of a server are missing.

        Args:
            attempt: features and errors.
            server_count: number of features that the server has; -1 if unknown.
        """
        expected = max(server_count, self._expected_count)
        n_read = len(attempt.features)
        if 0 <= expected <= n_read:
            return
        if server_count >= 0:
            raise InputError(
                "layer.incomplete", _INCOMPLETE, layer=self.name, read=n_read, expected=expected
            )
        if attempt.has_server_error:
            raise InputError("layer.incomplete", _INCOMPLETE_UNKNOWN, layer=self.name, read=n_read)

    def _check_complete(self, n_read: int, error: str) -> None:
        """Raise InputError if features are missing and the layer was not merely edited.

        Args:
            n_read: number of features that were read.
            error: GDAL's error message in lower case, or "".
        """
        is_count_known = self._expected_count >= 0
        if is_count_known and n_read >= self._expected_count:
            return
        if is_file_error(error):
            raise database_error(error, self.file or Path(self.name))

        # If the expected count is unknown, an error matters only if nothing was read.
        expects_features = self._expected_count > 0
        if error and (n_read == 0 or expects_features):
            raise InputError("layer.unreadable", _UNREADABLE, name=self.name)

        # Selected features may have been deleted in the meantime.
        if n_read == 0 and expects_features and self.selected_ids is None:
            raise InputError(
                "layer.changed_while_reading",
                _CHANGED,
                layer=self.name,
                expected=self._expected_count,
                read=n_read,
            )


def _count_unsaved(layer: QgsVectorLayer) -> int:
    """Return the number of unsaved new features minus the number of unsaved deletions."""
    buffer = layer.editBuffer()
    if buffer is None:
        return 0
    return len(buffer.addedFeatures()) - len(buffer.deletedFeatureIds())


class ExtentTreatment(Enum):
    """Treatment of a layer's crowns at the border of the study area."""

    #: Keep all crowns.
    KEEP = "stay"
    #: Keep the crowns that overlap the study area, unclipped.
    SELECT = "inside"
    #: Clip the crowns to the study area.
    CLIP = "cut"


@dataclass(frozen=True)
class LayerRequest:
    """Layer to read crowns from, with the options for reading it."""

    #: The layer.
    snapshot: LayerSnapshot
    #: Name of the crowns; "" for the layer's name.
    name: str = ""
    #: Field with the plot, or with the annotator's name, by which crowns are grouped; crowns of a
    #: layer without the field have no groups.
    group_field: str = ""
    #: Exclude crowns without a group. Otherwise they form a group of their own.
    exclude_ungrouped: bool = False
    #: Field with a detector's score; a layer without the field keeps every crown.
    score_field: str = ""
    #: Minimum score; crowns with a lower score or without a score are excluded.
    score_threshold: float = -sys.float_info.max
    #: Field with the plot if plots are not used; for a message about pairs across plots.
    unused_plot_field: str = ""
    #: Field with the plot if plots are separate sites; the plots are not groups.
    site_field: str = ""
    #: Field with the class of each crown, such as its species; a layer without the field has no
    #: classes.
    class_field: str = ""
    #: Read all attributes of the features.
    read_all_attributes: bool = False
    #: Treatment of crowns at the border of the study area.
    extent_treatment: ExtentTreatment = ExtentTreatment.KEEP
    #: True if the results are useless without crowns of this layer.
    is_required: bool = False


@dataclass(frozen=True)
class CrownLayer:
    """Layer that was read: its n usable crowns and all its features."""

    #: Usable crowns, in working coordinates.
    crowns: Crowns
    #: (n,) index of each crown's feature in ``features``.
    feature_rows: Ints
    #: All features, sorted by id.
    features: list[QgsFeature]
    #: Working CRS of the crowns.
    working_crs: WorkingCrs
    #: Issues found while reading.
    report: ReadReport
    #: Options with which the layer was read.
    request: LayerRequest
    #: All values of the group field, including those of features without a usable crown.
    plot_names: frozenset[str] = frozenset()
    #: (n,) parts of the crowns within the study area; None if crowns are not clipped.
    clipped: Objects | None = None

    @property
    def feature_ids(self) -> Ints:
        """Ids of all features, ascending."""
        return np.array([feature.id() for feature in self.features], dtype=np.int64)

    def messages(self) -> list[Message]:
        """Return the messages about the issues, and one if no crown is usable."""
        messages = self.report.messages()
        if not len(self.crowns):
            create_message = warning if self.request.is_required else note
            template = "Layer '{layer}' has no polygons that can be used."
            messages.append(create_message("input.none", template, layer=self.crowns.name))
        return messages

    @property
    def plots(self) -> Objects:
        """(n,) plot of each crown if plots are separate sites; None without a plot."""
        plots = np.full(len(self.crowns), None, dtype=object)
        field = self.request.site_field
        if field_index(self.request.snapshot.fields, field) >= 0:
            plots[:] = [to_text(value) for value in self.field_values(field)]
        return plots

    def field_values(self, field: str) -> list[Any]:
        """Return the n attribute values of the crowns in a field, without Qt's types."""
        index = field_index(self.request.snapshot.fields, field)
        return [plain_value(self.features[row].attribute(index)) for row in self.feature_rows]

    def field_numbers(self, field: str) -> Floats:
        """Return the numbers (n,) of the crowns in a field; NaN for NULL and other values."""
        return np.array(to_attribute_values(self.field_values(field), "real"), dtype=np.float64)

    def unused_plots_message(
        self, other: CrownLayer, rows: Ints | None = None, other_rows: Ints | None = None
    ) -> Message | None:
        """Return a message if both layers share a plot field that is not used.

        Args:
            other: layer compared with this one.
            rows: (p,) indices of this layer's crowns in the pairs; by default all pairs of crowns
                that intersect are compared.
            other_rows: (p,) indices of the other layer's crowns in the pairs.

        Returns:
            Message about pairs of crowns from different plots, see
            :func:`randcrowns.core.comparison.check_unused_plots`; None without such pairs, or if a
            layer lacks the field.
        """
        field = self.request.unused_plot_field
        if not field:
            return None
        other_has_field = field_index(other.request.snapshot.fields, field) >= 0
        if not other_has_field:
            return None

        if rows is None or other_rows is None:
            tree = shapely.STRtree(other.crowns.geometry.copy())
            rows, other_rows = tree.query(self.crowns.geometry, predicate="intersects")
        plots = self._read_field_texts(field)
        other_plots = other._read_field_texts(field)
        return check_unused_plots(other.crowns.name, field, plots, other_plots, rows, other_rows)

    def unused_score_message(self) -> Message | None:
        """Return a message for the log if a field looks like scores, but none is chosen.

        It is no note: crowns of a detector are mostly scored with all of their detections, and a
        note takes the room of a crown on page Score.
        """
        if self.request.score_field:
            return None
        for field in self.request.snapshot.fields:
            if field.isNumeric() and is_score_name(field.name()):
                message = unused_score_field_message(self.crowns.name, field.name())
                return replace(message, severity=Severity.INFO)
        return None

    def _read_field_texts(self, field: str) -> Objects:
        """Return the values (n,) of the crowns in a field as text; None for NULL."""
        return np.array([to_text(value) for value in self.field_values(field)], dtype=object)

    def subset(self, mask: Bools) -> CrownLayer:
        """Return the layer restricted to the crowns of a mask (n,)."""
        return replace(self, crowns=self.crowns.subset(mask), feature_rows=self.feature_rows[mask])


def read_crowns(
    request: LayerRequest,
    working: WorkingCrs | QgsCoordinateTransformContext,
    progress: Progress = no_progress,
) -> CrownLayer:
    """Read crowns from a layer, repair invalid ones, and report issues.

    Args:
        request: the layer and the options for reading it.
        working: working CRS of the crowns; or the project's transform context, with which the
            working CRS of the layer is determined.
        progress: callback that receives the completed fraction.

    Returns:
        The crowns, all features of the layer, and the report.

    Raises:
        InputError: if the layer cannot be read, its CRS is unknown or unsuitable, or the score
            threshold is not finite.
    """
    snapshot = request.snapshot
    name = request.name or snapshot.name
    report = ReadReport(name)
    if isinstance(working, WorkingCrs):
        working.check_layer(name, snapshot.crs)
    else:
        check_crs(name, snapshot.crs)

    features = _read_layer_features(request, report, subprogress(progress, 0.0, 0.4))
    ids = np.array([feature.id() for feature in features], dtype=np.int64)
    shapes = run_in_thread(
        lambda _progress: features_to_polygons(features, ids, report),
        subprogress(progress, 0.4, 0.6),
    )
    bounds = _select_usable_bounds(shapes)
    is_in_pixels = isinstance(working, WorkingCrs) and working.in_pixels
    if not is_in_pixels:
        check_not_degrees(name, snapshot.crs, bounds)
    working_crs = _choose_working_crs(working, name, snapshot.crs, bounds, report)
    transform = partial(working_crs.to_working, snapshot.crs, name=name)
    # Features without a usable polygon are None from here.
    polygons = repair_polygons(shapes, ids, report, transform, subprogress(progress, 0.6, 0.94))
    if request.score_field:
        _exclude_low_scores(polygons, features, ids, request, report)
    groups = _read_reported_groups(features, polygons, ids, request, report)

    feature_rows = np.flatnonzero(~shapely.is_missing(polygons))
    plots = None
    plot_names: frozenset[str] = frozenset()
    if groups is not None:
        plots = groups[feature_rows]
        plot_names = frozenset(group for group in groups if group)
    crowns = Crowns(
        geometry=polygons[feature_rows],
        ids=ids[feature_rows],
        plots=plots,
        name=name,
        crs=CheckedCrsName(working_crs.name),
        classes=_read_classes(features, feature_rows, request, report),
    )
    progress(1.0)
    return CrownLayer(
        crowns=crowns,
        feature_rows=feature_rows,
        features=features,
        working_crs=working_crs,
        report=report,
        request=request,
        plot_names=plot_names,
    )


def _read_reported_groups(
    features: list[QgsFeature],
    polygons: Objects,
    ids: Ints,
    request: LayerRequest,
    report: ReadReport,
) -> Objects | None:
    """Return the groups of features, and report a missing field and crowns without a group.

    Args:
        features: n features.
        polygons: (n,) usable polygons; None where there is none.
        ids: (n,) feature ids.
        request: the layer and the options for reading it.
        report: report to which messages are added.

    Returns:
        Array (n,) of the groups' names; None without a field of groups.
    """
    groups = _read_groups(features, request.snapshot, request.group_field)
    if groups is not None:
        _report_without_group(groups, polygons, ids, request, report)
    elif request.group_field:
        name = request.name or request.snapshot.name
        report.layer_messages.append(no_plot_field_message(name, request.group_field))
    return groups


def _read_layer_features(
    request: LayerRequest, report: ReadReport, progress: Progress
) -> list[QgsFeature]:
    """Read the features of a layer with the requested attributes, and make their ids unique.

    Args:
        request: the layer and the options for reading it.
        report: report to which messages about the number of features, ids and an assumed CRS are
            added.
        progress: callback that receives the completed fraction.
    """
    snapshot = request.snapshot
    name = report.layer
    field_names = None if request.read_all_attributes else _list_requested_fields(request)
    features = snapshot.read_features(field_names, progress)
    count_message = snapshot.count_change_message(name, len(features))
    if count_message is not None:
        report.layer_messages.append(count_message)
    numbering_message = _make_ids_unique(features, name)
    if numbering_message is not None:
        report.layer_messages.append(numbering_message)
    if snapshot.is_crs_assumed:
        report.layer_messages.append(assumed_crs_message(name, snapshot.crs))
    return features


def _list_requested_fields(request: LayerRequest) -> list[str]:
    """Return the distinct names of the fields that a request needs and the layer has."""
    names = (
        request.group_field,
        request.score_field,
        request.unused_plot_field,
        request.site_field,
        request.class_field,
    )
    layer_fields = request.snapshot.fields
    return [name for name in dict.fromkeys(names) if name and field_index(layer_fields, name) >= 0]


def _choose_working_crs(
    working: WorkingCrs | QgsCoordinateTransformContext,
    name: str,
    crs: QgsCoordinateReferenceSystem,
    bounds: Floats,
    report: ReadReport,
) -> WorkingCrs:
    """Return the working CRS for a layer, and add messages about the choice to the report.

    Args:
        working: working CRS to use; or the transform context with which one is determined.
        name: name of the layer in messages.
        crs: CRS of the layer.
        bounds: (n, 4) bounds of the layer's shapes, in ``crs``.
        report: report to which messages are added.
    """
    if isinstance(working, WorkingCrs):
        if not working.in_pixels and crs != working.crs:
            report.layer_messages.append(transformed_message(name, crs.authid(), working.name))
            grid_message = missing_grid_message(name, crs, working.crs, working.transform_context)
            if grid_message is not None:
                report.layer_messages.append(grid_message)
        return working
    working_crs = WorkingCrs.for_layer(name, crs, _compute_centre(bounds), working)
    if working_crs.message is not None:
        report.layer_messages.append(working_crs.message)
    distortion_message = working_crs.distortion_message(name, crs, _find_extreme_centres(bounds))
    if distortion_message is not None:
        report.layer_messages.append(distortion_message)
    return working_crs


def split_by_annotator(
    layers: Sequence[CrownLayer], field: str, other_names: Sequence[str] = ()
) -> tuple[dict[str, Crowns], list[Message]]:
    """Split crowns by the annotator that a field names.

    Args:
        layers: layers with their attributes.
        field: name of the field with the annotator.
        other_names: names that no annotator may have; an annotator with one of them is renamed.

    Returns:
        Crowns by annotator, sorted by name with numbers before words; and messages about crowns
        without an annotator, which are excluded.

    Raises:
        InputError: if the field is empty for all features.
    """
    # An annotator all of whose features are excluded still gets an entry, without crowns.
    annotators = sorted(_find_annotators(layers, field), key=numeric_sort_key)
    if not annotators:
        raise InputError(
            "annotators.field_empty",
            "Field '{field}' is empty for all polygons, so there is no annotator. Choose another "
            "field.",
            field=field,
        )

    messages = []
    parts_by_annotator: dict[str, list[Crowns]] = {annotator: [] for annotator in annotators}
    for layer in layers:
        texts = [to_text(value) for value in layer.field_values(field)]
        n_unnamed = texts.count(None)
        if n_unnamed:
            message = note(
                "annotators.unnamed",
                "Layer '{layer}': {count:,} polygons have nothing in field '{field}' and are "
                "excluded.",
                layer=layer.crowns.name,
                count=n_unnamed,
                field=field,
            )
            messages.append(message)
        annotator_of_crown = np.array(texts, dtype=object)
        for annotator in annotators:
            part = layer.crowns.subset(annotator_of_crown == annotator)
            parts_by_annotator[annotator].append(part)

    # The other names come first, so that they stay as they are.
    n_others = len(other_names)
    new_names = unique_names([*other_names, *annotators])[n_others:]
    crowns_by_name = {}
    for annotator, new_name in zip(annotators, new_names):
        crowns_by_name[new_name] = concatenate_crowns(parts_by_annotator[annotator], new_name)
    return crowns_by_name, messages


def _find_annotators(layers: Sequence[CrownLayer], field: str) -> set[str]:
    """Return the distinct values of a field as text over all features, with and without a crown.

    Args:
        layers: layers with their attributes.
        field: name of the field with the annotator.
    """
    annotators: set[str] = set()
    for layer in layers:
        index = field_index(layer.request.snapshot.fields, field)
        names = (to_text(feature.attribute(index)) for feature in layer.features)
        annotators.update(name for name in names if name)
    return annotators


def concatenate_crowns(parts: Sequence[Crowns], name: str) -> Crowns:
    """Concatenate crowns; they are renumbered from 0 unless there is only one part.

    Args:
        parts: crowns in the same CRS, at least one part.
        name: name of the result.

    Returns:
        All crowns. They have plots, or classes, if all parts have them.
    """
    geometry = np.concatenate([part.geometry for part in parts])
    ids = parts[0].ids
    if len(parts) > 1:
        ids = np.arange(len(geometry))
    return Crowns.from_validated(
        geometry,
        ids,
        plots=_concatenate_complete([part.plots for part in parts]),
        name=name,
        crs=parts[0].crs,
        classes=_concatenate_complete([part.classes for part in parts]),
    )


def _concatenate_complete(columns: Sequence[Objects | None]) -> Objects | None:
    """Return the concatenation of columns; None if one of them is missing.

    Args:
        columns: values of each part, or None, at least one part.
    """
    known_columns = [column for column in columns if column is not None]
    if len(known_columns) < len(columns):
        return None
    return np.concatenate(known_columns)


def _make_ids_unique(features: list[QgsFeature], name: str) -> Message | None:
    """Renumber the features in place from 1 if ids repeat, as in views that join tables.

    Returns:
        Message about the new ids, with the layer's name; None if all ids are unique.
    """
    unique_ids = {feature.id() for feature in features}
    if len(unique_ids) == len(features):
        return None
    for number, feature in enumerate(features, 1):
        feature.setId(number)
    return note(
        "input.repeated_ids",
        "Layer '{layer}' gives several crowns one id, as a view that joins tables does; ids in the "
        "results are rows.",
        layer=name,
    )


def _compute_centre(bounds: Floats) -> tuple[float, float]:
    """Return x, y of the centre of bounds (n, 4); 0, 0 if n is 0."""
    if len(bounds) == 0:
        return 0.0, 0.0
    xmin, ymin = bounds[:, :2].min(axis=0)
    xmax, ymax = bounds[:, 2:].max(axis=0)
    return float(xmin + xmax) / 2, float(ymin + ymax) / 2


def _find_extreme_centres(bounds: Floats) -> Floats:
    """Return the extreme centres of bounds (n, 4): west, south, east and north.

    The result has the shape (m, 2) with m <= 4, because a centre may be extreme in two directions.
    """
    if len(bounds) == 0:
        return np.empty((0, 2))
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    extreme_rows = np.unique([centres.argmin(axis=0), centres.argmax(axis=0)])
    extreme_centres: Floats = centres[extreme_rows]
    return extreme_centres


def _select_usable_bounds(shapes: Objects) -> Floats:
    """Return the bounds (m, 4) of the shapes (n,) with finite, not too large coordinates."""
    bounds = shapely.bounds(shapes)
    with np.errstate(invalid="ignore"):
        usable: Floats = bounds[(np.abs(bounds) < MAX_COORDINATE).all(axis=1)]
    return usable


def _exclude_low_scores(
    shapes: Objects,
    features: list[QgsFeature],
    ids: Ints,
    request: LayerRequest,
    report: ReadReport,
) -> None:
    """Set shapes with a low or missing score to None in place, and report them.

    Minus infinity counts as a missing score.

    Args:
        shapes: (n,) shapes, or None.
        features: n features with the score field.
        ids: (n,) feature ids for the report.
        request: score field and threshold.
        report: report to which the excluded features, or a missing field, are added.

    Raises:
        InputError: if the threshold is not finite.
    """
    index = field_index(request.snapshot.fields, request.score_field)
    if index < 0:
        report.layer_messages.append(no_score_field_message(report.layer, request.score_field))
        return
    threshold = request.score_threshold
    if not math.isfinite(threshold):
        raise InputError(
            "score.threshold_not_a_number",
            "The score threshold must be a number, but it is {threshold}.",
            threshold=threshold,
        )
    values = [feature.attribute(index) for feature in features]
    numbers = np.array(to_attribute_values(values, "real"), dtype=float)
    scores = FeatureScores(request.score_field, numbers, threshold)
    exclude_low_scores(shapes, scores, ids, report)


def _read_groups(
    features: list[QgsFeature], snapshot: LayerSnapshot, group_field: str
) -> Objects | None:
    """Return the groups (n,) of the features; None if the layer lacks the field.

    Groups are texts (or None), so that fields of different types can be compared between layers.

    Args:
        features: n features of the layer.
        snapshot: the layer.
        group_field: name of the field with the group; "" for none.
    """
    index = field_index(snapshot.fields, group_field) if group_field else -1
    if index < 0:
        return None
    groups = np.empty(len(features), dtype=object)
    groups[:] = [to_text(feature.attribute(index)) for feature in features]
    return groups


def _read_classes(
    features: Sequence[QgsFeature], rows: Ints, request: LayerRequest, report: ReadReport
) -> Objects | None:
    """Return the class (n,) of each crown; None if the layer lacks the field.

    Args:
        features: features of the layer.
        rows: (n,) index of each crown's feature.
        request: layer and class field.
        report: report to which a message is added if the layer lacks the field.

    Raises:
        InputError: if a class is a number with decimals or a list.
    """
    if not request.class_field:
        return None
    index = field_index(request.snapshot.fields, request.class_field)
    if index < 0:
        report.layer_messages.append(no_class_field_message(report.layer, request.class_field))
        return None
    values = np.empty(len(rows), dtype=object)
    values[:] = [plain_value(features[row].attribute(index)) for row in rows]
    return class_values(values, report.layer)


def _report_without_group(
    groups: Objects, shapes: Objects, ids: Ints, request: LayerRequest, report: ReadReport
) -> None:
    """Report shapes without a group; set them to None in place if the request excludes them.

    Args:
        groups: (n,) groups; None without one.
        shapes: (n,) polygons, or None; may be changed.
        ids: (n,) ids of the features.
        request: request that may exclude shapes without a group.
        report: report to which features or a message are added.
    """
    has_no_group = np.array([group is None for group in groups], dtype=bool)
    is_unnamed = ~shapely.is_missing(shapes) & has_no_group
    if request.exclude_ungrouped:
        report.add(FeatureIssue.NO_NAME, ids[is_unnamed])
        shapes[is_unnamed] = None
    elif is_unnamed.any():
        report.layer_messages.append(
            without_plot_message(report.layer, request.group_field, is_unnamed.sum())
        )


def to_text(value: Any) -> str | None:
    """Return an attribute value as text, for use as the name of a plot or an annotator.

    Args:
        value: attribute value.

    Returns:
        Name, see :func:`randcrowns.core.value_names.name_of_value`; None for NULL and invalid
        dates.

    >>> to_text(3.0), to_text(" north "), to_text(float("nan"))
    ('3', 'north', None)
    """
    return name_of_value(plain_value(value))

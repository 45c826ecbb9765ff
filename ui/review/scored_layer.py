"""Layers that can be reviewed, their crowns as a table, and the outlines of a crown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.algorithms.classes.outputs import CROWN_COLUMNS
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.provenance import (
    Provenance,
    find_input_layers,
    layer_source,
    read_provenance,
)
from randcrowns.algorithms.run_history import read_field_results, read_runs
from randcrowns.algorithms.scoring.schema.outputs import (
    CLASS_ENDINGS,
    CLASS_FIELDS,
    FIELD_ENDINGS,
    SCORE_FIELDS,
    SCORED_DELINEATIONS,
    SCORED_TARGETS,
    layer_keys_of_run,
    target_class_field,
    target_id_field,
)
from randcrowns.algorithms.scoring.schema.parameters import PLOT_FIELD
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import Problem, delineation_problems, describe_causes
from randcrowns.core.review.verdicts import LAYER_COLUMNS, LayerKey, Side, crowns_to_review
from randcrowns.layers.compat import is_null
from randcrowns.layers.files.verdict_file import layer_outline_hashes
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.styles.tree import transform_to_map
from randcrowns.layers.vector.attribute_source import AttributeSource
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.layers.vector.tables import (
    display_name_reader,
    equality_condition,
    read_attributes,
)
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.overlapping_images import condition_of_image
from randcrowns.ui.widgets.delineation_colours import choose_delineation_colours

#: Column of a table of scores -> ending of its field's name.
_ENDING = dict(zip(SCORE_FIELDS, FIELD_ENDINGS))
#: Column of a table of scores -> column of the table of crowns to review.
_REVIEW_COLUMN = {
    "randcrowns": "score",
    "iou": "iou",
    "iou_crowns": "iou_crowns",
    "delineation_id": "delineation_id",
    "rc_problem": "problem",
    "rc_cause": "cause",
}
#: Name of the column with feature ids in the rows of a layer. No field of a user can have it.
_FEATURE_ID = "\0feature"
#: Size of the surroundings of a crown that are drawn, as a multiple of its own size.
_SURROUNDINGS_FACTOR = 4.0


@dataclass(frozen=True)
class ScoredLayer:
    """A layer with scores in its fields."""

    #: Name of the score that orders the crowns.
    score_name: ClassVar[str] = "RandCrowns"
    #: Output of the run with the outlines of all delineations, and its column with their ids.
    delineation_output: ClassVar[Output] = SCORED_DELINEATIONS
    delineation_id_field: ClassVar[str] = "delineation_id"

    #: The scored targets of a run, or an input layer with the scores of a run in its fields.
    layer: QgsVectorLayer
    #: Name of each delineation layer -> prefix of the fields with its scores.
    prefixes: dict[str, str]

    @classmethod
    def from_layer(cls, layer: QgsVectorLayer) -> ScoredLayer:
        """Create the scored layer, with the prefixes found in the names of the fields.

        The names of the delineation layers are in the aliases of the fields.

        Args:
            layer: The layer; without scores the result has no prefixes.
        """
        ending = _ENDING["rc_problem"]
        prefixes = {}
        for field in layer.fields():
            if field.name().endswith(ending):
                prefix = field.name().removesuffix(ending)
                layer_name, _, _ = field.alias().rpartition(": ")
                prefixes[layer_name or prefix] = prefix
        return cls(layer, prefixes)

    @property
    def provenance(self) -> Provenance | None:
        """Provenance of the layer, or of the scores in its fields; None if it is unknown."""
        field_records = (record for record, _ in read_field_results(self.layer))
        return read_provenance(self.layer) or next(field_records, None)

    @property
    def run_time(self) -> str:
        """Time of the run as a text that sorts by time; "" if it is unknown."""
        return "" if self.provenance is None else self.provenance.display_text_of("time")

    def layer_keys(self, name: str) -> tuple[LayerKey, LayerKey]:
        """Return the identification of the target layer and of a delineation layer.

        Args:
            name: Name of the delineation layer.

        Returns:
            The identification of the targets and that of the delineations.
        """
        if self.provenance is not None:
            return layer_keys_of_run(self.provenance, name)
        target_key = LayerKey(self.layer.id(), layer_source(self.layer), self.layer.name())
        return target_key, LayerKey("", "", name)

    def has_same_targets(self, other: ScoredLayer) -> bool:
        """Return True if another scored layer has the same kind of scores of the same targets."""
        target_key, _ = self.layer_keys("")
        other_target_key, _ = other.layer_keys("")
        return self.score_name == other.score_name and target_key.is_same(other_target_key)

    @property
    def title(self) -> str:
        """Title of the run that created the layer, or the layer's name."""
        record = read_provenance(self.layer)
        return record.title if record else str(self.layer.name())

    def crowns_reader(
        self, name: str, delineation_layer: QgsVectorLayer | None
    ) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the crowns to review for a delineation layer.

        Call this method on the main thread. The function that it returns can be called on any
        thread, and reads the features as they were.

        Args:
            name: Name of the delineation layer.
            delineation_layer: Layer with its outlines, see :meth:`delineation_layers`; None if it
                was removed.

        Returns:
            A function that returns a row per target that was judged and per false positive.
            Columns: those of
            :data:`randcrowns.core.review.verdicts.LAYER_COLUMNS` and of
            :func:`randcrowns.core.review.verdicts.crowns_to_review`, with unknown outlines (see
            :meth:`state_reader`); ``feature`` (id in the layer that contains the outline),
            ``match_feature`` (that of a target's match; NaN if it has none or it is unknown),
            ``name`` (display name), ``plot`` (text or None), ``score`` (RandCrowns), ``iou``,
            ``iou_crowns``, ``delineation_id``, ``problem``, ``cause``, and ``spread`` (variance of
            RandCrowns over the delineation layers; NaN if there is one).
        """
        keys = self.layer_keys(name)
        _, delineation_key = keys
        read_targets = self._target_reader(name)
        read_false_positives = self._false_positive_reader(name, delineation_layer)
        find_features = self._feature_finder(name, delineation_layer)
        read_delineation_names = display_name_reader(self._input_layer(delineation_key))

        def read_crowns() -> pd.DataFrame:
            """Read the targets and false positives, and identify their layers."""
            false_positives = read_false_positives().assign(outline=None)
            names = read_delineation_names() if len(false_positives) else {}
            false_positives["name"] = false_positives["delineation_id"].map(names)
            targets = read_targets()
            match_features = find_features(targets["delineation_id"])
            targets = targets.assign(outline=None, match_feature=match_features)
            crowns = crowns_to_review(targets, false_positives)
            crowns["plot"] = _to_texts(crowns["plot"])
            for columns, key in zip(LAYER_COLUMNS.values(), keys):
                for column, value in zip(columns, key):
                    crowns[column] = value
            return crowns

        return read_crowns

    def state_reader(
        self, delineation_layer: QgsVectorLayer | None
    ) -> Callable[[pd.DataFrame], pd.DataFrame]:
        """Return a function that reads the states of crowns: their outlines and their matches.

        The outlines of all crowns take longer to read than all other columns. Only those of judged
        crowns are needed. Call this method on the main thread, see :meth:`crowns_reader`.

        Args:
            delineation_layer: Layer with the outlines of the delineations; None if it was removed.

        Returns:
            A function of n rows of the table of :meth:`crowns_reader`. It returns a table with the
            same index and :data:`randcrowns.core.review.verdicts.STATE_COLUMNS`: hashes, None if
            the outline cannot be read, and "" as match of a crown without one.
        """
        target_source = QgsVectorLayerFeatureSource(self.layer)
        delineation_source = None
        if delineation_layer is not None:
            delineation_source = QgsVectorLayerFeatureSource(delineation_layer)

        def read_states(crowns: pd.DataFrame) -> pd.DataFrame:
            """Read the outlines of the crowns and of the matches of targets."""
            is_target = crowns["side"] == Side.TARGET.value
            features = crowns["feature"]
            target_outlines = _read_hashes(target_source, features.where(is_target))
            other_outlines = _read_hashes(delineation_source, features.mask(is_target))
            outlines = target_outlines.where(is_target, other_outlines)

            match_outlines = _read_hashes(delineation_source, crowns["match_feature"])
            match_outlines = match_outlines.replace({"": None})
            has_match = is_target & crowns["delineation_id"].notna()
            matches = match_outlines.where(has_match, "")
            return pd.DataFrame({"outline": outlines, "match": matches}, dtype=object)

        return read_states

    def _target_reader(self, name: str) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the targets and their scores for a delineation layer.

        Args:
            name: Name of the delineation layer.

        Returns:
            A function that returns a row per target; columns ``feature_id`` (id in the input
            layer), ``feature``, ``name``, ``plot``, ``spread`` and those of
            :data:`_REVIEW_COLUMN`.
        """
        columns = self._columns_of_fields(name)
        score_fields = [prefix + FIELD_ENDINGS[0] for prefix in self.prefixes.values()]
        id_field = self._target_id_field()
        # All fields are read at once: each reading of a large layer takes seconds.
        fields = set(columns).union(score_fields)
        if id_field:
            fields.add(id_field)
        source = AttributeSource.from_layer(self.layer)

        # The display names are those of the input layer, or of this layer if it was removed.
        target_key, _ = self.layer_keys(name)
        input_layer = self._input_layer(target_key)
        read_names = display_name_reader(input_layer or self.layer)
        named_id_column = "feature" if input_layer is None else "feature_id"

        def read_targets() -> pd.DataFrame:
            """Read the fields of the targets, and find their names and the variance of scores."""
            table = read_attributes(source, sorted(fields), id_column=_FEATURE_ID)
            targets = table[list(columns)].rename(columns=columns)
            if "plot" not in targets:
                targets = targets.assign(plot=None)
            targets["feature"] = table[_FEATURE_ID]
            targets["feature_id"] = (
                table[id_field].astype(np.int64) if id_field else targets["feature"]
            )
            targets["name"] = targets[named_id_column].map(read_names())
            targets["spread"] = _score_variances(table[score_fields])
            return targets

        return read_targets

    def _columns_of_fields(self, name: str) -> dict[str, str]:
        """Return the columns of the crowns to review that are read from fields of the layer.

        Args:
            name: Name of the delineation layer.

        Returns:
            Name of a field -> name of its column: scores, problem and cause, and the plot and the
            classes if the layer has them.
        """
        field_names = self.layer.fields().names()
        prefix = self.prefixes[name]
        columns = {prefix + _ENDING[field]: column for field, column in _REVIEW_COLUMN.items()}
        plot_field = self.provenance.display_text_of(PLOT_FIELD.name) if self.provenance else ""
        if plot_field in field_names:
            columns[plot_field] = "plot"
        return columns | self._class_columns(field_names, prefix)

    def _class_columns(self, field_names: list[str], prefix: str) -> dict[str, str]:
        """Return the names of the fields with classes -> names of the columns; empty without any.

        Args:
            field_names: Names of the layer's fields.
            prefix: Prefix of the fields of the delineation layer.
        """
        match_fields = [prefix + ending for ending in CLASS_ENDINGS]
        last_prefix = list(self.prefixes.values())[-1]
        target_field = target_class_field(field_names, last_prefix)
        if not target_field or not set(match_fields).issubset(field_names):
            return {}
        return {target_field: "crown_class", **dict(zip(match_fields, CLASS_FIELDS))}

    def _feature_finder(
        self, name: str, layer: QgsVectorLayer | None
    ) -> Callable[[pd.Series], pd.Series]:
        """Return a function that finds the features of delineations.

        Args:
            name: Name of the delineation layer.
            layer: Layer with the outlines; None if it was removed.

        Returns:
            A function of (n,) ids of delineations, which returns the (n,) ids of the features in
            the layer; NaN for NaN and for a delineation that the layer does not contain.
        """
        if layer is None:
            return lambda ids: pd.Series(np.nan, ids.index)
        if not self._is_run_table(layer):
            return lambda ids: ids
        source = AttributeSource.from_layer(layer)
        id_field = self.delineation_id_field
        equal_values = self._values_of(name)

        def find_features(ids: pd.Series) -> pd.Series:
            """Find the features by the ids of delineations in the run's table."""
            table = read_attributes(
                source, [id_field], id_column="feature", equal_values=equal_values
            )
            return ids.map(table.drop_duplicates(id_field).set_index(id_field)["feature"])

        return find_features

    def _false_positive_reader(
        self, name: str, layer: QgsVectorLayer | None
    ) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the false positive delineations of a name.

        Args:
            name: Name of the delineation layer.
            layer: Layer with the outlines; None if it was removed.

        Returns:
            A function that returns a row per false positive; columns ``delineation_id``,
            ``feature``, ``problem``, ``cause``, ``plot``. No rows if there is no layer.
        """
        if layer is None or not self._is_run_table(layer):
            return self._input_false_positive_reader(name, layer)
        columns = ["layer", "delineation_id", "plot", "rc_problem", "rc_cause"]
        class_columns = [column.name for column in CROWN_COLUMNS]
        if set(class_columns) <= set(layer.fields().names()):
            columns += class_columns
        equal_values = {**self._values_of(name), "rc_problem": Problem.EXTRA.value}
        source = AttributeSource.from_layer(layer)

        def read_false_positives() -> pd.DataFrame:
            """Read the delineations whose problem is that they are extra."""
            table = read_attributes(
                source,
                columns,
                id_column="feature",
                output=SCORED_DELINEATIONS.id,
                equal_values=equal_values,
            )
            return table.rename(columns={"rc_problem": "problem", "rc_cause": "cause"})

        return read_false_positives

    def _input_false_positive_reader(
        self, name: str, layer: QgsVectorLayer | None
    ) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the false positive delineations of an input layer.

        Their problems are those of the recorded run.

        Args:
            name: Name of the delineation layer.
            layer: The layer; None if it was removed.

        Returns:
            A function that returns a row per false positive; columns ``delineation_id``,
            ``feature``, ``problem``, ``cause``, ``plot`` (None).
        """
        source = None if layer is None else AttributeSource.from_layer(layer)
        recorded_status = self._recorded_status(name)

        def read_false_positives() -> pd.DataFrame:
            """Read the ids of the delineations and join the recorded problems."""
            delineations = pd.DataFrame(columns=["feature"])
            if source is not None and len(recorded_status):
                delineations = read_attributes(source, [], id_column="feature")
            status = delineations["feature"].map(recorded_status).astype(object)
            delineations = delineations.assign(problem=delineation_problems(status))
            false_positives = delineations[delineations["problem"] == Problem.EXTRA.value]
            return false_positives.assign(
                delineation_id=false_positives["feature"],
                plot=None,
                cause=describe_causes({"problem": false_positives["problem"]}, tr),
            )

        return read_false_positives

    def _recorded_status(self, name: str) -> pd.Series:
        """Return the status of each delineation, as the latest run has recorded it.

        Args:
            name: Name of the delineation layer.

        Returns:
            Status by the id of the delineation; empty if no run has recorded a table.
        """
        runs = read_field_results(self.layer)
        if not runs:
            return pd.Series(dtype=object)
        _, latest_results = runs[0]
        recorded = pd.DataFrame(latest_results.tables.get(SCORED_DELINEATIONS.id, {}))
        # A damaged record may lack columns.
        recorded = recorded.reindex(columns=["layer", "delineation_id", "status"])
        is_of_layer = recorded["layer"] == name
        return recorded[is_of_layer].set_index("delineation_id")["status"]

    def _target_id_field(self) -> str:
        """Return the field with the ids of the targets in the layer that was scored.

        In the output layer of a run it is the field before the first score.

        Returns:
            The name of the field; "" if the layer is the one that was scored.
        """
        if self.layer.customProperty(RESULT_PROPERTY) != SCORED_TARGETS.id:
            return ""
        first_prefix = next(iter(self.prefixes.values()))
        return target_id_field(self.layer.fields().names(), first_prefix)

    def read_outlines(
        self,
        crown: pd.Series,
        crs: QgsCoordinateReferenceSystem,
        delineation_layers: Mapping[str, QgsVectorLayer | None],
    ) -> dict[str, QgsGeometry]:
        """Return the outlines of a crown.

        Args:
            crown: Row of the table of :meth:`crowns_reader`.
            crs: CRS of the outlines.
            delineation_layers: Name of a delineation layer -> layer with its outlines, or None.

        Returns:
            For a target its outline under the key "", and the match by each delineation layer
            under the layer's name, an empty geometry without a match. For an unmatched
            delineation only its outline, under the name of its layer.

        Raises:
            InputError: if the layer no longer contains the crown.
        """
        is_delineation = crown["side"] == Side.DELINEATION
        crown_key = str(crown["delineations"]) if is_delineation else ""
        layer = delineation_layers.get(crown_key) if is_delineation else self.layer
        feature = QgsFeature() if layer is None else layer.getFeature(int(crown["feature"]))
        if layer is None or not feature.isValid():
            raise InputError("review.crown_removed", "This crown is no longer in its layer.")
        outlines = {crown_key: transform_to_map(feature.geometry(), layer, crs)}
        if is_delineation:
            return outlines

        # The scored target contains the id of its match in each delineation layer.
        for name in self.prefixes:
            outlines[name] = QgsGeometry()
            match_layer = delineation_layers.get(name)
            match_id = self._match_id(feature, name)
            if match_layer is not None and match_id is not None:
                geometry = self._delineation_geometry(match_layer, name, match_id)
                outlines[name] = transform_to_map(geometry, match_layer, crs)
        return outlines

    def _match_id(self, feature: QgsFeature, name: str) -> int | None:
        """Return the id of the match of a target in a delineation layer, or None.

        Args:
            feature: The target.
            name: Name of the delineation layer.
        """
        match_id = feature[self.prefixes[name] + _ENDING["delineation_id"]]
        return None if is_null(match_id) else int(match_id)

    def _delineation_geometry(
        self, layer: QgsVectorLayer, name: str, delineation_id: int
    ) -> QgsGeometry:
        """Return the geometry of a delineation in layer coordinates; empty if it was deleted.

        Args:
            layer: The delineation layer, or a run's table of all delineations.
            name: Name of the delineation layer.
            delineation_id: Id of the delineation in its input layer.
        """
        if self._is_run_table(layer):
            has_id = QgsExpression.createFieldEqualityExpression(
                self.delineation_id_field, delineation_id
            )
            condition = _join_conditions([has_id, self._condition_of(name)])
            request = QgsFeatureRequest().setFilterExpression(condition)
        else:
            request = QgsFeatureRequest(delineation_id)
        return next((feature.geometry() for feature in layer.getFeatures(request)), QgsGeometry())

    def _is_run_table(self, layer: QgsVectorLayer) -> bool:
        """Return True if a layer is a run's table of all delineations, not an input layer."""
        return {"layer", "delineation_id", "rc_problem"} <= set(layer.fields().names())

    def _values_of(self, name: str) -> dict[str, str]:
        """Return the values of fields that a delineation layer has in a run's table."""
        return {"layer": name}

    def _condition_of(self, name: str) -> str:
        """Return the expression that selects a delineation layer in a run's table; "" for all."""
        return equality_condition(self._values_of(name))

    def read_surroundings(
        self,
        extent: QgsRectangle,
        crs: QgsCoordinateReferenceSystem,
        delineation_layers: Mapping[str, QgsVectorLayer | None],
        image: str = "",
    ) -> dict[str, QgsGeometry]:
        """Return all outlines in the surroundings of a crown.

        Args:
            extent: Bounding box of the crown.
            crs: CRS of the bounding box and of the outlines.
            delineation_layers: Name of a delineation layer -> layer with its outlines, or None.
            image: Name of the image of the crown, if several images in pixels lie on one another;
                outlines on other images are left out. "" for all outlines.

        Returns:
            A collection of outlines per layer: the targets under the key "", the delineations
            under the name of their layer.
        """
        surroundings = QgsRectangle(extent)
        surroundings.scale(_SURROUNDINGS_FACTOR)
        layers = {"": self.layer, **delineation_layers}
        outlines = {}
        for name, layer in layers.items():
            geometries = []
            if layer is not None:
                request = QgsFeatureRequest(surroundings)
                request.setDestinationCrs(crs, QgsProject.instance().transformContext())
                condition = self._outline_condition(layer, name, image)
                if condition:
                    request.setFilterExpression(condition)
                geometries = [feature.geometry() for feature in layer.getFeatures(request)]
            outlines[name] = QgsGeometry.collectGeometry(geometries)
        return outlines

    def _outline_condition(self, layer: QgsVectorLayer, name: str, image: str) -> str:
        """Return the expression that selects the outlines of a layer on an image; "" for all.

        Args:
            layer: Layer with the outlines.
            name: Name of the delineation layer, of which a run's table may contain several; "" for
                the targets.
            image: Name of the image; "" for any.
        """
        conditions = []
        if image:
            conditions.append(condition_of_image(layer, image))
        if name and self._is_run_table(layer):
            conditions.append(self._condition_of(name))
        return _join_conditions(conditions)

    def image_of(self, crown: pd.Series, crowns: pd.DataFrame) -> str:
        """Return the image of a crown in pixels of one of several images; "" for other crowns.

        In pixels, plots are images.

        Args:
            crown: Row of the crown.
            crowns: Rows of all crowns.
        """
        if "plot" not in crowns or pd.isna(crown["plot"]):
            return ""
        has_several = len(crowns["plot"].dropna().unique()) > 1
        return str(crown["plot"]) if has_several and is_in_pixel_coordinates(self.layer) else ""

    def choose_colours(self) -> dict[str, str]:
        """Return the colour of each delineation layer by its name, ``#rrggbb``."""
        return choose_delineation_colours(
            {name: self._input_layer(self.layer_keys(name)[1]) for name in self.prefixes}
        )

    def _input_layer(self, key: LayerKey) -> QgsVectorLayer | None:
        """Return an input layer of the run, or None if the project does not contain it."""
        if self.provenance is None:
            return None
        layer_ids = find_input_layers(self.provenance.inputs, QgsProject.instance())
        return vector_layer(layer_ids.get(key.id, ""))

    def run_delineations(self) -> QgsVectorLayer | None:
        """Return the delineations of the same run's results, or None if the project has none."""
        record = self.provenance
        if record is None:
            return None
        for layer in polygon_layers(include_results=True):
            is_table = layer.customProperty(RESULT_PROPERTY) == self.delineation_output.id
            if is_table and read_provenance(layer) == record:
                return layer
        return None

    def delineation_layers(self) -> dict[str, QgsVectorLayer | None]:
        """Return the layers that contain the outlines of the delineations.

        Returns:
            Name of a delineation layer -> the scored delineations of the run, in the project or
            in its file, if there are any; else the input layer, or None if it was removed.
        """
        run_delineations = self.run_delineations()
        if run_delineations is None:
            run_delineations = self._stored_delineations()
        if run_delineations is not None:
            return dict.fromkeys(self.prefixes, run_delineations)
        return {name: self._input_layer(self.layer_keys(name)[1]) for name in self.prefixes}

    def _stored_delineations(self) -> QgsVectorLayer | None:
        """Return the scored delineations of the same run from its file, or None."""
        record = self.provenance
        if record is None:
            return None
        project = QgsProject.instance()
        for run in read_runs(project):
            if run.record == record and run.field_results is None:
                layer = run.layer(self.delineation_output.id, project)
                return layer if isinstance(layer, QgsVectorLayer) else None
        return None


def _read_hashes(source: QgsVectorLayerFeatureSource | None, features: pd.Series) -> pd.Series:
    """Return the hashes of the outlines of features.

    Args:
        source: Snapshot of the layer; None if it was removed.
        features: (n,) ids of features, or NaN.

    Returns:
        (n,) hashes; None for NaN and for features that cannot be read.
    """
    ids = features.dropna().astype(np.int64)
    if source is None or len(ids) == 0:
        return pd.Series(None, features.index, dtype=object)
    hashes = layer_outline_hashes(source, ids.tolist()).set_index("feature")["outline"]
    outlines = ids.map(hashes).reindex(features.index).astype(object)
    return outlines.where(outlines.notna(), None)


def _to_texts(values: pd.Series) -> pd.Series:
    """Return values as texts, and missing values as None; (n,) objects.

    Args:
        values: (n,) values, many of which are equal.
    """
    text_of_value = {value: str(value) for value in values.dropna().unique()}
    texts = values.map(text_of_value).astype(object)
    return texts.where(texts.notna(), None)


def _join_conditions(conditions: Iterable[str]) -> str:
    """Return the expression that all conditions are met; empty conditions are left out."""
    return " AND ".join(condition for condition in conditions if condition)


def _score_variances(scores: pd.DataFrame) -> np.ndarray:
    """Return the variance of each target's RandCrowns over the delineation layers.

    Args:
        scores: A row per target and a column per delineation layer.

    Returns:
        (n,) variances; NaN if there is only one delineation layer.
    """
    if scores.shape[1] > 1:
        return scores.to_numpy(dtype=float).var(axis=1, ddof=1)
    return np.full(len(scores), np.nan)

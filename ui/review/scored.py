"""The layers that can be reviewed, their crowns as a table, and what is drawn of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)

from randcrowns.algorithms.choices import TARGETS
from randcrowns.algorithms.record import Record, layers_again, record_of
from randcrowns.algorithms.runs import runs_in_fields
from randcrowns.algorithms.scoring.choices import GROUP_FIELD
from randcrowns.algorithms.scoring.outputs import ENDINGS, SCORE_FIELDS, SCORED_DELINEATIONS, SCORED_TARGETS
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import Problem
from randcrowns.layers.compat import is_null
from randcrowns.layers.files.places import layer_place, project_file
from randcrowns.layers.files.verdicts import outlines_of
from randcrowns.layers.styles import TARGET
from randcrowns.layers.styles.tree import on_map
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.layers.vector.tables import display_names, table_of
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.widgets.colours import annotator_colours, colour_on_map

#: Column of a table of scores -> end of its field's name.
_END = dict(zip(SCORE_FIELDS, ENDINGS))
_NAMES = {
    **{"randcrowns": "score", "iou": "iou", "iou_crowns": "iou_crowns", "delineation_id": "delineation_id"},
    **{"rc_problem": "problem", "rc_cause": "cause"},
}
#: What is near a crown: so many times its own size.
_NEAR = 4.0


@dataclass(frozen=True)
class ScoredLayer:
    """A layer with scores, and the beginnings of its fields."""

    layer: QgsVectorLayer  #: the scored targets of a run, or a layer of the user's with the fields of one.
    prefixes: dict[str, str]  #: name of each delineation layer -> beginning of its fields.

    @classmethod
    def of(cls, layer: QgsVectorLayer) -> ScoredLayer:
        """What the names of its fields tell."""
        prefixes = {}
        for field in layer.fields():
            if field.name().endswith(_END["rc_problem"]):
                prefix = field.name()[: -len(_END["rc_problem"])]
                prefixes[field.alias().rpartition(": ")[0] or prefix] = prefix
        return cls(layer, prefixes)

    @property
    def record(self) -> Record | None:
        """How it was made, or what its fields are of."""
        of_fields = (record for record, _ in runs_in_fields(self.layer))
        return record_of(self.layer) or next(of_fields, None)

    @property
    def targets(self) -> str:
        """Name of the layer that was scored."""
        return (self.record.words_of(TARGETS.name) if self.record else "") or str(self.layer.name())

    @property
    def title(self) -> str:
        """The run that made it, or the layer's name."""
        made = record_of(self.layer)
        return made.title if made else str(self.layer.name())

    def file(self) -> Path | None:
        """The GeoPackage for the verdicts: that of the scores, else the project's; None without either."""
        place = layer_place(self.layer)
        of_scores = place.file if place is not None else None
        if of_scores is not None and of_scores.suffix.lower() == ".gpkg":
            return of_scores
        return Path(project_file()) if project_file() else None

    def crowns(self, name: str) -> pd.DataFrame:
        """A row per crown that was scored against the delineation layer of that name.

        Columns: ``layer`` and ``feature_id`` (of the targets), ``feature`` (id in this layer), ``outline``, ``name``
        (display name), ``plot``,
        ``score`` (RandCrowns), ``iou``, ``iou_crowns``, ``delineation_id``, ``problem``, ``cause``, ``spread``
        (variance of RandCrowns over the delineation layers, NaN for one).
        """
        names, prefix = self.layer.fields().names(), self.prefixes[name]
        fields = {prefix + _END[column]: name for column, name in _NAMES.items()}
        plot = self.record.words_of(GROUP_FIELD.name) if self.record else ""
        own = {field: "plot" for field in (plot,) if field in names}
        found = table_of(self.layer, [*fields, *own]).rename(columns={**fields, **own})
        found = found.assign(**{column: None for column in ("plot",) if column not in found})
        found = pd.concat([found, outlines_of(self.layer)], axis=1)
        found["feature_id"] = self._ids(names, found["feature"])
        found["layer"], targets = self.targets, self._drawn(self.targets)
        found["name"] = found["feature" if targets is None else "feature_id"].map(display_names(targets or self.layer))
        found["spread"] = self._spread()
        found["plot"] = [None if pd.isna(one) else str(one) for one in found["plot"]]
        return found[found["problem"].isin([one.value for one in Problem])].reset_index(drop=True)

    def _ids(self, names: list[str], features: pd.Series) -> pd.Series:
        """Ids of the crowns in the layer that was scored: of a run's result they stand before its first score."""
        if self.layer.customProperty(RESULT_PROPERTY) != SCORED_TARGETS.id:
            return features
        first = names.index(next(iter(self.prefixes.values())) + ENDINGS[0])
        return table_of(self.layer, [names[first - 1]]).iloc[:, 0].astype(np.int64)

    def _spread(self) -> np.ndarray:
        fields = [prefix + ENDINGS[0] for prefix in self.prefixes.values()]
        scores = table_of(self.layer, fields).to_numpy(dtype=float)
        return scores.var(axis=1, ddof=1) if len(fields) > 1 else np.full(len(scores), np.nan)

    def outlines(self, feature: int, crs: QgsCoordinateReferenceSystem) -> dict[str, QgsGeometry]:
        """The crown (under the empty name) and each delineation layer's match of it, on a map in that system.

        Raises:
            InputError: if the layer no longer has the crown.
        """
        crown = self.layer.getFeature(feature)
        if not crown.isValid():
            raise InputError("This crown is no longer in its layer.")
        found = {"": on_map(crown.geometry(), self.layer, crs)}
        scored = self._delineations()
        for name, prefix in self.prefixes.items():
            match = crown[prefix + _END["delineation_id"]]
            drawn: Any = scored if scored is not None else self._drawn(name)
            if drawn is None or is_null(match):
                continue
            request = QgsFeatureRequest(int(match))
            if drawn is scored:
                asked = {"layer": name, "delineation_id": int(match)}
                where = " AND ".join(QgsExpression.createFieldEqualityExpression(*one) for one in asked.items())
                request = QgsFeatureRequest().setFilterExpression(where)
            shape = next((one.geometry() for one in drawn.getFeatures(request)), None)
            if shape is not None:
                found[name] = on_map(shape, drawn, crs)
        return found

    def near(self, place: QgsRectangle, crs: QgsCoordinateReferenceSystem) -> dict[str, QgsGeometry]:
        """All outlines near a place of a map in that system: the targets' (under the empty name), each layer's."""
        scored, wide, found = self._delineations(), QgsRectangle(place), {}
        wide.scale(_NEAR)
        for name in ("", *self.prefixes):
            request = QgsFeatureRequest(wide).setDestinationCrs(crs, QgsProject.instance().transformContext())
            drawn = self.layer if not name else scored if scored is not None else self._drawn(name)
            if drawn is scored and drawn is not None:
                request.setFilterExpression(QgsExpression.createFieldEqualityExpression("layer", name))
            shapes = [] if drawn is None else [one.geometry() for one in drawn.getFeatures(request)]
            found[name] = QgsGeometry.collectGeometry(shapes)
        return found

    def colours(self) -> dict[str, str]:
        """The colour of each delineation layer: its own on the map, where that tells it from all others."""
        own = {name: colour for name in self.prefixes if (colour := colour_on_map(self._drawn(name)))}
        usual = annotator_colours(self.prefixes, own)
        chosen = {**usual, **own}
        return chosen if len({TARGET, *chosen.values()}) > len(chosen) else usual

    def _drawn(self, name: str) -> QgsVectorLayer | None:
        """The layer of that name that was scored, while the project has it."""
        if self.record is None:
            return None
        there = layers_again(self.record.inputs, QgsProject.instance())
        ids = (there.get(key) for key, one in self.record.inputs.items() if one.name == name)
        return vector_layer(next(filter(None, ids), ""))

    def _delineations(self) -> QgsVectorLayer | None:
        """The scored delineations of the same run, while the project has them."""
        made = self.record
        others = (one for one in polygon_layers(made=True) if one.customProperty(RESULT_PROPERTY))
        ours = (one for one in others if one.customProperty(RESULT_PROPERTY) == SCORED_DELINEATIONS.id)
        return next((one for one in ours if made is not None and record_of(one) == made), None)


def scored_layers() -> list[ScoredLayer]:
    """The project's layers with problems of crowns, results of runs first."""
    layers = map(ScoredLayer.of, polygon_layers(made=True))
    found = [one for one in layers if one.prefixes]
    return sorted(found, key=lambda one: one.layer.customProperty(RESULT_PROPERTY) != SCORED_TARGETS.id)

"""The layers that can be reviewed, their crowns as a table, and what is drawn of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapLayer,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor

from randcrowns.algorithms.record import Record, layers_again, record_of, source_of
from randcrowns.algorithms.runs import runs_in_fields, runs_of
from randcrowns.algorithms.scoring.choices import GROUP_FIELD
from randcrowns.algorithms.scoring.outputs import (
    ENDINGS,
    SCORE_FIELDS,
    SCORED_DELINEATIONS,
    SCORED_TARGETS,
    target_id_field,
)
from randcrowns.algorithms.scoring.reviewed import judged_layers
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import causes, lone_problems
from randcrowns.core.review.verdicts import LAYERS, LayerKey, Side, to_review
from randcrowns.layers.compat import is_null
from randcrowns.layers.files.places import layer_place, project_file
from randcrowns.layers.files.verdicts import outlines_of
from randcrowns.layers.styles import TARGET
from randcrowns.layers.styles.tree import on_map
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.layers.vector.tables import display_names, table_of
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.widgets.colours import annotator_colours, colour_on_map

#: Column of a table of scores -> end of its field's name.
_END = dict(zip(SCORE_FIELDS, ENDINGS))
_NAMES = {
    **{
        "randcrowns": "score",
        "iou": "iou",
        "iou_crowns": "iou_crowns",
        "delineation_id": "delineation_id",
    },
    **{"rc_problem": "problem", "rc_cause": "cause"},
}
#: What is near a crown: so many times its own size.
_NEAR = 4.0
#: Colours that differ by no more in red, green and blue (0 to 255) are alike.
_ALIKE = 60


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
    def made(self) -> str:
        """When it was made, as words that sort; empty where nothing tells."""
        return "" if self.record is None else self.record.words_of("time")

    def keys(self, name: str) -> tuple[LayerKey, LayerKey]:
        """The layer that was scored, and the delineation layer of that name."""
        if self.record is not None:
            return judged_layers(self.record, name)
        return LayerKey(self.layer.id(), source_of(self.layer), self.layer.name()), LayerKey(
            "", "", name
        )

    def is_alike(self, other: ScoredLayer) -> bool:
        """Whether the other one is of the same targets."""
        return self.keys("")[0].is_same(other.keys("")[0])

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

    def crowns(self, name: str, drawn: QgsVectorLayer | None) -> pd.DataFrame:
        """A row per crown that was scored against the delineation layer of that name, and per false positive of it,
        as ``drawn`` has them.

        Columns: those of :data:`randcrowns.core.review.verdicts.LAYERS` and of ``to_review`` there; ``feature`` (id in
        the layer that has the outline), ``name`` (display name), ``plot``, ``score`` (RandCrowns), ``iou``,
        ``iou_crowns``, ``delineation_id``, ``problem``, ``cause``, ``spread`` (variance of RandCrowns over the
        delineation layers, NaN for one).
        """
        names, prefix = self.layer.fields().names(), self.prefixes[name]
        fields = {prefix + _END[column]: name for column, name in _NAMES.items()}
        plot = self.record.words_of(GROUP_FIELD.name) if self.record else ""
        own = {field: "plot" for field in (plot,) if field in names}
        found = table_of(self.layer, [*fields, *own]).rename(columns={**fields, **own})
        found = found.assign(**{column: None for column in ("plot",) if column not in found})
        found = pd.concat([found, outlines_of(self.layer)], axis=1)
        found["feature_id"] = self._ids(names, found["feature"])
        targets, others = map(self._scored, self.keys(name))
        shown = display_names(targets or self.layer)()
        found["name"] = found["feature" if targets is None else "feature_id"].map(shown)
        found["spread"] = self._spread()
        lone = self._drawn_crowns(name, drawn)
        found = to_review(
            found, lone.assign(name=lone["delineation_id"].map(display_names(others)()))
        )
        found["plot"] = [None if pd.isna(one) else str(one) for one in found["plot"]]
        keys = zip(LAYERS.values(), self.keys(name))
        return found.assign(
            **{column: part for columns, key in keys for column, part in zip(columns, key)}
        )

    def _drawn_crowns(self, name: str, layer: QgsVectorLayer | None) -> pd.DataFrame:
        """A row per delineation of that name, as far as the layer is there."""
        columns = ["layer", "delineation_id", "group", "rc_problem", "rc_cause"]
        if layer is not None and _is_of_run(layer):
            where = QgsExpression.createFieldEqualityExpression("layer", name)
            found = pd.concat([table_of(layer, columns, where), outlines_of(layer, where)], axis=1)
        else:
            found = (
                pd.DataFrame(columns=["feature", "outline"])
                if layer is None
                else outlines_of(layer)
            )
            tables = (
                held.tables.get(SCORED_DELINEATIONS.id, {})
                for _, held in runs_in_fields(self.layer)
            )
            told = pd.DataFrame(next(tables, {})).reindex(
                columns=["layer", "delineation_id", "status"]
            )
            told = told[told["layer"] == name].set_index("delineation_id")["status"]
            found = found.assign(delineation_id=found["feature"], group=None)
            found["rc_problem"] = lone_problems(found["feature"].map(told).astype(object))
            found["rc_cause"] = causes({"problem": found["rc_problem"]}, tr)
        return found.rename(columns={"rc_problem": "problem", "rc_cause": "cause", "group": "plot"})

    def _ids(self, names: list[str], features: pd.Series) -> pd.Series:
        """Ids of the crowns in the layer that was scored: of a run's result they stand before its first score."""
        if self.layer.customProperty(RESULT_PROPERTY) != SCORED_TARGETS.id:
            return features
        ids = target_id_field(names, next(iter(self.prefixes.values())))
        return table_of(self.layer, [ids])[ids].astype(np.int64)

    def _spread(self) -> np.ndarray:
        fields = [prefix + ENDINGS[0] for prefix in self.prefixes.values()]
        scores = table_of(self.layer, fields).to_numpy(dtype=float)
        return scores.var(axis=1, ddof=1) if len(fields) > 1 else np.full(len(scores), np.nan)

    def outlines(
        self,
        crown: pd.Series,
        crs: QgsCoordinateReferenceSystem,
        drawn: Mapping[str, QgsVectorLayer | None],
    ) -> dict[str, QgsGeometry]:
        """A target (under the empty name) and each delineation layer's match of it, empty without one; or one
        delineation; on a map in that system.

        Raises:
            InputError: if the layer no longer has the crown.
        """
        lone = crown["side"] == Side.DELINEATION
        name = str(crown["delineations"])
        layer = drawn.get(name) if lone else self.layer
        feature = QgsFeature() if layer is None else layer.getFeature(int(crown["feature"]))
        if layer is None or not feature.isValid():
            raise InputError("This crown is no longer in its layer.")
        found = {name if lone else "": on_map(feature.geometry(), layer, crs)}
        for name, prefix in self.prefixes.items() if not lone else ():
            match, others = feature[prefix + _END["delineation_id"]], drawn.get(name)
            found[name] = QgsGeometry()
            if others is None or is_null(match):
                continue
            request = QgsFeatureRequest(int(match))
            if _is_of_run(others):
                asked = {"layer": name, "delineation_id": int(match)}
                where = " AND ".join(
                    QgsExpression.createFieldEqualityExpression(*one) for one in asked.items()
                )
                request = QgsFeatureRequest().setFilterExpression(where)
            shape = next((one.geometry() for one in others.getFeatures(request)), QgsGeometry())
            found[name] = on_map(shape, others, crs)
        return found

    def near(
        self,
        place: QgsRectangle,
        crs: QgsCoordinateReferenceSystem,
        drawn: Mapping[str, QgsVectorLayer | None],
    ) -> dict[str, QgsGeometry]:
        """All outlines near a place of a map in that system: the targets' (under the empty name), each layer's."""
        wide, found = QgsRectangle(place), {}
        wide.scale(_NEAR)
        for name, layer in {"": self.layer, **drawn}.items():
            request = QgsFeatureRequest(wide).setDestinationCrs(
                crs, QgsProject.instance().transformContext()
            )
            if name and layer is not None and _is_of_run(layer):
                request.setFilterExpression(
                    QgsExpression.createFieldEqualityExpression("layer", name)
                )
            shapes = [] if layer is None else [one.geometry() for one in layer.getFeatures(request)]
            found[name] = QgsGeometry.collectGeometry(shapes)
        return found

    def colours(self) -> dict[str, str]:
        """The colour of each delineation layer: its own on the map, where that tells it from all others."""
        shown = {name: colour_on_map(self._scored(self.keys(name)[1])) for name in self.prefixes}
        own = {name: colour for name, colour in shown.items() if colour}
        usual = annotator_colours(self.prefixes, own)
        chosen = {**usual, **own}
        pairs = combinations((QColor(one).getRgb() for one in (TARGET, *chosen.values())), 2)
        return chosen if all(np.abs(np.subtract(*pair)).max() > _ALIKE for pair in pairs) else usual

    def _scored(self, key: LayerKey) -> QgsVectorLayer | None:
        """A layer that was scored, while the project has it."""
        there = (
            {} if self.record is None else layers_again(self.record.inputs, QgsProject.instance())
        )
        return vector_layer(there.get(key.id, ""))

    def made_delineations(self) -> QgsVectorLayer | None:
        """The scored delineations of the same run, while the project has them."""
        made = self.record
        others = (one for one in polygon_layers(made=True) if made is not None)
        ours = (
            one for one in others if one.customProperty(RESULT_PROPERTY) == SCORED_DELINEATIONS.id
        )
        return next((one for one in ours if record_of(one) == made), None)

    def drawn(self) -> dict[str, QgsVectorLayer | None]:
        """What has the delineations of each name: those that the run kept, else the layer that was scored."""
        made, project = self.record, QgsProject.instance()
        kept: QgsMapLayer | None = self.made_delineations()
        if kept is None and made is not None:
            run = next(
                (one for one in runs_of(project) if one.record == made and one.in_fields is None),
                None,
            )
            kept = None if run is None else run.layer(SCORED_DELINEATIONS.id, project)
        if isinstance(kept, QgsVectorLayer):
            return dict.fromkeys(self.prefixes, kept)
        return {name: self._scored(self.keys(name)[1]) for name in self.prefixes}


def _is_of_run(layer: QgsVectorLayer) -> bool:
    """Whether it is a run's table of all delineations, rather than a layer that was scored."""
    return {"layer", "delineation_id", "rc_problem"} <= set(layer.fields().names())


def scored_layers() -> list[ScoredLayer]:
    """The project's layers with problems of crowns: results of runs first, the last run before all."""
    layers = map(ScoredLayer.of, polygon_layers(made=True))
    found = [one for one in layers if one.prefixes]

    def rank(one: ScoredLayer) -> tuple[bool, str]:
        return one.layer.customProperty(RESULT_PROPERTY) == SCORED_TARGETS.id, one.made

    return sorted(found, key=rank, reverse=True)

"""A layer as it was when a run began, safe to read in the background."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.compat import is_polygon_layer
from randcrowns.layers.vector.write import our_fields

_BLOCK = 2000
#: Providers whose number of features is no estimate.
_EXACT = ("ogr", "memory", "spatialite")


@dataclass(frozen=True)
class LayerSnapshot:
    """What is needed of a layer; holds no layer, so the layer may be removed or edited meanwhile.

    Edits that are saved to the layer's file, and a filter that is set, before the features are read do show;
    :meth:`changed_since` tells when the number of features gives them away.

    Attributes:
        our_fields: names of those that an earlier run wrote.
        selected: ids of the features to read, or None for all.
        expression: only features for which it holds; empty for all.
        limit: most features to read, -1 for all.
        count: number of features as the layer tells it, -1 when unknown.
        counted: whether that number is exact.
    """

    name: str
    crs: QgsCoordinateReferenceSystem
    fields: QgsFields
    our_fields: tuple[str, ...]
    selected: tuple[int, ...] | None
    count: int
    wkb_type: Any
    source: QgsVectorLayerFeatureSource
    expression: str = ""
    limit: int = -1
    counted: bool = False

    @classmethod
    def of(
        cls, layer: QgsVectorLayer, selected_only: bool = False, expression: str = "", limit: int = -1
    ) -> LayerSnapshot:
        """Take the snapshot. Call it on the thread the layer lives on; unsaved edits are in it.

        Raises:
            InputError: if the layer cannot be read or holds no polygons.
        """
        name = layer.name()
        if not layer.isValid():
            raise InputError(f"Layer '{name}' cannot be read; check that its file or database is still there.")
        if not is_polygon_layer(layer):
            raise InputError(f"Layer '{name}' holds no polygons; crowns must be polygons.")
        return cls(
            name=name,
            crs=layer.crs(),
            fields=QgsFields(layer.fields()),
            our_fields=tuple(sorted(our_fields(layer))),
            selected=tuple(layer.selectedFeatureIds()) if selected_only else None,
            count=layer.selectedFeatureCount() if selected_only else layer.featureCount(),
            wkb_type=layer.wkbType(),
            source=QgsVectorLayerFeatureSource(layer),
            expression=expression,
            limit=limit,
            counted=layer.providerType() in _EXACT,
        )

    def changed_since(self, name: str, read: int) -> Remark | None:
        """A remark when more or fewer features were read than there were; ``name`` is what the run calls the layer."""
        expected = self.count if self.limit < 0 else min(self.count, self.limit)
        if not self.counted or self.expression or self.count < 0 or read == expected:
            return None
        said = (
            "Layer '{layer}' had {expected} crowns when the run began, but {read} were read: it was changed or "
            "filtered meanwhile, or its file is damaged."
        )
        return note("input.changed", said, layer=name, expected=expected, read=read)

    def features(self, attributes: list[str] | None = None, progress: Progress = no_progress) -> list[QgsFeature]:
        """All features, by id, with the named attributes only (None: all)."""
        request = QgsFeatureRequest()
        if self.expression:
            request.setFilterExpression(self.expression)
        elif self.selected is not None:
            request.setFilterFids(list(self.selected))
        if attributes is not None:
            request.setSubsetOfAttributes([self.fields.lookupField(name) for name in attributes])
        found: list[QgsFeature] = []
        iterator = self.source.getFeatures(request)
        for block in iter(lambda: list(islice(iterator, _BLOCK)), []):
            found += block
            progress(len(found) / max(self.count, len(found) + 1))
        if self.expression and self.selected is not None:
            wanted = set(self.selected)
            found = [feature for feature in found if feature.id() in wanted]
        found.sort(key=QgsFeature.id)
        return found if self.limit < 0 else found[: self.limit]

"""What can be said about a layer at a glance, for the badge beside its name."""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import QgsProject, QgsUnitTypes, QgsVectorLayer, QgsWkbTypes

from randcrowns.ui.words import counted, tr

__all__ = ["RESULT_PROPERTY", "LayerFacts", "is_candidate", "polygon_layers"]

#: Custom layer property that marks what a run made, so that the pickers do not offer it.
RESULT_PROPERTY = "randcrowns/result"


@dataclass(frozen=True)
class LayerFacts:
    """A layer's badge: how many crowns, which coordinate system, and whatever is odd about them."""

    count: int
    crs: str
    odd: tuple[str, ...]

    @classmethod
    def of(cls, layer: QgsVectorLayer, found: tuple[str, ...] = ()) -> LayerFacts:
        """Facts that cost no reading of features, and what a look at them has ``found`` to be odd."""
        crs = layer.crs()
        odd = list(found)
        if layer.featureCount() == 0:
            odd.append(tr("no crowns in it"))
        if not crs.isValid():
            odd.append(tr("no coordinate system: set one in the layer's properties"))
        elif crs.isGeographic():
            odd.append(tr("in degrees, worked on in metres"))
        elif crs.mapUnits() != QgsUnitTypes.DistanceUnit.DistanceMeters:
            unit = QgsUnitTypes.toString(crs.mapUnits())
            odd.append(tr("in {unit}, worked on in metres").format(unit=unit))
        if layer.isEditable() and layer.isModified():
            odd.append(tr("has edits not saved yet"))
        name = crs.authid() or (tr("own coordinate system") if crs.isValid() else tr("no coordinate system"))
        return cls(layer.featureCount(), name, tuple(odd))

    @property
    def text(self) -> str:
        """How many crowns, and where they are."""
        crowns = counted(self.count, tr("crown"), tr("crowns")) if self.count >= 0 else tr("crowns not counted")
        return f"{crowns} · {self.crs}"

    @property
    def short(self) -> str:
        """The badge where there is little room."""
        count = f"{self.count:,}" if self.count >= 0 else "?"
        return f"{count} ⚠" if self.odd else count

    @property
    def tooltip(self) -> str:
        """The badge in full."""
        return "\n".join([self.text, *self.odd])


def is_candidate(layer: object) -> bool:
    """Whether crowns can be read from this layer: polygons, usable, and not made by a run of ours."""
    return (
        isinstance(layer, QgsVectorLayer)
        and layer.isValid()
        and layer.geometryType() == QgsWkbTypes.GeometryType.PolygonGeometry
        and not layer.customProperty(RESULT_PROPERTY)
    )


def polygon_layers() -> list[QgsVectorLayer]:
    """The project's layers that can hold crowns, by name."""
    layers = [layer for layer in QgsProject.instance().mapLayers().values() if is_candidate(layer)]
    return sorted(layers, key=lambda layer: (layer.name().casefold(), layer.id()))

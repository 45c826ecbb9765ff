"""What can be said about a layer at a glance, for the badge beside its name."""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer, QgsUnitTypes, QgsVectorLayer, QgsWkbTypes

from randcrowns.layers.vector.ours import RESULT_PROPERTY
from randcrowns.layers.words import counted, tr

__all__ = ["RESULT_PROPERTY", "LayerFacts", "is_candidate", "polygon_layers", "raster_layers"]


@dataclass(frozen=True)
class LayerFacts:
    """A layer's badge: how many crowns, which coordinate system, and whatever is odd about them.

    A raster's says ``what`` it is in place of a number of crowns. Where it need not be crowns that were drawn, they are
    called ``polygons``.
    """

    count: int
    crs: str
    odd: tuple[str, ...]
    what: str = ""
    polygons: bool = False

    @classmethod
    def of(cls, layer: QgsMapLayer, found: tuple[str, ...] = (), polygons: bool = False) -> LayerFacts:
        """Facts that cost no reading of features, and what a look at them has ``found`` to be odd."""
        crs = layer.crs()
        name = crs.authid() or (tr("own coordinate system") if crs.isValid() else tr("no coordinate system"))
        if isinstance(layer, QgsRasterLayer):
            missing = () if crs.isValid() else (tr("no coordinate system: set one in the layer's properties"),)
            return cls(-1, name, missing, tr("raster"))
        odd = list(found)
        if layer.featureCount() == 0:
            odd.append(tr("no polygons in it") if polygons else tr("no crowns in it"))
        if not crs.isValid():
            odd.append(tr("no coordinate system: set one in the layer's properties"))
        elif crs.isGeographic():
            odd.append(tr("in degrees, worked on in metres"))
        elif crs.mapUnits() != QgsUnitTypes.DistanceUnit.DistanceMeters:
            unit = QgsUnitTypes.toString(crs.mapUnits())
            odd.append(tr("in {unit}, worked on in metres").format(unit=unit))
        if layer.isEditable() and layer.isModified():
            odd.append(tr("has edits not saved yet"))
        return cls(layer.featureCount(), name, tuple(odd), polygons=polygons)

    @property
    def text(self) -> str:
        """How many crowns, and where they are."""
        one, many = (tr("polygon"), tr("polygons")) if self.polygons else (tr("crown"), tr("crowns"))
        counting = counted(self.count, one, many) if self.count >= 0 else tr("{many} not counted").format(many=many)
        return f"{self.what or counting} · {self.crs}"

    @property
    def short(self) -> str:
        """The badge where there is little room."""
        count = self.what or (f"{self.count:,}" if self.count >= 0 else "?")
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


def raster_layers() -> list[QgsRasterLayer]:
    """The project's rasters that are read from files and were not made by a run of ours, by name."""
    layers = [
        layer
        for layer in QgsProject.instance().mapLayers().values()
        if isinstance(layer, QgsRasterLayer)
        and layer.isValid()
        and layer.providerType() == "gdal"
        and not layer.customProperty(RESULT_PROPERTY)
    ]
    return sorted(layers, key=lambda layer: (layer.name().casefold(), layer.id()))

"""The point clouds that the project has."""

from __future__ import annotations

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProject

from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.cloud.head import cloud_file
from randcrowns.layers.sample import sample_clouds
from randcrowns.layers.words import tr

__all__ = ["clouds_offered", "system_of_layer"]


def clouds_offered() -> list[tuple[str, str]]:
    """Words and path of each cloud that the project has."""
    project = QgsProject.instance()
    found = []
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsPointCloudLayer):
            try:
                found.append((layer.name(), str(cloud_file(layer.source()))))
            except RandCrownsError:
                continue  # read from something else than a file of points
    known = {path for _, path in found}
    found += [(tr("Sample cloud (simulated)"), str(path)) for path in sample_clouds(project) if str(path) not in known]
    return sorted(found)


def system_of_layer(path: str) -> QgsCoordinateReferenceSystem:
    """The system that a layer of the project gives to the cloud of that file."""
    for layer in QgsProject.instance().mapLayers().values():
        if isinstance(layer, QgsPointCloudLayer):
            try:
                if str(cloud_file(layer.source())) == path:
                    return layer.crs()
            except RandCrownsError:
                continue
    return QgsCoordinateReferenceSystem()

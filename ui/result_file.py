"""The GeoPackage that keeps the results of runs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from qgis.core import QgsProcessing, QgsProject

__all__ = ["as_kept", "as_taken", "place_of", "project_file", "raster_place_of", "table_name"]


def project_file() -> str:
    """The GeoPackage beside the project that keeps its results; empty while the project itself has no file."""
    project = Path(QgsProject.instance().absoluteFilePath())
    if project.suffix.lower() not in (".qgs", ".qgz") or not project.parent.is_dir():
        return ""
    path = str(project.with_name(f"{project.stem}_randcrowns.gpkg"))
    return "" if "'" in path else path


def place_of(output: str, file: str, has_geometry: bool) -> str:
    """Where an output goes: a new table of the file, or of the project's when that is empty; else into memory."""
    file = file or project_file()
    if not file:
        return str(QgsProcessing.TEMPORARY_OUTPUT)
    geometry = " (geom)" if has_geometry else ""
    return f"ogr:dbname='{file}' table=\"{table_name(output)}\"{geometry}"


def raster_place_of(output: str, file: str) -> str:
    """Where a raster goes: a GeoTIFF beside the file that :func:`place_of` writes to; else a temporary one."""
    file = file or project_file()
    if not file:
        return str(QgsProcessing.TEMPORARY_OUTPUT)
    return str(Path(file).with_name(f"{Path(file).stem}_{table_name(output)}.tif"))


def as_kept(path: str) -> str:
    """A file's path as the project keeps it: relative to the project, so that both can be moved together."""
    return str(QgsProject.instance().writePath(path)) if path else ""


def as_taken(path: str) -> str:
    """The path of a file that the project kept."""
    return str(QgsProject.instance().readPath(path)) if path else ""


def table_name(output: str) -> str:
    """Name of a new table: it carries the time, so that no run writes over an earlier one's."""
    return f"{output.lower()}_{datetime.now():%Y%m%d_%H%M%S}"

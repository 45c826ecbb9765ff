"""The GeoPackage that keeps the results of runs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from qgis.core import QgsProcessing, QgsProject

__all__ = ["place_of", "project_file"]


def project_file() -> str:
    """The GeoPackage beside the project that keeps its results; empty while the project itself has no file."""
    project = Path(QgsProject.instance().absoluteFilePath())
    if project.suffix.lower() not in (".qgs", ".qgz") or not project.parent.is_dir():
        return ""
    path = str(project.with_name(f"{project.stem}_randcrowns.gpkg"))
    return "" if "'" in path else path


def place_of(output: str, file: str, has_geometry: bool) -> str:
    """Where an output goes: a new table of the file, or of the project's when that is empty; else into memory.

    A table's name carries the time, so that no run writes over an earlier one's.
    """
    file = file or project_file()
    if not file:
        return str(QgsProcessing.TEMPORARY_OUTPUT)
    geometry = " (geom)" if has_geometry else ""
    return f"ogr:dbname='{file}' table=\"{output.lower()}_{datetime.now():%Y%m%d_%H%M%S}\"{geometry}"

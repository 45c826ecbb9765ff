"""File with the results of the project; imported when QGIS opens a project, without numpy."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from qgis.core import QgsApplication, QgsProject
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from randcrowns.core.exchange.own_results import PROJECT_FILE_END


def project_geopackage() -> str:
    """Return the GeoPackage that contains the project's results.

    It is next to the project file, or next to the GeoPackage that contains the project. A project
    in a database on a server has it in its home folder or, without one, in the QGIS profile.

    Returns:
        The path, whose file may be missing; empty if the project has not been saved yet.
    """
    project = QgsProject.instance()
    storage = project.projectStorage()
    if storage is None:
        file = Path(project.absoluteFilePath())
        if file.suffix.lower() not in (".qgs", ".qgz") or not file.parent.is_dir():
            return ""
        return str(file.with_name(f"{file.stem}{PROJECT_FILE_END}"))

    name = re.sub(r"[^\w -]", "_", project.baseName())
    store = storage.filePath(project.fileName())
    if store:
        return str(Path(store).with_name(f"{Path(store).stem}_{name}{PROJECT_FILE_END}"))
    home = Path(project.presetHomePath())
    if home.is_absolute() and home.is_dir():
        return str(home / f"{name}{PROJECT_FILE_END}")
    folder = Path(QgsApplication.qgisSettingsDirPath()) / "randcrowns" / "projects"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return str(
        folder / f"{name}_{_create_server_project_key(project.fileName())}{PROJECT_FILE_END}"
    )


def _create_server_project_key(address: str) -> str:
    """Return a short key of a project in a database, which is the same for all users."""
    url = QUrl(address)
    query = QUrlQuery(url)
    parts = [query.queryItemValue(name) for name in ("service", "dbname", "schema", "project")]
    text = "\n".join([url.scheme(), url.host(), str(url.port()), *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:8]

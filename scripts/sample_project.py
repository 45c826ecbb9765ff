"""Copy the sample plot and write a QGIS project that shows it: sample_project.py FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsReferencedRectangle,
)

from randcrowns.core.errors import InputError
from randcrowns.core.sample import SAMPLE_SEED
from randcrowns.layers.sample import copy_plot, load_plot


def write_project(folder: str | Path) -> Path:
    """Copy the sample plot into a folder and write a QGIS project that shows it.

    Args:
        folder: folder for the files; created if missing.

    Returns:
        Path of the project.

    Raises:
        InputError: if the folder is not writable.
    """
    folder = Path(folder)
    copy_plot(folder)
    project = QgsProject()
    load_plot(project, folder)
    project.setTitle(f"RandCrowns sample plot (simulated, seed {SAMPLE_SEED})")

    image = next(
        layer for layer in project.mapLayers().values() if isinstance(layer, QgsRasterLayer)
    )
    project.viewSettings().setDefaultViewExtent(
        QgsReferencedRectangle(QgsRectangle(image.extent()), image.crs())
    )
    path = folder / "sample.qgz"
    if not project.write(str(path)):
        raise InputError(
            "sample.project_not_written",
            "The project cannot be written to {path}: {why}",
            path=path,
            why=project.error(),
        )
    project.clear()
    return path


def main(arguments: list[str]) -> int:
    """Copy the sample plot and print the path of its project.

    Args:
        arguments: words of the command line after the script's name.

    Returns:
        Exit status: 0 on success, 1 if the folder is not writable, 2 for a wrong command line.
    """
    if len(arguments) != 1:
        print("usage: sample_project.py FOLDER", file=sys.stderr)
        return 2

    application = QgsApplication([], False)
    application.initQgis()
    try:
        print(write_project(arguments[0]))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        application.exitQgis()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

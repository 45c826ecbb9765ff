"""Write the sample plot and a QGIS project that shows it: make_sample.py FOLDER [SEED]."""

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
from randcrowns.core.sample import DEFAULT_SEED
from randcrowns.layers.sample import load_plot, write_plot


def write_project(folder: str | Path, seed: int = DEFAULT_SEED) -> Path:
    """Write the sample plot into a folder, with a QGIS project that shows it.

    Args:
        folder: folder for the files; created if missing.
        seed: seed of the simulation.

    Returns:
        Path of the project.

    Raises:
        InputError: if the folder is not writable.
    """
    folder = Path(folder)
    write_plot(folder, seed)
    project = QgsProject()
    load_plot(project, folder, seed)
    project.setTitle(f"RandCrowns sample plot (simulated, seed {seed})")

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
    """Write the sample plot and print the path of its project.

    Args:
        arguments: words of the command line after the script's name.

    Returns:
        Exit status: 0 on success, 1 if the folder is not writable, 2 for a wrong command line.
    """
    if not 1 <= len(arguments) <= 2 or not all(seed.isdigit() for seed in arguments[1:]):
        print("usage: make_sample.py FOLDER [SEED]", file=sys.stderr)
        return 2
    seed = int(arguments[1]) if len(arguments) == 2 else DEFAULT_SEED

    application = QgsApplication([], False)
    application.initQgis()
    try:
        print(write_project(arguments[0], seed))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        application.exitQgis()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

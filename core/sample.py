"""Files of the sample plot: an image, crowns and a point cloud, all of them simulated.

No tree of the plot is real. The plot is for trying things out, and for examples that need the same
input everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

#: Seed of the random numbers from which the plot was simulated.
SAMPLE_SEED = 2
#: Coordinate reference system of the files.
SAMPLE_CRS = "EPSG:32617"
#: Table of the true crowns.
TRUE_CROWNS = "crowns"
#: Tables of the delineations: four annotators, a survey in the field, three detectors.
DELINEATIONS = (
    "annotator_1",
    "annotator_2",
    "annotator_3",
    "annotator_4",
    "field_polygons",
    "detector",
    "detector_2",
    "detector_3",
)
#: Attribute of the cloud's points with the true tree, -1 for none.
TARGET_ATTRIBUTE = "tree_id"
#: Attribute of the cloud's points with the predicted tree, -1 for none.
PREDICTION_ATTRIBUTE = "predicted_id"

_SHIPPED_FOLDER = Path(__file__).resolve().parents[1] / "resources" / "sample"


class SampleFiles(NamedTuple):
    """Paths of the files of the sample plot."""

    image: Path  #: GeoTIFF of 400 x 400 pixels of 0.1 m, red, green and blue.
    crowns: Path  #: GeoPackage with the tables TRUE_CROWNS and DELINEATIONS.
    cloud: Path  #: LAZ; its trees stand east of the image.


def sample_files(folder: str | Path | None = None) -> SampleFiles:
    """Return the paths of the files of the sample plot.

    Args:
        folder: folder with a copy of the files; by default the folder that is installed with
            RandCrowns.

    Returns:
        The paths. Those of a copy may not exist.

    >>> [path.name for path in sample_files() if path.is_file()]
    ['image.tif', 'crowns.gpkg', 'cloud.laz']
    """
    folder = _SHIPPED_FOLDER if folder is None else Path(folder)
    return SampleFiles(folder / "image.tif", folder / "crowns.gpkg", folder / "cloud.laz")

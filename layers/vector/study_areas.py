"""Recognition of study areas among polygon layers and files, by their names and outlines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCsException

from randcrowns.core.arrays import Floats, Objects
from randcrowns.layers.crs import create_transform, transform_coordinates
from randcrowns.layers.vector.names import plain_letters

# The patterns below are matched against names in plain letters, see plain_letters.

#: Names that unambiguously denote an area, such as "AOI" or "study area".
UNAMBIGUOUS_AREA_NAME = re.compile(
    r"(?<![a-z])(aoi|roi|extent|study[\W_]*(area|site)|area[\W_]+of[\W_]+interest)s?(?![a-z])"
)
#: Names of people who draw crowns, in the languages of the plugin, such as "observer_2".
PERSON_NAME = re.compile(
    r"annotator|annotateur|annotatrice|anotador"
    r"|observer|observador|observateur|observatrice|beobachter"
    r"|labell?er|etiquetador|rotulador|etiqueteu[rs]"
    r"|(?<![a-z])rater(?![a-z])|bewerter|evaluador|avaliador|evaluateur|evaluatrice"
    r"|digiti[sz]er|digitali[sz]ierer|digitali[sz]ador|digitador|numerisateur"
    r"|interpret(e|er)s?(?![a-z])"
)
#: Names that denote crowns, also if they name an area, such as "crowns in the AOI".
_CROWN_NAME = re.compile(
    rf"{PERSON_NAME.pattern}|crown|tree|target|truth|reference|manual|pred|detect|model|label|box"
)

#: Maximum number of polygons of a study area that is recognised by its outlines.
MAX_AREA_POLYGONS = 10
#: Maximum number of crowns of a layer or file that are compared with a study area.
MAX_SAMPLED_CROWNS = 500
#: Minimum number of crowns per polygon of a study area.
_MIN_CROWNS_PER_POLYGON = 5
#: Minimum share of the crowns whose centre lies inside a study area.
_MIN_SHARE_INSIDE = 0.9
#: Minimum size of the polygons of a study area, as a multiple of the boxes around crowns.
_MIN_SIZE_RATIO = 10.0


@dataclass(frozen=True, eq=False)
class OutlineSample:
    """Outlines of a layer or a file; of many crowns, only some."""

    shapes: Objects  #: (n,) polygons, at most :data:`MAX_SAMPLED_CROWNS`.
    n_polygons: int  #: Number of polygons of the layer or file.
    crs: QgsCoordinateReferenceSystem  #: CRS of the polygons; invalid for pixel coordinates.

    @classmethod
    def of_shapes(cls, shapes: Objects, crs: QgsCoordinateReferenceSystem) -> OutlineSample:
        """Return a sample of polygons, evenly distributed over their order.

        Args:
            shapes: (n,) polygons.
            crs: CRS of the polygons; invalid for pixel coordinates.
        """
        n_sampled = min(len(shapes), MAX_SAMPLED_CROWNS)
        positions = np.linspace(0, len(shapes) - 1, n_sampled).round().astype(int)
        return cls(shapes[positions], len(shapes), crs)


def denotes_study_area(name: str) -> bool:
    """Return True if a name unambiguously denotes a study area, and no crowns.

    >>> denotes_study_area("Peel_AOI_2500"), denotes_study_area("crowns of the AOI")
    (True, False)
    """
    plain_name = plain_letters(name)
    is_area = UNAMBIGUOUS_AREA_NAME.search(plain_name) is not None
    return is_area and _CROWN_NAME.search(plain_name) is None


def encloses_crowns(sample: OutlineSample, others: Sequence[OutlineSample]) -> bool:
    """Return True if few large polygons contain nearly all crowns of other layers.

    Args:
        sample: outlines that may be a study area.
        others: outlines of the other layers or files. Those in pixel coordinates are ignored.
    """
    has_outlines = sample.crs.isValid() and len(sample.shapes) > 0
    if not has_outlines or not 0 < sample.n_polygons <= MAX_AREA_POLYGONS:
        return False
    bounds_by_layer = [_bounds_in_crs(other, sample.crs) for other in others]
    bounds = np.concatenate([np.empty((0, 4)), *bounds_by_layer])
    bounds = bounds[np.isfinite(bounds).all(axis=1)]
    if len(bounds) < _MIN_CROWNS_PER_POLYGON * sample.n_polygons:
        return False
    crown_size = np.median((bounds[:, 2] - bounds[:, 0]) * (bounds[:, 3] - bounds[:, 1]))
    if not shapely.area(sample.shapes).min() >= _MIN_SIZE_RATIO * crown_size:
        return False
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    tree = shapely.STRtree(sample.shapes)
    inside_rows, _ = tree.query(shapely.points(centres), predicate="intersects")
    return len(np.unique(inside_rows)) >= _MIN_SHARE_INSIDE * len(centres)


def _bounds_in_crs(sample: OutlineSample, crs: QgsCoordinateReferenceSystem) -> Floats:
    """Return the bounds (n, 4) of outlines in a CRS; (0, 4) if they cannot be transformed."""
    bounds = shapely.bounds(sample.shapes)
    bounds = bounds[np.isfinite(bounds).all(axis=1)]
    if not sample.crs.isValid():
        return np.empty((0, 4))
    transform = create_transform(sample.crs, crs)
    try:
        corners = transform_coordinates(bounds.reshape(-1, 2), transform).reshape(-1, 2, 2)
    except QgsCsException:
        return np.empty((0, 4))
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)

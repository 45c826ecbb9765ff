"""A sample crown and its regions as outlines, for a drawing that explains the parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Floats
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import target_regions

__all__ = ["sketch_regions"]

Rings = list[Floats]


def sketch_regions(parameters: RandCrownsParameters) -> dict[str, Rings]:
    """Outlines (metres, (n, 2) each) of a crown of about 6 x 5 m and its regions.

    Returns:
        ``target``; ``a`` surely crown (R_a), ``o`` up to where the crown may reach (R_o), ``e`` outer edge of what is
        surely not crown (R_e). A region that is empty has no outline.
    """
    crown = _sample_crown()
    regions = target_regions(np.array([crown]), parameters)
    return {
        "target": _rings(crown),
        "a": _rings(regions.R_a[0]),
        "o": _rings(regions.R_o[0]),
        "e": _rings(regions.R_e[0]),
    }


def _sample_crown() -> Any:
    angle = np.linspace(0.0, 2.0 * np.pi, 49)[:-1]
    radius = 2.7 + 0.22 * np.cos(3 * angle + 0.6) + 0.12 * np.cos(5 * angle)
    return shapely.Polygon(np.column_stack([1.1 * radius * np.cos(angle), 0.92 * radius * np.sin(angle)]))


def _rings(geometry: Any) -> Rings:
    parts = shapely.get_parts(geometry)
    parts = parts[~shapely.is_empty(parts)]
    rings = shapely.get_rings(parts)
    return [shapely.get_coordinates(ring) for ring in rings]

"""Random scenes whose crowns have plots and species, and properties by which they are summarised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas
import numpy as np
from support.batch import random_layers

__all__ = ["STRATA", "write_scene"]

#: By scene: what the crowns are summarised by.
STRATA: list[dict[str, Any]] = [
    {"summarise_by": "area"},
    {"summarise_by": "crowding"},
    {"summarise_by": "edge", "extent": (404_005.0, 3_285_004.0, 404_036.0, 3_285_037.0)},
    {"summarise_by": "attribute", "strata_field": "species"},
    {"summarise_by": "area", "strata_breaks": "8; 20", "within_classes": True},
]


def write_scene(folder: Path, seed: int) -> list[str]:
    """Write targets and delineations with plots and species; return their paths."""
    layers = random_layers(folder, 40 + seed, plots=(True, True))
    rng = np.random.default_rng(seed)
    for path in layers.paths:
        frame = geopandas.read_file(path)
        frame["species"] = rng.choice(np.array(["oak", "ash", "elm", None]), len(frame))
        path.unlink()
        frame.to_file(path)
    return [str(path) for path in layers.paths]

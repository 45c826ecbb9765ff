"""The mathematics of RandCrowns: numpy, scipy, pandas and shapely only, no QGIS.

Names are imported on first access, because QGIS may start without the libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from randcrowns.core import geos  # noqa: F401 - must precede every import of shapely

if TYPE_CHECKING:
    from randcrowns.core.crowns import Crowns
    from randcrowns.core.errors import Cancelled, InputError, MissingLibraryError, RandCrownsError
    from randcrowns.core.geos import shapely_uses_own_geos
    from randcrowns.core.outlines import OutlineWarning, repair_outlines
    from randcrowns.core.scoring.idtrees import idtrees_scores
    from randcrowns.core.scoring.layer import score_crowns
    from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
    from randcrowns.core.scoring.score import score_pairs, target_regions
    from randcrowns.core.status import Status

#: Submodule that defines each public name.
_MODULES = {
    "PRESETS": "scoring.parameters",
    "Cancelled": "errors",
    "Crowns": "crowns",
    "InputError": "errors",
    "MissingLibraryError": "errors",
    "OutlineWarning": "outlines",
    "RandCrownsError": "errors",
    "RandCrownsParameters": "scoring.parameters",
    "Status": "status",
    "idtrees_scores": "scoring.idtrees",
    "repair_outlines": "outlines",
    "score_crowns": "scoring.layer",
    "score_pairs": "scoring.score",
    "shapely_uses_own_geos": "geos",
    "target_regions": "scoring.score",
}

#: Topics of the core, which are packages of their own.
_TOPICS = (
    "agreement",
    "classes",
    "detectors",
    "exchange",
    "geometry",
    "instances",
    "review",
    "scoring",
    "tuning",
)

__all__ = [
    "PRESETS",
    "Cancelled",
    "Crowns",
    "InputError",
    "MissingLibraryError",
    "OutlineWarning",
    "RandCrownsError",
    "RandCrownsParameters",
    "Status",
    "idtrees_scores",
    "repair_outlines",
    "score_crowns",
    "score_pairs",
    "shapely_uses_own_geos",
    "target_regions",
]


def __getattr__(name: str) -> Any:
    if name in _TOPICS:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_TOPICS})

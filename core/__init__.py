"""The mathematics of RandCrowns: numpy, scipy, pandas and shapely only, no QGIS."""

from randcrowns.core.geos import shapely_answers_rightly

# isort: split
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled, InputError, MissingLibraryError, RandCrownsError
from randcrowns.core.scoring.idtrees import idtrees_scores
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs, target_regions
from randcrowns.core.status import Status

__all__ = [
    "PRESETS",
    "Cancelled",
    "Crowns",
    "InputError",
    "MissingLibraryError",
    "RandCrownsError",
    "RandCrownsParameters",
    "Status",
    "idtrees_scores",
    "score_crowns",
    "score_pairs",
    "shapely_answers_rightly",
    "target_regions",
]

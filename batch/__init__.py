"""Score, evaluate and compare crowns tile by tile on a Dask cluster.

The results equal those of :mod:`randcrowns.core` on all crowns at once.
"""

from __future__ import annotations

try:
    from randcrowns.batch.agreement import agree
    from randcrowns.batch.evaluation import evaluate
    from randcrowns.batch.export import export
    from randcrowns.batch.partition import partition
    from randcrowns.batch.scoring import score
    from randcrowns.batch.summary import summary
except ModuleNotFoundError as error:
    _MISSING_EXTRA = (
        f"Folders of results and runs tile by tile require {error.name}, which is not installed. "
        "Install it: pip install 'randcrowns[batch]'"
    )
    raise ModuleNotFoundError(_MISSING_EXTRA, name=error.name) from error

__all__ = ["agree", "evaluate", "export", "partition", "score", "summary"]

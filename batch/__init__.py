"""RandCrowns beyond one machine: the same numbers, tile by tile on a Dask cluster."""

from __future__ import annotations

try:
    from randcrowns.batch.agreement import agree
    from randcrowns.batch.evaluation import evaluate
    from randcrowns.batch.export import export
    from randcrowns.batch.partition import partition
    from randcrowns.batch.scoring import score
    from randcrowns.batch.summary import summary
except ModuleNotFoundError as lacking:
    _SAID = f"randcrowns.batch and the command randcrowns require {lacking.name}: pip install 'randcrowns-….whl[batch]'"
    raise ModuleNotFoundError(_SAID, name=lacking.name) from lacking

__all__ = ["agree", "evaluate", "export", "partition", "score", "summary"]

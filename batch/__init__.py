"""RandCrowns beyond one machine: the same numbers, tile by tile on a Dask cluster."""

from __future__ import annotations

from randcrowns.batch.agreement import agree
from randcrowns.batch.evaluation import evaluate
from randcrowns.batch.export import export
from randcrowns.batch.partition import partition
from randcrowns.batch.scoring import score
from randcrowns.batch.summary import summary

__all__ = ["agree", "evaluate", "export", "partition", "score", "summary"]

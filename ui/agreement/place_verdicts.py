"""Verdicts on the places where annotators differ, stored with those of page Review."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timezone
from getpass import getuser
from typing import Any

import pandas as pd
from qgis.core import QgsFeatureRequest, QgsVectorLayer

from randcrowns.algorithms.review_texts import find_place_verdicts
from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import (
    VERDICT_COLUMNS,
    Side,
    Verdict,
)
from randcrowns.layers.files.verdict_file import (
    VerdictFile,
    geometry_hashes,
    storage_problem,
    verdict_file_path,
)
from randcrowns.ui.services.settings import REVIEWER_PREFERENCE, preference


class PlaceVerdicts:
    """Verdicts on the disagreements of a comparison.

    A place is recognised by its outline, so that its verdict remains after a new run.

    Args:
        layer: Layer of the disagreements, with the field ``rank``.
        places: One row per disagreement, with the columns ``rank``, ``area`` and ``votes``.
        names: Names of the annotators.
    """

    def __init__(self, layer: QgsVectorLayer, places: pd.DataFrame, names: Sequence[str]) -> None:
        self._layer = layer
        self._places = places.set_index("rank")
        self._names = names

    @property
    def problem(self) -> str:
        """Reason why verdicts cannot be saved without a project file; "" if they can."""
        return storage_problem() if verdict_file_path(self._layer) is None else ""

    def read(self) -> dict[int, str]:
        """Return the last verdict, a :class:`Verdict` as text, by the rank of its place.

        Raises:
            InputError: if the file of the verdicts cannot be read.
        """
        path = verdict_file_path(self._layer)
        if path is None:
            return {}
        verdicts = VerdictFile(path).read()
        return find_place_verdicts(verdicts, self._places["area"], self._read_outlines)

    def save(self, rank: int, verdict: Verdict) -> None:
        """Save a verdict on a place.

        Args:
            rank: Rank of the place.
            verdict: The verdict.

        Raises:
            InputError: if there is no file for it, it cannot be written, or the place is gone.
        """
        path = verdict_file_path(self._layer)
        if path is None:
            raise InputError("verdicts.no_project_file", storage_problem())
        outlines = self._read_outlines([rank])
        if rank not in outlines:
            raise InputError(
                "verdicts.no_place",
                "Place {rank} is no longer in layer '{layer}'; run again.",
                rank=rank,
                layer=self._layer.name(),
            )
        VerdictFile(path).add(self._create_row(rank, outlines[rank], verdict))

    def _create_row(self, rank: int, outline: str, verdict: Verdict) -> dict[str, Any]:
        """Return the row of a verdict, with a value for each of ``VERDICT_COLUMNS``.

        Args:
            rank: Rank of the place.
            outline: Hash of its outline.
            verdict: The verdict.
        """
        place = self._places.loc[rank]
        return {
            **dict.fromkeys(VERDICT_COLUMNS),
            "layer": ", ".join(self._names),
            "side": Side.DISAGREEMENT.value,
            "feature_id": rank,
            "outline": outline,
            "score": float(place["area"]),
            "problem": str(place["votes"]),
            "verdict": verdict.value,
            "comment": "",
            "reviewer": preference(REVIEWER_PREFERENCE, "") or getuser(),
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
            "right_class": "",
        }

    def _read_outlines(self, ranks: Collection[int]) -> dict[int, str]:
        """Return the hashes of the outlines of places by their ranks.

        Places that are no longer in the layer are missing.
        """
        if len(ranks) == 0:
            return {}
        rank_list = ", ".join(str(int(rank)) for rank in ranks)
        request = QgsFeatureRequest().setFilterExpression(f'"rank" IN ({rank_list})')
        found_ranks = []
        outlines = []
        for feature in self._layer.getFeatures(request):
            found_ranks.append(int(feature["rank"]))
            outlines.append(feature.geometry())
        return dict(zip(found_ranks, geometry_hashes(outlines)))

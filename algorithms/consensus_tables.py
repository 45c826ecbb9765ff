"""What a consensus is written as: its polygons, the annotators as it sees them, its probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely
from numpy.typing import NDArray

from randcrowns.algorithms.annotator_parameters import names_list
from randcrowns.algorithms.base import tr
from randcrowns.algorithms.consensus_methods import Consensus, ConsensusMethod
from randcrowns.algorithms.raster_outputs import RasterTable, looked_up
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.tables import FeatureTable

__all__ = [
    "MadeConsensus",
    "consensus_table",
    "empty_sentences",
    "joined",
    "made_outputs",
    "performance_table",
    "priors_table",
    "probability_raster",
]

# Probability outside of the study area.
_OUTSIDE = -1.0


@dataclass(frozen=True, eq=False)
class MadeConsensus:
    """One consensus: who was left out of it, the votes it was made from, and its polygons in working metres."""

    left_out: str
    votes: VoteTable
    found: Consensus
    polygons: NDArray[np.object_]

    @property
    def area(self) -> float:
        """Square metres marked."""
        return float(shapely.area(self.polygons).sum())

    @property
    def beyond(self) -> float:
        """Square metres marked that no annotator marked."""
        marked, nobody = self.found.marked, self.votes.yes_votes == 0
        if marked.ndim == 2:
            return float((marked & self.votes.on_map(nobody)).sum() * self.votes.unit)
        return float(self.votes.weights[marked & nobody].sum())


def joined(made: list[MadeConsensus]) -> NDArray[np.object_]:
    return np.concatenate([one.polygons for one in made])


def consensus_table(made: list[MadeConsensus], method: ConsensusMethod, table: FeatureTable) -> FeatureTable:
    counts = [len(one.polygons) for one in made]
    rows = sum(counts)
    table.add("area", shapely.area(joined(made)), "Square metres", "real")
    table.add("method", [method.key] * rows, "How the consensus was made", "text")
    table.add("parameters", [method.described] * rows, "Of the method", "text")
    table.add(
        "annotators", np.repeat([one.votes.n_annotators for one in made], counts), "How many took part", "integer"
    )
    if made[0].left_out:
        for name, values, meaning, kind in (
            ("left_out", [one.left_out for one in made], "Who did not", "text"),
            ("marked", [one.area for one in made], "Square metres marked without this one", "real"),
            ("by_nobody", [one.beyond for one in made], "Of them, what none of the others marked", "real"),
            ("prior", [one.found.prior for one in made], "STAPLE's, without this one", "real"),
        ):
            if name != "prior" or method.key == "staple":
                table.add(name, np.repeat(np.array(values, dtype=object), counts), meaning, kind)
    return table


def made_outputs(made: list[MadeConsensus]) -> dict[str, float]:
    """How much is marked and with which prior; of several consensuses, each in its rows, no one number holds."""
    (one, *others) = made
    several = bool(one.left_out or others)
    return {
        "MARKED": math.nan if several else one.area,
        "MARKED_BY_NOBODY": math.nan if several else one.beyond,
        "PRIOR_USED": math.nan if several else one.found.prior,
    }


def empty_sentences(made: list[MadeConsensus]) -> list[str]:
    """Without whom the consensus is empty, and so has no rows."""
    empty = names_list(one.left_out for one in made if one.left_out and not len(one.polygons))
    return [tr("The consensus is empty without {names}.").format(names=empty)] if empty else []


def performance_table(made: list[MadeConsensus]) -> FeatureTable:
    frames = [one.found.performance_frame(one.votes).assign(left_out=one.left_out) for one in made]
    rows = pd.concat(frames, ignore_index=True)
    table = FeatureTable()
    for name in rows.columns:
        table.add(name, rows[name].to_numpy(), kind="text" if name in ("annotator", "left_out") else "")
    return table


def priors_table(found: pd.DataFrame) -> FeatureTable:
    table = FeatureTable()
    table.add("prior", found["prior"].to_numpy(dtype=float), "Share of the area expected to be marked")
    table.add("marked", found["marked"].to_numpy(dtype=float), "Square metres marked")
    table.add("share", found["share"].to_numpy(dtype=float), "Of the study area")
    table.add("rounds", found["rounds"].to_numpy(dtype=np.int64), "Rounds of the estimation")
    return table


def probability_raster(made: list[MadeConsensus], grid: Grid, described: str) -> RasterTable:
    bands = {}
    for one in made:
        if one.found.probability is not None:
            name = tr("probability without {name}").format(name=one.left_out) if one.left_out else tr("probability")
            values = np.append(one.found.probability, _OUTSIDE).astype(np.float32)
            bands[name] = looked_up(values, np.asarray(one.votes.index))
    return RasterTable(bands, "float32", grid, _OUTSIDE, described)

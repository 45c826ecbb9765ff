"""The tables of a comparison of annotators as features."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.agreement.choices import names_list
from randcrowns.algorithms.agreement.methods import Consensus, ConsensusMethod
from randcrowns.algorithms.file_outputs import RasterTable, looked_up
from randcrowns.core.agreement.measures import (
    agreement_ratio,
    dendrogram,
    outlier_limit,
    pairwise_f1,
    shared_weights,
    vote_weights,
)
from randcrowns.core.agreement.summary import AgreementSummary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.bootstrap import LEVEL
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.tables import FeatureTable, polygon_table
from randcrowns.layers.words import tr

__all__ = [
    "MadeConsensus",
    "annotators_table",
    "consensus_table",
    "correlations_table",
    "empty_sentences",
    "joined",
    "linkage_table",
    "made_outputs",
    "pairs_table",
    "performance_table",
    "places_table",
    "priors_table",
    "probability_raster",
    "ratio_table",
    "summary_table",
]

_SUMMARY_UNITS = {"study_area": "m²", "marked_by_any": "m²", "marked_by_all": "m²"}


def places_table(
    places: pd.DataFrame,
    votes: VoteTable,
    working: WorkingCrs,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = no_progress,
) -> FeatureTable:
    """Faces of the overlay, the largest first: how many marked it, who did and who did not."""
    table = polygon_table(places["geometry"].to_numpy(dtype=object), working, crs, progress)
    table.add("rank", np.arange(1, len(places) + 1), "1 is the largest")
    table.add("area", places["area"].to_numpy(dtype=float), "Square metres")
    table.add("n_yes", places["n_yes"].to_numpy(dtype=np.int64), "Number of annotators who marked it")
    table.add("n_no", places["n_no"].to_numpy(dtype=np.int64), "Number of annotators who did not")
    for name, meaning in (("yes", "Who marked it"), ("no", "Who did not")):
        table.add(name, [names_list(names) for names in places[name]], meaning, "text")
        progress(1.0)
    written = ["".join("1" if yes else "0" for yes in decisions) for decisions in votes.patterns]
    table.add(
        "votes", [written[row] for row in places["pattern"]], "1 for yes and 0 for no, annotator by annotator", "text"
    )
    return table


def annotators_table(statistics: pd.DataFrame, votes: VoteTable) -> FeatureTable:
    """A row per annotator; the limit of outliers stands in every row."""
    table = FeatureTable()
    table.add("annotator", statistics.index.to_numpy(dtype=object), "Name", "text")
    for name, meaning in (
        ("marked", "Square metres marked"),
        ("share", "Of the study area, 0 to 1"),
        ("sensitivity", "Share of the consensus that was marked"),
        ("specificity", "Share of what is not consensus that was left unmarked"),
        ("ppv", "Share of what was marked that is consensus"),
        ("npv", "Share of what was left unmarked that is not consensus"),
        ("kappa", "Cohen's kappa with the consensus"),
        ("mean_f1", "Mean F1 with the others"),
        ("mean_distance", "Mean of 1 - F1 with the others"),
    ):
        table.add(name, statistics[name].to_numpy(dtype=float), meaning)
    table.add("outlier", statistics["outlier"].to_numpy(dtype=np.int64), "1: unlike the others")
    table.add("limit", np.full(len(statistics), outlier_limit(votes)), "Mean distance above which one is an outlier")
    return table


def pairs_table(votes: VoteTable, instances: pd.DataFrame) -> FeatureTable:
    """A row per two annotators: by area, and crown by crown."""
    first, second = np.triu_indices(votes.n_annotators, 1)
    names = np.array(votes.names, dtype=object)
    shared = shared_weights(votes)
    table = FeatureTable()
    table.add("first", names[first], "Annotator", "text")
    table.add("second", names[second], "Annotator", "text")
    table.add("f1", pairwise_f1(votes)[first, second], "2 x shared / (marked by one + marked by the other)", "real")
    table.add("shared", shared[first, second], "Square metres that both marked", "real")
    table.add("only_first", shared[first, first] - shared[first, second], "Square metres only the first marked", "real")
    table.add(
        "only_second", shared[second, second] - shared[first, second], "Square metres only the second marked", "real"
    )
    for column, name, meaning, kind in (
        ("pq", "pq", "Panoptic quality, crown by crown", "real"),
        ("sq", "sq", "Mean IoU of the matched crowns", "real"),
        ("rq", "rq", "How far the same crowns were found", "real"),
        ("matched", "matched", "Crowns with an IoU above 0.5", "integer"),
        ("only_first", "crowns_first", "Crowns of the first without a match", "integer"),
        ("only_second", "crowns_second", "Crowns of the second without a match", "integer"),
        ("splits", "splits", "Crowns of the first in which the second drew several", "integer"),
        ("merges", "merges", "Crowns of the second in which the first drew several", "integer"),
    ):
        table.add(name, instances[column].to_numpy(), meaning, kind)
    return table


def linkage_table(votes: VoteTable) -> FeatureTable:
    """The steps of Ward's clustering: annotators count from 0, then the clusters in the order they were made."""
    links = dendrogram(votes)
    table = FeatureTable()
    table.add("step", np.arange(len(links)), "From 0", "integer")
    table.add("first", links[:, 0].astype(np.int64), "Annotator or cluster", "integer")
    table.add("second", links[:, 1].astype(np.int64), "Annotator or cluster", "integer")
    table.add("distance", links[:, 2], "Ward's distance on 1 - F1", "real")
    table.add("size", links[:, 3].astype(np.int64), "Annotators in the new cluster", "integer")
    place, height = _drawn_tree(links, votes.n_annotators)
    for number, name in enumerate(("first", "second")):
        of = links[:, number].astype(np.int64)
        table.add(f"{name}_place", place[of], "Where it stands in a drawing", "real")
        table.add(f"{name}_height", height[of], "Distance at which it was made", "real")
    return table


def ratio_table(votes: VoteTable) -> FeatureTable:
    """The agreement-ratio curve."""
    by_votes = vote_weights(votes)
    at_least = np.cumsum(by_votes[:0:-1])[::-1]
    table = FeatureTable()
    table.add("annotators", np.arange(1, votes.n_annotators + 1), "At least so many", "integer")
    table.add("area", at_least, "Square metres that so many or more marked", "real")
    table.add("ratio", agreement_ratio(votes), "Of what anybody marked", "real")
    return table


def summary_table(found: AgreementSummary) -> FeatureTable:
    """The headline numbers with 95 % intervals."""
    meanings = _meanings()
    summary = found.table
    names = list(summary.index)
    table = FeatureTable()
    table.add("statistic", names, "Name", "text")
    low, high = (f"{50 * share:g} % of the draws" for share in (1 - LEVEL, 1 + LEVEL))
    for column, meaning in (("value", "Value"), ("low", low), ("high", high)):
        table.add(column, summary[column].to_numpy(dtype=float), meaning, "real")
    table.add("unit", [_SUMMARY_UNITS.get(name, "") for name in names], "Unit", "text")
    table.add("blocks", np.full(len(names), found.n_blocks), "Blocks resampled", "integer")
    table.add("marked_blocks", np.full(len(names), found.n_marked), "Of them with marks", "integer")
    table.add("draws", summary["draws"].to_numpy(dtype=np.int64), "Draws that gave it a value", "integer")
    table.add("meaning", [meanings.get(name, "") for name in names], "What it is", "text")
    return table


def correlations_table(found: pd.DataFrame) -> FeatureTable:
    """Correlation of the number of annotators with the image."""
    table = FeatureTable()
    table.add("property", found.index.to_numpy(dtype=object), "Of the image", "text")
    for name, meaning in (
        ("correlation", "Pearson, with the number of annotators"),
        ("low", "Lower end of the 95 % interval"),
        ("high", "Upper end of the 95 % interval"),
        ("p_value", "Of no correlation, from blocks"),
        ("least_p", "That of an image that follows the number of annotators exactly"),
        ("n_effective", "Blocks in which the number varies, as if all varied alike"),
    ):
        table.add(name, found[name].to_numpy(dtype=float), meaning, "real")
    table.add("n_blocks", found["n_blocks"].to_numpy(dtype=np.int64), "Blocks with pixels", "integer")
    table.add("reason", found["reason"].to_numpy(dtype=object), "Why there is no number", "text")
    return table


def _drawn_tree(links: Floats, count: int) -> tuple[Floats, Floats]:
    """(2K - 1,) where every annotator and cluster stands so that no lines cross, and the distance it was made at."""
    members = [[k] for k in range(count)]
    for first, second in links[:, :2].astype(np.int64):
        members.append(members[first] + members[second])
    place, height = np.zeros(len(members)), np.zeros(len(members))
    place[members[-1] if len(links) else list(range(count))] = np.arange(count)
    for step, (first, second, distance, _) in enumerate(links):
        place[count + step] = (place[int(first)] + place[int(second)]) / 2
        height[count + step] = distance
    return place, height


def _meanings() -> dict[str, str]:
    return {
        "annotators": tr("Number of annotators"),
        "study_area": tr("Area that counts"),
        "marked_by_any": tr("Area that at least one annotator marked"),
        "marked_by_all": tr("Area that all marked"),
        "smyth_bound": tr("Smyth's lower bound on the mean error rate of the annotators"),
        "mean_f1": tr("Mean F1 over all pairs of annotators"),
        "min_f1": tr("Lowest F1 of a pair"),
        "max_f1": tr("Highest F1 of a pair"),
        "raw_agreement": tr("Chance that two annotators decide alike at a random place"),
        "fleiss_kappa": tr("Fleiss' kappa, corrected for chance"),
        "krippendorff_alpha": tr("Krippendorff's alpha (nominal), corrected for chance"),
        "gwet_ac1": tr("Gwet's AC1; high for rare classes whatever the annotators do"),
    }


# Probability outside of the study area.
_OUTSIDE = -1.0


@dataclass(frozen=True, eq=False)
class MadeConsensus:
    """One consensus: who was left out of it, the votes it was made from, and its polygons in working metres."""

    left_out: str
    votes: VoteTable
    found: Consensus
    polygons: Objects

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


def joined(made: list[MadeConsensus]) -> Objects:
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

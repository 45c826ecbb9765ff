"""Verdicts of reviewers on crowns, and how far reviewers agree."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.review.problems import Problem
from randcrowns.core.statistics import ratio
from randcrowns.core.status import TextEnum


class Verdict(TextEnum):
    """Verdict of a reviewer on a crown."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    #: The outline was wrong, and the reviewer has corrected it.
    FIXED = "fixed"
    UNSURE = "unsure"
    #: The outline is right, but the class is wrong. The verdict names the right class.
    WRONG_CLASS = "wrong class"


class Side(TextEnum):
    """Subject of a verdict: a crown, or a place where annotators differ."""

    #: Target with its delineation.
    TARGET = "target"
    #: Delineation without a target.
    DELINEATION = "delineation"
    #: Place that some annotators marked and others did not.
    DISAGREEMENT = "disagreement"


class JudgedSubject(TextEnum):
    """Crown that a reviewer judges in a row of page Review."""

    #: Delineation or prediction of a target.
    PAIR = "pair"
    #: Target that is compared with no delineation.
    TARGET = "target"
    #: Delineation without a target.
    FALSE_DETECTION = "false detection"

    @classmethod
    def of(cls, side: str, has_match: bool) -> JudgedSubject:
        """Return the subject of a row.

        Args:
            side: a :class:`Side` as text, not a disagreement.
            has_match: True if a target is compared with a delineation.

        >>> JudgedSubject.of("target", has_match=False).value
        'target'
        """
        if side == Side.DELINEATION.value:
            return cls.FALSE_DETECTION
        return cls.PAIR if has_match else cls.TARGET


class LayerKey(NamedTuple):
    """Identity of a layer: its id, or else its source. The name is for display and can change."""

    id: str  #: id of the layer in its project.
    source: str  #: source of the layer; empty for a layer in memory.
    name: str  #: display name.

    def is_same(self, other: LayerKey) -> bool:
        """Return True if the other key identifies the same layer.

        >>> LayerKey("a1", "", "crowns").is_same(LayerKey("a1", "", "renamed"))
        True
        """
        return self.id == other.id != "" or self.source == other.source != ""


#: Columns that identify the crown of a verdict.
CROWN_COLUMNS = ["side", "feature_id"]
#: Columns with the state of the crown at the verdict: hashes of its outline and of its match.
STATE_COLUMNS = ["outline", "match"]
#: Columns that identify the layers of a verdict, in the order of :class:`LayerKey`.
LAYER_COLUMNS = {side: [f"{side}_id", f"{side}_source", side] for side in ("layer", "delineations")}
#: Columns of a table of verdicts. ``time`` is ISO 8601 in UTC, so that its text sorts by time. A
#: row with an empty ``verdict`` is only a comment. ``right_class`` is the class that a crown with
#: the verdict "wrong class" has in the reviewer's opinion; empty otherwise.
VERDICT_COLUMNS = [
    *LAYER_COLUMNS["layer"],
    *LAYER_COLUMNS["delineations"],
    *CROWN_COLUMNS,
    *STATE_COLUMNS,
    "score",
    "problem",
    "verdict",
    "comment",
    "reviewer",
    "time",
    "right_class",
]


def outline_hashes(shapes: ArrayLike) -> list[str]:
    """Return a hash of each outline.

    Equal vertices give equal hashes, whatever the first vertex and the direction of the rings. A
    multipolygon of one polygon has the hash of that polygon.

    Args:
        shapes: (n,) shapely polygons or multipolygons, or None.

    Returns:
        (n,) hashes of 16 hexadecimal digits; empty for None.

    >>> box = shapely.box(0, 0, 1, 1)
    >>> rotated = shapely.MultiPolygon([shapely.Polygon([(1, 1), (1, 0), (0, 0), (0, 1)])])
    >>> len(set(outline_hashes([box, rotated])))
    1
    """
    flat_shapes = shapely.force_2d(shapes)
    has_one_part = shapely.get_num_geometries(flat_shapes) == 1
    outlines = np.where(has_one_part, shapely.get_geometry(flat_shapes, 0), flat_shapes)
    # The same byte order on all machines.
    encoded = shapely.to_wkb(shapely.normalize(outlines), byte_order=1)
    digests = [None if wkb is None else hashlib.sha256(wkb).hexdigest() for wkb in encoded]
    return ["" if digest is None else digest[:16] for digest in digests]


def crowns_to_review(crowns: pd.DataFrame, delineations: pd.DataFrame) -> pd.DataFrame:
    """Return the crowns to review: judged targets and false positive delineations.

    Args:
        crowns: a row per target: ``feature_id``, ``outline`` (see :func:`outline_hashes`; None if
            it is unknown), ``delineation_id``, ``problem``, and any other columns.
        delineations: a row per delineation: ``delineation_id``, ``outline``, ``problem``, and any
            columns of ``crowns``. Other delineations than false positives can be missing; the
            outlines of their targets' matches are unknown then.

    Returns:
        The targets with a problem (which can be "none"), then the delineations with the problem
        "extra". Added columns: ``side`` (a :class:`Side` as text) and ``match`` (outline of the
        delineation; empty without one, None if it is unknown). The scores of false positives are 0,
        like those of missing crowns; their ``feature_id`` is that of the delineation.

    >>> crowns = pd.DataFrame(
    ...     {"feature_id": [4], "outline": "p", "delineation_id": [7], "problem": "none"}
    ... )
    >>> drawn = pd.DataFrame(
    ...     {"delineation_id": [7, 8], "outline": ["q", "r"], "problem": [None, "extra"]}
    ... )
    >>> columns = ["side", "feature_id", "outline", "match"]
    >>> crowns_to_review(crowns, drawn)[columns].to_numpy().tolist()
    [['target', 4, 'p', 'q'], ['delineation', 8, 'r', '']]
    """
    outlined = delineations[delineations["outline"] != ""].drop_duplicates("delineation_id")
    outline_of = outlined.set_index("delineation_id")["outline"]
    # Outline of the matched delineation; None if it is unknown, "" for a target without a match.
    outlines = crowns["delineation_id"].map(outline_of).astype(object)
    known_outlines = outlines.where(outlines.notna(), None)
    matches = known_outlines.where(crowns["delineation_id"].notna(), "")
    is_judged = crowns["problem"].isin([problem.value for problem in Problem])
    targets = crowns.assign(side=Side.TARGET.value, match=matches)
    if not is_judged.all():
        targets = targets[is_judged]

    is_extra = delineations["problem"] == Problem.EXTRA.value
    table = targets.reset_index(drop=True)
    if is_extra.any():
        extras = delineations[is_extra]
        score_names = [name for name in ("score", "iou", "iou_crowns") if name in crowns]
        extras = extras.assign(
            side=Side.DELINEATION.value,
            match="",
            feature_id=extras["delineation_id"],
            **dict.fromkeys(score_names, 0.0),
        )
        table = pd.concat([targets, extras], ignore_index=True)
    table["feature_id"] = table["feature_id"].astype(np.int64)
    return cast("pd.DataFrame", table)


def select_layer_verdicts(
    verdicts: pd.DataFrame,
    targets: LayerKey,
    delineations: LayerKey,
    project_layer_ids: Collection[str] = (),
) -> pd.DataFrame:
    """Select the verdicts on crowns of two layers.

    A layer is recognised by its id or its source, or else by its name if the id of the verdict's
    layer is not in ``project_layer_ids``.

    Args:
        verdicts: table with the columns of ``LAYER_COLUMNS``, and any others.
        targets: the target layer.
        delineations: the delineation layer. Verdicts without a delineation layer are selected, too.
        project_layer_ids: ids of layers of the project, for which the name does not count.

    >>> targets, drawn = LayerKey("a1", "", "crowns"), LayerKey("b2", "", "model")
    >>> columns = [*LAYER_COLUMNS["layer"], *LAYER_COLUMNS["delineations"]]
    >>> verdicts = pd.DataFrame([[*targets, *drawn], ["c3", "", "others", *drawn]], columns=columns)
    >>> select_layer_verdicts(verdicts, targets, drawn).index.tolist()
    [0]
    """
    is_selected = np.ones(len(verdicts), dtype=bool)
    for key, (id_column, source_column, name_column) in zip(
        (targets, delineations), LAYER_COLUMNS.values()
    ):
        ids = verdicts[id_column]
        sources = verdicts[source_column]
        names = verdicts[name_column]
        has_id = (ids == key.id) & bool(key.id)
        has_source = (sources == key.source) & bool(key.source)
        has_name = (names == key.name) & ~ids.isin(list(project_layer_ids))
        is_selected &= has_id | has_source | has_name | names.isna()
    return cast("pd.DataFrame", verdicts[is_selected])


def last_place_verdicts(verdicts: pd.DataFrame) -> dict[str, str]:
    """Return the last verdict on each place where annotators differ.

    A place is recognised by its outline, so that its verdict remains after a new run.

    Args:
        verdicts: table with the columns ``side``, ``outline``, ``verdict`` and ``time``.

    Returns:
        Verdict by the hash of the outline, see :func:`outline_hashes`.

    >>> columns = ["side", "outline", "verdict", "time"]
    >>> rows = [
    ...     ["disagreement", "p", "unsure", "2026-01-01"],
    ...     ["disagreement", "p", "accepted", "2026-01-02"],
    ...     ["target", "q", "accepted", "2026-01-03"],
    ... ]
    >>> last_place_verdicts(pd.DataFrame(rows, columns=columns))
    {'p': 'accepted'}
    """
    place_verdicts = verdicts[verdicts["side"] == Side.DISAGREEMENT.value]
    by_time = place_verdicts.sort_values("time", kind="stable")
    outlines = by_time["outline"].astype(str)
    # Later verdicts on an outline replace earlier ones.
    return dict(zip(outlines, by_time["verdict"].astype(str)))


def merge_verdicts(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables of verdicts and drop duplicate verdicts.

    Args:
        tables: tables with the columns ``VERDICT_COLUMNS``, and any others, at least one.

    Returns:
        Table with the columns ``VERDICT_COLUMNS`` and a new index.

    >>> table = pd.DataFrame([["a"] * len(VERDICT_COLUMNS)], columns=VERDICT_COLUMNS)
    >>> len(merge_verdicts([table, table]))
    1
    """
    rows = pd.concat(tables, ignore_index=True)[VERDICT_COLUMNS]
    return cast("pd.DataFrame", rows.drop_duplicates(ignore_index=True))


def reviewer_agreement(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Compute how far each pair of reviewers agrees on crowns judged by both in the same state.

    Args:
        verdicts: table with the columns of ``CROWN_COLUMNS`` and ``STATE_COLUMNS``, ``verdict``,
            ``reviewer`` and ``time``. The last verdict of a reviewer on each state of a crown
            counts.

    Returns:
        A row per pair with common crowns: ``reviewer``, ``other``, ``crowns`` (number of compared
        crowns), ``agreement`` (share of equal verdicts), ``kappa`` (Cohen 1960; NaN if both
        reviewers give only one and the same verdict), ``changed`` (number of crowns that both
        judged, but never in the same state; they are not compared).

    >>> verdicts = pd.DataFrame(
    ...     {
    ...         "side": "target",
    ...         "feature_id": [0, 1, 2, 3] * 2,
    ...         "outline": "p",
    ...         "match": "q",
    ...         "reviewer": ["Ann"] * 4 + ["Ben"] * 4,
    ...         "verdict": ["accepted"] * 2 + ["unsure"] * 2 + ["accepted"] + ["unsure"] * 3,
    ...         "time": "",
    ...     }
    ... )
    >>> reviewer_agreement(verdicts)
      reviewer other  crowns  agreement  kappa  changed
    0      Ann   Ben       4       0.75    0.5        0
    """
    last_verdicts = verdicts[verdicts["verdict"] != ""].sort_values("time", kind="stable")
    last_verdicts = last_verdicts.fillna(dict.fromkeys(STATE_COLUMNS, "?"))
    last_verdicts = last_verdicts.drop_duplicates(
        [*CROWN_COLUMNS, *STATE_COLUMNS, "reviewer"], keep="last"
    )
    reviewers = sorted(last_verdicts["reviewer"].unique())
    verdicts_of = {name: last_verdicts[last_verdicts["reviewer"] == name] for name in reviewers}
    rows = []
    for reviewer, other in combinations(reviewers, 2):
        own_table = verdicts_of[reviewer]
        other_table = verdicts_of[other]
        common = own_table.merge(other_table, on=CROWN_COLUMNS).drop_duplicates(CROWN_COLUMNS)
        if len(common) == 0:
            continue
        in_same_state = own_table.merge(other_table, on=[*CROWN_COLUMNS, *STATE_COLUMNS])
        compared = in_same_state.drop_duplicates(CROWN_COLUMNS, keep="last")
        own_verdicts = compared["verdict_x"]
        other_verdicts = compared["verdict_y"]
        agreement = float((own_verdicts == other_verdicts).mean())
        row = {
            "reviewer": reviewer,
            "other": other,
            "crowns": len(compared),
            "agreement": agreement,
            "kappa": _cohen_kappa(own_verdicts, other_verdicts, agreement),
            "changed": len(common) - len(compared),
        }
        rows.append(row)
    columns = ["reviewer", "other", "crowns", "agreement", "kappa", "changed"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=columns))


def _cohen_kappa(first: pd.Series, second: pd.Series, agreement: float) -> float:
    """Return Cohen's kappa of two columns of verdicts with this share of equal verdicts."""
    first_shares = first.value_counts(normalize=True)
    second_shares = second.value_counts(normalize=True)
    by_chance = float(first_shares.mul(second_shares, fill_value=0.0).sum())
    return cast("float", ratio(agreement - by_chance, 1.0 - by_chance))

"""Texts about the verdicts of reviewers, for page Review and for reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.algorithms.provenance import Provenance
from randcrowns.core.arrays import number_text
from randcrowns.core.review.queue import ReviewProgress, add_verdicts, review_progress
from randcrowns.core.review.verdicts import (
    CROWN_COLUMNS,
    LayerKey,
    Side,
    Verdict,
    last_place_verdicts,
    reviewer_agreement,
    select_layer_verdicts,
)
from randcrowns.layers.localization import format_value, tr
from randcrowns.report.content import Table, TableContent

#: Labels of the verdicts in tables and counts.
VERDICT_LABELS = {
    Verdict.ACCEPTED: tr("accepted"),
    Verdict.REJECTED: tr("rejected"),
    Verdict.FIXED: tr("fixed"),
    Verdict.UNSURE: tr("unsure"),
    Verdict.WRONG_CLASS: tr("wrong class"),
}
#: Labels of the verdicts on places where annotators differ.
PLACE_VERDICT_LABELS = {
    Verdict.ACCEPTED: tr("Crown"),
    Verdict.REJECTED: tr("No crown"),
    Verdict.UNSURE: tr("Unsure"),
}


#: Maximum number of rejected crowns in a report.
_MAX_REJECTED = 20


class ReviewedLayer(NamedTuple):
    """Crowns of a run that were compared with one layer, as page Review lists them."""

    name: str  #: name of the delineation layer or of the prediction layer.
    keys: tuple[LayerKey, LayerKey]  #: keys of the target layer and of the other layer.
    #: A row per crown, see :func:`randcrowns.core.review.verdicts.crowns_to_review`.
    crowns: pd.DataFrame


class JudgedLayer(NamedTuple):
    """Crowns of a run that were compared with one layer, with verdicts."""

    name: str  #: name of the delineation layer or of the prediction layer.
    crowns: pd.DataFrame  #: result of :func:`randcrowns.core.review.queue.add_verdicts`.
    verdicts: pd.DataFrame  #: verdicts of all reviewers on these crowns.


def judge_layers(
    record: Provenance, layers: Sequence[ReviewedLayer], verdicts: pd.DataFrame
) -> list[JudgedLayer]:
    """Return the layers of a run with verdicts of reviewers.

    Args:
        record: provenance of the run.
        layers: crowns of the run by layer.
        verdicts: table with the columns of
            :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.
    """
    judged_layers = []
    for name, keys, crowns in layers:
        layer_verdicts = select_layer_verdicts(verdicts, *keys, project_layer_ids=record.inputs)
        crown_verdicts = layer_verdicts.merge(crowns[CROWN_COLUMNS], on=CROWN_COLUMNS)
        if (crown_verdicts["verdict"] != "").any():
            judged = add_verdicts(crowns, crown_verdicts)
            judged_layers.append(JudgedLayer(name, judged, crown_verdicts))
    return judged_layers


def review_sentences(layers: Sequence[JudgedLayer], n_layers: int) -> list[str]:
    """Return sentences that sum up the reviewers' verdicts on the crowns of a run.

    Args:
        layers: layers with verdicts.
        n_layers: number of layers of the run.
    """
    lines = []
    for name, crowns, verdicts in layers:
        counts = ", ".join(progress_texts(review_progress(crowns)))
        if n_layers > 1:
            lines.append(tr("Reviewers' verdicts on {layer}: {told}.", layer=name, told=counts))
        else:
            lines.append(tr("Reviewers' verdicts: {told}.", told=counts))
        lines += [f"{line}." for line in agreement_texts(reviewer_agreement(verdicts))]
    return lines


def rejected_table(layers: Sequence[JudgedLayer]) -> Table | None:
    """Return a table of the rejected crowns, with plot and comment; None without any.

    Crowns that changed since the verdict are left out.

    Args:
        layers: layers with verdicts.
    """
    parts = []
    for layer, crowns, _ in layers:
        is_rejected = (crowns["verdict"] == Verdict.REJECTED.value) & ~crowns["changed"]
        parts.append(crowns[is_rejected].assign(layer=layer))
    rejected = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if not len(rejected):
        return None
    columns = {tr("Crown"): [_crown_name(row) for row in rejected.to_dict("records")]}
    if len(rejected["layer"].unique()) > 1:
        columns[tr("Layer")] = rejected["layer"].tolist()
    for name, title in (("plot", tr("Plot")), ("comment", tr("Comment"))):
        if name in rejected:
            texts = rejected[name].astype(object).where(rejected[name].notna(), "").map(str)
            if texts.any():
                columns[title] = texts.tolist()
    columns[tr("Reviewer")] = rejected["reviewer"].map(str).tolist()
    rows = [list(row) for row in zip(*columns.values())]
    content = TableContent(list(columns), [False] * len(columns), rows[:_MAX_REJECTED])
    note = ""
    if len(rows) > _MAX_REJECTED:
        note = tr(
            "Page Review lists the other rejected crowns: {count:,}.",
            count=len(rows) - _MAX_REJECTED,
        )
    return Table(tr("Rejected crowns"), content, note)


def _crown_name(crown: Mapping[Any, Any]) -> str:
    """Return the display name of a crown: a target, or a delineation without one."""
    if crown["side"] == Side.TARGET.value:
        return tr("Target {id}", id=crown["feature_id"])
    return tr("Delineation {id}", id=crown["feature_id"])


def verdict_texts(layers: Sequence[JudgedLayer]) -> dict[tuple[str, int], str]:
    """Return the verdict and the comment on each judged target, by layer and id of the target.

    Args:
        layers: layers with verdicts.
    """
    texts = {}
    for layer, crowns, _ in layers:
        is_valid = crowns["verdict"].notna() & ~crowns["changed"]
        judged_targets = crowns[is_valid & (crowns["side"] == Side.TARGET.value)]
        for crown in judged_targets.to_dict("records"):
            label = VERDICT_LABELS[Verdict(crown["verdict"])]
            if isinstance(crown["right_class"], str) and crown["right_class"]:
                label = f"{label} ({crown['right_class']})"
            comment = crown["comment"] if isinstance(crown["comment"], str) else ""
            text = tr("Verdict: {verdict}.", verdict=label)
            texts[layer, int(crown["feature_id"])] = f"{text} {comment}".strip()
    return texts


def find_place_verdicts(
    verdicts: pd.DataFrame,
    areas: pd.Series,
    read_outlines: Callable[[Collection[int]], Mapping[int, str]],
) -> dict[int, str]:
    """Return the last verdicts on the places where annotators differ.

    A place is recognised by its outline. Hashes of outlines take time, so that they are only
    computed of places with the area of a judged place.

    Args:
        verdicts: table with the columns of
            :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.
        areas: areas of the places by their ranks.
        read_outlines: returns the hashes of the outlines of places by their ranks.

    Returns:
        A :class:`Verdict` as text by the rank of its place.
    """
    if not len(verdicts):
        return {}
    place_verdicts = verdicts[verdicts["side"] == Side.DISAGREEMENT.value]
    if place_verdicts.empty:
        return {}
    judged_areas = {_area_key(area) for area in place_verdicts["score"]}
    is_candidate = areas.map(_area_key).isin(judged_areas)
    outlines = read_outlines([int(rank) for rank in areas.index[is_candidate]])
    verdict_of_outline = last_place_verdicts(place_verdicts)
    return {
        rank: verdict_of_outline[outline]
        for rank, outline in outlines.items()
        if outline in verdict_of_outline
    }


def _area_key(area: float) -> float:
    """Return an area with about seven digits: computed twice, it may differ in later ones."""
    return float(np.float32(area))


def place_verdict_label(verdict: object) -> str:
    """Return the label of a verdict on a place; "" for none or an unknown one.

    Args:
        verdict: a :class:`Verdict` as text.
    """
    labels = {one.value: label for one, label in PLACE_VERDICT_LABELS.items()}
    return str(labels.get(str(verdict), ""))


def summarise_place_verdicts(verdicts: Collection[str], n_places: int) -> list[str]:
    """Return a sentence with the numbers of verdicts on disagreements; none without verdicts.

    Args:
        verdicts: verdicts, each a :class:`Verdict` as text.
        n_places: number of places where annotators differ.
    """
    if not verdicts:
        return []
    texts = [tr("{done:,} of {all:,} reviewed", done=len(verdicts), all=n_places)]
    counts = Counter(verdicts)
    for verdict, label in PLACE_VERDICT_LABELS.items():
        if counts[verdict.value]:
            texts.append(f"{label}: {format_value(counts[verdict.value], 0)}")
    return [tr("Reviewers' verdicts on disagreements: {told}.", told=", ".join(texts))]


def progress_texts(progress: ReviewProgress) -> list[str]:
    """Return the progress of a review as texts, such as ``12 of 106 reviewed``, ``9 accepted``.

    Args:
        progress: numbers of crowns and of verdicts.

    Returns:
        The number of reviewed crowns, the number of each verdict that was given, and the number of
        crowns that changed since, if there are any.
    """
    texts = [tr("{done:,} of {all:,} reviewed", done=progress.reviewed, all=progress.crowns)]
    for verdict, number in progress.verdicts.items():
        if number:
            texts.append(_count_text(verdict, number))
    if progress.changed:
        texts.append(tr("{number:,} changed since", number=progress.changed))
    return texts


def _count_text(verdict: Verdict, count: int) -> str:
    """Return a number of crowns with a verdict, such as ``2 rejected``.

    Some languages have a plural of each verdict.
    """
    texts = {
        Verdict.ACCEPTED: tr("{count:,} accepted", one="1 accepted", count=count),
        Verdict.REJECTED: tr("{count:,} rejected", one="1 rejected", count=count),
        Verdict.FIXED: tr("{count:,} fixed", one="1 fixed", count=count),
        Verdict.UNSURE: tr("{count:,} unsure", one="1 unsure", count=count),
        Verdict.WRONG_CLASS: tr(
            "{count:,} with the wrong class", one="1 with the wrong class", count=count
        ),
    }
    return texts[verdict]


def agreement_texts(agreement: pd.DataFrame) -> list[str]:
    """Return texts about the agreement of each pair of reviewers.

    Args:
        agreement: result of :func:`randcrowns.core.review.verdicts.reviewer_agreement`.

    Returns:
        For each pair a text about the crowns that both judged, and a text about those that changed
        between the verdicts; either only if there are such crowns.
    """
    texts = []
    for pair in agreement.to_dict("records"):
        reviewers = {"first": pair["reviewer"], "other": pair["other"]}
        if pair["crowns"]:
            texts.append(
                tr(
                    "{first} and {other}: {count:,} crowns, {share:.0%} equal verdicts, kappa "
                    "{kappa}",
                    one="{first} and {other}: 1 crown, {share:.0%} equal verdicts, kappa {kappa}",
                    **reviewers,
                    count=pair["crowns"],
                    share=pair["agreement"],
                    kappa=number_text(pair["kappa"]),
                )
            )
        if pair["changed"]:
            texts.append(
                tr(
                    "{first} and {other}: {count:,} crowns not compared because they changed "
                    "between the verdicts",
                    one="{first} and {other}: 1 crown not compared because it changed between the "
                    "verdicts",
                    **reviewers,
                    count=pair["changed"],
                )
            )
    return texts
